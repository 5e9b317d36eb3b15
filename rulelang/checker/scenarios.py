"""Checks and scenarios: what the content must satisfy, and what must happen in play."""

from __future__ import annotations

from attrs import define, field

from rulelang.checker.assembler import Assembler
from rulelang.checker.context import Context
from rulelang.checker.expressions import Expressions
from rulelang.checker.givens import Givens
from rulelang.checker.scope import Scope
from rulelang.checker.statements import Statements
from rulelang.diagnostic import Note, Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program import program as p
from rulelang.program.instructions import Code
from rulelang.program.types import Named
from rulelang.syntax import tree as t


def checks(context: Context, nodes: list[t.Check]) -> None:
    """Statements about the content, to be proved on every load."""
    for node in nodes:
        scope = Scope(context)
        checker = Expressions(context, scope, referee=True)
        text = node.text.value
        cites = context.cite(node.cites, "check", text)
        claims = []
        for claim, cited in node.claims:
            claims.append(checker.condition(claim))
            cites += context.cite(cited, "check", text)
        modes = context.modes(node.modes)
        made = p.Check(text, tuple(claims), scope.slots, modes, node.text.span, cites)
        context.program.checks.append(made)


def scenarios(context: Context, nodes: list[t.Scenario]) -> None:
    """Scenarios, each with a mode, a number of players, and its steps."""
    seen: dict[str, Span] = {}
    for node in nodes:
        name, span = node.text.value, node.text.span
        known = seen.setdefault(name, span)
        if known is not span:
            note = Note(known, "the first one")
            context.report("N202", f"two scenarios are called “{name}”", span, notes=[note])
        _Scenario(context, node).read()


@define
class _Scenario:
    context: Context
    node: t.Scenario
    scope: Scope = field(init=False)
    statements: Statements = field(init=False)
    givens: Givens = field(init=False)
    steps: list[p.Step] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.scope = Scope(self.context)
        name = self.node.text.value
        self.statements = Statements(self.context, self.scope, None, "scenario", name)
        self.statements.expressions.referee = True
        modes = [m.text for m in self.node.modes if m.text in self.context.program.modes]
        first = next(iter(modes or self.context.program.modes), "")
        self.givens = Givens(self.context, self.statements, first)

    def read(self) -> None:
        """Check the scenario and enter it into the program."""
        context, node = self.context, self.node
        cites = context.cite(node.cites, "scenario", node.text.value)
        modes = context.modes(node.modes)
        for step in node.steps:
            self.scope.facts.clear()  # between two steps a game may have gone on
            self._step(step)
        givens = self.givens
        mode = givens.mode or ""
        givens.check_start(mode, node.text.span)
        fewest = context.program.modes[mode].low if mode in context.program.modes else 0
        context.program.scenarios.append(
            p.Scenario(
                node.text.value,
                modes,
                mode,
                givens.players or fewest,
                givens.options,
                tuple(self.steps),
                node.text.span,
                cites,
            )
        )

    # ------------------------------------------------------------ steps

    def _step(self, step: t.Step) -> None:
        match step:
            case t.Given():
                statements = self._statements()
                self.givens.facts(step)
                if statements.out.instructions:
                    code = self._code(statements, step.span)
                    self.steps.append(p.Step("given", step.span, code))
            case t.Begin():
                statements = self._statements()
                statements.statement(step.perform)
                self.steps.append(p.Step("when", step.span, self._code(statements, step.span)))
            case t.Scripted():
                labels = tuple(label.text for label in step.outcomes)
                self.steps.append(p.Step("chance", step.span, labels=labels))
            case t.Answer():
                self._decision("answer", step.span, (step.label,), step.by)
            case t.Offers():
                self._decision("offers", step.span, step.labels, step.by)
            case t.Then():
                checker = Expressions(self.context, self.scope, referee=True, claims=True)
                claim = checker.condition(step.claim)
                made = p.Step("then", step.span, claim=claim, slots=self.scope.slots)
                self.steps.append(made)

    def _decision(
        self, word: str, span: Span, written: tuple[t.Label, ...], seat: t.Expr | None
    ) -> None:
        by: x.Expr | None = None
        if seat is not None:
            by = Expressions(self.context, self.scope, referee=True).check(seat, Named("Player"))
        labels = tuple(label.text for label in written)
        self.steps.append(p.Step(word, span, labels=labels, by=by, slots=self.scope.slots))

    def _statements(self) -> Statements:
        """The checker of statements, with nothing lowered yet."""
        self.statements.out = Assembler()
        return self.statements

    def _code(self, statements: Statements, span: Span) -> Code:
        statements.out.emit(i.Give(span, None))
        return Code("scenario", (), self.scope.slots, statements.out.finish(), span)
