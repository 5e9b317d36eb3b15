"""The shipped game as a whole: it checks without a word, and its scenarios pass and cover it."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.errors import UsageError
from rulelang.game import check, load
from rulelang.program.program import Clause
from rulelang.scenarios import ScenarioResult, run
from rulelang.simulation import simulate
from rulelang.trace import UNCOUNTED, trace

FOLDER = Path(__file__).parents[3] / "games" / "jurassic"
GAME = load(FOLDER)
RESULTS = run(GAME)


def test_it_checks_without_a_word() -> None:
    assert check(FOLDER) == ()


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: f"{Path(r.file).stem}: {r.name}")
def test_scenario(result: ScenarioResult) -> None:
    assert result.ok, f"{result.file}:{result.failed_line}: {result.message}"


def test_every_scenario_cites_what_it_shows() -> None:
    assert [r.name for r in RESULTS if not r.cites] == []
    assert len(RESULTS) >= 130


def test_every_clause_is_cited_and_shown_at_work() -> None:
    covered = trace(GAME)
    assert covered.clauses == covered.cited == 208
    assert (covered.missing, covered.unknown) == ((), ())
    assert covered.exercised / covered.clauses >= 0.95
    assert covered.not_exercised == ()


def test_every_example_of_the_rulebook_has_a_scenario() -> None:
    shown = {clause for result in RESULTS if result.ok for clause in result.cites}
    clauses: list[Clause] = list(GAME.program.clauses.values())
    examples = {clause.id for clause in clauses if clause.kind == "example"}
    assert len(examples) >= 12
    assert examples <= shown
    assert {clause.id for clause in clauses if clause.kind not in UNCOUNTED} > examples


@pytest.mark.parametrize("name", sorted(GAME.program.settings))
def test_every_setting_and_every_reading_has_a_scenario(name: str) -> None:
    setting = GAME.program.settings[name]
    readings = {str(entry.key) for entry in GAME.program.domains[setting.domain].entries}
    default = str(setting.default.key)
    tried = {s.options.get(name, default) for s in GAME.program.scenarios}
    assert tried == readings


@pytest.mark.parametrize("players", [1, 5])
def test_other_numbers_of_players_are_refused(players: int) -> None:
    with pytest.raises(UsageError, match="players"):
        GAME.start(players=players)


@pytest.mark.parametrize("mode", ["standard", "double"])
@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_bots_play_to_the_end(mode: str, policy: str) -> None:
    games = 10 if policy == "random" else 2
    report = simulate(GAME, mode=mode, players=3, games=games, policy=policy, seed=5)
    assert report.faults == []
    assert report.finished == games
