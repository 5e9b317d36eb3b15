"""Scopes and rounds that are left from far inside, or while a rule waits: both engines alike."""

from __future__ import annotations

import pytest

from rulelang.engine.machine import MAX_DEPTH
from tests.engine.compiler.twins import Twins
from tests.engine.helper import game

FIRST = '  choose k from [1, 2] by players[1] "First?"\n'


def asked(off: str, by: int = 2) -> str:
    """A decision; its second option does something. ``by`` is how far it is indented."""
    lines = (
        'choose by players[1] "Go on?"',
        '  offer on "On": nothing',
        f'  offer off "Off": {off}',
    )
    return "".join(f"{' ' * by}{line}\n" for line in lines)


def trail(text: str, *answers: int) -> object:
    """What the rules have noted, by both engines alike at every step."""
    twins = Twins(game(text), mode="alone")
    assert twins.both is not None
    for answer in answers:
        twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
        twins.agree(whole=True)
    twins.look()
    noted, other = (each.state["trail"] for each in twins.both)
    assert noted == other
    return noted


def test_a_loop_whose_turns_are_only_left() -> None:
    """Behind each decision the scope is left, so that no way but that leads to the next turn."""
    text = f"""
rule play
{FIRST}  walks
rule walks
  for n in [1, 2, 3]
    trail += [n]
    scope walk
      repeat: step
rule step
{asked("leave walk")}"""
    assert trail(text, 0, 1, 0, 1, 1) == [1, 2, 3]


def test_an_outer_scope_is_left_where_an_inner_one_is_open() -> None:
    text = f"""
rule play
{FIRST}  outer
  trail += [9]
rule outer
  scope trip
    asks
    trail += [1]
  trail += [2]
rule asks
  scope night
{asked("nothing", 4)}    leave trip
  trail += [3]
"""
    assert trail(text, 0, 0) == [2, 9]


def test_a_scope_between_others_is_left() -> None:
    text = f"""
rule play
{FIRST}  scope far
    outer
    trail += [8]
  trail += [9]
rule outer
  scope trip
    middle
    trail += [1]
  trail += [2]
rule middle
  scope mid
    asks
    trail += [6]
  trail += [7]
rule asks
{asked("nothing")}  inner
rule inner
  scope night
    leave trip
    trail += [3]
"""
    assert trail(text, 0, 0) == [2, 8, 9]


def test_a_scope_is_left_behind_whose_call_only_a_return_stands() -> None:
    text = f"""
rule play
{FIRST}  one_by_one
  trail += [9]
rule one_by_one
  scope walk
    asks
    return
  trail += [1]
rule asks
{asked("leave walk")}"""
    assert trail(text, 0, 1) == [1, 9]
    assert trail(text, 0, 0) == [9]


@pytest.mark.parametrize(
    ("inside", "gives"),
    [
        ("asks\n    return", ""),
        ("asks\n    return 3", " gives number"),
        ("let n from told\n    return n", " gives number"),
    ],
)
def test_writes_of_a_round_that_a_return_leaves(inside: str, gives: str) -> None:
    call = "let v from outer\n  if v > 0: trail += [9]" if gives else "outer\n  trail += [9]"
    text = f"""
rule play
{FIRST}  {call}
rule outer{gives}
  for p in players at once
    trail = [5]
    {inside}
{"  return 4" if gives else ""}
rule told gives number
{asked("return 1")}  return 2
rule asks
{asked("nothing")}"""
    assert trail(text, 0, 0) == [5, 9]


def test_a_round_around_which_a_scope_is_left() -> None:
    text = f"""
rule play
{FIRST}  outer
  trail += [9]
rule outer
  scope walk
    for p in players at once
      trail = [5]
      asks
      return
rule asks
{asked("leave walk")}"""
    assert trail(text, 0, 1) == [5, 9]


@pytest.mark.parametrize("deep", [MAX_DEPTH - 50, MAX_DEPTH + 50])
@pytest.mark.parametrize(
    ("around", "last", "expected"),
    [
        ("  for p in players at once\n    trail = [5]\n    deep\n    return\n", "nothing", [5, 9]),
        ("  scope walk\n    deep\n    return\n  trail += [1]\n", "leave walk", [1, 9]),
    ],
    ids=["round", "scope"],
)
def test_frames_that_still_hold_something_stay(
    deep: int, around: str, last: str, expected: list[int]
) -> None:
    text = f"""
state
  far: number
rule play
{FIRST}  far = {deep}
  outer
  trail += [9]
rule outer
{around}rule deep
  far -= 1
  if far > 0: deep
  else: {last}
"""
    assert trail(text, 0) == expected
