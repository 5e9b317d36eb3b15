"""Flags and numbers in one list are never taken for each other, though Python does."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rulelang.program.values import Effect, exact, order_key
from rulelang.session import Session
from tests.engine.helper import play, trail

MIXED = "[yes, 1, 0, no]"


def options(session: Session) -> list[str]:
    decision = session.decision
    assert decision is not None
    return [option.label for option in decision.options]


def test_a_roll_has_each_of_them_as_an_outcome() -> None:
    session = play(
        f"state\n  kept: flag or 0 to 3\nrule play\n  roll x from {MIXED}\n  kept = x\n",
        chance="explicit",
    )
    event: Any = session.machine.event
    assert event.labels() == ["0", "no", "1", "yes"]
    assert event.weights == (1, 1, 1, 1)
    session.choose("yes")
    assert session.state["kept"] is True


def test_equal_ones_are_still_one_outcome() -> None:
    session = play(
        "state\n  kept: flag or 0 to 3\nrule play\n  roll x from [1, yes, 1, 1]\n  kept = x\n",
        chance="explicit",
    )
    event: Any = session.machine.event
    assert event.labels() == ["1", "yes"]
    assert [event.probability(n) for n in (0, 1)] == [Fraction(3, 4), Fraction(1, 4)]


def test_a_choice_offers_each_of_them() -> None:
    session = play(
        "state\n  kept: flag or 0 to 3\nrule play\n"
        f'  choose x from {MIXED} + [1] by players[1] "Which?"\n  kept = x\n'
    )
    assert options(session) == ["yes", "1", "0", "no"]
    session.choose("1")
    assert session.state["kept"] == 1
    assert session.state["kept"] is not True


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (f"size(distinct({MIXED} + {MIXED}))", 4),
        (f"size({MIXED} - [1])", 3),
        (f"size({MIXED} - [1, yes])", 2),
        (f"size({MIXED} - [2])", 4),
        ("count(x in [yes, 1, no] where x is 1)", 1),
        ("count(x in [yes, 1, no] where x is yes)", 1),
        ("if [yes, 0, 2] has 1 then 9 else 3", 3),
        ("if [yes, 0, 1] has 1 then 9 else 3", 9),
        ("if [1, no] has no then 9 else 3", 9),
        ("size(subsets([yes, 1, 1], 1, 1))", 2),
        ("size(earlier(1, [yes, no, 1]))", 2),
        ("if next([yes, 1, no], 1) is no then 9 else 3", 9),
        ("if first(ring([yes, 1, no], 1)) is 1 then 9 else 3", 9),
        ("if forward(1, 1, [yes, 1, no]) is no then 9 else 3", 9),
        ("if [yes, 1] is [1, yes] then 9 else 3", 3),
        ("if [yes, 1] is [yes, 1] then 9 else 3", 9),
        ("if sorted([yes, 1, no, 0]) is [0, no, 1, yes] then 9 else 3", 9),
        ("if sorted([0, no, 1, yes]) is [0, no, 1, yes] then 9 else 3", 9),
    ],
)
def test_questions(expression: str, expected: int) -> None:
    assert trail(f"rule play\n  trail += [{expression}]\n") == [expected]


def test_a_fault_where_only_the_other_one_is_there() -> None:
    with pytest.raises(Exception, match="not among them"):
        trail("rule play\n  trail += [size(earlier(1, [yes, 0, 2]))]\n")


def test_a_field_that_holds_either() -> None:
    rules = (
        "state\n  kept: flag or 0 to 3 = yes\nrule play\n"
        "  if kept is 1: trail += [1]\n  if kept is yes: trail += [2]\n"
        "  match kept\n    1: trail += [3]\n    yes: trail += [4]\n    else: nothing\n"
        "  kept = 0\n  if kept is no: trail += [5]\n"
    )
    assert trail(rules) == [2, 4]


def test_instructions_with_such_arguments() -> None:
    rules = """
kind Deed by name, for p: Player
  deeds: list of effect
deed one: mark yes, mark 1, mark 1
rule mark(x: flag or 0 to 3) for p: Player: nothing
rule play
  for d in Deed
    trail += [count(e in d.deeds where e is mark(1)), count(e in d.deeds where e is mark(yes))]
    trail += [size(distinct(d.deeds)), size(d.deeds - take(1, d.deeds))]
    choose e from d.deeds by players[1] "Which?"
    do e for players[1]
"""
    session = play(rules)
    assert session.state["trail"] == [2, 1, 2, 2]
    assert options(session) == ["mark yes", "mark 1"]


def test_a_scope_is_left_by_its_own_argument_only() -> None:
    rules = (
        "rule play\n  scope walk(yes)\n    leave_by 1\n    trail += [1]\n    leave_by yes\n"
        "    trail += [2]\nrule leave_by(x: flag or 0 to 3)\n  leave walk(x)\n"
    )
    assert trail(rules) == [1]


def test_the_canonical_order_and_the_key_that_tells_them_apart() -> None:
    values = [True, 1, False, 0, 2, (1,), (True,), Effect("a", (True,)), Effect("a", (1,))]
    assert len({exact(value) for value in values}) == len(values)
    assert sorted(values[:5], key=order_key) == sorted(values[4::-1], key=order_key)
    assert [type(v) for v in sorted(values[:4], key=order_key)] == [int, bool, int, bool]
