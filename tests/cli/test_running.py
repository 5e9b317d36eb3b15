"""`rulelang test`, `trace`, `simulate`, `play`: the commands that run a game."""

import concurrent.futures
import json
import signal
import sys
from argparse import Namespace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import rulelang.simulation
from rulelang.simulation import CHUNK, Report
from rulelang.telling import lines_of, wilson
from tests.cli.conftest import Run
from tests.cli.toy import (
    ENDLESS_STEPS,
    FAILING_CHECK,
    FAILING_SCENARIO,
    UNKNOWN_NAME,
    UNUSED,
    write_toy,
)

# ---------------------------------------------------------------- test


def test_scenarios_pass(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("test")
    assert ran.status == 0
    assert [line[:6] for line in ran.out.splitlines()] == ["ok    ", "ok    ", "2 pass"]
    assert "the last step  (game.rules:46)" in ran.out


def test_a_scenario_fails(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, FAILING_SCENARIO)
    ran = run("test")
    assert ran.status == 1
    assert "FAILED  a stone" in ran.out
    assert "game.rules:58: this does not hold" in ran.out
    assert ran.out.endswith("1 passed, 1 failed\n")


def test_scenarios_as_json(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, FAILING_SCENARIO)
    ran = run("test", "--format", "json", "-k", "STONE")
    found = json.loads(ran.out)
    assert ran.status == 1
    assert (found["passed"], found["failed"]) == (0, 1)
    (scenario,) = found["scenarios"]
    assert set(scenario) == {"name", "file", "line", "ok", "message"}
    assert (scenario["name"], scenario["file"], scenario["ok"]) == ("a stone", "game.rules", False)


def test_scenarios_of_several_games(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "a")
    write_toy(tmp_path / "b", FAILING_SCENARIO)
    ran = run("test", "a", "b")
    assert ran.status == 1
    assert "(a/game.rules:" in ran.out
    assert "b/game.rules:58: " in ran.out
    assert ran.out.endswith("3 passed, 1 failed\n")


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_scenario_fits(run: Run, tmp_path: Path, form: str) -> None:
    write_toy(tmp_path)
    ran = run("test", "-k", "nothing like it", "--format", form)
    assert ran.status == 3
    assert "no scenarios with 'nothing like it'" in ran.err


@pytest.mark.parametrize("command", [("test",), ("trace", "."), ("simulate", ".")])
def test_a_game_with_errors_does_not_run(
    run: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    write_toy(tmp_path, UNKNOWN_NAME, UNUSED)
    ran = run(*command)
    assert (ran.status, ran.out) == (1, "")
    assert "stubed += 1\n" in ran.err
    assert "N204" not in ran.err
    assert ran.err.endswith("1 error, in 1 file\n")


def test_other_games_are_tested_still(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "a", FAILING_CHECK)
    write_toy(tmp_path / "b")
    ran = run("test", ".", "--format", "json")
    assert ran.status == 1
    found = json.loads(ran.out)
    assert (found["passed"], found["failed"]) == (2, 1)
    assert [(each["file"], each["ok"]) for each in found["scenarios"] if not each["ok"]] == [
        ("a", False)
    ]
    assert "it has errors" in found["scenarios"][0]["message"]
    assert "--> a/game.rules:" in ran.err


# ---------------------------------------------------------------- trace


CATALOGUE = "".join(
    f'[[clause]]\nid = "TOY-{n}"\nsection = "Walking"\nkind = "action"\ntext = "Step {n}."\n'
    for n in (1, 2, 3)
)
CITING = (
    ('game toy "A Walk"\n', 'game toy "A Walk"\n  clauses "clauses.toml"\n'),
    ("turn step\n", "turn step  cites TOY-1, TOY-2\n"),
    ('"the last step" in solo\n', '"the last step" in solo  cites TOY-1\n'),
)


def test_trace_as_text(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, *CITING)
    (tmp_path / "clauses.toml").write_text(CATALOGUE)
    ran = run("trace", ".")
    assert ran.status == 0
    assert [" ".join(line.split()) for line in ran.out.splitlines()] == [
        "toy: 3 clauses",
        "cited 2 66.7%",
        "exercised 1 33.3%",
        "missing (1): TOY-3",
        "not exercised (1): TOY-2",
    ]


def test_trace_as_json(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, *CITING)
    (tmp_path / "clauses.toml").write_text(CATALOGUE)
    found = json.loads(run("trace", ".", "--format", "json").out)
    assert (found["clauses"], found["cited"], found["exercised"]) == (3, 2, 1)
    assert (found["missing"], found["unknown"]) == (["TOY-3"], [])


def test_trace_without_clauses(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("trace", ".")
    assert ran.status == 0
    assert ran.out.startswith("toy: 0 clauses\n")


def test_trace_with_unknown_clauses(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_toy(tmp_path)
    found = rulelang.trace.Trace(1, 0, 0, ("TOY-1",), (), ("TOY-9",), 4)
    monkeypatch.setattr("rulelang.cli.trace.trace", lambda game: found)
    ran = run("trace", ".")
    assert ran.status == 1
    assert "unknown (1): TOY-9\n" in ran.out
    assert "(4 more are for other modes)" in ran.out


# ---------------------------------------------------------------- simulate


def test_simulate_as_text(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run(
        "simulate", ".", "--games", "200", "--set", "length=long", "--ruling", "limp=only_twice"
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("toy, mode solo, 1 player, policy random, seed 0\n")
    assert "length=long, limp=only_twice" in ran.out
    assert "200 games, 200 finished" in ran.out
    for row in ("done", "halted", "nobody", "player 0", "score", "decisions", "speed"):
        assert f"\n{row} " in ran.out


def test_simulate_as_json_is_the_same_for_any_number_of_jobs(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    call = ("simulate", ".", "--games", "120", "--seed", "5", "--format", "json")
    reports = [json.loads(run(*call, "--jobs", jobs).out) for jobs in ("1", "2")]
    for report in reports:
        for timing in ("seconds", "games_per_second", "decisions_per_second"):
            del report[timing]
    assert reports[0] == reports[1]
    assert (reports[0]["games"], reports[0]["seed"], reports[0]["finished"]) == (120, 5, 120)
    assert sum(reports[0]["outcomes"].values()) == 120


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--games", "0"), "at least 1 is needed, not 0"),
        (("--games", "many"), "a whole number is needed, not 'many'"),
        (("--jobs", "0"), "at least 1"),
        (("--set", "length"), "write NAME=VALUE, not 'length'"),
        (("--set", "=long"), "write NAME=VALUE"),
        (("--set", "lenght=long"), "did you mean length?"),
        (("--set", "limp=only_twice"), "is a ruling"),
        (("--mode", "sol"), "did you mean solo?"),
        (("--players", "2"), "no mode is for 2 players"),
        (("--policy", "randm"), "did you mean random?"),
        (("--format", "xml"), "known: text, json"),
    ],
)
def test_simulate_used_wrongly(
    run: Run, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    write_toy(tmp_path)
    ran = run("simulate", ".", *options)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_simulate_a_faulting_game(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, ENDLESS_STEPS)
    ran = run("simulate", ".", "--games", "50")
    assert ran.status == 1
    assert "games came to a fault:\n  seed " in ran.out
    assert "(in rule step)" in ran.out
    assert "game.rules:44: " in ran.out
    assert json.loads(run("simulate", ".", "--games", "50", "--format", "json").out)["faults"]


def test_simulate_interrupted(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toy(tmp_path)
    play_games = rulelang.simulation.play_games

    def interrupted(game: Any, linked: Any, seed: int, *rest: Any) -> Report:
        if seed >= CHUNK:
            raise KeyboardInterrupt
        return play_games(game, linked, seed, *rest)

    monkeypatch.setattr(rulelang.simulation, "play_games", interrupted)
    ran = run("simulate", ".", "--games", "100000", "--format", "json")
    assert ran.status == 130
    assert json.loads(ran.out)["finished"] == CHUNK
    assert f"interrupted after {CHUNK} of 100,000 games" in ran.err


def test_simulate_interrupted_with_jobs(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_toy(tmp_path)
    wait = concurrent.futures.wait

    def interrupted(*arguments: Any, **options: Any) -> Any:
        done = wait(*arguments, **options)
        signal.raise_signal(signal.SIGINT)
        return done

    monkeypatch.setattr(concurrent.futures, "wait", interrupted)
    handler = signal.getsignal(signal.SIGINT)
    ran = run("simulate", ".", "--games", "5000", "--jobs", "2", "--format", "json")
    assert ran.status == 130
    assert 0 < json.loads(ran.out)["finished"] < 5000
    assert "interrupted after " in ran.err
    assert signal.getsignal(signal.SIGINT) is handler


def test_a_report_is_printed_as_the_command_prints_it(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    report = rulelang.simulation.simulate(tmp_path, games=20)
    timed = ("speed", "time")
    said, shown = (
        [line for line in text.splitlines() if not line.startswith(timed)]
        for text in (str(report), run("simulate", ".", "--games", "20").out)
    )
    assert said == shown
    assert "20 games, 20 finished" in said


def test_a_report_of_nothing() -> None:
    lines = lines_of(Report("toy", "solo", 1, {}, {}, 10, 0, "random"))
    assert "0 games, 0 finished" in lines


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (5, 10, 0.2366, 0.7634),
        (694, 1000, 0.6647, 0.7218),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilson(count: int, total: int, low: float, high: float) -> None:
    assert wilson(count, total) == pytest.approx((low, high), abs=2e-4)


# ---------------------------------------------------------------- play


def test_play_with_bots_alone(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("play", ".", "--seed", "3", "--bot", "0=random", "--set", "length=long")
    assert ran.status == 0
    assert "A Walk" in ran.out


def test_play_used_wrongly(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("play", ".", "--mode", "sol")
    assert (ran.status, ran.err) == (2, "rulelang: there is no mode 'sol'; did you mean solo?\n")


def test_play_gets_its_arguments(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[Namespace] = []

    def play(arguments: Namespace) -> int:
        seen.append(arguments)
        return 0

    fake = ModuleType("rulelang.play")
    fake.run = play  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "rulelang.play", fake)
    monkeypatch.delitem(sys.modules, "rulelang.cli.play", raising=False)
    ran = run(
        *(
            "play",
            "toy",
            "--mode",
            "solo",
            "--players",
            "2",
            "--seed",
            "-3",
            "--set",
            "length=long",
        ),
        *(
            "--ruling",
            "limp=only_twice",
            "--bot",
            "1=random",
            "--bot",
            "0=first",
            "--save",
            "s.json",
        ),
    )
    assert ran.status == 0
    expected = {
        "command": "play", "game": "toy", "mode": "solo", "players": 2, "seed": -3,
        "set": ["length=long"], "ruling": ["limp=only_twice"],
        "bot": ["1=random", "0=first"], "save": "s.json", "resume": None,
    }  # fmt: skip
    assert {name: getattr(seen[0], name) for name in expected} == expected
    monkeypatch.delitem(sys.modules, "rulelang.cli.play")


@pytest.mark.parametrize("bot", ["random", "one=random", "-1=random", "1"])
def test_a_bot_needs_a_seat(run: Run, bot: str) -> None:
    ran = run("play", "toy", f"--bot={bot}")
    assert ran.status == 2
