"""Checked expressions: names resolved, types known, ready to be evaluated or compiled.

Queries are pure. They read the state, the locals of their frame and constants, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import field, fields, frozen

from rulelang.diagnostic import Span
from rulelang.program.types import Type
from rulelang.program.values import Value


@frozen(eq=False)
class Expr:
    """A checked expression."""

    type: Type
    span: Span = field(repr=False)


@frozen(eq=False)
class Const(Expr):
    """A value known when the game is loaded."""

    value: Value


@frozen(eq=False)
class Local(Expr):
    """What lies in a slot of the frame."""

    slot: int
    name: str


@frozen(eq=False)
class All(Expr):
    """All values of a domain, in canonical order."""

    domain: str


@frozen(eq=False)
class FieldOf(Expr):
    """A field of an entry, by its place; place -1 is the key."""

    value: Expr
    place: int


@frozen(eq=False)
class Read(Expr):
    """A field of the state: the owner's, where the field is kept per player, team or entry."""

    field: str
    owner: Expr | None
    owner_domain: str


@frozen(eq=False)
class MapItem(Expr):
    """The value that a map has for a key."""

    map: Expr
    key: Expr
    key_domain: str


@frozen(eq=False)
class Op(Expr):
    """An operator or a built-in question, by name, on its arguments."""

    name: str
    arguments: tuple[Expr, ...]


@frozen(eq=False)
class AskDefine(Expr):
    """A question that the game defines."""

    define: str
    arguments: tuple[Expr, ...]


@frozen(eq=False)
class If(Expr):
    """One of two values."""

    condition: Expr
    yes: Expr
    no: Expr


@frozen(eq=False)
class Items(Expr):
    """A list written out."""

    items: tuple[Expr, ...]


@frozen(eq=False)
class Each(Expr):
    """A comprehension: ``name(x in source where condition: value)``; x lies in ``slot``.

    ``orders`` are pairs of (most?, value) and belong to ``best``.
    """

    name: str
    slot: int
    source: Expr
    condition: Expr | None
    value: Expr | None
    orders: tuple[tuple[bool, Expr], ...] = ()


@frozen(eq=False)
class IsEffect(Expr):
    """Is the value a call of this rule, with these arguments?

    An argument pattern is an expression to compare with, a domain's name for "any of these", or
    None.
    """

    value: Expr
    rule: str
    arguments: tuple[Expr | str | None, ...]


@frozen(eq=False)
class IsVariant(Expr):
    """Is the value an entry of a kind, and of this variant of it?"""

    value: Expr
    variant: str
    domain: str


@frozen(eq=False)
class InDomain(Expr):
    """Is the value one of this domain?"""

    value: Expr
    domain: str


@frozen(eq=False)
class OnBoard(Expr):
    """A question about the nodes that edges of some kinds join: neighbours, distance, reach."""

    question: str
    arguments: tuple[Expr, ...]
    edges: tuple[str, ...]


@frozen(eq=False)
class Ways(Expr):
    """All ways over edges from a node: lists of nodes, the first one left out.

    The conditions are asked of the node in ``slot``. No way enters a node that ``avoid`` holds of;
    one ends, short or not, where ``halt`` holds; one goes on from a node only where ``through``
    holds; the last node must be one that ``ends`` holds of. ``once``: no node twice.
    """

    slot: int
    start: Expr
    edges: tuple[str, ...]
    least: Expr
    most: Expr
    once: bool
    avoid: Expr | None
    halt: Expr | None
    through: Expr | None
    ends: Expr | None


def parts(value: Expr) -> Iterator[object]:
    """What an expression is made of: other expressions, tuples of them, names and numbers."""
    for name in vars(type(value))["__slots__"]:
        yield getattr(value, name)


CHILDREN: dict[type[Expr], tuple[str, ...]] = {
    Const: (),
    Local: (),
    All: (),
    FieldOf: ("value",),
    Read: ("owner",),
    MapItem: ("map", "key"),
    Op: ("arguments",),
    AskDefine: ("arguments",),
    If: ("condition", "yes", "no"),
    Items: ("items",),
    Each: ("source", "condition", "value", "orders"),
    IsEffect: ("value", "arguments"),
    IsVariant: ("value",),
    InDomain: ("value",),
    OnBoard: ("arguments",),
    Ways: ("start", "least", "most", "avoid", "halt", "through", "ends"),
}
"""Where other expressions stand in one, themselves or in tuples, in their order."""


_ATTRIBUTES = {kind: tuple(a.name for a in fields(kind)) for kind in CHILDREN}


def remade(expr: Expr, new: dict[str, Any]) -> Expr:
    """The expression with other attributes: what `attrs.evolve` does, which is asked for most while
    rules are compiled, without looking them up each time."""
    kind = type(expr)
    values = (new[n] if n in new else getattr(expr, n) for n in _ATTRIBUTES[kind])
    return kind(*values)


def walk(value: object) -> Iterator[Expr]:
    """An expression with all those inside it; of a tuple, those of its items."""
    waiting = [value]
    while waiting:
        found = waiting.pop()
        if isinstance(found, tuple):
            waiting.extend(reversed(found))
        elif isinstance(found, Expr):
            yield found
            for name in reversed(CHILDREN[type(found)]):
                part = getattr(found, name)
                if part is not None:
                    waiting.append(part)


def slots_of(expr: Expr) -> int:
    """How many locals must be there for an expression to be evaluated."""
    return max((n.slot + 1 for n in walk(expr) if isinstance(n, Local | Each | Ways)), default=0)
