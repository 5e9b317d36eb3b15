"""Printed text of which every piece knows the place in the JSON that it comes from."""

from __future__ import annotations

from attrs import Factory, define, frozen

from rulelang.content.shapes import Json, pointer
from rulelang.diagnostic import Diagnostic, Note, Span, make

JSON_FILE = "<json>"
"""What diagnostics call the JSON."""


@frozen
class Piece:
    """Some words, and the JSON pointer of what they say."""

    text: str
    at: str


Pieces = tuple[Piece, ...]


class Slip(Exception):
    """The JSON cannot be written as content."""

    def __init__(
        self, at: str, message: str, *, code: str = "C511", help: str | None = None
    ) -> None:
        super().__init__(message)
        self.at = at
        self.message = message
        self.code = code
        self.help = help


@define
class Page:
    """Lines of content in the making."""

    lines: list[Pieces] = Factory(list)

    def line(self, level: int, *pieces: Piece) -> None:
        """Add a line, ``level`` blocks deep."""
        self.lines.append((Piece("  " * level, pieces[0].at), *pieces))

    def text(self) -> str:
        """The whole text."""
        return "".join("".join(piece.text for piece in line) + "\n" for line in self.lines)

    def at(self, line: int, column: int) -> str:
        """The pointer of what stands at a line and column, both from 1."""
        if not 1 <= line <= len(self.lines):
            return ""
        at = ""
        for piece in self.lines[line - 1]:
            at = piece.at
            column -= len(piece.text)
            if column < 1:
                break
        return at


def joined(parts: list[Pieces], sign: str, at: str) -> Pieces:
    """The parts with a sign between them."""
    found: list[Piece] = []
    for part in parts:
        if found:
            found.append(Piece(sign, at))
        found += part
    return tuple(found)


# ---------------------------------------------------------------- places in the JSON


class Places:
    """Where in the JSON a pointer leads to, as `json.dumps` with an indent of 2 lays it out."""

    def __init__(self, data: Json) -> None:
        self.found: dict[str, tuple[int, int]] = {}
        self._walk(data, "", 1, 1)

    def _walk(self, data: Json, at: str, line: int, depth: int) -> int:
        """Note the value's place; the line that it ends on."""
        self.found[at] = line, 2 * depth - 1
        if not isinstance(data, dict | list) or not data:
            return line
        items = data.items() if isinstance(data, dict) else enumerate(data)
        for step, item in items:
            line = self._walk(item, pointer(at, step), line + 1, depth + 1)
        return line + 1

    def span(self, at: str) -> Span:
        """The place of a pointer, or of the nearest value around it."""
        while at not in self.found:
            at = at.rpartition("/")[0]
        line, column = self.found[at]
        return Span(JSON_FILE, line, column, line, column + 1)

    def diagnostic(self, slip: Slip) -> Diagnostic:
        """What is wrong, at its place."""
        span = self.span(slip.at)
        return make(slip.code, slip.message, span, help=slip.help, notes=[_place(span, slip.at)])

    def placed(self, found: Diagnostic, page: Page, file: str) -> Diagnostic:
        """A diagnostic of the printed ``file``, at its place in the JSON; others as they are."""
        notes = [
            Note(self.span(page.at(n.span.line, n.span.column)), n.label)
            if n.span.file == file
            else n
            for n in found.notes
        ]
        if found.span.file != file:
            return make(
                found.code, found.message, found.span, help=found.help, notes=notes, fix=found.fix,
                label=found.label,
            )  # fmt: skip
        at = page.at(found.line, found.column)
        span = self.span(at)
        return make(
            found.code, found.message, span, help=found.help, notes=[_place(span, at), *notes],
            label=found.label,
        )  # fmt: skip


def _place(span: Span, at: str) -> Note:
    return Note(span, f"at {at or 'the top'}")
