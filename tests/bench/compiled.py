"""How fast compiled rules play, beside the interpreter and beside a game written by hand.

    python tests/bench/compiled.py [ROUNDS]

Rounds of all ways take turns, so that what else the machine does slows all alike; medians count.
Seconds are the processor's. *Rollouts* are games of `simulate` by the random policy; *stepping* is
the same through `Session.choose`, with a state that can be copied at every decision. Sessions that
nobody looks into run ahead, until somebody does; *looked at* are such as are looked into at their
first decision, as whoever copies them does. What is measured there is the engine, not the policy:
so it picks from the same stream of words, in the same way, as the game by hand.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from rulelang import Game, load, simulate  # noqa: E402
from rulelang.engine.chance import Words  # noqa: E402
from tests.bench.solo_by_hand import play_random, words  # noqa: E402

ROUNDS, UNMEASURED = 7, 3
TABLES = (
    ("lost_expedition", "solo", 1, {}, 300),
    ("lost_expedition", "coop", 3, {}, 100),
    ("jurassic", "standard", 2, {}, 60),
    ("dinosaurs", "solitaire", 1, {}, 60),
    ("dinosaurs", "several", 2, {"rounds": "sixty"}, 50),
)
"""Game, mode, players, settings, and games a round: so many that they are played as a batch."""
SOLO = 1_000
"""Games a round beside the game by hand."""
CLONES = 20_000
Timed = Callable[[int], float]
"""A round, from a seed on: the seconds that a game takes."""


def simulated(
    game: Game, engine: str, mode: str, players: int, settings: dict[str, str], games: int
) -> Timed:
    """Rounds of `simulate`."""

    def run(seed: int) -> float:
        began = time.process_time()
        simulate(
            game, mode=mode, players=players, settings=settings, games=games, seed=seed,
            engine=engine,
        )  # fmt: skip
        return (time.process_time() - began) / games

    return run


def stepped(game: Game, games: int, *, looked_at: bool = False) -> Timed:
    """Rounds of solo games through a session."""

    def run(seed: int) -> float:
        began = time.process_time()
        for number in range(seed, seed + games):
            session: Any = game.start(mode="solo", seed=number)
            if looked_at:
                session.position  # noqa: B018
            word = words(number, "policy:0")
            while not session.over:
                count = session.count
                session.choose(word() * count >> 32 if count > 1 else 0)
        return (time.process_time() - began) / games

    return run


def by_hand(games: int) -> Timed:
    """Rounds of the solo game written by hand."""

    def run(seed: int) -> float:
        began = time.process_time()
        for number in range(seed, seed + games):
            play_random(number)
        return (time.process_time() - began) / games

    return run


def in_turns(ways: dict[str, Timed], rounds: int, games: int) -> dict[str, float]:
    """The median seconds a game of several ways, whose rounds take turns."""
    for way in ways.values():  # unmeasured: rules are compiled when they are first met
        for number in range(UNMEASURED):
            way((rounds + number) * games)
    taken: dict[str, list[float]] = {name: [] for name in ways}
    for number in range(rounds):
        for name, way in ways.items():
            taken[name].append(way(number * games))
    return {name: median(each) for name, each in taken.items()}


def clone_time(game: Game, mode: str, players: int, settings: dict[str, str]) -> float:
    """The median seconds that a copy of a game in progress takes, without its past."""
    session: Any = game.start(mode=mode, players=players, settings=settings, seed=3)
    picks = Words(3)
    for _ in range(25):
        if not session.over:
            session.choose(picks.pick("policy", session.count))
    taken = []
    for _ in range(ROUNDS):
        clone = session.position.clone
        began = time.process_time()
        for _ in range(CLONES):
            clone()
        taken.append((time.process_time() - began) / CLONES)
    return median(taken)


def main(arguments: list[str]) -> int:
    """Measure and print."""
    rounds = int(arguments[0]) if arguments else ROUNDS
    solo = load("lost_expedition")
    ways = {
        "by hand": by_hand(SOLO),
        "rollouts": simulated(solo, "compiled", "solo", 1, {}, SOLO),
        "stepping": stepped(solo, SOLO),
        # Of a game by itself, as looks count for all sessions of one.
        "looked at": stepped(load("lost_expedition"), SOLO, looked_at=True),
    }
    taken = in_turns(ways, rounds, SOLO)
    for name, seconds in taken.items():
        ratio = taken["by hand"] / seconds
        print(f"solo, {name:9} {1 / seconds:10,.0f} games/s   {ratio:5.2f} of by hand")
    for name, mode, players, settings, games in TABLES:
        game = load(name)
        both = {
            engine: simulated(game, engine, mode, players, settings, games)
            for engine in ("reference", "compiled")
        }
        taken = in_turns(both, rounds, games)
        clone = clone_time(game, mode, players, settings)
        print(
            f"{name}, {mode} for {players}: {1 / taken['compiled']:,.0f} games/s, "
            f"{taken['reference'] / taken['compiled']:.1f} times the interpreter; "
            f"a copy takes {clone * 1e6:.2f} µs"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
