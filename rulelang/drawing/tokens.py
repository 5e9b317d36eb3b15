"""Pieces and marks on the places of a board."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.drawing import svg
from rulelang.drawing.ground import HEX, Ground, groups, name_of, places_for, reach
from rulelang.drawing.pieces import Piece, mark_fields
from rulelang.drawing.places import Spot

_SHAPES = (
    ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    ((0, -1.3), (1.2, 1), (-1.2, 1)),
    ((0, 1.3), (1.2, -1), (-1.2, -1)),
)
"""The shapes of marks: square, diamond, triangles."""
_MARK = 3.4
_APART = 9.0


def pieces(ground: Ground) -> Iterator[str]:
    """All pieces, where they stand."""
    for entry, here in ground.standing.pieces.items():
        spot = ground.spots[entry]
        drawn = groups(here)
        points, size = places_for(ground, spot, len(drawn))
        for alike, (x, y) in zip(drawn, points, strict=True):
            names = ", ".join(piece.name for piece in alike)
            ground.sheet.cover(x - size, y - size, x + size, y + size)
            yield svg.titled(f"{names}: {name_of(entry)}", token(ground, alike, x, y, size))


def token(ground: Ground, alike: list[Piece], x: float, y: float, size: float) -> list[str]:
    """A piece, or several of one sort with how many."""
    label = alike[0].short if len(alike) == 1 else f"×{len(alike)}"
    said, letters = svg.fitted(label, size * 1.75, size * 1.05, 4.0)
    style = f"piece {ground.hue(alike[0].sort)}"
    circle = svg.element("circle", cx=x, cy=y, r=float(size), class_=style)
    return [circle, svg.text(x, y, said, letters, class_="on")] if said else [circle]


def marks(ground: Ground) -> Iterator[str]:
    """All marks, beside where pieces stand."""
    for entry, here in ground.standing.marks.items():
        spot = ground.spots[entry]
        sorts = dict.fromkeys(mark.sort for mark in here)
        for n, sort in enumerate(sorts):
            x, y = _beside(ground, spot, n)
            ground.sheet.cover(x - _MARK, y - _MARK, x + _MARK, y + _MARK)
            said = ", ".join(mark.said for mark in here if mark.sort == sort)
            yield svg.titled(f"{said}: {name_of(entry)}", [mark(ground, sort, x, y)])


def mark(ground: Ground, sort: str, x: float, y: float) -> str:
    """The sign of a field that marks places."""
    known = [each.name for each in mark_fields(ground.program)]
    shape = _SHAPES[known.index(sort) % len(_SHAPES)]
    return svg.polygon([(x + a * _MARK, y + b * _MARK) for a, b in shape], class_="mark")


def _beside(ground: Ground, spot: Spot, place: int) -> tuple[float, float]:
    if spot.hexagon:
        return spot.x - HEX[0] + 7, spot.y + 9 - place * _APART
    if spot.outline:
        return spot.x + (place + 0.5) * _APART - 9, spot.y - 11
    far = reach(ground, spot) * 0.78
    return spot.x + far + place * _APART, spot.y - far
