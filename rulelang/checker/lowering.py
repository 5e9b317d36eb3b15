"""Scripts become rules: the steps that an entry says, as instructions that an engine runs."""

from __future__ import annotations

from rulelang.checker.assembler import Assembler
from rulelang.checker.context import Context, plain
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.instructions import Code
from rulelang.program.program import Rule
from rulelang.program.scripts import (
    Asked,
    Case,
    Choice,
    Condition,
    Do,
    Steps,
    Throw,
)
from rulelang.program.types import BAD, FLAG, Named, Num, Type
from rulelang.program.values import Entry, Value


def lower(
    context: Context, name: str, steps: Steps, subject: tuple[str, Type] | None, span: Span
) -> None:
    """Add the rule ``name`` to the program: it does what the steps say to ``subject``."""
    lowering = _Lowering(context, subject)
    lowering.steps(steps)
    lowering.out.emit(i.Give(span, None))
    parameters = (subject[0],) if subject is not None else ()
    kind = subject[1] if subject is not None else None
    domain = kind.domain if isinstance(kind, Named) else ""
    code = Code(name, parameters, lowering.slots, lowering.out.finish(), span, subject=domain)
    context.program.rules[name] = [Rule(code, ())]


class _Lowering:
    def __init__(self, context: Context, subject: tuple[str, Type] | None) -> None:
        self.program = context.program
        self.subject = subject
        self.slots = 0 if subject is None else 1
        self.out = Assembler()

    def steps(self, steps: Steps) -> None:
        for step in steps:
            match step:
                case Do():
                    self._do(step)
                case Condition():
                    self._condition(step)
                case Choice():
                    self._choice(step)
                case Throw():
                    self._throw(step)

    def _slot(self) -> int:
        self.slots += 1
        return self.slots - 1

    def _me(self, span: Span) -> x.Expr:
        assert self.subject is not None
        return x.Local(self.subject[1], span, 0, self.subject[0])

    def _do(self, step: Do) -> None:
        signature, span = self.program.signatures[step.effect.rule], step.span
        values: tuple[x.Expr, ...] = tuple(
            x.Const(_type_of(value), span, value) for value in step.effect.arguments
        )
        if signature.subject is not None:
            values += (self._me(span),)
        slot = self._slot() if step.results else None
        self.out.emit(i.Perform(span, signature.name, values, slot))
        if slot is None:
            return
        end, result = self.out.label(), x.Local(signature.gives or BAD, span, slot, "")
        for case in step.results:
            given = x.Const(_type_of(case.values[0]), case.span, case.values[0])
            self._case(case, x.Op(FLAG, case.span, "==", (result, given)), end)
        self.out.mark(end)

    def _case(self, case: Case, condition: x.Expr, end: int) -> None:
        following = self.out.label()
        self.out.emit(i.Branch(case.span, condition, following))
        self.steps(case.steps)
        self.out.emit(i.Jump(case.span, end))
        self.out.mark(following)

    def _condition(self, step: Condition) -> None:
        condition = self._asked(step.asked)
        if step.negated:
            condition = x.Op(FLAG, step.span, "not", (condition,))
        no, end = self.out.label(), self.out.label()
        self.out.emit(i.Branch(step.span, condition, no))
        self.steps(step.then)
        self.out.emit(i.Jump(step.span, end))
        self.out.mark(no)
        self.steps(step.otherwise or ())
        self.out.mark(end)

    def _asked(self, asked: Asked) -> x.Expr:
        kinds = self.program.questions[asked.question].types
        pairs = zip(kinds, asked.arguments, strict=False)
        arguments: list[x.Expr] = [x.Const(kind, asked.span, value) for kind, value in pairs]
        if asked.has_subject:
            arguments.append(self._me(asked.span))
        return x.AskDefine(FLAG, asked.span, asked.question, tuple(arguments))

    def _choice(self, step: Choice) -> None:
        end = self.out.label()
        offers = tuple(
            i.Offer(plain(case.values[0]), case.values[0], None, None, None, self.out.label())
            for case in step.options
        )
        me = self._me(step.span)
        self.out.emit(i.Choose(step.span, me, "Choose", offers, None, None))
        for case, offer in zip(step.options, offers, strict=True):
            self.out.mark(offer.to)
            self.steps(case.steps)
            self.out.emit(i.Jump(case.span, end))
        self.out.mark(end)

    def _throw(self, step: Throw) -> None:
        slot, end = self._slot(), self.out.label()
        faces = x.Const(BAD, step.span, self.program.dice[step.die])
        self.out.emit(i.Roll(step.span, slot, faces, step.die))
        face = x.Local(BAD, step.span, slot, "")
        for case in step.cases:
            listed = x.Const(BAD, case.span, case.values)
            self._case(case, x.Op(FLAG, case.span, "has", (listed, face)), end)
        self.steps(step.otherwise or ())
        self.out.mark(end)


def _type_of(value: Value) -> Type:
    if isinstance(value, Entry):
        return Named(value.domain)
    return Num(value, value) if isinstance(value, int) else BAD
