"""Games that are played through with compiled rules: a policy answers in place.

Nothing waits, so there is no stack to keep, and chance is drawn as it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from itertools import chain, count
from struct import Struct
from typing import TYPE_CHECKING, Any

from rulelang.engine.chance import WORDS_PER_BLOCK
from rulelang.engine.compiler.support import Doubt, Ended, Left, rules_under_way, under_way
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.machine import FUEL
from rulelang.engine.operators import MAX_WORK
from rulelang.program.linking import WORK
from rulelang.program.values import Value

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module

Word = Callable[[], int]
WINDOW, WORK_WINDOW = FUEL // 3, MAX_WORK // 3
MAX_DECISIONS = 100_000
"""Decisions after which a game that is played through is broken off."""
_unpacked = Struct(f"<{WORDS_PER_BLOCK}I").unpack


def _blocks(start: str) -> Iterator[tuple[int, ...]]:
    return (_unpacked(blake2b(f"{start}{n}".encode()).digest()) for n in count())


class Playthrough:
    """One game that is played to its end."""

    __slots__ = (
        "asked", "calls", "chances", "decisions", "fuel", "module", "scopes", "slots", "stack",
        "turns", "w",
    )  # fmt: skip

    def __init__(self, module: Module, slots: list[Value], seed: int) -> None:
        self.slots = slots
        self.w: list[Word] = [
            chain.from_iterable(_blocks(f"{seed}:{name}:")).__next__ for name in module.words
        ]
        """Of each source the function that gives its next word."""
        self.decisions = 0
        self.chances = 0
        self.turns = 0
        self.fuel = WINDOW
        self.asked = -1
        """The decisions that there had been when fuel was given last."""
        slots[WORK] = WORK_WINDOW
        self.scopes: list[Any] = []
        self.stack = ()
        self.module = module
        self.calls: list[Any] = []

    def depth(self) -> int:
        """How many rules are under way."""
        return rules_under_way()

    def refuel(self) -> None:
        """Go on where fuel or work ran out, if there was a decision since it last did.

        What is allowed between two decisions is given in thirds. If there is a decision in every
        third, no stretch without one takes more than two of them: so nothing need be done at
        decisions. The last third is for what rules counted when they began and do behind a
        decision. Raises Doubt.
        """
        if self.decisions == self.asked or self.decisions > MAX_DECISIONS:
            raise Doubt
        self.asked = self.decisions
        self.fuel = WINDOW + min(self.fuel, 0)
        self.slots[WORK] = WORK_WINDOW + min(self.slots[WORK], 0)
        if self.fuel < 0 or self.slots[WORK] < 0:
            raise Doubt


def play(module: Module, seed: int) -> Playthrough:
    """Play a game to its end. Raises Doubt."""
    slots: list[Value] = module.begin()
    game = Playthrough(module, slots, seed)
    slots.append(game)  # for whoever has nothing but the state
    under_way.slots = slots
    try:
        module.play(game, slots)
    except Ended:
        pass
    except (Left, Fault, *UNFORESEEN) as error:
        raise Doubt from error
    if game.decisions > MAX_DECISIONS:
        raise Doubt
    if slots[WORK] < 0 or game.fuel < 0:
        game.refuel()
    slots.pop()
    return game
