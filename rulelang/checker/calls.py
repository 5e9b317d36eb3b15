"""Checking calls of rules, effects, moments and endings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.checker.cards import exchange, sort
from rulelang.checker.part import Part
from rulelang.checker.wording import counted, describe
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Signature
from rulelang.program.types import (
    BAD,
    EFFECT,
    SCRIPT,
    Many,
    Named,
    Type,
    either,
    fits,
    members,
)
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    pass

VERBS = {"nothing": 0, "sort": 1, "exchange": 2}
"""Built-in verbs, each with the number of its arguments."""


class Calls(Part):
    """The part of the statement checker that hands over to other rules."""

    def perform(self, node: t.Perform) -> None:
        """Calls of rules, one after the other."""
        for call in node.calls:
            self.call(call, None)

    def call(self, node: t.Call, slot: int | None) -> Signature | None:
        """A call of a rule, its result to ``slot``; None where it is wrong or a verb."""
        name = node.rule.text
        signature = self.context.program.signatures.get(name)
        if signature is None:
            if name in VERBS and slot is None:
                self._verb(node, name)
            else:
                self._unknown_rule(node, name)
            return None
        self.context.use("rule", name)
        arguments = self.arguments(signature, node.arguments, node.span)
        subject = self._subject(node.subject, signature, node.span)
        if arguments is not None and subject is not None:
            self.out.emit(i.Perform(node.span, name, arguments + subject, slot))
        return signature

    def arguments(
        self, signature: Signature, nodes: tuple[t.Expr, ...], span: Span
    ) -> tuple[x.Expr, ...] | None:
        """The checked arguments, without the subject; None if their number is wrong."""
        wanted = signature.parameters
        if len(nodes) == len(wanted):
            return tuple(
                self.expressions.check(node, kind)
                for node, (_, kind) in zip(nodes, wanted, strict=True)
            )
        listed = ", ".join(f"{name}: {kind}" for name, kind in wanted) or "none"
        are = "is" if len(nodes) == 1 else "are"
        message = f"`{signature.name}` takes {counted(len(wanted), 'argument')}"
        self.context.report(
            "T302",
            f"{message}, and {len(nodes)} {are} given",
            span,
            help=f"Its arguments are: {listed}.",
        )
        for node in nodes:
            self.expressions.infer(node)
        return None

    def _subject(
        self, node: t.Expr | None, signature: Signature, span: Span
    ) -> tuple[x.Expr, ...] | None:
        """The subject as a last argument, if the rule has one; None if it was reported."""
        name = signature.name.removeprefix("moment ")
        is_rule = name == signature.name
        done, usage = ("is done", f"{name} …") if is_rule else ("is opened", f"open {name}")
        if signature.subject is None:
            if node is not None:
                message = f"`{name}` {done} for nobody in particular"
                self.context.report("T304", message, node.span)
                return None
            return ()
        kind = signature.subject[1]
        if node is None:
            message = f"`{name}` {done} for {describe(kind)}, and nobody is named"
            help = f"Write `{usage} for` and for whom."
            self.context.report("T304", message, span, help=help)
            return None
        return (self.expressions.check(node, kind),)

    def _unknown_rule(self, node: t.Call, name: str) -> None:
        program = self.context.program
        help = None
        if name in program.questions:
            help = f"`{name}` is a question; take its answer with `let x = {name}(…)`."
        elif self.scope.find(name) is not None or name in program.state:
            help = "To change a value write `x = …`, `x += …` or `x -= …`."
        for argument in node.arguments:
            self.expressions.infer(argument)
        candidates = () if help is not None else [*program.signatures, *VERBS]
        self.context.report_unknown(name, node.rule.span, "rule", candidates, help=help)

    def _verb(self, node: t.Call, name: str) -> None:
        count, wanted = len(node.arguments), VERBS[name]
        if count != wanted:
            are = "is" if count == 1 else "are"
            message = f"`{name}` takes {counted(wanted, 'argument')}, and {count} {are} given"
            self.context.report("T302", message, node.span)
        elif node.subject is not None:
            message = f"`{name}` is done for nobody in particular"
            self.context.report("T304", message, node.subject.span)
        elif name == "sort":
            sort(self.statements, node, node.arguments[0])
        elif name == "exchange":
            exchange(self.statements, node, *node.arguments)

    # ------------------------------------------------------------ results

    def let_from(self, node: t.LetFrom) -> None:
        """``let x from walk for t``: what a rule gives."""
        slot = self.scope.slot()
        kind: Type = BAD
        if isinstance(node.call, t.Proceed):
            signature = self._proceed(node.call, slot)
        else:
            signature = self.call(node.call, slot)
        if signature is not None and signature.gives is None:
            self.context.report("T307", f"`{signature.name}` gives nothing", node.call.span)
        elif signature is not None and signature.gives is not None:
            kind = self.statements.kept(node.name.text, signature.gives)
        final = self.scope.bind(node.name, kind, fixed=False, wanted=True)
        result = x.Local(kind, node.span, slot, node.name.text)
        self.out.emit(i.Set(node.span, final, result))

    def proceed_(self, node: t.Proceed) -> None:
        """``proceed a``: go on with the rule that the hook replaced."""
        self._proceed(node, None)

    def _proceed(self, node: t.Proceed, slot: int | None) -> Signature | None:
        signature = self.statements.proceeds
        if signature is None:
            message = "`proceed` stands outside of an `instead of`"
            self.context.report("R406", message, node.span)
            return None
        arguments: tuple[x.Expr, ...] | None = tuple(
            x.Local(kind, node.span, place, name)
            for place, (name, kind) in enumerate(signature.parameters)
        )
        if node.arguments:
            arguments = self.arguments(signature, node.arguments, node.span)
        if arguments is None:
            return signature
        if signature.subject is not None:
            name, kind = signature.subject
            arguments += (x.Local(kind, node.span, len(signature.parameters), name),)
        rule = f"{self.statements.name}:proceed"
        self.out.emit(i.Perform(node.span, rule, arguments, slot))
        return signature

    # ------------------------------------------------------------ effects, moments, endings

    def do(self, node: t.Do) -> None:
        """``do s for t``: carry out an effect that is held as a value."""
        effect = self.expressions.check(node.effect, either(EFFECT, SCRIPT))
        subject = self.expressions.value(node.subject) if node.subject is not None else None
        if effect.type != BAD:
            self._suits(node, effect, subject)
        self.out.emit(i.Apply(node.span, effect, subject))

    def _suits(self, node: t.Do, effect: x.Expr, subject: x.Expr | None) -> None:
        """Is the effect done to what its kind says that it is done to?"""
        kinds = [
            kind
            for kind in self.context.program.kinds.values()
            if any(_holds(field.type, effect.type) for field in kind.fields)
        ]
        if isinstance(effect, x.FieldOf) and isinstance(effect.value.type, Named):
            kinds = [kind for kind in kinds if kind.name == effect.value.type.domain]
        subjects = [kind.subject[1] for kind in kinds if kind.subject is not None]
        if not subjects:
            return
        wanted = describe(either(*subjects))
        if subject is None:
            if len(subjects) == len(kinds):
                self.context.report(
                    "T304",
                    f"this is done for {wanted}, and nobody is named",
                    node.span,
                    help="Write `do … for` and whom it is done for.",
                )
        elif not any(fits(subject.type, kind) for kind in subjects):
            message = f"this is done for {wanted}, and not for {describe(subject.type)}"
            self.context.report("T304", message, subject.span)

    def open(self, node: t.Open) -> None:
        """``open moment for x``."""
        name = node.moment.text
        if name not in self.context.moments:
            span = node.moment.span
            self.context.report_unknown(name, span, "moment", self.context.moments)
            return
        self.context.use("moment", name)
        signature = self.context.program.signatures[f"moment {name}"]
        subject = self._subject(node.subject, signature, node.span)
        if subject is not None:
            self.out.emit(i.Perform(node.span, signature.name, subject, None))

    def end(self, node: t.End) -> bool:
        """``end x for t``; the game may go on until a scope is completed."""
        name = node.ending.text
        ending = self.context.program.endings.get(name)
        if ending is None:
            endings = self.context.program.endings
            self.context.report_unknown(name, node.ending.span, "ending", endings)
            return False
        self.context.use("ending", name)
        kind = self.context.ending_subjects.get(name)
        subject = None
        if node.subject is not None:
            subject = self.expressions.check(node.subject, BAD if kind is None else kind)
        elif kind is not None:
            self.context.report(
                "T304",
                f"`{name}` comes for {describe(kind)}, and nobody is named",
                node.span,
                help=f"Write `end {name} for` and for whom it comes.",
            )
        self.out.emit(i.Finish(node.span, name, subject))
        return bool(ending.completes)


def _holds(field: Type, effect: Type) -> bool:
    """May a field of this type hold such an effect?"""
    item = field.item if isinstance(field, Many) else field
    return any(member in members(effect) for member in members(item))
