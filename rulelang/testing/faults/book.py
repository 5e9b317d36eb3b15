"""A sound game as it is written: its texts, trees and program."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from attrs import define, field, frozen

from rulelang.checker.context import plain
from rulelang.diagnostic import Span
from rulelang.loader import Sources
from rulelang.program.program import Kind, Program
from rulelang.program.values import Entry
from rulelang.syntax import tree as t
from rulelang.syntax.concrete import Token
from rulelang.syntax.layout import scan
from rulelang.syntax.parser import grammar
from rulelang.syntax.vocabulary import LAYOUT

MARGIN_WORDS = frozenset(("game", "names", "die", "map", "board", "extends"))
"""Words of the authoring book that declare something which is no entry."""


PROVING = t.Check | t.Scenario | t.Trial
"""Declarations that play does not depend on."""


@frozen
class Text:
    """The text of a file, by lines and columns from 1 and by offsets from 0."""

    name: str
    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, name: str, text: str) -> Text:
        """A text, with the offsets of its lines."""
        starts = [0, *(place + 1 for place, sign in enumerate(text) if sign == "\n")]
        return cls(name, text, tuple(starts))

    def range(self, span: Span) -> tuple[int, int]:
        """The offsets of a span."""
        return (
            self.starts[span.line - 1] + span.column - 1,
            self.starts[span.end_line - 1] + span.end_column - 1,
        )

    def lines(self, first: int, last: int) -> tuple[int, int]:
        """The offsets of whole lines, with the last one's end of line."""
        end = self.starts[last] if last < len(self.starts) else len(self.text)
        return self.starts[first - 1], end

    def line_at(self, offset: int) -> int:
        """The line of an offset."""
        return bisect_right(self.starts, offset)

    def line(self, number: int) -> str:
        """The text of a line, without its end."""
        start, end = self.lines(number, number)
        return self.text[start:end].rstrip("\n")


def ends(node: t.Node) -> int:
    """The last line of a node and of all below it."""
    return max(inner.span.end_line for inner in t.walk(node))


def whole(node: t.Node) -> Span:
    """The span of a node and of all below it."""
    spans = [inner.span for inner in t.walk(node)]
    last = max(spans, key=lambda span: (span.end_line, span.end_column))
    return node.span.to(last)


@frozen
class Written:
    """An entry of a kind that is known by a key, and the line that it is written on."""

    kind: Kind
    entry: Entry
    line: t.Line
    heading: t.Line | None
    """The heading of the table in which it is a row."""


@define
class Book:
    """The texts of a sound game, and what they say."""

    sources: Sources
    program: Program
    trees: tuple[t.File, ...]
    texts: dict[str, Text] = field(init=False)

    def __attrs_post_init__(self) -> None:
        both = {**self.sources.rules, **self.sources.catalogues}
        self.texts = {name: Text.of(name, text) for name, text in both.items()}

    def at(self, span: Span) -> str:
        """What stands at a span."""
        text = self.texts[span.file]
        start, end = text.range(span)
        return text.text[start:end]

    # ------------------------------------------------------------ declarations

    def declarations(self) -> Iterator[t.Declaration]:
        """All declarations, file by file."""
        for tree in self.trees:
            yield from tree.declarations

    def lines(self) -> Iterator[t.Line]:
        """The lines of content at the left margin."""
        return (node for node in self.declarations() if isinstance(node, t.Line))

    def rules(self) -> Iterator[t.Declaration]:
        """The declarations of the rules book."""
        return (node for node in self.declarations() if not isinstance(node, t.Line))

    def played(self) -> Iterator[t.Declaration]:
        """The declarations of the rules book that play depends on: no checks, scenarios and trials,
        and no questions that only those ask.
        """
        for node in self.rules():
            proving = isinstance(node, PROVING)
            if not proving and not (
                isinstance(node, t.Define) and node.name.text not in self.asked
            ):
                yield node

    @cached_property
    def asked(self) -> frozenset[str]:
        """The questions that rules or content ask, themselves or through other questions."""
        defines: dict[str, list[t.Define]] = {}
        asked: set[str] = set()
        for node in self.declarations():
            if isinstance(node, t.Define):
                defines.setdefault(node.name.text, []).append(node)
            elif not isinstance(node, PROVING):
                asked |= _words_in(node)
        todo = list(asked)
        while todo:
            for node in defines.get(todo.pop(), ()):
                new = _words_in(node) - asked
                asked |= new
                todo += new
        return frozenset(asked)

    # ------------------------------------------------------------ content

    @cached_property
    def entries(self) -> tuple[Written, ...]:
        """The entries that are known by a key, in the order of their files."""
        keyed = [kind for kind in self.program.kinds.values() if kind.key]
        spans = {
            entry.span: (kind, entry)
            for kind in keyed
            for entry in self.program.domains[kind.name].entries
        }
        found = []
        for top in self.lines():
            rows = [item for item in top.block if isinstance(item, t.Line)]
            for line in (top, *rows):
                for word in line.words:
                    if word.span in spans:
                        heading = None if line is top else rows[0]
                        found.append(Written(*spans[word.span], line, heading))
        return tuple(found)

    @cached_property
    def values(self) -> dict[str, list[Entry]]:
        """The values that are known by names: of names, of kinds by name, of readings."""
        found: dict[str, list[Entry]] = {}
        for domain in self.program.domains.values():
            for entry in domain.entries:
                if isinstance(entry.key, str) and " " not in entry.key:
                    found.setdefault(plain(entry.key), []).append(entry)
        return found

    @cached_property
    def variants(self) -> dict[str, Kind]:
        """The variants of kinds, by plain name."""
        kinds = self.program.kinds.values()
        return {plain(variant): kind for kind in kinds for variant in kind.variants}

    @cached_property
    def known(self) -> frozenset[str]:
        """Every word that stands anywhere: a slip that makes one of them is another fault."""
        words = set(map(plain, grammar().vocabulary.reserved))
        for name in self.sources.rules:
            for token in self.tokens(name):
                words.update(map(plain, str(token).split()))
        return frozenset(words)

    def tokens(self, file: str) -> list[Token]:
        """The words and signs of a file, without those that stand for layout."""
        scanned = scan(self.sources.rules[file], file, grammar().vocabulary).tokens
        return [token for token in scanned if token.type not in LAYOUT]

    def first_on_lines(self, file: str) -> Iterator[Token]:
        """The first word of each line of a file that carries no other line on."""
        scanned = scan(self.sources.rules[file], file, grammar().vocabulary).tokens
        if scanned and scanned[0].type not in LAYOUT:
            yield scanned[0]
        for before, token in pairwise(scanned):
            if before.type in LAYOUT and token.type not in (*LAYOUT, "DRAWN", "STORY"):
                yield token


def played_in(node: t.Node) -> Iterator[t.Node]:
    """A node and all below it that play depends on: not how good a position is held to be."""
    if isinstance(node, t.Scores) and node.evaluates:
        return
    yield node
    for inner in t.children(node):
        yield from played_in(inner)


def _words_in(node: t.Node) -> set[str]:
    names = set()
    for inner in played_in(node):
        match inner:
            case t.Ref():
                names.add(inner.name)
            case t.Word():
                names.add(plain(inner.text))
    return names
