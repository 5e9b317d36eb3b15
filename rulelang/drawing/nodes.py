"""Areas, places and hexes of a board, and their names."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot

from rulelang.drawing import svg
from rulelang.drawing.ground import HEX, Ground, area_name, label, reach, says
from rulelang.drawing.places import Spot

_LONG = 5
"""Names of more letters stand beside their place."""
_SIZE = 9.5
ROOM, _LEAST = 110.0, 60.0
"""The room for such a name at the most, and for a title at the least."""
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def areas(ground: Ground) -> Iterator[str]:
    """The areas, the largest first, so that those inside others are seen."""
    found = [spot for spot in ground.spots.values() if spot.outline]
    for spot in sorted(found, key=lambda spot: -spot.across[0] * spot.across[1]):
        shape = svg.polygon(spot.outline, class_=f"area {ground.hue(spot.sort)}")
        yield svg.titled(ground.title(spot), [shape])


def area_names(ground: Ground) -> Iterator[str]:
    """Over the edges: the title where there is room for it, else what the place is known by."""
    for spot in ground.spots.values():
        if spot.outline:
            said, size = area_name(spot)
            yield ground.sheet.text(spot.x, spot.y, said, size, class_="small halo")


def places(ground: Ground) -> Iterator[str]:
    """Everything that is no area."""
    for spot in ground.spots.values():
        if spot.hexagon and not spot.outline:
            yield _hexagon(ground, spot)
        elif not spot.outline:
            yield _node(ground, spot)


def _node(ground: Ground, spot: Spot) -> str:
    style = f"node {ground.hue(spot.sort)}"
    parts = [svg.element("circle", cx=spot.x, cy=spot.y, r=ground.radius, class_=style)]
    if not _is_beside(ground, spot):
        said, size = svg.fitted(
            label(spot.entry), ground.radius * 1.8, min(13.0, ground.radius), 4.0
        )
        parts.append(svg.text(spot.x, spot.y, said, size))
    return svg.titled(ground.title(spot), parts)


def _is_beside(ground: Ground, spot: Spot) -> bool:
    """Is the key too long for its place, or does something stand on it?"""
    return len(label(spot.entry)) > _LONG or spot.entry in ground.standing.pieces


def _hexagon(ground: Ground, spot: Spot) -> str:
    """A hex of a map: tinted where its entry says more than its number."""
    wide, high = HEX
    corners = ((0, -high), (wide, -high / 2), (wide, high / 2), (0, high))
    around = (*corners, (-wide, high / 2), (-wide, -high / 2))
    said = list(says(spot.entry))
    style = f"hex tinted {ground.hue(said[0])}" if said else "hex"
    shape = svg.polygon([(spot.x + x, spot.y + y) for x, y in around], class_=style)
    known = svg.cut(label(spot.entry), wide * 1.1, 8)
    parts = [shape, svg.text(spot.x, spot.y + high * 0.66, known, 8, class_="small")]
    if said:
        name, size = svg.fitted(said[0], wide * 1.9, 11, 6.0)
        parts.append(svg.text(spot.x, spot.y - high * 0.47, name, size))
    return svg.titled(ground.title(spot), parts)


# ---------------------------------------------------------------- names beside places


def names_beside(ground: Ground) -> Iterator[str]:
    """The names that do not stand on their place, over everything else."""
    taken = [_box(spot) for spot in ground.spots.values() if spot.outline]
    for spot in ground.nodes:
        said = _said_beside(ground, spot)
        if said:
            yield _beside(ground, spot, said, taken)


def _said_beside(ground: Ground, spot: Spot) -> str:
    """What stands beside a place: the key that does not stand on it, the title if it has room."""
    entry = spot.entry
    known = label(entry)
    title = "" if entry.text in (known, entry.label) else entry.text
    room = _room(ground, spot) if title else 0.0
    if room >= _LEAST:
        covered = entry in ground.standing.pieces and len(known) <= _LONG
        return svg.cut(f"{known} {title}" if covered else title, room, _SIZE)
    return svg.cut(known, ROOM, _SIZE) if _is_beside(ground, spot) else ""


def _box(spot: Spot) -> Box:
    """Where the name of an area stands."""
    said, size = area_name(spot)
    wide = svg.width(said, size)
    return spot.x - wide / 2, spot.y - size / 2, spot.x + wide / 2, spot.y + size / 2


def _room(ground: Ground, spot: Spot) -> float:
    """How long a title may be, so that it does not reach the next place."""
    others = (hypot(o.x - spot.x, o.y - spot.y) for o in ground.nodes if o is not spot)
    return min(ROOM, min(others, default=ROOM))


def _beside(ground: Ground, spot: Spot, said: str, taken: list[Box]) -> str:
    """A name below its place, or on another side where nothing is in the way."""
    wide, far = svg.width(said, _SIZE), reach(ground, spot)
    sides = (
        (0.0, 1.0, 0.0, far + 6.5), (0.0, -1.0, 0.0, -far - 6.5),
        (1.0, 0.0, far + 3 + wide / 2, 0.0), (-1.0, 0.0, -far - 3 - wide / 2, 0.0),
    )  # fmt: skip
    boxes = [
        (spot.x + x - wide / 2, spot.y + y - 6, spot.x + x + wide / 2, spot.y + y + 6)
        for _, _, x, y in sides
    ]
    worth = [
        _in_the_way(ground, spot, side[:2], box, taken)
        for side, box in zip(sides, boxes, strict=True)
    ]
    best = worth.index(min(worth))
    taken.append(boxes[best])
    x, y = spot.x + sides[best][2], spot.y + sides[best][3]
    return ground.sheet.text(x, y, said, _SIZE, class_="halo")


def _in_the_way(
    ground: Ground,
    spot: Spot,
    side: tuple[float, float],
    box: Box,
    taken: list[Box],
) -> int:
    """How much is in the way there: lines of the place itself, other places, other names."""
    count = 0
    for other in ground.beside.get(spot.entry, ()):
        right, down = other.x - spot.x, other.y - spot.y
        count += right * side[0] + down * side[1] > 0.75 * hypot(right, down)
    left, top, end, bottom = box
    for other in ground.spots.values():
        if other is not spot and not other.outline:
            near = ground.size(other)
            inside = left - near < other.x < end + near and top - near < other.y < bottom + near
            count += 3 * inside
    for a, b, c, d in taken:
        count += 3 * (a < end and left < c and b < bottom and top < d)
    return count
