"""The types of values.

Static only: they are gone when a game runs, but for the domains of state.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Num:
    """Whole numbers from ``low`` to ``high``, both included; None is no bound."""

    low: int | None = None
    high: int | None = None

    def __str__(self) -> str:
        if self.low is None and self.high is None:
            return "number"
        if self.high is None:
            return f"{self.low} or more"
        if self.low is None:
            return f"{self.high} or less"
        return f"{self.low} to {self.high}"


@frozen
class Simple:
    """A type without parts: flag, text, effect, script, none, or that of what is wrong."""

    name: str

    def __str__(self) -> str:
        return self.name


FLAG = Simple("flag")
TEXT = Simple("text")
EFFECT = Simple("effect")
SCRIPT = Simple("script")
NONE = Simple("none")
BAD = Simple("?")
"""The type of an expression that was reported: it fits everywhere, so that is said once."""
ANY_NUM = Num()


@frozen
class Named:
    """One of a domain: an entry of a kind, one of some names, a player."""

    domain: str

    def __str__(self) -> str:
        return self.domain


@frozen
class Many:
    """A collection: ``list`` (a value), ``set``, ``row`` or ``pile`` (places where entries lie)."""

    form: str
    item: Type

    def __str__(self) -> str:
        return f"{self.form} of {self.item}"


@frozen
class Table:
    """A map: a value for every key of a domain."""

    key: Named
    value: Type

    def __str__(self) -> str:
        return f"map of {self.key} to {self.value}"


@frozen
class Either:
    """A union, its members in written order."""

    members: tuple[Type, ...]

    def __str__(self) -> str:
        return " or ".join(map(str, self.members))


Type = Num | Simple | Named | Many | Table | Either

ZONES = ("set", "row", "pile")


def is_pile(kind: Type) -> bool:
    """Is it a pile?"""
    return isinstance(kind, Many) and kind.form == "pile"


def members(kind: Type) -> tuple[Type, ...]:
    """The alternatives of a type; itself if it is no union."""
    return kind.members if isinstance(kind, Either) else (kind,)


def either(*kinds: Type) -> Type:
    """The union, flattened, without doubles; numbers are joined to one range."""
    flat: list[Type] = []
    for kind in kinds:
        for member in members(kind):
            if member == BAD:
                return BAD
            merged = False
            for place, known in enumerate(flat):
                joined = _joined(known, member)
                if joined is not None:
                    flat[place], merged = joined, True
                    break
            if not merged:
                flat.append(member)
    return flat[0] if len(flat) == 1 else Either(tuple(flat))


def _joined(one: Type, other: Type) -> Type | None:
    """The type of both if it needs no union."""
    if one == other:
        return one
    if isinstance(one, Num) and isinstance(other, Num):
        low = None if one.low is None or other.low is None else min(one.low, other.low)
        high = None if one.high is None or other.high is None else max(one.high, other.high)
        return Num(low, high)
    if isinstance(one, Many) and isinstance(other, Many):
        if one.item == NOTHING:
            return Many("list", other.item)
        if other.item == NOTHING:
            return Many("list", one.item)
        item = _joined(one.item, other.item)
        return Many("list", item) if item is not None else None
    return None


NOTHING = Either(())
"""The item type of a list without items."""


def without(kind: Type, gone: Type) -> Type:
    """``kind`` less one of its alternatives."""
    rest = [member for member in members(kind) if member != gone]
    return either(*rest) if rest else kind


def fits(value: Type, expected: Type) -> bool:
    """May a value of one type stand where the other is expected?

    Ranges of numbers must only overlap: the run checks the rest.
    """
    if BAD in (value, expected):
        return True
    if isinstance(value, Either):
        return all(fits(member, expected) for member in value.members)
    if isinstance(expected, Either):
        return any(fits(value, member) for member in expected.members)
    if isinstance(value, Num) and isinstance(expected, Num):
        return overlap(value, expected)
    if isinstance(value, Many) and isinstance(expected, Many):
        return value.item == NOTHING or fits(value.item, expected.item)
    return value == expected


def overlap(one: Num, other: Num) -> bool:
    """Is there a number in both ranges?"""
    below = one.high is not None and other.low is not None and one.high < other.low
    above = one.low is not None and other.high is not None and one.low > other.high
    return not below and not above


def comparable(one: Type, other: Type) -> bool:
    """Can two values of these types be equal?"""
    if BAD in (one, other):
        return True
    return any(_may_equal(a, b) for a in members(one) for b in members(other))


def _may_equal(one: Type, other: Type) -> bool:
    if isinstance(one, Many) and isinstance(other, Many):
        return NOTHING in (one.item, other.item) or comparable(one.item, other.item)
    if isinstance(one, Num) and isinstance(other, Num):
        return True
    return one == other


def bound(low: int | None, high: int | None) -> Num:
    """A range of numbers."""
    return Num(low, high)


def add(one: Num, other: Num) -> Num:
    """The range of sums."""
    low = None if one.low is None or other.low is None else one.low + other.low
    high = None if one.high is None or other.high is None else one.high + other.high
    return Num(low, high)


def negated(one: Num) -> Num:
    """The range of the negatives."""
    return Num(None if one.high is None else -one.high, None if one.low is None else -one.low)


MAX_NUMBER = 10**15
"""The greatest number, and with a minus the least, that a place can hold."""


def admits(kind: Type, value: object) -> bool:
    """Does a number lie within the ranges of a type? Anything but a number does."""
    if not isinstance(value, int) or isinstance(value, bool):
        return True
    ranges = [member for member in members(kind) if isinstance(member, Num)]
    return not ranges or any(within(member, value) for member in ranges)


def within(one: Num, value: int) -> bool:
    """Does a number lie in a range?"""
    low = -MAX_NUMBER if one.low is None else one.low
    high = MAX_NUMBER if one.high is None else one.high
    return low <= value <= high
