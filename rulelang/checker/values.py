"""Reading the words of a line of content as values: by type, the longest known name first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from attrs import define, field

from rulelang.checker.context import Context, plain
from rulelang.checker.typing import absent_of
from rulelang.checker.wording import describe
from rulelang.diagnostic import Note, Span, suggest
from rulelang.program.types import (
    BAD,
    EFFECT,
    FLAG,
    NONE,
    TEXT,
    Either,
    Many,
    Named,
    Num,
    Table,
    Type,
    fits,
    members,
)
from rulelang.program.values import Entry, Value, order_key
from rulelang.syntax.tree import Line, Word

Words = Sequence[Word]
LONGEST_NAME = 8
MISSING = object()
"""No value could be read; it was reported."""
FIGURES = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)


def span_of(words: Words) -> Span:
    """Where the words stand."""
    return words[0].span.to(words[-1].span)


def text_of(words: Words) -> str:
    """The words as a text."""
    return " ".join(word.text for word in words)


def split(words: Words, kind: str) -> list[list[Word]]:
    """Cut at commas, bars or colons."""
    found: list[list[Word]] = [[]]
    for word in words:
        if word.kind == kind:
            found.append([])
        else:
            found[-1].append(word)
    return found


def parts(line: Line) -> tuple[list[Word], Word | None, list[Word]]:
    """The words before the first colon, the colon, and the words behind it."""
    for place, word in enumerate(line.words):
        if word.kind == "colon":
            return list(line.words[:place]), word, list(line.words[place + 1 :])
    return list(line.words), None, []


def number_of(word: Word) -> int | Fraction:
    """The number that a word is."""
    value = Fraction(word.text)
    return int(value) if value.denominator == 1 else value


@define
class Values:
    """Reads values of any type but effects."""

    context: Context
    about: str = field(init=False, default="")
    """What the values belong to, for messages: ``in `weight` of parcel 7``."""

    def value(self, words: Words, kind: Type, where: Span) -> Value:
        """All the words as one value of a type, or MISSING."""
        if not words:
            self.context.report("C503", f"a value is missing: {describe(kind)}", where)
            return MISSING
        if kind == BAD:
            return MISSING
        match kind:
            case Many():
                return self._many(words, kind, where)
            case Table():
                return self._table(words, kind)
            case Either():
                return self._either(words, kind, where)
        value, rest = self.first(words, kind)
        if rest and value is not MISSING:
            self.context.report(
                "C510",
                f"`{text_of(rest)}` has no meaning here",
                span_of(rest),
                help="Values of a list are separated by commas."
                if rest[0].kind == "name"
                else None,
            )
        return value

    def first(self, words: Words, kind: Type) -> tuple[Value, Words]:
        """One value from the beginning of the words, and the words behind it."""
        word = words[0]
        if kind == BAD:
            return MISSING, ()
        if isinstance(kind, Either):
            return self._first_of(words, kind)
        if kind == TEXT:
            if word.kind == "string":
                return word.text, words[1:]
            self.context.report("T301", "a text stands in quotes", word.span)
            return MISSING, ()
        if kind == NONE and word.text == "none":
            return None, words[1:]
        if kind == FLAG:
            if word.text in ("yes", "no"):
                return word.text == "yes", words[1:]
            self.context.report("T301", "`yes` or `no` is needed here", word.span)
            return MISSING, ()
        if isinstance(kind, Num):
            return self._number(words, kind)
        if isinstance(kind, Named):
            return self._entry(words, kind)
        self.context.report("T301", f"{describe(kind)} is needed here", word.span)
        return MISSING, ()

    # ------------------------------------------------------------ single values

    def _number(self, words: Words, kind: Num) -> tuple[Value, Words]:
        sign, rest = 1, words
        if words[0].text == "-" and len(words) > 1:
            sign, rest = -1, words[1:]
        word = rest[0]
        number = number_of(word) if word.kind == "number" else None
        if not isinstance(number, int):
            figure = FIGURES.index(word.text) if word.text in FIGURES else None
            self.context.report(
                "T301",
                f"`{word.text}` is no whole number; {describe(kind)} is needed",
                word.span,
                help=f"Write a figure: {figure}." if figure is not None else None,
            )
            return MISSING, ()
        value = sign * number
        if not fits(Num(value, value), kind):
            above = kind.high is not None and value > kind.high
            limit = f"above {kind.high}" if above else f"below {kind.low}"
            message = f"{value} is {limit}{self.about}"
            self.context.report("T303", message, word.span, help=f"It may be {kind}.")
            return MISSING, rest[1:]
        return value, rest[1:]

    def _entry(self, words: Words, kind: Named) -> tuple[Value, Words]:
        found = self.find_entry(words, kind.domain)
        if found is not None:
            entry, rest = found
            self.use(entry)
            return entry, rest
        entries = self._entries(kind)
        if kind.domain == "Player":
            self.context.report(
                "T301",
                "content cannot name a player",
                words[0].span,
                help="Seats are known only in play.",
            )
            return MISSING, ()
        if kind.domain in self.context.incomplete:
            return MISSING, ()
        name = text_of([w for w in words if w.kind in _NAMING][:3]) or words[0].text
        first = words[0].text
        keys = [str(entry.key) for entry in entries] + [entry.text for entry in entries]
        label = first if suggest(first, keys) or len(words) == 1 else name
        self._unknown(label, words[0].span, kind.domain, entries)
        return MISSING, ()

    def use(self, entry: Entry) -> None:
        """Note that an entry is named."""
        self.context.use("value", f"{entry.domain}.{entry.key}")

    def _entries(self, *kinds: Named) -> list[Entry]:
        domains = self.context.program.domains
        return [e for kind in kinds if kind.domain in domains for e in domains[kind.domain].entries]

    def _unknown(self, name: str, span: Span, what: str, entries: list[Entry]) -> None:
        keys = [str(entry.key) for entry in entries]
        texts = [entry.text for entry in entries]
        help = "One of: " + ", ".join(texts) + "." if 0 < len(texts) <= 12 else None
        near = suggest(name, keys)
        self.context.report_unknown(name, span, what, keys if near else texts, help=help)

    def find_entry(self, words: Words, domain: str) -> tuple[Entry, Words] | None:
        """The entry whose name the words begin with, the longest first, and what is behind it."""
        names = self.context.names_of(domain) if domain != "Player" else {}
        for length in range(min(len(words), LONGEST_NAME), 0, -1):
            part = words[:length]
            if part[-1].text != "-" and all(word.kind in _NAMING for word in part):
                entry = names.get(plain(text_of(part)))
                if entry is not None:
                    return entry, words[length:]
        return None

    # ------------------------------------------------------------ unions

    def _member(self, words: Words, kind: Type) -> Type | None:
        """The alternative of a type that the words begin with."""
        for member in members(kind):
            if member == NONE and words[0].text == "none":
                return member
            if isinstance(member, Named) and self.find_entry(words, member.domain) is not None:
                return member
            if isinstance(member, Num) and (words[0].kind == "number" or words[0].text == "-"):
                return member
            if member == TEXT and words[0].kind == "string":
                return member
            if member == FLAG and words[0].text in ("yes", "no"):
                return member
        return None

    def _first_of(self, words: Words, kind: Either) -> tuple[Value, Words]:
        member = self._member(words, kind)
        if member is not None:
            return self.first(words, member)
        named = [m for m in members(kind) if isinstance(m, Named)]
        if len(named) < 2:
            return self.first(words, named[0] if named else kind.members[0])
        what = " or ".join(m.domain for m in named)
        self._unknown(words[0].text, words[0].span, what, self._entries(*named))
        return MISSING, ()

    def _either(self, words: Words, kind: Either, where: Span) -> Value:
        member = self._member(words, kind)
        if member is None:
            member = next((m for m in kind.members if isinstance(m, Many | Table)), None)
        if member is not None:
            return self.value(words, member, where)
        value, rest = self._first_of(words, kind)
        if rest and value is not MISSING:
            self.context.report("C510", f"`{text_of(rest)}` has no meaning here", span_of(rest))
        return value

    # ------------------------------------------------------------ values with parts

    def _many(self, words: Words, kind: Many, where: Span) -> Value:
        values, whole = [], True
        for part in split(words, "comma"):
            value = self.value(part, kind.item, part[-1].span if part else where)
            whole = whole and value is not MISSING
            values.append(value)
        if not whole:
            return MISSING
        if kind.form == "set":
            values.sort(key=order_key)
        return tuple(values)

    def _table(self, words: Words, kind: Table) -> Value:
        """``Hammer 2, Saw 1``: pairs; keys that are not named have the value of nothing."""
        domain = self.context.program.domains[kind.key.domain]
        values: list[Value] = [absent_of(kind.value)] * len(domain.entries)
        places: dict[int, Span] = {}
        whole = True
        for part in split(words, "comma"):
            if not part:
                continue
            key, rest = self.first(part, kind.key)
            if key is MISSING:
                whole = False
                continue
            value = self.value(rest, kind.value, part[-1].span)
            whole = whole and value is not MISSING
            if key.index in places:
                note = Note(places[key.index], "first here")
                message = f"{key.text} is given twice"
                self.context.report("C506", message, span_of(part), notes=[note])
            places[key.index] = span_of(part)
            values[key.index] = value
        return tuple(values) if whole else MISSING


_NAMING = ("name", "number", "string", "sign")

__all__ = [
    "EFFECT",
    "FIGURES",
    "MISSING",
    "Values",
    "Words",
    "number_of",
    "parts",
    "span_of",
    "split",
    "text_of",
]
