"""The Royal Game of Ur: the first throws, and the squares of a piece on its way."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulelang
from rulelang.session import Session
from tests.games.trees import after

GAME = rulelang.load("royal_game_of_ur")
START = GAME.start(chance="explicit")
NEAR = ["c4", "c3", "c2", "c1", "b1", "b2", "b3", "b4", "b5", "b6", "b7", "b8", "c8", "c7"]
FAR = [square.replace("c", "a") for square in NEAR]


def test_four_pyramids_show_nothing_once_in_sixteen_throws() -> None:
    assert START.decision is not None
    chances = {option.label: option.probability for option in START.decision.options}
    sixteenths = {"0": 1, "1": 4, "2": 6, "3": 4, "4": 1}
    assert chances == {face: Fraction(n, 16) for face, n in sixteenths.items()}


@pytest.mark.parametrize(("marks", "there"), [("1", "c4"), ("2", "c3"), ("3", "c2"), ("4", "c1")])
def test_at_first_a_piece_can_only_come_in(marks: str, there: str) -> None:
    thrown = after(START, marks)
    assert thrown.legal == ("enter",)
    later = after(thrown, "enter")
    assert pieces(later) == {there: 0}
    assert thrower(later) == (0 if marks == "4" else 1)


def thrower(session: Session) -> int | str | None:
    """Who moves if the next throw shows one mark."""
    decision = after(session, "1").decision
    return decision and decision.player


def test_after_nothing_the_other_throws() -> None:
    session = after(START, "0", "2")
    assert session.decision is not None
    assert (session.decision.player, session.legal) == (1, ("enter",))


def pieces(session: Session) -> dict[str, int]:
    """The squares with pieces, and whose they are."""
    found = session.state["Square.piece"].items()
    return {name: piece["key"] for name, piece in found if piece is not None}


@pytest.mark.parametrize(("seat", "lane"), [(0, NEAR), (1, FAR)])
def test_a_piece_goes_its_lane_and_home(seat: int, lane: list[str]) -> None:
    session = after(START, *["0"] * seat, "1", "enter")
    assert pieces(session) == {lane[0]: seat}
    for place, before in enumerate(lane, 1):
        if place not in (4, 8, 14):  # on a rosette one throws again
            session.choose("0")
        assert thrower(session) == seat
        session.choose("1")
        session.choose(f"go {before}")
        assert pieces(session) == ({lane[place]: seat} if place < 14 else {})
    assert session.state["Player.home"][str(seat)] == 1
