"""How long it takes to find all legal moves on a board, and how fast the games with boards run.

    python tests/bench/boards.py

The moves are those of twelve pawns on twelve circles for a roll of 4: every way of every pawn, as
the game's own questions find them. Medians of several runs, in the processor's time.
"""

from __future__ import annotations

import random
import statistics
import time

import rulelang
from rulelang.engine.evaluate import evaluate
from rulelang.engine.operators import Evaluator
from rulelang.program.values import Entry

ROUNDS, REPEATS = 15, 40
ROLL = 4


def spread(seed: int) -> tuple[list[object], Evaluator, int, list[Entry]]:
    """A state with the pawns on twelve circles, and the question that lists the ways of one."""
    game = rulelang.load("jurassic")
    linked = game.configure("standard", 2, {}, {})
    made = game.prepared(linked)
    slots = made.initial()
    circles = [e for e in game.program.domains["Place"].entries if e.variant == "circle"]
    chosen = random.Random(seed).sample(circles, 12)
    base = linked.bases["Pawn.spot"]
    slots[base : base + 12] = chosen
    question = game.program.questions["walks"]
    return slots, made.evaluators.question("walks"), question.slots, chosen


def moves() -> tuple[float, int]:
    """Milliseconds for the ways of all twelve pawns, and how many there are."""
    times, found = [], 0
    for seed in range(ROUNDS):
        slots, walks, count, places = spread(seed)
        began = time.process_time()
        for _ in range(REPEATS):
            found = sum(
                len(evaluate(walks, slots, [place, ROLL, *[None] * count])) for place in places
            )
        times.append((time.process_time() - began) / REPEATS * 1000)
    return statistics.median(times), found


def main() -> None:
    """Print the figures."""
    took, found = moves()
    print(f"all ways of 12 pawns for a {ROLL}: {took:.2f} ms (the last time {found} ways)")
    for name, mode, games in (("jurassic", "standard", 60), ("dinosaurs", "solitaire", 100)):
        report = rulelang.simulate(name, mode=mode, games=games)
        turns = report.turns / max(report.seconds, 1e-9)
        print(
            f"{name}, {mode}: {report.games_per_second:,.1f} games/s, "
            f"{report.decisions_per_second:,.0f} decisions/s, {turns:,.0f} turns/s"
        )


if __name__ == "__main__":
    main()
