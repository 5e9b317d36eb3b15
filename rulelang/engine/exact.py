"""Comparing values of which some may be flags and some numbers, which Python takes for equal.

Types say where that can be, so that everything else is compared in Python's own way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import partial

from rulelang.engine.fault import Fault
from rulelang.engine.operators import (
    LONG,
    Evaluator,
    Locals,
    Slots,
    after,
    charge,
    charged,
    earlier,
    forward,
    ring,
    subsets,
)
from rulelang.program.program import Signature
from rulelang.program.types import EFFECT, FLAG, SCRIPT, Many, Num, Table, Type, members
from rulelang.program.values import Value, exact


def mixes(kind: Type, signatures: Collection[Signature]) -> bool:
    """May values of a type hold flags and numbers in one place?

    ``signatures`` are those of the rules, whose arguments effects hold.
    """
    flags = numbers = False
    for member in members(kind):
        flags = flags or member == FLAG
        numbers = numbers or isinstance(member, Num)
        if isinstance(member, Many) and mixes(member.item, signatures):
            return True
        if isinstance(member, Table) and mixes(member.value, signatures):
            return True
        if member == EFFECT and _effects_mix(signatures):
            return True
    return flags and numbers


def _effects_mix(signatures: Collection[Signature]) -> bool:
    given = (kind for signature in signatures for _, kind in signature.parameters)
    return any(kind not in (EFFECT, SCRIPT) and mixes(kind, ()) for kind in given)


def distinct(items: Iterable[Value]) -> tuple[Value, ...]:
    """The items without repetitions, each where it stands first."""
    found: dict[Value, Value] = {}
    for item in items:
        found.setdefault(exact(item), item)
    return tuple(found.values())


def equal(first: Evaluator, second: Evaluator) -> Evaluator:
    """``a == b``"""
    return lambda s, f: bool(exact(first(s, f)) == exact(second(s, f)))


def _has(many: Evaluator, item: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> bool:
        items, wanted = many(s, f), exact(item(s, f))
        charge(s, len(items) // LONG)
        return any(exact(each) == wanted for each in items)

    return run


def _less(many: Evaluator, gone: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        left, without = list(many(s, f)), gone(s, f)
        charge(s, len(left) * len(without) // LONG)
        keys = [exact(each) for each in left]
        for item in map(exact, without):
            if item in keys:
                place = keys.index(item)
                del left[place], keys[place]
        return tuple(left)

    return run


def _place_in(items: tuple[Value, ...], item: Value) -> int:
    wanted = exact(item)
    for place, each in enumerate(items):
        if exact(each) == wanted:
            return place
    raise Fault("this is not among them")


EXACT: dict[str, Callable[..., Evaluator]] = {
    "has": _has,
    "less": _less,
    "distinct": lambda a: charged(lambda s, f: distinct(a(s, f))),
    "subsets": partial(subsets, distinct=distinct),
    "next": partial(after, place_in=_place_in),
    "ring": partial(ring, place_in=_place_in),
    "earlier": partial(earlier, place_in=_place_in),
    "forward": partial(forward, place_in=_place_in),
}
"""The operators and built-in questions that compare, by name."""
