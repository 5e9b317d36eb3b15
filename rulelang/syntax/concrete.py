"""The concrete syntax: tokens, and the tree that the grammar makes of them.

Both say what they are by ``type``, the name of a terminal or of a grammar rule, and where they
stand. They are made by the ten thousands, so that they are plain objects with slots.
"""

from __future__ import annotations


class Token:
    """A word, a sign, or a piece of layout."""

    __slots__ = ("column", "end_column", "end_line", "line", "text", "type")

    def __init__(
        self, type: str, text: str, line: int, column: int, end_line: int, end_column: int
    ) -> None:
        self.type = type
        self.text = text
        self.line = line
        self.column = column
        self.end_line = end_line
        self.end_column = end_column

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Token({self.type!r}, {self.text!r})"


class Tree:
    """What a grammar rule matched; it begins on line 0 if that is nothing."""

    __slots__ = ("children", "column", "end_column", "end_line", "line", "type")
    line: int
    column: int
    end_line: int
    end_column: int

    def __init__(self, type: str, children: list[Child], matched: list[Child]) -> None:
        """``matched`` is all that stands there, also what the tree leaves out."""
        self.type = type
        self.children = children
        if not matched or not (matched[0].line and matched[-1].line):
            matched = [child for child in matched if child.line]
        if matched:
            first, last = matched[0], matched[-1]
            self.line, self.column = first.line, first.column
            self.end_line, self.end_column = last.end_line, last.end_column
        else:
            self.line = self.column = self.end_line = self.end_column = 0

    def __repr__(self) -> str:
        return f"Tree({self.type!r}, {self.children!r})"


Child = Token | Tree
