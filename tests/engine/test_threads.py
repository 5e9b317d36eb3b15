"""Sessions of one game in several threads: rules are compiled while others play."""

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from rulelang import Game, load

THREADS = 4
STEPS = 60


@pytest.fixture(autouse=True)
def _much_switching() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def played(game: Game, seed: int, engine: str) -> list[str]:
    session = game.start(seed=seed, engine=engine)
    found = []
    for step in range(STEPS):
        if session.over:
            break
        session.choose(step % len(session.legal))
        found.append(session.digest())
    return found


def test_threads_play_what_one_alone_plays() -> None:
    barrier = Barrier(THREADS)
    game = load("lost_expedition")

    def together(seed: int) -> list[str]:
        barrier.wait()
        return played(game, seed, "compiled")

    with ThreadPoolExecutor(THREADS) as pool:
        found = list(pool.map(together, range(THREADS)))
    assert found == [played(game, seed, "reference") for seed in range(THREADS)]
