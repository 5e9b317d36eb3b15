"""The same games by bots: what comes of them, and how often what they count happened."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.game import Game
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
from tests.engine.compiler.twins import compile_all, countable, counted_doubts, same_game

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


def test_the_large_games_are_played_without_a_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    broken_off(monkeypatch)
    game = fresh(loaded("lost_expedition"))
    with counted_doubts() as doubts:
        for seed in range(8):
            made = prepared(game, start_of(game, Random(f"start {seed}")))
            assert same_game(made, seed, "random")["outcome"] is not None
    assert doubts["game"] == 8  # those that the reference plays in any case
