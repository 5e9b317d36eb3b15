"""The same playthroughs of games that are written at random by both engines."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.game import Game
from tests.engine.compiler.programs import wild_programs
from tests.engine.compiler.starts import play_often
from tests.engine.compiler.twins import Manner
from tests.properties.programs import programs

SEEDS = st.integers(0, 2**32)
MANNER = Manner(steps=150)
EACH = 4
"""Playthroughs of each game."""


@settings(max_examples=24, deadline=None)
@given(wild_programs(), SEEDS)
def test_nearly_all_of_the_language_is_played_alike(game: Game, seed: int) -> None:
    report = play_often(game, range(seed, seed + EACH), MANNER)
    assert report.played == EACH
    assert report.doubts == 0


@settings(max_examples=10, deadline=None)
@given(programs(), SEEDS)
def test_other_games_written_at_random_are_played_alike(game: Game, seed: int) -> None:
    report = play_often(game, range(seed, seed + EACH), MANNER)
    assert report.played == EACH
    assert report.doubts == 0
