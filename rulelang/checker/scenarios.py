"""Checks and scenarios: what the content must satisfy, and what must happen in play."""

from __future__ import annotations

from attrs import define, field

from rulelang.checker.assembler import Assembler
from rulelang.checker.context import Context
from rulelang.checker.expressions import Expressions
from rulelang.checker.facts import bare
from rulelang.checker.places import place_of, value_type
from rulelang.checker.scope import Scope
from rulelang.checker.statements import Statements
from rulelang.diagnostic import Note, Span
from rulelang.program import expressions as x
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
    steps: list[p.Step] = field(factory=list)
    mode: str = ""
    players: int = 0
    options: dict[str, str] = field(factory=dict)
    places: dict[str, Span] = field(factory=dict)
    """Where the options are given."""

    def __attrs_post_init__(self) -> None:
        self.scope = Scope(self.context)
        name = self.node.text.value
        self.statements = Statements(self.context, self.scope, None, "scenario", name)
        self.statements.expressions.referee = True

    def read(self) -> None:
        """Check the scenario and enter it into the program."""
        context, node = self.context, self.node
        cites = context.cite(node.cites, "scenario", node.text.value)
        modes = context.modes(node.modes)
        self.mode = modes[0] if modes else next(iter(context.program.modes), "")
        for step in node.steps:
            self.scope.facts.clear()  # between two steps a game may have gone on
            self._step(step)
        self._check_start()
        context.program.scenarios.append(
            p.Scenario(
                node.text.value,
                modes,
                self.mode,
                self.players,
                self.options,
                tuple(self.steps),
                node.text.span,
                cites,
            )
        )

    def _check_start(self) -> None:
        """Can a game begin with this mode, these players, these settings?"""
        mode = self.context.program.modes.get(self.mode)
        if mode is None:
            return
        if self.players and not mode.low <= self.players <= mode.high:
            message = f"mode {mode.name} is for {mode.low} to {mode.high} players"
            self.context.report("C508", message, self.places.get("players", self.node.text.span))
        self.players = self.players or mode.low
        for name in self.options:
            setting = self.context.program.settings[name]
            if setting.modes and mode.name not in setting.modes:
                message = f"`{name}` is no setting of mode {mode.name}"
                self.context.report("C508", message, self.places[name])

    # ------------------------------------------------------------ steps

    def _step(self, step: t.Step) -> None:
        match step:
            case t.Given():
                self._given(step)
            case t.Begin():
                statements = self._statements()
                statements.calls.perform(step.perform)
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

    # ------------------------------------------------------------ given

    def _given(self, step: t.Given) -> None:
        statements = self._statements()
        for fact in step.facts:
            match fact:
                case t.Perform():
                    for call in fact.calls:
                        if not self._option(call):
                            statements.calls.call(call, None)
                case t.Let():
                    statements.statement(fact)
                case t.Assign():
                    self._fact(statements, fact)
        if statements.out.instructions:
            self.steps.append(p.Step("given", step.span, self._code(statements, step.span)))

    def _option(self, call: t.Call) -> bool:
        """``mode solo`` and ``players 3``: how the game of the scenario is started."""
        word = call.rule.text
        if word not in ("mode", "players") or len(call.arguments) != 1:
            return False
        argument = bare(call.arguments[0])
        self.places[word] = call.span
        if word == "players":
            if isinstance(argument, t.Number) and isinstance(argument.value, int):
                self.players = argument.value
            else:
                message = "write the number of players as a figure"
                self.context.report("C508", message, argument.span)
        elif isinstance(argument, t.Ref) and argument.name in self.context.program.modes:
            self.mode = argument.name
        else:
            name = argument.name if isinstance(argument, t.Ref) else "?"
            modes = self.context.program.modes
            self.context.report_unknown(name, argument.span, "mode", modes, code="N207")
        return True

    def _fact(self, statements: Statements, fact: t.Assign) -> None:
        """``t.food = 3``, ``red.path = [35, 4]``, or ``difficulty = hard``."""
        target = bare(fact.target)
        checker = statements.expressions
        if isinstance(target, t.Ref) and target.name in self.context.program.settings:
            setting = self.context.program.settings[target.name]
            value = checker.check(fact.value, Named(setting.domain))
            if isinstance(value, x.Const) and value.value is not None:
                self.options[setting.name] = str(value.value.key)
                self.places[setting.name] = fact.span
            return
        is_local = isinstance(target, t.Ref) and self.scope.find(target.name) is not None
        if fact.operator != "=" or is_local:
            statements.statement(fact)
            return
        place = place_of(checker, target, "given")
        if place is None:
            checker.infer(fact.value)
            return
        kind = value_type(place)
        wanted = Many("list", kind.item) if isinstance(kind, Many) else kind
        value = checker.check(fact.value, wanted)
        if isinstance(kind, Many) and kind.form in ZONES and place.key is None:
            statements.out.emit(i.Arrange(fact.span, place, value))
        else:
            statements.out.emit(i.Store(fact.span, place, value, False))
