"""Snakes and ladders: the chances of each square, taken from the game, and what follows of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulelang
from rulelang.session import Session
from tests.games.trees import nexts

GAME = rulelang.load("snakes_and_ladders")
Chain = dict[int, dict[int, Fraction]]
"""For each square on which a spin may end, where the next one leads and how likely."""
LADDERS = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
CHUTES = {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}


def square(session: Session) -> int:
    return int(session.state["Player.square"]["0"])


def spins(session: Session) -> dict[int, Fraction]:
    """Where one spin leads, and how likely."""
    assert session.decision is not None
    found: dict[int, Fraction] = {}
    for option, later in zip(session.decision.options, nexts(session), strict=True):
        assert option.probability is not None
        found[square(later)] = found.get(square(later), Fraction()) + option.probability
    return found


@pytest.fixture(scope="module")
def chain() -> Chain:
    waiting, found = [GAME.start(players=1, chance="explicit")], Chain()
    while waiting:
        session = waiting.pop()
        if not session.over and square(session) not in found:
            found[square(session)] = spins(session)
            waiting += nexts(session)
    return found


def test_it_is_the_board_that_was_published(chain: Chain) -> None:
    """Althoen, King and Schilling, How Long Is a Game of Snakes and Ladders?, 1993."""
    board = LADDERS | CHUTES
    expected = {}
    for start in set(range(100)) - set(board):
        row: dict[int, Fraction] = {}
        for spin in range(1, 7):
            there = start + spin if start + spin <= 100 else start
            there = board.get(there, there)
            row[there] = row.get(there, Fraction()) + Fraction(1, 6)
        expected[start] = row
    assert chain == expected


def mean_spins(chain: Chain) -> dict[int, Fraction]:
    """The mean number of spins from each square: a linear equation for each, solved exactly.

    Square by square the unknown of its equation is put into all the others.
    """
    left = {s: {t: p for t, p in row.items() if t != 100} for s, row in chain.items()}
    constant = dict.fromkeys(chain, Fraction(1))
    for s in sorted(chain):
        share = 1 - left[s].pop(s, Fraction())
        left[s] = {t: p / share for t, p in left[s].items()}
        constant[s] /= share
        for other in chain:
            weight = left[other].pop(s, Fraction()) if other != s else Fraction()
            if weight:
                constant[other] += weight * constant[s]
                for t, p in left[s].items():
                    left[other][t] = left[other].get(t, Fraction()) + weight * p
    return constant


def test_a_game_takes_39_2_spins_in_the_mean(chain: Chain) -> None:
    mean = mean_spins(chain)
    assert round(float(mean[0]), 4) == 39.2251
    # What was found does solve the equations.
    for s, row in chain.items():
        assert mean[s] == 1 + sum(p * mean.get(t, 0) for t, p in row.items())


def test_the_shortest_game_takes_seven_spins(chain: Chain) -> None:
    reached, spun = {0}, 0
    while 100 not in reached:
        reached = {there for s in reached for there in chain[s]}
        spun += 1
    assert spun == 7
