"""The interpreter and the game written by hand play the same games."""

from __future__ import annotations

from rulelang.engine.chance import Words
from rulelang.engine.events import Question
from rulelang.engine.machine import Machine
from tests.bench.solo_by_hand import Result, play_random
from tests.properties.playing import expedition


def interpreted(seed: int) -> Result:
    """The game of a seed with the random policy, told as the hand-written one tells it."""
    game = expedition()
    made = game.prepared(game.configure("solo", 1, None, None))
    words = Words(seed)
    machine = Machine(made.linked, made.ready, made.initial(), words)
    machine.call("play")
    machine.run()
    decisions = 0
    while not machine.over:
        question = machine.event
        assert isinstance(question, Question)
        decisions += 1
        count = question.count
        machine.answer(words.pick("policy:0", count) if count > 1 else 0)
        machine.run()
    outcome = made.judge.outcome(machine.slots)
    bases = made.linked.bases
    food, ammo, place = (machine.slots[bases[f"Team.{name}"]] for name in ("food", "ammo", "place"))
    chances = words.counters["pile:deck"]
    won = outcome.winners == (0,)
    return Result(won, outcome.reason, outcome.scores[0], food, ammo, place, decisions, chances)


def test_both_play_the_same_games() -> None:
    for seed in range(400):
        assert interpreted(seed) == play_random(seed)
