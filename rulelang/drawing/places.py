"""Which entries of a game are places of its board, and where each is drawn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import sqrt
from statistics import median

from attrs import frozen

from rulelang.drawing.layout import Point, spread
from rulelang.program.boards import AXES, OUTLINE, WAY
from rulelang.program.program import Program
from rulelang.program.types import Many, Named, Type, members
from rulelang.program.values import Entry

WIDE, HIGH = 60.0, 52.0
"""From one hex to the next in its row, and from row to row."""
_WAYS = ((0.5, -1), (1, 0), (0.5, 1), (-0.5, 1), (-1, 0), (-0.5, -1))
"""Hexes and rows to the neighbour in each direction, from 1 on."""
_NEAR, _WANTED, _APART = 36.0, 42.0, 170.0
"""Places as near, or as far apart, are drawn at the distance between."""
MOST = 5000.0
"""Places that say where they are, other than on maps of hexes, are drawn no farther apart."""
ASIDE = 120.0
"""Places that say nothing stand so far right of them, in as much room as they need."""
_LARGEST = 1e9
"""Numbers beyond are no place on paper."""


@frozen(eq=False)
class Spot:
    """A place of the board: where it is drawn, and as what."""

    entry: Entry
    x: float
    y: float
    outline: tuple[Point, ...] = ()
    hexagon: bool = False

    @property
    def sort(self) -> str:
        """The kind or variant, which decides its colour."""
        return sort_of(self.entry)

    @property
    def across(self) -> tuple[float, float]:
        """How wide and high an area is."""
        xs, ys = [x for x, _ in self.outline], [y for _, y in self.outline]
        return max(xs) - min(xs), max(ys) - min(ys)


def sort_of(entry: Entry) -> str:
    """What a place is: its variant, or else its kind."""
    return entry.variant or entry.domain


def places(program: Program) -> list[Entry]:
    """The entries that are drawn: those of kinds that edges join, and those that say where.

    They are in the order of their kinds' names; empty if the game has no board.
    """
    joined = program.places()
    return [
        entry
        for name in sorted(program.kinds)
        if name not in program.edges
        for entry in program.domains[name].entries
        if name in joined or position(entry) is not None or outline(entry)
    ]


def place_kinds(program: Program) -> set[str]:
    """The kinds of these entries."""
    return {entry.domain for entry in places(program)}


def holds_a_place(kind: Type, kinds: Iterable[str]) -> bool:
    """Is a value of the type a place or nothing, and no more?"""
    named = [member.domain for member in members(kind) if isinstance(member, Named)]
    others = [m for m in members(kind) if not isinstance(m, Named) and str(m) != "none"]
    known = set(kinds)
    return bool(named) and not others and all(domain in known for domain in named)


def holds_places(kind: Type, kinds: Iterable[str]) -> bool:
    """Is a value of the type a collection of places?"""
    return isinstance(kind, Many) and holds_a_place(kind.item, kinds)


def position(entry: Entry) -> Point | None:
    """Where an entry says that it is drawn."""
    x, y = (entry.fields_by_name.get(axis) for axis in AXES)
    if not isinstance(x, int) or not isinstance(y, int) or max(abs(x), abs(y)) > _LARGEST:
        return None
    return float(x), float(y)


def outline(entry: Entry) -> tuple[Point, ...]:
    """The corners of an area; empty if it has none."""
    numbers = entry.fields_by_name.get(OUTLINE)
    if not isinstance(numbers, tuple) or len(numbers) < 6 or len(numbers) % 2:
        return ()
    if not all(isinstance(n, int) and abs(n) <= _LARGEST for n in numbers):
        return ()
    return tuple((float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True))


# ---------------------------------------------------------------- where they are drawn


def spots(program: Program, entries: Sequence[Entry]) -> dict[Entry, Spot]:
    """Where each place is drawn, in units of the picture."""
    outlines = {entry: outline(entry) for entry in entries}
    points = {entry: at for entry in entries if (at := position(entry)) is not None}
    for entry in entries:
        if entry not in points and outlines[entry]:
            points[entry] = _middle(outlines[entry])
    for name, edge in sorted(program.maps.items()):
        points.update(_by_ways(program, name, edge, points))
    scale = 1.0 if program.maps else _scale(points, outlines)
    placed = {entry: (x * scale, y * scale) for entry, (x, y) in points.items()}
    placed.update(_laid_out(program, [e for e in entries if e not in placed], placed))
    return {
        entry: Spot(
            entry, *placed[entry], tuple((x * scale, y * scale) for x, y in outlines[entry]),
            entry.domain in program.maps,
        )
        for entry in entries
    }  # fmt: skip


def _middle(corners: Sequence[Point]) -> Point:
    return sum(x for x, _ in corners) / len(corners), sum(y for _, y in corners) / len(corners)


def _by_ways(
    program: Program, name: str, edge: str, known: Mapping[Entry, Point]
) -> dict[Entry, Point]:
    """The hexes of a drawn map whose kind has no fields for where they are: by their neighbours."""
    entries = program.domains[name].entries
    field = program.kinds[edge].place(WAY)
    if field is None or any(entry in known for entry in entries):
        return {}
    beside: dict[Entry, list[tuple[Entry, int]]] = {entry: [] for entry in entries}
    for step in program.domains[edge].entries:
        start, end = step.fields[0]
        beside[start].append((end, step.fields[field]))
    found: dict[Entry, Point] = {}
    for first in entries:
        if first in found:
            continue
        # What hangs together with nothing before it stands below.
        found[first] = (0.0, max((y for _, y in found.values()), default=-3 * HIGH) + 3 * HIGH)
        waiting = [first]
        for node in waiting:
            for other, way in beside[node]:
                if other not in found:
                    right, down = _WAYS[(way - 1) % len(_WAYS)]
                    x, y = found[node]
                    found[other] = (x + right * WIDE, y + down * HIGH)
                    waiting.append(other)
    return found


def _scale(points: Mapping[Entry, Point], outlines: Mapping[Entry, Sequence[Point]]) -> float:
    """By how much a board is made larger or smaller, so that its places can be read."""
    if not points:
        return 1.0
    near = nearest([at for entry, at in points.items() if not outlines[entry]])
    sizes = [min(Spot(e, 0, 0, tuple(o)).across) for e, o in outlines.items() if o]
    apart = [far for far in [*near, *(size * 0.6 for size in sizes)] if far]
    typical = median(apart) if apart else _WANTED
    scale = 1.0 if _NEAR <= typical <= _APART else _WANTED / typical
    everything = [*points.values(), *(corner for each in outlines.values() for corner in each)]
    widest = max(
        max(at[axis] for at in everything) - min(at[axis] for at in everything) for axis in (0, 1)
    )
    return min(scale, MOST / widest) if widest else scale


def nearest(points: Sequence[Point]) -> list[float]:
    """The distance of each point to the next one, for those that have one."""
    order = sorted(points)
    found = []
    for n, (x, y) in enumerate(order):
        best = float("inf")
        for step in (-1, 1):
            m = n + step
            while 0 <= m < len(order) and abs(order[m][0] - x) < best:
                far = sqrt((order[m][0] - x) ** 2 + (order[m][1] - y) ** 2)
                if far:
                    best = min(best, far)
                m += step
        if best != float("inf"):
            found.append(best)
    return found


def _laid_out(
    program: Program, missing: Sequence[Entry], known: Mapping[Entry, Point]
) -> dict[Entry, Point]:
    """Places for entries that say nothing: right of the others."""
    if not missing:
        return {}
    index = {entry: n for n, entry in enumerate(missing)}
    joined = (sorted((index[a], index[b])) for a, b in _joined(program) if {a, b} <= index.keys())
    edges = sorted({(a, b) for a, b in joined if a != b})
    right = max((x for x, _ in known.values()), default=0.0) + (ASIDE if known else 0.0)
    top = min((y for _, y in known.values()), default=0.0)
    at = spread(len(missing), edges)
    return {entry: (x + right, y + top) for entry, (x, y) in zip(missing, at, strict=True)}


def _joined(program: Program) -> Iterator[tuple[Entry, Entry]]:
    for name in sorted(program.edges):
        for edge in program.domains[name].entries:
            yield edge.fields[0]
