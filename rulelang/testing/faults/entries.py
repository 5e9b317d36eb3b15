"""Faults of entries and declarations: one is missing, stands there twice, or has another's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from random import Random

from rulelang.checker.values import parts
from rulelang.program.program import KindField
from rulelang.program.types import FLAG, NONE, SCRIPT, Many, Table, members
from rulelang.syntax import tree as t
from rulelang.testing.faults import content
from rulelang.testing.faults.book import Book, Written
from rulelang.testing.faults.fault import (
    Edit,
    Fault,
    Place,
    doubled_lines,
    removed,
    replaced,
    without_lines,
)

# ---------------------------------------------------------------- entries


def entry_missing(book: Book, random: Random) -> Iterator[Fault]:
    """An entry is missing of which the kind says how they are numbered."""
    for written in book.entries:
        if _is_counted(written):
            yield without_lines(book, written.line, also=_neighbours(book, written))


def uncounted_missing(book: Book, random: Random) -> Iterator[Fault]:
    """An entry is missing of a kind that does not say which there are."""
    for written in book.entries:
        if not _is_counted(written):
            yield without_lines(book, written.line, str(written.entry.key))


def entry_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """An entry stands there twice."""
    return (doubled_lines(book, written.line) for written in book.entries)


def key_of_another(book: Book, random: Random) -> Iterator[Fault]:
    """An entry has the number or the name of another."""
    for written in book.entries:
        same = [other for other in book.entries if other.kind is written.kind]
        others = [other for other in same if other is not written]
        if others and written.entry.span is not None:
            other = random.choice(others)
            made = replaced(book, written.entry.span, str(other.entry.key))
            also = *_neighbours(book, written), (other.line.span.file, other.line.span.line)
            yield Fault(made.edits, named=str(written.entry.key), also=also)


def key_outside(book: Book, random: Random) -> Iterator[Fault]:
    """An entry has a number that its kind does not have."""
    for written in book.entries:
        base = written.kind.base
        if _is_counted(written) and base is not None and written.entry.span is not None:
            high = base[1] if base[1] is not None else len(book.entries)
            new = str(high + random.randint(2, 200))
            made = replaced(book, written.entry.span, new)
            yield Fault(made.edits, also=_neighbours(book, written))


def _is_counted(written: Written) -> bool:
    base, key = written.kind.base, written.entry.key
    return base is not None and isinstance(key, int) and base[0] <= key <= (base[1] or key)


def _neighbours(book: Book, written: Written) -> tuple[Place, ...]:
    """The heads of the entries before and behind, by number, and where the kind is declared."""
    same = [other for other in book.entries if other.kind is written.kind]
    same.sort(key=lambda other: other.entry.index)
    at = same.index(written)
    near = same[max(0, at - 1) : at + 2]
    kind = written.kind.span
    return *((n.line.span.file, n.line.span.line) for n in near), (kind.file, kind.line)


# ---------------------------------------------------------------- fields


def field_missing(book: Book, random: Random) -> Iterator[Fault]:
    """An entry says nothing about a field that it must say something about."""
    return (_without_field(book, each) for each in content.given(book) if _is_needed(each.field))


def field_omitted(book: Book, random: Random) -> Iterator[Fault]:
    """An entry says nothing about a field that has a default."""
    for each in content.given(book):
        if not _is_needed(each.field):
            yield _without_field(book, each)


def field_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """An entry says the same of a field twice."""
    return (doubled_lines(book, each.line) for each in content.given(book) if each.label)


def _is_needed(field: KindField) -> bool:
    optional = field.type in (FLAG, SCRIPT) or isinstance(field.type, Many | Table)
    return field.default is None and not optional and NONE not in members(field.type)


def _without_field(book: Book, given: content.Given) -> Fault:
    also = [(given.owner.span.file, given.owner.span.line)]
    if given.label:
        return without_lines(book, given.line, also=also)
    made = removed(book, content.span_of(given.words))
    return Fault(made.edits, True, also=tuple(also))


# ---------------------------------------------------------------- declarations


def declaration_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A declaration is missing that something else needs."""
    for node, name in _declared(book):
        yield without_lines(book, node, name)


def outcome_missing(book: Book, random: Random) -> Iterator[Fault]:
    """What decides who has won is missing."""
    for node in book.rules():
        if isinstance(node, t.Outcome):
            yield without_lines(book, node)


def declaration_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """A declaration stands there twice."""
    return (doubled_lines(book, node) for node, _ in _declared(book))


def _declared(book: Book) -> Iterator[tuple[t.Node, str]]:
    for node in book.rules():
        match node:
            case t.Rule() | t.Define() | t.Kind() | t.Setting() | t.Ending() | t.Moment():
                yield node, node.name.text
                if isinstance(node, t.Kind):
                    yield from ((field, field.name.text) for field in node.fields)
            case t.State():
                if len(node.fields) > 1:
                    yield from ((field, field.name.text) for field in node.fields)
    for top in book.lines():
        if top.words[0].text in ("names", "die") and len(top.words) > 1:
            yield top, top.words[1].text


def name_missing(book: Book, random: Random) -> Iterator[Fault]:
    """One of the names of a type is missing, or one of the values of a setting."""
    for words in _listed(book):
        for place, word in enumerate(words):
            if len(words) > 1:
                other = words[place - 1] if place else words[1]
                first, last = sorted((word.span, other.span))
                keep = last if place == 0 else first
                text = book.texts[word.span.file]
                start, end = text.range(first.to(last))
                edit = Edit(text.name, start, end, book.at(keep))
                yield Fault((edit,), True, _bare(book.at(word.span)))


def name_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """One of the names of a type stands there twice."""
    for words in _listed(book):
        for word in words:
            yield replaced(book, word.span, f"{book.at(word.span)}, {book.at(word.span)}")


def _listed(book: Book) -> Iterator[list[t.Word]]:
    for top in book.lines():
        if top.words[0].text == "names":
            words = [word for word in parts(top)[2] if word.kind in ("name", "string")]
            if len(words) == sum(word.kind == "comma" for word in top.words) + 1:
                yield words


def _bare(text: str) -> str:
    return text.strip('"“”')


def mode_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A mode is missing."""
    for top in book.lines():
        for line in top.block:
            if isinstance(line, t.Line) and line.words[0].text == "mode" and len(line.words) > 1:
                yield without_lines(book, line, line.words[1].text)


# ---------------------------------------------------------------- cases


def case_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A `match`, a table or the outcomes of an instruction lack a case, and there is no `else`."""
    for node in book.rules():
        for inner in t.walk(node):
            if isinstance(inner, t.Match | t.Table) and len(inner.cases) > 1:
                if inner.otherwise is None:
                    yield from (_within(book, inner, case) for case in inner.cases)
                else:
                    yield _without_else(book, inner, inner.otherwise)
    for lines in _cases_in_scripts(book):
        for line in lines:
            if all(parts(other)[0][0].text != "else" for other in lines if other is not line):
                yield without_lines(book, line)


def case_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """A case of a `match`, of a table or of outcomes stands there twice."""
    for node in book.rules():
        for inner in t.walk(node):
            if isinstance(inner, t.Match | t.Table):
                yield from (doubled_lines(book, case) for case in inner.cases)
    for lines in _cases_in_scripts(book):
        yield from (doubled_lines(book, line) for line in lines)


def _cases_in_scripts(book: Book) -> Iterator[list[t.Line]]:
    """Lines below an instruction that has outcomes, or below `roll`, in entries."""
    for written in book.entries:
        for line in content.lines_in(written):
            below = [item for item in line.block if isinstance(item, t.Line)]
            if line is written.line or len(below) < 2:
                continue
            head = parts(line)[0]
            first = line.words[0].text
            step = content.instruction(book, head)
            if first in ("with", "without", "if"):
                step = content.instruction(book, parts(line)[2])
            if first == "roll" or (step is not None and step.signature.gives is not None):
                yield below


def _within(book: Book, whole: t.Node, part: t.Node) -> Fault:
    made = without_lines(book, part)
    return Fault(made.edits, True, also=((whole.span.file, whole.span.line),))


def _without_else(book: Book, whole: t.Node, otherwise: t.Body) -> Fault:
    """The `else` with its body is missing; it begins on a line of its own."""
    text = book.texts[whole.span.file]
    first = otherwise.span.line
    while not re.match(r"\s*else\b", text.line(first)):
        first -= 1
    start, end = text.lines(first, max(first, otherwise.span.end_line))
    edit = Edit(text.name, start, end, "")
    return Fault((edit,), True, also=((whole.span.file, whole.span.line),))


def else_span(book: Book, otherwise: t.Body) -> tuple[str, int, int] | None:
    """The whole lines of an `else` with its body; None if it shares a line with something else."""
    text = book.texts[otherwise.span.file]
    first = otherwise.span.line
    while first > 1 and not re.match(r"\s*else\b", text.line(first)):
        if re.search(r"\belse\b", text.line(first)):
            return None
        first -= 1
    return text.name, *text.lines(first, otherwise.span.end_line)


# ---------------------------------------------------------------- the catalogue of clauses


def clause_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A clause that is cited is missing from the catalogue."""
    cited = {citation.clause for citation in book.program.citations}
    for name, file, start, end in _clauses(book):
        if name in cited:
            yield Fault((Edit(file, start, end, ""),), True, name)


def clause_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """A clause stands in the catalogue twice."""
    for _, file, start, end in _clauses(book):
        text = book.texts[file].text[start:end]
        yield Fault((Edit(file, end, end, text if text.endswith("\n") else f"\n{text}"),))


def clause_without(book: Book, random: Random) -> Iterator[Fault]:
    """A clause of the catalogue lacks its section, its kind or its text, or its number."""
    for _, file, start, end in _clauses(book):
        text = book.texts[file]
        for match in re.finditer(r"^(?:id|section|kind|text) *=.*\n", text.text[start:end], re.M):
            edit = Edit(file, start + match.start(), start + match.end(), "")
            line = text.line_at(start)
            lines = range(line, text.line_at(end))
            yield Fault((edit,), True, also=tuple((file, number) for number in lines))


def _clauses(book: Book) -> Iterator[tuple[str, str, int, int]]:
    """Each clause of the catalogue: its number, the file, and where its table begins and ends."""
    for file in book.sources.catalogues:
        text = book.texts[file].text
        begins = [match.start() for match in re.finditer(r"^\[\[clause\]\]", text, re.M)]
        for start, end in pairwise([*begins, len(text)]):
            match = re.search(r'^id *= *"([^"]*)"', text[start:end], re.M)
            if match is not None:
                yield match[1], file, start, end
