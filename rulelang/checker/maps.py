"""Maps that are drawn: one sign a hex, and every second row half a step further in.

```
hexes along Step
  sign *: wooded
  sign L: site Lake
  sign .
  rows
      *   .   .
    .   L   *
      .   .
```

Each hex is an entry, numbered in the order of reading; two that touch are joined by an edge for
each direction: 1 to the upper right, then clockwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

from attrs import frozen

from rulelang.checker.context import Context, plain
from rulelang.checker.values import parts, span_of, text_of
from rulelang.checker.wording import article
from rulelang.checker.words import missing_colon
from rulelang.diagnostic import Note, Span, did_you_mean, suggest
from rulelang.program.boards import AXES, WAY
from rulelang.program.program import Kind, KindField
from rulelang.program.types import ANY_NUM, Named, Num, members
from rulelang.syntax import tree as t

STEP = 4
"""Columns from one hex to the next in a row."""
OFFSETS = ((2, -1), (4, 0), (2, 1), (-2, 1), (-4, 0), (-2, -1))
"""Columns and rows to the neighbour in each direction, from 1 on."""
SIZE = (15, 52)
"""Units of a drawing for a column and for a row: a hex is 60 wide."""


Signs = dict[str, tuple[t.Line, tuple[t.Word, ...]]]


@frozen
class Cell:
    """One hex of a map: the line that says what its sign means, and where it stands."""

    line: t.Line
    words: tuple[t.Word, ...]
    number: int
    span: Span
    column: int
    row: int

    @property
    def at(self) -> dict[str, int]:
        """Where it is drawn."""
        return {"x": self.column * SIZE[0], "y": self.row * SIZE[1]}


def is_map(line: t.Line) -> bool:
    """Is this the head of a drawn map?"""
    along = len(line.words) > 1 and line.words[1].text == "along"
    return along or any(isinstance(item, t.Line) and _drawn(item) for item in line.block)


def edge_kind(context: Context, kind: Kind, line: t.Line) -> Kind | None:
    """The kind of edges that join the hexes; None if what is written was reported."""
    name, rest = line.words[2:3], line.words[3:]
    known = sorted(context.program.edges)
    if not name:
        fitting = [each for each in known if _joins_hexes(context, kind, each)]
        help = f"Write `{plain(line.words[0].text)} along {(fitting or known or ['Step'])[0]}`."
        context.report("C503", "a map says along which edges one goes", line.span, help=help)
        return None
    if rest:
        message = f"`{text_of(rest)}` has no meaning in the head of a map"
        context.report("C510", message, span_of(rest))
        return None
    edge = context.program.edges.get(name[0].text)
    if edge is None:
        context.report_unknown(name[0].text, name[0].span, "kind of edge", known)
        return None
    if not _joins_hexes(context, kind, edge.name):
        context.report(
            "T301",
            f"the hexes of a map cannot be joined by {edge.name}",
            name[0].span,
            notes=[Note(edge.span, "declared here")],
            help=f"Declare `edge {edge.name} from {kind.name} to {kind.name}`, with the one field "
            f"`{WAY}: 1 to 6`.",
        )
        return None
    if kind.key != "number":
        message = f"the hexes of a map are numbered, and {article(kind.name)} is not"
        context.report("T301", message, line.words[0].span, notes=[Note(kind.span, "here")])
        return None
    return context.program.kinds[edge.name]


def has_positions(context: Context, kind: Kind) -> bool:
    """Can the fields that say where a hex is drawn hold numbers? Reports one that cannot."""
    for field in kind.fields:
        if field.name in AXES and ANY_NUM not in members(field.type):
            context.report(
                "T301",
                f"the map says `{field.name}` of each {kind.name}, so that is a number",
                field.span,
                help=f"Write `{field.name}: number`.",
            )
            return False
    return True


def _joins_hexes(context: Context, kind: Kind, name: str) -> bool:
    """Do the edges lead from one hex to another, each in a direction?"""
    edge = context.program.edges[name]
    ends = [end.kind for side in edge.ends for end in side]
    return edge.one_way and ends == [kind.name] * 2 and _has_way(context.program.kinds[name])


def _has_way(schema: Kind) -> bool:
    """Has an edge a direction, and nothing else that would have to be said?"""
    needed = [f for f in schema.fields[1:] if f.name != WAY and not _may_be_left_out(f)]
    way = next((f.type for f in schema.fields if f.name == WAY), None)
    return not needed and way == Num(1, len(OFFSETS))


def _may_be_left_out(field: KindField) -> bool:
    return field.default is not None or not isinstance(field.type, Num | Named)


# ---------------------------------------------------------------- reading the drawing


def cells(context: Context, kind: Kind, line: t.Line) -> list[Cell]:
    """The hexes in the order of reading. What is wrong is reported, once a row or sign."""
    signs, whole = _signs(context, line)
    drawing = next((d for item in line.block if (d := _drawn(item))), ())
    if not drawing:
        help = "Write `rows`, and the rows as they lie below it."
        context.report("C503", "this map has no rows", line.span, help=help)
        context.incomplete.add(kind.name)
        return []
    found: list[Cell] = []
    first: int | None = None
    for row, drawn in enumerate(drawing):
        lead = len(drawn.text) - len(drawn.text.lstrip())
        placed = [(column, sign) for column, sign in enumerate(drawn.text) if not sign.isspace()]
        if first is None:
            first = placed[0][0]
        if not _aligned(context, placed, first, row, drawn.span, lead):
            context.incomplete.add(kind.name)
            continue
        for column, sign in placed:
            span = _place(drawn.span, column - lead)
            meant = signs.get(sign)
            if meant is None:
                if whole:
                    _unknown(context, sign, span, signs)
                context.incomplete.add(kind.name)
                continue
            number = len(found) + 1
            found.append(Cell(meant[0], meant[1], number, span, column - first, row))
    return found


def _drawn(item: t.Content) -> tuple[t.Drawn, ...]:
    """The rows of a drawing, if this is the line above them."""
    block = item.block if isinstance(item, t.Line) else ()
    return tuple(row for row in block if isinstance(row, t.Drawn))


def _signs(context: Context, line: t.Line) -> tuple[Signs, bool]:
    """What each sign means, as the words that an entry's head would hold; could all be read?"""
    found: Signs = {}
    whole = True
    drawn: t.Content | None = None
    for item in line.block:
        if _drawn(item) or (isinstance(item, t.Line) and text_of(item.words) == "rows"):
            if drawn is not None:
                note = Note(drawn.span, "first here")
                context.report("C506", "`rows` is given twice", item.span, notes=[note])
            drawn = drawn or item
        elif not _is_sign(item):
            help = "A map has lines such as `sign L: site Lake`, and `rows`."
            context.report("C510", "this has no meaning in a map", item.span, help=help)
            whole = False
        elif not _sign(context, item, found):
            whole = False
    return found, whole


def _is_sign(item: t.Content) -> TypeGuard[t.Line]:
    if not isinstance(item, t.Line) or item.words[0].text != "sign" or len(item.words) < 2:
        return False
    return len(item.words[1].text) == 1


def _sign(context: Context, line: t.Line, found: Signs) -> bool:
    """Enter ``sign L: site Lake``; reports what cannot be read."""
    head, _, tail = parts(line)
    sign = line.words[1]
    if len(head) > 2:
        missing_colon(context, sign, head[2:])
        return False
    if sign.text in found:
        note = Note(found[sign.text][0].span, "the first one")
        context.report("N202", f"`{sign.text}` has two meanings", sign.span, notes=[note])
        return True
    found[sign.text] = line, tuple(tail)
    return True


def _unknown(context: Context, sign: str, span: Span, signs: Iterable[str]) -> None:
    help = did_you_mean(suggest(sign, list(signs))) or f"Write `sign {sign}: …` above the rows."
    context.report_unknown(sign, span, "sign", list(signs), code="N206", help=help)


def _aligned(
    context: Context,
    placed: list[tuple[int, str]],
    first: int,
    row: int,
    span: Span,
    lead: int,
) -> bool:
    """Do the signs of a row stand where hexes are? Reports the first that does not."""
    for place, (column, sign) in enumerate(placed, 1):
        off = (column - first - STEP // 2 * row) % STEP
        if off:
            move = f"{off} to the left" if off <= STEP // 2 else f"{STEP - off} to the right"
            context.report(
                "C504",
                f"row {row + 1} of this map lies between hexes at its {_ordinal(place)} sign",
                _place(span, column - lead),
                help=f"Move `{sign}` {move}: signs are {STEP} apart, and every second row begins "
                f"{STEP // 2} further in.",
            )
            return False
    return True


def _place(span: Span, offset: int) -> Span:
    column = span.column + offset
    return Span(span.file, span.line, column, span.line, column + 1)


def _ordinal(number: int) -> str:
    endings = {1: "st", 2: "nd", 3: "rd"}
    teens = 10 < number % 100 < 20
    return f"{number}{'th' if teens else endings.get(number % 10, 'th')}"


def steps(found: Sequence[Cell]) -> Iterator[tuple[Cell, Cell, int]]:
    """The edges of a map: from a hex to a neighbour, and in which direction."""
    at = {(cell.column, cell.row): cell for cell in found}
    for cell in found:
        for way, (right, down) in enumerate(OFFSETS, 1):
            other = at.get((cell.column + right, cell.row + down))
            if other is not None:
                yield cell, other, way
