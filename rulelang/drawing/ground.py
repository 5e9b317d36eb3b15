"""What the parts of a picture of a board need to know of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import hypot

from attrs import define, field

from rulelang.drawing import svg
from rulelang.drawing.layout import Point
from rulelang.drawing.pieces import Piece, Standing, piece_fields, sort_of_piece
from rulelang.drawing.places import HIGH, WIDE, Spot, nearest
from rulelang.program.program import Program
from rulelang.program.values import Entry

HEX = (WIDE / 2 - 0.7, HIGH * 2 / 3 - 0.8)
"""From the middle of a hex to its right side and to its top."""
LARGEST = 18.0
"""The radius of a place that is no hex, at the most; its pieces stand within twice as much."""
HEX_RADIUS = 21.0
"""In a hex there is so much room around the middle."""
_READABLE = 9.0
"""Names of areas are no smaller than this."""
TOGETHER = (2, 4)
"""So many pieces with numbers, or with names, are drawn one by one; more of a sort are counted."""


@define
class Ground:
    """A board that is being drawn."""

    program: Program
    spots: dict[Entry, Spot]
    standing: Standing
    sheet: svg.Sheet
    radius: float
    """Of places that are neither areas nor hexes."""
    beside: dict[Entry, list[Spot]] = field(factory=dict)
    """The places at the other ends of the edges of each."""
    nodes: list[Spot] = field(factory=list)
    """The places that are drawn as circles."""
    _hues: dict[str, int] = field(factory=dict)

    def hue(self, name: str) -> str:
        """The colour of a sort of things: the same in all pictures of a game."""
        return f"n{self._hues.setdefault(name, len(self._hues)) % svg.HUES}"

    def sorts(self) -> list[str]:
        """The sorts of places, in order."""
        return list(dict.fromkeys(spot.sort for spot in self.spots.values()))

    def size(self, spot: Spot) -> float:
        """How far a place reaches from its middle."""
        return HEX_RADIUS if spot.hexagon else self.radius

    def title(self, spot: Spot) -> str:
        """The text alternative of a place, with what the state says of it."""
        said = [name_of(spot.entry), *(says(spot.entry) if spot.hexagon else ())]
        return ", ".join([*said, *(mark.said for mark in self.standing.marks.get(spot.entry, ()))])


def prepared(program: Program, spots: dict[Entry, Spot], standing: Standing) -> Ground:
    """A board with the room that its places take."""
    first = next(iter(spots.values()))
    sheet = svg.Sheet(first.x, first.y, first.x, first.y)
    nodes = [spot for spot in spots.values() if not spot.outline and not spot.hexagon]
    # Places are as large as their distances allow.
    apart = min(nearest([(spot.x, spot.y) for spot in nodes]), default=40.0)
    radius = max(6.0, min(LARGEST, apart * 0.44))
    ground = Ground(program, spots, standing, sheet, radius, nodes=nodes)
    for spot in spots.values():
        reach = HEX[1] if spot.hexagon else ground.radius
        sheet.cover(spot.x - reach, spot.y - reach, spot.x + reach, spot.y + reach)
        for x, y in spot.outline:
            sheet.cover(x, y, x, y)
        ground.hue(spot.sort)
    for known in piece_fields(program):
        ground.hue(sort_of_piece(known))
    for name in sorted(program.edges):
        for edge in program.domains[name].entries:
            start, end = (spots[node] for node in edge.fields[0])
            ground.beside.setdefault(start.entry, []).append(end)
            ground.beside.setdefault(end.entry, []).append(start)
    return ground


# ---------------------------------------------------------------- names


def label(entry: Entry) -> str:
    """What a place is known by."""
    return str(entry.key).replace("_", " ")


def name_of(entry: Entry) -> str:
    """An entry in words, with its title."""
    said = known_as(entry)
    return said if entry.text in (label(entry), entry.label) else f"{said}, {entry.text}"


def known_as(entry: Entry) -> str:
    """What an entry is, and its key: "chart M"."""
    kind = (entry.variant or entry.domain).replace("_", " ").lower()
    return f"{kind} {label(entry)}"


def says(entry: Entry) -> Iterator[str]:
    """What an entry says that a reader of the map wants to see: names, and flags that are set."""
    for name, value in entry.fields_by_name.items():
        if isinstance(value, Entry):
            yield value.text
        elif value is True:
            yield name.replace("_", " ")


# ---------------------------------------------------------------- room for pieces


def groups(pieces: list[Piece]) -> list[list[Piece]]:
    """The pieces on one place as they are drawn: a few by themselves, many together."""
    found: list[list[Piece]] = []
    for sort in dict.fromkeys(piece.sort for piece in pieces):
        alike = [piece for piece in pieces if piece.sort == sort]
        most = TOGETHER[not any(piece.short.isdigit() for piece in alike)]
        found += [[piece] for piece in alike] if len(alike) <= most else [alike]
    return found


def places_for(ground: Ground, spot: Spot, count: int) -> tuple[list[Point], float]:
    """Where so many pieces are drawn on a place, and how large."""
    if spot.outline:
        return _in_an_area(ground, spot, count)
    radius = ground.size(spot)
    y = spot.y + 3 if spot.hexagon else spot.y
    if count == 1:
        return [(spot.x, y)], 11.0 if spot.hexagon else max(6.0, radius * 0.8)
    around = radius if spot.hexagon else radius * 1.45
    part = svg.sine(count)
    size = around * part / (1 + part)
    return [
        (spot.x + (around - size) * right, y + (around - size) * down)
        for right, down in svg.ring(count)
    ], size


def area_name(spot: Spot) -> tuple[str, float]:
    """What is written on an area, and how large: its title if there is room for it."""
    room = spot.across[0] * 0.92
    said = spot.entry.text
    if svg.width(said, _READABLE) > room:
        said = label(spot.entry)
    return svg.fitted(said, max(room, 24.0), 11, _READABLE)


def _in_an_area(ground: Ground, spot: Spot, count: int) -> tuple[list[Point], float]:
    """In rows below the name, or on another side of it if something is in the way."""
    wide, high = spot.across
    size = max(7.0, min(11.0, min(wide, high) / 6))
    row = max(1, min(count, int(wide * 0.9 / (size * 2.2))))
    beside = svg.width(*area_name(spot)) / 2 + size + 2 + (row - 1) * size * 1.1
    # For each side where the middle of the first row is, and where the next row is from there.
    sides = ((0.0, 9 + size, 1), (0.0, -9 - size, -1), (beside, 0.0, 1), (-beside, 0.0, 1))
    choices = [
        [
            (
                spot.x
                + right
                + (n % row - (min(row, count - n // row * row) - 1) / 2) * size * 2.2,
                spot.y + down + n // row * size * 2.2 * way,
            )
            for n in range(count)
        ]
        for right, down, way in sides
    ]
    return min(choices, key=lambda points: _in_the_way(ground, spot, points, size)), size


def _in_the_way(ground: Ground, spot: Spot, points: Sequence[Point], size: float) -> int:
    """How many places pieces would cover there, or how many would stand outside."""
    near = size + ground.radius
    left, right = min(x for x, _ in spot.outline), max(x for x, _ in spot.outline)
    top, bottom = min(y for _, y in spot.outline), max(y for _, y in spot.outline)
    count = 0
    for x, y in points:
        inside = left <= x - size and x + size <= right and top <= y - size and y + size <= bottom
        count += 2 * (not inside)
        count += sum(hypot(x - s.x, y - s.y) < near for s in ground.nodes)
    return count


def reach(ground: Ground, spot: Spot) -> float:
    """How far a place with its pieces reaches from its middle."""
    here = groups(ground.standing.pieces.get(spot.entry, []))
    radius = ground.size(spot)
    if not here or spot.outline:
        return radius
    points, size = places_for(ground, spot, len(here))
    return max(radius, max(hypot(x - spot.x, y - spot.y) for x, y in points) + size)
