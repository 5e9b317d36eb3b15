"""Tables: a heading, and a row for each entry."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.checker.context import Context, plain
from rulelang.checker.values import span_of, split, text_of
from rulelang.diagnostic import Note
from rulelang.program.boards import ENDS
from rulelang.program.program import Kind
from rulelang.syntax import tree as t

Cells = dict[str, list[t.Word]]
Row = tuple[t.Line, list[t.Word], Cells]
"""A row: its line, the cell of its key, and the others by field."""


def rows_of(context: Context, kind: Kind, line: t.Line) -> Iterator[Row]:
    """The rows of a table that can be read; reports the others."""
    rows = [item for item in line.block if isinstance(item, t.Line)]
    odd = [item for item in line.block if not isinstance(item, t.Line)]
    for item in [*odd, *(inner for row in rows for inner in row.block)]:
        context.report("C510", "this has no meaning in a table", item.span)
    names = _heading(context, kind, rows[0])
    if names is None:
        context.incomplete.add(kind.name)
        return
    for row in rows[1:]:
        cells = split(row.words, "bar")
        if len(cells) != len(names):
            has = f"{len(cells)} cell" + ("" if len(cells) == 1 else "s")
            context.report(
                "C504",
                f"this row has {has}, and the heading has {len(names)}",
                row.span,
                help="Each bar parts two cells; an empty cell needs its bar too.",
                notes=[Note(rows[0].span, "the heading")],
            )
            context.incomplete.add(kind.name)
            continue
        by_name = dict(zip(names, cells, strict=True))
        key_cell = by_name.pop(kind.key)
        if not key_cell:
            context.report("C503", f"this row has no {kind.key}", row.span)
            context.incomplete.add(kind.name)
            continue
        yield row, key_cell, by_name


def _heading(context: Context, kind: Kind, row: t.Line) -> list[str] | None:
    """The fields that the columns hold; None where the key is missing."""
    names: list[str] = []
    slips = False
    for cell in split(row.words, "bar"):
        name = plain(text_of(cell))
        field = next((f.name for f in kind.fields if plain(f.name) == name), None)
        if name in names or field in names:
            context.report("C506", f"column `{name}` stands here twice", span_of(cell))
            field, slips = f"{name} again", True
        elif field is None and name != kind.key:
            where = span_of(cell) if cell else row.span
            known = [*(f.name for f in kind.fields), kind.key]
            what = f"field of {kind.name}"
            context.report_unknown(text_of(cell), where, what, known, code="N206")
            slips = True
        names.append(field or name)
    if kind.key in names:
        return names
    if not slips:
        help = f"Write `{kind.key}` above the first one."
        says = "what these join" if kind.key == ENDS else f"the {kind.key}"
        context.report("C503", f"no column says {says}", row.span, help=help)
    return None
