"""How long it takes until a shipped game is there: checked anew, and kept from an earlier start.

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
ROUNDS = 7
LOAD = """
import sys, time
began = time.process_time()
import rulelang
rulelang.load(sys.argv[1])
seconds = time.process_time() - began
from rulelang import cache
assert cache.key_of("") is not None, "rulelang was changed just now: nothing is kept"
print(seconds)
"""


def seconds(game: str, cache: Path, bytecode: Path) -> float:
    """What one process needs to load a game."""
    env = {**os.environ, "RULELANG_CACHE": str(cache), "PYTHONPYCACHEPREFIX": str(bytecode)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    ran = subprocess.run(
        [sys.executable, "-c", LOAD, game],
        cwd=ROOT, env=env, stdout=subprocess.PIPE, check=True,
    )  # fmt: skip
    return float(ran.stdout)


def measured(game: str, rounds: int, bytecode: Path) -> tuple[float, float]:
    """The medians of loading a game with an empty cache, and of loading it again."""
    cold, warm = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as empty:
            cold.append(seconds(game, Path(empty), bytecode))
            warm.append(seconds(game, Path(empty), bytecode))
    return median(cold), median(warm)


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else ROUNDS
    slow = []
    with tempfile.TemporaryDirectory() as folder:
        measured(shipped()[0], 1, Path(folder))  # for the bytecode
        for game in shipped():
            cold, warm = measured(game, rounds, Path(folder))
            print(f"{game:20} {cold:6.3f} s, kept {warm:6.3f} s", flush=True)
            slow += [game] if cold > COLD or warm > WARM else []
    for game in slow:
        print(f"{game} takes longer than {COLD} s, or {WARM} s where it is kept")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
