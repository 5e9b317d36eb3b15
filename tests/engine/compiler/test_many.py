"""Many thousands of playthroughs by both engines, in parts that can be run side by side.

21,000 and more take about an hour on two cores::

    python -m pytest -m slow tests/engine/compiler/test_many.py -n 2

``RULELANG_SEEDS=7`` plays others than those of 0, which are played by default.
"""

from __future__ import annotations

import os
from random import Random

import pytest

from tests.engine.compiler.programs import wild
from tests.engine.compiler.starts import (
    KEPT,
    LARGE,
    SMALL,
    broken_off,
    fresh,
    loaded,
    play_often,
    prepared,
    start_of,
)
from tests.engine.compiler.test_dispatch import dispatched
from tests.engine.compiler.twins import Manner, Report, countable, same_game
from tests.properties.programs import made

pytestmark = pytest.mark.slow

ROUND = int(os.environ.get("RULELANG_SEEDS", "0")) * 1_000_000
"""Where the seeds begin."""
PROGRAMS, EACH = 25, 10
"""Games of a part that are written at random, and playthroughs of each."""
PARTS = {"lost_expedition": 20, "jurassic": 8, "dinosaurs": 8}
MANNER = Manner(steps=150, digests=4, looks=60, deeds=10)


def told(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    """Say what was played."""
    with capsys.disabled():
        print(f"\n{report.said}")


@pytest.mark.parametrize("part", range(40))
def test_games_written_at_random(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    for number in range(PROGRAMS):
        seed = ROUND + part * PROGRAMS + number
        report.add(play_often(made(wild(seed)), range(seed, seed + EACH), MANNER, EACH // 2))
    assert report.played == PROGRAMS * EACH
    assert report.doubts == 0
    told(report, capsys)


@pytest.mark.parametrize("part", range(4))
def test_games_written_at_random_as_blocks(part: int, capsys: pytest.CaptureFixture[str]) -> None:
    report = Report()
    with dispatched():
        for number in range(PROGRAMS):
            seed = ROUND + 500_000 + part * PROGRAMS + number
            report.add(play_often(made(wild(seed)), range(seed, seed + EACH), MANNER, EACH // 2))
    assert report.played == PROGRAMS * EACH
    assert report.doubts == 0
    told(report, capsys)


@pytest.mark.parametrize(
    ("name", "part"), [(name, part) for name, parts in PARTS.items() for part in range(parts)]
)
def test_a_large_game(name: str, part: int, capsys: pytest.CaptureFixture[str]) -> None:
    each = 200 if name == "lost_expedition" else 60
    first = ROUND + part * each
    manner = Manner(steps=LARGE[name], digests=5, looks=100, deeds=10)
    report = play_often(fresh(loaded(name)), range(first, first + each), manner, each // 4)
    assert (report.played, report.faults, report.doubts) == (each, 0, 0)
    told(report, capsys)


@pytest.mark.parametrize("name", [*SMALL, *KEPT], ids=lambda name: name.rpartition("/")[2])
def test_a_small_game(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    report = play_often(loaded(name), range(ROUND, ROUND + 400), MANNER, 24)
    assert (report.played, report.faults, report.doubts) == (400, 0, 0)
    told(report, capsys)


@pytest.mark.parametrize("part", range(8))
def test_games_by_bots(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_off(monkeypatch)
    for seed in range(ROUND + part * 20, ROUND + part * 20 + 20):
        game = made(wild(seed))
        made_ready = prepared(game, start_of(game, Random(f"start {seed}")))
        for policy in ("random", "first", "greedy"):
            for number in range(4):
                same_game(made_ready, seed + number, policy, countable(made_ready) * (number % 2))


@pytest.mark.parametrize("name", LARGE)
def test_large_games_by_bots(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    broken_off(monkeypatch)
    game = fresh(loaded(name))
    for seed in range(ROUND, ROUND + 30):
        made_ready = prepared(game, start_of(game, Random(f"start {seed % 10}")))
        for policy in ("random", "first"):
            same_game(made_ready, seed, policy, countable(made_ready) * (seed % 2))
