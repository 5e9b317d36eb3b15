"""How long it takes until a shipped game is there: checked anew, and kept from an earlier start.
And until one was played in the largest: its rules compiled anew, and kept.

    python tests/bench/loading.py [ROUNDS]

Each load is a process of its own, from before `import rulelang` to the game; what other modules it
needs was compiled to bytecode before. The medians of the processor's seconds are shown. Exits with
1 if a game takes longer than it should.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from rulelang.loader import shipped  # noqa: E402

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


def measured(game: str, deed: str, rounds: int, bytecode: Path) -> tuple[float, float]:
    """The medians with an empty cache, and of the same once more."""
    cold, warm = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as empty:
            cold.append(seconds(game, deed, Path(empty), bytecode))
            warm.append(seconds(game, deed, Path(empty), bytecode))
    return median(cold), median(warm)


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    slow = []
    with tempfile.TemporaryDirectory() as folder:
        for deed in DEEDS:
            measured(shipped()[0], deed, 1, Path(folder))  # for the bytecode
        for game in shipped():
            cold, warm = measured(game, "loaded", rounds, Path(folder))
            print(f"{game:20} {cold:6.3f} s, kept {warm:6.3f} s", flush=True)
            if cold > COLD or warm > WARM:
                slow.append(f"{game} takes longer than {COLD} s, or {WARM} s where it is kept")
        for deed in list(DEEDS)[1:]:
            cold, warm = measured(LARGEST, deed, rounds, Path(folder))
            print(f"{LARGEST}, {deed}: {cold:6.3f} s, kept {warm:6.3f} s", flush=True)
            if cold > PLAYED_COLD or warm > PLAYED_WARM:
                limits = f"{PLAYED_COLD} s, or {PLAYED_WARM} s where it is kept"
                slow.append(f"{LARGEST}, {deed}, takes longer than {limits}")
    print(*slow, sep="\n", end="\n" if slow else "")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
