"""Bounds on what questions may cost and give, and on what the interface is given."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import rulelang
from rulelang.analysis import Analysis, analyse_sources
from rulelang.errors import GameFault, SaveError, UsageError
from rulelang.loader import Sources
from rulelang.simulation import simulate
from tests.engine.helper import CLAUSES, HEAD, game, play, trail

HUGE = "sum(a in numbers(1, 9000): sum(b in numbers(1, 9000): a * b))"


def analysed(text: str) -> Analysis:
    return analyse_sources(Sources("toy", {"toy.rules": HEAD + text}, {"clauses.toml": CLAUSES}))


@pytest.mark.parametrize(
    "claim",
    [
        "1 / size(trail) == 1",
        "first(trail) == 1",
        "size(numbers(1, 99999999)) == 1",
        f"{HUGE} == 1",
    ],
)
def test_a_check_that_cannot_be_worked_out_says_so(claim: str) -> None:
    found = analysed(f'rule play: nothing\ncheck "x": {claim}\n').errors
    assert [each.code for each in found] == ["C505"]
    assert "cannot be worked out" in found[0].message


def test_checks_over_a_faulty_starting_value_cannot_be_worked_out() -> None:
    text = "state\n  k: 0 to 3 = size(trail) - 1\nrule play: nothing\n"
    found = analysed(f'{text}check "x": k == 0\ncheck "y": size(Card) == 3\n').errors
    assert [each.code for each in found] == ["C505", "C505"]


def test_a_check_that_fails_says_what_was_compared() -> None:
    (found,) = analysed('rule play: nothing\ncheck "x": size(Card) == 3\n').errors
    assert found.label == "4 is not 3"


@pytest.mark.parametrize(
    "text",
    [
        f"rule play: trail += [{HUGE}]\n",
        f"state\n  k: number = {HUGE}\nrule play: nothing\n",
        *(
            "".join(f"define link{n} = link{n + 1} + link{n + 1}\n" for n in range(links))
            + f"define link{links} = size(trail)\nrule play: trail += [link0]\n"
            for links in (40, 41)  # every other one is put in place of what asks it
        ),
    ],
)
def test_questions_without_end_are_a_fault(text: str) -> None:
    with pytest.raises(GameFault, match="go through more than"):
        play(text)


def test_an_outcome_without_end_is_a_fault_with_its_place() -> None:
    text = f"outcome\n  when {HUGE} > 0: won by players\nrule play: nothing\n"
    with pytest.raises(GameFault, match="go through more than") as caught:
        _ = play(text).outcome
    assert (caught.value.file, caught.value.line) == (
        "toy.rules",
        (HEAD + text).split("when")[0].count("\n") + 1,
    )


def test_a_faulty_score_has_its_place() -> None:
    text = "outcome\n  scores for p: Player = 1 / size(trail)\nrule play: nothing\n"
    with pytest.raises(GameFault, match="division by zero") as caught:
        _ = play(text).outcome
    assert caught.value.line == (HEAD + text).split("scores")[0].count("\n") + 1


def test_decisions_refill_what_questions_may_cost() -> None:
    text = """
rule play
  repeat while size(trail) < 4
    trail += [sum(a in numbers(1, 1200): sum(b in numbers(1, 1200): 1))]
    choose c from Colour by players[1] "Which?" else return
"""
    assert play(text, "red", "red", "red", "red").over


def test_looking_at_a_game_costs_it_nothing() -> None:
    text = """
state
  secret: 0 to 9, seen by list(q in players where sum(a in numbers(1, 3000): 1) > 0)
rule play
  choose c from Colour by players[1] "Which?" else return
"""
    session = play(text, engine="reference")
    before = list(session.machine.slots)
    session.view(0)
    assert session.machine.slots == before


@pytest.mark.parametrize(
    "question",
    [
        "sum(a in numbers(1, 3): 900000000000000)",
        "size(take(size(trail) - 1, numbers(1, 3)))",
        "size(drop(size(trail) - 1, numbers(1, 3)))",
    ],
)
def test_numbers_out_of_reach_are_faults(question: str) -> None:
    with pytest.raises(GameFault, match=r"too great|no number of"):
        trail(f"rule play\n  if {question} > 1: trail += [1]\n")


def test_nothing_is_rolled_a_negative_number_of_times() -> None:
    with pytest.raises(GameFault, match="-1 is no number of times"):
        play("rule play\n  roll n from d6 times (size(trail) - 1)\n  trail += n\n")


def test_a_hook_cannot_change_a_result_past_its_range() -> None:
    text = """
rule play
  let z from take_three
  trail += [z]
rule take_three gives 0 to 3: return 1
after take_three gives n: n += {}
"""
    assert trail(text.format(2)) == [3]
    with pytest.raises(GameFault, match="gives 8"):
        play(text.format(7))


BAD: list[Any] = [None, 1, 1.5, b"x", [], {}, 10**5000, object()]


@pytest.mark.parametrize("given", BAD, ids=lambda given: type(given).__name__)
def test_what_is_no_name_is_a_usage_error(given: Any) -> None:
    toy = game("rule play: nothing\n")
    calls: list[Callable[[Any], object]] = [rulelang.load, rulelang.check, toy.entries, toy.entry]
    for call in calls:
        with pytest.raises(UsageError):
            call(given)


def test_numbers_without_a_text_are_refused() -> None:
    toy, huge = game("rule play: nothing\n"), 10**5000
    for options in ({"seed": huge}, {"players": huge}, {"mode": huge}, {"script": [huge]}):
        with pytest.raises(UsageError):
            toy.start(**options)  # type: ignore[arg-type]
    with pytest.raises(SaveError):
        toy.resume({**toy.start().save(), "format": huge})
    assert simulate(toy, games=2).finished == 2
