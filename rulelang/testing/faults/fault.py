"""A fault: edits that make one mistake, and where a message about it is in its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from random import Random

from attrs import evolve, frozen

from rulelang.diagnostic import Span
from rulelang.loader import Sources
from rulelang.syntax import tree as t
from rulelang.syntax.vocabulary import CARRIES_ON
from rulelang.testing.faults.book import Book, Text, ends

Place = tuple[str, int]
"""A file and a line."""


@frozen
class Edit:
    """The signs from ``start`` to before ``end`` of a file become ``text``."""

    file: str
    start: int
    end: int
    text: str


@frozen
class Fault:
    """A mistake: its edits, in no order, which do not overlap."""

    edits: tuple[Edit, ...]
    removal: bool = False
    """Is something missing now? Then the lines around it and above it speak of it too."""
    named: str = ""
    """A name that is missing now: the lines with it speak of it too."""
    also: tuple[Place, ...] = ()
    """Other lines of the sound texts that speak of it too."""


# ---------------------------------------------------------------- making them


def replaced(book: Book, span: Span, new: str) -> Fault:
    """Something else at a span."""
    return Fault((edit(book, span, new),))


def edit(book: Book, span: Span, new: str) -> Edit:
    """Something else at a span."""
    return Edit(span.file, *book.texts[span.file].range(span), new)


def removed(book: Book, span: Span) -> Fault:
    """Nothing at a span; two blanks do not stand together afterwards."""
    text = book.texts[span.file].text
    start, end = book.texts[span.file].range(span)
    if text[start - 1 : start] in (" ", "") and text[end : end + 1] == " ":
        end += 1
    return Fault((Edit(span.file, start, end, ""),), removal=True)


def without_lines(book: Book, node: t.Node, named: str = "", also: Iterable[Place] = ()) -> Fault:
    """The lines of a node are missing."""
    text = book.texts[node.span.file]
    start, end = text.lines(node.span.line, ends(node))
    return Fault((Edit(text.name, start, end, ""),), True, named, tuple(also))


def doubled_lines(book: Book, node: t.Node) -> Fault:
    """The lines of a node stand there twice."""
    text = book.texts[node.span.file]
    start, end = text.lines(node.span.line, ends(node))
    lines = text.text[start:end]
    if not lines.endswith("\n"):
        lines = f"\n{lines}"
    return Fault((Edit(text.name, end, end, lines),))


def swapped(book: Book, one: Span, two: Span) -> Fault:
    """What stands at two spans has changed places."""
    return Fault((edit(book, one, book.at(two)), edit(book, two, book.at(one))))


def swapped_lines(book: Book, one: t.Node, two: t.Node) -> Fault:
    """The lines of two nodes have changed places."""
    edits = []
    for node, other in ((one, two), (two, one)):
        text = book.texts[node.span.file]
        start, end = text.lines(node.span.line, ends(node))
        from_, to = text.lines(other.span.line, ends(other))
        edits.append(Edit(text.name, start, end, text.text[from_:to].rstrip("\n") + "\n"))
    return Fault(tuple(edits))


def misspelt(word: str, known: frozenset[str], random: Random) -> str | None:
    """The word with one letter dropped, doubled, or swapped with the next; None if none is new."""
    places = [place for place, sign in enumerate(word) if sign.isalpha()]
    slips = [(way, place) for way in ("drop", "double", "swap") for place in places]
    random.shuffle(slips)
    for way, place in slips:
        new = _slip(word, way, place)
        if new != word and new[:1].isalpha() and new.casefold() not in known:
            return new
    return None


def _slip(word: str, way: str, place: int) -> str:
    letter, after = word[place], word[place + 1 : place + 2]
    match way:
        case "drop":
            return word[:place] + word[place + 1 :]
        case "double":
            return word[:place] + letter + word[place:]
    return word[:place] + after + letter + word[place + 2 :] if after.isalpha() else word


# ---------------------------------------------------------------- what they make


def applied(sources: Sources, fault: Fault) -> Sources:
    """The texts with the fault in them."""
    rules, catalogues = dict(sources.rules), dict(sources.catalogues)
    for file in {each.file for each in fault.edits}:
        texts = rules if file in rules else catalogues
        texts[file] = _edited(texts[file], _in(fault, file))
    return evolve(sources, rules=rules, catalogues=catalogues)


def _in(fault: Fault, file: str) -> list[Edit]:
    return sorted((e for e in fault.edits if e.file == file), key=lambda e: (e.start, e.end))


def _edited(text: str, edits: list[Edit]) -> str:
    for each in reversed(edits):
        text = text[: each.start] + each.text + text[each.end :]
    return text


def near(book: Book, fault: Fault, texts: dict[str, str]) -> frozenset[Place]:
    """The lines of the texts with the fault on which a message about it is in its place.

    They are the lines that were edited, with the lines that carry them on. Where something is
    missing, they are also the lines before and behind, the headers above, and the lines that name
    it.
    """
    found: set[Place] = set()
    for file in {each.file for each in fault.edits}:
        new = texts[file].split("\n")
        for first, last in _edited_lines(book.texts[file], _in(fault, file)):
            lines = set(range(first, last + 1))
            if fault.removal:
                lines |= _around(new, first, last)
            for line in list(lines):
                lines |= _carrying(new, line)
            found |= {(file, line) for line in lines}
    if fault.named:
        word = re.compile(rf"(?<!\w){re.escape(fault.named)}(?!\w)")
        for file, text in texts.items():
            lines = {n for n, line in enumerate(text.split("\n"), 1) if word.search(line)}
            found |= {(file, line) for line in lines}
    return frozenset(found | {_moved(book, fault, place) for place in fault.also})


def _edited_lines(text: Text, edits: list[Edit]) -> Iterator[tuple[int, int]]:
    """The first and last line of each edit, in the new text."""
    moved = 0
    for each in edits:
        first = text.line_at(each.start) + moved
        yield first, first + each.text.rstrip("\n").count("\n")
        if each.start == each.end and each.text:
            yield max(1, first - 1), first  # a double stands behind what it doubles
        moved += each.text.count("\n") - text.text.count("\n", each.start, each.end)


def _moved(book: Book, fault: Fault, place: Place) -> Place:
    file, line = place
    text = book.texts[file]
    for each in _in(fault, file):
        if text.line_at(each.start) < line:
            line += each.text.count("\n") - text.text.count("\n", each.start, each.end)
    return file, line


def _around(lines: list[str], first: int, last: int) -> set[int]:
    """The nearest lines with words before and behind, and the headers above."""
    before = next((n for n in range(first - 1, 0, -1) if lines[n - 1].strip()), first)
    behind = next((n for n in range(last + 1, len(lines) + 1) if lines[n - 1].strip()), last)
    found = {before, behind}
    at = _indent(lines[first - 1]) if first <= len(lines) and lines[first - 1].strip() else None
    at = max(_indent(lines[before - 1]) + 1, at or 0)
    for number in range(before, 0, -1):
        if lines[number - 1].strip() and _indent(lines[number - 1]) < at:
            at = _indent(lines[number - 1])
            found.add(number)
    return found


def _carrying(lines: list[str], number: int) -> set[int]:
    """The other physical lines of a logical line."""
    found = set()
    first = number
    while 1 < first <= len(lines) and _carried_on(lines[first - 2], lines[first - 1]):
        first -= 1
        found.add(first)
    last = number
    while last < len(lines) and _carried_on(lines[last - 1], lines[last]):
        last += 1
        found.add(last)
    return found


def _carried_on(before: str, line: str) -> bool:
    words = line.split(maxsplit=1)
    if not words or not before.strip() or _indent(line) == 0:
        return False
    return words[0] in CARRIES_ON or before.rstrip().endswith((",", "="))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


# ---------------------------------------------------------------- showing them

LONGEST = 160


def shown(book: Book, fault: Fault) -> tuple[str, int, str, str]:
    """File, line, and what stood there and stands there now, for people."""
    edits = _in(fault, min(each.file for each in fault.edits))
    text = book.texts[edits[0].file]
    first = text.line_at(edits[0].start)
    last = max(text.line_at(max(each.start, each.end - 1)) for each in edits)
    start, end = text.lines(first, last)
    inside = [Edit(e.file, e.start - start, e.end - start, e.text) for e in edits]
    before = text.text[start:end]
    return text.name, first, _short(before), _short(_edited(before, inside)) or "(nothing)"


def _short(text: str) -> str:
    line = " / ".join(piece.rstrip() for piece in text.split("\n") if piece.strip())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
