"""The syntax tree: what the parser makes of a file, with a span on every node.

The tree says how a file is written and nothing about what it means: names are not resolved and lines
of content are flat lists of words. It depends on no parser. Two trees are equal when they say the same
thing; spans do not count.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import attrs
from attrs import field, frozen

from rulelang.diagnostic import Span

_span: Any = field(eq=False, repr=False)


@frozen
class Node:
    """Something written in a file."""

    span: Span = _span


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
    value: int | Fraction


@frozen
class String(Node):
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
    items: tuple[Expr, ...]


@frozen
class Attribute(Node):
    value: Expr
    name: Name


@frozen
class Index(Node):
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
    """A question: a define, a built-in question or a comprehension: ``f(a, b)``, ``count(x in S: e)``."""

    function: Expr
    arguments: tuple[Expr, ...]
    binder: Binder | None = None
    value: Expr | None = None
    orders: tuple[Order, ...] = ()


@frozen
class Unary(Node):
    operator: str
    value: Expr


@frozen
class Binary(Node):
    operator: str
    left: Expr
    right: Expr
    operator_span: Span = field(eq=False, repr=False)


@frozen
class Conditional(Node):
    condition: Expr
    yes: Expr
    no: Expr


@frozen
class Group(Node):
    """An expression in parentheses: kept, so that the formatter keeps them."""

    value: Expr


Expr = (
    Number | String | NoneValue | Ref | ListOf | Attribute | Index | Ask | Unary | Binary | Conditional | Group
)  # fmt: skip


@frozen
class NamedType(Node):
    name: str


@frozen
class NoneType(Node):
    """The type of ``none``."""


@frozen
class RangeType(Node):
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
    members: tuple[TypeExpr, ...]


TypeExpr = NamedType | NoneType | RangeType | CollectionType | UnionType


@frozen
class Param(Node):
    name: Name
    type: TypeExpr


@frozen
class Cite(Node):
    clause: str


Cites = tuple[Cite, ...]

# ---------------------------------------------------------------- statements


@frozen
class Call(Node):
    """``gain food for t``"""

    rule: Name
    arguments: tuple[Expr, ...]
    subject: Expr | None


@frozen
class Perform(Node):
    calls: tuple[Call, ...]
    cites: Cites = ()


@frozen
class Let(Node):
    name: Name
    value: Expr
    cites: Cites = ()


@frozen
class LetFrom(Node):
    name: Name
    call: Call | Proceed
    cites: Cites = ()


@frozen
class Assign(Node):
    target: Expr
    operator: str
    value: Expr
    cites: Cites = ()


@frozen
class Do(Node):
    effect: Expr
    subject: Expr | None
    cites: Cites = ()


@frozen
class Move(Node):
    what: Expr
    source: Expr | None
    target: Expr
    cites: Cites = ()


@frozen
class Mix(Node):
    what: Expr
    into: Expr | None
    cites: Cites = ()


@frozen
class Throw(Node):
    name: Name
    die: Expr
    times: Expr | None


@frozen
class Roll(Node):
    throws: tuple[Throw, ...]
    cites: Cites = ()


@frozen
class Reveal(Node):
    what: Expr
    to: Expr
    cites: Cites = ()


@frozen
class Open(Node):
    """``open moment for x``"""

    moment: Name
    subject: Expr | None
    cites: Cites = ()


@frozen
class End(Node):
    ending: Name
    subject: Expr | None
    cites: Cites = ()


@frozen
class Leave(Node):
    scope: Name
    arguments: tuple[Expr, ...]
    cites: Cites = ()


@frozen
class Return(Node):
    value: Expr | None
    cites: Cites = ()


@frozen
class Proceed(Node):
    arguments: tuple[Expr, ...]
    cites: Cites = ()


@frozen
class Break(Node):
    cites: Cites = ()


@frozen
class Continue(Node):
    cites: Cites = ()


@frozen
class Body(Node):
    """Statements: one behind a colon, or a block."""

    statements: tuple[Statement, ...]
    cites: Cites = ()
    on_line: bool = False


@frozen
class If(Node):
    branches: tuple[tuple[Expr, Body], ...]
    otherwise: Body | None


@frozen
class Case(Node):
    values: tuple[Expr, ...]
    body: Body


@frozen
class Match(Node):
    value: Expr
    cases: tuple[Case, ...]
    otherwise: Body | None


@frozen
class Table(Node):
    """``roll d6`` with a line for each outcome."""

    die: Expr
    cases: tuple[Case, ...]
    otherwise: Body | None


@frozen
class For(Node):
    binder: Binder
    at_once: bool
    body: Body


@frozen
class Repeat(Node):
    condition: Expr | None
    body: Body


@frozen
class Scope(Node):
    label: Name
    arguments: tuple[Expr, ...]
    body: Body


@frozen
class Draw(Node):
    name: Name | None
    source: Expr
    target: Expr
    body: Body | None
    otherwise: Body | None
    cites: Cites = ()


@frozen
class Choose(Node):
    may: bool
    name: Name
    source: Expr
    condition: Expr | None
    by: Expr
    prompt: String | None
    body: Body | None
    otherwise: Body | None
    cites: Cites = ()


@frozen
class Offer(Node):
    label: Name
    text: String | None
    binder: Binder | None
    condition: Expr | None
    body: Body


@frozen
class ChooseOffer(Node):
    may: bool
    by: Expr
    prompt: String | None
    offers: tuple[Offer, ...]
    otherwise: Body | None
    cites: Cites = ()


Statement = (
    Perform | Let | LetFrom | Assign | Do | Move | Mix | Roll | Reveal | Open | End | Leave | Return | Proceed
    | Break | Continue | If | Match | Table | For | Repeat | Scope | Draw | Choose | ChooseOffer
)  # fmt: skip

# ---------------------------------------------------------------- declarations


@frozen
class FieldDecl(Node):
    name: Name
    type: TypeExpr
    hidden: bool
    seen_by: Expr | None
    clamped: bool
    default: Expr | None
    cites: Cites = ()


@frozen
class Kind(Node):
    name: Name
    key: Name | None
    base: RangeType | None
    subject: Param | None
    variants: tuple[Name, ...]
    fields: tuple[FieldDecl, ...]
    cites: Cites = ()


@frozen
class State(Node):
    per: Param | None
    modes: tuple[Name, ...]
    fields: tuple[FieldDecl, ...]
    cites: Cites = ()


@frozen
class Reading(Node):
    name: Name
    text: String | None
    cites: Cites = ()


@frozen
class Setting(Node):
    """A setting, or a ruling: a setting about how an unclear rule is read."""

    ruling: bool
    name: Name
    text: String | None
    modes: tuple[Name, ...]
    default: Name
    readings: tuple[Reading, ...]
    cites: Cites = ()


@frozen
class Rule(Node):
    turn: bool
    name: Name
    params: tuple[Param, ...]
    subject: Param | None
    gives: TypeExpr | None
    modes: tuple[Name, ...]
    body: Body


@frozen
class Branch(Node):
    condition: Expr | None
    value: Expr
    cites: Cites = ()


@frozen
class Define(Node):
    """A query; a plain one has one branch without a condition."""

    name: Name
    params: tuple[Param, ...]
    subject: Param | None
    gives: TypeExpr | None
    branches: tuple[Branch, ...]
    plain: bool
    cites: Cites = ()


@frozen
class Hook(Node):
    moment: str
    """``before``, ``after`` or ``instead``"""
    rule: Name
    params: tuple[Name, ...]
    subject: Name | None
    gives: Name | None
    label: Name | None
    ahead_of: tuple[Name, ...]
    condition: Expr | None
    modes: tuple[Name, ...]
    body: Body


@frozen
class Ending(Node):
    name: Name
    text: String | None
    subject: Param | None
    completes: Name | None
    modes: tuple[Name, ...]
    cites: Cites = ()


@frozen
class Verdict(Node):
    condition: Expr | None
    won: Expr | None
    lost: Expr | None
    cites: Cites = ()


@frozen
class Scores(Node):
    player: Param
    value: Expr
    cites: Cites = ()


@frozen
class Outcome(Node):
    modes: tuple[Name, ...]
    verdicts: tuple[Verdict, ...]
    scores: tuple[Scores, ...]
    cites: Cites = ()


@frozen
class Moment(Node):
    name: Name
    text: String | None
    subject: Param | None
    cites: Cites = ()


@frozen
class During(Node):
    moment: Name
    player: Name | None
    condition: Expr | None
    modes: tuple[Name, ...]
    offers: tuple[Offer, ...]
    cites: Cites = ()


@frozen
class Edge(Node):
    name: Name
    one_way: bool
    ends: tuple[Expr, Expr]
    cites: Cites = ()


@frozen
class RouteLine(Node):
    word: str
    names: tuple[Name, ...]
    value: Expr | None
    cites: Cites = ()


@frozen
class Routes(Node):
    name: Name
    params: tuple[Param, ...]
    through: Param
    lines: tuple[RouteLine, ...]
    cites: Cites = ()


@frozen
class Check(Node):
    text: String
    modes: tuple[Name, ...]
    claims: tuple[tuple[Expr, Cites], ...]
    on_line: bool
    cites: Cites = ()


# ---------------------------------------------------------------- scenarios


@frozen
class Label(Node):
    """Words that name an outcome, as a player would say them."""

    text: str
    quoted: bool


@frozen
class Given(Node):
    facts: tuple[Perform | Assign | Let, ...]
    on_line: bool


@frozen
class Begin(Node):
    """``when walk for red``"""

    perform: Perform


@frozen
class Scripted(Node):
    word: str
    """``roll`` or ``draw``"""
    outcomes: tuple[Label, ...]


@frozen
class Answer(Node):
    label: Label
    by: Expr | None


@frozen
class Offers(Node):
    labels: tuple[Label, ...]
    by: Expr | None


@frozen
class Then(Node):
    claim: Expr


Step = Given | Begin | Scripted | Answer | Offers | Then


@frozen
class Scenario(Node):
    text: String
    modes: tuple[Name, ...]
    steps: tuple[Step, ...]
    cites: Cites = ()


# ---------------------------------------------------------------- content


@frozen
class Word(Node):
    """One token of a line of content: ``kind`` is name, number, string, comma, colon, bar or sign."""

    kind: str
    text: str


@frozen
class Line(Node):
    words: tuple[Word, ...]
    block: tuple[Content, ...]
    cites: Cites = ()


@frozen
class Story(Node):
    """Running text below a header: ``story: …``"""

    text: str


@frozen
class Drawn(Node):
    """One line of a drawing, blanks kept; the span starts at the first sign."""

    text: str


Content = Line | Story | Drawn

Declaration = (
    Kind | State | Setting | Rule | Define | Hook | Ending | Outcome | Moment | During | Edge | Routes | Check
    | Scenario | Line
)  # fmt: skip


@frozen
class File(Node):
    """A whole file: its declarations in order, and its comments in order beside them."""

    name: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(eq=False, repr=False)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below ``node``, in the order of its fields."""
    for attribute in attrs.fields(type(node)):
        yield from _nodes(getattr(node, attribute.name))


def _nodes(value: object) -> Iterator[Node]:
    if isinstance(value, Node):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)


def walk(node: Node) -> Iterator[Node]:
    """``node`` and every node below it, outermost first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(list(children(current))))
