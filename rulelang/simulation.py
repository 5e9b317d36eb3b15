"""Playing many games by bots.

Game number *n* is that of seed ``seed + n``, whichever process plays it.
"""

from __future__ import annotations

import math
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, frozen

from rulelang import counting, policies
from rulelang.checked import keep_last
from rulelang.counting import NOTHING_COUNTED, Count, Tally
from rulelang.decisions import rule_name
from rulelang.engine.compiler.places import note_place
from rulelang.engine.fault import Fault
from rulelang.engine.machine import Machine
from rulelang.engines import check_engine
from rulelang.errors import UsageError, shown
from rulelang.game import Game, load
from rulelang.hashing import hashed
from rulelang.judging import Outcome
from rulelang.playing import IN_PLACE, Batch, play_batch, play_game
from rulelang.prepared import Prepared
from rulelang.program.linking import Linked

if TYPE_CHECKING:  # it takes long to load
    from concurrent.futures import Executor

CHUNK, THOUGHTFUL_CHUNK = 200, 4
"""Games a piece of work, which a process plays without a break: fewer where bots think."""
WINDOW = 4
"""Pieces of work a process that are handed out at a time."""
MOST_WORKERS = 61
"""Processes that every system allows; more, only where there are more cores."""
MAX_FAULTS = 20
"""Faults that a report lists; all are counted."""

Progress = Callable[[int, int], None]
Options = Mapping[str, str]


@define
class Report:
    """What came of a number of games. All but the timings depends on the arguments alone."""

    game: str
    mode: str
    players: int
    settings: dict[str, str]
    rulings: dict[str, str]
    games: int
    seed: int
    policy: str
    finished: int = 0
    outcomes: Counter[str] = Factory(Counter)
    winners: Counter[str] = Factory(Counter)
    score_count: int = 0
    score_sum: int = 0
    score_squares: int = 0
    score_min: int | None = None
    score_max: int | None = None
    decisions: int = 0
    chances: int = 0
    turns: int = 0
    seconds: float = 0.0
    faults: list[dict[str, Any]] = Factory(list)
    fault_count: int = 0
    interrupted: bool = False
    counts: dict[str, Count] = Factory(dict)
    """What was asked to be counted, by its name."""

    @property
    def played(self) -> int:
        """Games that were begun and not broken off: finished, unfinished and faulty ones."""
        return self.outcomes.total()

    @property
    def games_per_second(self) -> float:
        """Games played in a second; 0 if no time was taken."""
        return self.played / self.seconds if self.seconds else 0.0

    @property
    def decisions_per_second(self) -> float:
        """Decisions in a second; 0 if no time was taken."""
        return self.decisions / self.seconds if self.seconds else 0.0

    @property
    def score_mean(self) -> float | None:
        """The mean of all scores; None if there was none."""
        return self.score_sum / self.score_count if self.score_count else None

    @property
    def score_interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the mean score; None for fewer than two scores."""
        if self.score_count < 2 or self.score_mean is None:
            return None
        variance = max(0.0, self.score_squares - self.score_count * self.score_mean**2) / (
            self.score_count - 1
        )
        half = 1.96 * math.sqrt(variance / self.score_count)
        return self.score_mean - half, self.score_mean + half

    def add(self, other: Report) -> None:
        """Count the games of another report too."""
        self.finished += other.finished
        self.outcomes.update(other.outcomes)
        self.winners.update(other.winners)
        self.score_count += other.score_count
        self.score_sum += other.score_sum
        self.score_squares += other.score_squares
        for name, better in (("score_min", min), ("score_max", max)):
            values = [v for v in (getattr(self, name), getattr(other, name)) if v is not None]
            setattr(self, name, better(values) if values else None)
        self.decisions += other.decisions
        self.chances += other.chances
        self.turns += other.turns
        self.fault_count += other.fault_count
        self.interrupted = self.interrupted or other.interrupted
        counting.add(self.counts, other.counts)
        self.faults = sorted(self.faults + other.faults, key=lambda f: int(f["seed"]))[:MAX_FAULTS]

    def __str__(self) -> str:
        """The report for a person, as `rulelang simulate` prints it."""
        from rulelang.telling import lines_of

        return "\n".join(lines_of(self))

    def as_json(self) -> dict[str, Any]:
        """The contract's object."""
        return {
            "game": self.game, "mode": self.mode, "players": self.players,
            "settings": self.settings, "rulings": self.rulings, "games": self.games,
            "seed": self.seed, "policy": self.policy,
            "finished": self.finished, "outcomes": dict(sorted(self.outcomes.items())),
            "winners": dict(sorted(self.winners.items())),
            "scores": {"min": self.score_min, "mean": self.score_mean, "max": self.score_max},
            "decisions": self.decisions, "turns": self.turns, "seconds": round(self.seconds, 3),
            "games_per_second": round(self.games_per_second, 1),
            "decisions_per_second": round(self.decisions_per_second, 1), "faults": self.faults,
            "played": self.played, "interrupted": self.interrupted,
            "counts": {name: count.as_json() for name, count in self.counts.items()},
        }  # fmt: skip


def simulate(
    where: str | Path | Game,
    *,
    mode: str | None = None,
    players: int | None = None,
    settings: Options | None = None,
    rulings: Options | None = None,
    games: int = 1000,
    seed: int = 0,
    policy: str = "random",
    jobs: int = 1,
    progress: Progress | None = None,
    executor: Executor | None = None,
    count: Iterable[str] = (),
    engine: str = "compiled",
) -> Report:
    """Play ``games`` games and report.

    ``engine`` is "compiled", or "reference" for the interpreter: the result is the same.

    ``count`` names rules, hooks and endings; the report tells how often each was called, in all and
    by the values of an argument: the first that is no seat, or of ``"rule by parameter"`` that one.
    ``progress`` is called with the number of games done and the number in all. With ``jobs`` above
    one, or an ``executor``, pieces of the work go to other processes; the result is the same. Any
    executor of `concurrent.futures` will do, or one that gives such futures: threads, processes,
    other machines. Whoever works for it loads the game from where it was loaded here. An interrupt
    (Ctrl-C) gives a report of what was played until then, marked ``interrupted``. Raises
    `UsageError`.
    """
    _check_arguments(games, seed, jobs, executor)
    game = where if isinstance(where, Game) else load(where)
    linked = game.configure(mode, players, settings, rulings)
    policies.check(policy, game.prepared(linked))
    check_engine(engine)
    report = _empty(game, linked, games, seed, policy, count)
    began = time.perf_counter()
    chunk = _chunk(policy)
    pieces = ((n, min(chunk, games - n)) for n in range(0, games, chunk))
    if (jobs == 1 and executor is None) or games <= chunk:
        names = tuple(report.counts)
        results = (
            play_games(game, linked, seed + n, size, policy, names, engine) for n, size in pieces
        )
        _collect(report, results, games, progress)
    else:
        task = _task(report, game, engine)
        _in_processes(report, task, pieces, jobs, executor, progress)
    report.seconds = time.perf_counter() - began
    return report


def _check_arguments(games: object, seed: object, jobs: object, executor: object) -> None:
    for name, number in (("games", games), ("seed", seed), ("jobs", jobs)):
        if not isinstance(number, int) or isinstance(number, bool):
            raise UsageError(f"{name} must be a whole number, not {number!r}")
        if name != "seed" and number < 1:
            raise UsageError(f"{name} must be at least 1, not {number}")
    if executor is not None:
        from concurrent.futures import Executor

        if not isinstance(executor, Executor):
            raise UsageError(f"an executor of concurrent.futures is needed, not {shown(executor)}")


def _empty(
    game: Game, linked: Linked, games: int, seed: int, policy: str, count: Iterable[str]
) -> Report:
    known = game.program.settings
    options = {
        n: str(e.key)
        for n, e in linked.options.items()
        if not known[n].modes or linked.mode in known[n].modes
    }
    return Report(
        game=game.name,
        mode=linked.mode,
        players=len(linked.players),
        settings={n: v for n, v in options.items() if not known[n].ruling},
        rulings={n: v for n, v in options.items() if known[n].ruling},
        games=games,
        seed=seed,
        policy=policy,
        counts=counting.asked(linked, count),
    )


def _collect(
    report: Report, results: Iterator[Report], games: int, progress: Progress | None
) -> None:
    try:
        for part in results:
            report.add(part)
            if part.interrupted:
                break
            if progress is not None:
                progress(report.played, games)
    except KeyboardInterrupt:
        report.interrupted = True


@frozen
class _Task:
    """What all pieces of the work have in common, as it goes to other processes."""

    where: str
    texts: str
    """A hash of the game's files: whoever has others would play another game."""
    mode: str
    players: int
    settings: dict[str, str]
    rulings: dict[str, str]
    policy: str
    names: tuple[str, ...]
    """What is counted."""
    engine: str


def _task(report: Report, game: Game, engine: str) -> _Task:
    if game.where is None:
        raise UsageError("a game that was not loaded from a name or path is simulated with one job")
    where = game.where
    if Path(where).exists():  # not the name of a shipped game; others may work in another folder
        where = str(Path(where).resolve())
    return _Task(
        where, _texts(game), report.mode, report.players, report.settings, report.rulings,
        report.policy, tuple(report.counts), engine,
    )  # fmt: skip


def _texts(game: Game) -> str:
    return hashed([game.sources, game.catalogues])


def _chunk(policy: str) -> int:
    return CHUNK if policy in IN_PLACE else THOUGHTFUL_CHUNK


def most_workers(jobs: int, games: int, policy: str) -> int:
    """How many processes there is something to do for, of those that were asked for."""
    return max(1, min(jobs, -(-games // _chunk(policy)), max(MOST_WORKERS, os.cpu_count() or 1)))


def _in_processes(
    report: Report,
    task: _Task,
    pieces: Iterator[tuple[int, int]],
    jobs: int,
    executor: Executor | None,
    progress: Progress | None,
) -> None:
    from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait

    keep_last()  # what every process will ask for
    workers = most_workers(jobs, report.games, report.policy)
    pool = executor
    if pool is None:
        pool = ProcessPoolExecutor(workers, initializer=leave_interrupts)
    submitted = (pool.submit(_piece, task, report.seed + n, size) for n, size in pieces)
    # The processes of an executor that was given are not known; each must have something to do.
    window = WINDOW * max(workers, 1 if executor is None else os.cpu_count() or 1)
    pending = set(islice(submitted, window))
    try:
        while pending and not report.interrupted:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                report.add(future.result())
            if progress is not None:
                progress(report.played, report.games)
            pending.update(islice(submitted, window - len(pending)))
    except KeyboardInterrupt:
        report.interrupted = True
    finally:
        for future in pending:
            future.cancel()
        if executor is None:
            pool.shutdown(wait=True, cancel_futures=True)


def leave_interrupts() -> None:
    """Ctrl-C reaches every process of the terminal; the first one alone acts on it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


_loaded: dict[str, tuple[str, Game]] = {}
"""Games that a process has loaded to work for others: by where, the hash of its files, the game."""
_loading = Lock()


def _piece(task: _Task, seed: int, size: int) -> Report:
    """A piece of work in another process, or in a thread of one."""
    with _loading:  # threads of one process share the game
        game = _found(task)
        linked = game.configure(task.mode, task.players, task.settings, task.rulings)
    try:
        return play_games(game, linked, seed, size, task.policy, task.names, task.engine)
    except Exception as error:
        note_place(error)
        raise


def _found(task: _Task) -> Game:
    """The game of a task. A process may serve for long, so files may have changed since."""
    texts, game = _loaded.get(task.where, ("", None))
    if game is None or texts != task.texts:
        game = load(task.where, unproved=True)
        texts = _texts(game)
        _loaded[task.where] = texts, game
    if texts != task.texts:
        raise UsageError(f"the files of {task.where} are not those that the game was loaded from")
    return game


def play_games(
    game: Game,
    linked: Linked,
    seed: int,
    size: int,
    policy: str,
    count: Iterable[str] = (),
    engine: str = "compiled",
) -> Report:
    """Play the games of the seeds ``seed`` to ``seed + size - 1``.

    An interrupt ends it with the games before the one at hand.
    """
    report = _empty(game, linked, size, seed, policy, count)
    made = game.prepared(linked)
    try:
        if engine == "compiled" and policy in IN_PLACE and not report.counts:
            _play_in_place(report, made, range(seed, seed + size), policy)
        else:
            for number in range(seed, seed + size):
                _play(report, made, number, policy, engine)
        made.keep()
    except KeyboardInterrupt:
        report.interrupted = True
    return report


def _play_in_place(report: Report, made: Prepared, seeds: range, policy: str) -> None:
    """Play games and count them, those in doubt one by one."""
    batch = Batch()
    try:
        play_batch(made, seeds, policy, batch)
    finally:  # if it is interrupted, too
        report.decisions += batch.decisions
        report.chances += batch.chances
        report.turns += batch.turns
        for verdict, times in batch.verdicts.items():
            _count_outcome(report, made.judge.told(verdict), times)
    for number in batch.doubtful:
        _play(report, made, number, policy, "compiled")


def _play(report: Report, made: Prepared, seed: int, policy: str, engine: str) -> None:
    """Play one game and count it."""
    tally = Tally(report.counts) if report.counts else NOTHING_COUNTED
    played = play_game(made, seed, policy, engine, tally)
    if report.counts:
        tally.finish()
    report.turns += played.turns
    report.chances += played.chances
    report.decisions += played.decisions
    if played.fault is not None:
        _count_fault(report, seed, played.fault, played.machine)
    elif played.outcome is None:
        report.outcomes["unfinished"] += 1
    else:
        _count_outcome(report, played.outcome)


def _count_fault(report: Report, seed: int, fault: Fault, machine: Machine | None) -> None:
    rule, span = "state", fault.span
    if machine is not None and machine.stack:
        frame = machine.stack[-1]
        rule = rule_name(frame.ready.code)
        span = span or frame.ready.code.instructions[frame.place].span
    elif machine is not None:
        rule = "outcome"
    file, line = (span.file, span.line) if span is not None else ("", 0)
    report.fault_count += 1
    report.outcomes["fault"] += 1
    if len(report.faults) < MAX_FAULTS:
        report.faults.append(
            {"seed": seed, "message": str(fault), "rule": rule, "file": file, "line": line}
        )


def _count_outcome(report: Report, outcome: Outcome, times: int = 1) -> None:
    report.finished += times
    report.outcomes[outcome.reason] += times
    for seat in outcome.winners:
        report.winners[f"player {seat}"] += times
    if not outcome.winners:
        report.winners["nobody"] += times
    for score in outcome.scores.values():
        report.score_count += times
        report.score_sum += score * times
        report.score_squares += score * score * times
        report.score_min = score if report.score_min is None else min(report.score_min, score)
        report.score_max = score if report.score_max is None else max(report.score_max, score)
