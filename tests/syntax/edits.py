"""Small edits of rule files, for tests that look at what a slip of the keyboard does."""

from __future__ import annotations

import bisect
import random
import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulelang.syntax.layout import scan
from rulelang.syntax.parser import grammar

ROOT = Path(__file__).resolve().parents[2]
CORPUS = sorted((ROOT / "tests" / "syntax" / "corpus").rglob("*.rules"))
SHIPPED = sorted((ROOT / "games").rglob("*.rules"))
FILES = CORPUS + SHIPPED
MODES = ("delete", "duplicate", "replace")


def label(path: Path) -> str:
    """The path as a test is to be called."""
    return path.relative_to(ROOT).as_posix()


@frozen
class Place:
    """A word or sign of a text, by offsets, and the lines of it and of its logical line."""

    start: int
    end: int
    line: int
    first_line: int


@frozen
class Edited:
    """A text with one edit, and the lines on which a message about it is in its place."""

    text: str
    lines: frozenset[int]


def places(text: str) -> list[Place]:
    """Where the words and signs of ``text`` stand."""
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found: list[Place] = []
    first_line = 0
    for token in scan(text, "<text>", grammar().vocabulary).tokens:
        if token.type in ("_NL", "_INDENT", "_DEDENT"):
            first_line = 0
        elif token.type not in ("STORY", "DRAWN") and token.line and token.end_line == token.line:
            first_line = first_line or token.line
            begin = starts[token.line - 1]
            start, end = begin + (token.column or 1) - 1, begin + (token.end_column or 1) - 1
            found.append(Place(start, end, token.line, first_line))
    return found


def edits(text: str, mode: str, count: int, seed: int) -> Iterator[Edited]:
    """Extracts of ``text``, each with one word or sign edited, and nothing else changed.

    An extract is the declaration that is edited and the two behind it: enough to see whether the
    reader finds its feet again, and quick to read.
    """
    generator = random.Random(seed)
    found = places(text)
    heads = _heads(text)
    for _ in range(count):
        place, other = generator.choice(found), generator.choice(found)
        word = text[place.start : place.end]
        if mode == "delete":
            word = ""
        elif mode == "duplicate":
            word = f"{word} {word}"
        else:
            word = text[other.start : other.end]
        position = bisect.bisect_right(heads, place.start) - 1
        start, end = heads[position], heads[min(position + 3, len(heads) - 1)]
        above = text.count("\n", 0, start)
        edited = text[start : place.start] + word + text[place.end : end]
        yield Edited(edited, frozenset((place.line - above, place.first_line - above)))


def _heads(text: str) -> list[int]:
    """Where the lines at the left margin begin, and the end."""
    heads = [match.start() for match in re.finditer(r"^(?=[^\s#])", text, re.MULTILINE)]
    return [*heads, len(text)]
