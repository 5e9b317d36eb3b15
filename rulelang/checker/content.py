"""Entries: which lines are entries of which kind, and what they are known by.

Entries are read twice. First only their keys, so that entries may name each other and rules may
name them; later, when the signatures of rules are known, their fields (see `filling`).
"""

from __future__ import annotations

from fractions import Fraction

from attrs import define, field, frozen

from rulelang.checker.context import Context, plain
from rulelang.checker.tables import rows_of
from rulelang.checker.values import number_of, parts, text_of
from rulelang.checker.wording import article
from rulelang.diagnostic import Note
from rulelang.program.program import Kind
from rulelang.program.values import Domain, Entry, figures
from rulelang.syntax import tree as t
from rulelang.syntax.vocabulary import OPENS_RULES_BOOK

Key = str | int | Fraction
MOST_MISSING = 8
"""Missing numbers that a message lists."""


@frozen
class Draft:
    """An entry of which only the key is known."""

    entry: Entry
    kind: Kind
    line: t.Line
    rest: tuple[t.Word, ...]
    """The words behind key and title."""
    tail: tuple[t.Word, ...] | None
    """The words behind the colon."""
    title: t.Word | None
    row: dict[str, list[t.Word]] | None = None
    """The cells of a table's row, by field."""


@define
class Content:
    """The reader of entries: of their keys."""

    context: Context
    drafts: dict[str, dict[Key, Draft]] = field(factory=dict)

    def collect(self, lines: list[t.Line]) -> None:
        """Find the entries among the lines, and make the domains of all kinds."""
        kinds = self.context.program.kinds
        by_word = {plain(kind.name): kind for kind in kinds.values() if kind.key}
        for line in lines:
            word = line.words[0]
            kind = by_word.get(plain(word.text)) if word.kind == "name" else None
            plural = by_word.get(plain(word.text).removesuffix("s"))
            if kind is not None:
                self._one(kind, line)
            elif plural is not None and any(isinstance(item, t.Line) for item in line.block):
                self._table(plural, line)
            elif word.text == "todo":
                todo(self.context, line)
            else:
                self._unknown(line, list(by_word))
        for kind in kinds.values():
            self._make_domain(kind)

    def _one(self, kind: Kind, line: t.Line) -> None:
        head, colon, tail = parts(line)
        name = plain(kind.name)
        if len(head) < 2:
            example = {"number": "1", "letter": "A"}.get(kind.key, "some_name")
            self.context.report(
                "C503",
                f"this {name} has no {kind.key}",
                line.span,
                help=f"Write `{name} {example} …`.",
            )
            self.context.incomplete.add(kind.name)
            return
        key = self._key(kind, head[1:2])
        if key is None:
            return
        rest = head[2:]
        title = None
        if rest and rest[0].kind == "string":
            title, rest = rest[0], rest[1:]
        label = _label(kind, key)
        text = title.text if title is not None else label
        entry = Entry(kind.name, 0, key, label, text, span=head[1].span)
        behind = tuple(tail) if colon is not None else None
        self._add(Draft(entry, kind, line, tuple(rest), behind, title))

    def _table(self, kind: Kind, line: t.Line) -> None:
        for row, key_cell, cells in rows_of(self.context, kind, line):
            key = self._key(kind, key_cell)
            if key is None:
                continue
            label = _label(kind, key)
            text = _title_in(cells) or (label if kind.key == "number" else text_of(key_cell))
            entry = Entry(kind.name, 0, key, label, text, span=key_cell[0].span)
            self._add(Draft(entry, kind, row, (), None, None, cells))

    def _key(self, kind: Kind, words: list[t.Word]) -> Key | None:
        """What an entry is known by; None if it was reported."""
        name, first = article(kind.name), words[0]
        if kind.key == "number" and len(words) == 1 and first.kind == "number":
            return number_of(first)
        if kind.key != "number" and all(word.kind in ("name", "string") for word in words):
            return "_".join(word.text for word in words)
        help = "Write a figure." if kind.key == "number" else "Write a name."
        message = f"{name} is known by its {kind.key}"
        self.context.report("T301", message, first.span.to(words[-1].span), help=help)
        self.context.incomplete.add(kind.name)
        return None

    def _add(self, draft: Draft) -> None:
        kind, entry = draft.kind, draft.entry
        known = self.drafts.setdefault(kind.name, {}).setdefault(entry.key, draft)
        if known is not draft and entry.span is not None:
            self.context.report(
                "C502",
                f"{plain(kind.name)} {figures(entry.key)} stands here twice",
                entry.span,
                notes=[Note(known.entry.span or entry.span, "the first one")],
                help="Change one of the two.",
            )

    # ------------------------------------------------------------ domains

    def in_order(self) -> list[Draft]:
        """All entries, by kind and key: entries inside others are numbered in this order."""
        kinds = sorted(self.drafts)
        return [d for kind in kinds for d in sorted(self.drafts[kind].values(), key=_by_key)]

    def _make_domain(self, kind: Kind) -> None:
        drafts = sorted(self.drafts.get(kind.name, {}).values(), key=_by_key)
        for index, draft in enumerate(drafts):
            object.__setattr__(draft.entry, "index", index)
        domain = self.context.program.domains[kind.name]
        domain.entries = tuple(draft.entry for draft in drafts)
        domain.by_key = {entry.key: entry for entry in domain.entries}
        for entry in domain.entries:
            if isinstance(entry.key, str):
                self.context.values.setdefault(entry.key, []).append(entry)
        if kind.base is not None and kind.name not in self.context.incomplete:
            self._check_complete(kind, *kind.base, domain)

    def _check_complete(self, kind: Kind, low: int, high: int | None, domain: Domain) -> None:
        """Is there an entry for every number that the kind declares?"""
        keys = [key for key in domain.by_key if isinstance(key, int)]
        last = high if high is not None else max(keys, default=low)
        missing = [n for n in range(low, last + 1) if n not in domain.by_key]
        name = plain(kind.name)
        if len(missing) == last - low + 1:
            help = f"Write `{name} {low} …`."
            self.context.report("C501", f"there is no {name} at all", kind.span, help=help)
        elif missing:
            numbers = ", ".join(map(str, missing[:MOST_MISSING]))
            more = " and more" if len(missing) > MOST_MISSING else ""
            before = [e for e in domain.entries if isinstance(e.key, int) and e.key < missing[0]]
            after = [e for e in domain.entries if isinstance(e.key, int) and e.key > missing[0]]
            near = [*before[-1:], *after[:1]]
            notes = [Note(e.span, f"{e.label} is here") for e in near if e.span is not None]
            span = notes[0].span if notes else kind.span
            numbered = f"{low} to {high}" if high is not None else f"{low} and up"
            self.context.report(
                "C501",
                f"there is no {name} {numbers}{more}",
                span,
                notes=notes[1:],
                help=f"The game declares {kind.name} {numbered}.",
            )

    def _unknown(self, line: t.Line, kinds: list[str]) -> None:
        word = line.words[0]
        candidates = [*kinds, *sorted(OPENS_RULES_BOOK), "game", "names", "die"]
        help = None
        if kinds:
            help = f"This game declares the kinds {', '.join(sorted(kinds))}."
        what = "kind of entry or declaration"
        self.context.report_unknown(word.text, word.span, what, candidates, code="N205", help=help)


def todo(context: Context, line: t.Line) -> None:
    """List a line that says what is still to be done."""
    rest = [word for word in line.words[1:] if word.kind != "colon"]
    text = text_of(rest) if rest else "something here"
    context.report("C512", f"to do: {text}", line.span)


def _label(kind: Kind, key: Key) -> str:
    return f"{plain(kind.name)} {figures(key)}" if kind.key == "number" else str(key)


def _by_key(draft: Draft) -> tuple[Fraction | int, str]:
    key = draft.entry.key
    return (0, key) if isinstance(key, str) else (key, "")


def _title_in(cells: dict[str, list[t.Word]]) -> str | None:
    for name in ("title", "name"):
        words = cells.get(name)
        if words and words[0].kind == "string":
            return words[0].text
    return None
