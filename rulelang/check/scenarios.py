"""Checks and scenarios: what the content must satisfy, and what must happen in play."""

from __future__ import annotations

from attrs import define, field

from rulelang.check.context import Context
from rulelang.check.expressions import Expressions
from rulelang.check.places import place_of, value_type
from rulelang.check.scope import Scope, bare
from rulelang.check.statements import Statements
from rulelang.diagnostic import Span
from rulelang.program import instructions as i
from rulelang.program import program as p
from rulelang.program.instructions import Code
from rulelang.program.types import ZONES, Many, Named
from rulelang.syntax import tree as t


def checks(context: Context, nodes: list[t.Check]) -> None:
    """Statements about the content, to be proved on every load."""
    for node in nodes:
        scope = Scope(context)
        checker = Expressions(context, scope, referee=True)
        cites = context.cite(node.cites, "check", node.text.value)
        claims = []
        for claim, cited in node.claims:
            claims.append(checker.condition(claim))
            cites += context.cite(cited, "check", node.text.value)
        context.program.checks.append(
            p.Check(node.text.value, tuple(claims), scope.slots, context.modes(node.modes), node.text.span, cites)
        )


def scenarios(context: Context, nodes: list[t.Scenario]) -> None:
    """Scenarios, each with a mode, a number of players, and its steps."""
    seen: dict[str, Span] = {}
    for node in nodes:
        name = node.text.value
        if name in seen:
            context.report("N202", f"two scenarios are called “{name}”", node.text.span)
        seen[name] = node.text.span
        _Scenario(context, node).read()


@define
class _Scenario:
    context: Context
    node: t.Scenario
    scope: Scope = field(init=False)
    steps: list[p.Step] = field(factory=list)
    mode: str = ""
    players: int = 0
    options: dict[str, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.scope = Scope(self.context)

    def read(self) -> None:
        context, node = self.context, self.node
        cites = context.cite(node.cites, "scenario", node.text.value)
        modes = context.modes(node.modes)
        self.mode = modes[0] if modes else next(iter(context.program.modes), "")
        for step in node.steps:
            self._step(step)
        mode = context.program.modes.get(self.mode)
        if mode is not None:
            if self.players and not mode.low <= self.players <= mode.high:
                context.report(
                    "C508", f"mode {mode.name} is for {mode.low} to {mode.high} players", node.text.span
                )
            self.players = self.players or mode.low
        context.program.scenarios.append(
            p.Scenario(
                node.text.value, modes, self.mode, self.players, self.options, tuple(self.steps), node.text.span, cites
            )
        )

    def _step(self, step: t.Step) -> None:
        match step:
            case t.Given():
                self._given(step)
            case t.Begin():
                statements = self._statements()
                for call in step.perform.calls:
                    statements.call(call, None)
                self.steps.append(p.Step("when", step.span, self._code(statements, step.span)))
            case t.Scripted():
                labels = tuple(label.text for label in step.outcomes)
                self.steps.append(p.Step("chance", step.span, labels=labels))
            case t.Answer():
                by = self._by(step.by)
                self.steps.append(p.Step("answer", step.span, labels=(step.label.text,), by=by, slots=self.scope.slots))
            case t.Offers():
                by = self._by(step.by)
                labels = tuple(label.text for label in step.labels)
                self.steps.append(p.Step("offers", step.span, labels=labels, by=by, slots=self.scope.slots))
            case t.Then():
                checker = Expressions(self.context, self.scope, referee=True, claims=True)
                claim = checker.condition(step.claim)
                self.steps.append(p.Step("then", step.span, claim=claim, slots=self.scope.slots))

    def _by(self, node: t.Expr | None) -> p.Expr | None:
        if node is None:
            return None
        return Expressions(self.context, self.scope, referee=True).check(node, Named("Player"))

    def _statements(self) -> Statements:
        statements = Statements(self.context, self.scope, None, "scenario", self.node.text.value)
        statements.expressions.referee = True
        return statements

    def _code(self, statements: Statements, span: Span) -> Code:
        statements.out.emit(i.Give(span, None))
        return Code("scenario", (), self.scope.slots, statements.out.finish(), span)

    # ------------------------------------------------------------ given

    def _given(self, step: t.Given) -> None:
        statements = self._statements()
        for fact in step.facts:
            match fact:
                case t.Perform():
                    for call in fact.calls:
                        if not self._option(call):
                            statements.call(call, None)
                case t.Let():
                    statements.statement(fact)
                case t.Assign():
                    self._fact(statements, fact)
        if statements.out.instructions:
            self.steps.append(p.Step("given", step.span, self._code(statements, step.span)))

    def _option(self, call: t.Call) -> bool:
        """``mode solo`` and ``players 3``: how the game of the scenario is started."""
        word = call.rule.text
        if word not in ("mode", "players") or len(call.arguments) != 1 or call.subject is not None:
            return False
        argument = bare(call.arguments[0])
        if word == "players":
            if isinstance(argument, t.Number) and isinstance(argument.value, int):
                self.players = argument.value
            else:
                self.context.report("C508", "write the number of players as a figure", call.span)
        elif isinstance(argument, t.Ref) and argument.name in self.context.program.modes:
            self.mode = argument.name
        else:
            name = argument.name if isinstance(argument, t.Ref) else "?"
            self.context.report_unknown(name, argument.span, "mode", self.context.program.modes, code="N207")
        return True

    def _fact(self, statements: Statements, fact: t.Assign) -> None:
        """``t.food = 3``, ``red.path = [35, 4]``, or ``difficulty = hard``."""
        target = bare(fact.target)
        if isinstance(target, t.Ref) and target.name in self.context.program.settings:
            setting = self.context.program.settings[target.name]
            value = statements.expressions.check(fact.value, Named(setting.domain))
            entry = getattr(value, "value", None)
            if entry is not None:
                self.options[setting.name] = str(entry.key)
            return
        checker = statements.expressions
        if fact.operator != "=" or (isinstance(target, t.Ref) and self.scope.find(target.name) is not None):
            statements.statement(fact)
            return
        place = place_of(checker, target, "given")
        if place is None:
            return
        kind = value_type(place)
        value = checker.check(fact.value, Many("list", kind.item) if isinstance(kind, Many) else kind)
        if isinstance(kind, Many) and kind.form in ZONES:
            statements.out.emit(i.Arrange(fact.span, place, value))
        else:
            statements.out.emit(i.Store(fact.span, place, value, False))
