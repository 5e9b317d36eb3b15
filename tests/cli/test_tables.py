"""Random games at every table of a game, in one report."""

from __future__ import annotations

import pytest

from rulelang.simulation import most_workers
from rulelang.testing import tables


def test_a_row_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert tables.main(["kuhn_poker", "--games", "7"]) == 0
    head, rule, *rows = capsys.readouterr().out.splitlines()
    assert head == "| Mode | Players | Games | Finished | Faults | Ends | Decisions | Turns |"
    assert rule.count("---") == 8
    assert [row.split(" | ")[1:5] for row in rows] == [["2", "7", "7", "0"]]


def test_every_mode_with_every_number_of_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert tables.main(["jurassic", "--games", "1", "--set", "white_faces=short"]) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    found = [row.strip("| ").split(" | ")[:2] for row in rows]
    modes = ("standard", "double")
    assert found == [[mode, players] for mode in modes for players in ("2", "3", "4")]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["no_such_game"], "no_such_game"),
        (["pig", "--policy", "wise"], "there is no policy"),
        (["pig", "--set", "odd=1"], "there is no setting 'odd'"),
        (["pig", "--games", "0"], "games must be at least 1"),
    ],
)
def test_what_is_not_there(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tables.main(words) == 2
    assert said in capsys.readouterr().err


def test_games_that_do_not_end(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "simulate", _unfinished)
        assert tables.main(["pig", "--games", "2"]) == 1
    assert "| 2 | 2 | 1 | 0 |" in capsys.readouterr().out


def _unfinished(*words: object, **options: object) -> object:
    from rulelang.simulation import Report

    report = Report("pig", "duel", 2, {}, {}, 2, 0, "random")
    report.finished = 1
    report.outcomes.update(finished=1, unfinished=1)
    return report


@pytest.mark.parametrize(
    ("jobs", "games", "policy", "workers"),
    [
        (100_000, 300, "random", 2),
        (2, 10_000, "random", 2),
        (5, 1, "random", 1),
        (9, 8, "greedy", 2),
    ],
)
def test_no_more_processes_than_pieces(jobs: int, games: int, policy: str, workers: int) -> None:
    assert most_workers(jobs, games, policy) == workers


def test_processes_that_no_system_has() -> None:
    assert most_workers(10**6, 10**9, "random") < 10**4
