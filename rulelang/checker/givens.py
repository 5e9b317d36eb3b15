"""What stands under `given`: how the game of a scenario or trial is started and set up."""

from __future__ import annotations

from attrs import define, field

from rulelang.checker.context import Context
from rulelang.checker.facts import bare
from rulelang.checker.places import place_of, value_type
from rulelang.checker.statements import Statements
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import ZONES, Many, Named
from rulelang.syntax import tree as t


@define
class Givens:
    """The facts of one scenario or trial: what is fixed at the start, and the rest as code."""

    context: Context
    statements: Statements
    mode: str | None
    """The mode, where one may be given; None where the head says it."""
    players: int = 0
    """How many; 0: the fewest."""
    options: dict[str, str] = field(factory=dict)
    """Settings and rulings."""
    places: dict[str, Span] = field(factory=dict)
    """Where these are given."""

    def facts(self, step: t.Given) -> None:
        """Check all facts of a line or block; what is done goes to the statements' code."""
        for fact in step.facts:
            match fact:
                case t.Perform():
                    for call in fact.calls:
                        if not self._start(call):
                            self.statements.calls.call(call, None)
                case t.Let():
                    self.statements.statement(fact)
                case t.Assign():
                    self._fact(fact)

    def check_start(self, name: str, span: Span) -> None:
        """Can a game begin in this mode with these players and settings? ``span`` is the head's."""
        mode = self.context.program.modes.get(name)
        if mode is None:
            return
        if self.players and not mode.low <= self.players <= mode.high:
            message = f"mode {mode.name} is for {mode.low} to {mode.high} players"
            self.context.report("C508", message, self.places.get("players", span))
        for name in self.options:
            setting = self.context.program.settings[name]
            if setting.modes and mode.name not in setting.modes:
                message = f"`{name}` is no setting of mode {mode.name}"
                self.context.report("C508", message, self.places[name])

    def _start(self, call: t.Call) -> bool:
        """``mode solo`` and ``players 3``: how the game is started."""
        word = call.rule.text
        if word not in ("mode", "players") or len(call.arguments) != 1:
            return False
        argument = bare(call.arguments[0])
        self.places[word] = call.span
        if word == "players":
            self._players(argument)
        elif self.mode is None:
            help = "Write `in` and the modes behind the type."
            message = "a trial says in its first line which modes it is for"
            self.context.report("C508", message, call.span, help=help)
        elif isinstance(argument, t.Ref) and argument.name in self.context.program.modes:
            self.mode = argument.name
        else:
            name = argument.name if isinstance(argument, t.Ref) else "?"
            modes = self.context.program.modes
            self.context.report_unknown(name, argument.span, "mode", modes, code="N207")
        return True

    def _players(self, argument: t.Expr) -> None:
        if isinstance(argument, t.Number) and isinstance(argument.value, int):
            self.players = argument.value
        else:
            message = "write the number of players as a figure"
            self.context.report("C508", message, argument.span)

    def _fact(self, fact: t.Assign) -> None:
        """``t.food = 3``, ``red.path = [35, 4]``, or ``difficulty = hard``."""
        target = bare(fact.target)
        statements, checker = self.statements, self.statements.expressions
        if isinstance(target, t.Ref) and target.name in self.context.program.settings:
            setting = self.context.program.settings[target.name]
            value = checker.check(fact.value, Named(setting.domain))
            if isinstance(value, x.Const) and value.value is not None:
                self.options[setting.name] = str(value.value.key)
                self.places[setting.name] = fact.span
            return
        is_local = isinstance(target, t.Ref) and statements.scope.find(target.name) is not None
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
