"""Faults of signs and layout: a colon, quote, comma, bracket, word or blank is missing."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from rulelang.syntax import tree as t
from rulelang.syntax.concrete import Token
from rulelang.testing.faults.book import PROVING, Book
from rulelang.testing.faults.fault import Edit, Fault

BRACKETS = ("LPAR", "RPAR", "LSQB", "RSQB", "CALL_LPAR", "INDEX_LSQB")
BINDING_WORDS = (
    *("FROM", "TO", "INTO", "IN", "OF", "WHERE", "WHEN", "THEN", "FOR", "GIVES", "WHILE"),
    *("IS", "AND", "OR", "HAS", "LET", "IF", "CITES", "BY"),
)
"""Words without which what is left of a line is rarely one."""


def _without(*types: str) -> _Missing:
    return _Missing(types)


class _Missing:
    """A seeder that takes away one sign or word of these types."""

    def __init__(self, types: tuple[str, ...]) -> None:
        self.types = types

    def __call__(self, book: Book, random: Random) -> Iterator[Fault]:
        for file in book.sources.rules:
            for token in book.tokens(file):
                if token.type in self.types:
                    start, end = _range(book, file, token)
                    yield Fault((Edit(file, start, end, ""),), removal=True)


colon_missing = _without("COLON")
comma_missing = _without("COMMA")
bracket_missing = _without(*BRACKETS)
bar_missing = _without("BAR")
word_missing = _without(*BINDING_WORDS)


def quote_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A text lacks its first or its last quote."""
    for file in book.sources.rules:
        for token in book.tokens(file):
            if token.type == "STRING":
                start, end = _range(book, file, token)
                place = random.choice((start, end - 1))
                yield Fault((Edit(file, place, place + 1, ""),), removal=True)


def decider_missing(book: Book, random: Random) -> Iterator[Fault]:
    """A choice does not say by whom it is made."""
    for node in book.rules():
        for inner in t.walk(node):
            if isinstance(inner, t.Choose | t.ChooseOffer):
                text = book.texts[inner.span.file]
                start, end = text.range(inner.by.span)
                begin = text.text.rindex("by", 0, start)
                yield Fault((Edit(text.name, begin, end, ""),), removal=True)


def blank_more_or_less(book: Book, random: Random) -> Iterator[Fault]:
    """A line is indented by one blank more or less."""
    for file in book.sources.rules:
        for token in book.first_on_lines(file):
            start, _ = _range(book, file, token)
            if token.column > 1 and random.random() < 0.5:
                yield Fault((Edit(file, start - 1, start, ""),), removal=True)
            else:
                yield Fault((Edit(file, start, start, " "),), removal=True)


def level_more_or_less(book: Book, random: Random) -> Iterator[Fault]:
    """A line stands one level farther in or out than meant."""
    for file in book.sources.rules:
        proving = {
            line
            for node in book.declarations()
            if node.span.file == file and isinstance(node, PROVING)
            for line in range(node.span.line, node.span.end_line + 1)
        }
        for token in book.first_on_lines(file):
            start, _ = _range(book, file, token)
            column = token.column
            if token.line in proving or column == 1:
                continue
            if column > 3 and random.random() < 0.5:
                yield Fault((Edit(file, start - 2, start, ""),), removal=True)
            else:
                yield Fault((Edit(file, start, start, "  "),), removal=True)


def _range(book: Book, file: str, token: Token) -> tuple[int, int]:
    starts = book.texts[file].starts
    return (
        starts[token.line - 1] + token.column - 1,
        starts[token.end_line - 1] + token.end_column - 1,
    )
