"""Rounds in which all act at once: what is written in them waits, and is published in one step.

Whatever leaves a round (`break`, `return`, `leave`, an ending) publishes first what was answered so
far. A round inside another hands what it holds on to the outer one, which publishes all of it.
"""

from __future__ import annotations

from rulelang.engine.machine import Frame, Machine, Operation
from rulelang.engine.making import Locals
from rulelang.program import instructions as i
from rulelang.program.rounds import Round, rounds
from rulelang.program.values import Value


def leave_frame(m: Machine, frame: Frame, to: int = -1) -> None:
    """Publish what waits in the rounds of a frame that are left on the way to a place."""
    _leave(m, frame.locals, rounds(frame.ready.code), frame.place, to)


def leave_all(m: Machine) -> None:
    """The game ends here: publish what waits in all rounds, and drop the stack."""
    for frame in reversed(m.stack):
        leave_frame(m, frame)
    m.stack.clear()


def leaving(code: i.Code, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of a rule, with jumps and ends that leave a round publishing first."""
    inside = rounds(code)
    if not inside:
        return operations
    made = list(operations)
    for place, n in enumerate(code.instructions):
        if isinstance(n, i.Give):
            made[place] = _publishing(inside, place, -1, made[place])
        elif isinstance(n, i.Jump):
            made[place] = _publishing(inside, place, n.to, made[place])
    return tuple(made)


def _publishing(inside: tuple[Round, ...], place: int, to: int, then: Operation) -> Operation:
    left = tuple(each for each in inside if each.holds(place) and not each.holds(to))
    if not left:
        return then

    def run(m: Machine, f: Locals) -> int:
        _leave(m, f, inside, place, to)
        return then(m, f)

    return run


def _leave(m: Machine, f: Locals, inside: tuple[Round, ...], place: int, to: int) -> None:
    for each in inside:
        if each.holds(place) and not each.holds(to):
            publish(m, f, inside, each)


def publish(m: Machine, f: Locals, inside: tuple[Round, ...], one: Round) -> None:
    """Carry out what waits in a round, or hand it on to the round around it."""
    waiting, f[one.slot] = f[one.slot], ()
    outer = next((each for each in inside if each.start < one.start and each.holds(one.end)), None)
    if outer is not None:
        f[outer.slot] = (*f[outer.slot], *waiting)
        return
    s = m.slots
    for at, index, value in waiting:
        s[at] = value if index is None else replaced(s[at], index, value)


def replaced(table: tuple[Value, ...], index: int, value: Value) -> tuple[Value, ...]:
    """A table with another value at one place."""
    return (*table[:index], value, *table[index + 1 :])
