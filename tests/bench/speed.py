"""How fast the interpreter plays, beside the game written by hand.

    python tests/bench/speed.py [ROUNDS]

Rounds of both take turns, so that what else the machine does slows both alike; the medians are
shown. Seconds are the processor's. A step is a decision or a chance event. Exits with 1 below the
floor of steps a second.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from rulelang import Game, load, simulate  # noqa: E402
from tests.bench.solo_by_hand import play_random  # noqa: E402

FLOOR = 50_000
"""Steps a second that the interpreter should make."""
ROUNDS = 7
GAMES = 300
"""Games a round, with the same seeds for both."""

Measured = tuple[float, float]
"""Games and steps in a second."""


def interpreted(game: Game, seed: int) -> Measured:
    """A round of the interpreter."""
    began = time.process_time()
    report = simulate(game, mode="solo", games=GAMES, seed=seed, engine="reference")
    seconds = time.process_time() - began
    return report.played / seconds, (report.decisions + report.chances) / seconds


def by_hand(seed: int) -> Measured:
    """A round of the game written by hand, with the same seeds."""
    began = time.process_time()
    results = [play_random(number) for number in range(seed, seed + GAMES)]
    seconds = time.process_time() - began
    steps = sum(result.decisions + result.chances for result in results)
    return GAMES / seconds, steps / seconds


def medians(rounds: list[Measured]) -> Measured:
    """The median of games and of steps."""
    return median(games for games, _ in rounds), median(steps for _, steps in rounds)


def show(name: str, rounds: list[Measured]) -> None:
    """One line: games and steps a second, and how far the rounds lie apart."""
    games, steps = medians(rounds)
    low, high = min(steps for _, steps in rounds), max(steps for _, steps in rounds)
    print(f"{name:12}  {games:8,.0f} games/s  {steps:10,.0f} steps/s  ({low:,.0f} to {high:,.0f})")


def main(arguments: list[str]) -> int:
    """Measure and print; the exit status."""
    count = int(arguments[0]) if arguments else ROUNDS
    game = load("lost_expedition")
    ways: dict[str, Callable[[int], Measured]] = {
        "interpreter": lambda seed: interpreted(game, seed),
        "by hand": by_hand,
    }
    measured: dict[str, list[Measured]] = {name: [] for name in ways}
    for way in ways.values():  # unmeasured: caches, and the processor's clock
        way(0)
    for number in range(count):
        for name, way in ways.items():
            measured[name].append(way(number * GAMES))
    for name, rounds in measured.items():
        show(name, rounds)
    reference, hand = medians(measured["interpreter"])[1], medians(measured["by hand"])[1]
    print(f"by hand is {hand / reference:.1f} times as fast")
    if reference < FLOOR:
        print(f"below the floor of {FLOOR:,} steps/s", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
