"""What games that are played through begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from attrs import frozen

from rulelang.engine.compiler.heap import Even, Heap
from rulelang.engine.compiler.rollout import NAMED, WORK_WINDOW
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.fault import Fault
from rulelang.engine.start import initial
from rulelang.program.linking import MARKS, WORK, Linked
from rulelang.program.types import Many
from rulelang.program.values import Value

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module
    from rulelang.engine.compiler.rollout import Playthrough


Begin = Callable[["Playthrough", list[Any]], None]


@frozen
class Filling:
    """Lines that fill the slots ``s`` of a new game from ``start``, and the names in them."""

    start: list[Value]
    lines: tuple[str, ...]
    names: dict[str, Any]


def filling(module: Module, start: list[Value] | None = None) -> Filling:
    """What fills slots as they are before the first rule runs, or as others are. Raises Doubt."""
    if start is None:
        try:
            start = initial(module.linked, module.evaluators)
        except Fault as fault:
            raise Doubt from fault
        start[WORK] = WORK_WINDOW
    names: dict[str, Any] = {"Even": Even, "Heap": Heap, "heap": Heap.of}
    lines = ["s[:] = start"]
    if module.marks:
        lines.append(f"s[{MARKS}] = set(s[{MARKS}])")
    facts = module.facts
    for at, field, form in zones(module.linked) if module.in_place else ():
        zone, made = start[at], f"[*z{at}]" if start[at] else "[]"
        if form == "pile" and (zone.top or zone.bottom):
            if field in facts.even | facts.loose:
                raise Doubt  # rules were written as if no card could lie so
            made = f"heap(z{at})"
        elif form == "pile":
            zone, made = zone.pool, f"{'Even' if field in facts.even else 'Heap'}(z{at})"
        names[f"z{at}"] = zone
        lines.append(f"s[{at}] = {made}")
    return Filling(start, tuple(lines), names)


def beginning(module: Module, filled: Filling) -> Begin:
    """What fills the slots of a new game, of which there is one more for the game itself, and has
    no random words yet."""
    many = len(module.facts.words)
    lines = [*filled.lines, f"m.w = {named_words(many)}{'[], ' * many}", f"m.made = {[0] * many}"]
    names = {**filled.names, "start": [*filled.start, None]}
    begin: Begin = made("def begin(m, s):", lines, names)
    return begin


def named_words(many: int) -> str:
    """The source of the names, to be assigned to, of the words of so many sources."""
    names = "".join(f"m.{name}, " for name in NAMED[:many])
    return f"{names}{'*_, ' * (many > len(NAMED))}= " if many else ""


def made(head: str, lines: Iterable[str], names: dict[str, Any]) -> Any:
    """A function of some lines."""
    exec("\n    ".join([head, *lines]), names)
    return names[head.split("(")[0].removeprefix("def ")]


def zones(linked: Linked) -> Iterator[tuple[int, str, str]]:
    """The slots of sets, rows and piles, with their fields and forms."""
    for field in linked.fields():
        if isinstance(field.type, Many) and field.type.form != "list":
            for n in range(linked.sizes[field.key]):
                yield linked.bases[field.key] + n, field.key, field.type.form
