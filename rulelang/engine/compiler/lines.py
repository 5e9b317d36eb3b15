"""Lines of Python source, each with the place in the rules that it comes from."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulelang.diagnostic import Span

DEEPEST = 60
"""Indentations that Python's own compiler is sure to take."""
ENDS = ("return", "raise", "continue", "break")
"""What no line of the same block follows."""


class Lines:
    """The body of a function, as it is written."""

    def __init__(self, depth: int = 1) -> None:
        self.lines: list[str] = []
        self.spans: list[Span | None] = []
        self.depth = depth
        self.span: Span | None = None
        """The place in the rules of what is being written."""

    def add(self, *lines: str) -> None:
        """Add lines at the present depth."""
        for line in lines:
            self.lines.append("    " * self.depth + line)
            self.spans.append(self.span)

    @contextmanager
    def inside(self, head: str) -> Iterator[None]:
        """What is added meanwhile stands below ``head``; nothing there is a `pass`."""
        self.add(head)
        begun = len(self.lines)
        self.depth += 1
        yield
        if len(self.lines) == begun:
            self.add("pass")
        self.depth -= 1

    def mark(self) -> int:
        """Where the next line will stand."""
        return len(self.lines)

    def cut(self, mark: int) -> None:
        """Forget the lines since a mark."""
        del self.lines[mark:], self.spans[mark:]

    def drop(self, line: str) -> bool:
        """Forget the last line, if it is this one."""
        if not self.lines or self.lines[-1] != "    " * self.depth + line:
            return False
        self.cut(len(self.lines) - 1)
        return True

    def is_empty(self, mark: int) -> bool:
        """Does nothing but `pass` stand since a mark?"""
        return all(line.strip() == "pass" for line in self.lines[mark:])

    def has_ended(self) -> bool:
        """Can nothing of the block that stands last go on behind it?"""
        if not self.lines:
            return False
        last = self.lines[-1]
        depth = len(last) - len(last.lstrip())
        return depth == 4 * (self.depth + 1) and last.lstrip().startswith(ENDS)


def negated(test: str) -> str:
    """The contrary of a condition."""
    return test[4:] if test.startswith("not ") else f"not {test}"
