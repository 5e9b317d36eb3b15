"""What games that are played through begin with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rulelang.engine.compiler.heap import Heap
from rulelang.engine.compiler.rollout import WORK_WINDOW
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.fault import Fault
from rulelang.engine.start import initial
from rulelang.program.linking import MARKS, WORK, Linked
from rulelang.program.types import Many
from rulelang.program.values import Value

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module


Begin = Callable[[list[Any]], tuple[list[list[int]], list[int]]]


def beginning(module: Module, start: list[Value] | None = None) -> Begin:
    """What fills the slots of a new game, of which there is one more for the game itself, and gives
    the words of each source, none yet, and how many blocks of them were made: the slots as they are
    before the first rule runs, or others. Raises Doubt.
    """
    if start is None:
        try:
            start = initial(module.linked, module.evaluators)
        except Fault as fault:
            raise Doubt from fault
        start[WORK] = WORK_WINDOW
    start = [*start, None]
    names: dict[str, Any] = {"start": start, "Heap": Heap, "heap": Heap.of}
    lines = ["def begin(s):", "    s[:] = start"]
    if module.marks:
        lines.append(f"    s[{MARKS}] = set(s[{MARKS}])")
    for at, field, form in _zones(module.linked) if module.in_place else ():
        zone, made = start[at], f"[*z{at}]" if start[at] else "[]"
        if form == "pile" and (zone.top or zone.bottom):
            if field in module.facts.even | module.facts.loose:
                raise Doubt  # rules were written as if no card could lie so
            made = f"heap(z{at})"
        elif form == "pile":
            zone, made = zone.pool, f"Heap(z{at})"
        names[f"z{at}"] = zone
        lines.append(f"    s[{at}] = {made}")
    many = len(module.words)
    lines.append(f"    return [{'[], ' * many}], [{'0, ' * many}]")
    exec("\n".join(lines), names)
    begin: Begin = names["begin"]
    return begin


def _zones(linked: Linked) -> Iterator[tuple[int, str, str]]:
    """The slots of sets, rows and piles, with their fields and forms."""
    for field in linked.fields():
        if isinstance(field.type, Many) and field.type.form != "list":
            for n in range(linked.sizes[field.key]):
                yield linked.bases[field.key] + n, field.key, field.type.form
