"""The small games: each checks without a word, its scenarios pass, and it comes to an end."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulelang
from rulelang.loader import shipped_root
from rulelang.scenarios import run

SMALL = (
    "pig",
    "tic_tac_toe",
    "kuhn_poker",
    "leduc_poker",
    "goofspiel",
    "snakes_and_ladders",
    "royal_game_of_ur",
    "backgammon",
)


@pytest.mark.parametrize("name", SMALL)
def test_it_checks_without_a_word(name: str) -> None:
    assert rulelang.check(name) == ()


@pytest.mark.parametrize("name", SMALL)
def test_its_scenarios_pass(name: str) -> None:
    results = run(rulelang.load(name))
    failed = [f"{r.file}:{r.failed_line}: {r.message}" for r in results if not r.ok]
    assert failed == []
    assert len(results) >= 2


@pytest.mark.parametrize("name", SMALL)
def test_it_is_a_page_or_two(name: str) -> None:
    (file,) = sorted(Path(shipped_root() / name).rglob("*.rules"))
    assert file.name == f"{name}.rules"
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 200


@pytest.mark.parametrize("name", SMALL)
def test_random_bots_finish_it(name: str) -> None:
    report = rulelang.simulate(name, games=40)
    assert (report.finished, report.faults) == (40, [])
