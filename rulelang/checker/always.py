"""Conditions that are always the same, and collections that are always empty."""

from __future__ import annotations

from collections.abc import Callable

from attrs import Factory, define

from rulelang.checker.lowered import Calls
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Program
from rulelang.program.types import ZONES, Many, Num

Holds = Callable[[x.Expr], bool | None]
"""Says of a condition whether something else settles it: the mode, for instance."""


def unsettled(condition: x.Expr) -> bool | None:
    """Nothing else settles a condition."""
    return None


@define(slots=False)
class Always:
    """What can be said of the expressions of a program without playing it."""

    program: Program
    calls: Calls
    holds: Holds = unsettled
    _asked: dict[str, bool | None] = Factory(dict)

    def __attrs_post_init__(self) -> None:
        self.filled = _filled(self.program, self.calls)
        """The places in which cards may ever lie."""

    def truth(self, expr: x.Expr) -> bool | None:
        """Is a condition always true, or always false?"""
        settled = self.holds(expr)
        if settled is not None:
            return settled
        match expr:
            case x.Const(value=bool()):
                return bool(expr.value)
            case x.Op(name="not"):
                found = self.truth(expr.arguments[0])
                return None if found is None else not found
            case x.Op(name="and" | "or"):
                settles = expr.name == "or"
                both = [self.truth(argument) for argument in expr.arguments]
                return settles if settles in both else None if None in both else not settles
            case x.Op(name="<" | "<=" | ">" | ">="):
                return _compared(expr.name, *(argument.type for argument in expr.arguments))
            case x.Op(name="empty"):
                return True if self.is_empty(expr.arguments[0]) else None
            case x.AskDefine():
                return self._answer(expr.define)
            case x.Each(name="some"):
                return False if self.is_empty(expr.source) else None
        return None

    def _answer(self, name: str) -> bool | None:
        if name not in self._asked:
            self._asked[name] = None
            branches = self.program.questions[name].branches
            if len(branches) == 1:
                self._asked[name] = self.truth(branches[0][1])
        return self._asked[name]

    def is_empty(self, expr: x.Expr) -> bool:
        """Is there never anything in a collection?"""
        match expr:
            case x.Const(value=tuple()):
                return not expr.value
            case x.Items():
                return not expr.items
            case x.All():
                return not self.program.domains[expr.domain].entries
            case x.Read():
                return _is_zone(self.program, expr.field) and expr.field not in self.filled
            case x.Each(name="list" | "best"):
                never = expr.condition is not None and self.truth(expr.condition) is False
                return never or self.is_empty(expr.source)
            case x.Op(name="numbers"):
                low, high = (argument.type for argument in expr.arguments)
                return isinstance(low, Num) and isinstance(high, Num) and _is_less(high, low)
            case x.Op(name="all" | "sorted" | "reversed" | "distinct" | "ring" | "less"):
                return self.is_empty(expr.arguments[0])
            case x.Op(name="take" | "drop" | "earlier"):
                return self.is_empty(expr.arguments[1])
            case x.Op(name="join"):
                return all(map(self.is_empty, expr.arguments))
        return False


def _is_less(one: Num, other: Num) -> bool:
    return one.high is not None and other.low is not None and one.high < other.low


def _compared(operator: str, left: object, right: object) -> bool | None:
    """Is a comparison of two ranges of numbers always the same?"""
    if not isinstance(left, Num) or not isinstance(right, Num):
        return None
    if operator in (">", ">="):
        left, right = right, left
    if operator in ("<", ">"):
        holds, fails = _is_less(left, right), _is_at_most(right, left)
    else:
        holds, fails = _is_at_most(left, right), _is_less(right, left)
    return True if holds else False if fails else None


def _is_at_most(one: Num, other: Num) -> bool:
    return one.high is not None and other.low is not None and one.high <= other.low


def _is_zone(program: Program, key: str) -> bool:
    field = program.state.get(key)
    return field is not None and isinstance(field.type, Many) and field.type.form in ZONES


def _filled(program: Program, calls: Calls) -> set[str]:
    """The fields that have cards at the start, or to which something is brought."""
    found = {key for key, field in program.state.items() if field.default is not None}
    for codes in calls.codes.values():
        for code in codes:
            for instruction in code.instructions:
                match instruction:
                    case i.Move() | i.Draw() | i.Mix():
                        found.add(instruction.target.field)
                    case i.Store() | i.Arrange():
                        found.add(instruction.place.field)
    return found
