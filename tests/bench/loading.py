"""How long it takes until a shipped game is there: checked anew, and kept from an earlier start.
And until one was played in the largest: its rules compiled anew, and kept.

    python tests/bench/loading.py [ROUNDS]

Each load is a process of its own, from before `import rulelang` to the game; what other modules it
needs was compiled to bytecode before. The medians of the processor's seconds are shown.

How fast a machine is differs from hour to hour, so a game written by hand is played between the
loads. The seconds in brackets are those of a machine on which it comes to 28,000 games/s. Exits
with 1 if a game takes longer than it should there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from rulelang.loader import shipped  # noqa: E402
from tests.bench.solo_by_hand import play_random  # noqa: E402

BY_HAND = 28_000
"""Games a second of The Lost Expedition, written by hand, on the machine that the limits mean."""

COLD, WARM = 1.2, 0.15
"""Seconds that no game should take longer than."""
LARGEST = "dinosaurs"
PLAYED_COLD, PLAYED_WARM = 1.5, 0.25
"""Seconds that the largest should take at most, loaded, checked and compiled."""
ROUNDS = 7
DEEDS = {
    "loaded": "",
    "a whole game": "rulelang.simulate(game, games=1)",
    "step by step": """
session = game.start()
for number in range(200):
    if not session.over:
        session.choose(number % session.count)
""",
}
"""What is done with a game that was loaded. It compiles the rules that it meets."""
RUN = """
import sys, time
began = time.process_time()
import rulelang
game = rulelang.load(sys.argv[1])
exec(sys.argv[2])
seconds = time.process_time() - began
from rulelang import cache
assert cache.key_of("") is not None, "rulelang was changed just now: nothing is kept"
print(seconds)
"""


def seconds(game: str, deed: str, cache: Path, bytecode: Path) -> float:
    """What one process needs to load a game, and to do something with it."""
    env = {**os.environ, "RULELANG_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(bytecode)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    ran = subprocess.run(
        [sys.executable, "-c", RUN, game, DEEDS[deed]],
        cwd=ROOT, env=env, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return float(ran.stdout)


def by_hand(games: int = 2_000) -> float:
    """Games a second of a game that is written by hand."""
    began = time.process_time()
    for seed in range(games):
        play_random(seed)
    return games / (time.process_time() - began)


class Timed(NamedTuple):
    """Medians of the seconds with an empty cache, and of the same once more."""

    cold: float
    warm: float
    speed: float
    """This machine's, in those minutes, as a share of that which the limits mean."""

    def __str__(self) -> str:
        cold, warm = self.cold * self.speed, self.warm * self.speed
        return f"{self.cold:6.3f} s ({cold:.2f}), kept {self.warm:6.3f} s ({warm:.2f})"

    def over(self, cold: float, warm: float) -> bool:
        """Does it take longer than it should?"""
        return self.cold * self.speed > cold or self.warm * self.speed > warm


def measured(game: str, deed: str, rounds: int, bytecode: Path) -> Timed:
    """How long it takes to load a game, and to do something with it."""
    cold, warm, speeds = [], [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as empty:
            cold.append(seconds(game, deed, Path(empty), bytecode))
            warm.append(seconds(game, deed, Path(empty), bytecode))
        speeds.append(by_hand() / BY_HAND)
    return Timed(median(cold), median(warm), median(speeds))


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    slow = []
    with tempfile.TemporaryDirectory() as folder:
        for deed in DEEDS:
            measured(shipped()[0], deed, 1, Path(folder))  # for the bytecode
        for game in shipped():
            timed = measured(game, "loaded", rounds, Path(folder))
            print(f"{game:20} {timed}", flush=True)
            if timed.over(COLD, WARM):
                slow.append(f"{game} takes longer than {COLD} s, or {WARM} s where it is kept")
        for deed in list(DEEDS)[1:]:
            timed = measured(LARGEST, deed, rounds, Path(folder))
            print(f"{LARGEST}, {deed}: {timed}", flush=True)
            if timed.over(PLAYED_COLD, PLAYED_WARM):
                limits = f"{PLAYED_COLD} s, or {PLAYED_WARM} s where it is kept"
                slow.append(f"{LARGEST}, {deed}, takes longer than {limits}")
    print(*slow, sep="\n", end="\n" if slow else "")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
