"""Tic-tac-toe, whole: how many positions and games there are, and how they end."""

from __future__ import annotations

from collections import Counter

import pytest

import rulelang
from rulelang.session import Session
from tests.games.trees import nexts

GAME = rulelang.load("tic_tac_toe")


class Played:
    """All positions, each once, and in how many ways the games that go on from it end."""

    def __init__(self) -> None:
        self.ends: dict[str, Counter[str]] = {}
        self.over: Counter[str] = Counter()
        self.first = self.counted(GAME.start())

    def counted(self, session: Session) -> Counter[str]:
        """How many games from here are won by whom, from the positions that come of it."""
        position = session.digest()
        if position not in self.ends:
            if session.over:
                self.over[verdict(session)] += 1
                self.ends[position] = Counter([verdict(session)])
            else:
                later = map(self.counted, nexts(session))
                self.ends[position] = sum(later, Counter())
        return self.ends[position]


def verdict(session: Session) -> str:
    assert session.outcome is not None
    return {(): "nobody", (0,): "first", (1,): "second"}[session.outcome.winners]


@pytest.fixture(scope="module")
def played() -> Played:
    return Played()


def test_there_are_255168_games(played: Played) -> None:
    assert played.first == {"first": 131_184, "second": 77_904, "nobody": 46_080}
    assert played.first.total() == 255_168


def test_there_are_5478_positions(played: Played) -> None:
    assert len(played.ends) == 5_478
    assert played.over == {"first": 626, "second": 316, "nobody": 16}


def test_nobody_needs_to_lose() -> None:
    worth: dict[str, int] = {}

    def best(session: Session) -> int:
        """What the player whose turn it is can be sure of: 1 to win, -1 to lose."""
        position = session.digest()
        if position not in worth:
            if session.over:
                worth[position] = 0 if verdict(session) == "nobody" else -1
            else:
                worth[position] = max(-best(later) for later in nexts(session))
        return worth[position]

    assert best(GAME.start()) == 0
