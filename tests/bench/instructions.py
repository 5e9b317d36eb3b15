"""How many instructions of the processor a game takes: by hand, in whole games, step by step.

    python tests/bench/instructions.py

Needs valgrind, whose callgrind counts them: the count is the same whatever else the machine does.
It says how much there is to do, not how fast a processor does it: code that is larger, or jumps
more, takes more time for as many instructions.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FEW, MANY = 100, 500
"""Games of two runs: what a game takes is their difference, without what comes before."""
BEGIN = """
import sys
sys.path.insert(0, ".")
from rulelang import load, simulate
from tests.bench.solo_by_hand import play_random, words
"""
WAYS = {
    "by hand": "for seed in range(GAMES): play_random(seed)",
    "rollouts": """
game = load("lost_expedition")
simulate(game, mode="solo", games=200, seed=1000)
simulate(game, mode="solo", games=GAMES)
""",
    "stepping": """
game = load("lost_expedition")
for number in [*range(1000, 1100), *range(GAMES)]:
    session = game.start(mode="solo", seed=number)
    word = words(number, "policy:0")
    while not session.over:
        count = session.count
        session.choose(word() * count >> 32 if count > 1 else 0)
""",
}


def instructions(program: str) -> int:
    """Those of a whole process."""
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", sys.executable]
    ran = subprocess.run(
        [*command, "-c", BEGIN + program],
        cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"}, stderr=subprocess.PIPE, check=True,
    )  # fmt: skip
    found = re.search(rb"Collected : (\d+)", ran.stderr)
    assert found is not None, ran.stderr.decode()
    return int(found[1])


def main() -> int:
    hand = 0.0
    for name, program in WAYS.items():
        subprocess.run(  # unmeasured: what is compiled is kept
            [sys.executable, "-c", BEGIN + program.replace("GAMES", str(MANY))],
            cwd=ROOT, check=True,
        )  # fmt: skip
        few, many = (instructions(program.replace("GAMES", str(n))) for n in (FEW, MANY))
        each = (many - few) / (MANY - FEW)
        hand = hand or each
        print(f"{name:9} {each:10,.0f} instructions a game   {hand / each:5.2f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
