"""The same playthroughs of all games by both engines, compared at every step.

Many more of them are behind the marker ``slow``: see ``test_many.py``.
"""

from __future__ import annotations

import pytest

from tests.engine.compiler.starts import KEPT, LARGE, SMALL, loaded, play_often
from tests.engine.compiler.twins import Manner, Report

PLAYED = {"lost_expedition": 40, "jurassic": 7, "dinosaurs": 5}
CONFIGURATIONS = {"lost_expedition": 8, "jurassic": 6, "dinosaurs": 4}
"""Modes, numbers of players, settings and rulings: the rules are compiled anew for each."""


def check(report: Report, wanted: int) -> None:
    """So many were played, none of them wrong, and never was there a doubt."""
    assert report.played == wanted
    assert report.faults == 0
    assert report.doubts == 0


@pytest.mark.parametrize("name", LARGE)
def test_a_large_game_is_the_same(name: str) -> None:
    manner = Manner(steps=LARGE[name], digests=3, looks=40)
    report = play_often(loaded(name), range(PLAYED[name]), manner, CONFIGURATIONS[name])
    check(report, PLAYED[name])


@pytest.mark.parametrize("name", SMALL)
def test_a_small_game_is_the_same(name: str) -> None:
    report = play_often(loaded(name), range(25), Manner(steps=120, digests=2), 4)
    check(report, 25)


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.rpartition("/")[2])
def test_a_game_of_the_golden_playthroughs_is_the_same(path: str) -> None:
    report = play_often(loaded(path), range(20), Manner(digests=2), 6)
    check(report, 20)
