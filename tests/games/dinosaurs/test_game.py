"""The shipped game as a whole: it checks without a word, and its scenarios pass and cover it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.errors import UsageError
from rulelang.game import check, load
from rulelang.scenarios import ScenarioResult, run
from rulelang.simulation import simulate
from rulelang.trace import UNCOUNTED, trace

FOLDER = Path(__file__).parents[3] / "games" / "dinosaurs"
GAME = load(FOLDER)
RESULTS = run(GAME)
LENGTHS = ("rounds",)
"""Settings that show only over a whole game: see the playthroughs."""


def test_it_checks_without_a_word() -> None:
    assert check(FOLDER) == ()


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: f"{Path(r.file).stem}: {r.name}")
def test_scenario(result: ScenarioResult) -> None:
    assert result.ok, f"{result.file}:{result.failed_line}: {result.message}"


def test_every_scenario_cites_what_it_shows() -> None:
    assert [r.name for r in RESULTS if not r.cites] == []
    assert len(RESULTS) >= 250


def test_every_clause_is_cited_and_shown_at_work() -> None:
    covered = trace(GAME)
    assert covered.clauses == covered.cited >= 550
    assert (covered.missing, covered.unknown) == ((), ())
    assert covered.exercised / covered.clauses >= 0.95


def test_every_example_of_the_rulebook_has_a_scenario() -> None:
    shown = {clause for result in RESULTS if result.ok for clause in result.cites}
    clauses = list(GAME.program.clauses.values())
    examples = {clause.id for clause in clauses if clause.kind == "example"}
    assert len(examples) >= 12
    assert examples <= shown
    assert {clause.id for clause in clauses if clause.kind not in UNCOUNTED} > examples


@pytest.mark.parametrize("name", sorted(set(GAME.program.settings) - set(LENGTHS)))
def test_every_setting_and_every_reading_has_a_scenario(name: str) -> None:
    setting = GAME.program.settings[name]
    readings = {str(entry.key) for entry in GAME.program.domains[setting.domain].entries}
    default = str(setting.default.key)
    tried = {s.options.get(name, default) for s in GAME.program.scenarios}
    assert tried == readings


@pytest.mark.parametrize(("mode", "players"), [("several", 1), ("several", 5), ("solitaire", 2)])
def test_other_numbers_of_players_are_refused(mode: str, players: int) -> None:
    with pytest.raises(UsageError, match="players"):
        GAME.start(mode=mode, players=players)


@pytest.mark.parametrize("mode", ["several", "solitaire"])
def test_bots_play_to_the_end(mode: str) -> None:
    settings = {"rounds": "sixty"} if mode == "several" else {}
    report = simulate(GAME, mode=mode, games=4, settings=settings, seed=5)
    assert report.faults == []
    assert report.finished == 4


def test_greedy_bots_do_not_bargain_for_ever() -> None:
    """Where a turn is to be lost, another offer would put that off."""
    report = simulate(GAME, mode="several", players=2, games=1, seed=1, policy="greedy")
    assert report.finished == 1
    assert report.decisions < 1_500


def test_greedy_bots_escape_alone() -> None:
    report = simulate(GAME, mode="solitaire", games=3, seed=1, policy="greedy")
    assert report.outcomes == {"escaped": 3}


def test_every_chart_is_tried_to_its_end() -> None:
    """By whoever chooses the first option: straight through, with a kit."""
    for chart in GAME.entries("Chart"):
        session = GAME.trial(chart, ["camera", "rifle"], seed=3)
        for _ in range(500):
            if session.decision is None:
                break
            session.choose(0)
        assert session.decision is None, chart.key
        frames = [line for line in session.view(0)["log"] if line["rule"].startswith("script of")]
        assert frames, chart.key
