"""The legend of a board: what its colours, pieces, marks and lines mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulelang.drawing import svg
from rulelang.drawing.edges import dash, edge_kinds
from rulelang.drawing.ground import Ground
from rulelang.drawing.pieces import Piece
from rulelang.drawing.tokens import mark, token

ROW = 24.0
"""From one row to the next."""
LEAST = 320.0
"""A legend is no narrower, however small the board."""
_NAMED = 12
"""So many pieces of a sort are named one by one; of more the sort is."""
_LONGEST = 220.0
Item = tuple[str, Callable[[float, float], list[str]]]
"""Its words, and what draws its sign around a point."""


def legend(ground: Ground) -> Iterator[str]:
    """Rows below the board."""
    sheet = ground.sheet
    left, right = sheet.left, max(sheet.right, sheet.left + LEAST)
    x, y = left, sheet.bottom + ROW
    for said, sign in _items(ground):
        said = svg.cut(said.replace("_", " "), _LONGEST, 12)
        wide = 30 + svg.width(said, 12)
        if x > left and x + wide > right:
            x, y = left, y + ROW
        sheet.cover(x, y - ROW / 2, x + wide, y + ROW / 2)
        yield "".join([*sign(x + 11, y), sheet.text(x + 27, y, said, 12, text_anchor="start")])
        x += wide + 16


def _items(ground: Ground) -> Iterator[Item]:
    for sort in ground.sorts():
        yield sort, lambda x, y, sort=sort: [_place(ground, sort, x, y)]  # type: ignore[misc]
    yield from _pieces(ground)
    for sort in dict.fromkeys(m.sort for here in ground.standing.marks.values() for m in here):
        yield sort, lambda x, y, sort=sort: [mark(ground, sort, x, y)]  # type: ignore[misc]
    for kind in edge_kinds(ground):
        pattern = dash(ground, kind)
        yield kind, lambda x, y, pattern=pattern: [_line(pattern, x, y)]  # type: ignore[misc]


def _pieces(ground: Ground) -> Iterator[Item]:
    """Pieces with names one by one, those with numbers as a sort."""
    sorts: dict[str, list[Piece]] = {}
    for here in ground.standing.pieces.values():
        for piece in here:
            sorts.setdefault(piece.sort, []).append(piece)
    for sort, alike in sorts.items():
        named = len(alike) <= _NAMED and not any(piece.short.isdigit() for piece in alike)
        shown = alike if named else [Piece(sort, "", sort)]
        for piece in sorted(shown, key=lambda piece: piece.name):
            yield (
                piece.name,
                lambda x, y, piece=piece: token(ground, [piece], x, y, 9),  # type: ignore[misc]
            )


def _place(ground: Ground, sort: str, x: float, y: float) -> str:
    if any(spot.hexagon for spot in ground.spots.values() if spot.sort == sort):
        return svg.element("circle", cx=x, cy=y, r=7, class_="hex")
    areas = any(spot.outline for spot in ground.spots.values() if spot.sort == sort)
    style = f"{'area' if areas else 'node'} {ground.hue(sort)}"
    if areas:
        box = {"x": x - 8, "y": y - 7, "width": 16, "height": 14}
        return svg.element("rect", class_=style, **box)
    return svg.element("circle", cx=x, cy=y, r=7, class_=style)


def _line(pattern: str, x: float, y: float) -> str:
    return svg.element(
        "line", x1=x - 11, y1=y, x2=x + 11, y2=y, class_="edge", stroke_dasharray=pattern
    )
