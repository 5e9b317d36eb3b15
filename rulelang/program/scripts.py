"""What a script of an entry says, as data: instructions with branches, in the order of the text.

`rulelang.checker.lowering` makes the rule of it that an engine runs. Here it can be read, printed
and counted.
"""

from __future__ import annotations

from collections.abc import Iterator

from attrs import field, frozen

from rulelang.diagnostic import Span
from rulelang.program.values import Effect, Value


@frozen
class Step:
    """One step of a script."""

    span: Span = field(repr=False, eq=False)


Steps = tuple[Step, ...]


@frozen
class Case:
    """A branch: the results, the faces or the text that it is for."""

    span: Span = field(repr=False, eq=False)
    values: tuple[Value, ...]
    steps: Steps


@frozen
class Asked:
    """A question with its arguments, lacking its subject."""

    span: Span = field(repr=False, eq=False)
    question: str
    arguments: tuple[Value, ...]
    has_subject: bool
    """Is it asked of the subject of the script?"""


@frozen
class Do(Step):
    """An instruction; with ``results``, a case for each result that its rule gives."""

    effect: Effect
    results: tuple[Case, ...] = ()


@frozen
class Condition(Step):
    """``with Ada``, ``without Ada`` (``negated``) or ``if rich``; the other side may be missing."""

    asked: Asked
    negated: bool
    then: Steps
    otherwise: Steps | None


@frozen
class Choice(Step):
    """The subject picks one of some texts."""

    options: tuple[Case, ...]


@frozen
class Throw(Step):
    """A roll of a die, with cases for its faces; the other faces may share ``otherwise``."""

    die: str
    cases: tuple[Case, ...]
    otherwise: Steps | None


@frozen
class ToDo(Step):
    """What the author notes as missing: nothing happens."""

    text: str


def parts(steps: Steps) -> Iterator[Step | Asked | Case]:
    """All steps, questions and cases, those inside of others too, in the order of the text."""
    for step in steps:
        yield step
        match step:
            case Do():
                yield from _of(step.results)
            case Condition():
                yield step.asked
                yield from parts(step.then)
                yield from parts(step.otherwise or ())
            case Choice():
                yield from _of(step.options)
            case Throw():
                yield from _of(step.cases)
                yield from parts(step.otherwise or ())


def _of(cases: tuple[Case, ...]) -> Iterator[Step | Asked | Case]:
    for case in cases:
        yield case
        yield from parts(case.steps)


def effects(steps: Steps) -> tuple[Effect, ...]:
    """All instructions, whatever they depend on."""
    return tuple(step.effect for step in parts(steps) if isinstance(step, Do))


def named(steps: Steps) -> frozenset[Value]:
    """The values that instructions and questions name."""
    found: set[Value] = set()
    for part in parts(steps):
        if isinstance(part, Do):
            found.update(part.effect.arguments)
        elif isinstance(part, Asked):
            found.update(part.arguments)
    return frozenset(found)
