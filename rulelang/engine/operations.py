"""The instructions made functions of a machine and the locals of a frame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine import asking, moving, rounds, scopes, steps
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.knowledge import Knowledge
from rulelang.engine.machine import Operation, Ready
from rulelang.engine.making import Making
from rulelang.program import instructions as i
from rulelang.program.linking import Linked

MAKERS: dict[type[i.Instruction], Callable[[Making, Any, int, i.Code], Operation]] = {
    i.Set: steps.set_,
    i.Store: steps.store,
    i.Publish: steps.publish,
    i.Jump: steps.jump,
    i.Branch: steps.branch,
    i.Iterate: steps.iterate,
    i.Perform: steps.perform,
    i.Apply: steps.apply,
    i.Give: steps.give,
    i.Choose: asking.choose,
    i.Draw: asking.draw,
    i.Roll: asking.roll,
    i.Move: moving.move,
    i.Mix: moving.mix,
    i.Sort: moving.sort,
    i.Exchange: moving.exchange,
    i.Arrange: moving.arrange,
    i.Reveal: moving.reveal,
    i.Enter: scopes.enter,
    i.Exit: scopes.exit_,
    i.Leave: scopes.leave,
    i.Finish: scopes.finish,
}


def prepare(linked: Linked, evaluators: Evaluators, knowledge: Knowledge) -> dict[str, Ready]:
    """Every rule of a linked program, ready to run."""
    ready = {name: ready_for(code) for name, code in linked.codes.items()}
    maker = Maker(linked, evaluators, ready, knowledge)
    for each in ready.values():
        each.operations = maker.operations(each.code)
    return ready


def ready_for(code: i.Code) -> Ready:
    """A rule that lacks only its operations."""
    results = (None, *(n.slot if isinstance(n, i.Perform) else None for n in code.instructions))
    return Ready(code, results)


class Maker(Making):
    """Makes the operations of one linked program."""

    def operations(self, code: i.Code) -> tuple[Operation, ...]:
        """The operations of one rule."""
        made = [
            MAKERS[type(instruction)](self, instruction, place + 1, code)
            for place, instruction in enumerate(code.instructions)
        ]
        return rounds.leaving(code, scopes.ending_when_left(self, code, made))
