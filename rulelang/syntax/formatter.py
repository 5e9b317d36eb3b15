"""The formatter: one settled layout for everything that can be written.

What is printed are the tokens, so that nothing an author wrote can get lost; which blanks, line
breaks and blank lines stand between them is settled here. The result is given out only if it reads
as the same tree, keeps every comment, and is left alone by a second run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from rulelang.errors import Error, RuleError
from rulelang.syntax.format_source import Item, Note, Row, items
from rulelang.syntax.format_words import WIDTH, Word, fill, line_text, words
from rulelang.syntax.layout import scan
from rulelang.syntax.parser import Parsed, grammar, parse
from rulelang.syntax.tree import Comment

INDENT = 2
"""Blanks a block is indented by."""
FURTHER = 4
"""Blanks by which the further physical lines of a logical line are indented more."""


class FormattingError(Error):
    """The formatter would have changed what a file says, and so leaves it as it is."""


def format_text(text: str, name: str = "<text>") -> str:
    """``text`` in the settled layout; ``name`` is what diagnostics call its file.

    RuleError, with all diagnostics, if it has syntax errors. FormattingError if the result would
    not say the same, would lose a comment, or would not be final.
    """
    parsed = _parse(text, name)
    formatted = _layout(text, name)
    try:
        again = _parse(formatted, name)
    except RuleError as error:
        raise FormattingError(f"{name}: the formatted text cannot be read: {error}") from error
    if again.file.declarations != parsed.file.declarations:
        raise FormattingError(f"{name}: the formatted text does not say the same")
    if list(map(_said, again.file.comments)) != list(map(_said, parsed.file.comments)):
        raise FormattingError(f"{name}: a comment would be lost or moved")
    if _layout(formatted, name) != formatted:
        raise FormattingError(f"{name}: a second run would change the formatted text")
    return formatted


def _parse(text: str, name: str) -> Parsed:
    parsed = parse(text, name)
    if any(diagnostic.severity == "error" for diagnostic in parsed.diagnostics):
        raise RuleError(parsed.diagnostics)
    return parsed


def _said(comment: Comment) -> tuple[str, bool]:
    return comment.text.strip(), comment.own_line


def _layout(text: str, name: str) -> str:
    found = items(text, scan(text, name, grammar().vocabulary))
    tables = _tables(found)
    lines: list[str] = []
    previous: Item | None = None
    for item in found:
        if previous is not None and item.level <= previous.level and item.first > previous.last + 1:
            lines.append("")
        if isinstance(item, Note):
            lines.append(" " * INDENT * item.level + _comment(item.comment))
        elif id(item) in tables:
            lines.extend(tables[id(item)])
        else:
            lines.extend(_row(item))
        previous = item
    return "".join(line + "\n" for line in lines)


def _comment(comment: Comment) -> str:
    return f"# {comment.text}" if comment.text[:1].isalnum() else f"#{comment.text}"


# ---------------------------------------------------------------- rows


def _row(row: Row) -> list[str]:
    kind = row.tokens[0].type
    margin = " " * INDENT * row.level
    if kind == "STORY":
        return _story(str(row.tokens[0]), margin)
    if kind == "DRAWN":
        return [margin + str(row.tokens[0])]
    further = margin + " " * FURTHER
    line = words(row.tokens, rules_book=row.rules_book)
    printed: list[str] = []
    start = 0
    for end in [*sorted(row.inner), len(line)]:
        indent = further if start else margin
        for broken in fill(line[start:end], len(indent), len(further)):
            printed.append((further if printed else margin) + line_text(broken))
        for comment in row.inner.get(end, ()):
            if comment.own_line:
                printed.append(further + _comment(comment))
            else:
                printed[-1] += "  " + _comment(comment)
        start = end
    return _with_trailing(printed, row)


def _with_trailing(printed: list[str], row: Row) -> list[str]:
    if row.trailing is not None:
        printed[-1] += "  " + _comment(row.trailing)
    return printed


def _story(text: str, margin: str) -> list[str]:
    printed = [f"{margin}story:"]
    for word in re.split(r"(?<=\S) (?=\S)", text) if text else ():
        if len(printed[-1]) + 1 + len(word) > WIDTH and printed[-1].strip() != "story:":
            printed.append(margin + " " * FURTHER + word)
        else:
            printed[-1] += f" {word}"
    return printed


# ---------------------------------------------------------------- tables


def _tables(found: Sequence[Item]) -> dict[int, list[str]]:
    """The printed lines of all rows with columns, by the identity of the row."""
    printed: dict[int, list[str]] = {}
    rows = [item for item in found if isinstance(item, Row)]
    for (is_table, _, _), group in groupby(rows, _table_of):
        if is_table:
            printed.update(_table(list(group)))
    return printed


def _table_of(row: Row) -> tuple[bool, int, bool]:
    """Rows with the same key that follow each other are aligned."""
    return row.is_table, row.level, row.tokens[0].type == "BAR"


def _table(rows: Sequence[Row]) -> dict[int, list[str]]:
    cells = [_cells(row) for row in rows]
    widths = [0] * max(map(len, cells))
    for row_cells in cells:
        for column, cell in enumerate(row_cells[:-1]):
            widths[column] = max(widths[column], len(cell))
    printed: dict[int, list[str]] = {}
    for row, row_cells in zip(rows, cells, strict=True):
        padded = [cell.ljust(width) for cell, width in zip(row_cells, widths, strict=False)]
        line = " | ".join([*padded[:-1], row_cells[-1]])
        printed[id(row)] = _table_row(row, line if widths[0] else line.lstrip())
    return printed


def _table_row(row: Row, line: str) -> list[str]:
    margin = " " * INDENT * row.level
    head = (margin + line).rstrip()
    cites = line_text(_cites(row))
    if not cites:
        return _with_trailing([head], row)
    if len(head) + 2 + len(cites) <= WIDTH:
        return _with_trailing([f"{head}  {cites}"], row)
    further = margin + " " * FURTHER
    broken = fill(_cites(row), len(further), len(further))
    return _with_trailing([head, *(further + line_text(part) for part in broken)], row)


def _cells(row: Row) -> list[str]:
    cells: list[list[Word]] = [[]]
    for token, word in zip(row.tokens, words(row.tokens, rules_book=False), strict=True):
        if token.type == "CITES":
            break
        if token.type == "BAR":
            cells.append([])
        else:
            cells[-1].append(word)
    return [line_text(cell) for cell in cells]


def _cites(row: Row) -> list[Word]:
    types = [token.type for token in row.tokens]
    if "CITES" not in types:
        return []
    return words(row.tokens, rules_book=False)[types.index("CITES") :]
