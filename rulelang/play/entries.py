"""An entry in full: everything that it says, for a player who asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulelang.diagnostic import suggest
from rulelang.display import printable
from rulelang.play.cells import Cell
from rulelang.play.screen import Screen, flow, pad, paragraph
from rulelang.play.table import amount, in_order, is_blank, is_long, items
from rulelang.play.words import field_name, name_of
from rulelang.program.linking import Linked
from rulelang.program.program import PLACE, Program
from rulelang.program.types import Table, Type
from rulelang.program.values import Effect, Entry, Script, Value, figures
from rulelang.reading import Reading, filled, inner_heading
from rulelang.wording import capital, folded, noun

_DEPTH = 4


class Library:
    """The entries of a game, as a player asks for them."""

    def __init__(self, screen: Screen, linked: Linked) -> None:
        self.screen = screen
        self.linked = linked
        self._reading = Reading(linked.program, linked.mode)
        self._parents: dict[Entry, Entry] | None = None

    @property
    def _program(self) -> Program:
        return self.linked.program

    def whole(self, entry: Entry) -> Entry:
        """The entry, or the one that it is printed on."""
        if self._parents is None:
            self._parents = {}
            for kind in self._program.kinds:
                for owner in self._program.domains[kind].entries:
                    for part in _parts(self._program, owner.fields):
                        self._parents[part] = owner
        return self._parents.get(entry, entry)

    def find(self, words: str) -> list[Entry]:
        """Entries by name, by kind and key, or by the beginning of their name."""
        wanted = folded(words)
        known = [
            entry
            for kind, schema in self._program.kinds.items()
            if schema.key
            for entry in self._program.domains[kind].entries
        ]
        names = [tuple(map(folded, _names(e))) for e in known]
        exact = [e for e, own in zip(known, names, strict=True) if wanted in own]
        if exact or not wanted:
            return exact
        begins = [e for e, own in zip(known, names, strict=True) if own[0].startswith(wanted)]
        return begins or [e for e, own in zip(known, names, strict=True) if f" {wanted}" in own[0]]

    def near(self, words: str) -> list[str]:
        """Names that may have been meant."""
        known = [
            e.text
            for kind, k in self._program.kinds.items()
            if k.key
            for e in self._program.domains[kind].entries
        ]
        return suggest(words, known)

    # ------------------------------------------------------------ rendering

    def in_full(self, entry: Entry, cells: Sequence[Cell], indent: str = "  ") -> list[str]:
        """The entry's name, all its fields, and what the table holds for it."""
        style = self.screen.style
        kind = (
            style(f"  {noun(entry.domain)}", "dim") if entry.domain in self._program.kinds else ""
        )
        lines = [f"{indent}{style(capital(name_of(entry)), 'bold')}{kind}"]
        lines += self._fields(entry, indent + "  ", 0)
        own = [cell for cell in cells if cell.owner is entry and not is_blank(cell.value)]
        lines += self._states(own, indent + "  ")
        return lines

    def _fields(self, entry: Entry, indent: str, depth: int) -> list[str]:
        shown = [
            (field_name(name), value)
            for name, value in self._told(entry)
            if not is_blank(value) and not (isinstance(value, str) and value == entry.text)
        ]
        column = max((len(name) for name, _ in shown), default=0) + 2
        lines = []
        for name, value in shown:
            first = indent + self.screen.style(pad(name, column), "dim")
            lines += self._value(value, first, indent + " " * column, depth)
        return lines

    def _told(self, entry: Entry) -> Iterator[tuple[str, Value]]:
        """The fields to be shown: maps by their keys, without what a heading has said."""
        kind = self._program.kinds.get(entry.domain)
        types = {} if kind is None else {field.name: field.type for field in kind.fields}
        for name, value in entry.fields_by_name.items():
            if not (name == PLACE and kind is not None and kind.numbered):
                yield name, self._of_map(value, types.get(name))

    def _of_map(self, value: Value, kind: Type | None) -> Value:
        """What a map holds as words; any other value as it is."""
        if not isinstance(kind, Table) or not isinstance(value, tuple):
            return value
        keys = self._program.domains[kind.key.domain].entries
        return tuple(f"{name_of(k)} {self._said(item)}" for k, item in filled(keys, value))

    def _value(self, value: Value, first: str, rest: str, depth: int) -> list[str]:
        width = self.screen.width
        if isinstance(value, Script):
            text = "\n".join(map(str, self._reading.steps(value.steps))) or "nothing"
            return _running(text, first, rest, width)
        if isinstance(value, str) and "\n" in value:
            return _running(value, first, rest, width)
        parts = value if isinstance(value, tuple) else (value,)
        if any(self._is_part(part) for part in parts) and depth < _DEPTH:
            lines = []
            for number, part in enumerate(parts):
                lines += self._part(part, rest if number else first, rest, depth)
            return lines
        if isinstance(value, tuple) and not any(isinstance(part, str) for part in parts):
            return flow(
                [self._said(part) for part in parts], glue=",", first=first, rest=rest, width=width
            )
        text = ", ".join(self._said(part) for part in parts)
        return paragraph(text, first=first, rest=rest, width=width)

    def _part(self, part: Value, first: str, rest: str, depth: int) -> list[str]:
        """A box on a card, a line of a chart: its variant, and what it says."""
        if not self._is_part(part):
            return self._value(part, first, rest, depth + 1)
        kind = self._program.kinds[part.domain]
        if kind.numbered:
            head = self.screen.style(printable(inner_heading(part, kind)), "bold")
            below = self._fields(part, rest + "  ", depth + 1) or [f"{rest}  nothing"]
            return [first + head, *below]
        title = f"{part.variant.replace('_', ' ')}: " if part.variant else ""
        values = [value for value in part.fields if not is_blank(value)]
        if len(values) <= 1:
            return self._value(
                values[0] if values else "nothing", first + title, rest + "  ", depth + 1
            )
        head = title or "• "
        return [first + head.rstrip(), *self._fields(part, rest + "  ", depth + 1)]

    def _said(self, value: Value) -> str:
        if isinstance(value, Effect):
            return printable(self._reading.words.effect(value))
        if isinstance(value, tuple):
            return ", ".join(map(self._said, value))
        return name_of(value)

    def _is_part(self, value: Value) -> bool:
        if not isinstance(value, Entry):
            return False
        kind = self._program.kinds.get(value.domain)
        return kind is not None and not kind.key

    def _states(self, cells: list[Cell], indent: str) -> list[str]:
        width = self.screen.width
        short = [f"{self.screen.style(c.name, 'dim')} {amount(c)}" for c in cells if not is_long(c)]
        lines = flow(short, glue=" ·", first=indent, rest=indent, width=width)
        for cell in cells:
            if is_long(cell):
                lines += self.place(cell, indent)
        return lines

    def place(self, cell: Cell, indent: str = "  ") -> list[str]:
        """Everything that lies in one place."""
        style, width = self.screen.style, self.screen.width
        whose = f" of {name_of(cell.owner)}" if cell.owner is not None else ""
        first = f"{indent}{style(cell.name + whose, 'bold')}  "
        names = items(cell)
        if not names:
            return [first + (amount(cell) if not is_blank(cell.value) else "empty")]
        mark = " ›" if in_order(cell) else ","
        return flow(names, glue=mark, first=first, rest=indent + "  ", width=width)


def _names(entry: Entry) -> tuple[str, ...]:
    """What a player may call an entry, its name first."""
    key = f"{noun(entry.domain)} {figures(entry.key)}"
    return entry.text, entry.label, str(entry.key), name_of(entry), key


def _parts(program: Program, values: Sequence[Value], depth: int = 0) -> list[Entry]:
    """The entries without a key of their own in some values, however deep."""
    found: list[Entry] = []
    for value in values:
        if isinstance(value, tuple):
            found += _parts(program, value, depth)
        elif isinstance(value, Entry) and depth < _DEPTH:
            kind = program.kinds.get(value.domain)
            if kind is not None and not kind.key:
                found += [value, *_parts(program, value.fields, depth + 1)]
    return found


def _running(text: str, first: str, rest: str, width: int) -> list[str]:
    """A text of several lines, each with its own indentation."""
    lines = []
    for number, line in enumerate(text.strip("\n").split("\n")):
        depth = len(line) - len(line.lstrip(" "))
        lead = rest + " " * depth
        lines += paragraph(line, first=lead if number else first, rest=lead + "  ", width=width)
    return lines
