"""A linked program with all that playing it needs."""

from __future__ import annotations

from attrs import define, field, frozen

from rulelang.engine.evaluate import Evaluators
from rulelang.engine.knowledge import Knowledge
from rulelang.engine.machine import Ready
from rulelang.engine.operations import prepare
from rulelang.engine.start import initial
from rulelang.judging import Judge
from rulelang.program.linking import Linked
from rulelang.program.values import Value


@define
class _Start:
    """The slots in which games begin, worked out when the first one does."""

    slots: tuple[Value, ...] | None = None


@frozen(eq=False)
class Prepared:
    """Everything about a linked program that its games share. Immutable."""

    linked: Linked
    evaluators: Evaluators
    ready: dict[str, Ready]
    knowledge: Knowledge
    judge: Judge
    _start: _Start = field(factory=_Start, repr=False)

    def initial(self) -> list[Value]:
        """The slots before the first rule runs: a new list. Raises Fault."""
        if self._start.slots is None:
            self._start.slots = tuple(initial(self.linked, self.evaluators))
        return list(self._start.slots)


def prepared(linked: Linked) -> Prepared:
    """Make a linked program ready to be played."""
    evaluators = Evaluators(linked)
    knowledge = Knowledge(linked, evaluators)
    ready = prepare(linked, evaluators, knowledge)
    return Prepared(linked, evaluators, ready, knowledge, Judge(linked, evaluators))
