"""Checking what moves cards and throws dice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.checker.part import Part
from rulelang.checker.places import target_of, zone_of
from rulelang.checker.typing import has_order, item_of
from rulelang.checker.wording import describe, source
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import (
    ANY_NUM,
    BAD,
    FLAG,
    NONE,
    NOTHING,
    Many,
    Named,
    Num,
    Type,
    either,
    fits,
    members,
)
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.checker.statements import Statements

SEATS = either(Named("Player"), Many("list", Named("Player")))


class Cards(Part):
    """The part of the statement checker that is about zones and dice."""

    # ------------------------------------------------------------ cards

    def move(self, node: t.Move) -> None:
        """``move x from a to b``."""
        what = self.expressions.value(node.what)
        item = what.type.item if isinstance(what.type, Many) else what.type
        known = item if item not in (NOTHING, BAD) else None
        if NONE in members(item) and item != NONE:
            help = f"It may be none: ask `{source(node.what)} is not none` first."
            message = f"{describe(item)} cannot be moved"
            self.context.report("T301", message, node.what.span, help=help)
            return
        start = None
        if node.source is not None:
            start = zone_of(self.expressions, node.source, "moved from")
            if start is not None and known is not None and not _goes(known, start.type):
                message = f"{describe(known)} never lies in a {start.type}"
                self.context.report("T301", message, node.source.span)
                return
        target = target_of(self.expressions, node.target, known)
        if target is not None and what.type != BAD:
            self._check_order(node, what, target[0])
            self.out.emit(i.Move(node.span, what, start, target[0], target[1]))

    def _check_order(self, node: t.Move, what: x.Expr, target: i.Place) -> None:
        ordered = isinstance(target.type, Many) and target.type.form == "row"
        form = _form_of(what)
        if ordered and form in ("set", "pile"):
            self.context.report(
                "T305",
                f"a {form} has no order to keep in a row",
                node.what.span,
                help="Say the order, `sorted(…)`, or move the cards one by one.",
            )

    def mix(self, node: t.Mix) -> None:
        """``mix a into b``, or ``mix a`` by itself."""
        start = zone_of(self.expressions, node.what, "mixed")
        target = start
        if node.into is not None:
            target = zone_of(self.expressions, node.into, "mixed into")
        if start is None or target is None:
            return
        where = (node.into or node.what).span
        assert isinstance(start.type, Many)
        if not (isinstance(target.type, Many) and target.type.form == "pile"):
            self.context.report("T305", "only a pile can be mixed", where)
        elif not fits(start.type.item, target.type.item):
            message = f"a {start.type} cannot be mixed into a {target.type}"
            self.context.report("T301", message, where)
        else:
            self.out.emit(i.Mix(node.span, None if node.into is None else start, target))

    def reveal(self, node: t.Reveal) -> None:
        """``reveal x to p``."""
        what = self.expressions.infer(node.what)
        to = self.expressions.check(node.to, SEATS)
        item = item_of(what.type) if isinstance(what.type, Many) else what.type
        if item != BAD and not isinstance(item, Named):
            message = f"only cards are shown to players, and this is {describe(what.type)}"
            self.context.report("T301", message, node.what.span)
            return
        self.out.emit(i.Reveal(node.span, what, to))

    # ------------------------------------------------------------ dice

    def roll(self, node: t.Roll) -> None:
        """``roll n from d6, m from d6 times 2``."""
        for throw in node.throws:
            self._throw(throw)

    def _throw(self, node: t.Throw) -> None:
        die = self.expressions.infer(node.die)
        kind = rolled_type(self.statements, die, node.die.span)
        if node.times is not None:
            slot, kind = self._several(node, node.times, die, kind)
        else:
            slot = self.scope.slot()
            self.out.emit(i.Roll(node.span, slot, die, die_name(node.die)))
        self._keep(node, slot, kind)

    def _several(self, node: t.Throw, times: t.Expr, die: x.Expr, kind: Type) -> tuple[int, Type]:
        """``times n``: a loop of single throws, their faces in a list."""
        faces, face, left = self.scope.slot(), self.scope.slot(), self.scope.slot()
        listed = Many("list", kind)
        again, end = self.out.label(), self.out.label()
        span, emit = node.span, self.out.emit
        emit(i.Set(span, faces, x.Items(listed, span, ())))
        wanted = self.expressions.check(times, ANY_NUM)
        emit(i.Set(span, left, x.Op(ANY_NUM, span, "counted", (wanted,))))
        count, zero = x.Local(ANY_NUM, span, left, ""), x.Const(Num(0, 0), span, 0)
        self.out.mark(again)
        emit(i.Branch(span, x.Op(FLAG, span, ">", (count, zero)), end))
        emit(i.Roll(span, face, die, die_name(node.die)))
        thrown = x.Items(listed, span, (x.Local(kind, span, face, ""),))
        more = x.Op(listed, span, "join", (x.Local(listed, span, faces, ""), thrown))
        emit(i.Set(span, faces, more))
        one = x.Const(Num(1, 1), span, 1)
        emit(i.Set(span, left, x.Op(ANY_NUM, span, "-", (count, one))))
        emit(i.Jump(span, again, loop=True))
        self.out.mark(end)
        return faces, listed

    def _keep(self, node: t.Throw, slot: int, kind: Type) -> None:
        """What was thrown goes to a field of the state, an own name or a new one."""
        name = node.name.text
        value = x.Local(kind, node.span, slot, name)
        state = self.context.program.state.get(name)
        variable = self.scope.names.get(name)
        if variable is not None:
            if variable.fixed:
                message = f"`{name}` is given and cannot be changed here"
                self.context.report("T305", message, node.name.span)
            self._holds(node.name, variable.type, kind)
            self.out.emit(i.Set(node.span, variable.slot, value))
        elif state is not None:
            self.context.use("state", state.key)
            self._holds(node.name, state.type, kind)
            place = i.Place(state.key, None, "", state.type)
            deferred = self.statements.deferred
            self.out.emit(i.Store(node.span, place, value, state.clamped, deferred))
        else:
            kind = self.statements.kept(name, kind)
            final = self.scope.bind(node.name, kind, fixed=False, wanted=True)
            self.out.emit(i.Set(node.span, final, value))

    def _holds(self, name: t.Name, holder: Type, kind: Type) -> None:
        if not fits(kind, holder):
            message = f"`{name.text}` cannot hold {describe(kind)}"
            self.context.report("T301", message, name.span)


def sort(statements: Statements, node: t.Call, argument: t.Expr) -> None:
    """``sort ZONE``: put a row in canonical order."""
    place = zone_of(statements.expressions, argument, "sorted")
    if place is None:
        return
    if isinstance(place.type, Many) and place.type.form != "row":
        message = f"a {place.type.form} has no order that could be changed"
        statements.context.report("T305", message, argument.span)
        return
    statements.out.emit(i.Sort(node.span, place))


def exchange(statements: Statements, node: t.Call, *arguments: t.Expr) -> None:
    """``exchange A B``: two cards of one row change places."""
    one, other = (statements.expressions.value(argument) for argument in arguments)
    for expr in (one, other):
        if expr.type != BAD and not isinstance(expr.type, Named):
            message = f"two cards of a row change places, and this is {describe(expr.type)}"
            statements.context.report("T301", message, expr.span)
            return
    if not fits(one.type, other.type):
        message = f"{describe(one.type)} and {describe(other.type)} cannot change places"
        statements.context.report("T301", message, node.span)
        return
    if BAD not in (one.type, other.type):
        statements.out.emit(i.Exchange(node.span, one, other))


def die_name(node: t.Expr) -> str:
    """How a die is called in the log and in the stream of chance."""
    return source(node)


def rolled_type(statements: Statements, die: x.Expr, span: Span) -> Type:
    """The type of what is thrown; reports what is no die."""
    if not isinstance(die.type, Many):
        if die.type != BAD:
            message = f"{describe(die.type)} cannot be rolled"
            statements.context.report("T301", message, span)
        return BAD
    statements.expressions.readable(die)
    item = item_of(die.type)
    if not has_order(item):
        message = f"{describe(die.type)} cannot be rolled: its items have no common order"
        statements.context.report("T301", message, span)
        return BAD
    return item


def _goes(item: Type, zone: Type) -> bool:
    return isinstance(zone, Many) and fits(item, zone.item)


def _form_of(what: x.Expr) -> str:
    """The form of the zone that is read, seen through its listing."""
    if isinstance(what, x.Op) and what.name == "all":
        what = what.arguments[0]
    return what.type.form if isinstance(what.type, Many) else ""
