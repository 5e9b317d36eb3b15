"""What the making of every operation needs: expressions, places, arguments within their types."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rulelang.engine.evaluate import Evaluator, Evaluators
from rulelang.engine.fault import Fault
from rulelang.engine.knowledge import Knowledge
from rulelang.engine.machine import Machine, Operation, Ready
from rulelang.program import instructions as i
from rulelang.program.expressions import Const, Expr
from rulelang.program.linking import Linked
from rulelang.program.sight import Sight
from rulelang.program.types import BAD, Many, Num, Type, admits, members, within
from rulelang.program.values import label_of

Locals = list[Any]
Slot = Callable[[list[Any], Locals], int]
"""Finds the slot of the state that a place means."""


class Making:
    """Makes parts of the operations of one linked program."""

    def __init__(
        self,
        linked: Linked,
        evaluators: Evaluators,
        ready: dict[str, Ready],
        knowledge: Knowledge | None = None,
    ) -> None:
        self.linked = linked
        self.evaluators = evaluators
        self.ready = ready
        self.knowledge = knowledge or Knowledge(linked, evaluators)
        self.sight = Sight(linked.program)
        self.prepare = evaluators.prepare
        self.collection = evaluators.collection
        self.keyless = frozenset(k.name for k in linked.program.kinds.values() if not k.key)

    @cached_property
    def stored(self) -> frozenset[Type]:
        """The types of all places to which some rule assigns."""
        codes = self.linked.codes.values()
        stores = [n for code in codes for n in code.instructions if type(n) is i.Store]
        return frozenset([n.place.type for n in stores])

    def place(self, place: i.Place) -> Slot:
        """The function that finds a place's slot."""
        base = self.linked.bases.get(place.field)
        if base is None:
            return _no_place(place.field, self.linked.mode)
        if place.owner is None:
            return lambda s, f: base
        owner, size = self.prepare(place.owner), self.linked.sizes[place.field]

        def find(s: list[Any], f: Locals) -> int:
            index: int = owner(s, f).index
            if index >= size:
                raise Fault("there is no such player in this game")
            return base + index

        return find

    def source_name(self, place: i.Place) -> Callable[[list[Any], Locals], str]:
        """The function that names the random words of a pile."""
        name = f"pile:{place.field}"
        if place.owner is None:
            return lambda s, f: name
        owner = self.prepare(place.owner)
        return lambda s, f: f"{name}:{owner(s, f).label}"

    def public(self, arguments: tuple[Expr, ...]) -> tuple[bool, ...]:
        """For each argument of a call, whether it comes of nothing but what everybody sees."""
        return tuple(map(self.knowledge.is_public, arguments))

    def argument(self, expr: Expr, kind: Type, what: str, *, always: bool = False) -> Evaluator:
        """The function of an expression whose numbers must lie in the ranges of a type.

        ``always`` tests them even where the expression's own type promises it.
        """
        value = self.evaluators.needed(expr, kind)
        if certain(expr, kind) and not (always and has_numbers(kind)):
            return value

        def checked(s: list[Any], f: Locals) -> Any:
            given = value(s, f)
            if not admits(kind, given):
                raise Fault(f"{what} {label_of(given)}, and this is {kind}")
            return given

        return checked


def form_of(place: i.Place) -> str:
    """The form of a zone; empty for another place."""
    return place.type.form if isinstance(place.type, Many) else ""


def failing(message: str) -> Operation:
    """An operation that always is a fault."""

    def run(m: Machine, f: Locals) -> int:
        raise Fault(message)

    return run


def _no_place(field: str, mode: str) -> Slot:
    def find(s: list[Any], f: Locals) -> int:
        raise Fault(f"{field} does not exist in mode {mode}")

    return find


def has_numbers(kind: Type) -> bool:
    """May a value of the type be a number?"""
    return any(isinstance(member, Num) for member in members(kind))


def certain(expr: Expr, kind: Type) -> bool:
    """Is it certain that the numbers of an expression lie in the ranges of a type?"""
    wanted = [member for member in members(kind) if isinstance(member, Num)]
    if not wanted or expr.type == BAD:
        return True
    if isinstance(expr, Const):
        return admits(kind, expr.value)
    given = [member for member in members(expr.type) if isinstance(member, Num)]
    return all(any(_inside(one, other) for other in wanted) for one in given)


def _inside(one: Num, other: Num) -> bool:
    if other.low is None and other.high is None:
        return True
    low = other.low is None or (one.low is not None and within(other, one.low))
    return low and (other.high is None or (one.high is not None and within(other, one.high)))
