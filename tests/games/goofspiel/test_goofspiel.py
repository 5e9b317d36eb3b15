"""Goofspiel: the first round, answer by answer; who knows what; how much a plain bidder takes."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import rulelang
from rulelang.session import Session
from tests.games.trees import after, nexts

GAME = rulelang.load("goofspiel")
CARDS = range(1, 14)


def test_each_prize_is_equally_likely_and_each_card_may_be_bid() -> None:
    session = GAME.start(chance="explicit")
    assert session.decision is not None
    assert [option.probability for option in session.decision.options] == [Fraction(1, 13)] * 13
    first = after(session, 0)
    assert first.legal == tuple(f"card {n}" for n in CARDS)
    assert all(second.legal == first.legal for second in nexts(first))


def seen(session: Session, seat: int) -> dict[str, Any]:
    """What a seat sees, without the options, which are its own."""
    return {key: value for key, value in session.view(seat).items() if key != "decision"}


def test_the_second_bidder_does_not_see_the_first_bid() -> None:
    first = after(GAME.start(chance="explicit"), "card 7")
    views = [second.view(1) for second in nexts(first)]
    assert all(view == views[0] for view in views)
    assert seen(first, 1) == {key: value for key, value in views[0].items() if key != "decision"}


def test_both_see_both_bids_afterwards() -> None:
    session = after(GAME.start(chance="explicit"), "card 7", "card 3", "card 11")
    for seat in (0, 1):
        bids = session.view(seat)["state"]["Player.bid"]
        assert {owner: card["key"] for owner, card in bids.items()} == {"0": 3, "1": 11}


def test_who_bids_the_prize_itself_takes_twice_what_a_random_bidder_takes() -> None:
    """In the mean 56 points to 28 of 91: the rest is lost in ties."""
    taken = [Fraction(), Fraction()]
    for prize in CARDS:
        bid = after(GAME.start(chance="explicit"), f"card {prize}", f"card {prize}")
        for session in nexts(bid):
            for seat in (0, 1):
                cards = session.state["Player.taken"][str(seat)]
                taken[seat] += Fraction(sum(card["key"] for card in cards), 13)
    assert taken == [56, 28]


def test_all_points_are_taken_or_lost_in_ties() -> None:
    for seed in range(30):
        session = GAME.start(seed=seed)
        lost = 0
        while not session.over:
            before = sum(sums(session))
            session.choose(seed % len(session.legal))
            if session.decision is None or session.decision.player == 0:
                bids = [card["key"] for card in session.state["Player.bid"].values()]
                lost += 0 if bids[0] != bids[1] else 1
                assert (sum(sums(session)) > before) == (bids[0] != bids[1])
        assert session.outcome is not None
        assert sum(session.outcome.scores.values()) <= 91
        assert lost <= 13


def sums(session: Session) -> list[int]:
    """The points of both so far."""
    return [sum(card["key"] for card in cards) for cards in session.state["Player.taken"].values()]
