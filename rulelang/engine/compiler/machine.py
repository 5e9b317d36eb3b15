"""A game that is played step by step with compiled rules.

State and continuation are plain data. A rule that calls one which may wait hands it a frame: the
number of the place where it goes on, what is still wanted there (nothing, one local, or a tuple of
several), and the frame that it was handed itself. Frames never change, so that copies of a game
share them, and a copy is little more than a copy of one list.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulelang.engine.chance import Words
from rulelang.engine.compiler.runtime import SUSPENDED, publish
from rulelang.engine.compiler.support import Doubt, Ended, Left, rules_under_way
from rulelang.engine.events import Chance, Event, Question
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.machine import FUEL, Frame
from rulelang.program import instructions as i
from rulelang.program.values import Value

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module
    from rulelang.engine.compiler.points import Point


Waiting = tuple[int, Any, Any]


class Stepper:
    """A game in progress, of compiled rules."""

    __slots__ = (
        "_described", "fuel", "functions", "module", "open", "over", "scopes", "slots", "stack",
        "turns", "words",
    )  # fmt: skip

    def __init__(self, module: Module, slots: list[Value]) -> None:
        self.module = module
        self.functions = module.functions
        """By the number of a frame: what goes on there."""
        self.slots = slots
        self.words: Words | None = None
        """Draws chance events as they come; None leaves them open."""
        self.stack: Waiting | None = None
        """The innermost frame of those that wait."""
        self.scopes: list[tuple[str, tuple[Value, ...]]] = []
        self.open: Any = None
        """What the game waits for: of a decision count, seat and candidates; of chance count,
        source, outcomes and weights."""
        self.over = False
        self.turns = 0
        self.fuel = FUEL
        self._described: tuple[Any, Event | None] = None, None
        """What was open when it was last described, and that."""

    # ------------------------------------------------------------ going on

    def sample(self, words: Words) -> None:
        """Draw chance from now on, also an event that was left open. Raises Doubt."""
        self.words = words
        if self.open is not None and len(self.open) > 3:
            _, source, pool, _ = self.open
            drawn = pool[words.pick(source, len(pool))]
            self.open = 1, source, pool, (drawn,)
            self.step(0)

    def step(self, index: int) -> int:
        """Settle what is open with one of its options or outcomes. Raises Doubt.

        The frames are gone on in, each with what the one inside it has given, until something is
        open again. Gives how many options that has; 0 when the game is over.
        """
        functions, slots, stack = self.functions, self.slots, self.stack
        value: Any = index
        while True:
            try:
                while stack:
                    number, kept, stack = stack
                    value = functions[number](self, slots, stack, kept, value)
                    if value is SUSPENDED:
                        count: int = self.open[0]
                        return count
            except Left as leaving:
                stack, value = self._left(leaving.depth, stack), None
            except Ended:
                break
            except (Fault, *UNFORESEEN) as error:
                raise Doubt from error
            else:
                break
        self._end(stack)
        return 0

    def _left(self, depth: int, frame: Waiting | None) -> Waiting:
        """The frame that goes on at the end of the scope of a depth; what was inside of it is
        dropped. The end of a scope may leave another one, or end the game."""
        # Not all that are noted as open: rules that were just left had scopes of their own.
        open_ = sum(len(self.module.points[waiting[0]].ends) for waiting in chain(frame))
        while True:
            assert frame is not None
            point = self.module.points[frame[0]]
            if open_ - len(point.ends) < depth:
                break
            self._publish(point, frame, -1)
            open_ -= len(point.ends)
            frame = frame[2]
        number = point.ends[open_ - depth]
        end = self.module.points[number]
        locals_ = self._publish(point, frame, end.place)
        del self.scopes[depth:]
        return number, end.kept([locals_[slot] for slot in end.saved]), frame[2]

    def _end(self, stack: Waiting | None) -> None:
        """The game is over: what waits in the rounds of frames is published, innermost first."""
        if self.module.facts.has_rounds:
            for frame in chain(stack):
                self._publish(self.module.points[frame[0]], frame, -1)
        self.stack = None
        self.scopes.clear()
        self.open = None
        self.over = True

    def _publish(self, point: Point, frame: Waiting, to: int) -> dict[int, Value]:
        """Carry out what waits in the rounds of a frame that are left; its locals."""
        locals_ = dict(point.locals(frame[1]))
        for start, end, slot, outer in point.rounds:
            if start < to <= end:
                continue
            waiting, locals_[slot] = locals_[slot], ()
            if outer >= 0:
                locals_[outer] = (*locals_[outer], *waiting)
            else:
                publish(self.slots, waiting)
        return locals_

    def depth(self) -> int:
        """How many rules are under way. Only rules that call each other ask, and they seldom: so
        `step` need not note at each frame how many are left."""
        called, caller = rules_under_way()
        waiting = None if caller is None else caller.f_locals.get("stack")
        return called + sum(1 for _ in chain(waiting))

    # ------------------------------------------------------------ as the reference has it

    def frames(self) -> list[Frame]:
        """The stack as frames of the reference interpreter, the outermost first."""
        return list(map(self._frame, chain(self.stack)))[::-1]

    def _frame(self, frame: Waiting) -> Frame:
        point = self.module.points[frame[0]]
        locals_: list[Value] = [None] * point.code.slots
        for slot, value in (*point.locals(frame[1]), *point.bound):
            locals_[slot] = value
        for slot, parameter in point.copied:
            locals_[slot] = locals_[parameter]
        for slot, made in point.derived:
            locals_[slot] = made(locals_)
        return Frame(self.module.ready[point.code.name], point.place, 0, locals_)

    @property
    def event(self) -> Event | None:
        """What is open, as the reference interpreter has it."""
        if self._described[0] is not self.open:
            event = self._event(self._frame(self.stack)) if self.stack else None
            self._described = self.open, event
        return self._described[1]

    def _event(self, frame: Frame) -> Event:
        n = frame.ready.code.instructions[frame.place]
        if isinstance(n, i.Choose):
            count, seat, values = self.open
            groups = [(o, v) for o, v in zip(n.offers, values, strict=True) if v]
            return Question(frame, n, seat, groups, count, self.module.making.keyless)
        return Chance(frame, self.open[1], self.open[2], _settled_by_machine)

    def clone(self) -> Stepper:
        """An independent copy, what is open included."""
        copy = Stepper.__new__(Stepper)
        copy.module = self.module
        copy.functions = self.functions
        copy.slots = self.slots.copy()
        copy.words = None if self.words is None else self.words.copy()
        copy.stack = self.stack
        copy.scopes = self.scopes.copy()
        copy.open = self.open
        copy.over = self.over
        copy.turns = self.turns
        copy.fuel = self.fuel
        copy._described = None, None
        return copy


def chain(frame: Waiting | None) -> Iterator[Waiting]:
    """A frame with those around it, the innermost first."""
    while frame is not None:
        yield frame
        frame = frame[2]


def _settled_by_machine(machine: Any, locals_: list[Any], value: Value) -> int:
    raise AssertionError("a compiled game settles its chance events itself")
