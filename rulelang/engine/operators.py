"""Operators, built-in questions and comprehensions.

Each is a function of the state's slots and a frame's locals. It is made by one that takes the
functions of its arguments and gives its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations, islice
from typing import Any

from rulelang.engine.fault import Fault
from rulelang.program.linking import WORK
from rulelang.program.types import MAX_NUMBER
from rulelang.program.values import Value, order_key

Slots = list[Any]
Locals = list[Any]
Evaluator = Callable[[Slots, Locals], Any]
PlaceIn = Callable[[tuple[Value, ...], Value], int]
Distinct = Callable[[Iterable[Value]], tuple[Value, ...]]

MAX_ITEMS = 65_536
"""The greatest number of items of a collection."""
MAX_WORK = 4_000_000
"""Items that questions may go through, and questions that may be asked, between two decisions."""
LONG = 64
"""Looking for something in more items than this is charged for."""


def exhausted() -> Fault:
    """The fault of questions that come to no end, or to none that anybody would wait for."""
    return Fault(f"the questions asked here go through more than {MAX_WORK:,} items")


def charge(s: Slots, size: int) -> None:
    """Take work off what is left. Raises Fault where nothing is."""
    s[WORK] -= size
    if s[WORK] < 0:
        raise exhausted()


def charged(many: Evaluator) -> Evaluator:
    """A collection that is made anew or gone through: its items are charged for."""

    def run(s: Slots, f: Locals) -> Any:
        items = many(s, f)
        s[WORK] -= len(items)
        if s[WORK] < 0:
            raise exhausted()
        return items

    return run


def _among(many: Evaluator, item: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> bool:
        items = many(s, f)
        if len(items) > LONG:
            charge(s, len(items) // LONG)
        return item(s, f) in items

    return run


def _checked(size: int) -> None:
    if size > MAX_ITEMS:
        raise Fault(f"a collection holds {MAX_ITEMS:,} items at most")


# ---------------------------------------------------------------- comprehensions


def listed(
    source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None
) -> Evaluator:
    """``list(x in source where condition: value)``"""

    def run(s: Slots, f: Locals) -> Value:
        found = []
        for item in source(s, f):
            f[slot] = item
            if condition is None or condition(s, f):
                found.append(item if value is None else value(s, f))
        return tuple(found)

    return run


def _count(
    source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None
) -> Evaluator:
    test = condition or value

    def run(s: Slots, f: Locals) -> int:
        count = 0
        for item in source(s, f):
            f[slot] = item
            if test is None or test(s, f):
                count += 1
        return count

    return run


def _sum(
    source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None
) -> Evaluator:
    assert value is not None

    def run(s: Slots, f: Locals) -> int:
        total = 0
        for item in source(s, f):
            f[slot] = item
            if condition is None or condition(s, f):
                total += value(s, f)
        if not -MAX_NUMBER <= total <= MAX_NUMBER:
            raise Fault("a number becomes too great")
        return total

    return run


def _some(
    source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None
) -> Evaluator:
    def run(s: Slots, f: Locals) -> bool:
        for item in source(s, f):
            f[slot] = item
            if (condition is None or condition(s, f)) and (value is None or value(s, f)):
                return True
        return False

    return run


def _every(
    source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None
) -> Evaluator:
    assert value is not None

    def run(s: Slots, f: Locals) -> bool:
        for item in source(s, f):
            f[slot] = item
            if (condition is None or condition(s, f)) and not value(s, f):
                return False
        return True

    return run


def _join(
    source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None
) -> Evaluator:
    assert value is not None

    def run(s: Slots, f: Locals) -> Value:
        found: list[Value] = []
        for item in source(s, f):
            f[slot] = item
            if condition is None or condition(s, f):
                found.extend(value(s, f))
                _checked(len(found))
        return tuple(found)

    return run


EACH = {
    "list": listed,
    "count": _count,
    "sum": _sum,
    "some": _some,
    "every": _every,
    "join": _join,
}


def best(source: Evaluator, slot: int, orders: list[tuple[bool, Evaluator]]) -> Evaluator:
    """All the items that remain tied after the orders, first to last; True stands for most."""

    def run(s: Slots, f: Locals) -> Value:
        items = source(s, f)
        for most, order in orders:
            charge(s, len(items))
            values = []
            for item in items:
                f[slot] = item
                values.append(order(s, f))
            if not values:
                break
            goal = max(values) if most else min(values)
            items = tuple(item for item, value in zip(items, values, strict=True) if value == goal)
        return items

    return run


# ---------------------------------------------------------------- built-in questions


def _first(many: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        items = many(s, f)
        if not items:
            raise Fault("there is no first of nothing")
        return items[0]

    return run


def _last(many: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        items = many(s, f)
        if not items:
            raise Fault("there is no last of nothing")
        return items[-1]

    return run


def _item(many: Evaluator, index: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        items, place = many(s, f), index(s, f)
        if not 1 <= place <= len(items):
            raise Fault(f"there is no item {place} among {len(items)}")
        return items[place - 1]

    return run


def _place_in(items: tuple[Value, ...], item: Value) -> int:
    if item not in items:
        raise Fault("this is not among them")
    return items.index(item)


def after(many: Evaluator, item: Evaluator, place_in: PlaceIn = _place_in) -> Evaluator:
    """``next(many, item)``"""

    def run(s: Slots, f: Locals) -> Value:
        items = many(s, f)
        return items[(place_in(items, item(s, f)) + 1) % len(items)]

    return run


def ring(many: Evaluator, item: Evaluator, place_in: PlaceIn = _place_in) -> Evaluator:
    """``ring(many, item)``"""

    def run(s: Slots, f: Locals) -> Value:
        items = many(s, f)
        place = place_in(items, item(s, f))
        return items[place:] + items[:place]

    return run


def earlier(item: Evaluator, many: Evaluator, place_in: PlaceIn = _place_in) -> Evaluator:
    """``earlier(item, many)``"""

    def run(s: Slots, f: Locals) -> Value:
        items = many(s, f)
        return items[: place_in(items, item(s, f))]

    return run


def forward(
    item: Evaluator, count: Evaluator, many: Evaluator, place_in: PlaceIn = _place_in
) -> Evaluator:
    """``forward(item, count, many)``: the item so many places on, or none behind the last one."""

    def run(s: Slots, f: Locals) -> Value:
        items = many(s, f)
        place = place_in(items, item(s, f)) + _counted(count(s, f))
        return items[place] if place < len(items) else None

    return run


def _concatenated(one: Evaluator, other: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        items = one(s, f) + other(s, f)
        _checked(len(items))
        charge(s, len(items) // LONG)
        return items

    return run


def _less(many: Evaluator, gone: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        left, without = list(many(s, f)), gone(s, f)
        charge(s, len(left) * len(without) // LONG)
        for item in without:
            if item in left:
                left.remove(item)
        return tuple(left)

    return run


def _numbers(low: Evaluator, high: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        first, last = low(s, f), high(s, f)
        _checked(last - first + 1)
        numbers = range(first, last + 1)
        charge(s, len(numbers))
        return tuple(numbers)

    return run


def _distinct(items: Iterable[Value]) -> tuple[Value, ...]:
    return tuple(dict.fromkeys(items))


def subsets(
    many: Evaluator, low: Evaluator, high: Evaluator, distinct: Distinct = _distinct
) -> Evaluator:
    """All subsets with as many items, the small ones first, each in the order of the collection."""

    def run(s: Slots, f: Locals) -> Value:
        items = many(s, f)
        found: list[Value] = []
        for size in range(max(0, low(s, f)), min(high(s, f), len(items)) + 1):
            found += islice(combinations(items, size), MAX_ITEMS + 1)
            charge(s, len(found))
            _checked(len(found))
        return distinct(found)

    return run


# ---------------------------------------------------------------- arithmetic


def _times(one: Evaluator, other: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> int:
        product: int = one(s, f) * other(s, f)
        if not -MAX_NUMBER <= product <= MAX_NUMBER:
            raise Fault("a number becomes too great")
        return product

    return run


def _counted(count: int) -> int:
    if count < 0:
        raise Fault(f"{count} is no number of times or items")
    return count


def _take(count: Evaluator, many: Evaluator) -> Evaluator:
    return lambda s, f: many(s, f)[: _counted(count(s, f))]


def _drop(count: Evaluator, many: Evaluator) -> Evaluator:
    return lambda s, f: many(s, f)[_counted(count(s, f)) :]


def _divided(one: Evaluator, other: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> int:
        by = other(s, f)
        if by == 0:
            raise Fault("a division by zero")
        return int(one(s, f) // by)

    return run


OPERATORS: dict[str, Callable[..., Evaluator]] = {
    "and": lambda a, b: lambda s, f: a(s, f) and b(s, f),
    "or": lambda a, b: lambda s, f: a(s, f) or b(s, f),
    "not": lambda a: lambda s, f: not a(s, f),
    "<": lambda a, b: lambda s, f: a(s, f) < b(s, f),
    "<=": lambda a, b: lambda s, f: a(s, f) <= b(s, f),
    ">": lambda a, b: lambda s, f: a(s, f) > b(s, f),
    ">=": lambda a, b: lambda s, f: a(s, f) >= b(s, f),
    "+": lambda a, b: lambda s, f: a(s, f) + b(s, f),
    "-": lambda a, b: lambda s, f: a(s, f) - b(s, f),
    "*": _times,
    "/": _divided,
    "negative": lambda a: lambda s, f: -a(s, f),
    "has": _among,
    "join": _concatenated,
    "less": _less,
    "empty": lambda a: lambda s, f: not len(a(s, f)),
    "size": lambda a: lambda s, f: len(a(s, f)),
    "all": lambda a: a,
    "first": _first,
    "last": _last,
    "item": _item,
    "counted": lambda a: lambda s, f: _counted(a(s, f)),
    "take": _take,
    "drop": _drop,
    "earlier": earlier,
    "next": after,
    "ring": ring,
    "numbers": _numbers,
    "min": lambda a, b: lambda s, f: min(a(s, f), b(s, f)),
    "max": lambda a, b: lambda s, f: max(a(s, f), b(s, f)),
    "sorted": lambda a: charged(lambda s, f: tuple(sorted(a(s, f), key=order_key))),
    "reversed": lambda a: charged(lambda s, f: tuple(reversed(a(s, f)))),
    "distinct": lambda a: charged(lambda s, f: _distinct(a(s, f))),
    "contains": _among,
    "subsets": subsets,
    "ends_of": lambda a: charged(lambda s, f: _distinct(w[-1] for w in a(s, f) if w)),
    "forward": forward,
}
"""The operators and built-in questions that need to know nothing of the game, by name."""
