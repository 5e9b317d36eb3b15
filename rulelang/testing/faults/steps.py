"""Faults of what rules do: a statement, branch or option is missing, or is another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from rulelang.diagnostic import Span
from rulelang.syntax import tree as t
from rulelang.testing.faults.book import Book, ends, played_in, whole
from rulelang.testing.faults.entries import else_span
from rulelang.testing.faults.fault import (
    Edit,
    Fault,
    replaced,
    swapped,
    swapped_lines,
    without_lines,
)


def nodes(book: Book) -> Iterator[t.Node]:
    """All nodes of the declarations that play depends on."""
    for declaration in book.played():
        yield from played_in(declaration)


# ---------------------------------------------------------------- statements


def statement_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A statement is missing; where it stood alone, nothing happens."""
    for statements, on_line in _bodies(book):
        for statement in statements:
            if on_line or len(statements) == 1:
                if not _does_nothing(statement):
                    made = replaced(book, _bare(statement), "nothing")
                    yield Fault(made.edits, removal=True)
            else:
                yield without_lines(book, statement)


def statements_swapped(book: Book, random: Random) -> Iterator[Fault]:
    """Two statements that follow each other have changed places."""
    for statements, _ in _bodies(book):
        for one, two in pairwise(statements):
            yield swapped_lines(book, one, two)


def statement_doubled(book: Book, random: Random) -> Iterator[Fault]:
    """A statement stands there twice."""
    for statements, on_line in _bodies(book):
        for statement in statements:
            if not on_line and _changes(statement):
                text = book.texts[statement.span.file]
                start, end = text.lines(statement.span.line, ends(statement))
                lines = text.text[start:end].rstrip("\n") + "\n"
                yield Fault((Edit(text.name, start, start, lines),))


def _bodies(book: Book) -> Iterator[tuple[tuple[t.Statement, ...], bool]]:
    for node in nodes(book):
        if isinstance(node, t.Body):
            yield node.statements, node.on_line


def _bare(statement: t.Statement) -> Span:
    """The span of a statement without what it cites."""
    return whole(statement) if not getattr(statement, "cites", ()) else statement.span


def _changes(statement: t.Statement) -> bool:
    """Does a statement change something by itself?"""
    return isinstance(statement, t.Perform | t.Assign | t.Do | t.Move | t.Draw | t.Roll | t.Choose)


def _does_nothing(statement: t.Statement) -> bool:
    return isinstance(statement, t.Perform) and statement.calls[0].rule.text == "nothing"


# ---------------------------------------------------------------- branches


def branches_swapped(book: Book, random: Random) -> Iterator[Fault]:
    """What two branches of an `if`, cases of a `match` or a condition do has changed places."""
    for node in nodes(book):
        match node:
            case t.If():
                otherwise = (node.otherwise,) if node.otherwise is not None else ()
                yield from _swapped_bodies(book, [*(b for _, b in node.branches), *otherwise])
            case t.Match() | t.Table():
                otherwise = (node.otherwise,) if node.otherwise is not None else ()
                yield from _swapped_bodies(book, [*(c.body for c in node.cases), *otherwise])
            case t.ChooseOffer():
                yield from _swapped_bodies(book, [offer.body for offer in node.offers])
            case t.Conditional():
                yield swapped(book, node.yes.span, node.no.span)
            case t.Define() if len(node.branches) > 1:
                for one, two in pairwise(node.branches):
                    yield swapped(book, one.value.span, two.value.span)
            case t.Outcome():
                verdicts = [v.won for v in node.verdicts if v.won is not None]
                for won, other in pairwise(verdicts):
                    yield swapped(book, won.span, other.span)


def _swapped_bodies(book: Book, bodies: list[t.Body]) -> Iterator[Fault]:
    """Bodies that are written alike: both on a line, or both in a block."""
    for one, two in pairwise(bodies):
        if one.on_line and two.on_line:
            yield swapped(book, _bare(one.statements[0]), _bare(two.statements[0]))
        elif not one.on_line and not two.on_line:
            yield Fault(
                (*_lines_instead(book, one, two), *_lines_instead(book, two, one)),
            )


def _lines_instead(book: Book, old: t.Body, new: t.Body) -> tuple[Edit, ...]:
    text = book.texts[old.span.file]
    ranges = [
        text.lines(body.statements[0].span.line, ends(body.statements[-1])) for body in (old, new)
    ]
    (start, end), (from_, to) = ranges
    return (Edit(text.name, start, end, text.text[from_:to].rstrip("\n") + "\n"),)


def else_missing(book: Book, random: Random) -> Iterator[Fault]:
    """An `else` is missing: of an `if`, of a choice that may be empty, of a draw."""
    for node in nodes(book):
        if not isinstance(node, t.If | t.Choose | t.ChooseOffer | t.Draw):
            continue
        if node.otherwise is None:
            continue
        lines = else_span(book, node.otherwise)
        head = ((node.span.file, node.span.line),)
        if lines is not None:
            yield Fault((Edit(*lines, ""),), True, also=head)
        else:
            text = book.texts[node.span.file]
            start, end = text.range(_bare(node.otherwise.statements[0]))
            begin = text.text.rindex("else", 0, start)
            yield Fault((Edit(text.name, begin, end, ""),), True, also=head)


def may_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A choice that may be declined must be made."""
    for node in nodes(book):
        if isinstance(node, t.Choose | t.ChooseOffer) and node.may:
            text = book.texts[node.span.file]
            start, _ = text.range(node.span)
            if text.text.startswith("may ", start):
                yield Fault((Edit(text.name, start, start + 4, ""),), removal=True)


def offer_missing(book: Book, random: Random) -> Iterator[Fault]:
    """One of several offers is missing."""
    for node in nodes(book):
        if isinstance(node, t.ChooseOffer) and len(node.offers) > 1:
            yield from (without_lines(book, offer) for offer in node.offers)


def option_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A field of the state is no longer hidden, seen or clamped."""
    words = (", hidden", ", clamped", ", seen by ")
    for node in nodes(book):
        if isinstance(node, t.FieldDecl):
            text = book.texts[node.span.file]
            line = text.line(node.span.line)
            for word in words:
                if word in line:
                    start = text.starts[node.span.line - 1] + line.index(word)
                    end = start + len(word)
                    if node.seen_by is not None and word == ", seen by ":
                        end = text.range(node.seen_by.span)[1]
                    yield Fault((Edit(text.name, start, end, ""),), removal=True)


def setting_default(book: Book, random: Random) -> Iterator[Fault]:
    """Another value of a setting is its default."""
    for node in nodes(book):
        if isinstance(node, t.Setting):
            others = [r.name.text for r in node.readings if r.name.text != node.default.text]
            if others:
                yield replaced(book, node.default.span, random.choice(others))
