"""What generated code calls: what is rare, and what the reference interpreter has already."""

from __future__ import annotations

import sys
from collections.abc import Callable
from threading import RLock, local
from types import FrameType
from typing import Any

from rulelang.engine.exact import EXACT
from rulelang.engine.operators import LONG, MAX_ITEMS, MAX_WORK, OPERATORS
from rulelang.program.linking import WORK
from rulelang.program.types import MAX_NUMBER, Type, admits
from rulelang.program.values import Value

MOST_REMEMBERED = 50_000
"""Answers that one memory holds."""


class Doubt(Exception):
    """Something odd, of which the reference interpreter has the last word."""


class Left(Exception):
    """On the way to the end of a scope that stands deeper: the number of scopes that are open."""

    def __init__(self, depth: int) -> None:
        super().__init__(depth)
        self.depth = depth


class Ended(Exception):
    """The game has ended."""


class Remembered(dict[Any, Any]):
    """Answers that are asked for by subscript."""

    __slots__ = ("quick",)

    def __init__(self) -> None:
        super().__init__()
        self.quick: dict[Any, Any] = {}
        """The same answers once more: Python finds what is in a plain dictionary sooner."""

    def keep(self, key: Any, value: Value) -> None:
        """Remember an answer, and forget the others where there are too many."""
        if len(self) >= MOST_REMEMBERED:
            self.clear()
            self.quick.clear()
        self[key] = self.quick[key] = value


class Memo(Remembered):
    """Answers of a function that depends on its arguments alone."""

    __slots__ = ("function", "single")

    def __init__(self, function: Callable[..., Value], *, single: bool) -> None:
        super().__init__()
        self.function = function
        self.single = single

    def __missing__(self, key: Any) -> Value:
        value = self.function(key) if self.single else self.function(*key)
        self.keep(key, value)
        return value


_COUNTING = RLock()


class CostMemo(dict[Any, tuple[Any, int]]):
    """Answers of a function that does much, each with the work that it took."""

    __slots__ = ("function", "single", "state")

    def __init__(self, function: Callable[..., Value], state: list[Any], *, single: bool) -> None:
        super().__init__()
        self.function = function
        self.state = state
        """What the work is taken off that the function does."""
        self.single = single

    def __missing__(self, key: Any) -> tuple[Value, int]:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        with _COUNTING:  # threads that play games of one program share the state
            left, self.state[WORK] = self.state[WORK], MAX_WORK
            try:
                value = self.function(key) if self.single else self.function(*key)
                self[key] = answer = value, MAX_WORK - self.state[WORK]
            finally:
                self.state[WORK] = left
        return answer


class LightMemo(Remembered):
    """The answers of another memory that took little work: for that, whoever asks is charged
    anyhow (`Weights`). Other answers are charged to the game that is played through."""

    __slots__ = ("memory",)

    def __init__(self, memory: CostMemo) -> None:
        super().__init__()
        self.memory = memory

    def __missing__(self, key: Any) -> Value:
        value, work = self.memory[key]
        if work <= LITTLE:
            self.keep(key, value)
        else:
            slots = under_way.slots
            slots[WORK] -= work
            if slots[WORK] < 0:
                exhausted(slots)
        return value


class StepMemo(LightMemo):
    """The same for a game that is played step by step: of what took more it gives ``HEAVY``, and
    whoever asked asks again, and is charged."""

    __slots__ = ()

    def __missing__(self, key: Any) -> Value:
        value, work = self.memory[key]
        value = value if work <= LITTLE else HEAVY
        self.keep(key, value)
        return value


class Carried:
    """The functions that carry out the effects of lists that are remembered, by the same keys.

    ``quick`` has those of short lists that took little, once all their functions are compiled.
    """

    __slots__ = ("acts", "light", "long", "most", "quick")

    def __init__(self, acts: Acts, light: dict[Any, Any], most: int) -> None:
        self.acts = acts
        self.light = light
        self.most = most
        self.quick: dict[Any, tuple[Callable[..., Any], ...]] = {}
        self.long: dict[Any, tuple[Callable[..., Any], ...]] = {}

    def of(self, key: Any, effects: tuple[Value, ...]) -> tuple[Callable[..., Any], ...]:
        """The functions for a list of effects, which is not among the quick ones."""
        if self.light.get(key) is not effects:
            return tuple([self.acts[id(effect)] for effect in effects])
        functions = self.long.get(key)
        if functions is None:
            functions = tuple([self.acts[id(effect)] for effect in effects])
            if self.acts.done.issuperset(map(id, effects)):
                found = self.quick if len(effects) <= self.most else self.long
                if len(found) >= MOST_REMEMBERED:
                    found.clear()
                found[key] = functions
        return functions


class Acts(dict[int, Callable[..., Any]]):
    """What carries out effects and scripts, by the identity of each."""

    __slots__ = ("done",)

    def __init__(self) -> None:
        super().__init__()
        self.done: set[int] = set()
        """Those whose functions are compiled; others are, when they are first called."""


HEAVY = object()
LITTLE = 600
"""The work that an answer may take which is not charged for by itself."""
under_way = local()
"""``slots``: of the game that is played through in this thread."""


def recalled(slots: list[Any], memory: CostMemo, key: Any) -> Value:
    """An answer, charged with its work: whether it was known must make no difference."""
    value, work = memory[key]
    slots[WORK] -= work
    if slots[WORK] < 0:
        exhausted(slots)
    return value


def exhausted(slots: list[Any]) -> None:
    """More work was done than was allowed: a game that is played through may be given more."""
    game = slots[-1]
    if not hasattr(game, "refuel"):
        raise Doubt
    game.refuel()


def alone() -> list[Any]:
    """A state of which there is nothing but the work that may be done."""
    return [None] * WORK + [MAX_WORK]


def borrowed(name: str, count: int, *, exactly: bool = False) -> Callable[..., Value]:
    """An operator of the reference interpreter as a function of its arguments' values."""
    make = (EXACT if exactly else OPERATORS)[name]
    run = make(*[_argument(place) for place in range(count)])
    slots: list[Any] = [None] * (WORK + 1)
    slots[WORK] = 10**18  # what it costs is charged to nobody: see `Weights`
    return lambda *values: run(slots, list(values))


def at_cost(name: str, count: int, *, exactly: bool = False) -> Callable[..., Value]:
    """The same of an operator that may go through much: it is given the state, too."""
    make = (EXACT if exactly else OPERATORS)[name]
    run = make(*[_argument(place) for place in range(count)])

    def asked(slots: list[Any], *values: Value) -> Value:
        provided(slots)
        return run(slots, list(values))

    return asked


def provided(slots: list[Any]) -> None:
    """What charges as the reference interpreter does finds enough to be charged for."""
    if slots[WORK] < MAX_WORK // 4:
        game = slots[-1]
        if hasattr(game, "refuel") and game.events()[0] != game.asked:
            game.refuel()


def _argument(place: int) -> Callable[[list[Any], list[Any]], Value]:
    return lambda s, f: f[place]


def _next(many: Value, one: Value) -> Value:
    return many[(many.index(one) + 1) % len(many)]


def _ring(many: Value, one: Value) -> Value:
    place = many.index(one)
    return many[place:] + many[:place]


def _earlier(one: Value, many: Value) -> Value:
    return many[: many.index(one)]


def _forward(one: Value, count: int, many: Value) -> Value:
    if count < 0:
        raise Doubt
    place = many.index(one) + count
    return many[place] if place < len(many) else None


def _times(one: int, other: int) -> int:
    product = one * other
    if -MAX_NUMBER <= product <= MAX_NUMBER:
        return product
    raise Doubt


def _less(many: Value, gone: Value) -> Value:
    left = list(many)
    for each in gone:
        if each in left:
            left.remove(each)
    return tuple(left)


DIRECT: dict[str, Callable[..., Value]] = {
    "next": _next,
    "ring": _ring,
    "earlier": _earlier,
    "forward": _forward,
    "less": _less,
    "*": _times,
    "distinct": lambda many: tuple(dict.fromkeys(many)),
    "reversed": lambda many: many[::-1],
}
"""Operators that are asked often, as functions of their arguments' values."""


def items(value: Value) -> Value:
    """The items of what may be a pile."""
    return value if isinstance(value, tuple) else value.all()


def doubt() -> Any:
    """The reference interpreter has the word."""
    raise Doubt


def fitting(value: Value, kind: Type) -> Value:
    """A value that must lie in the ranges of a type."""
    if not admits(kind, value):
        raise Doubt
    return value


def within(value: int, low: int, high: int) -> int:
    """A number that must lie in a range."""
    if low <= value <= high:
        return value
    raise Doubt


def charged(slots: list[Any], many: Value, weight: int) -> Value:
    """A collection that is gone through: its items are charged for, each with a weight."""
    slots[WORK] -= len(many) * weight
    if slots[WORK] < 0:
        exhausted(slots)
    return many


def scanned(slots: list[Any], many: Value) -> Value:
    """A collection that is looked through, or was made of others."""
    slots[WORK] -= len(many) // LONG
    if slots[WORK] < 0:
        exhausted(slots)
    return many


def joined(slots: list[Any], many: Value) -> Value:
    """A long collection that was made of others."""
    return scanned(slots, many) if len(many) <= MAX_ITEMS else doubt()


def rules_under_way() -> tuple[int, FrameType | None]:
    """How many functions of rules Python has called and not left, and where it called the first."""
    depth = 0
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_name
        if name.startswith("r_"):
            depth += 1
        elif name in ENTRANCES:
            break
        frame = frame.f_back
    return depth, frame


ENTRANCES = ("step", "play")
"""The functions that call rules first."""
