"""Where the time of random games goes: samples of what the processor is at.

    python tests/bench/sampled.py [GAME [MODE [SECONDS [steps]]]]

Whole games of `simulate`, or with ``steps`` the same through `Session.choose`.

Shares of the samples by function; those of generated code begin with ``r_`` (rules), ``h``
(helpers) or ``q_`` (questions). The calls of Python functions are counted in a run of their own.
"""

from __future__ import annotations

import cProfile
import pstats
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from rulelang import Game, load, simulate  # noqa: E402
from tests.bench.solo_by_hand import words  # noqa: E402

Play = Callable[[Game, str | None, int, int], None]
GAMES = 200
EVERY = 0.001
SHOWN = 15


def whole(game: Game, mode: str | None, seed: int, games: int) -> None:
    """Play whole games."""
    simulate(game, mode=mode, games=games, seed=seed)


def stepped(game: Game, mode: str | None, seed: int, games: int) -> None:
    """Play games step by step."""
    for number in range(seed, seed + games):
        session, word = game.start(mode=mode, seed=number), words(number, "policy:0")
        while not session.over:
            session.choose(word() * session.count >> 32)


def sampled(game: Game, mode: str | None, seconds: float, play: Play) -> Counter[str]:
    """How often the processor was found in each function."""
    found: Counter[str] = Counter()

    def note(_: int, frame: FrameType | None) -> None:
        if frame is not None:
            found[frame.f_code.co_name] += 1

    signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    began, seed = time.process_time(), 0
    while time.process_time() - began < seconds:
        play(game, mode, seed, GAMES)
        seed += GAMES
    signal.setitimer(signal.ITIMER_PROF, 0)
    return found


def calls(game: Game, mode: str | None, play: Play) -> float:
    """Calls of Python functions a game."""
    profile = cProfile.Profile()
    profile.enable()
    play(game, mode, 0, GAMES)
    profile.disable()
    stats: Any = pstats.Stats(profile)
    return float(sum(each[0] for where, each in stats.stats.items() if where[0] != "~")) / GAMES


def main(given: list[str]) -> None:
    """Play, and print the shares."""
    game = load(given[0] if given else "lost_expedition")
    mode = given[1] if len(given) > 1 else None
    play = stepped if given[3:] == ["steps"] else whole
    play(game, mode, 0, 2 * GAMES)  # unmeasured: rules are compiled when they are first met
    found = sampled(game, mode, float(given[2]) if len(given) > 2 else 5, play)
    print(f"{calls(game, mode, play):,.0f} calls of Python functions a game")
    for name, count in found.most_common(SHOWN):
        print(f"{count / found.total():6.1%}  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
