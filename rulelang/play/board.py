"""The board as text: for each place where something stands its name, and what it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.drawing.places import holds_a_place, place_kinds, sort_of
from rulelang.play.cells import Cell, Hidden
from rulelang.play.screen import Screen, flow, pad
from rulelang.play.words import name_of
from rulelang.program.linking import Linked
from rulelang.program.program import Program
from rulelang.program.values import Entry

_LISTED = 4
"""So many pieces of a sort are named; more are counted."""
OFF = "off the board"


def board_lines(screen: Screen, linked: Linked, cells: Sequence[Cell]) -> list[str]:
    """The lines of the board; none if nothing stands on it."""
    rows = [*_places(linked, cells), *_tracks(linked, cells), *_away(linked, cells)]
    if not rows:
        return []
    column = max(len(sort) for sort, _ in rows) + 2
    lines = []
    for sort, items in rows:
        first = "  " + screen.style(pad(sort, column), "dim")
        rest = " " * (column + 2)
        lines += flow(items, glue=" ·", first=first, rest=rest, width=screen.width)
    return lines


def said_by_board(linked: Linked, cells: Sequence[Cell]) -> set[str]:
    """The keys of the fields that the table leaves to the board: all pieces but those of players.

    Of players all is told together, where they stand too.
    """
    pieces = _pieces(linked.program, cells)
    return {cell.field.key for cell in pieces if cell.field.per != "Player"}


# ---------------------------------------------------------------- rows


def _places(linked: Linked, cells: Sequence[Cell]) -> Iterator[tuple[str, list[str]]]:
    """A row for each sort of places, with the places where something stands."""
    standing: dict[Entry, list[Cell]] = {}
    for cell in _pieces(linked.program, cells):
        if isinstance(cell.value, Entry) and not _on_track(linked.program, cell):
            standing.setdefault(cell.value, []).append(cell)
    sorts = dict.fromkeys(
        sort_of(entry)
        for name in sorted({place.domain for place in standing})
        for entry in linked.program.domains[name].entries
    )
    for sort in sorts:
        here = sorted((p for p in standing if sort_of(p) == sort), key=lambda p: p.index)
        if here:
            yield (
                sort.replace("_", " ").lower(),
                [f"{name_of(place)}: {_grouped(standing[place])}" for place in here],
            )


def _tracks(linked: Linked, cells: Sequence[Cell]) -> Iterator[tuple[str, list[str]]]:
    """A row for each piece on a track: how far it has come."""
    for cell in _pieces(linked.program, cells):
        if isinstance(cell.value, Entry) and _on_track(linked.program, cell):
            count = len(linked.program.domains[cell.value.domain].entries)
            yield _piece(cell), [f"{cell.value.key} of {count}"]


def _away(linked: Linked, cells: Sequence[Cell]) -> Iterator[tuple[str, list[str]]]:
    """The pieces that stand nowhere, of owners of whom the table does not tell it."""
    left = said_by_board(linked, cells)
    away = [
        cell
        for cell in _pieces(linked.program, cells)
        if cell.value is None and cell.field.per and cell.field.key in left
    ]
    if away:
        yield OFF, [_grouped(away)]


def _pieces(program: Program, cells: Sequence[Cell]) -> list[Cell]:
    """The cells that hold a place, or none, and nothing else."""
    kinds = place_kinds(program)
    return [
        cell
        for cell in cells
        if not isinstance(cell.value, Hidden) and holds_a_place(cell.field.type, kinds)
    ]


def _on_track(program: Program, cell: Cell) -> bool:
    """Is the place one of numbers in a row, which no edges join?"""
    kind = program.kinds[cell.value.domain]
    return kind.key == "number" and kind.name not in program.places()


# ---------------------------------------------------------------- names of pieces


def _grouped(cells: Sequence[Cell]) -> str:
    """The pieces by what they are: names, numbers behind their sort, or how many."""
    said = []
    for key in dict.fromkeys(cell.field.key for cell in cells):
        alike = [cell for cell in cells if cell.field.key == key]
        said.append(_alike(alike))
    return ", ".join(said)


def _alike(cells: Sequence[Cell]) -> str:
    names = [_piece(cell) for cell in cells]
    if len(names) <= _LISTED:
        sort = cells[0].field.per
        numbers = [name.removeprefix(f"{sort} ") for name in names]
        if sort and all(number.isdigit() for number in numbers):
            return f"{sort} {', '.join(numbers)}"
        return ", ".join(names)
    return f"{cells[0].field.per} ×{len(cells)}"


def _piece(cell: Cell) -> str:
    return cell.name if cell.owner is None else name_of(cell.owner)
