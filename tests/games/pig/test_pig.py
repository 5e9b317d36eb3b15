"""Pig: what a turn brings to a player who stops at 20, worked out from the game exactly."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import rulelang
from rulelang.session import Session
from tests.games.trees import after, nexts

GAME = rulelang.load("pig")


def thrown(session: Session) -> list[tuple[Fraction, Session]]:
    """What one throw of the die may lead to, with its probability."""
    die = after(session, "throw")
    assert die.decision is not None
    chances = [option.probability or Fraction() for option in die.decision.options]
    return list(zip(chances, nexts(die), strict=True))


def stopping_at(least: int) -> Counter[int]:
    """How likely the first turn brings how many points to one who throws up to ``least``."""
    brought: Counter[int] = Counter()
    reached: dict[int, tuple[Fraction, Session]] = {0: (Fraction(1), GAME.start(chance="explicit"))}
    while reached:
        pot = min(reached)
        likely, session = reached.pop(pot)
        if pot >= least:
            session.choose("keep")
            brought[session.state["Player.score"]["0"]] += likely
            continue
        for chance, later in thrown(session):
            if later.decision is not None and later.decision.player == 1:
                brought[0] += likely * chance  # a 1, and the die is passed on
            else:
                now = later.state["pot"]
                before, _ = reached.get(now, (Fraction(), later))
                reached[now] = (before + likely * chance, later)
    return brought


def test_what_a_turn_brings_that_stops_at_20() -> None:
    """The figures of Neller and Presser, Optimal Play of the Dice Game Pig, 2004."""
    brought = stopping_at(20)
    assert sum(brought.values()) == 1
    published = {0: 0.6245, 20: 0.0997, 21: 0.0950, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}
    assert {points: round(float(likely), 4) for points, likely in brought.items()} == published


@pytest.mark.parametrize("least", [19, 21, 22])
def test_no_other_number_brings_more(least: int) -> None:
    def mean(at: int) -> Fraction:
        return sum((points * likely for points, likely in stopping_at(at).items()), Fraction())

    assert mean(20) >= mean(least)
    assert round(float(mean(20)), 2) == 8.14


def test_one_may_throw_or_stop_until_there_are_a_hundred_points() -> None:
    session = GAME.start(chance="explicit")
    for _ in range(16):
        assert session.legal == ("throw", "keep")
        session = after(session, "throw", "6")
    assert session.legal == ("throw", "keep")
    assert after(session, "throw", "4").legal == ("keep",)
