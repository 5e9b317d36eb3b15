"""What goes wrong while running: where it is said, and what stays as it was."""

from __future__ import annotations

import pytest

from rulelang.analysis import analyse_sources
from rulelang.engine.machine import FUEL, MAX_DEPTH
from rulelang.errors import Error, GameFault, RuleError
from rulelang.game import Game
from rulelang.loader import Sources
from rulelang.simulation import simulate
from tests.engine.helper import HEAD, game, play

BREAK = """
state
  count: 0 to 1
rule play
  choose c from Colour by players[1] "Which?" else return
  trail += [1]
  if c is red: deeper
  choose d from Colour by players[1] "And which?" else return
  if d is red: trail += [2]
rule deeper
  count += 1
  count += 1
"""


def line_of(text: str, words: str) -> int:
    return (HEAD + text)[: (HEAD + text).rindex(words)].count("\n") + 1


def test_a_fault_says_where_it_is_and_from_which_state_it_came() -> None:
    session = play(BREAK)
    before = session.digest()
    with pytest.raises(GameFault) as caught:
        session.choose("red")
    fault = caught.value
    assert (fault.rule, fault.file, fault.line) == (
        "deeper",
        "toy.rules",
        line_of(BREAK, "count += 1"),
    )
    assert fault.digest == before
    assert str(fault) == (
        f"toy.rules:{fault.line}: count would become 2, and is 0 to 1"
        f" (in rule deeper, state {before})"
    )


def test_a_fault_leaves_the_session_at_its_last_decision() -> None:
    session = play(BREAK)
    before, view = session.save(), session.view(0)
    with pytest.raises(GameFault):
        session.choose("red")
    assert (session.save(), session.view(0)) == (before, view)
    session.choose("blue")
    assert session.state["trail"] == [1]


def test_a_fault_behind_chance_undoes_the_chance_too() -> None:
    text = """
rule play
  choose c from Colour by players[1] "Which?" else return
  roll n from d6
  if c is red: trail += [n / size(trail)]
"""
    session = play(text)
    before = session.save()
    with pytest.raises(GameFault):
        session.choose("red")
    assert session.save() == before


def test_a_fault_in_what_a_script_answers_comes_from_start() -> None:
    with pytest.raises(GameFault) as caught:
        play(BREAK, script=["red"])
    assert caught.value.rule == "deeper"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "rule play: round\nrule round\n  if trail is empty: round\n  trail = []\n",
            f"more than {MAX_DEPTH} deep",
        ),
        ("rule play: round\nrule round\n  if trail is empty: round\n", f"{FUEL:,} steps"),
        ("rule play\n  repeat while trail is []: trail = []\n", f"{FUEL:,} steps"),
        (
            "rule play\n  repeat while trail is []: idle\nrule idle: trail = []\n",
            f"{FUEL:,} steps",
        ),
        (
            "rule play\n  repeat while size(players) > 0\n    roll n from d6\n    trail = [n]\n",
            f"{FUEL:,} steps",
        ),
    ],
)
def test_a_game_that_does_not_come_to_a_decision_is_stopped(text: str, message: str) -> None:
    with pytest.raises(GameFault, match=message):
        play(text)


def test_decisions_refill_the_fuel() -> None:
    text = f"""
rule play
  repeat while size(trail) < 3
    let n = 0
    repeat while n < {FUEL - 100}: n += 1
    choose c from Colour by players[1] "Which?" else return
    if c is red: trail += [n]
"""
    session = play(text, "red", "red", "red")
    assert session.over


def test_a_fault_before_the_first_decision_comes_from_start() -> None:
    with pytest.raises(GameFault) as caught:
        play("rule play: trail += [1 / size(trail)]\n")
    assert (caught.value.rule, len(caught.value.digest)) == ("play", 32)


def test_a_starting_value_outside_of_its_domain_names_its_field() -> None:
    text = "state\n  count: 0 to 3 = size(Card)\nrule play: nothing\n"
    with pytest.raises(GameFault, match="count would begin as 4, and is 0 to 3") as caught:
        play(text)
    assert caught.value.line == line_of(text, "count")


def test_a_starting_value_that_cannot_be_worked_out_is_a_fault() -> None:
    text = "state\n  count: number = 1 / (size(Card) - 4)\nrule play: nothing\n"
    with pytest.raises(GameFault, match="division by zero"):
        play(text)


def test_verdicts_that_cannot_be_worked_out_are_a_fault() -> None:
    text = "outcome\n  when 1 / size(trail) > 0: won by players\nrule play: nothing\n"
    with pytest.raises(GameFault, match="division by zero"):
        _ = play(text).outcome


def test_faults_are_counted_in_simulations() -> None:
    report = simulate(game(BREAK), games=20)
    assert report.fault_count == report.outcomes["fault"] > 0
    assert report.faults[0]["rule"] == "deeper"
    assert report.finished == 20 - report.fault_count


@pytest.mark.parametrize(
    "text",
    [
        "state\n  count: 0 to 3 = size(Card)\nrule play: nothing\n",
        "outcome\n  when 1 / size(trail) > 0: won by players\nrule play: nothing\n",
    ],
)
def test_every_game_of_a_simulation_may_be_faulty(text: str) -> None:
    assert simulate(game(text), games=3).outcomes == {"fault": 3}


@pytest.mark.parametrize("broken", [None, (), "text"])
def test_a_value_that_the_checker_did_not_foresee_is_a_fault_not_a_crash(broken: object) -> None:
    session = play(BREAK, engine="reference")
    session.machine.slots[session.linked.bases["count"]] = broken
    with pytest.raises(GameFault, match="cannot be worked out") as caught:
        session.choose("red")
    assert (caught.value.rule, caught.value.line) == ("deeper", line_of(BREAK, "count += 1") - 1)


def test_questions_nested_too_deeply_are_a_fault() -> None:
    deep = "(" * 15 + "1" + " + 1)" * 15
    links = "".join(f"define sum{n} = sum{n + 1} + {deep}\n" for n in range(60))
    text = links + "define sum60 = size(trail)\nrule play: trail += [sum0]\n"
    session = play(text)
    assert session.state["trail"] == [60 * 16]


def test_every_error_is_rulelang_s_own() -> None:
    assert all(issubclass(kind, Error) for kind in (GameFault, RuleError))


def test_hooks_that_are_each_ahead_of_the_other_do_not_break_the_start() -> None:
    text = """
rule play: note
rule note: trail += [0]
after note as b before a: trail += [2]
after note as a before b: trail += [1]
"""
    try:
        noted = play(text).state["trail"]
    except AssertionError:  # the checker may well refuse them
        noted = [0, 1, 2]
    assert noted == [0, 1, 2]


@pytest.mark.parametrize("length", [50, 150, 200, 250, 800])
def test_a_long_chain_of_questions_is_answered_or_refused(length: int) -> None:
    links = "".join(f"define sum{n} = sum{n + 1} + 1\n" for n in range(length))
    text = links + f"define sum{length} = size(trail)\nrule play: trail += [sum0]\n"
    analysis = analyse_sources(Sources("toy", {"toy.rules": HEAD + text}, {"clauses.toml": ""}))
    if analysis.program is None:
        assert "S108" in [problem.code for problem in analysis.diagnostics]
        return
    try:
        found = str(Game(analysis.program, {}).start().state["trail"])
    except Error as error:
        found = str(error)
    assert found == f"[{length}]" or "nested too deeply" in found
