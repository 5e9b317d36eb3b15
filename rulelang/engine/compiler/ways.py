"""Searches for ways, as Python source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.engine.boards import prepared_search
from rulelang.program import expressions as x
from rulelang.program.boards import MAX_STEPS

if TYPE_CHECKING:
    from rulelang.engine.compiler.expressions import Expressions


def ways(writer: Expressions, expr: x.Ways) -> str:
    """The call of a function that lists the ways; it is made for this one declaration."""
    search = prepared_search(writer.evaluators, expr)
    conditions = (expr.avoid, expr.halt, expr.through, expr.ends)
    inner = x.Items(expr.type, expr.span, tuple(c for c in conditions if c is not None))
    locals_ = writer.shapes.locals(inner)
    locals_.pop(expr.slot, None)
    free = "".join(f", l{slot}" for slot in sorted(locals_))
    node = f"l{expr.slot}"
    go = writer.pool.fresh("go")
    lines = [
        f"def {go}(s, node, way, low, high, start, found{free}):",
        f"    others = {writer.pool.put(search.next, 'K')}.get(node, ())",
        f"    s[2] -= {_weighed(writer.work.per_place(expr))}",
        "    if s[2] < 0: raise Doubt",
        f"    for {node} in others:",
    ]
    if search.once:
        lines.append(f"        if {node} is start or {node} in way: continue")
    if search.avoid is not None and expr.avoid is not None:
        lines.append(f"        if {writer.text(expr.avoid)}: continue")
    lines.append(f"        longer = (*way, {node})")
    stops = []
    if search.stops:
        stops.append(f"{node} in {writer.pool.put(search.stops, 'K')}")
    if search.halt is not None and expr.halt is not None:
        stops.append(writer.text(expr.halt))
    lines.append(f"        stopped = {' or '.join(stops) or 'False'}")
    ends = "" if expr.ends is None else f" and {writer.text(expr.ends)}"
    lines += [
        f"        if (stopped or len(longer) >= low){ends}:",
        "            found.append(longer)",
        "            if len(found) > 65536: raise Doubt",
    ]
    goes_on = ["not stopped", "len(longer) < high"]
    if search.barred:
        goes_on.append(f"{node} not in {writer.pool.put(search.barred, 'K')}")
    if search.through is not None and expr.through is not None:
        goes_on.append(writer.text(expr.through))
    lines += [
        f"        if {' and '.join(goes_on)}:",
        f"            {go}(s, {node}, longer, low, high, start, found{free})",
        f"def {go}_all(s, start, low, high{free}):",
        "    if start is None or high < (low if low > 1 else 1): return ()",
        f"    if high > {MAX_STEPS}: raise Doubt",
        "    found = []",
        f"    {go}(s, start, (), low if low > 1 else 1, high, start, found{free})",
        "    return tuple(found)",
    ]
    writer.functions.append("\n".join(lines))
    start, low, high = map(writer.text, (expr.start, expr.least, expr.most))
    return f"{go}_all({writer.state}, {start}, {low}, {high}{free})"


def _weighed(weight: int) -> str:
    """The source of what looking at some places takes."""
    return "len(others) + 1" if weight == 1 else f"(len(others) + 1) * {weight}"
