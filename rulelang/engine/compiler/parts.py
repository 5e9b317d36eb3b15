"""Expressions, and those of instructions, taken apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import fields

from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import ENDINGS

_WITH_PARTS = (i.Instruction, i.Place, i.Offer)


def expressions_of(n: i.Instruction) -> Iterator[x.Expr]:
    """All expressions of an instruction."""
    todo: list[Any] = [n]
    while todo:
        part = todo.pop()
        if isinstance(part, x.Expr):
            yield from x.walk(part)
        elif isinstance(part, tuple):
            todo.extend(part)
        elif isinstance(part, _WITH_PARTS):
            todo.extend([getattr(part, name) for name in _names(type(part))])


_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type) -> tuple[str, ...]:
    """The attributes of an instruction or of a part of one that may hold expressions."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(a.name for a in fields(kind) if a.name not in ("span", "type"))
    return _NAMES[kind]


def items_of(expr: x.Expr) -> x.Expr:
    """The collection of which an expression takes all items; itself if it is no such question."""
    return expr.arguments[0] if isinstance(expr, x.Op) and expr.name == "all" else expr


def has_ended(ending: str) -> str:
    """The source of whether an ending has come, where the state is at hand."""
    came = f"s[{ENDINGS}]"
    others = f"len({came}) > 1 and any([n == {ending!r} for n, _ in {came}])"
    return f"({came} != () and ({came}[0][0] == {ending!r} or {others}))"


def supposed(condition: x.Expr) -> dict[int, int]:
    """What locals are at least where a condition holds, by slot."""
    match condition:
        case x.Op(name="and", arguments=(left, right)):
            return {**supposed(left), **supposed(right)}
        case x.Op(name=">", arguments=(x.Local() as local, x.Const(value=int() as limit))):
            return {local.slot: limit + 1}
        case x.Op(name=">=" | "==", arguments=(x.Local() as local, x.Const(value=int() as limit))):
            return {local.slot: limit}
    return {}
