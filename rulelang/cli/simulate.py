"""``rulelang simulate``: many games played by bots."""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from argparse import Namespace
from concurrent.futures import Executor
from typing import Any

from rulelang.cli.loading import load
from rulelang.cli.status import Status
from rulelang.cli.streams import complain, is_terminal, show
from rulelang.cli.targets import one_target
from rulelang.game import Game
from rulelang.simulation import Progress, Report, leave_interrupts, most_workers, simulate
from rulelang.telling import lines_of

_REDRAWN = 0.1
"""Seconds between two lines of progress."""


def run(arguments: Namespace) -> Status:
    """Play the games, and print what came of them."""
    game = load(one_target(arguments.game), unproved=True)
    if game is None:
        return Status.FINDINGS
    progress = _Progress() if is_terminal(sys.stderr) else None
    try:
        report = _simulated(game, arguments, progress)
    finally:
        if progress is not None:
            progress.clear()
    if arguments.format == "json":
        show(json.dumps(report.as_json(), indent=2))
    else:
        show("\n".join(lines_of(report, arguments.game)))
    if report.interrupted:
        complain(f"interrupted after {report.played:,} of {report.games:,} games")
        return Status.INTERRUPTED
    return Status.FINDINGS if report.fault_count else Status.FINE


def _simulated(game: Game, arguments: Namespace, progress: Progress | None) -> Report:
    def play(executor: Executor | None, progress: Progress | None) -> Report:
        return simulate(
            game, mode=arguments.mode, players=arguments.players, settings=arguments.settings,
            rulings=arguments.rulings, games=arguments.games, seed=arguments.seed,
            policy=arguments.policy, jobs=arguments.jobs, progress=progress, executor=executor,
            count=arguments.count, engine=arguments.engine,
        )  # fmt: skip

    if arguments.jobs == 1:
        return play(None, progress)
    from concurrent.futures import ProcessPoolExecutor  # which takes long to load

    workers = most_workers(arguments.jobs, arguments.games, arguments.policy)
    executor = ProcessPoolExecutor(workers, initializer=leave_interrupts)
    try:
        with _Interrupts(progress) as checked:
            return play(executor, checked)
    finally:
        executor.shutdown(wait=True, cancel_futures=True)


class _Interrupts:
    """Holds the first Ctrl-C back until some games are done; the second one acts at once.

    An interrupt at any moment could leave a lock of the executor taken, and its end then waits for
    ever.
    """

    def __init__(self, progress: Progress | None) -> None:
        self.progress = progress
        self.wanted = False
        self.before: Any = None

    def __enter__(self) -> Progress:
        if threading.current_thread() is threading.main_thread():
            self.before = signal.signal(signal.SIGINT, self._note)
        return self._checked

    def __exit__(self, *_: object) -> None:
        if self.before is not None:
            signal.signal(signal.SIGINT, self.before)

    def _note(self, *_: object) -> None:
        self.wanted = True
        signal.signal(signal.SIGINT, self.before)

    def _checked(self, done: int, total: int) -> None:
        if self.wanted:
            raise KeyboardInterrupt
        if self.progress is not None:
            self.progress(done, total)


class _Progress:
    """A line on the terminal that is written over."""

    def __init__(self) -> None:
        self.drawn = 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now - self.drawn >= _REDRAWN:
            self.drawn = now
            print(f"\r{done:,} of {total:,} games", end="\x1b[K", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self.drawn:
            print("\r", end="\x1b[K", file=sys.stderr, flush=True)
