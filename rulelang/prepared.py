"""A linked program with all that playing it needs."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from attrs import define, field, frozen

from rulelang.engine.compiler.facts import Facts
from rulelang.engine.compiler.module import Module
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.knowledge import Knowledge
from rulelang.engine.machine import Ready
from rulelang.engine.making import Making
from rulelang.engine.operations import prepare
from rulelang.engine.start import initial
from rulelang.judging import Judge
from rulelang.program.linking import Linked
from rulelang.program.values import Value


@define
class _Start:
    """The slots in which games begin, worked out when the first one does."""

    slots: tuple[Value, ...] | None = None


@define
class _Marks:
    """Whether it has ever mattered, in games that were played through, who knows what."""

    matter: bool = False


@frozen(eq=False)
class Prepared:
    """Everything about a linked program that its games share. Immutable."""

    linked: Linked
    evaluators: Evaluators
    ready: dict[str, Ready]
    knowledge: Knowledge
    judge: Judge
    _start: _Start = field(factory=_Start, repr=False)
    marks: _Marks = field(factory=_Marks, repr=False)
    _playing: dict[Any, Module] = field(factory=dict, repr=False)

    @cached_property
    def stepping(self) -> Module:
        """The rules compiled, to be played step by step."""
        return self.module(stepping=True)

    def playing(
        self,
        policy: str,
        counted: frozenset[tuple[str, str]] = frozenset(),
        *,
        marks: bool = False,
    ) -> Module:
        """The rules compiled, to be played through by a policy that answers in place.

        ``counted`` are the calls that are noted: what (rule, hook or end) and the name. With
        ``marks`` it is noted who knows what, on which little depends but takes time.
        """
        key = policy, counted, marks
        if key not in self._playing:
            made = self.module(stepping=False, policy=policy, counted=counted, marks=marks)
            self._playing[key] = made
        return self._playing[key]

    @cached_property
    def making(self) -> Making:
        """What the making of every instruction needs."""
        return Making(self.linked, self.evaluators, self.ready, self.knowledge)

    @cached_property
    def facts(self) -> Facts:
        """What can be said of all rules."""
        return Facts(self.linked, self.making)

    def module(self, **how: Any) -> Module:
        """The rules, to be compiled anew as `Module` says, for nobody else."""
        return Module(self.evaluators, self.ready, self.making, facts=self.facts, **how)

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
