"""Faults of what content means: it is written as it should be, and says something else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from rulelang.checker.context import plain
from rulelang.checker.values import parts
from rulelang.diagnostic import Span
from rulelang.program.types import Named, Num, Type, members
from rulelang.syntax import tree as t
from rulelang.testing.faults import content
from rulelang.testing.faults.book import PROVING, Book
from rulelang.testing.faults.fault import (
    Edit,
    Fault,
    doubled_lines,
    misspelt,
    replaced,
    swapped,
    swapped_lines,
    without_lines,
)

# ---------------------------------------------------------------- instructions


def effect_replaced(book: Book, random: Random) -> Iterator[Fault]:
    """Another instruction stands where one was meant."""
    steps = [step for steps in content.sequences(book) for step in steps]
    written = sorted({book.at(content.span_of(step.words)) for step in steps})
    for step in steps:
        span = content.span_of(step.words)
        others = [other for other in written if other != book.at(span)]
        if others:
            yield replaced(book, span, random.choice(others))


def effects_swapped(book: Book, random: Random) -> Iterator[Fault]:
    """Two instructions that follow each other have changed places."""
    for steps in content.sequences(book):
        for one, two in pairwise(steps):
            yield swapped(book, content.span_of(one.words), content.span_of(two.words))


def effect_missing(book: Book, random: Random) -> Iterator[Fault]:
    """One of several instructions is missing."""
    for steps in content.sequences(book):
        spans = [content.span_of(step.words) for step in steps]
        for place in range(len(spans) if len(spans) > 1 else 0):
            yield Fault((_without(book, spans, place),))


def effect_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """An instruction stands there twice."""
    for steps in content.sequences(book):
        for step in steps:
            span = content.span_of(step.words)
            yield replaced(book, span, f"{book.at(span)}, {book.at(span)}")


def _without(book: Book, spans: list[Span], place: int) -> Edit:
    """The edit that takes one of some instructions away, with a comma beside it."""
    text = book.texts[spans[0].file]
    start, end = text.range(spans[place])
    if place:
        start = text.range(spans[place - 1])[1]
    else:
        end = text.range(spans[1])[0]
    return Edit(text.name, start, end, "")


# ---------------------------------------------------------------- values


def value_replaced(book: Book, random: Random) -> Iterator[Fault]:
    """Another name stands where one was meant, and may stand there."""
    for word, kind in content.typed(book):
        others = [other for other in _names_of(book, kind) if other != plain(word.text)]
        if word.kind == "name" and plain(word.text) in book.values and others:
            yield replaced(book, word.span, random.choice(others))


def number_changed(book: Book, random: Random) -> Iterator[Fault]:
    """A number is one more or one less, and may be so."""
    for word, kind in content.typed(book):
        if word.kind == "number" and word.text.isdigit() and isinstance(kind, Num):
            yield from _off_by_one(book, word, kind)
    for top in book.lines():
        for line in (top, *(item for item in top.block if isinstance(item, t.Line))):
            if line.words[0].text in ("mode", "die"):
                numbers = [word for word in line.words if word.text.isdigit()]
                for word in numbers:
                    yield from _off_by_one(book, word, Num(1, None))


def _off_by_one(book: Book, word: t.Word, kind: Num) -> Iterator[Fault]:
    low, high = kind.low, kind.high
    for number in (int(word.text) - 1, int(word.text) + 1):
        if (low is None or low <= number) and (high is None or number <= high) and number >= 0:
            yield replaced(book, word.span, str(number))


def _names_of(book: Book, kind: Type) -> list[str]:
    """The names of the values of a type."""
    found = []
    for member in members(kind):
        if isinstance(member, Named) and member.domain in book.program.domains:
            keys = [entry.key for entry in book.program.domains[member.domain].entries]
            found += [plain(key) for key in keys if isinstance(key, str) and key.isidentifier()]
    return found


# ---------------------------------------------------------------- entries inside entries


def box_missing(book: Book, random: Random) -> Iterator[Fault]:
    """An entry inside another is missing."""
    for owner, lines in content.boxes(book):
        if len(lines) > 1:
            also = [(owner.span.file, owner.span.line)]
            yield from (without_lines(book, line, also=also) for line in lines)


def box_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """An entry inside another stands there twice."""
    for _, lines in content.boxes(book):
        yield from (doubled_lines(book, line) for line in lines)


def boxes_swapped(book: Book, random: Random) -> Iterator[Fault]:
    """Two entries inside another have changed places."""
    for _, lines in content.boxes(book):
        for one, two in pairwise(lines):
            yield swapped_lines(book, one, two)


def box_of_another_sort(book: Book, random: Random) -> Iterator[Fault]:
    """An entry inside another is of another variant."""
    for _, lines in content.boxes(book):
        for line in lines:
            kind = book.variants.get(plain(line.words[0].text))
            others = (
                [v for v in kind.variants if plain(v) != plain(line.words[0].text)] if kind else []
            )
            if others:
                yield replaced(book, line.words[0].span, random.choice(others))


# ---------------------------------------------------------------- scripts


def script_line_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A line of a script is missing that stands for itself."""
    for lines in _scripts(book):
        for line in lines:
            if len(lines) > 1:
                yield without_lines(book, line)


def script_lines_swapped(book: Book, random: Random) -> Iterator[Fault]:
    """What two lines of a script do, or what two of its cases bring, has changed places."""
    for lines in _scripts(book):
        for one, two in pairwise(lines):
            first, second = parts(one)[2], parts(two)[2]
            if first and second and not one.block and not two.block:
                yield swapped(book, content.span_of(first), content.span_of(second))
            elif not parts(one)[1] and not parts(two)[1]:
                yield swapped_lines(book, one, two)


def _scripts(book: Book) -> Iterator[list[t.Line]]:
    """The lines of each block in an entry that has a script."""
    for written in book.entries:
        if any(str(field.type) == "script" for field in written.kind.fields):
            for line in content.lines_in(written):
                below = [item for item in line.block if isinstance(item, t.Line)]
                if len(below) > 1:
                    yield below


# ---------------------------------------------------------------- what nothing can see


def clause_of_another(book: Book, random: Random) -> Iterator[Fault]:
    """Another clause of the catalogue is cited than the one that was meant."""
    known = sorted(book.program.clauses)
    for node in book.declarations():
        for cite in (inner for inner in t.walk(node) if isinstance(inner, t.Cite)):
            others = [clause for clause in known if clause != cite.clause]
            if others:
                yield replaced(book, cite.span, random.choice(others))


def citation_missing(book: Book, random: Random) -> Iterator[Fault]:
    """One of several clauses that are cited is missing."""
    for cites in _cited(book):
        for place in range(len(cites)):
            yield Fault((_without(book, [cite.span for cite in cites], place),))


def citation_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """A clause is cited twice in one list."""
    for cites in _cited(book):
        for cite in cites:
            yield replaced(book, cite.span, f"{cite.clause}, {cite.clause}")


def _cited(book: Book) -> Iterator[t.Cites]:
    for node in book.declarations():
        for inner in t.walk(node):
            cites: t.Cites = getattr(inner, "cites", ())
            if len(cites) > 1:
                yield cites


def text_misspelt(book: Book, random: Random) -> Iterator[Fault]:
    """A text that players read has a slip: a title, a prompt, what an offer is called."""
    proving = [n.span for n in book.declarations() if isinstance(n, PROVING)]
    for file in book.sources.rules:
        for token in book.tokens(file):
            line = token.line
            if token.type != "STRING" or not str(token).strip():
                continue
            if any(s.file == file and s.line <= line <= s.end_line for s in proving):
                continue
            new = misspelt(str(token), frozenset(), random)
            if new is not None:
                start = book.texts[file].starts[line - 1] + token.column
                yield Fault((Edit(file, start, start + len(str(token)), new),))
