"""The reference interpreter.

A machine holds a state (slots) and a stack of frames, and nothing else that matters: no Python
frame, generator or thread. `run` goes on until an event is open or the game is over; `answer`
settles the event. Each instruction was made a function of the machine and the frame's locals that
returns the next place (see `operations`); a negative place hands control back to `run`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.chance import Words
from rulelang.engine.events import Event, Question
from rulelang.engine.fault import UNFORESEEN, Fault, unforeseen
from rulelang.engine.knowledge import Knowledge, Seats
from rulelang.engine.operators import MAX_WORK
from rulelang.program.instructions import Code
from rulelang.program.linking import WORK, Linked
from rulelang.program.liveness import is_finished
from rulelang.program.values import Value

FUEL = 100_000
"""Calls and turns of loops from one decision to the next."""
MAX_DEPTH = 200
"""Rules that may be under way at once."""
SWITCH, SUSPEND = -1, -2
"""Instead of a place: go on in the frame on top of the stack; stop, since an event is open."""

Operation = Callable[["Machine", list[Any]], int]


class Ready:
    """A rule whose instructions were made functions."""

    __slots__ = ("code", "inner", "name", "operations", "rest", "results", "turn")

    def __init__(self, code: Code, results: tuple[int | None, ...]) -> None:
        self.code = code
        self.name = code.name
        self.operations: tuple[Operation, ...] = ()
        self.results = results
        """For each place, the slot that the result of a call just before it goes to."""
        self.rest: list[Any] = [None] * (code.slots - len(code.parameters))
        self.turn = code.turn
        self.inner = 0 if code.hook_of else 1
        """How much deeper it stands in the log: hooks and the body are parts of one call."""


class Frame:
    """A rule on its way: where it goes on, its locals, and how deep it stands for the log."""

    __slots__ = ("depth", "locals", "place", "ready")

    def __init__(self, ready: Ready, place: int, depth: int, locals: list[Any]) -> None:
        self.ready = ready
        self.place = place
        self.depth = depth
        self.locals = locals


class LogEntry:
    """One thing that happened: a rule (or hook) called, a choice made, a chance event, an ending.

    ``seen`` says for each argument which seats knew of it at that moment.
    """

    __slots__ = ("arguments", "clauses", "depth", "player", "rule", "seen", "what")

    def __init__(
        self,
        what: str,
        rule: str,
        arguments: tuple[Value, ...],
        clauses: tuple[str, ...],
        depth: int,
        player: int | None,
        seen: tuple[Seats, ...] = (),
    ) -> None:
        self.what = what
        self.rule = rule
        self.arguments = arguments
        self.clauses = clauses
        self.depth = depth
        self.player = player
        self.seen = seen


class Machine:
    """A game in progress: its state, its stack, and the event that is open."""

    __slots__ = (
        "event", "fuel", "knowledge", "linked", "log", "log_hooks", "over", "place", "ran", "ready",
        "slots", "stack", "turns", "words",
    )  # fmt: skip

    def __init__(
        self, linked: Linked, ready: dict[str, Ready], slots: list[Value], words: Words | None
    ) -> None:
        self.linked = linked
        self.ready = ready
        self.slots = slots
        self.stack: list[Frame] = []
        self.event: Event | None = None
        self.over = False
        self.words = words
        """Draws chance events as they come; None leaves them open, as decisions of chance."""
        self.log: list[LogEntry] | None = None
        self.log_hooks = False
        """Whether the log has the calls of hooks, too."""
        self.knowledge: Knowledge | None = None
        """Tells, for the log, who knew of what; without it nobody did."""
        self.ran: set[str] | None = None
        """Collects the names of the rules and hooks that ran, where there is a log."""
        self.turns = 0
        self.fuel = FUEL
        self.place = 0

    def call(self, rule: str, arguments: tuple[Value, ...] = ()) -> None:
        """Push a rule that goes on at the next `run`."""
        self.enter(self.ready[rule], arguments)

    def enter(self, ready: Ready, arguments: tuple[Value, ...]) -> None:
        """Push a rule that may be none of the game's own."""
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
            except UNFORESEEN as error:
                frame.place = self.place
                raise unforeseen(error) from error
            if place == SUSPEND:
                if isinstance(self.event, Question):
                    self.fuel = FUEL
                    self.slots[WORK] = MAX_WORK
                return
        self.over = True

    def push(self, ready: Ready, arguments: list[Value], public: tuple[bool, ...] = ()) -> int:
        """Open a frame for a rule; the frame that called goes on behind the call.

        ``public`` says of each argument whether all that it was made of is open. Raises Fault.
        """
        stack = self.stack
        caller = stack[-1]
        caller.place = self.place + 1
        self.fuel -= 1
        if self.fuel < 0 or len(stack) >= MAX_DEPTH:
            self.exhausted()
        if ready.turn:
            self.turns += 1
        depth = caller.depth + ready.inner
        if self.log is not None:
            self._note(ready, arguments, depth, public)
        arguments.extend(ready.rest)
        stack.append(Frame(ready, 0, depth, arguments))
        return SWITCH

    def exhausted(self) -> None:
        """Refuse to go on without an end, or drop the frames in which nothing is left to do."""
        if self.fuel < 0:
            raise Fault(f"{FUEL:,} steps without a decision or the end of the game")
        stack = self.stack
        stack[:-1] = [f for f in stack[:-1] if not is_finished(f.ready.code, f.place)]
        if len(stack) >= MAX_DEPTH:
            raise Fault(f"rules call each other more than {MAX_DEPTH} deep")

    # ------------------------------------------------------------ the log

    def _note(
        self, ready: Ready, arguments: list[Value], depth: int, public: tuple[bool, ...]
    ) -> None:
        code = ready.code
        if self.ran is not None:
            self.ran.add(code.name.removesuffix(":body"))
        if not code.hook_of:
            self.note("rule", code.name, tuple(arguments), code.cites, depth, public)
        elif self.log_hooks:
            self.note("hook", code.name, tuple(arguments), code.cites, depth, public)

    def note(
        self,
        what: str,
        rule: str,
        arguments: tuple[Value, ...],
        clauses: tuple[str, ...],
        depth: int,
        public: tuple[bool, ...] = (),
    ) -> None:
        """Add a line to the log, if there is one."""
        if self.log is None:
            return
        seen: tuple[Seats, ...] = ()
        if self.knowledge is not None:
            whole = public or (False,) * len(arguments)
            seen = tuple(
                [
                    self.knowledge.witnesses(self.slots, argument, public=is_public)
                    for argument, is_public in zip(arguments, whole, strict=True)
                ]
            )
        self.log.append(LogEntry(what, rule, arguments, clauses, depth, None, seen))

    def note_chance(self, value: Value, seats: Seats) -> None:
        """Log an outcome of chance, with the seats that saw it."""
        if self.log is not None:
            frame = self.stack[-1]
            name, depth = frame.ready.name, frame.depth + 1
            self.log.append(LogEntry("chance", name, (value,), (), depth, None, (seats,)))

    # ------------------------------------------------------------ events

    def answer(self, index: int) -> None:
        """Settle the open event with one of its options or outcomes. Raises Fault."""
        event = self.event
        assert event is not None
        frame = event.frame
        if isinstance(event, Question):
            offer, value = event.option(index)
            if offer is None:
                assert event.instruction.decline is not None
                frame.place = event.instruction.decline
            else:
                if offer.slot is not None:
                    frame.locals[offer.slot] = value
                frame.place = offer.to
        else:
            try:
                frame.place = event.settle(self, frame.locals, event.outcomes[index])
            except UNFORESEEN as error:
                raise unforeseen(error) from error
        self.event = None

    def clone(self) -> Machine:
        """An independent copy, the open event included."""
        words = None if self.words is None else self.words.copy()
        copy = Machine(self.linked, self.ready, self.slots.copy(), words)
        copy.stack = [Frame(f.ready, f.place, f.depth, f.locals.copy()) for f in self.stack]
        copy.over, copy.turns, copy.fuel = self.over, self.turns, self.fuel
        copy.knowledge = self.knowledge
        copy.log = None if self.log is None else self.log.copy()
        copy.log_hooks = self.log_hooks
        copy.ran = None if self.ran is None else set(self.ran)
        if self.event is not None:
            copy.event = self.event.clone(copy.stack[-1])
        return copy
