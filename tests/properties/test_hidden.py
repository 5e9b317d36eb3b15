"""What a seat is shown, and what it may do, never depends on what it does not see.

Two playthroughs differ only in cards that a seat does not see (see `secrets`). The seat is shown
the same at every step: its view, its log, its decisions with prompts and options. So it is after
undoing and answering again, after saving and resuming, in copies, and in what scenarios say.
"""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from rulelang.analysis import analyse_sources
from rulelang.game import Game
from rulelang.loader import Sources
from rulelang.scenarios import run
from rulelang.session import Session
from tests.properties.playing import begin, starts
from tests.properties.programs import made as game_of
from tests.properties.programs import programs, written
from tests.properties.secrets import (
    CARD,
    Compared,
    begun,
    compare,
    shown,
    undone_and_answered_again,
)

SEEDS = st.integers(0, 2**32)
some = settings(max_examples=25, deadline=None)
"""How many examples; the runs of `tests/fuzz` try many more."""


def compared(session: Session, again: Session, random: Random, steps: int) -> Compared:
    """A pair of playthroughs that are shown the same; there must be one."""
    found = compare(session, again, random, steps)
    assume(found is not None)
    assert found is not None
    return found


@some
@given(starts(chance="explicit"), SEEDS, st.integers(0, 90))
def test_in_the_shipped_game_it_is_shown_the_same(
    start: dict[str, Any], answers: int, steps: int
) -> None:
    found = compared(begin(start), begin(start), Random(answers), steps)
    # Nobody's options depend on more than which cards they hold, so it goes on to the end.
    assert found.reached == len(found.made.answers)


@settings(some, max_examples=25)
@given(programs(discreet=True), SEEDS, st.integers(0, 60))
def test_in_games_written_at_random_it_is_shown_the_same(
    game: Game, answers: int, steps: int
) -> None:
    random = Random(answers)
    session = begun(game, random)
    compared(session, session.clone(), random, steps)


@settings(some, max_examples=15)
@given(programs(discreet=True), SEEDS, st.integers(1, 40))
def test_undoing_leaves_nothing_of_what_was_hidden(game: Game, answers: int, steps: int) -> None:
    random = Random(answers)
    session = begun(game, random)
    other = session.clone()
    found = compared(session, other, random, steps)
    undone_and_answered_again(found)


@settings(some, max_examples=15)
@given(starts(chance="explicit"), SEEDS, st.integers(1, 60))
def test_undoing_leaves_nothing_of_what_was_hidden_in_the_shipped_game(
    start: dict[str, Any], answers: int, steps: int
) -> None:
    session, other = begin(start), begin(start)
    found = compared(session, other, Random(answers), steps)
    undone_and_answered_again(found)


@settings(some, max_examples=15)
@given(programs(discreet=True), SEEDS, st.integers(1, 40))
@example(game_of(written(385, discreet=True)), 25092, 26)  # a card is laid down, and mixed at once
def test_saving_copying_and_replaying_show_the_same(game: Game, answers: int, steps: int) -> None:
    random = Random(answers)
    session = begun(game, random)
    other = session.clone()
    found = compared(session, other, random, steps)
    made = found.made
    again = game.resume(json.loads(json.dumps(other.save())))
    replayed = game.replay(other.ledger, mode=other.mode, players=other.players, chance="explicit")
    for each in (again, replayed, other.clone()):
        assert shown(each, made.seat) == made.seen[found.reached]
    while again.ledger:
        again.undo()
        assert shown(again, made.seat) == made.seen[len(again.ledger)]


# ---------------------------------------------------------------- scenarios

SCENARIO = """
scenario "what is offered" in party
  given
    players 2
    Player[0].hand = {own}
    Player[1].hand = {other}
    Player[0].coins = {coins}
  when verb{verb} for Player[0]
  offers sale by Player[0]
"""


def said(text: str, *, own: list[int], other: list[int], coins: int, verb: int) -> tuple[str, int]:
    """What a scenario says that asks the first player for the options."""
    more = SCENARIO.format(own=own, other=other, coins=coins, verb=verb)
    analysis = analyse_sources(Sources("toy", {"toy.rules": text + more}, {}))
    assert analysis.program is not None, [str(each) for each in analysis.errors]
    (result,) = run(Game(analysis.program, analysis.sources.rules))
    return result.message, result.failed_line


@settings(some, max_examples=12)
@given(SEEDS, SEEDS)
def test_a_scenario_says_the_same_of_the_options(seed: int, hands: int) -> None:
    text, random = written(seed, discreet=True), Random(hands)
    cards = random.sample(range(1, text.count("\ncard ") + 1), 4)
    own, others = cards[:2], cards[2:]
    given = {"own": own, "coins": random.randint(0, 9), "verb": random.randrange(4)}
    one, other = (said(text, other=[card], **given) for card in others)
    # If chance is open, what it may bring is said; that is for the author alone.
    if "chance" in one[0]:
        assert "chance" in other[0]
    else:
        assert one == other
        assert not {str(card) for card in others} & set(CARD.findall(one[0]))
