"""The edges of a board as lines: from rim to rim, with what they say beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from rulelang.drawing import svg
from rulelang.drawing.ground import Ground, label
from rulelang.drawing.layout import Point
from rulelang.drawing.places import Spot
from rulelang.program.boards import AXES, ENDS, WAY
from rulelang.program.values import Entry

_BESIDE = 6.0
"""How far two lines between the same places are apart."""
_INSIDE = 4.0
"""How far a line goes into an area."""
_NAME = 11.0
"""How far a line from inside an area begins from its name."""
_SHORT = 36.0
"""What an edge says has so much room, however short its line is."""


def edge_kinds(ground: Ground) -> list[str]:
    """The kinds of edges that are drawn, by how many there are: hexes touch, which is seen."""
    maps = ground.program.maps.values()
    shown = [k for k in ground.program.edges if k not in maps and list(_shown(ground, k))]
    return sorted(shown, key=lambda k: (-len(ground.program.domains[k].entries), k))


def dash(ground: Ground, kind: str) -> str:
    """The pattern of a kind of edges."""
    return svg.DASHES[edge_kinds(ground).index(kind) % len(svg.DASHES)]


def edges(ground: Ground) -> Iterator[str]:
    """All lines."""
    between: dict[frozenset[Entry], list[Entry]] = {}
    kinds = edge_kinds(ground)
    for kind in kinds:
        for edge in _shown(ground, kind):
            between.setdefault(frozenset(edge.fields[0]), []).append(edge)
    words: list[str] = []
    for alike in between.values():
        for n, edge in enumerate(alike):
            pattern = svg.DASHES[kinds.index(edge.domain) % len(svg.DASHES)]
            aside = (n - (len(alike) - 1) / 2) * _BESIDE
            yield _edge(ground, edge, pattern, aside, words)
    yield from words


def _shown(ground: Ground, kind: str) -> Iterator[Entry]:
    one_way = ground.program.edges[kind].one_way
    for edge in ground.program.domains[kind].entries:
        start, end = (ground.spots[node] for node in edge.fields[0])
        if start is not end and (one_way or not _touch(start, end)):
            yield edge


def _touch(start: Spot, end: Spot) -> bool:
    """Is it seen without a line that one goes from area to area?"""
    if not start.outline or not end.outline or start.sort != end.sort:
        return False
    return all(
        min(at[axis] for at in one) <= max(at[axis] for at in other) + 2
        for axis in (0, 1)
        for one, other in ((start.outline, end.outline), (end.outline, start.outline))
    )


def _edge(ground: Ground, edge: Entry, pattern: str, aside: float, words: list[str]) -> str:
    """A line; what is written at its middle goes to ``words``, to be drawn over all lines."""
    start, end = (ground.spots[node] for node in edge.fields[0])
    one_way = ground.program.edges[edge.domain].one_way
    (x1, y1), (x2, y2) = _line(ground, start, end, aside)
    line = svg.element("line", x1=x1, y1=y1, x2=x2, y2=y2, class_="edge", stroke_dasharray=pattern)
    parts = [line, *(_dot(x, y) for at, x, y in ((start, x1, y1), (end, x2, y2)) if at.outline)]
    if one_way:
        parts.append(_head((x1, y1), (x2, y2)))
    said = list(_says(edge))
    way = "to" if one_way else "and"
    title = f"{edge.domain.replace('_', ' ')}: {label(start.entry)} {way} {label(end.entry)}"
    title = ", ".join([title, *(whole for _, whole in said)])
    if said:
        room = max(_SHORT, hypot(x2 - x1, y2 - y1) * 0.8)
        short = svg.cut(" ".join(word for word, _ in said), room, 9)
        at = ((x1 + x2) / 2, (y1 + y2) / 2)
        words.append(svg.titled(title, [ground.sheet.text(*at, short, 9, class_="small halo")]))
    return svg.titled(title, parts)


def _says(edge: Entry) -> Iterator[tuple[str, str]]:
    """What an edge holds, short and in full."""
    for name, value in edge.fields_by_name.items():
        words = name.replace("_", " ")
        if name in (ENDS, WAY, *AXES) or value in (None, "") or value is False:
            continue
        if value is True:
            yield words, words
        elif isinstance(value, int | str | Entry):
            said = value.text if isinstance(value, Entry) else str(value)
            yield said, f"{words} {said}"


def _dot(x: float, y: float) -> str:
    return svg.element("circle", cx=x, cy=y, r=2.5, class_="head")


def _head(start: Point, end: Point) -> str:
    x, y = end
    far = hypot(x - start[0], y - start[1]) or 1.0
    a, b = (x - start[0]) / far * 9, (y - start[1]) / far * 9
    corners = (end, (x - a - b / 2, y - b + a / 2), (x - a + b / 2, y - b - a / 2))
    return svg.polygon(corners, class_="head")


# ---------------------------------------------------------------- from where to where


def _line(ground: Ground, start: Spot, end: Spot, aside: float) -> tuple[Point, Point]:
    """The ends of a line, moved sideways: at the rims of places, a little inside areas."""
    right, down = end.x - start.x, end.y - start.y
    far = hypot(right, down)
    if far < 1:
        return (start.x, start.y), (end.x, end.y)
    first, last = _rim(ground, start, end, far), _rim(ground, end, start, far)
    if first + last >= far - 4:
        first, last = (_NAME if spot.outline else _plain(ground, spot) for spot in (start, end))
    if first + last >= far - 4:
        first = last = 0.0
    # The same side, whichever of the two ends comes first.
    turn = aside if (start.x, start.y) < (end.x, end.y) else -aside
    over, under = -down / far * turn, right / far * turn
    along = right / far, down / far
    return (
        (start.x + along[0] * first + over, start.y + along[1] * first + under),
        (end.x - along[0] * last + over, end.y - along[1] * last + under),
    )


def _rim(ground: Ground, spot: Spot, other: Spot, far: float) -> float:
    """How far from the middle of a place a line to another one begins."""
    if not spot.outline:
        return _plain(ground, spot)
    crossed = _crossed(spot.outline, (other.x, other.y), (spot.x, spot.y))
    return _NAME if crossed is None else max(_NAME, far * (1 - crossed) - _INSIDE)


def _plain(ground: Ground, spot: Spot) -> float:
    return ground.size(spot) * (0.6 if spot.hexagon else 1.0)


def _crossed(outline: Sequence[Point], start: Point, end: Point) -> float | None:
    """Where a line first comes over the rim of an area, as a part of its way."""
    found = []
    for (ax, ay), (bx, by) in zip(outline, [*outline[1:], outline[0]], strict=True):
        right, down = end[0] - start[0], end[1] - start[1]
        side, fall = bx - ax, by - ay
        cross = right * fall - down * side
        if not cross:
            continue
        along = ((ax - start[0]) * fall - (ay - start[1]) * side) / cross
        place = ((ax - start[0]) * down - (ay - start[1]) * right) / cross
        if 0 <= along <= 1 and 0 <= place <= 1:
            found.append(along)
    return min(found, default=None)
