"""Expressions made simpler before they are written: constants folded, short questions put in place.

What is fixed when a game starts (its mode, settings, rulings, seats, all entries) is known here, so
that most of what only tells modes apart is gone before any code is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from operator import is_
from typing import Any

from attrs import evolve

from rulelang.engine.compiler.parts import items_of
from rulelang.engine.compiler.safety import Safety
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.program import expressions as x
from rulelang.program.linking import WORK
from rulelang.program.program import Question
from rulelang.program.types import BAD, FLAG, Many, Named
from rulelang.program.values import Entry, Value

NESTED, FRESH = 1_000, 2_000
"""The first slots of the locals that comprehensions bind, and of others that are made here."""
MOST_PARTS = 40
"""Questions of more parts are called, not put in place."""
MOST_DEPTH = 8
MOST_PUT = 200
"""Parts of a question with all those in place that it asks: if it has more, it is called."""
MOST_EXPANDED = 400
"""Parts of an expression in which all questions were put in place."""
MOST_WORK = 100_000
"""What costs more than so many items is not worked out before it is asked."""

Bound = Mapping[int, x.Expr | int]
"""What stands for a local: an expression, or a local of another slot."""


class Simplifier:
    """Simplifies the expressions of one linked program."""

    def __init__(self, evaluators: Evaluators) -> None:
        self.evaluators = evaluators
        self.questions = evaluators.linked.program.questions
        self.slots = FRESH
        """The next slot that no local has."""
        self.settled: Mapping[str, tuple[Value, ...]] = {}
        """The fields that no rule writes any more: what they hold, of each owner in turn."""
        self._depth = 0
        self._nested = 0
        self._left = 0
        self.safety = Safety(evaluators)
        self._long: set[str] = set()
        """Questions that became too long, since they ask others."""
        self._parts: dict[str, list[x.Expr] | None] = {}
        """What stands in the questions that may be put in place; None: it may not."""
        self.is_charged: Callable[[str], int] = lambda question: 0
        """Is asking a question charged for? Put in place it would not be."""

    def fresh(self) -> int:
        """A slot that no other local has."""
        self.slots += 1
        return self.slots - 1

    def simple(self, expr: x.Expr, bound: Bound | None = None) -> x.Expr:
        """The same expression, simpler, with something put in place of some locals."""
        bound = bound or {}
        match expr:
            case x.Local():
                put = bound.get(expr.slot, expr)
                return evolve(expr, slot=put) if isinstance(put, int) else put
            case x.Each() | x.Ways():
                return self._binding(expr, bound)
            case x.If():
                return self._either(expr, bound)
            case x.AskDefine():
                return self._ask(expr, bound)
        return self._folded(self._only(rebuilt(expr, lambda part: self.simple(part, bound))))

    def again(self, expr: x.Expr, bound: Bound) -> x.Expr:
        """The same of an expression that was simplified before, inside of comprehensions.

        What it binds gets slots beyond those of the locals that it is given.
        """
        given = [part.slot for part in x.walk(expr) if isinstance(part, x.Local)]
        around = self._nested
        self._nested = max((s - NESTED + 1 for s in given if NESTED <= s < FRESH), default=0)
        made = self.simple(expr, bound)
        self._nested = around
        return made

    def _only(self, expr: x.Expr) -> x.Expr:
        """Of a domain with one value, that value: a seat, where one plays alone."""
        linked = self.evaluators.linked
        if isinstance(expr, x.Read) and expr.type == Named("Player") and len(linked.players) == 1:
            return x.Const(expr.type, expr.span, linked.players[0])
        if isinstance(expr, x.Read) and expr.field in self.settled:
            return self._held(expr, self.settled[expr.field])
        return expr

    def _held(self, expr: x.Read, values: tuple[Value, ...]) -> x.Expr:
        """What a field holds that is settled, if it is known whose it is."""
        if expr.owner is None:
            return x.Const(expr.type, expr.span, values[0])
        owner = expr.owner.value if isinstance(expr.owner, x.Const) else None
        if not isinstance(owner, Entry) or owner.index >= len(values):
            return expr
        return x.Const(expr.type, expr.span, values[owner.index])

    def _binding(self, expr: x.Each | x.Ways, bound: Bound) -> x.Expr:
        """What binds a local gets a slot by how deep it stands.

        Nothing that is put in place inside can mean it, and what is alike is written alike.
        """
        slot = NESTED + self._nested
        inner = {**bound, expr.slot: slot}
        self._nested += 1
        new = rebuilt(expr, lambda part: self.simple(part, inner))
        self._nested -= 1
        new = evolve(new, slot=slot)
        if isinstance(new, x.Each):
            new = self._fused(new)
            if _never(new.condition) and new.name == "list" and self.safety.is_safe(new.source):
                return x.Items(new.type, new.span, ())
            if isinstance(expr, x.Each) and new.name == "list" and new.value is None:
                single = self._single(new, expr, bound)
                if single is not None:
                    return single
        return self._folded(new)

    def _fused(self, expr: x.Each) -> x.Each:
        """What goes through the items of a list made for it goes through those of its source.

        The same conditions are asked of the same items.
        """
        inner = expr.source
        inner = items_of(inner)
        if not (isinstance(inner, x.Each) and inner.name == "list" and inner.value is None):
            return expr
        if inner.condition is None:
            return evolve(expr, source=inner.source)
        if expr.name in ("some", "every") and not self.safety.is_safe(inner.condition):
            return expr  # it is asked of all items, even of those behind the one that decides
        item = x.Local(BAD, expr.span, expr.slot, "each")
        condition = _renamed(inner.condition, inner.slot, item)
        if expr.name in ("count", "some", "every") and expr.condition is None:
            return evolve(expr, source=inner.source, condition=condition)
        if expr.condition is not None:
            condition = x.Op(FLAG, expr.span, "and", (condition, expr.condition))
        return evolve(expr, source=inner.source, condition=condition)

    def _single(self, new: x.Each, old: x.Each, bound: Bound) -> x.Expr | None:
        """A list of one item, or of none, that is written out with its condition."""
        source = new.source
        source = items_of(source)
        if not isinstance(source, x.Items) or len(source.items) != 1:
            return source if new.condition is None and isinstance(source, x.Items) else None
        only = source.items[0]
        if old.condition is None or not isinstance(only, x.Local | x.Const):
            return None
        condition = self.simple(old.condition, {**bound, old.slot: only})
        nothing = x.Items(source.type, source.span, ())
        if isinstance(condition, x.Const):
            return source if condition.value else nothing
        return x.If(source.type, source.span, condition, source, nothing)

    def _either(self, expr: x.If, bound: Bound) -> x.Expr:
        condition = self.simple(expr.condition, bound)
        if isinstance(condition, x.Const):
            return self.simple(expr.yes if condition.value else expr.no, bound)
        yes, no = self.simple(expr.yes, bound), self.simple(expr.no, bound)
        return evolve(expr, condition=condition, yes=yes, no=no)

    def _ask(self, expr: x.AskDefine, bound: Bound) -> x.Expr:
        arguments = tuple(self.simple(argument, bound) for argument in expr.arguments)
        asked = self._folded(evolve(expr, arguments=arguments))
        if not isinstance(asked, x.AskDefine):
            return asked
        question = self.questions[asked.define]
        if (
            self._depth >= MOST_DEPTH
            or asked.define in self._long
            or not self._is_short(question, arguments)
            or not self.safety.may_wait(asked.define, arguments)
            or self.is_charged(asked.define)
        ):
            return asked
        self._depth += 1
        inside = dict(enumerate(arguments))
        value = self._branches(question, inside)
        self._depth -= 1
        if sum(1 for _ in x.walk(value)) > MOST_PUT:
            self._long.add(asked.define)
            return asked
        return value

    def expanded(self, expr: x.Expr) -> x.Expr | None:
        """The expression with all questions put in place, whatever they cost; None if too long."""
        self._left = MOST_EXPANDED
        try:
            return self._expanded(expr)
        except _TooLong:
            return None

    def _expanded(self, expr: x.Expr) -> x.Expr:
        self._left -= 1
        if self._left < 0:
            raise _TooLong
        if isinstance(expr, x.AskDefine) and not self.evaluators.is_fixed(expr.define):
            question = self.questions[expr.define]
            if question.branches[-1][0] is not None:
                raise _TooLong
            arguments = tuple(self._expanded(argument) for argument in expr.arguments)
            if not self.safety.may_wait(expr.define, arguments):
                raise _TooLong
            nested, self._nested = self._nested, self._nested + _deepest(arguments)
            value = self._branches(question, dict(enumerate(arguments)))
            made = self._expanded(value)
            self._nested = nested
            return made
        if isinstance(expr, x.Each | x.Ways):
            nested, self._nested = self._nested, max(self._nested, expr.slot - NESTED + 1)
            made = rebuilt(expr, self._expanded)
            self._nested = nested
            return made  # type: ignore[no-any-return]
        return rebuilt(expr, self._expanded)  # type: ignore[no-any-return]

    def _branches(self, question: Question, inside: Bound) -> x.Expr:
        """The body of a question as one expression."""
        *tests, (_, last) = question.branches
        value = self.simple(last, inside)
        for condition, branch in reversed(tests):
            assert condition is not None
            asked = self.simple(condition, inside)
            if isinstance(asked, x.Const):
                value = self.simple(branch, inside) if asked.value else value
            else:
                chosen = self.simple(branch, inside)
                value = x.If(question.type, question.span, asked, chosen, value)
        return value

    def _is_short(self, question: Question, arguments: tuple[x.Expr, ...]) -> bool:
        """May the body stand where the question is asked? What costs is not worked out twice."""
        if question.name not in self._parts:
            self._parts[question.name] = _parts_of(question)
        parts = self._parts[question.name]
        if parts is None:
            return False
        for slot, argument in enumerate(arguments):
            if isinstance(argument, x.Local | x.Const):
                continue
            used = sum(isinstance(part, x.Local) and part.slot == slot for part in parts)
            if used > 1 and not isinstance(argument, x.Read):
                return False
            if used and _binds(parts):
                return False  # inside a comprehension it would be worked out for each item
        return True

    def _folded(self, expr: x.Expr) -> x.Expr:
        """A constant, if the expression reads no local and no state."""
        if isinstance(expr, x.Op):
            expr = _logic(expr, self.safety)
        if isinstance(expr, x.Op):
            expr = _shorter(expr, self.safety)
        if isinstance(expr, x.Op):
            expr = self._of_each_side(expr)
        if isinstance(expr, x.Const) or not self._is_fixed(expr):
            return expr
        evaluators = self.evaluators
        try:
            slots, locals = evaluators.blank(x.slots_of(expr) + 1)
            slots[WORK] = MOST_WORK
            value = evaluators.needed(expr, expr.type)(slots, locals)
        except (Fault, *UNFORESEEN):
            return expr  # where it is never asked it does no harm
        return x.Const(expr.type, expr.span, value)

    def _of_each_side(self, expr: x.Op) -> x.Expr:
        """What an operator makes of one of two constants is one of two, too."""
        either = expr.arguments[0] if len(expr.arguments) == 1 else None
        if not isinstance(either, x.If):
            return expr
        sides = either.yes, either.no
        if not all(isinstance(side, x.Const) for side in sides):
            return expr
        yes, no = (self._folded(evolve(expr, arguments=(side,))) for side in sides)
        if not (isinstance(yes, x.Const) and isinstance(no, x.Const)):
            return expr
        return evolve(either, type=expr.type, yes=yes, no=no)

    def _is_fixed(self, expr: x.Expr) -> bool:
        """Does it read no local and no state? What it is made of was simplified before."""
        if isinstance(expr, x.Each | x.Ways):
            return self.evaluators.depends_only_on(expr, -1)
        return not isinstance(expr, x.Local) and (
            self.evaluators.reads_nothing(expr) and all(map(_is_constant, _children(expr)))
        )


class _TooLong(Exception):
    """An expression becomes too long."""


def _deepest(exprs: tuple[x.Expr, ...]) -> int:
    """How many locals of comprehensions stand inside some expressions."""
    return sum(isinstance(part, x.Each | x.Ways) for part in x.walk(exprs))


def rebuilt(expr: x.Expr, change: Callable[[x.Expr], x.Expr]) -> Any:
    """The expression with its direct parts changed; itself if they all stay the same."""
    new = {}
    for name in x.CHILDREN[type(expr)]:
        old = getattr(expr, name)
        made = change(old) if isinstance(old, x.Expr) else _changed(old, change)
        if made is not old:
            new[name] = made
    return x.remade(expr, new) if new else expr


def _children(expr: x.Expr) -> Iterator[object]:
    for name in x.CHILDREN[type(expr)]:
        part = getattr(expr, name)
        if isinstance(part, tuple):
            yield from part
        else:
            yield part


def _is_constant(part: object) -> bool:
    """Is a part of an expression known? Names in patterns are."""
    return isinstance(part, x.Const) or not isinstance(part, x.Expr)


def _changed(part: Any, change: Callable[[x.Expr], x.Expr]) -> Any:
    if isinstance(part, x.Expr):
        return change(part)
    if isinstance(part, tuple) and part:
        made = tuple([_changed(each, change) for each in part])
        return part if all(map(is_, made, part)) else made
    return part


def _never(condition: x.Expr | None) -> bool:
    return isinstance(condition, x.Const) and not condition.value


def _parts_of(question: Question) -> list[x.Expr] | None:
    """All expressions of a question, if it may be put in place."""
    if question.branches[-1][0] is not None or any(
        isinstance(kind, Many) and kind.form == "pile" for kind in (*question.types, question.type)
    ):
        return None
    parts = list(x.walk(question.branches))
    return parts if len(parts) <= MOST_PARTS else None


def _binds(parts: list[x.Expr]) -> bool:
    return any(isinstance(part, x.Each | x.Ways) for part in parts)


def _renamed(expr: x.Expr, slot: int, item: x.Local) -> x.Expr:
    """The expression with another local in the place of one."""
    if isinstance(expr, x.Local) and expr.slot == slot:
        return evolve(expr, slot=item.slot)
    made: x.Expr = rebuilt(expr, lambda part: _renamed(part, slot, item))
    return made


def renumbered(expr: x.Expr, slots: Mapping[int, int]) -> x.Expr:
    """The expression with locals of other slots."""
    if isinstance(expr, x.Local):
        return evolve(expr, slot=slots.get(expr.slot, expr.slot))
    made: x.Expr = rebuilt(expr, lambda part: renumbered(part, slots))
    return made


def _shorter(expr: x.Op, safety: Safety) -> x.Expr:
    """Whether a list is empty is known from its first item."""
    if expr.name == "not" and isinstance(expr.arguments[0], x.Op):
        inner = expr.arguments[0]
        return inner.arguments[0] if inner.name == "not" else expr
    if expr.name not in ("empty", "size"):
        return expr
    listed = expr.arguments[0]
    listed = items_of(listed)
    if not (isinstance(listed, x.Each) and listed.name == "list" and listed.condition is not None):
        return expr
    if listed.value is not None or not safety.is_safe(listed.condition):
        return expr
    if expr.name == "size":
        return evolve(listed, name="count", type=expr.type)
    some = evolve(listed, name="some", type=FLAG)
    return x.Op(FLAG, expr.span, "not", (some,))


def _logic(expr: x.Op, safety: Safety) -> x.Expr:
    """``and`` and ``or`` of which one side is known."""
    if expr.name not in ("and", "or"):
        return expr
    left, right = expr.arguments
    if isinstance(left, x.Const):
        return right if bool(left.value) == (expr.name == "and") else left
    if isinstance(right, x.Const):
        if bool(right.value) == (expr.name == "and"):
            return left
        if safety.is_safe(left):
            return right
    return expr
