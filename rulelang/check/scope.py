"""The local names of one rule or question: their slots and types, and what conditions say of them."""

from __future__ import annotations

from contextlib import contextmanager
from collections.abc import Iterator

from attrs import Factory, define, frozen

from rulelang.check.context import Context
from rulelang.diagnostic import Note, Span
from rulelang.program.types import Type
from rulelang.syntax import tree as t


@frozen
class Variable:
    """A local name."""

    name: str
    slot: int
    type: Type
    span: Span
    fixed: bool
    """A parameter or a bound name, which cannot be assigned."""


@define
class Scope:
    """Local names by block. Slots are never used twice, so a slot has one type for the whole rule."""

    context: Context
    slots: int = 0
    names: dict[str, Variable] = Factory(dict)
    facts: list[Fact] = Factory(list)
    used: set[str] = Factory(set)

    def slot(self) -> int:
        """A new slot."""
        self.slots += 1
        return self.slots - 1

    def bind(self, name: t.Name, kind: Type, *, fixed: bool = True) -> int:
        """Make a new local name; its slot."""
        known = self.names.get(name.text)
        origin = self.context.origins.get(name.text)
        place = known.span if known is not None else origin.span if origin is not None else None
        if place is not None:
            self.context.report(
                "N203", f"`{name.text}` already means something here", name.span,
                notes=[Note(place, "it is declared here")], help="Choose another name for the new one.",
            )  # fmt: skip
        slot = self.slot()
        self.names[name.text] = Variable(name.text, slot, kind, name.span, fixed)
        return slot

    def find(self, name: str) -> Variable | None:
        variable = self.names.get(name)
        if variable is not None:
            self.used.add(name)
        return variable

    @contextmanager
    def block(self) -> Iterator[None]:
        """Names and facts that hold inside a block only."""
        names, facts = dict(self.names), list(self.facts)
        yield
        self.names, self.facts = names, facts

    # ------------------------------------------------------------ what conditions say

    def learn(self, condition: t.Expr, holds: bool = True) -> None:
        """Remember what is known where the condition holds (or does not)."""
        self.facts.extend(facts_of(condition, holds))

    def known(self, about: t.Expr, what: str) -> bool:
        """Is it known that ``about`` is ``what``: "none", "not none", "not empty"?"""
        return any(fact.about == bare(about) and fact.what == what for fact in self.facts)


@frozen
class Fact:
    about: t.Expr
    what: str


def bare(node: t.Expr) -> t.Expr:
    """The expression without parentheses around it."""
    while isinstance(node, t.Group):
        node = node.value
    return node


def facts_of(node: t.Expr, holds: bool) -> list[Fact]:
    """What follows from a condition that holds, or from one that does not."""
    node = bare(node)
    match node:
        case t.Unary(operator="not"):
            return facts_of(node.value, not holds)
        case t.Binary(operator="and") if holds:
            return facts_of(node.left, True) + facts_of(node.right, True)
        case t.Binary(operator="or") if not holds:
            return facts_of(node.left, False) + facts_of(node.right, False)
        case t.Binary(operator="is" | "is not"):
            return _is_facts(node, (node.operator == "is") == holds)
        case t.Binary(operator=">" | ">=" | "==" | "!=" | "<" | "<="):
            return _size_facts(node, holds)
    return []


def _is_facts(node: t.Binary, positive: bool) -> list[Fact]:
    about = bare(node.left)
    if isinstance(node.right, t.NoneValue):
        return [Fact(about, "none" if positive else "not none")]
    if isinstance(node.right, t.Ref) and node.right.name == "empty":
        return [] if positive else [Fact(about, "not empty")]
    return [Fact(about, "not none")] if positive else []


def _size_facts(node: t.Binary, holds: bool) -> list[Fact]:
    """``size(x) >= 1`` and its kin say that x is not empty."""
    left, right = bare(node.left), bare(node.right)
    if not (isinstance(left, t.Ask) and isinstance(left.function, t.Ref) and left.function.name in ("size", "count")):
        return []
    if not left.arguments or not isinstance(right, t.Number):
        return []
    value = right.value
    proves = {
        (">", True): value >= 0, (">=", True): value >= 1, ("==", True): value >= 1,
        ("!=", True): value == 0, ("<", False): value >= 1, ("<=", False): value >= 0, ("==", False): value == 0,
    }.get((node.operator, holds), False)  # fmt: skip
    return [Fact(bare(left.arguments[0]), "not empty")] if proves else []
