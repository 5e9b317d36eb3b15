"""Checking loops and scopes, and what leaves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define

from rulelang.checker.comprehensions import bind
from rulelang.checker.facts import changes_in
from rulelang.checker.part import Part
from rulelang.checker.wording import counted
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import BAD, Many
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.checker.statements import Statements


@define
class Loop:
    """The loop around a statement: where `continue` and `break` go."""

    again: int
    end: int
    left: bool = False
    """Is there a `break`?"""


class Loops(Part):
    """The part of the statement checker that is about loops and scopes."""

    def __init__(self, statements: Statements) -> None:
        super().__init__(statements)
        self.loops: list[Loop] = []

    def for_(self, node: t.For) -> bool:
        """``for x in S where c``, and ``at once``."""
        statements = self.statements
        again, end = self.out.label(), self.out.label()
        outer = statements.deferred
        if node.at_once:
            statements.deferred = self.scope.slot()
            nothing = x.Items(Many("list", BAD), node.span, ())
            self.out.emit(i.Set(node.span, statements.deferred, nothing))
        with self.scope.block():
            slot, source, condition, item = bind(self.expressions, node.binder)
            listed, span = Many("list", item), node.binder.span
            if condition is not None:
                source = x.Each(listed, span, "list", slot, source, condition, None)
            rest = self.scope.slot()
            every = x.Op(listed, source.span, "all", (source,))
            self.out.emit(i.Set(span, rest, every))
            self.out.mark(again)
            self.out.emit(i.Iterate(span, rest, slot, end))
            self._body(node, node.body, Loop(again, end))
        self.out.mark(end)
        if node.at_once:
            assert statements.deferred is not None
            self.out.emit(i.Publish(node.span, statements.deferred))
            statements.deferred = outer
        return True

    def repeat(self, node: t.Repeat) -> bool:
        """``repeat``, or ``repeat while c``."""
        loop = Loop(self.out.label(), self.out.label())
        self.out.mark(loop.again)
        with self.scope.block():
            self.scope.forget(changes_in([node.body]))
            if node.condition is not None:
                condition = self.expressions.condition(node.condition)
                self.out.emit(i.Branch(node.condition.span, condition, loop.end))
                self.scope.learn(node.condition)
            self._body(node, node.body, loop, first=node.condition)
        self.out.mark(loop.end)
        if node.condition is None and not loop.left and not _can_stop(node.body):
            self.context.report(
                "R403",
                "this repeats for ever: nothing in it can leave",
                node.span,
                help="Add `break`, `return`, `end` or a `while` condition, "
                "or call a rule that may end the game.",
            )
        return node.condition is not None or loop.left

    def _body(
        self,
        node: t.For | t.Repeat,
        body: t.Body,
        loop: Loop,
        first: t.Expr | None = None,
    ) -> None:
        """What is known in a loop must hold on every way round, but for its own condition."""
        change = changes_in([body])
        if first is None:
            self.scope.forget(change)
        self.loops.append(loop)
        if self.statements.body(body):
            self.out.emit(i.Jump(node.span, loop.again, loop=True))
        self.loops.pop()
        self.scope.forget(change)

    def exit(self, node: t.Break | t.Continue) -> bool:
        """``break`` or ``continue``."""
        word = "break" if isinstance(node, t.Break) else "continue"
        if not self.loops:
            self.context.report("R406", f"`{word}` stands outside of any loop", node.span)
            return True
        loop = self.loops[-1]
        loop.left = loop.left or word == "break"
        target = loop.end if word == "break" else loop.again
        self.out.emit(i.Jump(node.span, target, loop=word == "continue"))
        return False

    # ------------------------------------------------------------ scopes

    def scoped(self, node: t.Scope) -> bool:
        """``scope name(a)``: statements that ``leave`` gets out of."""
        label = node.label.text
        slot, end = self.scope.slot(), self.out.label()
        arguments = tuple(self.expressions.value(argument) for argument in node.arguments)
        first = self.context.scopes.setdefault(label, node)
        self._same_count(node.label, len(arguments), first)
        self.out.emit(i.Enter(node.span, label, slot, arguments, end))
        self.statements.body(node.body)
        self.scope.forget(changes_in([node.body]))
        self.out.mark(end)
        self.out.emit(i.Exit(node.span, label, slot))
        return True

    def leave(self, node: t.Leave) -> bool:
        """``leave name(a)``."""
        label = node.scope.text
        self.context.use("scope", label)
        first = self.context.scopes.get(label)
        arguments = tuple(self.expressions.value(argument) for argument in node.arguments)
        if first is None:
            span = node.scope.span
            self.context.report_unknown(label, span, "scope", self.context.scopes, code="R407")
        elif arguments:  # without any, whichever scope of this name is meant
            self._same_count(node.scope, len(arguments), first)
        self.out.emit(i.Leave(node.span, label, arguments))
        return True

    def _same_count(self, name: t.Name, given: int, first: t.Scope) -> None:
        if given != len(first.arguments):
            has = counted(len(first.arguments), "argument")
            message = f"scope `{name.text}` has {has}, and {given} stand here"
            self.context.report("T302", message, name.span)


def _can_stop(body: t.Body) -> bool:
    """May anything below leave a loop: a return, an end, a leave, or a call of a rule?"""
    leaving = (t.Return, t.End, t.Leave, t.Call, t.Do, t.Proceed, t.Open)
    return any(isinstance(node, leaving) for node in t.walk(body))
