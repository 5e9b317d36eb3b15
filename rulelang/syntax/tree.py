"""The syntax tree: what the parser makes of a file, with a span on every node.

The tree says how a file is written and nothing about what it means: names are not resolved and
lines of content are flat lists of words. It depends on no parser. Two trees are equal when they say
the same thing; spans do not count. The nodes are defined in three modules and gathered here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from attrs import field, fields, frozen

from rulelang.syntax.tree_declarations import (
    Answer,
    Begin,
    Branch,
    Check,
    Content,
    Declaration,
    Define,
    Drawn,
    During,
    Edge,
    Ending,
    FieldDecl,
    Given,
    Hook,
    Kind,
    Kit,
    Label,
    Line,
    Moment,
    Offers,
    Outcome,
    Reading,
    RouteLine,
    Routes,
    Rule,
    Scenario,
    Scores,
    Scripted,
    Setting,
    State,
    Step,
    Story,
    Then,
    Trial,
    Verdict,
    Word,
)
from rulelang.syntax.tree_expressions import (
    Ask,
    Attribute,
    Binary,
    Binder,
    Cite,
    Cites,
    CollectionType,
    Comment,
    Conditional,
    Expr,
    Group,
    Index,
    ListOf,
    Name,
    NamedType,
    Node,
    NoneType,
    NoneValue,
    Number,
    Order,
    Param,
    RangeType,
    Ref,
    String,
    TypeExpr,
    Unary,
    UnionType,
)
from rulelang.syntax.tree_statements import (
    Assign,
    Body,
    Break,
    Call,
    Case,
    Choose,
    ChooseOffer,
    Continue,
    Do,
    Draw,
    End,
    For,
    If,
    Leave,
    Let,
    LetFrom,
    Match,
    Mix,
    Move,
    Offer,
    Open,
    Perform,
    Proceed,
    Repeat,
    Return,
    Reveal,
    Roll,
    Scope,
    Statement,
    Table,
    Throw,
)

__all__ = [
    "Answer",
    "Ask",
    "Assign",
    "Attribute",
    "Begin",
    "Binary",
    "Binder",
    "Body",
    "Branch",
    "Break",
    "Call",
    "Case",
    "Check",
    "Choose",
    "ChooseOffer",
    "Cite",
    "Cites",
    "CollectionType",
    "Comment",
    "Conditional",
    "Content",
    "Continue",
    "Declaration",
    "Define",
    "Do",
    "Draw",
    "Drawn",
    "During",
    "Edge",
    "End",
    "Ending",
    "Expr",
    "FieldDecl",
    "File",
    "For",
    "Given",
    "Group",
    "Hook",
    "If",
    "Index",
    "Kind",
    "Kit",
    "Label",
    "Leave",
    "Let",
    "LetFrom",
    "Line",
    "ListOf",
    "Match",
    "Mix",
    "Moment",
    "Move",
    "Name",
    "NamedType",
    "Node",
    "NoneType",
    "NoneValue",
    "Number",
    "Offer",
    "Offers",
    "Open",
    "Order",
    "Outcome",
    "Param",
    "Perform",
    "Proceed",
    "RangeType",
    "Reading",
    "Ref",
    "Repeat",
    "Return",
    "Reveal",
    "Roll",
    "RouteLine",
    "Routes",
    "Rule",
    "Scenario",
    "Scope",
    "Scores",
    "Scripted",
    "Setting",
    "State",
    "Statement",
    "Step",
    "Story",
    "String",
    "Table",
    "Then",
    "Throw",
    "Trial",
    "TypeExpr",
    "Unary",
    "UnionType",
    "Verdict",
    "Word",
    "children",
    "walk",
]


@frozen
class File(Node):
    """A whole file: its declarations in order, and its comments in order beside them."""

    name: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...] = field(eq=False, repr=False)


def children(node: Node) -> Iterator[Node]:
    """The nodes directly below ``node``, in the order of its fields."""
    return iter(_children(node))


def _children(node: Any) -> list[Node]:
    found: list[Node] = []
    for name in _parts(node.__class__):
        _add_nodes(getattr(node, name), found)
    return found


@cache
def _parts(kind: type[Node]) -> tuple[str, ...]:
    """The fields of a node in which others may stand."""
    return tuple(field.name for field in fields(kind) if field.name != "span")


def _add_nodes(value: object, found: list[Node]) -> None:
    if isinstance(value, Node):
        found.append(value)
    elif isinstance(value, tuple):
        for item in value:
            _add_nodes(item, found)


def walk(node: Node) -> Iterator[Node]:
    """``node`` and every node below it, outermost first."""
    stack = [node]
    while stack:
        current = stack.pop()
        yield current
        stack.extend(reversed(_children(current)))
