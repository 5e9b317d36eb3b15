"""The nodes of the syntax tree: names, comments, expressions and types."""

from __future__ import annotations

from fractions import Fraction

from attrs import field, frozen

from rulelang.diagnostic import Span


@frozen
class Node:
    """Something written in a file."""

    span: Span = field(eq=False, repr=False)


@frozen
class Name(Node):
    """A name as written."""

    text: str


@frozen
class Comment(Node):
    """A `#` comment; ``own_line`` when nothing else stands on its line."""

    text: str
    own_line: bool


# ---------------------------------------------------------------- expressions and types


@frozen
class Number(Node):
    """A number; one with a decimal point that is not whole is a Fraction."""

    value: int | Fraction


@frozen
class String(Node):
    """A text, without its quotes."""

    value: str


@frozen
class NoneValue(Node):
    """The word ``none``."""


@frozen
class Ref(Node):
    """A name used as a value."""

    name: str


@frozen
class ListOf(Node):
    """``[a, b]``"""

    items: tuple[Expr, ...]


@frozen
class Attribute(Node):
    """``x.name``"""

    value: Expr
    name: Name


@frozen
class Index(Node):
    """``x[i]``"""

    value: Expr
    index: Expr


@frozen
class Binder(Node):
    """``x in S where c``"""

    name: Name
    source: Expr
    condition: Expr | None


@frozen
class Order(Node):
    """``most e`` or ``least e``"""

    most: bool
    value: Expr


@frozen
class Ask(Node):
    """A question, ``f(a, b)``, or one about every member of a set: ``count(x in S: e)``."""

    function: Expr
    arguments: tuple[Expr, ...]
    binder: Binder | None = None
    value: Expr | None = None
    orders: tuple[Order, ...] = ()


@frozen
class Unary(Node):
    """``not x`` or ``-x``."""

    operator: str
    value: Expr


@frozen
class Binary(Node):
    """``x and y``; the operator is one word or sign, or ``is not``."""

    operator: str
    left: Expr
    right: Expr


@frozen
class Conditional(Node):
    """``if a then b else c``"""

    condition: Expr
    yes: Expr
    no: Expr


@frozen
class Group(Node):
    """An expression in parentheses: kept, so that the formatter keeps them."""

    value: Expr


Expr = (
    Number
    | String
    | NoneValue
    | Ref
    | ListOf
    | Attribute
    | Index
    | Ask
    | Unary
    | Binary
    | Conditional
    | Group
)


@frozen
class NamedType(Node):
    """A type by its name."""

    name: str


@frozen
class NoneType(Node):
    """The type of ``none``."""


@frozen
class RangeType(Node):
    """``low to high``, or ``low or more`` where ``high`` is None."""

    low: int
    high: int | None


@frozen
class CollectionType(Node):
    """``list of T``, ``map of K to V``"""

    collection: Name
    item: TypeExpr
    value: TypeExpr | None


@frozen
class UnionType(Node):
    """``T or none``"""

    members: tuple[TypeExpr, ...]


TypeExpr = NamedType | NoneType | RangeType | CollectionType | UnionType


@frozen
class Param(Node):
    """``x: T``"""

    name: Name
    type: TypeExpr


@frozen
class Cite(Node):
    """A clause that is cited."""

    clause: str


Cites = tuple[Cite, ...]
