"""Whole games played by bots, on either engine.

The compiled engine plays; where it is in doubt, the reference interpreter plays the same game from
its start, and what it says counts.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from attrs import Factory, define

from rulelang import policies
from rulelang.collecting import uncollected
from rulelang.counting import Tally
from rulelang.engine.chance import Words
from rulelang.engine.compiler import rollout
from rulelang.engine.compiler.batch import first_words, loop, none_first
from rulelang.engine.compiler.judge import Verdict
from rulelang.engine.compiler.machine import Stepper
from rulelang.engine.compiler.rollout import Playthrough, play
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.fault import Fault
from rulelang.engine.machine import Machine
from rulelang.judging import Outcome
from rulelang.prepared import Prepared

IN_PLACE = ("random", "first")
"""Policies that need nothing but the number of options: whole games are played in one go."""


@define
class Played:
    """A game that was played: what it took, and how it ended."""

    decisions: int = 0
    chances: int = 0
    turns: int = 0
    outcome: Outcome | None = None
    """None for a game that was broken off, or that went wrong."""
    fault: Fault | None = None
    machine: Machine | None = None
    """Of a game that went wrong: where it stands; None if it never began."""


def play_game(made: Prepared, seed: int, policy: str, engine: str, tally: Tally) -> Played:
    """One game of one seed; its calls are added to a tally."""
    if engine == "compiled":
        try:
            if policy in IN_PLACE:
                return _in_place(made, seed, policy, tally)
            if not tally.wanted:
                return _in_steps(made, seed, policy)
        except Doubt:
            tally.forget()
    return _by_reference(made, seed, policy, tally)


@define
class Batch:
    """Many games that were played in place; those in doubt are not among them."""

    verdicts: dict[Verdict, int] = Factory(dict)
    decisions: int = 0
    chances: int = 0
    turns: int = 0
    doubtful: list[int] = Factory(list)
    """The seeds of the games in which generated code was in doubt."""


MANY = 50
"""Games of a batch for which it is worth while to look how far all go alike."""
FIRST = 10
"""Of so many games, those that show which random words nearly all take."""


def play_batch(made: Prepared, seeds: range, policy: str, batch: Batch) -> None:
    """Play the games of some seeds, by a policy that answers in place and compiled rules.

    The game that an interrupt breaks off is not counted.
    """
    many = len(seeds) >= MANY
    module = made.playing_many(policy) if many else made.playing(policy)
    try:
        game = Playthrough(module, module.opening)
    except Doubt:
        batch.doubtful += seeds
        return
    game.charge()
    told: list[Verdict] = []
    places = game, game.slots, told.append, batch.doubtful.append
    one = loop(module, game.opening, none_first(module))
    try:
        if not many:
            with uncollected():  # rules are compiled when they are first met
                one(*places, seeds)
            return
        taken = []
        with uncollected():
            for seed in seeds[:FIRST]:
                one(*places, [seed])
                taken.append(game.taken())
        loop(module, game.opening, first_words(taken))(*places, seeds[FIRST:])
    finally:
        game.slots.clear()  # which know the game, and so its rules
        batch.decisions += game.decisions
        batch.chances += game.chances
        batch.turns += game.turns
        for verdict, times in Counter(told).items():
            batch.verdicts[verdict] = batch.verdicts.get(verdict, 0) + times


def _in_place(made: Prepared, seed: int, policy: str, tally: Tally) -> Played:
    """The policy answers where the rules ask. Raises Doubt."""
    module = made.playing(policy, tally.wanted)
    game = play(module, seed)
    if tally.wanted:
        tally.add("play", ())
        for what, name, arguments in game.calls:
            tally.add(name, arguments, what)
    outcome = made.judge.told(module.verdict(game.slots))
    decisions, chances = game.events()
    return Played(decisions, chances, game.turns, outcome)


def _in_steps(made: Prepared, seed: int, policy: str) -> Played:
    """The policy looks at each decision. Raises Doubt."""
    words = Words(seed)
    try:
        machine = made.opened.clone()
    except Fault as fault:
        raise Doubt from fault
    machine.sample(words)
    decisions = 0
    while not machine.over and decisions < rollout.MAX_DECISIONS:
        decisions += 1
        machine.step(_chosen(policy, machine, made, words))
    outcome = _judged(made, machine.slots) if machine.over else None
    return Played(decisions, _chances(words), machine.turns, outcome)


def _chosen(policy: str, machine: Stepper, made: Prepared, words: Words) -> int:
    try:
        return policies.choose(policy, machine, made, words)
    except Fault as fault:
        raise Doubt from fault


def _judged(made: Prepared, slots: list[Any]) -> Outcome:
    try:
        return made.judge.quick_outcome(slots)
    except Fault as fault:
        raise Doubt from fault


def _chances(words: Words) -> int:
    """The chance events that were drawn."""
    return sum(n for source, n in words.counters.items() if not source.startswith("policy:"))


def _by_reference(made: Prepared, seed: int, policy: str, tally: Tally) -> Played:
    words = Words(seed)
    played = Played()
    try:
        machine = played.machine = Machine(made.linked, made.ready, made.initial(), words)
        tally.attach(machine)
        machine.call("play")
        _decide(machine, made, policy, words, tally, played)
        played.outcome = made.judge.outcome(machine.slots) if machine.over else None
    except Fault as fault:
        played.fault = fault
    if played.machine is not None:
        tally.take(played.machine)
        played.turns = played.machine.turns
    played.chances = _chances(words)
    return played


def _decide(
    machine: Machine, made: Prepared, policy: str, words: Words, tally: Tally, played: Played
) -> None:
    """Play to the end."""
    machine.run()
    while not machine.over and played.decisions < rollout.MAX_DECISIONS:
        played.decisions += 1
        tally.take(machine)
        machine.answer(policies.choose(policy, machine, made, words))
        machine.run()
