"""Checking statements, and lowering them to instructions as they are checked."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from rulelang.checker.assembler import Assembler
from rulelang.checker.branches import Branches
from rulelang.checker.calls import Calls
from rulelang.checker.cards import Cards
from rulelang.checker.choices import Choices
from rulelang.checker.context import Context
from rulelang.checker.expressions import Expressions
from rulelang.checker.facts import bare, change_of
from rulelang.checker.loops import Loops
from rulelang.checker.places import place_of, value_type
from rulelang.checker.scope import Scope, Variable
from rulelang.checker.typing import item_of, widened
from rulelang.checker.wording import describe
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Signature
from rulelang.program.types import ANY_NUM, BAD, NONE, NOTHING, Many, Num, Type, fits, without
from rulelang.syntax import tree as t


@define
class Statements:
    """The checker of one body. Methods return whether what follows can be reached."""

    context: Context
    scope: Scope
    gives: Type | None = None
    what: str = "rule"
    name: str = ""
    proceeds: Signature | None = None
    """The rule that `proceed` goes on with."""
    changed: set[str] = field(factory=set)
    """Locals that are assigned somewhere: their numbers may leave the range that they begin in."""
    lists: dict[Span, Type] = field(factory=dict)
    """What the variables hold that begin as `[]`, by where they are declared."""
    out: Assembler = field(factory=Assembler)
    deferred: int | None = None
    expressions: Expressions = field(init=False)
    calls: Calls = field(init=False)
    choices: Choices = field(init=False)
    _handlers: dict[type[t.Node], Callable[..., bool | None]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.expressions = Expressions(self.context, self.scope)
        self.calls = Calls(self)
        self.choices = Choices(self)
        branches, loops, cards = Branches(self), Loops(self), Cards(self)
        self._handlers = {
            t.If: branches.if_,
            t.Match: branches.match,
            t.Table: branches.table,
            t.For: loops.for_,
            t.Repeat: loops.repeat,
            t.Break: loops.exit,
            t.Continue: loops.exit,
            t.Scope: loops.scoped,
            t.Leave: loops.leave,
            t.Choose: self.choices.choose,
            t.ChooseOffer: self.choices.choose_offer,
            t.Draw: self.choices.draw,
            t.Perform: self.calls.perform,
            t.LetFrom: self.calls.let_from,
            t.Proceed: self.calls.proceed_,
            t.Do: self.calls.do,
            t.Open: self.calls.open,
            t.End: self.calls.end,
            t.Return: self._return,
            t.Let: self._let,
            t.Assign: self.assign,
            t.Move: cards.move,
            t.Mix: cards.mix,
            t.Roll: cards.roll,
            t.Reveal: cards.reveal,
        }

    def prepare(self, body: t.Body) -> None:
        """Look through a body before it is checked: what is assigned, what lists will hold."""
        self.changed |= {name for node in t.walk(body) for name in _assigned(node)}
        empty = {node.span for node in t.walk(body) if isinstance(node, t.Let) and _is_empty(node)}
        for _ in empty:
            with self.context.trial():
                trial = Statements(
                    self.context,
                    _copy(self.scope),
                    self.gives,
                    self.what,
                    self.name,
                    self.proceeds,
                    self.changed,
                    dict(self.lists),
                )
                trial.expressions.referee = self.expressions.referee
                trial.block(body.statements)
            if trial.lists == self.lists:
                break
            self.lists = trial.lists

    def body(self, body: t.Body) -> bool:
        """A block with names of its own."""
        self.out.cite(self.context.cite(body.cites, self.what, self.name))
        with self.scope.block():
            return self.block(body.statements)

    def path(self, body: t.Body) -> bool:
        """A block on one of several paths; does it come to its end?"""
        with self.scope.path() as stays:
            stays[0] = self.body(body)
        return stays[0]

    def block(self, statements: tuple[t.Statement, ...]) -> bool:
        """Statements in order."""
        reached = True
        for statement in statements:
            if not reached:
                self.context.report(
                    "R401",
                    "this is never reached: the line above always leaves",
                    statement.span,
                    help="Put it first, or take it away.",
                )
                reached = True
            reached = self.statement(statement)
        return reached

    def statement(self, node: t.Statement) -> bool:
        """One statement; is what follows reached?"""
        cites = getattr(node, "cites", ())
        self.out.cite(self.context.cite(cites, self.what, self.name))
        reached = self._handlers[type(node)](node)
        self.scope.forget(change_of(node))
        self.scope.settle()
        return reached is not False

    # ------------------------------------------------------------ values

    def _return(self, node: t.Return) -> bool:
        value = None
        if node.value is not None:
            if self.gives is None:
                self.context.report(
                    "T307",
                    "a value is returned, and the rule does not say that it gives one",
                    node.value.span,
                    help="Add `gives …` to the head of the rule.",
                )
            value = self.expressions.check(node.value, BAD if self.gives is None else self.gives)
        elif self.gives is not None:
            message = f"a value is missing: the rule gives {describe(self.gives)}"
            self.context.report("T307", message, node.span)
        self.out.emit(i.Give(node.span, value))
        return False

    def kept(self, name: str, kind: Type) -> Type:
        """The type of a local that begins with a value of this type."""
        return widened(kind) if name in self.changed else kind

    def _let(self, node: t.Let) -> None:
        value = self.expressions.value(node.value)
        kind = self.kept(node.name.text, value.type)
        if _is_empty(node):
            kind = self.lists.get(node.name.span, kind)
        slot = self.scope.bind(node.name, kind, fixed=False, wanted=True)
        self.out.emit(i.Set(node.span, slot, value))

    def assign(self, node: t.Assign) -> None:
        """``x = e`` and its kin, for a local or for a field of the state."""
        target = bare(node.target)
        if isinstance(target, t.Ref):
            variable = self.scope.names.get(target.name)
            if variable is not None:
                self._assign_local(node, target, variable)
                return
        place = place_of(self.expressions, target, "assigned")
        if place is None:
            self.expressions.infer(node.value)
            return
        kind = value_type(place)
        if isinstance(kind, Many) and kind.form in ("row", "pile") and node.operator != "=":
            message = f"a {kind.form} is changed by `move`"
            self.context.report("T305", message, node.span)
            return
        value = self.new_value(node, kind)
        clamped = self.context.program.state[place.field].clamped
        if not clamped and node.operator != "=":
            self._oversteps(node, kind)
        self.out.emit(i.Store(node.span, place, value, clamped, self.deferred))

    def _assign_local(self, node: t.Assign, target: t.Ref, variable: Variable) -> None:
        if variable.fixed:
            message = f"`{target.name}` is given and cannot be changed here"
            self.context.report("T305", message, target.span)
            self.expressions.infer(node.value)
            return
        value = self.new_value(node, variable.type)
        is_open = isinstance(variable.type, Many) and variable.type.item == NOTHING
        if is_open and isinstance(value.type, Many) and item_of(value.type) != BAD:
            self.lists.setdefault(variable.span, widened(value.type))
        self.out.emit(i.Set(node.span, variable.slot, value))

    def new_value(self, node: t.Assign, kind: Type) -> x.Expr:
        """The value to store: ``x += e`` is ``x + e``."""
        wanted: Type = Many("list", kind.item) if isinstance(kind, Many) else kind
        if isinstance(kind, Many) and kind.item == NOTHING:
            wanted = Many("list", BAD)
        if node.operator == "=":
            return self.expressions.check(node.value, wanted)
        if self.scope.known(node.target, "not none"):
            wanted = without(wanted, NONE)
        if isinstance(wanted, Num):
            wanted = ANY_NUM
        elif not isinstance(wanted, Many) and not fits(wanted, ANY_NUM):
            message = f"{describe(kind)} can be set by `=`, and not by `{node.operator}`"
            self.context.report("T301", message, node.span)
            return self.expressions.bad(node.span)
        sign = node.operator[0]
        combined = t.Binary(node.span, sign, node.target, node.value)
        return self.expressions.check(combined, wanted)

    def _oversteps(self, node: t.Assign, kind: Type) -> None:
        """Report a figure that no value of a range can be raised or lowered by."""
        figure = bare(node.value)
        if not isinstance(figure, t.Number) or not isinstance(kind, Num):
            return
        if kind.low is not None and kind.high is not None and figure.value > kind.high - kind.low:
            bound = kind.high if node.operator == "+=" else kind.low
            self.context.report(
                "T303",
                f"{figure.value} is more than {kind} has room for",
                figure.span,
                help=f"To set the bound write `= {bound}`.",
            )


def _assigned(node: t.Node) -> list[str]:
    """The locals that a statement gives a new value."""
    if isinstance(node, t.Assign):
        target = bare(node.target)
        return [target.name] if isinstance(target, t.Ref) else []
    return [throw.name.text for throw in node.throws] if isinstance(node, t.Roll) else []


def _is_empty(node: t.Let) -> bool:
    value = bare(node.value)
    return isinstance(value, t.ListOf) and not value.items


def _copy(scope: Scope) -> Scope:
    return Scope(
        scope.context, scope.slots, dict(scope.names), list(scope.facts), set(scope.ended), set()
    )
