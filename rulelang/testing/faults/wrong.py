"""Faults of types and domains: a value that cannot stand where it stands."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rulelang.program.types import NONE, TEXT, Many, Named, Num, Type, members
from rulelang.syntax import tree as t
from rulelang.testing.faults import content
from rulelang.testing.faults.book import Book
from rulelang.testing.faults.fault import Edit, Fault, replaced
from rulelang.testing.faults.spelling import bound_in, sort_of

TEXT_INSTEAD = '"some text"'
FAR = 30
"""How far outside of a range a number is, at most."""


def name_for_number(book: Book, random: Random) -> Iterator[Fault]:
    """A name stands where a number is asked for."""
    names = _names(book)
    if not names:
        return
    for word, kind in content.typed(book):
        if word.kind == "number" and content.takes_only_number(kind):
            yield replaced(book, word.span, random.choice(names))
    for number in _numbers(book):
        yield replaced(book, number.span, random.choice(names))


def number_for_name(book: Book, random: Random) -> Iterator[Fault]:
    """A number stands where a name is asked for."""
    for word, kind in content.typed(book):
        if word.kind == "name" and _is_name(kind) and not content.takes_number(book, kind):
            yield replaced(book, word.span, str(random.randrange(1, 9)))
    for ref in _values(book):
        yield replaced(book, ref.span, str(random.randrange(1, 9)))


def text_for_name(book: Book, random: Random) -> Iterator[Fault]:
    """A text stands where a name is asked for."""
    for word, kind in content.typed(book):
        if word.kind == "name" and _is_name(kind) and TEXT not in members(kind):
            yield replaced(book, word.span, TEXT_INSTEAD)
    for ref in _values(book):
        yield replaced(book, ref.span, TEXT_INSTEAD)


def out_of_range(book: Book, random: Random) -> Iterator[Fault]:
    """A number lies outside of the range that a parameter or field declares."""
    for word, kind in content.typed(book):
        if word.kind == "number":
            yield from _outside(book, word, kind, random)
    for node in book.rules():
        for inner in t.walk(node):
            for value, kind in _ranged(book, inner):
                if isinstance(value, t.Number):
                    yield from _outside(book, value, kind, random)


def _names(book: Book) -> list[str]:
    """Names of values that are one word."""
    return sorted(
        str(entry.key)
        for entries in book.values.values()
        for entry in entries
        if str(entry.key).isidentifier()
    )


def _is_name(kind: Type) -> bool:
    inner = kind.item if isinstance(kind, Many) else kind
    return all(isinstance(member, Named | Num) or member == NONE for member in members(inner))


def _numbers(book: Book) -> Iterator[t.Number]:
    for node in book.rules():
        yield from (inner for inner in t.walk(node) if isinstance(inner, t.Number))


def _values(book: Book) -> Iterator[t.Ref]:
    """The names of values in rules."""
    for node in book.rules():
        bound = bound_in(node)
        for inner in t.walk(node):
            if isinstance(inner, t.Ref) and sort_of(book, inner.name, bound) == "value":
                yield inner


def _ranged(book: Book, node: t.Node) -> Iterator[tuple[t.Node, Type]]:
    """Values that are written in rules where a range is declared."""
    match node:
        case t.Call():
            signature = book.program.signatures.get(node.rule.text)
            if signature is not None and len(signature.parameters) == len(node.arguments):
                kinds = [kind for _, kind in signature.parameters]
                yield from zip(node.arguments, kinds, strict=True)
        case t.Assign(operator="=") if isinstance(node.target, t.Attribute | t.Ref):
            owned = isinstance(node.target, t.Attribute)
            name = (
                node.target.name.text if isinstance(node.target, t.Attribute) else node.target.name
            )
            fields = [f for f in book.program.state.values() if f.name == name]
            if len(fields) == 1 and bool(fields[0].per) == owned and not fields[0].clamped:
                yield node.value, fields[0].type
        case t.FieldDecl(default=t.Number() as value, type=t.RangeType() as declared):
            yield value, Num(declared.low, declared.high)


def _outside(book: Book, node: t.Node, kind: Type, random: Random) -> Iterator[Fault]:
    low, high = content.bounds(kind)
    if high is not None:
        yield replaced(book, node.span, str(high + random.randint(1, FAR)))
    if low is not None and low > 0:
        yield replaced(book, node.span, str(random.randrange(low)))


# ---------------------------------------------------------------- arguments


def argument_missing(book: Book, random: Random) -> Iterator[Fault]:
    """An instruction, a call or a question lacks an argument, or a call the one whom it is for."""
    for steps in content.sequences(book):
        for step in steps:
            for word, _ in step.arguments:
                yield _without(book, word)
    for node in book.rules():
        for inner in t.walk(node):
            if isinstance(inner, t.Call) and inner.rule.text in book.program.signatures:
                yield from (_without(book, each) for each in inner.arguments)
            elif isinstance(inner, t.Ask) and _is_plain(inner):
                yield from (
                    _without_comma(book, inner, place) for place in range(len(inner.arguments))
                )


def argument_extra(book: Book, random: Random) -> Iterator[Fault]:
    """An instruction, a call or a question has an argument more."""
    for steps in content.sequences(book):
        for step in steps:
            if len(step.rest) == len(step.signature.parameters):
                last = step.words[-1]
                yield replaced(book, last.span, f"{book.at(last.span)} 3")
    for node in book.rules():
        for inner in t.walk(node):
            if isinstance(inner, t.Call) and inner.rule.text in book.program.signatures:
                yield replaced(book, inner.rule.span, f"{inner.rule.text} 3")
            elif isinstance(inner, t.Ask) and _is_plain(inner):
                last_one = inner.arguments[-1]
                yield replaced(book, last_one.span, f"{book.at(last_one.span)}, 3")


def subject_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A call does not say whom it is for."""
    for node in book.rules():
        for inner in t.walk(node):
            if isinstance(inner, t.Call) and inner.subject is not None:
                whole = inner.span
                text = book.texts[whole.file]
                start, end = text.range(whole)
                called = text.text[start:end]
                behind = called.rindex(" for ")
                yield replaced(book, whole, called[:behind])


def _is_plain(node: t.Ask) -> bool:
    return bool(node.arguments) and node.binder is None and not node.orders


def _without(book: Book, node: t.Node) -> Fault:
    text = book.texts[node.span.file]
    start, end = text.range(node.span)
    return Fault((Edit(node.span.file, start - 1, end, ""),))


def _without_comma(book: Book, node: t.Ask, place: int) -> Fault:
    given = node.arguments
    text = book.texts[node.span.file]
    start, end = text.range(given[place].span)
    if place:
        start = text.range(given[place - 1].span)[1]
    elif len(given) > 1:
        end = text.range(given[1].span)[0]
    return Fault((Edit(node.span.file, start, end, ""),))
