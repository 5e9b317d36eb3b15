"""The reference interpreter.

A machine holds a state (slots) and a stack of frames, and nothing else that matters: no Python frame,
generator or thread. `run` goes on until an event is open or the game is over; `answer` settles the event.
Each instruction was made a function of the machine and the frame's locals that returns the next place
(see `operations`); a negative place hands control back to `run`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.chance import Words
from rulelang.engine.events import Chance, Event, Question
from rulelang.engine.fault import Fault
from rulelang.engine.zones import put, take
from rulelang.program.instructions import Code
from rulelang.program.linking import Linked
from rulelang.program.types import Many
from rulelang.program.values import Value

FUEL = 100_000
MAX_DEPTH = 200
SWITCH, SUSPEND = -1, -2

Operation = Callable[["Machine", list[Any]], int]


class Ready:
    """A rule whose instructions were made functions."""

    __slots__ = ("code", "name", "operations", "results", "rest")

    def __init__(self, code: Code, results: tuple[int | None, ...]) -> None:
        self.code = code
        self.name = code.name
        self.operations: tuple[Operation, ...] = ()
        self.results = results
        """For each place, the slot that the result of a call just before it goes to."""
        self.rest: list[Any] = [None] * (code.slots - len(code.parameters))


class Frame:
    """A rule on its way: where it goes on, its locals, and how deep it stands for the log."""

    __slots__ = ("depth", "locals", "place", "ready")

    def __init__(self, ready: Ready, place: int, depth: int, locals: list[Any]) -> None:
        self.ready = ready
        self.place = place
        self.depth = depth
        self.locals = locals


class LogEntry:
    """One thing that happened: a rule called, a choice made, a chance event, an ending."""

    __slots__ = ("arguments", "clauses", "depth", "player", "rule", "what")

    def __init__(
        self, what: str, rule: str, arguments: tuple[Value, ...], clauses: tuple[str, ...], depth: int, player: int | None
    ) -> None:
        self.what = what
        self.rule = rule
        self.arguments = arguments
        self.clauses = clauses
        self.depth = depth
        self.player = player


class Machine:
    """A game in progress: its state, its stack, and the event that is open."""

    __slots__ = ("event", "fuel", "linked", "log", "over", "place", "ran", "ready", "slots", "stack", "turns", "words")

    def __init__(self, linked: Linked, ready: dict[str, Ready], slots: list[Value], words: Words | None) -> None:
        self.linked = linked
        self.ready = ready
        self.slots = slots
        self.stack: list[Frame] = []
        self.event: Event | None = None
        self.over = False
        self.words = words
        """Draws chance events as they come; None leaves them open, as decisions of chance."""
        self.log: list[LogEntry] | None = None
        self.ran: set[str] | None = None
        self.turns = 0
        self.fuel = FUEL
        self.place = 0

    def call(self, rule: str, arguments: tuple[Value, ...] = ()) -> None:
        """Push a rule that goes on at the next `run`."""
        ready = self.ready[rule]
        self.stack.append(Frame(ready, 0, len(self.stack), [*arguments, *ready.rest]))

    def run(self) -> None:
        """Go on until an event is open or nothing is left to do. Raises Fault."""
        stack = self.stack
        while stack:
            frame = stack[-1]
            operations, locals, place = frame.ready.operations, frame.locals, frame.place
            try:
                while place >= 0:
                    self.place = place
                    place = operations[place](self, locals)
            except Fault:
                frame.place = self.place
                raise
            except RecursionError:
                frame.place = self.place
                raise Fault("the questions asked here are nested too deeply") from None
            if place == SUSPEND:
                self.fuel = FUEL
                return
        self.over = True

    def push(self, ready: Ready, arguments: list[Value]) -> int:
        """Open a frame for a rule; the frame that called goes on behind the call."""
        stack = self.stack
        caller = stack[-1]
        caller.place = self.place + 1
        self.fuel -= 1
        if self.fuel < 0 or len(stack) >= MAX_DEPTH:
            self.exhausted()
        if ready.code.turn:
            self.turns += 1
        if self.log is not None:
            self.note(ready, arguments, caller.depth + 1)
        arguments.extend(ready.rest)
        stack.append(Frame(ready, 0, caller.depth + 1, arguments))
        return SWITCH

    def exhausted(self) -> None:
        """Refuse to go on without an end."""
        if len(self.stack) >= MAX_DEPTH:
            raise Fault(f"rules call each other more than {MAX_DEPTH} deep")
        raise Fault(f"{FUEL:,} steps without a decision or the end of the game")

    def note(self, ready: Ready, arguments: list[Value], depth: int) -> None:
        """Log a call."""
        code = ready.code
        if self.ran is not None:
            self.ran.add(code.name.removesuffix(":body"))
        if not code.hook_of:
            assert self.log is not None
            self.log.append(LogEntry("rule", code.name, tuple(arguments), code.cites, depth, None))

    # ------------------------------------------------------------ events

    def answer(self, index: int) -> None:
        """Settle the open event with one of its options or outcomes."""
        event = self.event
        assert event is not None
        frame = event.frame
        if isinstance(event, Question):
            instruction = event.instruction
            offer, value = event.option(index)
            if offer is None:
                assert instruction.decline is not None
                frame.place = instruction.decline
            else:
                if offer.slot is not None:
                    frame.locals[offer.slot] = value
                frame.place = offer.to
        else:
            self._settle(event, event.outcomes[index])
        self.event = None

    def _settle(self, event: Chance, value: Value) -> None:
        frame, instruction = event.frame, event.instruction
        operation = frame.ready.operations[frame.place]
        settle: Callable[[Machine, list[Any], Value], int] = operation.settle  # type: ignore[attr-defined]
        frame.place = settle(self, frame.locals, value)
        if self.log is not None:
            self.log.append(LogEntry("chance", frame.ready.name, (value,), (), frame.depth + 1, None))
        del instruction

    def move(self, card: Value, source: int, source_form: str, target: int, form: str, end: str) -> None:
        """One card from one slot to another."""
        slots = self.slots
        slots[source] = take(slots[source], card, source_form)
        slots[target] = put(slots[target], card, form, end)

    def clone(self) -> Machine:
        """An independent copy, the open event included."""
        copy = Machine(self.linked, self.ready, self.slots.copy(), None if self.words is None else self.words.copy())
        copy.stack = [Frame(f.ready, f.place, f.depth, f.locals.copy()) for f in self.stack]
        copy.over, copy.turns, copy.fuel = self.over, self.turns, self.fuel
        copy.log = None if self.log is None else self.log.copy()
        copy.ran = None if self.ran is None else set(self.ran)
        event = self.event
        if isinstance(event, Question):
            copy.event = Question(copy.stack[-1], event.instruction, event.player, event.groups, event.count)
        elif event is not None:
            copied = Chance.__new__(Chance)
            for name in Chance.__slots__:
                setattr(copied, name, getattr(event, name))
            copied.frame = copy.stack[-1]
            copy.event = copied
        return copy


__all__ = ["FUEL", "MAX_DEPTH", "SUSPEND", "SWITCH", "Frame", "LogEntry", "Machine", "Many", "Operation", "Ready"]
