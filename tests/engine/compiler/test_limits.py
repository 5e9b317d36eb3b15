"""Rules that come to no end, and others that just do: both engines say the same of them."""

from __future__ import annotations

from typing import Any

import pytest

from rulelang.engine.compiler.support import (
    HEAVY,
    LITTLE,
    CostMemo,
    StepMemo,
    alone,
    recalled,
)
from rulelang.engine.machine import FUEL, MAX_DEPTH
from rulelang.engine.operators import MAX_ITEMS, MAX_WORK
from rulelang.errors import GameFault
from rulelang.program.linking import WORK
from tests.engine.compiler.twins import Report, Twins, counted_doubts, same_game
from tests.engine.helper import game

ASKED = '  choose c from Colour by players[1] "Go on?"\n'
ASKED_AGAIN = '  choose d from Colour by players[1] "Go on?"\n  if d is c: trail += [1]\n'


def played(text: str, *answers: int, **options: Any) -> list[Any]:
    """What comes of some answers, of both engines alike."""
    twins = Twins(game(text), mode="alone", **options)
    if twins.both is None:
        return []
    found = []
    for answer in answers:
        found.append(twins.do(lambda s, answer=answer: s.choose(answer)))  # type: ignore[misc]
        twins.agree(whole=True)
    twins.look()
    return found


def begins(text: str) -> bool:
    """Does the game come to its first decision, by both engines alike?"""
    return Twins(game(text), mode="alone").both is not None


def turns(count: int) -> str:
    """A rule that goes through a loop so many times."""
    return f"  let n{count} = 0\n  repeat while n{count} < {count}: n{count} += 1\n"


@pytest.mark.parametrize("more", [-50, -1, 0, 1, 2, 500])
def test_so_many_turns_of_a_loop(more: int) -> None:
    before = f"rule play\n{ASKED}  if c is red: trail = [1]\n"
    assert begins(before + turns(FUEL + more))
    found = played(before + turns(FUEL + more), 0)
    assert (found[0] is None) == (more <= 0)


@pytest.mark.parametrize("more", [-2, -1, 0, 1, 2])
def test_so_many_calls(more: int) -> None:
    calls = turns((FUEL + more) // 2).replace("+= 1", "+= 1, note c")
    text = f"rule note(c: Colour)\n  if c is red: trail = [1]\nrule play\n{ASKED}{calls}"
    text = text.replace(": n", "\n    n").replace(", note c", "\n    note c")
    found = played(text, 1)
    assert (found[0] is None) == (more <= 1)


@pytest.mark.parametrize("more", [-4, -3, -2, -1, 0, 1])
@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("behind", ["", "  trail += [n]\n"], ids=["last", "and more"])
def test_rules_that_call_each_other_so_deep(more: int, asks: bool, behind: str) -> None:
    inner = '    choose c from Colour by players[1] "Here?"\n      trail += [0]\n' if asks else ""
    text = f"""
rule play
  choose c from Colour by players[1] "Go on?"
    deeper {MAX_DEPTH + more}
rule deeper(n: number)
  if n > 1: further (n - 1)
  else
    trail += [n]
{inner}{behind}rule further(n: number)
  if n > 1: deeper (n - 1)
  else
    trail += [n]
{inner}{behind}"""
    found = played(text, 0)
    # The first rule has nothing left to do, either: its frame does not count.
    assert (found[0] is None) == (more <= 0 or not behind)


@pytest.mark.parametrize("more", [-2, -1, 0, 1, 8])
@pytest.mark.parametrize("last", ["nothing", "if size(trail) > 9\n    trail = []"])
def test_rules_that_call_others_so_deep_without_coming_back(more: int, last: str) -> None:
    many = MAX_DEPTH + more
    text = 'rule play\n  choose c from Colour by players[1] "Go on?"\n  r1\n  trail = [0]\n'
    text += "".join(f"rule r{n}\n  r{n + 1}\n  trail += [{n}]\n" for n in range(1, many - 1))
    text += f"rule r{many - 1}\n  {last}\n"
    assert played(text, 0) == ([None] if more <= 0 else played(text, 1))
    made = game(text)
    ready = made.prepared(made.configure("alone", 1, None, None))
    assert (same_game(ready, 0, "random")["fault"] is not None) == (more > 0)


@pytest.mark.parametrize("behind", ["", "  trail = []\n"], ids=["last", "and more"])
def test_rules_that_call_each_other_for_long(behind: str) -> None:
    text = f"""
rule play: go_on
rule go_on
{ASKED}    trail = [0]
  go_on
{behind}"""
    found = played(text, *[0] * (MAX_DEPTH + 20))
    assert (found.count(None) == len(found)) == (not behind)


@pytest.mark.parametrize("more", [-3, -2, -1, 0, 1, 2])
def test_questions_that_go_through_so_many_items(more: int) -> None:
    each = MAX_ITEMS - 1
    whole = MAX_WORK // (2 * each)
    last = MAX_WORK // 2 - whole * each
    text = f"rule play\n{ASKED}  let n = 0\n  repeat while n < {whole}\n    n += 1\n"
    text += f"    trail = [sum(y in numbers(1, {each}): n)]\n"
    text += f"  trail = [sum(y in numbers(1, {last + more}): n)]\n  if c is red: trail = []\n"
    found = played(text, 0)
    assert (found[0] is None) == (more <= 0)


DOUBLED = "".join(f"define link{n} = link{n + 1} + link{n + 1}\n" for n in range(30))
WITHOUT_END = {
    "items": "trail = [sum(a in numbers(1, 9000): sum(b in numbers(1, 9000): a * b))]",
    "small ones": "trail = [sum(a in Card: sum(b in Card: sum(d in Card: sum(e in Card: sum(f in "
    "Card: sum(g in Card: sum(h in Card: sum(i in Card: sum(j in Card: sum(k in Card: sum(l in "
    "Card: size(trail) + 1)))))))))))]",
    "questions": "trail = [link0]",
    "lists": "repeat while size(trail) > 0: trail = trail + trail + [1]",
    "subsets": "trail = [size(subsets(numbers(1, 30), 1, 30))]",
    "numbers": "trail = numbers(1, 99999)",
    "turns": "repeat while size(trail) > 0: trail = [1]",
    "calls": "repeat while size(trail) > 0: trail_again",
    "sums": "repeat while size(trail) > 0: trail = [first(trail) + 900000000000]",
    "depth": "dig",
}
BEGUN = f"""{DOUBLED}define link30 = size(trail)
rule trail_again: trail = [2]
rule dig
  if size(trail) > 0: dig
rule play
  trail = [1]
{ASKED}  if c is red: go_on
  trail = []
  if ended(done): go_on
rule go_on
  """


SLOW = pytest.param("questions", marks=pytest.mark.slow)


@pytest.mark.parametrize("what", [SLOW if what == "questions" else what for what in WITHOUT_END])
def test_what_comes_to_no_end_is_the_same_fault(what: str) -> None:
    found = played(f"{BEGUN}{WITHOUT_END[what]}\n", 0, 1)
    assert found[0][0] == GameFault.__name__
    assert found[0][2] in ("go_on", "dig")
    assert found[1] is None


def test_what_was_used_up_is_filled_up_by_a_decision() -> None:
    text = f"rule play\n  repeat while size(Card) > 0\n    trail = [sum(a in numbers(1, {MAX_ITEMS}"
    text += f"): sum(b in numbers(1, 20): 1))]\n  {ASKED}    if c is red: trail += [1]\n"
    assert played(text, 0, 1, 2, 0, 1) == [None] * 5


@pytest.mark.parametrize("chance", ["explicit", "sample"])
def test_what_was_used_up_is_not_filled_up_by_chance(chance: str) -> None:
    text = f"rule play\n{ASKED}{turns(FUEL - 20)}  roll n from d6\n{turns(10)}  roll m from d6\n"
    text += f"{turns(20)}  if c is red: trail = [n, m]\n"
    found = played(text, *((0, 3, 4) if chance == "explicit" else (0,)), chance=chance)
    assert found[-1][0] == GameFault.__name__


def test_a_playthrough_that_begins_in_doubt_is_undone_and_copied() -> None:
    text = f"rule play\n{turns(FUEL - 1)}{ASKED}{ASKED_AGAIN}"
    twins = Twins(game(text), mode="alone")
    for answer in (0, 1):
        twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
        twins.agree(whole=True)
    for _ in range(2):
        twins.do(lambda s: s.undo())
        twins.agree(whole=True)
    twins.do(lambda s: s.undo())  # there is nothing to undo
    twins.do(lambda s: s.choose(2))
    twins.agree(whole=True)
    twins.look()


def test_doubts_in_the_midst_that_were_none_change_nothing() -> None:
    text = f"rule play\n  repeat while size(trail) < 9\n    roll r from d6\n  {ASKED}"
    text += "    trail += [r]\n    if c is red: wait\nrule wait\n  let n = 0\n"
    text += f"  repeat while n < {FUEL // 2 - 10}\n    n += 1\n"
    text += "    if n > 9: note n\n    else: note 0\nrule note(n: number)\n  if n < 0: trail = []\n"
    with counted_doubts() as doubts:
        assert played(text, 1, 0, 2, 0, 0, seed=4) == [None] * 5
    assert doubts["session"] > 2


@pytest.mark.parametrize("what", ["lists", "subsets", "turns", "depth", "numbers", "sums"])
def test_games_of_bots_that_come_to_no_end_are_the_same(what: str) -> None:
    toy = game(f"{BEGUN}{WITHOUT_END[what]}\n")
    made = toy.prepared(toy.configure("alone", 1, None, None))
    faulty = {same_game(made, seed, "random")["fault"] is not None for seed in range(4)}
    assert faulty == {True, False}


def test_reports_are_added() -> None:
    report = Report(played=1, decisions=3)
    report.add(Report(played=2, faults=1))
    assert (report.played, report.decisions, report.faults) == (3, 3, 1)


def test_what_takes_much_is_charged_each_time_it_is_asked() -> None:
    state = alone()

    def labour(work: int) -> int:
        state[WORK] -= work
        return -work

    memory = CostMemo(labour, state, single=True)
    quick = StepMemo(memory)
    for _ in range(2):  # known or not
        assert quick[LITTLE] == -LITTLE
        assert quick[LITTLE + 1] is HEAVY
    slots = alone()
    for times in (1, 2):
        assert recalled(slots, memory, LITTLE + 1) == -LITTLE - 1
        assert slots[WORK] == MAX_WORK - times * (LITTLE + 1)
