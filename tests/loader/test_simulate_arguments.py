"""Playing many games: arguments that do not fit, and numbers of games that never end."""

import os
import signal
import threading
import tracemalloc
from collections.abc import Callable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from rulelang import load
from rulelang.errors import UsageError
from rulelang.simulation import simulate
from tests.cli.toy import write_toy


@pytest.mark.parametrize(
    "arguments",
    [
        {"games": "x"}, {"games": 1.5}, {"games": True}, {"games": None}, {"games": 0},
        {"jobs": None}, {"jobs": "2"}, {"jobs": 0}, {"seed": "x"}, {"seed": None},
        {"policy": None}, {"policy": []}, {"policy": "rando"}, {"where": None}, {"where": 3},
    ],
)  # fmt: skip
def test_wrong_types(tmp_path: Path, arguments: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        simulate(**{"where": write_toy(tmp_path), **arguments})


def test_an_interrupt_reports_what_was_played(tmp_path: Path) -> None:
    game = load(write_toy(tmp_path))
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    report = simulate(game, games=10**9)
    timer.join()
    assert report.interrupted
    assert 0 < report.played < 10**9
    assert sum(report.outcomes.values()) == report.played == report.finished


class _Here(Executor):
    """Works in this process, and remembers how much was handed out at most."""

    def __init__(self, stop_after: int) -> None:
        self.stop_after = stop_after
        self.submitted = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        self.submitted += 1
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_work_is_handed_out_as_it_is_done(tmp_path: Path) -> None:
    executor = _Here(3)
    calls = 0

    def progress(done: int, total: int) -> None:
        nonlocal calls
        calls += 1
        if calls == executor.stop_after:
            raise KeyboardInterrupt

    write_toy(tmp_path)
    tracemalloc.start()
    report = simulate(tmp_path, games=10**9, jobs=2, executor=executor, progress=progress)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert report.interrupted
    assert report.played > 0
    assert executor.submitted <= 3 * 4 * max(2, os.cpu_count() or 1)
    assert most < 100_000_000
