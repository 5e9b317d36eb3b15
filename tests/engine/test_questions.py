"""Expressions: operators, built-in questions, comprehensions, the game's own questions."""

from __future__ import annotations

from typing import Any

import pytest

from rulelang.errors import GameFault
from tests.engine.helper import play

STATE = """
state
  path: row of Card = [3, 1, 2]
  shelf: set of Card = [4, 2]
  prices: map of Colour to 0 to 9
  nobody: Player or none
rule play: nothing
define double(n: number) = n * 2
define size_of_path = size(path)
define kind_of(n: number)
  when n < 0: 0
  when n > 5: 2
  else: 1
define titled(t: text) = list(c in Card where c.title is t)
"""


def ask(expression: str, kind: str) -> Any:
    session = play(STATE + f"state\n  found: {kind} = {expression}\n")
    return session.state["found"]


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("7 / 2", 3),
        ("-7 / 2", -4),
        ("0 - size(path)", -3),
        ("min(4, 2)", 2),
        ("max(4, 2)", 4),
        ("if 1 > 2 then 3 else 4", 4),
        ("size(path)", 3),
        ("size(Card)", 4),
        ("first(path).number", 3),
        ("last(path).number", 2),
        ("path[2].number", 1),
        ("count(c in Card)", 4),
        ("count(c in Card where c.number > 2)", 2),
        ("count(c in Card: c.number > 2)", 2),
        ("sum(c in path: c.number)", 6),
        ("sum(c in path where c.number > 1: c.number)", 5),
        ("sum(c in shelf where c.number > 9: c.number)", 0),
        ("double(4)", 8),
        ("double(double(1))", 4),
        ("size_of_path", 3),
        ("kind_of(-1) * 100 + kind_of(0) * 10 + kind_of(6)", 12),
        ("prices[red]", 0),
    ],
)
def test_numbers(expression: str, value: int) -> None:
    assert ask(expression, "number") == value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("1 < 2 and 2 <= 2 and 3 > 2 and 3 >= 3", True),
        ("1 < 2 and 3 < 2", False),
        ("1 > 2 or 3 > 2", True),
        ("not 1 > 2", True),
        ("1 == 1 and 1 != 2 and 1 is 1 and 1 is not 2", True),
        ("path has 3", True),
        ("path has 4", False),
        ("path is empty", False),
        ("nobody is none", True),
        ("path is [3, 1, 2]", True),
        ("path is [1, 2, 3]", False),
        ("shelf is [4, 2]", True),
        ("shelf is [2, 4]", True),
        ("some(c in path where c.number == 3)", True),
        ("some(c in path: c.number == 4)", False),
        ("every(c in path: c.number < 4)", True),
        ("every(c in path where c.number > 1: c.number == 3)", False),
        ("every(c in list(d in path where d.number > 9): c.number == 0)", True),
        ('contains("pebble", "ebb")', True),
        ('contains("pebble", "x")', False),
        ("ended(done)", False),
        ("mode is alone", True),
        ('titled("Cedar") is [3]', True),
        # `and` and `or` look no further than they must
        ("path is empty and path[9].number == 1", False),
        ("path is not empty or path[9].number == 1", True),
    ],
)
def test_flags(expression: str, value: bool) -> None:
    assert ask(expression, "flag") is value


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("numbers(2, 4)", [2, 3, 4]),
        ("numbers(4, 2)", []),
        ("take(2, [5, 6, 7])", [5, 6]),
        ("take(9, [5, 6])", [5, 6]),
        ("drop(2, [5, 6, 7])", [7]),
        ("earlier(6, [5, 6, 7])", [5]),
        ("sorted([3, 1, 2])", [1, 2, 3]),
        ("reversed([3, 1, 2])", [2, 1, 3]),
        ("distinct([3, 1, 3])", [3, 1]),
        ("list(c in path: c.number * 10)", [30, 10, 20]),
        ("list(n in [1, 2, 3] where n != 2)", [1, 3]),
        ("join(n in [1, 2]: [n, n])", [1, 1, 2, 2]),
        ("[1, 2] + [2]", [1, 2, 2]),
        ("[1, 2, 1] - [1]", [2, 1]),
        ("best(n in [3, 5, 4] by most n)", [5]),
        ("best(n in [3, 5, 4] by least n)", [3]),
        ("best(n in [3, 5, 4] where n < 5 by most n)", [4]),
        ("list(c in best(d in Card by most d.number > 2, least d.number): c.number)", [3]),
        ("best(n in [14, 24, 13] by most n - n / 10 * 10)", [14, 24]),
        ("best(n in [14, 24, 13] by most n - n / 10 * 10, least n)", [14]),
        ("best(n in list(m in [1] where m > 1) by most n)", []),
        ("list(s in subsets([1, 2, 3], 2, 2): sum(n in s: n))", [3, 4, 5]),
        ("list(s in subsets([1, 2], 0, 5): size(s))", [0, 1, 1, 2]),
    ],
)
def test_lists(expression: str, value: list[int]) -> None:
    assert ask(expression, "list of number") == value


@pytest.mark.parametrize(
    ("expression", "seats"),
    [
        ("players", [0, 1, 2]),
        ("ring(players, players[2])", [1, 2, 0]),
        ("[next(players, players[3])]", [0]),
        ("[next(players, players[1])]", [1]),
        ("players - [players[2]]", [0, 2]),
    ],
)
def test_seats(expression: str, seats: list[int]) -> None:
    session = play(STATE + f"state\n  found: list of Player = {expression}\n", players=3)
    assert [seat["key"] for seat in session.state["found"]] == seats


@pytest.mark.parametrize(
    ("expression", "message"),
    [
        ("path[4].number", "no item 4 among 3"),
        ("path[size(path) - 3].number", "no item 0"),
        ("1 / (size(path) - 3)", "division by zero"),
        ("first(list(c in path where c.number > 9)).number", "no first of nothing"),
        ("size(earlier(size(shelf), [1, 3]))", "not among them"),
        ("size(numbers(1, 999999))", "65,536 items"),
        ("999999999 * 999999999", "too great"),
    ],
)
def test_what_cannot_be_worked_out_is_a_fault(expression: str, message: str) -> None:
    text = STATE.replace("rule play: nothing", f"rule play: trail += [{expression}]")
    with pytest.raises(GameFault, match=message):
        play(text)


def test_a_pile_may_be_asked_as_a_list() -> None:
    text = """
state
  discard: pile of Card = [4, 2]
define total(cs: list of Card) = sum(c in cs: c.number)
define chosen(f: flag) = if f then discard else [Card[1]]
rule play
  trail += [total(discard), total(chosen(yes)), total(chosen(no))]
  note discard
rule note(cs: list of Card): trail += [size(cs)]
"""
    assert play(text).state["trail"] == [6, 6, 1, 2]
