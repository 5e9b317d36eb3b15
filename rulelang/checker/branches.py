"""Checking `if`, `match` and tables of rolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulelang.checker.cards import die_name, rolled_type
from rulelang.checker.context import Context
from rulelang.checker.facts import bare, changes_in, not_none
from rulelang.checker.part import Part
from rulelang.checker.patterns import pattern
from rulelang.checker.wording import describe, quoted
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import (
    BAD,
    FLAG,
    NONE,
    Either,
    Named,
    Num,
    Type,
    comparable,
    either,
    members,
)
from rulelang.program.values import Entry
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    pass

MOST_NUMBERS = 100
"""Ranges of more numbers than this need an `else`."""


class Branches(Part):
    """The part of the statement checker that is about conditions and cases."""

    def if_(self, node: t.If) -> bool:
        """``if c``, every ``else if``, and ``else``."""
        end = self.out.label()
        staying: list[t.Body] = []
        over: list[t.Expr] = []  # conditions that cannot hold behind the statement
        with self.scope.block(), self.scope.paths():
            for condition, body in node.branches:
                otherwise = self.out.label()
                checked = self.expressions.condition(condition)
                self.out.emit(i.Branch(condition.span, checked, otherwise))
                with self.scope.block():
                    self.scope.learn(condition)
                    stays = self.statements.path(body)
                if stays:
                    staying.append(body)
                    self.out.emit(i.Jump(body.span, end))
                elif not staying:
                    over.append(condition)
                self.out.mark(otherwise)
                self.scope.learn(condition, False)
            stays = node.otherwise is None or self.statements.path(node.otherwise)
        self.out.mark(end)
        for condition in over:
            self.scope.learn(condition, False)
        if not stays and len(node.branches) == 1:
            self.scope.learn(node.branches[0][0])
        if node.otherwise is not None and stays:
            staying.append(node.otherwise)
        self.scope.forget(changes_in(staying))
        return stays or bool(staying)

    # ------------------------------------------------------------ cases

    def match(self, node: t.Match) -> bool:
        """``match e`` with its cases."""
        value = self.expressions.value(node.value)
        return self._cases(value, node, node.value.span, node.value)

    def table(self, node: t.Table) -> bool:
        """``roll d6`` with a line for each outcome."""
        die = self.expressions.infer(node.die)
        kind = rolled_type(self.statements, die, node.die.span)
        slot = self.scope.slot()
        self.out.emit(i.Roll(node.span, slot, die, die_name(node.die)))
        return self._cases(x.Local(kind, node.span, slot, ""), node, node.die.span)

    def _cases(
        self, value: x.Expr, node: t.Match | t.Table, span: Span, written: t.Expr | None = None
    ) -> bool:
        slot = self.scope.slot()
        self.out.emit(i.Set(node.span, slot, value))
        subject = x.Local(value.type, value.span, slot, "")
        end = self.out.label()
        reached = False
        left = alternatives(self.context, value.type)
        with self.scope.block(), self.scope.paths():
            for case in node.cases:
                left, stays = self._one(case, subject, left, end)
                reached = reached or stays
                if written is not None and any(map(_is_none, case.values)):
                    self.scope.facts.append(not_none(written))
            if node.otherwise is not None:
                with self.scope.block():
                    self._narrow(written, left)
                    reached = self.statements.path(node.otherwise) or reached
        if node.otherwise is None and (left is None or left):
            reached = True
            if value.type != BAD:
                self._incomplete(left, span, value.type)
        self.out.mark(end)
        return reached

    def _one(
        self, case: t.Case, subject: x.Local, left: set[object] | None, end: int
    ) -> tuple[set[object] | None, bool]:
        """One case: what is left for the others, and whether it comes to its end."""
        chosen, following = self.out.label(), self.out.label()
        for node in case.values:
            condition = self._case(subject, node)
            again = self.out.label()
            self.out.emit(i.Branch(node.span, condition, again))
            self.out.emit(i.Jump(node.span, chosen))
            self.out.mark(again)
            left = self._covered(left, condition, node)
        self.out.emit(i.Jump(case.span, following))
        self.out.mark(chosen)
        stays = self.statements.path(case.body)
        if stays:
            self.out.emit(i.Jump(case.span, end))
        self.out.mark(following)
        return left, stays

    def _case(self, subject: x.Local, node: t.Expr) -> x.Expr:
        found = pattern(self.expressions, subject, node, node.span)
        if found is not None:
            return found
        value = self.expressions.value(node, subject.type)
        if not comparable(value.type, subject.type):
            message = f"{describe(subject.type)} is never {describe(value.type)}"
            self.context.report("T309", message, node.span)
        elif isinstance(value, x.Const) and isinstance(value.value, int):
            self._possible(subject.type, value, node.span)
        return x.Op(FLAG, node.span, "==", (subject, value))

    def _possible(self, kind: Type, value: x.Const, span: Span) -> None:
        """A number that the value never is."""
        numbers = [member for member in members(kind) if isinstance(member, Num)]
        for number in numbers:
            low, high = number.low, number.high
            if (low is not None and value.value < low) or (high is not None and value.value > high):
                message = f"{value.value} lies outside {number}"
                self.context.report("T303", message, span)

    def _covered(
        self, left: set[object] | None, condition: x.Expr, node: t.Expr
    ) -> set[object] | None:
        """What is left to be covered behind a case; reports one that comes too late."""
        if left is None:
            return None
        gone: set[object] = set()
        if isinstance(condition, x.Op) and condition.name == "==":
            value = condition.arguments[1]
            if isinstance(value, x.Const) and value.type != BAD:
                gone = {_mark(value.value)}
        elif isinstance(condition, x.IsVariant):
            gone = {_variant(condition.domain, condition.variant)}
        elif isinstance(condition, x.InDomain):
            gone = _of_union(self.context, Named(condition.domain)) or set()
        if gone and not gone & left and self._is_possible(gone, condition):
            self.context.report("R401", "an earlier line covers this case already", node.span)
        return left - gone

    def _is_possible(self, gone: set[object], condition: x.Expr) -> bool:
        """Could the case have come at all? What is never possible was reported as that."""
        value = condition.arguments[0] if isinstance(condition, x.Op) else None
        possible = alternatives(self.context, value.type) if value is not None else None
        return possible is None or bool(gone & possible)

    def _narrow(self, written: t.Expr | None, left: set[object] | None) -> None:
        """Behind `else` a local has only the types of which something is left."""
        if not isinstance(written, t.Ref) or not left:
            return
        variable = self.scope.names.get(written.name)
        if variable is None or variable.name in self.statements.changed:
            return
        kinds = members(variable.type)
        rest = [kind for kind in kinds if (_of_union(self.context, kind) or left) & left]
        if rest:
            self.scope.names[variable.name] = evolve(variable, type=either(*rest))

    def _incomplete(self, left: set[object] | None, span: Span, kind: Type) -> None:
        if left is None:
            message = f"not every case of {describe(kind)} is covered"
            self.context.report("T306", message, span, help="Add `else:`.")
            return
        names = sorted(str(mark[1]) if isinstance(mark, tuple) else str(mark) for mark in left)
        message = f"nothing is said for {quoted(names)}"
        self.context.report("T306", message, span, help="Add a line for each, or `else:`.")


def _is_none(node: t.Expr) -> bool:
    return isinstance(bare(node), t.NoneValue)


def _variant(kind: str, name: str) -> object:
    return f"{kind} is", name


def _mark(value: object) -> object:
    if isinstance(value, Entry):
        return value.domain, value.key
    if value is None or isinstance(value, bool):
        return "flag", {None: "none", True: "yes", False: "no"}[value]
    return type(value).__name__, value


def alternatives(context: Context, kind: Type) -> set[object] | None:
    """Marks of all values of a small type; None where there are too many or no end."""
    if not isinstance(kind, Either):
        return _alternatives(context, kind)
    marks: set[object] = set()
    for member in kind.members:
        found = _of_union(context, member)
        if found is None:
            return None
        marks |= found
    return marks


def _of_union(context: Context, kind: Type) -> set[object] | None:
    """Marks of an alternative of a union: a kind may be covered as a whole there."""
    found = _alternatives(context, kind)
    if found is None and isinstance(kind, Named) and kind.domain in context.program.kinds:
        return {_variant(kind.domain, kind.domain)}
    return found


def _alternatives(context: Context, kind: Type) -> set[object] | None:
    if kind == FLAG:
        return {_mark(True), _mark(False)}
    if kind == NONE:
        return {_mark(None)}
    if isinstance(kind, Named) and kind.domain in context.program.domains:
        schema = context.program.kinds.get(kind.domain)
        if schema is None:
            return {_mark(entry) for entry in context.program.domains[kind.domain].entries}
        return {_variant(schema.name, name) for name in schema.variants} or None
    if not isinstance(kind, Num) or kind.low is None or kind.high is None:
        return None
    if kind.high - kind.low >= MOST_NUMBERS:
        return None
    return {_mark(n) for n in range(kind.low, kind.high + 1)}
