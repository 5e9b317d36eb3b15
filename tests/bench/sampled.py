"""Where the time of random games goes: samples of what the processor is at.

    python tests/bench/sampled.py [GAME [MODE [SECONDS]]]

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
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from rulelang import Game, load, simulate  # noqa: E402

GAMES = 200
EVERY = 0.001
SHOWN = 15


def sampled(game: Game, mode: str | None, seconds: float) -> Counter[str]:
    """How often the processor was found in each function."""
    found: Counter[str] = Counter()

    def note(_: int, frame: FrameType | None) -> None:
        if frame is not None:
            found[frame.f_code.co_name] += 1

    signal.signal(signal.SIGPROF, note)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    began, seed = time.process_time(), 0
    while time.process_time() - began < seconds:
        simulate(game, mode=mode, games=GAMES, seed=seed)
        seed += GAMES
    signal.setitimer(signal.ITIMER_PROF, 0)
    return found


def calls(game: Game, mode: str | None) -> float:
    """Calls of Python functions a game."""
    profile = cProfile.Profile()
    profile.enable()
    simulate(game, mode=mode, games=GAMES)
    profile.disable()
    stats: Any = pstats.Stats(profile)
    return float(sum(each[0] for where, each in stats.stats.items() if where[0] != "~")) / GAMES


def main(words: list[str]) -> None:
    """Play, and print the shares."""
    game = load(words[0] if words else "lost_expedition")
    mode = words[1] if len(words) > 1 else None
    simulate(game, mode=mode, games=2 * GAMES)  # unmeasured: rules are compiled when they are met
    found = sampled(game, mode, float(words[2]) if len(words) > 2 else 5)
    print(f"{calls(game, mode):,.0f} calls of Python functions a game")
    for name, count in found.most_common(SHOWN):
        print(f"{count / found.total():6.1%}  {name}")


if __name__ == "__main__":
    main(sys.argv[1:])
