"""Source lines with the places of a diagnostic marked under them."""

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from attrs import frozen

from rulelang.diagnostic import Span
from rulelang.display import printable, show, width

MAX_WIDTH = 120
"""Source lines that take more cells than this are cut to a window around what is marked."""

_CONTEXT = 30
_CUT = "..."

Piece = tuple[str, str]
"""Some text and the name of its style: a severity, "secondary", "gutter", or "" for plain."""


@frozen
class Mark:
    """A place to mark with a style: carets if it is the primary one, else dashes."""

    span: Span
    label: str
    style: str

    @property
    def primary(self) -> bool:
        """Whether this is the place that the diagnostic is about."""
        return self.style != "secondary"


@frozen
class Row:
    """A row of a snippet: its number if it shows a source line, and what follows the bar."""

    number: int | None
    pieces: tuple[Piece, ...]
    gap: bool = False


@frozen
class _Placed:
    """A mark in cells from the left edge of the shown text, the right one exclusive."""

    mark: Mark
    left: int
    right: int


def layout(lines: Sequence[str], marks: Sequence[Mark]) -> tuple[list[Row], list[Mark]]:
    """The rows that show all marks in line order, and the marks that had no room in them."""
    rows: list[Row] = []
    homeless = [mark for mark in marks if not 1 <= mark.span.line <= len(lines)]
    shown = sorted(set(marks) - set(homeless), key=lambda mark: (mark.span, mark.label))
    groups = {line: list(group) for line, group in groupby(shown, lambda mark: mark.span.line)}
    for line, following in pairwise([*groups, None]):
        assert line is not None  # only the last is None, and it is never the first of a pair
        more, left_out = _annotate(lines[line - 1], line, groups[line])
        rows += more
        homeless += left_out
        if following == line + 2:
            rows += _annotate(lines[line], line + 1, [])[0]
        elif following is not None and following > line + 2:
            rows.append(Row(None, (), gap=True))
    return rows, homeless


def _annotate(text: str, number: int, marks: Sequence[Mark]) -> tuple[list[Row], list[Mark]]:
    text = text.removesuffix("\r")
    start, stop = _window(text, [_extent(text, mark) for mark in marks], marks)
    lead = _CUT if start else ""
    tail = _CUT if stop < len(text) else ""
    shown = lead + "".join(map(show, text[start:stop])) + tail
    placed: list[_Placed] = []
    homeless: list[Mark] = []
    for mark in marks:
        first, last = _extent(text, mark)
        if first > stop or (last <= start and start):
            homeless.append(mark)
            continue
        left = len(lead) + sum(map(width, text[start : max(first, start)]))
        right = len(lead) + sum(map(width, text[start : min(last, stop)]))
        placed.append(_Placed(mark, left, max(right, left + 1)))
    rows = [Row(number, ((shown.rstrip(), ""),))]
    rows += [Row(None, pieces) for pieces in _marker_rows(placed)]
    return rows, homeless


def _extent(text: str, mark: Mark) -> tuple[int, int]:
    """Where the mark begins and ends in the text; one over several lines ends with the first."""
    last = len(text.rstrip()) if mark.span.end_line > mark.span.line else mark.span.end_column - 1
    first = min(max(mark.span.column - 1, 0), len(text))
    return first, max(min(last, len(text)), first)


def _window(
    text: str, extents: Sequence[tuple[int, int]], marks: Sequence[Mark]
) -> tuple[int, int]:
    """Which characters of a line to show: all, else those around the marks or the primary one."""
    if len(text) <= MAX_WIDTH and sum(map(width, text)) <= MAX_WIDTH:
        return 0, len(text)
    if not extents:
        return 0, _forward(text, 0, MAX_WIDTH)
    everything = min(first for first, _ in extents), max(last for _, last in extents)
    focus = next(
        (extent for extent, mark in zip(extents, marks, strict=True) if mark.primary), extents[0]
    )
    for first, last in (everything, focus):
        start = _back(text, first, _CONTEXT)
        stop = _forward(text, start, MAX_WIDTH)
        if last <= stop:
            break
    return (_back(text, stop, MAX_WIDTH), stop) if stop == len(text) else (start, stop)


def _back(text: str, position: int, cells: int) -> int:
    # A character of no width still counts: a line may have any number of them.
    while position > 0 and (cells := cells - max(width(text[position - 1]), 1)) >= 0:
        position -= 1
    return position


def _forward(text: str, position: int, cells: int) -> int:
    while position < len(text) and (cells := cells - max(width(text[position]), 1)) >= 0:
        position += 1
    return position


def _marker_rows(placed: Sequence[_Placed]) -> Iterator[tuple[Piece, ...]]:
    """The marks; the last label beside them; the other labels hung below, from right to left."""
    if not placed:
        return
    painted: dict[int, Piece] = {}
    for each in sorted(placed, key=lambda each: each.mark.primary):
        sign = "^" if each.mark.primary else "-"
        painted |= dict.fromkeys(range(each.left, each.right), (sign, each.mark.style))
    pending = sorted(
        (each for each in placed if each.mark.label),
        key=lambda each: (each.left, each.right, each.mark.primary),
    )
    beside: tuple[Piece, ...] = ()
    if pending and pending[-1].right >= max(painted) + 1:
        mark = pending.pop().mark
        beside = ((" " + printable(mark.label), mark.style),)
    yield _runs(painted) + beside
    if pending:
        yield _runs(_bars(pending))
    while pending:
        last = pending.pop()
        bars = {cell: bar for cell, bar in _bars(pending).items() if cell < last.left}
        before = _runs(bars)
        indent = last.left - sum(len(text) for text, _ in before)
        yield (*before, (" " * indent, ""), (printable(last.mark.label), last.mark.style))


def _bars(placed: Sequence[_Placed]) -> dict[int, Piece]:
    return {each.left: ("|", each.mark.style) for each in placed}


def _runs(painted: dict[int, Piece]) -> tuple[Piece, ...]:
    """Painted cells from the left edge on, neighbours of one style together."""
    cells = [painted.get(cell, (" ", "")) for cell in range(max(painted, default=-1) + 1)]
    runs = groupby(cells, lambda cell: cell[1])
    return tuple(("".join(sign for sign, _ in run), style) for style, run in runs)
