"""Kuhn poker, whole: what players know, and what the game is worth to the first of them."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulelang
from rulelang.session import Session
from tests.games.trees import after, nexts, sight, walk

GAME = rulelang.load("kuhn_poker")
WHOLE = list(walk(GAME.start(chance="explicit")))
JACK, QUEEN, KING = 1, 2, 3


def test_there_are_30_games_and_58_situations() -> None:
    assert len(WHOLE) == 58
    assert sum(session.over for session in WHOLE) == 30


def test_there_are_12_information_sets() -> None:
    seen = {known for session in WHOLE if (known := sight(session)) is not None}
    assert len(seen) == 12
    assert [sum(player == seat for player, _ in seen) for seat in (0, 1)] == [6, 6]


def card(session: Session, seat: int) -> int:
    (held,) = session.view(seat)["state"]["Player.hand"][str(seat)]
    return int(held["key"])


def test_a_seat_sees_its_own_card_and_not_the_other_one() -> None:
    for session in WHOLE:
        if not session.over and session.decision is not None and session.decision.player in (0, 1):
            for seat in (0, 1):
                hands = session.view(seat)["state"]["Player.hand"]
                assert len(hands[str(seat)]) == 1
                assert hands[str(1 - seat)] == {"count": 1, "known": []}


def aggressive(session: Session, bluffs: Fraction) -> Fraction:
    """How likely the best players bet or call here, of a family of equally good ways to play."""
    assert session.decision is not None
    seat = session.decision.player
    assert isinstance(seat, int)
    third = Fraction(1, 3)
    if session.legal == ("pass", "bet"):
        own = (bluffs, Fraction(0), 3 * bluffs) if seat == 0 else (third, Fraction(0), Fraction(1))
    else:
        own = (Fraction(0), bluffs + third if seat == 0 else third, Fraction(1))
    return own[card(session, seat) - 1]


def worth(session: Session, bluffs: Fraction) -> Fraction:
    """What the first player wins in the mean, if both play so."""
    if session.over:
        assert session.outcome is not None
        return Fraction(session.outcome.scores[0])
    assert session.decision is not None
    chances = [option.probability for option in session.decision.options]
    if None in chances:
        bold = aggressive(session, bluffs)
        order = {"pass": 1 - bold, "bet": bold, "call": bold, "fold": 1 - bold}
        chances = [order[label] for label in session.legal]
    later = zip(chances, nexts(session), strict=True)
    return sum((c * worth(s, bluffs) for c, s in later if c), Fraction())


@pytest.mark.parametrize("bluffs", [Fraction(0), Fraction(1, 5), Fraction(1, 3)])
def test_the_first_player_loses_an_eighteenth_of_a_chip(bluffs: Fraction) -> None:
    """Kuhn, A Simplified Two-Person Poker, 1950: the value of the game."""
    assert worth(GAME.start(chance="explicit"), bluffs) == Fraction(-1, 18)


def test_a_call_shows_the_cards_and_a_fold_does_not() -> None:
    bet = after(GAME.start(chance="explicit"), f"card {QUEEN}", f"card {KING}", "bet")
    assert after(bet, "call").view(0)["state"]["Player.hand"]["1"] != {"count": 1, "known": []}
    assert after(bet, "fold").view(0)["state"]["Player.hand"]["1"] == {"count": 1, "known": []}
