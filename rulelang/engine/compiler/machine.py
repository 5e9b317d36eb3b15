"""A game that is played step by step with compiled rules.

State and continuation are plain data, so that a copy is a copy of two lists. A rule that must wait
leaves a frame, and so does each that called it: the number of the place where it goes on, and the
locals that are still wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.engine.chance import Words
from rulelang.engine.compiler.runtime import SUSPENDED, publish
from rulelang.engine.compiler.support import Doubt, Ended, Left, rules_under_way
from rulelang.engine.events import Chance, Event, Question
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.machine import FUEL, Frame
from rulelang.engine.operators import MAX_WORK
from rulelang.program import instructions as i
from rulelang.program.linking import WORK
from rulelang.program.values import Value

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module
    from rulelang.engine.compiler.points import Point


class Stepper:
    """A game in progress, of compiled rules."""

    __slots__ = (
        "_event", "fuel", "left", "module", "open", "over", "scopes", "slots", "stack", "turns",
        "words",
    )  # fmt: skip

    def __init__(self, module: Module, slots: list[Value], words: Words | None) -> None:
        self.module = module
        self.slots = slots
        self.words = words
        """Draws chance events as they come; None leaves them open."""
        self.stack: list[tuple[Any, ...]] = []
        self.left: list[tuple[Any, ...]] = []
        """The frames of the rules that have just been left, the innermost first."""
        self.scopes: list[tuple[str, tuple[Value, ...]]] = []
        self.open: Any = None
        """What the game waits for: of a decision count, seat and candidates; of chance source and
        outcomes."""
        self.over = False
        self.turns = 0
        self.fuel = FUEL
        self._event: Event | None = None

    # ------------------------------------------------------------ going on

    def start(self, rule: str, arguments: tuple[Value, ...] = ()) -> None:
        """Begin with a rule, and go on to the first event. Raises Doubt."""
        try:
            value = self.module.call(rule)(self, self.slots, *arguments)
        except Left as left:
            self._leave(left.depth)
            value = None
        except Ended:
            self._end()
            return
        except (Fault, *UNFORESEEN) as error:
            raise Doubt from error
        self._go_on(value)

    def step(self, index: int) -> None:
        """Settle what is open with one of its options or outcomes. Raises Doubt."""
        opened = self.open
        value = index if len(opened) == 3 else self._outcome(opened, index)
        self._event = None
        self._go_on(value)

    def _outcome(self, opened: Any, index: int) -> Value:
        event = self.event
        assert isinstance(event, Chance)
        return event.outcomes[index]

    def _go_on(self, value: Any) -> None:
        """Go on in the frames with what was given to the innermost, until something is open."""
        stack, functions = self.stack, self.module.functions
        slots = self.slots
        while True:
            try:
                while value is not SUSPENDED:
                    if not stack:
                        self._end()
                        return
                    frame = stack.pop()
                    value = functions[frame[0]](self, slots, frame, value)
            except Left as left:
                self._leave(left.depth)
                value = None
                continue
            except Ended:
                self._end()
                return
            except (Fault, *UNFORESEEN) as error:
                raise Doubt from error
            break
        left_ = self.left
        left_.reverse()
        stack += left_
        left_.clear()
        if len(self.open) == 3:
            self.fuel = FUEL
            slots[WORK] = MAX_WORK

    def _leave(self, depth: int) -> None:
        """Drop the frames down to the one with the scope of a depth, and put it at its end."""
        open_ = len(self.scopes)
        self.left.clear()
        while True:
            frame = self.stack.pop()
            point = self.module.points[frame[0]]
            if open_ - len(point.ends) < depth:
                break
            self._publish(point, frame, -1)
            open_ -= len(point.ends)
        end = self.module.points[point.ends[open_ - depth]]
        locals_ = self._publish(point, frame, end.place)
        del self.scopes[depth:]
        # The end of a scope may leave another one, or end the game: it is for the caller to go on.
        self.stack.append((point.ends[open_ - depth], *(locals_[slot] for slot in end.saved)))

    def _end(self) -> None:
        """The game is over: what waits in rounds is published, innermost first."""
        for frame in reversed(self.stack):
            self._publish(self.module.points[frame[0]], frame, -1)
        self.stack.clear()
        self.left.clear()
        self.scopes.clear()
        self.open, self._event = None, None
        self.over = True

    def _publish(self, point: Point, frame: tuple[Any, ...], to: int) -> dict[int, Value]:
        """Carry out what waits in the rounds of a frame that are left; its locals."""
        locals_ = dict(zip(point.saved, frame[1:], strict=True))
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
        """How many rules are under way."""
        return len(self.stack) + rules_under_way()

    # ------------------------------------------------------------ as the reference has it

    def frames(self) -> list[Frame]:
        """The stack as frames of the reference interpreter."""
        found = []
        for frame in self.stack:
            point = self.module.points[frame[0]]
            locals_: list[Value] = [None] * point.code.slots
            for slot, value in zip(point.saved, frame[1:], strict=True):
                locals_[slot] = value
            for slot, value in point.bound:
                locals_[slot] = value
            for slot, parameter in point.copied:
                locals_[slot] = locals_[parameter]
            for slot, made in point.derived:
                locals_[slot] = made(locals_)
            found.append(Frame(self.module.ready[point.code.name], point.place, 0, locals_))
        return found

    @property
    def event(self) -> Event | None:
        """What is open, as the reference interpreter has it."""
        if self._event is None and self.open is not None:
            self._event = self._described(self.frames()[-1])
        return self._event

    def _described(self, frame: Frame) -> Event:
        n = frame.ready.code.instructions[frame.place]
        if isinstance(n, i.Choose):
            count, seat, values = self.open
            groups = [(o, v) for o, v in zip(n.offers, values, strict=True) if v]
            return Question(frame, n, seat, groups, count, self.module.making.keyless)
        source, outcomes = self.open
        return Chance(frame, source, outcomes, _settled_by_machine)

    def clone(self) -> Stepper:
        """An independent copy, what is open included."""
        copy = Stepper.__new__(Stepper)
        copy.module = self.module
        copy.slots = self.slots.copy()
        copy.words = None if self.words is None else self.words.copy()
        copy.stack = self.stack.copy()
        copy.left = []
        copy.scopes = self.scopes.copy()
        copy.open = self.open
        copy.over = self.over
        copy.turns = self.turns
        copy.fuel = self.fuel
        copy._event = None
        return copy


def _settled_by_machine(machine: Any, locals_: list[Any], value: Value) -> int:
    raise AssertionError("a compiled game settles its chance events itself")
