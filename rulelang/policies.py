"""Policies: how seats that play by themselves choose.

A policy names the options that it holds for equally good; of these one random word picks one. The
greedy one looks no further than to the next chance event or the next choice of another seat, and
asks only the game's `evaluate` what it finds there, which reads nothing that the seat may not see.
What a rule turns over on that way without chance, though, it turns over for the bot as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.diagnostic import suggest
from rulelang.engine.chance import Words
from rulelang.engine.compiler.handing import to_reference
from rulelang.engine.compiler.machine import Stepper
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.events import Question
from rulelang.engine.fault import Fault
from rulelang.engine.machine import Machine
from rulelang.errors import UsageError, shown
from rulelang.prepared import Prepared
from rulelang.program.values import Entry

AnyMachine = Machine | Stepper
Policy = Callable[[AnyMachine, Prepared], Sequence[int]]
"""The indices of the options that are best, of a machine at which a question is open."""

Worth = tuple[int, int]
"""Won (1), lost (-1) or neither, and how good the position is."""
LOST: Worth = (-1, -(10**18))
MAX_LOOKS = 400
"""Positions that the greedy policy looks at for one choice, shared among its options."""
MAX_WIDTH = 400
"""Options that it looks at; of more, the first ones."""
MAX_DEPTH = 12
"""Choices in a row that it thinks ahead."""


def choose(name: str, machine: AnyMachine, made: Prepared, words: Words) -> int:
    """The option that a policy picks. No word is used where nothing is to be picked."""
    found = POLICIES[name](machine, made)
    if len(found) == 1:
        return found[0]
    event = machine.event
    assert isinstance(event, Question)
    return found[words.pick(f"policy:{event.player.key}", len(found))]


def check(name: object, made: Prepared) -> str:
    """The policy's name. Raises `UsageError` if there is no such policy for the game."""
    if not isinstance(name, str) or name not in POLICIES:
        near = suggest(name, POLICIES) if isinstance(name, str) else []
        raise UsageError(f"there is no policy {shown(name)}", near or list(POLICIES))
    if name == "greedy" and not made.judge.evaluates:
        raise UsageError(
            f"{name} bots cannot play this game in mode {made.linked.mode}: it does not say how "
            "good a position is (`evaluate for p: Player = …` in its outcome)"
        )
    return name


def _random(machine: AnyMachine, made: Prepared) -> Sequence[int]:
    """All options."""
    assert isinstance(machine.event, Question)
    return range(machine.event.count)


def _first(machine: AnyMachine, made: Prepared) -> Sequence[int]:
    """The first option."""
    return [0]


def _greedy(machine: AnyMachine, made: Prepared) -> Sequence[int]:
    """The options that lead to the best position by the game's `evaluate`."""
    asked = _asked(machine)
    assert asked is not None
    if asked[0] == 1:
        return [0]
    count = min(asked[0], MAX_WIDTH)
    look = _Lookahead(made, asked[1])
    values = []
    for option in range(count):
        look.left = MAX_LOOKS // count
        values.append(look.after(machine, option, 1))
    best = max(values)
    return [option for option, value in enumerate(values) if value == best]


class _Lookahead:
    """What a seat can bring about by itself, before chance or anybody else has a say."""

    def __init__(self, made: Prepared, seat: Entry) -> None:
        self.made = made
        self.seat = seat
        self.left = 0
        """How many positions may still be looked at."""

    def after(self, machine: AnyMachine, option: int, depth: int) -> Worth:
        """The worth of the position that an option leads to, the seat's next choices included.

        An option with which a rule goes wrong is as good as lost. Raises Fault if it is the game's
        `evaluate` or `outcome` that goes wrong.
        """
        self.left -= 1
        try:
            later = _answered(machine, option)
        except Fault:
            return LOST
        return self._worth(later, depth)

    def _worth(self, machine: AnyMachine, depth: int) -> Worth:
        if machine.over:
            outcome = self.made.judge.quick_outcome(machine.slots)
            score = outcome.scores.get(self.seat.index, 0)
            if self.seat.index in outcome.winners:
                return 1, score
            if self.seat.index in outcome.losers:
                return -1, score
        asked = _asked(machine)
        if asked is not None and asked[1] is self.seat and depth < MAX_DEPTH:
            found = []
            for option in range(min(asked[0], MAX_WIDTH)):
                if self.left <= 0:
                    break
                found.append(self.after(machine, option, depth + 1))
            if found:
                return max(found)
        return 0, self.made.judge.quick_value(machine.slots, self.seat)


def _asked(machine: AnyMachine) -> tuple[int, Entry] | None:
    """Of an open decision how many options it has, and whose it is; nothing is described for it."""
    if isinstance(machine, Stepper):
        found = machine.open
        return found[:2] if found is not None and len(found) == 3 else None
    event = machine.event
    return (event.count, event.player) if isinstance(event, Question) else None


def _answered(machine: AnyMachine, option: int) -> AnyMachine:
    """A copy of a machine that has gone on with an option. Raises Fault."""
    if isinstance(machine, Stepper):
        copy = machine.clone()
        copy.words = None  # without words a chance event stays open
        try:
            copy.step(option)
            return copy
        except Doubt:
            machine = to_reference(machine)
    later = machine.clone()
    later.words, later.log = None, None
    later.answer(option)
    later.run()
    return later


POLICIES: dict[str, Policy] = {"random": _random, "first": _first, "greedy": _greedy}
