"""What the formatter prints: the logical lines of a file, with their comments and levels."""

from __future__ import annotations

from attrs import Factory, define, frozen

from rulelang.syntax.concrete import Token
from rulelang.syntax.layout import Tokens, measure
from rulelang.syntax.tree import Comment
from rulelang.syntax.vocabulary import OPENS_RULES_BOOK


@define
class Row:
    """A logical line: its tokens, and the comments on it."""

    tokens: list[Token]
    level: int
    """How many blocks it stands in."""
    rules_book: bool
    first: int
    last: int
    """The physical lines it is written on."""
    inner: dict[int, list[Comment]] = Factory(dict)
    """Comments before the token of that index, on an earlier physical line than it."""
    trailing: Comment | None = None

    @property
    def is_table(self) -> bool:
        """Is it a line with columns, and laid out freely?"""
        return not self.inner and any(token.type == "BAR" for token in self.tokens)


@frozen
class Note:
    """A comment on a line of its own, between logical lines."""

    comment: Comment
    level: int

    @property
    def first(self) -> int:
        """The line it stands on."""
        return self.comment.span.line

    last = first


Item = Row | Note


def items(text: str, scanned: Tokens) -> list[Item]:
    """The logical lines and the comments between them, in order; of a file without errors."""
    rows = _rows(scanned.tokens)
    notes = _place_comments(rows, scanned.comments)
    indents = [measure(number, line).indent for number, line in enumerate(text.split("\n"), 1)]
    found: list[Item] = []
    stack: list[int] = []  # where the lines of each level begin
    level = 0
    for row in [*rows, None]:
        below = row.level if row is not None else 0
        if row is not None and row.tokens[0].type == "DRAWN":
            below -= 1  # deeper, a comment would be drawn
        while notes and (row is None or notes[0].span.line < row.first):
            comment = notes.pop(0)
            indent = indents[comment.span.line - 1]
            found.append(Note(comment, _level_of(indent, stack, level, below)))
        if row is not None:
            level = row.level
            stack[level:] = [indents[row.first - 1]]
            found.append(row)
    return found


def _rows(tokens: list[Token]) -> list[Row]:
    rows: list[Row] = []
    current: list[Token] = []
    level = 0
    rules_book = False
    for token in tokens:
        if token.type in ("_INDENT", "_DEDENT"):
            level += 1 if token.type == "_INDENT" else -1
        elif token.type != "_NL":
            current.append(token)
        elif current:
            if level == 0:
                rules_book = str(current[0]) in OPENS_RULES_BOOK
            first, last = current[0].line, current[-1].end_line
            rows.append(Row(current, level, rules_book, first, last))
            current = []
    return rows


def _place_comments(rows: list[Row], comments: list[Comment]) -> list[Comment]:
    """Attach the comments that stand on or within logical lines; the others."""
    others: list[Comment] = []
    position = 0
    for comment in comments:
        line = comment.span.line
        while position < len(rows) and rows[position].last < line:
            position += 1
        if position == len(rows) or line < rows[position].first:
            others.append(comment)
            continue
        row = rows[position]
        if line == row.last:
            row.trailing = comment
        else:
            index = sum(token.line <= line for token in row.tokens)
            row.inner.setdefault(index, []).append(comment)
    return others


def _level_of(indent: int, stack: list[int], above: int, below: int) -> int:
    """The level of a comment between lines of the levels ``above`` and ``below``."""
    for level in range(min(above, len(stack) - 1), below, -1):
        if stack[level] <= indent:
            return level
    return below
