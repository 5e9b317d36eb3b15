"""The terminal: writing lines that fit, styles where they are wanted, and reading what is typed."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from typing import Final, TextIO

from rulelang import display

WIDTH: Final = 80
"""Columns where the output is no terminal, so that it is the same everywhere."""
_MOST, _LEAST = 100, 40
_STYLES: Final = {"bold": "1", "dim": "2", "name": "36", "good": "32", "bad": "31"}
_ESCAPES: Final = re.compile(r"\x1b\[[0-9;]*m")
_PLAIN: Final = str.maketrans(
    {"›": ">", "·": "|", "→": "->", "─": "-", "—": "-", "…": "...", "“": '"', "”": '"'}
)


class EndOfInput(Exception):
    """Nothing more will be typed."""


def columns(text: str) -> int:
    """How many columns a text takes; styles take none."""
    return sum(map(display.width, _ESCAPES.sub("", text)))


def pad(text: str, target: int) -> str:
    """The text filled up with blanks to so many columns."""
    return text + " " * max(0, target - columns(text))


def flow(items: Sequence[str], *, glue: str, first: str, rest: str, width: int) -> list[str]:
    """Lines of items that are never broken inside; ``glue`` stays at the end of a full line."""
    lines, line, empty = [], first, True
    for number, item in enumerate(items):
        last = number == len(items) - 1
        piece = item if last else item + glue.rstrip()
        gap = "" if empty else " "
        if not empty and columns(line + gap + piece) > width:
            lines.append(line)
            line, gap = rest, ""
        line += gap + piece
        empty = False
    return [*lines, line] if items else []


def paragraph(text: str, *, first: str, rest: str, width: int) -> list[str]:
    """A text in lines that fit, broken between words."""
    return flow(display.printable(text).split(), glue="", first=first, rest=rest, width=width)


class Screen:
    """Where a game is played: two streams, and what the second is able to show."""

    def __init__(self, stdin: TextIO | None = None, stdout: TextIO | None = None) -> None:
        # Python has no standard streams where they were closed before it began.
        self.stdin = stdin or sys.stdin or io.StringIO()
        self.stdout = stdout or sys.stdout or io.StringIO()
        self.terminal = _is_terminal(self.stdout)
        self.styled = _wants_styles(self.terminal)
        self._edits = self.terminal and self.stdin is sys.stdin and self.stdout is sys.stdout
        self._edits = self._edits and _is_terminal(self.stdin)

    @property
    def at_keyboard(self) -> bool:
        """Does somebody type, and not a file?"""
        return _is_terminal(self.stdin)

    @property
    def width(self) -> int:
        """Columns to write in."""
        if not self.terminal:
            return WIDTH
        return max(_LEAST, min(_MOST, shutil.get_terminal_size((WIDTH, 24)).columns))

    def style(self, text: str, *names: str) -> str:
        """The text in a style, where styles are wanted."""
        if not self.styled or not text:
            return text
        return f"\x1b[{';'.join(_STYLES[name] for name in names)}m{text}\x1b[0m"

    def line(self, text: str = "") -> None:
        """Write a line."""
        self._write(text + "\n")

    def lines(self, texts: Iterable[str]) -> None:
        """Write some lines."""
        for text in texts:
            self.line(text)

    def say(self, text: str, *styles: str, indent: str = "") -> None:
        """Write a text, broken where it does not fit."""
        for line in paragraph(text, first=indent, rest=indent, width=self.width):
            self.line(self.style(line, *styles))

    def rule(self, title: str) -> None:
        """Write a title with a line to the right margin."""
        tail = "─" * max(3, self.width - columns(title) - 4)
        self.line(f"{self.style('─', 'dim')} {self.style(title, 'bold')} {self.style(tail, 'dim')}")

    def wipe(self) -> None:
        """Clear the screen and what was scrolled off it, on a terminal."""
        if self.terminal:
            self._write("\x1b[H\x1b[2J\x1b[3J")

    def ask(self, prompt: str) -> str:
        """One typed line, without its end. Raises EndOfInput."""
        if self._edits:
            return self._edited(prompt)
        self._write(prompt)
        try:
            typed = self.stdin.readline()
        except (UnicodeDecodeError, ValueError):
            raise EndOfInput from None
        if not typed:
            self.line()
            raise EndOfInput
        # What comes from a file or a pipe is not echoed by anybody else.
        if not _is_terminal(self.stdin):
            self.line(display.printable(typed.rstrip("\r\n")))
        return typed.rstrip("\r\n")

    def _edited(self, prompt: str) -> str:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - gives `input` its line editing and history
        self.stdout.flush()
        try:
            return input(prompt)
        except (EOFError, UnicodeDecodeError):
            self.line()
            raise EndOfInput from None

    def _write(self, text: str) -> None:
        encoding = getattr(self.stdout, "encoding", None) or "utf-8"
        try:
            text.encode(encoding)
        except (UnicodeEncodeError, LookupError):
            text = text.translate(_PLAIN).encode(encoding, "replace").decode(encoding)
        try:
            self.stdout.write(text)
            self.stdout.flush()
        except ValueError:  # it is closed
            raise BrokenPipeError from None

    def silence(self) -> None:
        """Send whatever is still to be flushed nowhere: the reader has gone away."""
        if self.stdout is sys.stdout:
            with contextlib.suppress(OSError, ValueError, AttributeError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self.stdout.fileno())
                os.close(nowhere)


def _is_terminal(stream: TextIO) -> bool:
    try:
        return stream.isatty()
    except (AttributeError, ValueError):
        return False


def _wants_styles(terminal: bool) -> bool:
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return terminal and os.environ.get("TERM") != "dumb"
