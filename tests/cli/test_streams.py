"""Pipes that close, outputs that are not there, and targets that are no files."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Run
from tests.cli.toy import FAILING_CHECK, FAILING_SCENARIO, UNKNOWN_NAME, UNTIDY, write_toy

Start = Callable[..., "subprocess.Popen[bytes]"]


@pytest.mark.parametrize(
    ("words", "change", "status"),
    [
        (("check",), UNKNOWN_NAME, 1),
        (("test",), FAILING_SCENARIO, 1),
        (("fmt", "--diff"), UNTIDY, 1),
        (("export", "."), None, 0),
        (("trace", "."), None, 0),
    ],
)
def test_a_closed_pipe_leaves_the_status(
    command: Start,
    tmp_path: Path,
    words: tuple[str, ...],
    change: tuple[str, str] | None,
    status: int,
) -> None:
    write_toy(tmp_path, *([change] if change else []))
    process = command(*words, PYTHONUNBUFFERED="1")
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, err = process.communicate(timeout=60)
    assert process.returncode == status
    assert b"Traceback" not in err
    assert b"Broken" not in err


@pytest.mark.parametrize("words", ["export .", "schema .", "trace .", "--help", "play . --seed 1"])
def test_no_output_to_write_to(tmp_path: Path, words: str) -> None:
    write_toy(tmp_path)
    ran = subprocess.run(
        ["sh", "-c", f'exec "$0" -m rulelang {words} >&-', sys.executable],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdin=subprocess.DEVNULL, capture_output=True,
    )  # fmt: skip
    assert ran.returncode == 2
    assert b"standard output is closed" in ran.stderr
    assert ran.stderr.count(b"\n") == 1


@pytest.mark.parametrize("kind", ["device", "pipe", "folder"])
@pytest.mark.parametrize("words", ["play . --save", "schema . --output", "export . --output"])
def test_a_target_that_is_no_file(run: Run, tmp_path: Path, kind: str, words: str) -> None:
    write_toy(tmp_path)
    target = "/dev/full" if kind == "device" else str(tmp_path / "target")
    if kind == "pipe":
        os.mkfifo(target)
    if kind == "folder":
        os.mkdir(target)
    ran = run(*words.split(), target)
    assert (ran.status, ran.out) == (2, "")
    assert f"{target} cannot be written: it is a " in ran.err
    assert ran.err.count("\n") == 1


def test_only_files_are_formatted(run: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.rules")
    ran = run("fmt", "pipe.rules")
    assert (ran.status, ran.out) == (2, "")
    assert "it is a pipe or a device" in ran.err


@pytest.mark.parametrize("jobs", ["1", "3"])
def test_interrupting_games_without_end(command: Start, tmp_path: Path, jobs: str) -> None:
    write_toy(tmp_path)
    process = command("simulate", ".", "--games", "1000000000", "--jobs", jobs)
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"of 1,000,000,000 games" in err
    assert b" finished" in out
    assert b"\n0 games" not in out


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_game_whose_checks_fail_is_simulated(run: Run, tmp_path: Path, jobs: str) -> None:
    write_toy(tmp_path, FAILING_CHECK)
    ran = run("simulate", ".", "--games", "60", "--jobs", jobs)
    assert ran.status == 0
    assert "60 games, 60 finished" in ran.out
    assert "1 error, in 1 file: the game's own checks" in ran.err
