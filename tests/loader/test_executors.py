"""Many games on threads, processes and other machines: the report is the same."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulelang import load
from rulelang.errors import UsageError
from rulelang.simulation import Report, simulate
from tests.cli.toy import ENDLESS_STEPS, write_toy

GAMES = 900
"""More than a few pieces of work."""
Opened = Callable[[], Any]


@contextmanager
def _on_dask(*, processes: bool) -> Iterator[Executor]:
    distributed = pytest.importorskip("distributed", reason="needs the extra `dask`")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=2, processes=processes, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
        client.get_executor() as executor,
    ):
        yield executor


EXECUTORS: dict[str, Opened] = {
    "threads": lambda: ThreadPoolExecutor(3),
    "processes": lambda: ProcessPoolExecutor(2),
    "threads of dask": lambda: _on_dask(processes=False),
    "processes of dask": lambda: _on_dask(processes=True),
}


def untimed(report: Report) -> Report:
    return evolve(report, seconds=0.0)


def played(where: Any, **how: Any) -> Report:
    given = {"games": GAMES, "seed": 5, "count": ["step", "halted"], "settings": {"length": "long"}}
    return untimed(simulate(where, **{**given, **how}))


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize("opened", EXECUTORS.values(), ids=EXECUTORS)
def test_the_report_is_the_same_on_any_executor(
    tmp_path: Path, opened: Opened, engine: str
) -> None:
    game = load(write_toy(tmp_path))
    alone = played(game)
    assert alone.counts["halted"].games == alone.outcomes["halted"] > 0
    with opened() as executor:
        assert played(game, executor=executor, engine=engine) == alone


@pytest.mark.parametrize("policy", ["random", "first"])
def test_the_report_is_the_same_with_jobs(tmp_path: Path, policy: str) -> None:
    write_toy(tmp_path, ENDLESS_STEPS)
    alone = played(tmp_path, policy=policy)
    assert alone.faults
    assert played(tmp_path, policy=policy, jobs=2) == alone


@pytest.mark.parametrize("opened", EXECUTORS.values(), ids=EXECUTORS)
def test_a_shipped_game_on_any_executor(opened: Opened) -> None:
    def report(**how: Any) -> Report:
        return untimed(simulate("leduc_poker", games=GAMES, seed=1, **how))

    with opened() as executor:
        assert report(executor=executor) == report()


# ---------------------------------------------------------------- whoever works has the same files


class _Late(Executor):
    """Works in this process, once something has been done."""

    def __init__(self, first: Callable[[], Any]) -> None:
        self.first: Callable[[], Any] | None = first

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        if self.first is not None:
            self.first()
            self.first = None
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _lengthened(folder: Path) -> None:
    file = folder / "game.rules"
    file.write_text(file.read_text().replace("length is short then 3", "length is short then 4"))


def test_whoever_has_played_before_loads_a_changed_game_anew(tmp_path: Path) -> None:
    write_toy(tmp_path)
    with ThreadPoolExecutor(1) as executor:
        before = played(tmp_path, executor=executor, settings={})
        _lengthened(tmp_path)
        after = played(tmp_path, executor=executor, settings={})
    assert before != after == played(tmp_path, settings={})


def test_a_game_that_changes_meanwhile_is_not_taken_for_the_same(tmp_path: Path) -> None:
    game = load(write_toy(tmp_path))
    with pytest.raises(UsageError, match="are not those that the game was loaded from"):
        played(game, executor=_Late(lambda: _lengthened(tmp_path)))


def test_whoever_works_may_do_so_in_another_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_toy(tmp_path / "toy")
    monkeypatch.chdir(tmp_path)
    elsewhere = _Late(lambda: monkeypatch.chdir("/"))
    report = played("toy", executor=elsewhere)
    assert report == played(tmp_path / "toy")


@pytest.mark.parametrize("given", [3, "threads", object(), ThreadPoolExecutor])
def test_what_is_no_executor(tmp_path: Path, given: Any) -> None:
    write_toy(tmp_path)
    with pytest.raises(UsageError, match=r"an executor of concurrent\.futures is needed"):
        simulate(tmp_path, executor=given)
