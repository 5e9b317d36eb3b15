"""How fast the small games are played at random: by rulelang, by hand in Python, and by OpenSpiel.

    pip install -e '.[bench]'
    python tests/bench/peers.py [GAME …]

Whoever plays takes turns in rounds, so that what else the machine does slows all alike; medians are
shown. Seconds are the processor's. Everybody chooses uniformly among the options, and chance is
drawn for each event. OpenSpiel plays in up to three ways: its games in C++ driven from Python, step
by step, as one drives them to search or to learn; the same with its games that are written in
Python; and games in C++ that its C++ plays through by itself.

In backgammon a turn is one choice there and up to four here, so the games at random are not quite
the same. In goofspiel the last card is one choice less there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import geometric_mean, median
from typing import Any

ROOT = Path(__file__).parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from rulelang import load, simulate  # noqa: E402
from tests.bench import small_by_hand  # noqa: E402

try:
    import pyspiel
    from open_spiel.python import games  # noqa: F401  # makes its Python games known
except ImportError:
    pyspiel = None

ROUNDS = 5
SECONDS = 0.25
"""The time that a round should take at least."""
UNMEASURED = 50
"""Games that are played first: rules are compiled when they are met."""
IN_PYTHON = {"tic_tac_toe": "python_tic_tac_toe", "kuhn_poker": "python_kuhn_poker"}
"""Which of OpenSpiel's games are also written in Python there."""

RULELANG, BY_HAND = "rulelang", "by hand in Python"
DRIVEN, ALONE, PYTHON = "OpenSpiel, C++ from Python", "OpenSpiel, C++ alone", "OpenSpiel, Python"

Way = Callable[[int, int], None]
"""Plays as many games as are asked for, beginning with a seed."""


# ------------------------------------------------------------------ who plays


def by_rulelang(name: str) -> Way:
    """The fastest way that the library offers to play many games."""
    game = load(name)

    def play(seed: int, count: int) -> None:
        report = simulate(game, games=count, seed=seed, policy="random")
        assert report.finished == count

    return play


def by_hand(name: str) -> Way:
    def play(seed: int, count: int) -> None:
        for number in range(seed, seed + count):
            small_by_hand.play_random(name, number)

    return play


def driven(name: str) -> Way:
    """A game of OpenSpiel, step by step from Python."""
    game = pyspiel.load_game(name)

    def play(seed: int, count: int) -> None:
        random = Random(seed)
        for _ in range(count):
            play_through(game.new_initial_state(), random)

    return play


def play_through(state: Any, random: Random) -> None:
    """From a state of OpenSpiel to the end, at random."""
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(drawn(state.chance_outcomes(), random))
        elif state.is_simultaneous_node():
            seats = range(state.num_players())
            state.apply_actions([random.choice(state.legal_actions(seat)) for seat in seats])
        else:
            state.apply_action(random.choice(state.legal_actions()))


def drawn(outcomes: Sequence[tuple[int, float]], random: Random) -> int:
    """One of the outcomes by its probability."""
    left = random.random()
    for action, probability in outcomes:
        left -= probability
        if left < 0:
            return action
    return outcomes[-1][0]


def alone(name: str) -> Way:
    """A game of OpenSpiel that its C++ plays through with its own bots."""
    game = pyspiel.load_game(name)

    def play(seed: int, count: int) -> None:
        bots = [pyspiel.make_uniform_random_bot(seat, seed + seat) for seat in (0, 1)]
        for number in range(count):
            pyspiel.evaluate_bots(game.new_initial_state(), bots, seed + number)

    return play


def ways(name: str) -> dict[str, Way]:
    """Who plays a game, by what is printed."""
    found = {RULELANG: by_rulelang(name), BY_HAND: by_hand(name)}
    if pyspiel is not None and name in pyspiel.registered_names():
        found |= {DRIVEN: driven(name), ALONE: alone(name)}
        if name in IN_PYTHON:
            found[PYTHON] = driven(IN_PYTHON[name])
    return found


# ------------------------------------------------------------------ measuring


def took(way: Way, seed: int, count: int) -> float:
    """Seconds of the processor for so many games."""
    began = time.process_time()
    way(seed, count)
    return time.process_time() - began


def enough(way: Way) -> int:
    """How many games take about the time of a round. What is made once is made here, unmeasured."""
    way(0, UNMEASURED)
    count = 1
    while (seconds := took(way, 0, count)) < SECONDS / 4:
        count *= 2
    return max(1, round(count * SECONDS / seconds))


def measure(name: str) -> dict[str, float]:
    """Games a second, by who plays."""
    players = ways(name)
    counts = {who: enough(way) for who, way in players.items()}
    rates: dict[str, list[float]] = {who: [] for who in players}
    for number in range(ROUNDS):
        for who, way in players.items():
            count = counts[who]
            rates[who].append(count / took(way, number * count, count))
    return {who: median(found) for who, found in rates.items()}


def show(name: str, rates: dict[str, float]) -> None:
    """A line for each who plays, with how many times as fast as rulelang it is."""
    print(name)
    for who, rate in rates.items():
        ratio = "" if who == RULELANG else f"  {rate / rates[RULELANG]:8.2f} times as fast"
        print(f"  {who:27} {rate:12,.0f} games/s{ratio}")


def main(arguments: list[str]) -> int:
    """Measure and print; the exit status."""
    if unknown := set(arguments) - set(small_by_hand.GAMES):
        print(f"there is no small game {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    if pyspiel is None:
        print("OpenSpiel is not installed, and left out: pip install -e '.[bench]'")
    measured = {}
    for name in arguments or small_by_hand.GAMES:
        measured[name] = measure(name)
        show(name, measured[name])
    print("in the geometric mean, rulelang = 1")
    for who in (BY_HAND, DRIVEN, ALONE, PYTHON):
        ratios = [rates[who] / rates[RULELANG] for rates in measured.values() if who in rates]
        if ratios:
            print(f"  {who:27} {geometric_mean(ratios):8.2f}  ({len(ratios)} games)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
