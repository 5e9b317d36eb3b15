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
    """Every rule of a linked program, made ready to run when it is first run: most games that are
    played on compiled rules never do."""
    ready: dict[str, Ready] = {}
    maker = Maker(linked, evaluators, ready, knowledge)
    ready.update((name, _Later(code, _results(code), maker)) for name, code in linked.codes.items())
    return ready


def ready_for(code: i.Code) -> Ready:
    """A rule that lacks only its operations."""
    return Ready(code, _results(code))


def _results(code: i.Code) -> tuple[int | None, ...]:
    return (None, *(n.slot if isinstance(n, i.Perform) else None for n in code.instructions))


class Maker(Making):
    """Makes the operations of one linked program."""

    def operations(self, code: i.Code) -> tuple[Operation, ...]:
        """The operations of one rule."""
        made = [
            MAKERS[type(instruction)](self, instruction, place + 1, code)
            for place, instruction in enumerate(code.instructions)
        ]
        return rounds.leaving(code, scopes.ending_when_left(self, code, made))


class _Later(Ready):
    """A rule whose operations are made when somebody asks for them."""

    __slots__ = ("maker",)

    def __init__(self, code: i.Code, results: tuple[int | None, ...], maker: Maker) -> None:
        super().__init__(code, results)
        self.maker = maker
        del self.operations

    def __getattr__(self, name: str) -> Any:
        if name != "operations":
            raise AttributeError(name)
        self.operations = made = self.maker.operations(self.code)
        return made
