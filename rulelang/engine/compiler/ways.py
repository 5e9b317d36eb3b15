"""Searches for ways, as Python source.

A way depends on where it begins and on how long it may be; the state only says which nodes it may
end at. So the ways of each start are found once, and of each question only the ends are tested. A
search whose other conditions depend on the state is made each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulelang.engine.boards import Search, prepared_search
from rulelang.program import expressions as x
from rulelang.program.boards import MAX_STEPS

if TYPE_CHECKING:
    from rulelang.engine.compiler.expressions import Expressions

MOST_KEPT = 300_000
"""Ways that are kept of one search."""


class Found(dict[Any, Any]):
    """By start, least and most number of steps: ways, their ends, and the work of the search."""

    def __init__(self, search: Callable[..., Any]) -> None:
        super().__init__()
        self.search = search
        self.kept = 0

    def __missing__(self, key: Any) -> Any:
        slots = [None, None, 10**18]
        ways = self.search(slots, *key)
        if self.kept > MOST_KEPT:
            self.clear()
            self.kept = 0
        self.kept += len(ways)
        ends = tuple(dict.fromkeys([way[-1] for way in ways]))
        self[key] = found = ways, ends, 10**18 - slots[2]  # type: ignore[operator]
        return found


def ways(writer: Expressions, expr: x.Ways, wanted: str = "ways") -> str:
    """The call of a function that lists the ways, or only ``ends``, or tells whether there is
    one (``some``)."""
    search = prepared_search(writer.evaluators, expr)
    start, low, high = map(writer.text, (expr.start, expr.least, expr.most))
    if search.avoid is None and search.halt is None and search.through is None:
        ends, free = _ending(writer, expr, search, wanted)
        return f"{ends}({writer.state}, {start}, {low}, {high}{free})"
    go, free = _searching(writer, expr, search, writer.work.per_place(expr))
    call = f"{go}_all({writer.state}, {start}, {low}, {high}{free})"
    return call if wanted != "ends" else f"op_ends_of1({call})"


def _free(writer: Expressions, expr: x.Ways, conditions: tuple[x.Expr | None, ...]) -> str:
    """The other locals that conditions read, as arguments."""
    inner = x.Items(expr.type, expr.span, tuple(c for c in conditions if c is not None))
    slots = sorted(set(writer.shapes.locals(inner)) - {expr.slot})
    return "".join(f", l{slot}" for slot in slots)


def _ending(writer: Expressions, expr: x.Ways, search: Search, wanted: str) -> tuple[str, str]:
    """The function that takes the ways of a start and tests their ends."""
    bare = evolve(expr, ends=None)
    go, _ = _searching(writer, bare, search, writer.work.per_place(expr))
    writer.support("Found", "found")
    known = writer.pool.fresh("W")
    free = _free(writer, expr, (expr.ends,))
    node = f"l{expr.slot}"
    name = writer.pool.fresh("ways")
    lines = [
        f"{known} = Found({go}_all)",
        f"def {name}(s, start, low, high{free}):",
        "    if start is None: return ()",
        f"    ways, ends, work = {known}[start, low, high]",
        "    s[2] -= work",
        "    if s[2] < 0: exhausted(s)",
    ]
    if expr.ends is None:
        answer = {"ways": "ways", "ends": "ends", "some": "len(ends) > 0"}[wanted]
        lines.append(f"    return {answer}")
    else:
        test = writer.test(expr.ends)
        if wanted == "some":
            lines += [f"    for {node} in ends:", f"        if {test}: return True"]
            lines.append("    return False")
        else:
            lines += ["    good = []", f"    for {node} in ends:"]
            lines.append(f"        if {test}: good.append({node})")
            if wanted == "ends":
                lines.append("    return tuple(good)")
            else:
                lines.append("    if len(good) == len(ends): return ways")
                lines.append("    return tuple([way for way in ways if way[-1] in good])")
    writer.functions.append("\n".join(lines))
    return name, free


def _searching(writer: Expressions, expr: x.Ways, search: Search, weight: int) -> tuple[str, str]:
    """The function that searches in depth; the other locals that it is given."""
    conditions = (expr.avoid, expr.halt, expr.through, expr.ends)
    free = _free(writer, expr, conditions)
    node = f"l{expr.slot}"
    go = writer.pool.fresh("go")
    lines = [
        f"def {go}(s, node, way, low, high, start, found{free}):",
        f"    others = {writer.pool.put(search.next, 'K')}.get(node, ())",
        f"    s[2] -= {_weighed(weight)}",
        "    if s[2] < 0: exhausted(s)",
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
    return go, free


def _weighed(weight: int) -> str:
    """The source of what looking at some places takes."""
    return "len(others) + 1" if weight == 1 else f"(len(others) + 1) * {weight}"
