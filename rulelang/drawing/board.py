"""A board as a picture: areas, places and edges from the content, pieces from a state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulelang.drawing import edges, nodes, svg, tokens
from rulelang.drawing.ground import Ground, name_of, prepared
from rulelang.drawing.legend import legend
from rulelang.drawing.pieces import standing
from rulelang.drawing.places import places, spots
from rulelang.errors import UsageError
from rulelang.program.program import Program

MARGIN = 24.0
"""Around everything that is drawn."""


def has_board(program: Program) -> bool:
    """Is there anything that a picture of the board would show?"""
    return bool(places(program))


def draw_board(program: Program, state: Mapping[str, Any] | None = None) -> str:
    """The picture. Raises `UsageError` if the game has no board."""
    entries = places(program)
    if not entries:
        raise UsageError(
            "this game has no board to draw: no entries that edges join, and none with `x` and "
            "`y` or with `outline`"
        )
    ground = prepared(program, spots(program, entries), standing(program, state or {}))
    parts = [
        *nodes.areas(ground), *edges.edges(ground), *nodes.area_names(ground),
        *nodes.places(ground), *tokens.marks(ground), *tokens.pieces(ground),
        *nodes.names_beside(ground),
    ]  # fmt: skip
    parts += legend(ground)
    sheet = ground.sheet
    sheet.cover(
        sheet.left - MARGIN, sheet.top - MARGIN, sheet.right + MARGIN, sheet.bottom + MARGIN
    )
    return svg.picture(f"The board of {program.text}", _in_words(ground), sheet, parts)


def _in_words(ground: Ground) -> str:
    """The text alternative of the whole: what there is, and where the pieces are."""
    sorts = [spot.sort for spot in ground.spots.values()]
    there = ", ".join(f"{name} {sorts.count(name)}" for name in ground.sorts())
    stands = {
        entry: [piece.name for piece in here] for entry, here in ground.standing.pieces.items()
    }
    for entry, here in ground.standing.marks.items():
        stands.setdefault(entry, []).extend(mark.said for mark in here)
    where = "; ".join(f"{name_of(entry)}: {', '.join(said)}" for entry, said in stands.items())
    return f"Places: {there}." + (f" On them: {where}." if where else "")
