"""The small games in the language and written by hand: the same seeds, the same games."""

from __future__ import annotations

import pytest

import rulelang
from tests.bench import small_by_hand
from tests.bench.small_by_hand import Result

SEEDS = {"backgammon": 12, "royal_game_of_ur": 25}
"""Games of each, where they are not so short that it may be more."""


def by_the_language(game: rulelang.Game, seed: int) -> Result:
    report = rulelang.simulate(game, games=1, seed=seed)
    assert report.finished == 1
    winners = [int(who.removeprefix("player ")) for who in report.winners if who != "nobody"]
    spread = (report.score_min, report.score_max) if report.score_count else ()
    return Result(tuple(winners), tuple(n for n in spread if n is not None))


@pytest.mark.parametrize("name", small_by_hand.GAMES)
def test_a_seed_is_one_game(name: str) -> None:
    game = rulelang.load(name)
    for seed in range(SEEDS.get(name, 100)):
        hand = small_by_hand.play_random(name, seed)
        spread = (min(hand.scores), max(hand.scores)) if hand.scores else ()
        assert by_the_language(game, seed) == Result(hand.winners, spread), seed
