"""Fields of the state: starting values, bounds, maps, assignments."""

from __future__ import annotations

import pytest

from rulelang.errors import GameFault
from tests.engine.helper import play, trail

FIELDS = """
names Team: north, south
state
  count:  0 to 5{clamped} = 2
  open_:  flag
  pick:   Colour = blue
  maybe:  Colour or none
  either: 1 to 3 or none = none
  table:  map of Colour to 0 to 9
state per t: Team
  food: 0 or more = 3
state per c: Colour
  met: flag
"""


def field(lines: str, clamped: bool = False) -> object:
    text = FIELDS.format(clamped=", clamped" if clamped else "")
    return play(text + f"rule play\n  {lines}\n").state


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("count", 2),
        ("open_", False),
        ("pick", {"of": "Colour", "key": "blue"}),
        ("maybe", None),
        ("either", None),
        ("table", [0, 0, 0]),
        ("Team.food", {"north": 3, "south": 3}),
        ("Colour.met", {"red": False, "green": False, "blue": False}),
    ],
)
def test_starting_values(name: str, value: object) -> None:
    state = field("nothing")
    assert isinstance(state, dict)
    assert state[name] == value


def test_a_starting_value_may_depend_on_the_owner_and_on_many() -> None:
    text = """
state per c: Colour
  rank: 0 or more = count(d in Colour where sum(x in [d]: if x is c then 1 else 0) == 0)
state
  high: number = size(list(n in numbers(1, 9) where n > 4))
rule play: nothing
"""
    state = play(text).state
    assert (state["Colour.rank"], state["high"]) == ({"red": 2, "green": 2, "blue": 2}, 5)


@pytest.mark.parametrize(
    ("line", "name", "value"),
    [
        ("count += 3", "count", 5),
        ("count -= 2", "count", 0),
        ("table[green] = 7", "table", [0, 7, 0]),
        ("table[green] += 2", "table", [0, 2, 0]),
        ("south.food += 1", "Team.food", {"north": 3, "south": 4}),
        ("either = 3", "either", 3),
        ("maybe = red", "maybe", {"of": "Colour", "key": "red"}),
    ],
)
def test_assignments(line: str, name: str, value: object) -> None:
    state = field(line)
    assert isinstance(state, dict)
    assert state[name] == value


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("count += 4", "count would become 6, and is 0 to 5"),
        ("count -= 3", "count would become -1"),
        ("table[red] -= 1", "table would become -1, and is 0 to 9"),
        ("either = count + 2", "either would become 4"),
        ("south.food -= 4", "food would become -1, and is 0 or more"),
    ],
)
def test_a_bound_that_is_overstepped_is_a_fault(line: str, message: str) -> None:
    with pytest.raises(GameFault, match=message):
        field(line)


@pytest.mark.parametrize(("line", "value"), [("count += 9", 5), ("count -= 9", 0)])
def test_a_clamped_number_stops_at_its_bound(line: str, value: int) -> None:
    state = field(line, clamped=True)
    assert isinstance(state, dict)
    assert state["count"] == value


def test_a_set_that_is_assigned_holds_each_value_once() -> None:
    text = "state\n  known: set of Colour\nrule play\n  known += [blue]\n  known += [red, blue]\n"
    value = play(text).state["known"]
    assert [entry["key"] for entry in value] == ["red", "blue"]


def test_an_argument_outside_of_its_domain_is_a_fault() -> None:
    text = "rule play\n  trail = [1, 2]\n  note (size(trail))\nrule note(n: 3 to 5): trail += [n]\n"
    with pytest.raises(GameFault, match="`note` is given 2, and this is 3 to 5"):
        play(text)


def test_a_result_outside_of_its_domain_is_a_fault() -> None:
    text = "rule play\n  let n from price\n  trail = [n]\n"
    text += "rule price gives 3 to 5: return size(trail) + 1\n"
    with pytest.raises(GameFault, match="`price` gives 1"):
        play(text)


@pytest.mark.parametrize(
    "lines",
    [
        "let n = 2\n  repeat while n > 0: n = n * n",
        "let n = 2\n  repeat while n > 0: n += n",
        "big = 10\n  repeat while big > 0: big += big",
    ],
)
def test_numbers_do_not_grow_without_end(lines: str) -> None:
    with pytest.raises(GameFault, match=r"too great|would become"):
        trail(f"state\n  big: number\nrule play\n  {lines}\n")


def test_lists_do_not_grow_without_end() -> None:
    with pytest.raises(GameFault, match="65,536 items"):
        trail("rule play\n  trail = [1]\n  repeat while size(trail) > 0: trail += trail\n")


def test_a_field_of_another_mode_does_not_exist() -> None:
    text = "state in party\n  votes: 0 or more\nrule play\n  if mode is party: votes += 1\n"
    assert "votes" not in play(text).state
    assert play(text, players=2).state["votes"] == 1
