"""Leduc poker, whole: how many situations there are, and what players know in them."""

from __future__ import annotations

import re

import pytest

import rulelang
from rulelang.session import Session
from tests.games.trees import after, sight, walk

GAME = rulelang.load("leduc_poker")


@pytest.fixture(scope="module")
def whole() -> list[Session]:
    return list(walk(GAME.start(chance="explicit")))


def test_there_are_5520_games_and_9457_situations(whole: list[Session]) -> None:
    """The game is that of Southey and others, Bayes' Bluff, 2005; OpenSpiel's tree is as large."""
    assert len(whole) == 9_457
    assert sum(session.over for session in whole) == 5_520


def test_there_are_936_information_sets_and_288_without_suits(whole: list[Session]) -> None:
    seen = {known for session in whole if (known := sight(session)) is not None}
    assert len(seen) == 936
    ranks = {(seat, re.sub(r'("key": |card )(\d)', rank, view)) for seat, view in seen}
    assert len(ranks) == 288


def rank(card: re.Match[str]) -> str:
    """A card without its suit: cards of a rank have numbers side by side."""
    return f"{card[1]}rank {(int(card[2]) + 1) // 2}"


def test_all_chips_that_one_wins_the_other_loses(whole: list[Session]) -> None:
    outcomes = [session.outcome for session in whole if session.over]
    assert all(o is not None and o.scores[0] == -o.scores[1] for o in outcomes)
    assert {abs(o.scores[0]) for o in outcomes if o is not None} == {0, 1, 3, 5, 7, 9, 11, 13}


def test_a_round_has_two_raises_at_most() -> None:
    session = after(GAME.start(chance="explicit"), "card 1", "card 3", "call", "raise", "raise")
    assert session.legal == ("fold", "call")
    assert session.state["Player.paid"] == {"0": 5, "1": 3}
