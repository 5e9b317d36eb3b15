"""Values of a running game: all immutable, so that states are copied by copying references.

A number is an int, a flag a bool, a text a str, nothing None. A list, a set and a row are tuples, a
set in canonical order. What has a name (an entry of a kind, one of some names, a seat) is an
`Entry`, made once when the game is loaded and compared by identity. Beside them stand `Effect` and
`Pile`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from attrs import Factory, define, field, frozen

from rulelang.diagnostic import Span

if TYPE_CHECKING:
    from rulelang.program.scripts import Steps

Value = Any
"""An int, bool, str, None, Entry, Effect, Script, Pile, or a tuple of values."""


@define(eq=False, repr=False)
class Domain:
    """All values of one type with names: a kind's entries, some names, the seats."""

    name: str
    entries: tuple[Entry, ...] = ()
    by_key: dict[str | int | Fraction, Entry] = Factory(dict)

    def __repr__(self) -> str:
        return f"<{self.name}: {len(self.entries)}>"


class _Open:
    """Gives the instances of its subclasses, which have slots, a `__dict__` as well."""


@frozen(eq=False, repr=False)
class Entry(_Open):
    """A value with a name: an entry of a kind, one of some names, a seat.

    ``index`` is its place in the canonical order of its domain; ``key`` the number or name it is
    written with; ``label`` is stable and for machines, ``text`` is for people. ``fields`` holds the
    values of its kind's fields in declared order, ``fields_by_name`` the same by name. Each of them
    is an attribute, too: ``card.title``.
    """

    domain: str
    index: int
    key: str | int | Fraction
    label: str
    text: str
    variant: str = ""
    fields: tuple[Value, ...] = ()
    fields_by_name: dict[str, Value] = Factory(dict)
    span: Span | None = None
    cites: tuple[str, ...] = ()
    replaced: Span | None = None
    """Where the first entry of this key stands, if this one of a pack takes its place."""

    def __repr__(self) -> str:
        return f"<{self.label}>"

    def __attrs_post_init__(self) -> None:
        # No `__getattr__`: with it Python looks every attribute up the slow way.
        object.__setattr__(self, "__dict__", self.fields_by_name)

    def fill(self, fields: tuple[Value, ...], by_name: dict[str, Value]) -> None:
        """Enter the fields of an entry that is being made."""
        object.__setattr__(self, "fields", fields)
        object.__setattr__(self, "fields_by_name", by_name)
        object.__setattr__(self, "__dict__", by_name)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Value: ...


@frozen
class Effect:
    """A rule with its arguments, lacking its subject: what a card says is to be done."""

    rule: str
    arguments: tuple[Value, ...] = ()

    def __str__(self) -> str:
        words = [self.rule.replace("_", " "), *(text_of(argument) for argument in self.arguments)]
        return " ".join(words)


@frozen
class Script:
    """Instructions with branches, lowered to a rule of their own; ``rule`` is that rule's name.

    ``steps`` is what they say; a script that was read from a save does not have them.
    """

    rule: str
    text: str = field(eq=False, default="")
    steps: Steps = field(eq=False, repr=False, default=())

    def __str__(self) -> str:
        return self.text


@define(unsafe_hash=True)  # frozen ones take twice as long to make, and it is made often
class Pile:
    """Cards in a pile: on top in known order, a pool in unknown order, some below in known order.

    ``top`` and ``bottom`` run from the top down; ``pool`` is in canonical order.
    """

    top: tuple[Entry, ...] = ()
    pool: tuple[Entry, ...] = ()
    bottom: tuple[Entry, ...] = ()

    def __len__(self) -> int:
        return len(self.top) + len(self.pool) + len(self.bottom)

    def all(self) -> tuple[Entry, ...]:
        """Every card, in canonical order."""
        if not self.top and not self.bottom:
            return self.pool
        return tuple(sorted(self.top + self.pool + self.bottom, key=by_index))


EMPTY_PILE = Pile()


by_index: Callable[[Entry], int] = attrgetter("index")
"""The key of the canonical order within one domain."""


def order_key(value: Value) -> tuple[Any, ...]:
    """The key of the canonical order, which is total.

    None first, then numbers and flags by value, what has a name by its domain and its place there,
    texts, effects, scripts, and collections item by item. Of 1 and yes, the number comes first.
    """
    match value:
        case Entry():
            return 2, value.domain, value.index
        case None:
            return (0,)
        case bool():
            return 1, int(value), 1
        case int():
            return 1, value
        case str():
            return 3, value
        case Effect():
            return 4, value.rule, order_key(value.arguments)
        case Script():
            return 5, value.rule
        case Pile():
            return order_key(value.all())
        case tuple():
            return 6, tuple(order_key(item) for item in value)
    raise AssertionError(value)


def exact(value: Value) -> Value:
    """A key that two values share only if they are the same: Python takes yes for 1, and no for 0.

    It can be hashed.
    """
    match value:
        case bool():
            return _YES if value else _NO
        case tuple():
            return tuple([exact(item) for item in value])
        case Effect():
            return value.rule, exact(value.arguments)
    return value


_YES, _NO = object(), object()


def figures(key: str | int | Fraction) -> str:
    """A key as it is written: a number that is not whole as an exact decimal."""
    if not isinstance(key, Fraction) or key.denominator == 1:
        return str(key)
    digits = next(n for n in range(1, 400) if (key * 10**n).denominator == 1)
    whole = str(int(key * 10**digits)).rjust(digits + 1, "0")
    return f"{whole[:-digits]}.{whole[-digits:]}"


@lru_cache(maxsize=10_000)
def plain(text: str) -> str:
    """A name as it is compared in content: case, blanks, hyphens, underscores do not count."""
    return "_".join(text.replace("-", " ").replace("_", " ").split()).casefold()


def text_of(value: Value) -> str:
    """The value for a person."""
    if isinstance(value, Entry):
        return value.text
    return label_of(value)


def contents_label(entry: Entry) -> str:
    """What an entry without a key says, as a stable label; its place where it says nothing."""
    said = [value for value in entry.fields if isinstance(value, tuple | Effect)]
    lines = [value if isinstance(value, tuple) else (value,) for value in said]
    return "; ".join(", ".join(map(label_of, line)) for line in lines if line) or entry.label


def label_of(value: Value) -> str:
    """The stable label of a value: it depends on names and numbers, never on titles."""
    if isinstance(value, Entry):
        return value.label
    if isinstance(value, Effect):
        return " ".join([value.rule.replace("_", " "), *map(label_of, value.arguments)])
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Pile):
        value = value.all()
    if isinstance(value, tuple):
        return "[" + ", ".join(label_of(item) for item in value) + "]"
    return str(value)
