"""Faults of what rules ask and reckon: a condition, comparison, number or name is another."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random

from rulelang.checker.context import plain
from rulelang.diagnostic import Span
from rulelang.program.program import Signature
from rulelang.syntax import tree as t
from rulelang.testing.faults.book import Book, played_in
from rulelang.testing.faults.fault import Edit, Fault, replaced
from rulelang.testing.faults.spelling import bound_in, sort_of
from rulelang.testing.faults.steps import nodes

NEXT_TO = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "<", "!=": "=="}
OTHER_QUESTION = {
    **{"first": "last", "last": "first", "min": "max", "max": "min", "some": "every"},
    **{"every": "some", "take": "drop", "drop": "take", "sum": "count"},
}
OTHER_PLACE = {"left": "right", "right": "left", "top": "bottom", "bottom": "top"}


def comparison_changed(book: Book, random: Random) -> Iterator[Fault]:
    """A comparison is another: < for <=, == for !=."""
    for node in nodes(book):
        if isinstance(node, t.Binary) and node.operator in NEXT_TO:
            table = random.choice((NEXT_TO, OPPOSITE))
            yield _operator(book, node, node.operator, table[node.operator])


def number_changed(book: Book, random: Random) -> Iterator[Fault]:
    """A number in a rule, or one that a field begins with, is one more or one less."""
    for node in nodes(book):
        if isinstance(node, t.Number) and isinstance(node.value, int):
            new = node.value + random.choice((-1, 1))
            yield replaced(book, node.span, str(new if new >= 0 else 1))


def range_changed(book: Book, random: Random) -> Iterator[Fault]:
    """The end of a range of numbers that a type declares is one more or one less."""
    for node in nodes(book):
        if isinstance(node, t.RangeType):
            for match in re.finditer(r"\d+", book.at(node.span)):
                text = book.texts[node.span.file]
                start = text.range(node.span)[0] + match.start()
                new = int(match[0]) + random.choice((-1, 1))
                if new >= 0:
                    yield Fault((Edit(text.name, start, start + len(match[0]), str(new)),))


def and_or(book: Book, random: Random) -> Iterator[Fault]:
    """`and` and `or` are taken for each other."""
    for node in nodes(book):
        if isinstance(node, t.Binary) and node.operator in ("and", "or"):
            yield _operator(book, node, node.operator, "or" if node.operator == "and" else "and")


def not_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A `not` is missing, or one too many."""
    for node in nodes(book):
        if isinstance(node, t.Binary) and node.operator == "is not":
            yield _operator(book, node, "is not", "is")
        elif isinstance(node, t.Binary) and node.operator == "is":
            yield _operator(book, node, "is", "is not")
        elif isinstance(node, t.Unary) and node.operator == "not":
            text = book.texts[node.span.file]
            start, _ = text.range(node.span)
            yield Fault((Edit(text.name, start, start + 4, ""),), removal=True)


def sign_changed(book: Book, random: Random) -> Iterator[Fault]:
    """Plus and minus are taken for each other."""
    for node in nodes(book):
        if isinstance(node, t.Binary) and node.operator in ("+", "-"):
            yield _operator(book, node, node.operator, "-" if node.operator == "+" else "+")
        elif isinstance(node, t.Assign) and node.operator != "=":
            new = "-=" if node.operator == "+=" else "+="
            yield _between(book, node.target.span, node.value.span, node.operator, new)


def condition_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A `where` or `when` with its condition is missing."""
    for node in nodes(book):
        condition = getattr(node, "condition", None)
        if isinstance(node, t.Binder | t.Choose | t.Offer | t.Hook | t.During) and condition:
            text = book.texts[node.span.file]
            start, end = text.range(condition.span)
            match = re.search(r"\s(?:where|when)\s+$", text.text[:start])
            if match is not None:
                yield Fault((Edit(text.name, match.start(), end, ""),), removal=True)


def other_question(book: Book, random: Random) -> Iterator[Fault]:
    """A question is taken for its opposite: first and last, some and every, most and least."""
    for node in nodes(book):
        match node:
            case t.Ask(function=t.Ref() as asked):
                table = OTHER_PLACE if asked.name in OTHER_PLACE else OTHER_QUESTION
                if asked.name in table:
                    yield replaced(book, asked.span, table[asked.name])
            case t.Order():
                word = "most" if node.most else "least"
                span = node.span
                first = Span(span.file, span.line, span.column, span.line, span.column + len(word))
                yield replaced(book, first, "least" if node.most else "most")


def value_replaced(book: Book, random: Random) -> Iterator[Fault]:
    """Another name of the same type stands where one was meant."""
    for declaration in book.played():
        bound = bound_in(declaration)
        for node in played_in(declaration):
            if isinstance(node, t.Ref) and sort_of(book, node.name, bound) == "value":
                others = _beside(book, node.name)
                if others:
                    yield replaced(book, node.span, random.choice(others))


def _beside(book: Book, name: str) -> list[str]:
    """The other names of the type of a value, or the other variants of its kind."""
    if name in book.variants and name not in book.values:
        return [other for other in book.variants[name].variants if other != name]
    domains = {entry.domain for entry in book.values.get(name, ())}
    keys = [entry.key for domain in domains for entry in book.program.domains[domain].entries]
    return [key for key in keys if isinstance(key, str) and plain(key) == key and key != name]


def call_replaced(book: Book, random: Random) -> Iterator[Fault]:
    """Another rule is called than the one that was meant; it is called in the same way."""
    signatures = book.program.signatures
    for node in nodes(book):
        if isinstance(node, t.Call) and node.rule.text in signatures:
            like = _form(signatures[node.rule.text])
            others = [n for n, s in signatures.items() if _form(s) == like and n != node.rule.text]
            if others:
                yield replaced(book, node.rule.span, random.choice(others))


def _form(signature: Signature) -> tuple[object, ...]:
    subject = signature.subject[1] if signature.subject is not None else None
    return tuple(kind for _, kind in signature.parameters), subject, signature.gives


def local_replaced(book: Book, random: Random) -> Iterator[Fault]:
    """Another local name stands where one was meant."""
    for declaration in book.played():
        bound = bound_in(declaration)
        for node in played_in(declaration):
            if isinstance(node, t.Ref) and node.name in bound:
                others = sorted(bound - {node.name})
                if others:
                    yield replaced(book, node.span, random.choice(others))


def field_replaced(book: Book, random: Random) -> Iterator[Fault]:
    """Another field of the same owner stands where one was meant."""
    fields: dict[str, list[str]] = {}
    for field in book.program.state.values():
        fields.setdefault(field.per, []).append(field.name)
    for node in nodes(book):
        if isinstance(node, t.Attribute):
            owners = [names for names in fields.values() if node.name.text in names]
            others = [name for names in owners for name in names if name != node.name.text]
            if others:
                yield replaced(book, node.name.span, random.choice(others))


# ---------------------------------------------------------------- signs between two spans


def _operator(book: Book, node: t.Binary, old: str, new: str) -> Fault:
    return _between(book, node.left.span, node.right.span, old, new)


def _between(book: Book, left: Span, right: Span, old: str, new: str) -> Fault:
    """Something else for what stands between two spans."""
    text = book.texts[left.file]
    begin, end = text.range(left)[1], text.range(right)[0]
    pattern = r"\s+".join(map(re.escape, old.split()))
    match = re.search(pattern, text.text[begin:end])
    if match is None:
        raise AssertionError((left, old))
    return Fault((Edit(text.name, begin + match.start(), begin + match.end(), new),))
