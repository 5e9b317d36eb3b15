"""Which expressions always have an answer.

Only those may be worked out later than the interpreter does it, or not at all: of any other it may
be that a rule goes wrong there.
"""

from __future__ import annotations

from rulelang.engine.evaluate import Evaluators
from rulelang.engine.operators import MAX_ITEMS
from rulelang.program import expressions as x
from rulelang.program.types import MAX_NUMBER, Named, Num, Type

OPERATORS = frozenset(
    (
        "and", "or", "not", "==", "<", "<=", ">", ">=", "+", "-", "negative", "min", "max", "has",
        "size", "empty", "all", "less", "sorted", "reversed", "distinct", "contains", "ended",
        "outcome", "in_base", "mentions",
    )
)  # fmt: skip
"""Operators that always have an answer."""
PLAIN = (x.Const, x.Local, x.All, x.If, x.Items, x.IsEffect, x.IsVariant, x.InDomain, x.OnBoard)
"""What has one if its parts do."""


class Safety:
    """Answers for the expressions of one linked program."""

    def __init__(self, evaluators: Evaluators) -> None:
        self.evaluators = evaluators
        self.linked = evaluators.linked
        self._questions: dict[str, bool] = {}

    def is_safe(self, expr: object) -> bool:
        """Does an expression, or do several, always have an answer?"""
        return all(map(self._has_answer, x.walk(expr)))

    def may_wait(self, question: str, arguments: tuple[x.Expr, ...]) -> bool:
        """May arguments of a question be worked out where it needs them, if it does?"""
        return all(
            isinstance(argument, x.Local | x.Const)
            or self.is_safe(argument)
            or self._is_needed(question, slot)
            for slot, argument in enumerate(arguments)
        )

    def _is_needed(self, question: str, slot: int) -> bool:
        """Does a question give no answer before it has asked for a parameter?"""
        condition, value = self.linked.program.questions[question].branches[0]
        return self.needs(value if condition is None else condition, slot)

    def needs(self, expr: x.Expr, slot: int) -> bool:
        """Is a local surely asked for where an expression is worked out?"""
        match expr:
            case x.Local():
                return expr.slot == slot
            case x.Each():
                return self.needs(expr.source, slot)
            case x.If():
                return self.needs(expr.condition, slot)
            case x.Op(name="and" | "or"):
                return self.needs(expr.arguments[0], slot)
            case x.Op():
                return any(self.needs(argument, slot) for argument in expr.arguments)
            case x.FieldOf():
                return self.needs(expr.value, slot)
        return False

    def _has_answer(self, part: x.Expr) -> bool:
        match part:
            case x.Op():
                return part.name in OPERATORS
            case x.FieldOf():
                return isinstance(part.value.type, Named)
            case x.MapItem():
                return isinstance(part.key.type, Named)
            case x.Read():
                return self._is_there(part)
            case x.Each(name="sum"):
                return _is_bounded(part.type, MAX_NUMBER) or _adds_known(part.value)
            case x.Each():
                return part.name != "join"
            case x.AskDefine():
                return self._always_answers(part.define)
        return isinstance(part, PLAIN)

    def _is_there(self, read: x.Read) -> bool:
        if read.owner is None and read.field in self.evaluators.fixed:
            return True
        if read.field not in self.linked.bases:
            return False
        owner = read.owner
        return not isinstance(owner, x.Const) or (owner.value.index < self.linked.sizes[read.field])

    def _always_answers(self, question: str) -> bool:
        if question not in self._questions:
            branches = self.linked.program.questions[question].branches
            self._questions[question] = branches[-1][0] is None and self.is_safe(branches)
        return self._questions[question]


def _adds_known(value: x.Expr | None) -> bool:
    """Are small numbers of the content or of the state added, of which no list holds too many?"""
    if not isinstance(value, x.FieldOf | x.Read | x.Const):
        return False
    return _is_bounded(value.type, MAX_NUMBER // MAX_ITEMS)


def _is_bounded(kind: Type, most: int) -> bool:
    if not isinstance(kind, Num) or kind.low is None or kind.high is None:
        return False
    return -most <= kind.low and kind.high <= most
