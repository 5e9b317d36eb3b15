"""From a game of the reference interpreter to one of compiled rules, and back."""

from __future__ import annotations

from typing import Any

from rulelang.engine.compiler import runtime
from rulelang.engine.compiler.machine import Stepper
from rulelang.engine.compiler.module import Module
from rulelang.engine.compiler.roots import Root
from rulelang.engine.events import Question
from rulelang.engine.machine import Frame, Machine
from rulelang.program import instructions as i
from rulelang.program.liveness import is_finished
from rulelang.program.values import Value


def to_compiled(machine: Machine, module: Module) -> Stepper:
    """The same suspended game, with compiled rules; chance is left open."""
    stepper = Stepper(module, machine.slots.copy())
    stepper.over, stepper.turns, stepper.fuel = machine.over, machine.turns, machine.fuel
    top = len(machine.stack) - 1
    for number, frame in enumerate(machine.stack):
        code = frame.ready.code
        stepper.scopes += _scopes(code, frame)
        if number == top or not is_finished(code, frame.place):
            stepper.stack = (*_frame(module, frame, called=number < top), stepper.stack)
    event = machine.event
    if isinstance(event, Question):
        candidates = {id(offer): tuple(values) for offer, values in event.groups}
        offers = event.instruction.offers
        groups = tuple(candidates.get(id(offer), ()) for offer in offers)
        stepper.open = event.count, event.player, groups
    elif event is not None:
        pairs = zip(event.outcomes, event.weights, strict=True)
        pool = tuple(value for value, weight in pairs for _ in range(weight))
        stepper.open = runtime.chance(event.source, pool)
    return stepper


def _scopes(code: i.Code, frame: Frame) -> list[tuple[str, tuple[Value, ...]]]:
    """The scopes of a frame that are open, the outer ones first."""
    return [
        (n.label, frame.locals[n.slot])
        for start, n in enumerate(code.instructions)
        if isinstance(n, i.Enter) and start < frame.place <= n.end
    ]


def _frame(module: Module, frame: Frame, *, called: bool) -> tuple[int, Any]:
    code = frame.ready.code
    if called:
        root = Root("after", frame.place - 1)
    elif isinstance(code.instructions[frame.place], i.Choose):
        root = Root("answer", frame.place)
    else:
        root = Root("settle", frame.place)
    number = module.point(module.versions.general(code.name), root)
    point = module.points[number]
    return number, point.kept([frame.locals[slot] for slot in point.saved])


def to_reference(stepper: Stepper) -> Machine:
    """The same suspended or finished game for the reference interpreter; chance is left open.

    What only the log has to know, such as how deep a rule was called, is lost.
    """
    module = stepper.module
    machine = Machine(module.linked, module.ready, stepper.slots.copy(), None)
    machine.stack = stepper.frames()
    machine.over, machine.turns = stepper.over, stepper.turns
    if stepper.open is not None:
        machine.run()  # the event is opened anew: so it is the reference's own
    return machine
