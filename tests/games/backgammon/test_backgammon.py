"""Backgammon: how many different plays each opening throw has, and what never happens."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import rulelang
from rulelang.session import Session
from tests.games.trees import after, nexts

GAME = rulelang.load("backgammon")
START = GAME.start(chance="explicit")
PLAYS = {
    (2, 1): 15, (3, 1): 16, (3, 2): 17, (4, 1): 14, (4, 2): 18, (4, 3): 17, (5, 1): 8, (5, 2): 8,
    (5, 3): 9, (5, 4): 9, (6, 1): 10, (6, 2): 14, (6, 3): 14, (6, 4): 14, (6, 5): 7,
}  # fmt: skip
"""Positions that an opening throw may lead to; other programs count as many."""

Board = tuple[tuple[int, ...], ...]


def board(session: Session) -> Board:
    return tuple(tuple(men) for men in session.state["Player.men"].values())


def played(session: Session, seat: int) -> Iterator[Board]:
    """The positions at the end of a seat's turn, as often as there are ways to them."""
    decision = session.decision
    if decision is not None and decision.player == seat:
        for later in nexts(session):
            yield from played(later, seat)
    else:
        yield board(session)


@pytest.mark.parametrize(("a", "b"), PLAYS)
def test_an_opening_throw_has_as_many_plays_as_is_known(a: int, b: int) -> None:
    for seat, throw in ((0, (a, b)), (1, (b, a))):  # who has thrown more begins
        later = after(START, *map(str, throw))
        assert later.decision is not None
        assert later.decision.player == seat
        assert len(set(played(later, seat))) == PLAYS[a, b]


def test_equal_dice_are_thrown_again() -> None:
    assert board(after(START, "4", "4", "2", "2")) == board(START)
    decision = after(START, "4", "4", "3", "1").decision
    assert decision is not None
    assert decision.player == 0


@pytest.mark.parametrize("seed", range(3))
def test_no_man_is_lost_and_no_point_is_shared(seed: int) -> None:
    session, home = GAME.start(seed=seed), [0, 0]
    while not session.over:
        near, far = board(session)
        before, home = home, [15 - sum(near), 15 - sum(far)]
        assert not any(near[k] and far[23 - k] for k in range(24))
        assert all(0 <= was <= now for was, now in zip(before, home, strict=True))
        session.choose(len(session.ledger) * 7 % len(session.legal))
    assert session.outcome is not None
    assert sorted(session.outcome.scores.values()) in ([-1, 1], [-2, 2], [-3, 3])
    assert any(sum(men) == 0 for men in board(session))
