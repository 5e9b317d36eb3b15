"""Running the scenarios of a game: tests written in the language.

A scenario begins with the declared starting values. Its lines are worked off in order: each `roll`,
`draw` and `answer` settles the event that is open at that moment. Events with one possible outcome
need no line. A line that does not fit, a claim that does not hold and a decision left open at the
end fail; a scenario may end with `offers`, and then leaves that decision open.

A claim may ask what rules may not: what lies face down, and the questions of `rulelang.claims`
(``wins(p)``, ``loses(p)``, ``score(p)``, ``sees(p, z)``).
"""

from __future__ import annotations

from attrs import frozen

from rulelang import claims
from rulelang.diagnostic import Span
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.events import Chance, Event, Question
from rulelang.engine.fault import Fault
from rulelang.engine.machine import Frame, Machine, Ready
from rulelang.engine.operations import Maker, ready_for
from rulelang.engine.start import initial
from rulelang.errors import UsageError
from rulelang.failing import why_not
from rulelang.game import Game
from rulelang.program.expressions import Expr
from rulelang.program.instructions import Code
from rulelang.program.linking import Linked
from rulelang.program.program import Scenario, Step
from rulelang.program.values import Entry, Value, plain

MAX_FORCED = 10_000
"""Events with one outcome that may follow each other without a line of the scenario."""


@frozen
class ScenarioResult:
    """What came of one scenario; ``ran`` names the rules that ran, ``message`` is empty if ok."""

    name: str
    file: str
    line: int
    ok: bool
    message: str
    failed_line: int
    ran: frozenset[str]
    cites: tuple[str, ...]


class _Failed(Exception):
    def __init__(self, span: Span, message: str) -> None:
        super().__init__(message)
        self.span = span


def run(game: Game, only: str | None = None) -> tuple[ScenarioResult, ...]:
    """Run the scenarios whose names contain ``only``, in the order of files and lines."""
    wanted = [
        s for s in game.program.scenarios if only is None or only.casefold() in s.text.casefold()
    ]
    return tuple(_run(game, scenario) for scenario in sorted(wanted, key=lambda s: s.span))


def _run(game: Game, scenario: Scenario) -> ScenarioResult:
    ran: set[str] = set()
    message, failed = "", scenario.span.line
    try:
        _Player(game, scenario, ran).play()
    except _Failed as problem:
        message, failed = str(problem), problem.span.line
    except UsageError as problem:
        message = str(problem)
    span = scenario.span
    return ScenarioResult(
        scenario.text,
        span.file,
        span.line,
        not message,
        message,
        failed,
        frozenset(ran),
        scenario.cites,
    )


class _Player:
    """Works off the steps of one scenario."""

    def __init__(self, game: Game, scenario: Scenario, ran: set[str]) -> None:
        self.scenario = scenario
        self.linked = _configured(game, scenario)
        self.evaluators = Evaluators(self.linked, claims.prepare)
        self.maker = Maker(self.linked, self.evaluators, game.ready(self.linked))
        self.machine = Machine(self.linked, game.ready(self.linked), self._slots(), None)
        self.machine.log, self.machine.ran = [], ran
        slots = max(
            (s.slots if s.code is None else s.code.slots for s in scenario.steps), default=0
        )
        self.locals: list[Value] = [None] * (slots + 1)

    def _slots(self) -> list[Value]:
        """The state at the start."""
        try:
            return initial(self.linked)
        except Fault as fault:
            raise _Failed(
                self.scenario.span, f"the starting values cannot be worked out: {fault}"
            ) from None

    def play(self) -> None:
        """Every step, then the end."""
        for step in self.scenario.steps:
            self._step(step)
        self._pass_forced(self.scenario.span)
        event = self.machine.event
        last = self.scenario.steps[-1]
        if event is not None and last.word != "offers":
            raise _Failed(last.span, f"the scenario ends, and this is still open: {_open(event)}")

    def _step(self, step: Step) -> None:
        match step.word:
            case "given" | "when":
                assert step.code is not None
                self._pass_forced(step.span)
                self._begin(step.code, step.span)
            case "chance":
                for label in step.labels:
                    self._chance(step, label)
            case "answer":
                self._answer(step)
            case "offers":
                self._offers(step)
            case "then":
                self._pass_forced(step.span)
                self._claim(step)

    # ------------------------------------------------------------ steps

    def _begin(self, code: Code, span: Span) -> None:
        event = self.machine.event
        if event is not None:
            raise _Failed(span, f"nothing new can begin while this is open: {_open(event)}")
        ready = ready_for(code)
        ready.operations = self.maker.operations(code)
        self.machine.stack.append(Frame(ready, 0, 0, self.locals))
        self.machine.over = False
        self._go_on(span)

    def _go_on(self, span: Span) -> None:
        try:
            self.machine.run()
        except Fault as fault:
            where = self.machine.stack[-1]
            place = where.ready.code.instructions[where.place].span
            raise _Failed(span, f"a rule went wrong ({place.file}:{place.line}): {fault}") from None

    def _settle(self, index: int, span: Span) -> None:
        self.machine.answer(index)
        self._go_on(span)

    def _pass_forced(self, span: Span, wanted: str | None = None) -> None:
        """Settle events with one possible outcome, up to one that has the wanted label."""
        for _ in range(MAX_FORCED):
            event = self.machine.event
            if event is None or event.count != 1:
                return
            if wanted is not None and _find(event, wanted) is not None:
                return
            self._settle(0, span)
        raise _Failed(span, f"more than {MAX_FORCED:,} events with one outcome follow each other")

    def _chance(self, step: Step, label: str) -> None:
        self._pass_forced(step.span, label)
        event = self.machine.event
        if not isinstance(event, Chance):
            what = "nothing is open" if event is None else f"this is open: {_open(event)}"
            raise _Failed(step.span, f"{label!r} cannot come up now: {what}")
        index = _find(event, label)
        if index is None:
            raise _Failed(step.span, f"{label!r} cannot come up: {_open(event)}")
        self._settle(index, step.span)

    def _answer(self, step: Step) -> None:
        label = step.labels[0]
        event = self._question(step, label)
        index = _find(event, label)
        if index is None:
            raise _Failed(step.span, f"{label!r} is not legal: {_open(event)}")
        self._settle(index, step.span)

    def _offers(self, step: Step) -> None:
        event = self._question(step, step.labels[0])
        found = [_find(event, label) for label in step.labels]
        unknown = [label for label, index in zip(step.labels, found, strict=True) if index is None]
        more = [label for index, label in enumerate(event.labels()) if index not in found]
        if unknown:
            raise _Failed(step.span, f"{_quoted(unknown)} is not offered; this is: {_open(event)}")
        if more:
            raise _Failed(step.span, f"{_quoted(more)} is offered too: {_open(event)}")

    def _question(self, step: Step, label: str) -> Question:
        self._pass_forced(step.span, label)
        event = self.machine.event
        if not isinstance(event, Question):
            what = "nothing is open" if event is None else f"this is open: {_open(event)}"
            raise _Failed(step.span, f"there is no decision to answer: {what}")
        if step.by is not None:
            seat = self._seat(step.by, step.span)
            if seat is not event.player:
                raise _Failed(step.span, f"{event.player.label} decides here, not {seat.label}")
        return event

    def _seat(self, by: Expr, span: Span) -> Value:
        try:
            return self._asked(by)
        except Fault as fault:
            raise _Failed(span, f"who decides cannot be worked out: {fault}") from None

    def _claim(self, step: Step) -> None:
        assert step.claim is not None
        try:
            problem = None if self._asked(step.claim) else why_not(step.claim, self._asked)
        except Fault as fault:
            raise _Failed(step.span, f"this cannot be worked out: {fault}") from None
        if problem is not None:
            raise _Failed(step.span, problem.text)

    def _asked(self, expr: Expr) -> Value:
        return self.evaluators.prepare(expr)(self.machine.slots, self.locals)


def _configured(game: Game, scenario: Scenario) -> Linked:
    settings = {n: v for n, v in scenario.options.items() if not game.program.settings[n].ruling}
    rulings = {n: v for n, v in scenario.options.items() if game.program.settings[n].ruling}
    return game.configure(scenario.mode, scenario.players, settings, rulings)


def _find(event: Event, text: str) -> int | None:
    """The outcome that words mean: its label, or the one label that ends with them."""
    labels = [plain(label) for label in event.labels()]
    wanted = plain(text)
    if wanted in labels:
        return labels.index(wanted)
    ending = [n for n, label in enumerate(labels) if label.endswith("_" + wanted)]
    return ending[0] if len(ending) == 1 else None


def _quoted(labels: list[str]) -> str:
    return ", ".join(repr(label) for label in labels)


def _open(event: Event) -> str:
    labels = event.labels()
    shown = ", ".join(labels[:12]) + (f" and {len(labels) - 12} more" if len(labels) > 12 else "")
    if isinstance(event, Question):
        return f"“{event.instruction.prompt}” ({event.player.label}): {shown}"
    return f"chance: {shown}"


__all__ = ["Entry", "Ready", "ScenarioResult", "run"]
