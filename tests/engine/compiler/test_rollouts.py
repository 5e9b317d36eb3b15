"""The same games by bots: what comes of them, and how often what they count happened."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.game import Game
from rulelang.loader import shipped
from rulelang.playing import Batch, play_batch
from rulelang.policies import POLICIES
from tests.engine.compiler.programs import wild_programs
from tests.engine.compiler.starts import (
    KEPT,
    LARGE,
    SMALL,
    broken_off,
    fresh,
    loaded,
    prepared,
    start_of,
)
from tests.engine.compiler.twins import compile_all, countable, same_game

ROOT = Path(__file__).parents[3]
GREEDY = {"lost_expedition": 2, "jurassic": 0, "dinosaurs": 0}
"""Games of greedy bots that take long."""


def check(game: Game, seed: int, policies: tuple[str, ...]) -> None:
    """A game by each policy, once with everything counted."""
    start = start_of(game, Random(f"start {seed}"))
    made = prepared(game, start)
    names = countable(made)
    for policy in policies:
        for counted in ((), names):
            if policy != "greedy":
                compile_all(made.playing(policy, frozenset()))
            same_game(made, seed, policy, counted)


@pytest.mark.parametrize("name", [*LARGE, *SMALL, *KEPT], ids=lambda name: name.rpartition("/")[2])
def test_a_game_by_bots_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_off(monkeypatch)
    game = fresh(loaded(name))
    for seed in range(2 if name in LARGE else 4):
        check(game, seed, ("random",) if name in LARGE else ("random", "first"))


@pytest.mark.parametrize("name", [name for name in LARGE if GREEDY[name]])
def test_a_game_by_greedy_bots_is_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_off(monkeypatch)
    for seed in range(GREEDY[name]):
        check(loaded(name), seed, ("greedy",))


@settings(max_examples=8, deadline=None)
@given(wild_programs(), st.integers(0, 2**32))
def test_a_game_written_at_random_is_the_same_by_bots(game: Game, seed: int) -> None:
    check(game, seed, tuple(POLICIES))


EXAMPLES = [
    str(ROOT / "docs" / "examples" / name) for name in ("ferry", "high_card", "lagoon", "snowline")
]


@pytest.mark.parametrize("name", [*shipped(), *EXAMPLES], ids=lambda name: Path(name).name)
def test_games_that_are_right_are_played_without_a_doubt(name: str) -> None:
    """Else they would be played twice, and nobody would notice."""
    game = loaded(name)
    for mode in game.program.modes.values():
        settings = {"rounds": "sixty"} if mode.name == "several" else {}
        for players in {mode.low, mode.high}:
            made = game.prepared(game.configure(mode.name, players, settings, None))
            batch = Batch()
            play_batch(made, range(2 if name == "dinosaurs" else 12), "random", batch)
            assert batch.doubtful == []
            assert batch.decisions + batch.chances > 0
