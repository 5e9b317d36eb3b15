"""Seats that play by themselves."""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

from rulelang import policies
from rulelang.engine.chance import WORDS_PER_BLOCK, block, pick
from rulelang.errors import UsageError
from rulelang.session import Decision, Session


def parse_bots(given: Sequence[str], session: Session) -> dict[int, str]:
    """Policies by seat, from texts such as ``0=random``. UsageError for what is none."""
    bots: dict[int, str] = {}
    players = session.players
    for text in given:
        seat, equals, name = (part.strip() for part in text.partition("="))
        if not equals:
            raise UsageError(f"a bot is written SEAT=NAME, such as 0=random, not {text!r}")
        if not (seat.isascii() and seat.isdecimal() and len(seat) < 4 and int(seat) < players):
            span = "the only seat is 0" if players == 1 else f"seats are 0 to {players - 1}"
            raise UsageError(f"there is no seat {seat!r} for a bot; {span}")
        bots[int(seat)] = policies.check(name, session.prepared)
    return bots


def bot_choice(session: Session, decision: Decision, policy: str, number: int) -> int:
    """The option that a policy picks for the ``number``-th choice (from 0) of the deciding seat.

    The same seed and number give the same word, so a game that is undone or resumed goes on alike.
    """
    found = session.shortlist(policy)
    return found[pick(_word(session.seed, f"policy:{decision.player}", number), len(found))]


def chance_outcome(seed: int, decision: Decision, number: int) -> int:
    """The outcome of an explicit chance event, drawn by the options' probabilities."""
    weights = [option.probability or 0 for option in decision.options]
    total = lcm(*(weight.denominator for weight in weights))
    place = pick(_word(seed, "policy:chance", number), total)
    for index, weight in enumerate(weights):
        place -= int(weight * total)
        if place < 0:
            return index
    return len(weights) - 1


def _word(seed: int, source: str, number: int) -> int:
    return block(seed, source, number // WORDS_PER_BLOCK)[number % WORDS_PER_BLOCK]
