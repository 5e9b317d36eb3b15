"""Faults of names: a slip of the keyboard in a name that is declared elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rulelang.diagnostic import Span
from rulelang.syntax import tree as t
from rulelang.testing.faults import content
from rulelang.testing.faults.book import Book
from rulelang.testing.faults.fault import Fault, misspelt, replaced

Use = tuple[str, Span, str]
"""What a name is (``call``, ``question``, ``value``, ``local``, ``field``, ``type``, ``other``),
where it stands, and the name."""


def of(*sorts: str) -> _Slips:
    """A seeder of slips in names of these sorts."""
    return _Slips(sorts)


class _Slips:
    def __init__(self, sorts: tuple[str, ...]) -> None:
        self.sorts = sorts

    def __call__(self, book: Book, random: Random) -> Iterator[Fault]:
        for sort, span, name in (*in_rules(book), *in_content(book)):
            if sort in self.sorts:
                new = misspelt(name, book.known, random)
                if new is not None:
                    yield replaced(book, span, new)


def in_content(book: Book) -> Iterator[Use]:
    """The uses of names in content."""
    for sort, word in content.classified(book):
        yield sort, word.span, word.text


def in_rules(book: Book) -> Iterator[Use]:
    """The uses of names in the rules book; those that declare a name are left out."""
    for node in book.rules():
        bound = bound_in(node)
        for inner in t.walk(node):
            yield from _uses(book, inner, bound)


def bound_in(declaration: t.Node) -> frozenset[str]:
    """The names that are bound somewhere in a declaration."""
    bound = set()
    for node in t.walk(declaration):
        match node:
            case t.Param() | t.Binder() | t.Let() | t.LetFrom() | t.Choose() | t.Throw():
                bound.add(node.name.text)
            case t.Draw() if node.name is not None:
                bound.add(node.name.text)
            case t.Hook():
                names = (*node.params, node.subject, node.gives)
                bound |= {name.text for name in names if name is not None}
            case t.During() if node.player is not None:
                bound.add(node.player.text)
    return frozenset(bound)


def _uses(book: Book, node: t.Node, bound: frozenset[str]) -> Iterator[Use]:
    match node:
        case t.Ref():
            yield sort_of(book, node.name, bound), node.span, node.name
        case t.NamedType():
            yield "type", node.span, node.name
        case t.CollectionType():
            yield "type", node.collection.span, node.collection.text
        case t.Throw() if node.name.text in {field.name for field in book.program.state.values()}:
            yield "rolled", node.name.span, node.name.text
    for sort, name in _names(node):
        if name is not None:
            yield sort, name.span, name.text


def _names(node: t.Node) -> list[tuple[str, t.Name | None]]:
    """The names in a node that are declared elsewhere."""
    found: list[tuple[str, t.Name | None]] = []
    match node:
        case t.Attribute():
            found = [("field", node.name)]
        case t.Call():
            found = [("call", node.rule)]
        case t.Hook():
            found = [("call", node.rule), *(("other", name) for name in node.ahead_of)]
        case t.End():
            found = [("other", node.ending)]
        case t.Leave():
            found = [("other", node.scope)]
        case t.Open() | t.During():
            found = [("other", node.moment)]
        case t.Ending():
            found = [("other", node.completes)]
        case t.Setting():
            found = [("other", node.default)]
    modes: tuple[t.Name, ...] = getattr(node, "modes", ())
    return [*found, *(("other", name) for name in modes)]


def sort_of(book: Book, name: str, bound: frozenset[str]) -> str:
    """What a name that is used as a value means."""
    program = book.program
    if name in bound:
        return "local"
    if name in program.questions:
        return "question"
    if any(field.name == name for field in program.state.values()):
        return "field"
    if name in book.values or name in book.variants:
        return "value"
    if name in program.kinds or name in program.domains:
        return "type"
    return "other"


# ---------------------------------------------------------------- clauses


def unknown_clauses(book: Book, random: Random) -> Iterator[Fault]:
    """A clause is cited that is not in the catalogue: a figure is dropped, doubled or another."""
    known = book.program.clauses
    for node in book.declarations():
        for cite in (inner for inner in t.walk(node) if isinstance(inner, t.Cite)):
            figures = [place for place, sign in enumerate(cite.clause) if sign.isdigit()]
            random.shuffle(figures)
            for place in figures:
                figure = cite.clause[place]
                other = str(random.randrange(10))
                made = [
                    cite.clause[:place] + each + cite.clause[place + 1 :]
                    for each in (figure * 2, other)
                ]
                fresh = [each for each in made if each not in known]
                if fresh:
                    yield replaced(book, cite.span, fresh[0])
                    break
