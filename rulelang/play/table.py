"""The table as a seat sees it: the fields of the state, with no knowledge of any game.

The rendering here and the comparison in `changes` both work on the cells that `cells.seen` reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulelang.play.board import board_lines, said_by_board
from rulelang.play.cells import Cell, Hidden
from rulelang.play.screen import Screen, columns, flow, pad
from rulelang.play.words import counted, name_of
from rulelang.program.linking import Linked
from rulelang.program.types import FLAG, Many, Named, Table, Type, members
from rulelang.program.values import Entry, Pile, Value
from rulelang.wording import capital

_NAMED_OF_A_PILE = 5


# ---------------------------------------------------------------- single values


def is_blank(value: Value) -> bool:
    """Is there nothing to show? Zero is something: a purse may be empty."""
    if isinstance(value, Hidden):
        return value.count == 0
    return (
        value is None
        or value is False
        or (isinstance(value, str | tuple | Pile) and not len(value))
    )


def is_idle(cell: Cell) -> bool:
    """Blank, zero, a map of such, or still as at the start: no reason to show its owner."""
    if cell.value == cell.start and isinstance(cell.value, int):
        return True
    if isinstance(cell.field.type, Table) and isinstance(cell.value, tuple):
        return not _pairs(cell)
    return is_blank(cell.value) or (isinstance(cell.value, int) and cell.value == 0)


def is_long(cell: Cell) -> bool:
    """Does it list names, so that it wants a line of its own?"""
    value = cell.value
    if isinstance(value, Hidden):
        return bool(value.known)
    if isinstance(value, Pile):
        return len(value) <= _NAMED_OF_A_PILE
    return isinstance(value, tuple)


def amount(cell: Cell) -> str:
    """A number or single name; places and piles as a count."""
    value = cell.value
    if isinstance(value, Hidden):
        return "hidden" if value.count is None else _count(value.count, cell.field.type)
    if isinstance(value, Pile):
        top = f", {name_of(value.top[0])} on top" if value.top else ""
        return _count(len(value), cell.field.type) + top
    return name_of(value)


def items(cell: Cell) -> list[str]:
    """The names that a cell lists; several of the same are one, with how many."""
    value = cell.value
    if isinstance(value, Hidden):
        return _several(value.known)
    if isinstance(cell.field.type, Table):
        return [f"{key} {text}" for key, text in _pairs(cell)]
    if isinstance(value, Pile):
        return _several((*value.top, *value.pool, *value.bottom))
    return [name_of(item) for item in value] if in_order(cell) else _several(value)


def in_order(cell: Cell) -> bool:
    """Does the order of what lies there count?"""
    kind = cell.field.type
    return isinstance(kind, Many) and kind.form in ("row", "list")


def _several(values: tuple[Value, ...]) -> list[str]:
    counts = Counter(name_of(value) for value in values)
    return [name if count == 1 else f"{name} ×{count}" for name, count in counts.items()]


def _count(count: int, kind: Type) -> str:
    item = kind.item if isinstance(kind, Many) else kind
    domain = next((m.domain for m in members(item) if isinstance(m, Named)), "item")
    return counted(count, domain)


def _pairs(cell: Cell) -> list[tuple[str, str]]:
    """The keys of a map that hold something."""
    pairs = zip(cell.keys, cell.value, strict=False)
    return [(name_of(k), name_of(v)) for k, v in pairs if not is_blank(v) and v != 0]


# ---------------------------------------------------------------- the whole table


def table(screen: Screen, linked: Linked, cells: Sequence[Cell], seat: int | None) -> list[str]:
    """The lines of the table, for a seat (None: a bystander). What is empty is left out.

    Where things stand on a board is said place by place, and not again for each of them.
    """
    painter = _Painter(screen, linked, seat)
    on_board = said_by_board(linked, cells)
    others = [cell for cell in cells if cell.field.key not in on_board]
    lines = painter.block("", [cell for cell in others if cell.owner is None])
    lines += board_lines(screen, linked, cells)
    for domain in dict.fromkeys(cell.field.per for cell in others if cell.field.per):
        lines += painter.owners([cell for cell in others if cell.field.per == domain])
    return lines


def takes_part(cells: Sequence[Cell]) -> set[Entry]:
    """The owners who have something, or something that changed since the start."""
    return {cell.owner for cell in cells if cell.owner is not None and not is_idle(cell)}


def owner_name(linked: Linked, owner: Entry, seat: int | None) -> str:
    """The heading of an owner's block."""
    if owner.domain != "Player" or owner.index != seat:
        return capital(name_of(owner))
    return "You" if len(linked.players) == 1 else f"You ({name_of(owner)})"


class _Painter:
    """Lays out blocks of one table."""

    def __init__(self, screen: Screen, linked: Linked, seat: int | None) -> None:
        self.screen = screen
        self.linked = linked
        self.seat = seat

    def owners(self, cells: list[Cell]) -> list[str]:
        """The blocks of all owners of one domain who have something: a grid if that will do."""
        blocks: dict[Entry, list[Cell]] = {}
        for cell in cells:
            assert cell.owner is not None
            blocks.setdefault(cell.owner, []).append(cell)
        present = takes_part(cells)
        shown = {owner: own for owner, own in blocks.items() if owner in present}
        if len(shown) > 1 and not any(is_long(cell) for cell in cells):
            return self._grid(shown)
        lines = []
        for owner, own in shown.items():
            lines += self.block(owner_name(self.linked, owner, self.seat), own)
        return lines

    def block(self, title: str, cells: list[Cell]) -> list[str]:
        """One owner's values: short ones on a line, then a line for each place."""
        shown = [cell for cell in cells if not self._dull(cell)]
        long = [cell for cell in shown if is_long(cell)]
        short = [self._short(cell) for cell in shown if not is_long(cell)]
        width = self.screen.width
        indent = "    " if title else "  "
        first = self.screen.style(f"  {title}  ", "bold") if title else indent
        lines = flow(short, glue=" ·", first=first, rest=indent, width=width)
        if title and not lines:
            lines.append(self.screen.style(f"  {title}", "bold"))
        column = max((len(cell.name) for cell in long), default=0) + 2
        for cell in long:
            first = indent + self.screen.style(pad(cell.name, column), "dim")
            rest = indent + " " * column
            if isinstance(cell.value, Hidden):
                first += f"{amount(cell)}, known to you: "
            mark = " ›" if in_order(cell) else ","
            lines += flow(items(cell), glue=mark, first=first, rest=rest, width=width)
        return lines

    def _dull(self, cell: Cell) -> bool:
        """Nothing to show, or nothing that could be otherwise."""
        lone = len(self.linked.players) == 1 and cell.field.type == Named("Player")
        return lone or is_blank(cell.value) or (isinstance(cell.value, tuple) and not items(cell))

    def _short(self, cell: Cell) -> str:
        label = self.screen.style(cell.name, "dim")
        return (
            label if cell.field.type == FLAG and cell.value is True else f"{label} {amount(cell)}"
        )

    def _grid(self, shown: dict[Entry, list[Cell]]) -> list[str]:
        names = [cell.name for cell in next(iter(shown.values()))]
        rows = [
            [owner_name(self.linked, o, self.seat), *map(_in_grid, own)] for o, own in shown.items()
        ]
        kept = [n for n in range(1, len(names) + 1) if any(row[n] for row in rows)]
        used = [0, *kept]
        heading = ["", *names]
        widths = [max(columns(row[n]) for row in [heading, *rows]) + 2 for n in used]
        if sum(widths) + 2 > self.screen.width:
            return [
                line
                for o, own in shown.items()
                for line in self.block(owner_name(self.linked, o, self.seat), own)
            ]
        lines = [
            "  "
            + "".join(
                self.screen.style(pad(heading[n], w), "dim")
                for n, w in zip(used, widths, strict=True)
            )
        ]
        for row in rows:
            first = self.screen.style(pad(row[0], widths[0]), "bold")
            lines.append(
                "  "
                + first
                + "".join(pad(row[n], w) for n, w in zip(kept, widths[1:], strict=True))
            )
        return [line.rstrip() for line in lines]


def _in_grid(cell: Cell) -> str:
    return "" if is_blank(cell.value) else amount(cell)
