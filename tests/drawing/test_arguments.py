"""What cannot be drawn is said, with a way out."""

from __future__ import annotations

from typing import Any

import pytest

import rulelang
from rulelang.errors import UsageError
from tests.drawing.test_strips import SERIAL
from tests.drawing.toy import board, game


def problem(toy: rulelang.Game, state: Any = None, entry: Any = None) -> str:
    with pytest.raises(UsageError) as caught:
        rulelang.draw(toy, state, entry)
    return str(caught.value)


def test_a_game_without_a_board() -> None:
    assert problem(game(SERIAL)) == (
        "this game has no board to draw: no entries that edges join, and none with `x` and `y` or "
        "with `outline`"
    )


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("order", "'order' is 2 entries; draw one of them (order 1, order 2)"),
        ("ordr 1", "there is no entry 'ordr 1'; did you mean order 1 or order 2?"),
        ("pier", "quay pier cannot be drawn: it holds no story, no instructions and no numbered "
         "entries; draw the board, without an entry"),
        ("", 'name an entry as the files do, "chart M"'),
        ("  ", 'name an entry as the files do, "chart M"'),
        (7, 'an entry is written as in the files, "chart M", not 7'),
        (["order", "1"], 'an entry is written as in the files, "chart M", not [\'order\', \'1\']'),
    ],
)  # fmt: skip
def test_an_entry_that_is_none(entry: object, message: str) -> None:
    assert problem(game(), entry=entry) == message


def test_an_entry_that_cannot_be_drawn_in_a_game_without_a_board() -> None:
    assert problem(game(SERIAL), entry="Lamp").endswith("and no numbered entries")


def test_an_entry_of_another_game() -> None:
    other = game(SERIAL).program.domains["Chart"].entries[0]
    assert problem(game(), entry=other) == "chart A is no entry of this game"


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (7, "a state is a session, or its `state`, not 7"),
        ("pier", "a state is a session, or its `state`, not 'pier'"),
        ({"tyde": 1}, "harbour has no field 'tyde' in its state; did you mean tide?"),
        ({"Boat.berth": 1}, "the state of Boat.berth is a mapping from owners, not 1"),
        ({7: 1}, "harbour has no field 7 in its state"),
    ],
)
def test_a_state_that_is_none(state: object, message: str) -> None:
    assert problem(game(), state) == message


def test_a_whole_view_is_no_state() -> None:
    view = game().start(seed=1).view(0)
    assert problem(game(), view) == 'this is a whole view; its state is view["state"]'


def test_a_session_of_another_game() -> None:
    other = board(["a", "b"], [(0, 1)])
    message = "the session is one of toy, not of harbour"
    assert problem(game(), other.start(seed=1)) == message


def test_values_that_make_no_sense_are_passed_over() -> None:
    state = {"tide": {"of": "Mark", "key": 99}, "beacon": None, "storm": 7, "Gull.nest": {"1": []}}
    assert rulelang.draw(game(), state) == rulelang.draw(game(), {})
