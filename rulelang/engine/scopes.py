"""Scopes that can be left from deep below, and endings, made functions of a machine and locals."""

from __future__ import annotations

from rulelang.engine.machine import SWITCH, Machine, Operation
from rulelang.engine.making import Locals, Making
from rulelang.engine.rounds import leave_all, leave_frame
from rulelang.program import instructions as i
from rulelang.program.linking import ENDINGS
from rulelang.program.values import Value, exact

Completing = dict[str, str]
"""The endings that complete a scope first: the scope of each."""


def completing(making: Making) -> Completing:
    """The endings that wait for the end of a scope."""
    endings = making.linked.program.endings.values()
    return {ending.name: ending.completes for ending in endings if ending.completes}


def enter(making: Making, n: i.Enter, after: int, code: i.Code) -> Operation:
    """A scope opens."""
    arguments, slot = tuple(making.prepare(argument) for argument in n.arguments), n.slot

    def run(m: Machine, f: Locals) -> int:
        f[slot] = tuple(argument(m.slots, f) for argument in arguments)
        return after

    return run


def exit_(making: Making, n: i.Exit, after: int, code: i.Code) -> Operation:
    """A scope closes; an ending that waited for it comes."""
    slot = n.slot
    waiting = {name for name, scope in completing(making).items() if scope == n.label}

    def run(m: Machine, f: Locals) -> int:
        f[slot] = None
        if waiting and any(name in waiting for name, _ in m.slots[ENDINGS]):
            m.stack[-1].place = m.place
            leave_all(m)
            return SWITCH
        return after

    return run


def leave(making: Making, n: i.Leave, after: int, code: i.Code) -> Operation:
    """On to the end of the innermost open scope of this name and these arguments, if there is one.

    Without arguments any scope of the name is meant.
    """
    arguments, label = tuple(making.prepare(argument) for argument in n.arguments), n.label
    waiting = completing(making)

    def run(m: Machine, f: Locals) -> int:
        wanted = tuple(argument(m.slots, f) for argument in arguments) if arguments else None
        m.stack[-1].place = m.place
        found = open_scope(m, label, wanted)
        if found is None:
            return after
        depth, end = found
        for frame in reversed(m.stack[depth + 1 :]):
            leave_frame(m, frame)
        leave_frame(m, m.stack[depth], end)
        del m.stack[depth + 1 :]
        m.stack[-1].place = end
        for name, _ in m.slots[ENDINGS]:
            scope = waiting.get(name)
            if scope is not None and open_scope(m, scope, None) is None:
                leave_all(m)
                break
        return SWITCH

    return run


def finish(making: Making, n: i.Finish, after: int, code: i.Code) -> Operation:
    """An ending comes: at once, or when the scope that it completes closes."""
    ending = making.linked.program.endings[n.ending]
    subject = making.prepare(n.subject) if n.subject is not None else None

    def run(m: Machine, f: Locals) -> int:
        s = m.slots
        whom = subject(s, f) if subject is not None else None
        if (ending.name, whom) not in s[ENDINGS]:
            s[ENDINGS] = (*s[ENDINGS], (ending.name, whom))
        depth = m.stack[-1].depth + 1
        whose = () if whom is None else (whom,)
        m.note("end", ending.name, whose, ending.cites, depth, (True,) * len(whose))
        m.stack[-1].place = m.place
        if ending.completes and open_scope(m, ending.completes, None) is not None:
            return after
        leave_all(m)
        return SWITCH

    return run


def open_scope(m: Machine, label: str, wanted: tuple[Value, ...] | None) -> tuple[int, int] | None:
    """The innermost open scope of this label (and these arguments): its frame, and its end."""
    for depth in range(len(m.stack) - 1, -1, -1):
        frame = m.stack[depth]
        best: tuple[int, int] | None = None
        for start, n in enumerate(frame.ready.code.instructions):
            if isinstance(n, i.Enter) and n.label == label and start < frame.place <= n.end:
                held = frame.locals[n.slot]
                if held is not None and (wanted is None or exact(held) == exact(wanted)):
                    best = depth, n.end
        if best is not None:
            return best
    return None


def ending_when_left(
    making: Making, code: i.Code, operations: list[Operation]
) -> tuple[Operation, ...]:
    """The operations of a rule. What leaves a scope that an ending completes ends the game.

    That is a `return`, `break` or `continue` where such an ending has come.
    """
    waiting = completing(making)
    for start, scope in enumerate(code.instructions):
        if not isinstance(scope, i.Enter):
            continue
        names = frozenset(name for name, label in waiting.items() if label == scope.label)
        for place in range(start + 1, scope.end) if names else ():
            n = code.instructions[place]
            out = isinstance(n, i.Jump) and not start < n.to <= scope.end
            if out or isinstance(n, i.Give):
                operations[place] = _ending(names, operations[place])
    return tuple(operations)


def _ending(names: frozenset[str], otherwise: Operation) -> Operation:
    def run(m: Machine, f: Locals) -> int:
        if any(name in names for name, _ in m.slots[ENDINGS]):
            m.stack[-1].place = m.place
            leave_all(m)
            return SWITCH
        return otherwise(m, f)

    return run
