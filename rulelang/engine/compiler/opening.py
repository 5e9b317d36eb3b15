"""Where games that are played through begin: at their start, or where they stop going all alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import Factory, frozen

from rulelang.engine.compiler.beginning import Begin, Filling, beginning, filling, made
from rulelang.engine.compiler.rollout import WINDOW, WORK_WINDOW
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.operators import MAX_WORK
from rulelang.program import expressions as x
from rulelang.program.linking import WORK
from rulelang.program.types import BAD

if TYPE_CHECKING:
    from rulelang.engine.compiler.course import Course, Way
    from rulelang.engine.compiler.module import Module


@frozen(eq=False)
class Opening:
    """Where games begin."""

    filled: Filling
    """What their slots are filled from."""
    lines: tuple[str, ...]
    """What plays on from there a game `m` with the slots `s`."""
    names: dict[str, Any]
    """What those lines name."""
    begin: Begin
    play: Callable[..., Any]
    """Those lines as a function."""
    fuel: int
    turns: int
    """Those that began before."""
    under_way: int
    """The rules that have called the first one, and go on behind it."""
    loops: dict[tuple[int, ...], Any] = Factory(dict)
    """What plays many of them, by how many random words of each source are made beforehand."""


def opening(module: Module) -> Opening:
    """Where the games of a module begin. Raises Doubt."""
    if module.course is not None:
        return _further_on(module, module.course)
    gone = "yield from " * module.is_generator("play")
    return _opened(module, filling(module), (f"{gone}go(m, s)",), {"go": module.play}, WINDOW)


def _further_on(module: Module, course: Course) -> Opening:
    """An opening where the rules of a course go on."""
    lines, names = [], {}
    begun = [(way, _point(module, way)) for way in course.ways]  # all, before any is compiled
    for number, (way, at) in enumerate(begun):
        point = module.points[at]
        module.compiled(point.version)
        names[f"go{number}"] = module.functions[at]
        names[f"kept{number}"] = point.kept([way.locals[slot] for slot in point.saved])
        gone = "yield from " * module.is_generator(way.rule)
        value = "value" if number else None
        lines.append(f"value = {gone}go{number}(m, s, kept{number}, {value})")
    slots = list(course.slots)
    slots[WORK] -= MAX_WORK - WORK_WINDOW
    fuel = WINDOW - course.steps - sum(module.weights.weight(way.rule) for way in course.ways)
    if min(fuel, slots[WORK]) < 0:
        raise Doubt
    return _opened(module, filling(module, slots), tuple(lines), names, fuel, course)


def _point(module: Module, way: Way) -> int:
    """The number of the point at which a rule goes on, with what it was given known."""
    code = module.linked.codes[way.rule]
    given = enumerate(way.locals[: len(code.parameters)])
    known = {slot: x.Const(BAD, code.span, value) for slot, value in given}
    return module.point(module.special(way.rule, known), way.root)


def _opened(
    module: Module,
    filled: Filling,
    lines: tuple[str, ...],
    names: dict[str, Any],
    fuel: int,
    course: Course | None = None,
) -> Opening:
    play: Callable[..., Any] = made("def play(m, s):", lines, dict(names))
    begin = beginning(module, filled)
    turns, ways = (0, 1) if course is None else (course.turns, len(course.ways))
    return Opening(filled, lines, names, begin, play, fuel, turns, ways - 1)
