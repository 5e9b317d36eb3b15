"""What the words of content are: labels, instructions with their arguments, values of fields."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulelang.checker.context import plain
from rulelang.checker.values import LONGEST_NAME, parts, span_of, split, text_of
from rulelang.program.program import Kind, KindField, Signature
from rulelang.program.types import EFFECT, Either, Many, Named, Num, Type, members
from rulelang.syntax import tree as t
from rulelang.testing.faults.book import MARGIN_WORDS, Book, Written

Words = Sequence[t.Word]
SCRIPT_WORDS = frozenset(("with", "without", "if", "else", "roll", "choose"))


@frozen
class Instruction:
    """An instruction: the words of the rule's name, and those behind it."""

    signature: Signature
    name: Words
    rest: Words

    @property
    def words(self) -> Words:
        """All its words."""
        return (*self.name, *self.rest)

    @property
    def arguments(self) -> list[tuple[t.Word, Type]]:
        """The arguments with their types, if each is one word."""
        kinds = [kind for _, kind in self.signature.parameters]
        return list(zip(self.rest, kinds, strict=True)) if len(kinds) == len(self.rest) else []


@frozen
class Given:
    """A field of an entry, said on a line or in a cell of a table."""

    line: t.Line
    owner: t.Line
    field: KindField
    label: Words
    """The label in front of the colon; none in a table."""
    words: Words


def instruction(book: Book, words: Words) -> Instruction | None:
    """The words as an instruction: the longest name of a rule that they begin with."""
    rules = {plain(name): signature for name, signature in book.program.signatures.items()}
    for length in range(min(len(words), LONGEST_NAME), 0, -1):
        name = words[:length]
        if all(word.kind == "name" for word in name):
            signature = rules.get(plain(text_of(name)))
            if signature is not None:
                return Instruction(signature, name, words[length:])
    return None


def lines_in(written: Written) -> Iterator[t.Line]:
    """The line of an entry and all lines below it."""
    return (node for node in t.walk(written.line) if isinstance(node, t.Line))


def sequences(book: Book) -> Iterator[tuple[Instruction, ...]]:
    """The instructions that stand on a line of content, for each such line or cell."""
    for written in book.entries:
        for line in lines_in(written):
            for words in _stretches(line):
                steps = [instruction(book, part) for part in split(words, "comma") if part]
                if steps and all(step is not None for step in steps):
                    yield tuple(step for step in steps if step is not None)


def _stretches(line: t.Line) -> list[Words]:
    """The stretches of words of a line in which instructions may stand."""
    if any(word.kind == "bar" for word in line.words):
        return list(split(line.words, "bar"))
    head, colon, tail = parts(line)
    return [tail] if colon is not None else [head]


def given(book: Book) -> Iterator[Given]:
    """The fields of entries that are said on a line of their own or in a cell."""
    for written in book.entries:
        if written.heading is not None:
            yield from _cells(written, written.heading)
            continue
        for line in lines_in(written):
            yield from _labelled(book, written.kind, line)


def _cells(written: Written, heading: t.Line) -> Iterator[Given]:
    names = [plain(text_of(cell)) for cell in split(heading.words, "bar")]
    cells = split(written.line.words, "bar")
    for name, cell in zip(names, cells, strict=False):
        for field in written.kind.fields:
            if plain(field.name) == name and cell:
                yield Given(written.line, written.line, field, (), cell)


def _labelled(book: Book, kind: Kind, owner: t.Line) -> Iterator[Given]:
    """The fields said below a line, which is an entry or an entry inside another."""
    for line in owner.block:
        if isinstance(line, t.Line):
            head, colon, tail = parts(line)
            for known in (kind, *_inner(book, kind)):
                field = _field(known, head)
                if field is not None and colon is not None:
                    yield Given(line, owner, field, head, tail)
                    break


def _inner(book: Book, kind: Kind) -> list[Kind]:
    """The kinds of entries that stand inside those of a kind."""
    found = []
    for field in kind.fields:
        if isinstance(field.type, Many) and isinstance(field.type.item, Named):
            inner = book.program.kinds.get(field.type.item.domain)
            if inner is not None and not inner.key:
                found.append(inner)
    return found


def _field(kind: Kind, words: Words) -> KindField | None:
    name = plain(text_of(words)) if words else ""
    return next((field for field in kind.fields if plain(field.name) == name), None)


def boxes(book: Book) -> Iterator[tuple[t.Line, list[t.Line]]]:
    """The entries that stand inside other entries, by the line that holds them."""
    for written in book.entries:
        words = set(book.variants)
        words |= {plain(kind.name) for kind in _inner(book, written.kind)}
        found = [
            line
            for line in written.line.block
            if isinstance(line, t.Line)
            and line.words[0].kind == "name"
            and plain(line.words[0].text) in words
        ]
        if found:
            yield written.line, found


def typed(book: Book) -> Iterator[tuple[t.Word, Type]]:
    """Single words that are values, with their types: arguments, fields and cells."""
    for steps in sequences(book):
        for step in steps:
            yield from step.arguments
    for each in given(book):
        if len(each.words) == 1 and each.field.type not in (EFFECT, Many("list", EFFECT)):
            yield each.words[0], each.field.type


def takes_number(book: Book, kind: Type) -> bool:
    """May a number stand for a value of this type?"""
    return any(
        isinstance(member, Num) or (isinstance(member, Named) and _is_numbered(book, member))
        for member in _inside(kind)
    )


def _inside(kind: Type) -> tuple[Type, ...]:
    return members(kind.item) if isinstance(kind, Many) else members(kind)


def _is_numbered(book: Book, kind: Named) -> bool:
    known = book.program.kinds.get(kind.domain)
    return known is not None and known.key == "number"


def takes_only_number(kind: Type) -> bool:
    """Must a number stand for a value of this type?"""
    return all(isinstance(member, Num) for member in members(kind))


def bounds(kind: Type) -> tuple[int | None, int | None]:
    """The least and the greatest number of a type; both None if it is no range."""
    if isinstance(kind, Either):
        return None, None
    return (kind.low, kind.high) if isinstance(kind, Num) else (None, None)


# ---------------------------------------------------------------- words by what they are

LABEL, EFFECT_NAME, VALUE, QUESTION, KIND_WORD = "label", "effect", "value", "question", "kind"


def classified(book: Book) -> Iterator[tuple[str, t.Word]]:
    """The names that stand in content and are known elsewhere, by what they are."""
    for top in book.lines():
        first = top.words[0]
        if first.text in MARGIN_WORDS:
            yield KIND_WORD, first
            yield from _declaring(book, top)
    for written in book.entries:
        if written.heading is None:
            yield KIND_WORD, written.line.words[0]
        for line in lines_in(written):
            yield from _in_line(book, written, line)
    for heading in dict.fromkeys(w.heading for w in book.entries if w.heading is not None):
        yield from ((LABEL, word) for word in heading.words if word.kind == "name")


def _declaring(book: Book, top: t.Line) -> Iterator[tuple[str, t.Word]]:
    for line in top.block:
        if isinstance(line, t.Line) and line.words[0].kind == "name":
            yield LABEL, line.words[0]
            yield from ((LABEL, w) for w in line.words[1:] if w.text == "players")
    if top.words[0].text == "die":
        for word in parts(top)[2]:
            if word.kind == "name" and plain(word.text) in book.values:
                yield VALUE, word


def _in_line(book: Book, written: Written, line: t.Line) -> Iterator[tuple[str, t.Word]]:
    head, colon, tail = parts(line)
    key = written.entry.span
    if line is written.line:
        head = [] if written.heading is None else head
    elif head and _is_label(book, written.kind, head, colon is not None):
        yield from ((LABEL, word) for word in head if word.kind == "name")
        head = []
    for stretch in (head, tail):
        for part in _pieces(stretch):
            step = instruction(book, part)
            rest = part
            if step is not None:
                yield from ((EFFECT_NAME, word) for word in step.name)
                rest = list(step.rest)
            for word in rest:
                if word.kind == "name" and word.span != key:
                    yield from _named(book, word)


def _pieces(words: Words) -> Iterator[list[t.Word]]:
    for cell in split(words, "bar"):
        yield from (part for part in split(cell, "comma") if part)


def _named(book: Book, word: t.Word) -> Iterator[tuple[str, t.Word]]:
    name = plain(word.text)
    if name in SCRIPT_WORDS:
        yield LABEL, word
    elif name in book.values:
        yield VALUE, word
    elif name in map(plain, book.program.questions):
        yield QUESTION, word


def _is_label(book: Book, kind: Kind, head: Words, colon: bool) -> bool:
    name = plain(text_of(head))
    if name in book.variants or _field(kind, head) is not None:
        return True
    inner = _inner(book, kind)
    return any(_field(each, head) is not None or plain(each.name) == name for each in inner) and (
        colon or len(head) == 1
    )


__all__ = [
    "EFFECT_NAME",
    "KIND_WORD",
    "LABEL",
    "QUESTION",
    "VALUE",
    "Given",
    "Instruction",
    "bounds",
    "boxes",
    "classified",
    "given",
    "sequences",
    "span_of",
    "takes_number",
    "takes_only_number",
    "typed",
]
