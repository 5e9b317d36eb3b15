"""Checking statements, and lowering them to instructions as they are checked."""

from __future__ import annotations

from attrs import define, evolve, field

from rulelang.check.assembler import Assembler
from rulelang.check.choices import Choices
from rulelang.check.context import Context
from rulelang.check.expressions import Expressions, describe
from rulelang.check.patterns import pattern
from rulelang.check.places import place_of, target_of, value_type, zone_of
from rulelang.check.questions import bind
from rulelang.check.scope import Scope, Variable, bare
from rulelang.diagnostic import Span, did_you_mean, suggest
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Signature
from rulelang.program.types import (
    ANY_NUM, BAD, EFFECT, FLAG, NONE, NOTHING, SCRIPT, Many, Named, Num, Type, comparable, either, fits, members,
)  # fmt: skip
from rulelang.program.values import Entry
from rulelang.syntax import tree as t

VERBS = ("nothing", "sort", "exchange")


@define
class Loop:
    """The loop around a statement: where `continue` and `break` go."""

    again: int
    end: int
    left: bool = False
    """Is there a `break`?"""


@define
class Statements:
    """The checker of one body. Methods return whether what follows can be reached."""

    context: Context
    scope: Scope
    gives: Type | None = None
    what: str = "rule"
    name: str = ""
    proceeds: Signature | None = None
    out: Assembler = field(factory=Assembler)
    loops: list[Loop] = field(factory=list)
    deferred: int | None = None
    expressions: Expressions = field(init=False)
    choices: Choices = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.expressions = Expressions(self.context, self.scope)
        self.choices = Choices(self)

    def body(self, body: t.Body) -> bool:
        """A block with names of its own."""
        self.out.cite(self.context.cite(body.cites, self.what, self.name))
        with self.scope.block():
            return self.block(body.statements)

    def block(self, statements: tuple[t.Statement, ...]) -> bool:
        """Statements in order."""
        reached = True
        for statement in statements:
            if not reached:
                self.context.report(
                    "R401", "this is never reached: the line above always leaves", statement.span,
                    help="Put it first, or take it away.",
                )  # fmt: skip
                reached = True
            reached = self.statement(statement)
        return reached

    def statement(self, node: t.Statement) -> bool:
        """One statement; is what follows reached?"""
        cites = getattr(node, "cites", ())
        self.out.cite(self.context.cite(cites, self.what, self.name))
        match node:
            case t.If():
                return self._if(node)
            case t.Match():
                value = self.expressions.infer(node.value)
                return self._match(value, node.cases, node.otherwise, node.span, node.value)
            case t.Table():
                return self._table(node)
            case t.For():
                return self._for(node)
            case t.Repeat():
                return self._repeat(node)
            case t.Scope():
                return self._scope(node)
            case t.Choose():
                return self.choices.choose(node)
            case t.ChooseOffer():
                return self.choices.choose_offer(node)
            case t.Draw():
                return self.choices.draw(node)
            case t.Return():
                return self._return(node)
            case t.End():
                return self._end(node)
            case t.Break() | t.Continue():
                return self._loop_exit(node)
            case t.Leave():
                return self._leave(node)
            case t.Proceed():
                self._proceed(node, None)
            case t.Perform():
                for call in node.calls:
                    self.call(call, None)
            case t.Let():
                self._let(node)
            case t.LetFrom():
                self._let_from(node)
            case t.Assign():
                self._assign(node)
            case t.Do():
                self._do(node)
            case t.Move():
                self._move(node)
            case t.Mix():
                self._mix(node)
            case t.Roll():
                for throw in node.throws:
                    self._throw(throw)
            case t.Reveal():
                self._reveal(node)
            case t.Open():
                self._open(node)
        return True

    # ------------------------------------------------------------ branches and loops

    def _if(self, node: t.If) -> bool:
        end = self.out.label()
        reached = False
        with self.scope.block():
            for condition, body in node.branches:
                otherwise = self.out.label()
                checked = self.expressions.condition(condition)
                self.out.emit(i.Branch(condition.span, checked, otherwise))
                with self.scope.block():
                    self.scope.learn(condition)
                    if self.body(body):
                        reached = True
                        self.out.emit(i.Jump(body.span, end))
                self.out.mark(otherwise)
                self.scope.learn(condition, False)
            if node.otherwise is None:
                reached = True
            elif self.body(node.otherwise):
                reached = True
        self.out.mark(end)
        self._learn_from_exits(node)
        return reached

    def _learn_from_exits(self, node: t.If) -> None:
        """Behind ``if x is none: return`` x is not none."""
        if len(node.branches) == 1 and node.otherwise is None:
            condition, body = node.branches[0]
            if body.statements and isinstance(body.statements[-1], t.Return | t.Break | t.Continue | t.End):
                self.scope.learn(condition, False)

    def _match(
        self, value: x.Expr, cases: tuple[t.Case, ...], otherwise: t.Body | None, span: Span,
        written: t.Expr | None = None,
    ) -> bool:  # fmt: skip
        slot = self.scope.slot()
        self.out.emit(i.Set(span, slot, value))
        subject = x.Local(value.type, value.span, slot, "")
        end = self.out.label()
        reached = False
        left = _alternatives(self.context, value.type)
        for case in cases:
            chosen, following = self.out.label(), self.out.label()
            for pattern_node in case.values:
                condition = self._case(subject, pattern_node)
                again = self.out.label()
                self.out.emit(i.Branch(pattern_node.span, condition, again))
                self.out.emit(i.Jump(pattern_node.span, chosen))
                self.out.mark(again)
                left = self._covered(left, condition, pattern_node)
            self.out.emit(i.Jump(case.span, following))
            self.out.mark(chosen)
            if self.body(case.body):
                reached = True
                self.out.emit(i.Jump(case.span, end))
            self.out.mark(following)
        if otherwise is not None:
            with self.scope.block():
                self._narrow(written, left)
                reached = self.body(otherwise) or reached
        elif left is None or left:
            reached = True
            if value.type != BAD:
                self._incomplete(left, span, value.type)
        self.out.mark(end)
        return reached

    def _case(self, subject: x.Local, node: t.Expr) -> x.Expr:
        found = pattern(self.expressions, subject, node, node.span)
        if found is not None:
            return found
        value = self.expressions.infer(node, subject.type)
        if not comparable(value.type, subject.type):
            self.context.report("T309", f"{describe(subject.type)} is never {describe(value.type)}", node.span)
        return x.Op(FLAG, node.span, "==", (subject, value))

    def _covered(self, left: set[object] | None, condition: x.Expr, node: t.Expr) -> set[object] | None:
        if left is None:
            return None
        gone: set[object] = set()
        if isinstance(condition, x.Op) and condition.name == "==" and isinstance(condition.arguments[1], x.Const):
            gone = {_mark(condition.arguments[1].value)}
        elif isinstance(condition, x.IsVariant):
            gone = {condition.variant}
        elif isinstance(condition, x.InDomain):
            gone = {_mark(entry) for entry in self.context.program.domains[condition.domain].entries}
        if gone and not gone & left:
            self.context.report("R401", "an earlier line covers this case already", node.span)
        return left - gone

    def _narrow(self, written: t.Expr | None, left: set[object] | None) -> None:
        """Behind `else` a local has only the types of which something is left."""
        variable = self.scope.names.get(written.name) if isinstance(written, t.Ref) else None
        if variable is None or not left:
            return
        rest = [kind for kind in members(variable.type) if (_alternatives(self.context, kind) or left) & left]
        if rest:
            self.scope.names[variable.name] = evolve(variable, type=either(*rest))

    def _incomplete(self, left: set[object] | None, span: Span, kind: Type) -> None:
        if left is None:
            self.context.report("T306", f"not every {kind} is covered", span, help="Add `else:`.")
            return
        names = sorted(str(mark[1]) if isinstance(mark, tuple) else str(mark) for mark in left)
        listed = ", ".join(f"`{name}`" for name in names[:6]) + (" and more" if len(names) > 6 else "")
        self.context.report(
            "T306", f"nothing is said for {listed}", span, help="Add a line for each, or `else:`."
        )

    def _table(self, node: t.Table) -> bool:
        die = self.expressions.infer(node.die)
        if not isinstance(die.type, Many):
            if die.type != BAD:
                self.context.report("T301", f"{describe(die.type)} cannot be rolled", node.die.span)
            return True
        slot = self.scope.slot()
        self.out.emit(i.Roll(node.span, slot, die, _die_name(node.die)))
        kind = die.type.item
        if isinstance(die, x.Const) and isinstance(kind, Num):
            kind = Num(min(die.value), max(die.value))
        return self._match(x.Local(kind, node.span, slot, ""), node.cases, node.otherwise, node.span)

    def _for(self, node: t.For) -> bool:
        again, end = self.out.label(), self.out.label()
        outer = self.deferred
        if node.at_once:
            self.deferred = self.scope.slot()
            self.out.emit(i.Set(node.span, self.deferred, x.Items(Many("list", BAD), node.span, ())))
        with self.scope.block():
            slot, source, condition, item = bind(self.expressions, node.binder)
            if condition is not None:
                source = x.Each(Many("list", item), node.binder.span, "list", slot, source, condition, None)
            rest = self.scope.slot()
            self.out.emit(i.Set(node.binder.span, rest, x.Op(Many("list", item), source.span, "all", (source,))))
            self.out.mark(again)
            self.out.emit(i.Iterate(node.binder.span, rest, slot, end))
            self.loops.append(Loop(again, end))
            if self.body(node.body):
                self.out.emit(i.Jump(node.span, again, loop=True))
            self.loops.pop()
        self.out.mark(end)
        if node.at_once:
            assert self.deferred is not None
            self.out.emit(i.Publish(node.span, self.deferred))
            self.deferred = outer
        return True

    def _repeat(self, node: t.Repeat) -> bool:
        again, end = self.out.label(), self.out.label()
        loop = Loop(again, end)
        self.out.mark(again)
        with self.scope.block():
            if node.condition is not None:
                condition = self.expressions.condition(node.condition)
                self.out.emit(i.Branch(node.condition.span, condition, end))
                self.scope.learn(node.condition)
            self.loops.append(loop)
            if self.body(node.body):
                self.out.emit(i.Jump(node.span, again, loop=True))
            self.loops.pop()
        self.out.mark(end)
        if node.condition is None and not loop.left and not _can_stop(node.body):
            self.context.report(
                "R403", "this repeats for ever: nothing in it can leave", node.span,
                help="Add `break`, `return`, `end` or a `while` condition, or call a rule that may end the game.",
            )  # fmt: skip
        return node.condition is not None or loop.left

    def _loop_exit(self, node: t.Break | t.Continue) -> bool:
        word = "break" if isinstance(node, t.Break) else "continue"
        if not self.loops:
            self.context.report("R406", f"`{word}` stands outside of any loop", node.span)
            return True
        loop = self.loops[-1]
        loop.left = loop.left or word == "break"
        self.out.emit(i.Jump(node.span, loop.end if word == "break" else loop.again, loop=word == "continue"))
        return False

    # ------------------------------------------------------------ leaving

    def _scope(self, node: t.Scope) -> bool:
        label = node.label.text
        self.context.scopes.setdefault(label, node.label.span)
        slot, end = self.scope.slot(), self.out.label()
        arguments = tuple(self.expressions.infer(argument) for argument in node.arguments)
        self.out.emit(i.Enter(node.span, label, slot, arguments, end))
        self.body(node.body)
        self.out.mark(end)
        self.out.emit(i.Exit(node.span, label, slot))
        return True

    def _leave(self, node: t.Leave) -> bool:
        self.context.use("scope", node.scope.text)
        if node.scope.text not in self.context.scopes:
            self.context.report_unknown(
                node.scope.text, node.scope.span, "scope", self.context.scopes, code="R407"
            )
        arguments = tuple(self.expressions.infer(argument) for argument in node.arguments)
        self.out.emit(i.Leave(node.span, node.scope.text, arguments))
        return True

    def _return(self, node: t.Return) -> bool:
        value = None
        if node.value is not None:
            if self.gives is None:
                self.context.report(
                    "T307", "a value is returned, and the rule does not say that it gives one", node.value.span,
                    help="Add `gives …` to the head of the rule.",
                )  # fmt: skip
            value = self.expressions.check(node.value, self.gives if self.gives is not None else BAD)
        elif self.gives is not None:
            self.context.report("T307", f"a value is missing: the rule gives {describe(self.gives)}", node.span)
        self.out.emit(i.Give(node.span, value))
        return False

    def _end(self, node: t.End) -> bool:
        ending = self.context.program.endings.get(node.ending.text)
        if ending is None:
            self.context.report_unknown(node.ending.text, node.ending.span, "ending", self.context.program.endings)
            return False
        self.context.use("ending", ending.name)
        subject = self.expressions.infer(node.subject) if node.subject is not None else None
        self.out.emit(i.Finish(node.span, ending.name, subject))
        return bool(ending.completes)

    # ------------------------------------------------------------ calls

    def call(self, node: t.Call, slot: int | None) -> Signature | None:
        """A call of a rule, its result to ``slot``; None where it is wrong or a verb."""
        name = node.rule.text
        signature = self.context.program.signatures.get(name)
        if signature is None:
            if name in VERBS and slot is None:
                self._verb(node)
            else:
                self._unknown_rule(node)
            return None
        self.context.use("rule", name)
        arguments = self.arguments(signature, node.arguments, node.span)
        if arguments is None:
            return None
        if signature.subject is not None:
            if node.subject is None:
                self.context.report(
                    "T304", f"`{name}` is done for a {signature.subject[1]}, and nobody is named", node.span,
                    help=f"Write `{name} … for` and whom it is done to.",
                )  # fmt: skip
                return None
            arguments += (self.expressions.check(node.subject, signature.subject[1]),)
        elif node.subject is not None:
            self.context.report("T304", f"`{name}` is done for nobody in particular", node.subject.span)
        self.out.emit(i.Perform(node.span, name, arguments, slot))
        return signature

    def arguments(
        self, signature: Signature, nodes: tuple[t.Expr, ...], span: Span
    ) -> tuple[x.Expr, ...] | None:
        """The checked arguments, without the subject."""
        if len(nodes) != len(signature.parameters):
            wanted = ", ".join(f"{name}: {kind}" for name, kind in signature.parameters) or "none"
            self.context.report(
                "T302",
                f"`{signature.name}` takes {len(signature.parameters)} argument"
                f"{'' if len(signature.parameters) == 1 else 's'}, and {len(nodes)} are given",
                span,
                help=f"Its arguments are: {wanted}.",
            )
            for node in nodes:
                self.expressions.infer(node)
            return None
        return tuple(
            self.expressions.check(node, kind)
            for node, (_, kind) in zip(nodes, signature.parameters, strict=True)
        )

    def _unknown_rule(self, node: t.Call) -> None:
        name = node.rule.text
        program = self.context.program
        help = None
        if name in program.questions:
            help = f"`{name}` is a question; take its answer with `let x = {name}(…)`."
        elif self.scope.find(name) is not None or name in program.state:
            help = "To change a value write `x = …`, `x += …` or `x -= …`."
        for argument in node.arguments:
            self.expressions.infer(argument)
        candidates = [*program.signatures, *VERBS]
        near = did_you_mean(suggest(name, candidates))
        self.context.report_unknown(name, node.rule.span, "rule", candidates, help=help or near)

    def _verb(self, node: t.Call) -> None:
        name, count = node.rule.text, len(node.arguments)
        wanted = {"nothing": 0, "sort": 1, "exchange": 2}[name]
        if count != wanted:
            self.context.report("T302", f"`{name}` takes {wanted} arguments, and {count} are given", node.span)
        elif name == "sort":
            place = zone_of(self.expressions, node.arguments[0], "sorted")
            if place is not None:
                self.out.emit(i.Sort(node.span, place))
        elif name == "exchange":
            first, second = (self.expressions.infer(argument) for argument in node.arguments)
            self.out.emit(i.Exchange(node.span, first, second))

    def _proceed(self, node: t.Proceed, slot: int | None) -> None:
        if self.proceeds is None:
            self.context.report("R406", "`proceed` stands outside of an `instead of`", node.span)
            return
        signature = self.proceeds
        count = len(signature.parameters)
        if node.arguments:
            arguments = self.arguments(signature, node.arguments, node.span) or ()
        else:
            arguments = tuple(
                x.Local(kind, node.span, place, name) for place, (name, kind) in enumerate(signature.parameters)
            )
        if signature.subject is not None:
            arguments += (x.Local(signature.subject[1], node.span, count, signature.subject[0]),)
        self.out.emit(i.Perform(node.span, f"{self.name}:proceed", arguments, slot))

    def _do(self, node: t.Do) -> None:
        effect = self.expressions.check(node.effect, either(EFFECT, SCRIPT))
        subject = self.expressions.infer(node.subject) if node.subject is not None else None
        self.out.emit(i.Apply(node.span, effect, subject))

    def _open(self, node: t.Open) -> None:
        moment = self.context.moments.get(node.moment.text)
        if moment is None:
            self.context.report_unknown(node.moment.text, node.moment.span, "moment", self.context.moments)
            return
        self.context.use("moment", node.moment.text)
        signature = self.context.program.signatures[f"moment {moment.name.text}"]
        arguments: tuple[x.Expr, ...] = ()
        if signature.subject is not None:
            if node.subject is None:
                self.context.report("T304", "the moment is somebody's; say whose: `open … for p`", node.span)
                return
            arguments = (self.expressions.check(node.subject, signature.subject[1]),)
        elif node.subject is not None:
            self.context.report("T304", "this moment is nobody's in particular", node.subject.span)
        self.out.emit(i.Perform(node.span, signature.name, arguments, None))

    # ------------------------------------------------------------ values and places

    def _let(self, node: t.Let) -> None:
        value = self.expressions.infer(node.value)
        kind: Type = ANY_NUM if isinstance(value.type, Num) else value.type
        slot = self.scope.bind(node.name, kind, fixed=False)
        self.out.emit(i.Set(node.span, slot, x.Op(kind, value.span, "all", (value,)) if _is_pile(kind) else value))

    def _let_from(self, node: t.LetFrom) -> None:
        slot = self.scope.slot()
        kind: Type = BAD
        if isinstance(node.call, t.Proceed):
            self._proceed(node.call, slot)
            signature = self.proceeds
        else:
            signature = self.call(node.call, slot)
        if signature is not None:
            if signature.gives is None:
                self.context.report("T307", f"`{signature.name}` gives nothing", node.call.span)
            else:
                kind = signature.gives
        final = self.scope.bind(node.name, kind, fixed=False)
        self.out.emit(i.Set(node.span, final, x.Local(kind, node.span, slot, node.name.text)))

    def _assign(self, node: t.Assign) -> None:
        target = bare(node.target)
        if isinstance(target, t.Ref):
            variable = self.scope.find(target.name)
            if variable is not None:
                self._assign_local(node, target, variable)
                return
        place = place_of(self.expressions, target, "assigned")
        if place is None:
            self.expressions.infer(node.value)
            return
        kind = value_type(place)
        value = self._new_value(node, target, kind)
        field = self.context.program.state[place.field]
        if isinstance(kind, Many) and kind.form in ("row", "pile") and node.operator != "=":
            self.context.report("T305", f"a {kind.form} is changed by `move`", node.span)
            return
        self.out.emit(i.Store(node.span, place, value, field.clamped, self.deferred))

    def _assign_local(self, node: t.Assign, target: t.Ref, variable: Variable) -> None:
        if variable.fixed:
            self.context.report("T305", f"`{target.name}` is given and cannot be changed here", target.span)
        kind = variable.type
        if isinstance(kind, Many) and kind.item == NOTHING:
            value = self.expressions.infer(node.value)
            if isinstance(value.type, Many):
                kind = value.type
                self.scope.names[target.name] = Variable(target.name, variable.slot, kind, variable.span, False)
        self.out.emit(i.Set(node.span, variable.slot, self._new_value(node, target, kind)))

    def _new_value(self, node: t.Assign, target: t.Expr, kind: Type) -> x.Expr:
        """The value to store: ``x += e`` is ``x + e``."""
        if node.operator == "=":
            return self.expressions.check(node.value, Many("list", kind.item) if isinstance(kind, Many) else kind)
        sign = node.operator[0]
        combined = t.Binary(node.span, sign, target, node.value, node.target.span)
        wanted = ANY_NUM if isinstance(kind, Num) else Many("list", kind.item) if isinstance(kind, Many) else kind
        return self.expressions.check(combined, wanted)

    def _throw(self, node: t.Throw) -> None:
        die = self.expressions.infer(node.die)
        if not isinstance(die.type, Many):
            if die.type != BAD:
                self.context.report("T301", f"{describe(die.type)} cannot be rolled", node.die.span)
            return
        kind = die.type.item if die.type.item != NOTHING else BAD
        if node.times is not None:
            self._throw_several(node, die, kind)
            return
        slot = self.scope.slot()
        self.out.emit(i.Roll(node.span, slot, die, _die_name(node.die)))
        self._keep(node, slot, kind)

    def _throw_several(self, node: t.Throw, die: x.Expr, kind: Type) -> None:
        """``times n``: a loop of single throws, their faces in a list."""
        assert node.times is not None
        faces, face, left = self.scope.slot(), self.scope.slot(), self.scope.slot()
        listed = Many("list", kind)
        again, end = self.out.label(), self.out.label()
        span = node.span
        self.out.emit(i.Set(span, faces, x.Items(listed, span, ())))
        self.out.emit(i.Set(span, left, self.expressions.check(node.times, ANY_NUM)))
        count, zero = x.Local(ANY_NUM, span, left, ""), x.Const(Num(0, 0), span, 0)
        self.out.mark(again)
        self.out.emit(i.Branch(span, x.Op(FLAG, span, ">", (count, zero)), end))
        self.out.emit(i.Roll(span, face, die, _die_name(node.die)))
        thrown = x.Items(listed, span, (x.Local(kind, span, face, ""),))
        self.out.emit(i.Set(span, faces, x.Op(listed, span, "join", (x.Local(listed, span, faces, ""), thrown))))
        one = x.Const(Num(1, 1), span, 1)
        self.out.emit(i.Set(span, left, x.Op(ANY_NUM, span, "-", (count, one))))
        self.out.emit(i.Jump(span, again, loop=True))
        self.out.mark(end)
        self._keep(node, faces, listed)

    def _keep(self, node: t.Throw, slot: int, kind: Type) -> None:
        """What was thrown goes to a field of the state, an own name or a new one."""
        name = node.name.text
        value = x.Local(kind, node.span, slot, name)
        state = self.context.program.state.get(name)
        variable = self.scope.find(name)
        if variable is not None:
            self.out.emit(i.Set(node.span, variable.slot, value))
        elif state is not None:
            self.context.use("state", state.key)
            if not fits(kind, state.type):
                self.context.report("T301", f"`{name}` cannot hold {describe(kind)}", node.name.span)
            place = i.Place(state.key, None, "", state.type)
            self.out.emit(i.Store(node.span, place, value, state.clamped, self.deferred))
        else:
            self.out.emit(i.Set(node.span, self.scope.bind(node.name, kind, fixed=False), value))

    # ------------------------------------------------------------ cards

    def _move(self, node: t.Move) -> None:
        what = self.expressions.infer(node.what)
        item = what.type.item if isinstance(what.type, Many) else what.type
        self.expressions.readable(what)
        source = zone_of(self.expressions, node.source, "moved from") if node.source is not None else None
        target = target_of(self.expressions, node.target, item if item != NOTHING else None)
        if target is not None and what.type != BAD:
            self._check_order(node, what, target[0])
            self.out.emit(i.Move(node.span, what, source, target[0], target[1]))

    def _check_order(self, node: t.Move, what: x.Expr, target: i.Place) -> None:
        ordered = isinstance(target.type, Many) and target.type.form == "row"
        if ordered and isinstance(what.type, Many) and what.type.form in ("set", "pile"):
            self.context.report(
                "T305", f"a {what.type.form} has no order to keep in a row", node.what.span,
                help="Say the order: `sorted(…)`, or move the cards one by one.",
            )  # fmt: skip

    def _mix(self, node: t.Mix) -> None:
        source = zone_of(self.expressions, node.what, "mixed")
        target = source if node.into is None else zone_of(self.expressions, node.into, "mixed into")
        if source is None or target is None:
            return
        if not (isinstance(target.type, Many) and target.type.form == "pile"):
            self.context.report("T305", "only a pile can be mixed", (node.into or node.what).span)
            return
        self.out.emit(i.Mix(node.span, None if node.into is None else source, target))

    def _reveal(self, node: t.Reveal) -> None:
        what = self.expressions.infer(node.what)
        to = self.expressions.check(node.to, either(Named("Player"), Many("list", Named("Player"))))
        self.out.emit(i.Reveal(node.span, what, to))


def _can_stop(body: t.Body) -> bool:
    """Is there anything below that may leave a loop: a return, an end, a leave, or a call of a rule?"""
    leaving = (t.Return, t.End, t.Leave, t.Call, t.Do, t.Proceed)
    return any(isinstance(node, leaving) for node in t.walk(body))


def _is_pile(kind: Type) -> bool:
    return isinstance(kind, Many) and kind.form == "pile"


def _die_name(node: t.Expr) -> str:
    from rulelang.check.expressions import source

    return source(node)


def _mark(value: object) -> object:
    return (value.domain, value.key) if isinstance(value, Entry) else (type(value).__name__, value)


def _alternatives(context: Context, kind: Type) -> set[object] | None:
    """Marks of all values of a small type; None where there are too many or no end."""
    marks: set[object] = set()
    for member in members(kind):
        if isinstance(member, Named) and member.domain in context.program.domains:
            schema = context.program.kinds.get(member.domain)
            if schema is not None and schema.variants:
                marks |= set(schema.variants)
            elif schema is None:
                marks |= {_mark(entry) for entry in context.program.domains[member.domain].entries}
            else:
                return None
        elif member == FLAG:
            marks |= {_mark(True), _mark(False)}
        elif member == NONE:
            marks |= {_mark(None)}
        elif isinstance(member, Num) and member.low is not None and member.high is not None:
            if member.high - member.low > 99:
                return None
            marks |= {_mark(n) for n in range(member.low, member.high + 1)}
        else:
            return None
    return marks
