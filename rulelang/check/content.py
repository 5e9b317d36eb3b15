"""Entries: which lines are entries of which kind, and what their fields hold.

Entries are read twice. First only their keys, so that entries may name each other and rules may name
them; later, when the signatures of rules are known, their fields.
"""

from __future__ import annotations

from fractions import Fraction

from attrs import define, field

from rulelang.check.context import Context, plain
from rulelang.check.headers import parts
from rulelang.check.scripts import compile_script
from rulelang.check.words import MISSING, Reader, number_of, span_of, split, text_of
from rulelang.diagnostic import Note, Span, did_you_mean, suggest
from rulelang.program.program import Kind, KindField
from rulelang.program.types import EFFECT, FLAG, SCRIPT, TEXT, Many, Named, Type, members
from rulelang.program.values import Domain, Effect, Entry, Value, figures
from rulelang.syntax import tree as t
from rulelang.syntax.layout import OPENS_RULES_BOOK

Key = str | int | Fraction


@define
class _Draft:
    """An entry of which only the key is known."""

    entry: Entry
    kind: Kind
    line: t.Line
    rest: list[t.Word]
    """The words behind key and title."""
    tail: list[t.Word] | None
    """The words behind the colon."""
    title: str | None
    row: dict[str, list[t.Word]] = field(factory=dict)
    """The cells of a table's row, by field."""


@define
class Content:
    """The reader of entries."""

    context: Context
    drafts: dict[str, list[_Draft]] = field(factory=dict)
    nested: dict[str, list[Entry]] = field(factory=dict)

    # ------------------------------------------------------------ first: keys

    def collect(self, lines: list[t.Line]) -> None:
        """Find the entries among the lines, and make the domains of all kinds."""
        kinds = self.context.program.kinds
        by_word = {plain(kind.name): kind for kind in kinds.values() if kind.key}
        for line in lines:
            word = line.words[0]
            kind = by_word.get(plain(word.text)) if word.kind == "name" else None
            if kind is not None:
                self._collect_one(kind, line)
                continue
            plural = by_word.get(plain(word.text).removesuffix("s"))
            if plural is not None and any(_is_row(item) for item in line.block):
                self._collect_table(plural, line)
            else:
                self._unknown(line, list(by_word))
        for kind in kinds.values():
            self._make_domain(kind)

    def _collect_one(self, kind: Kind, line: t.Line) -> None:
        head, colon, tail = parts(line)
        if len(head) < 2:
            self.context.report(
                "C503", f"this {plain(kind.name)} has no {kind.key}", line.span,
                help=f"Write `{plain(kind.name)} {'1' if kind.key == 'number' else 'name'} …`.",
            )  # fmt: skip
            return
        key = self._key(kind, head[1])
        if key is None:
            return
        rest = head[2:]
        title = None
        if rest and rest[0].kind == "string":
            title, rest = rest[0].text, rest[1:]
        self._add(kind, key, title, line, rest, tail if colon is not None else None, head[1].span, {})

    def _collect_table(self, kind: Kind, line: t.Line) -> None:
        rows = [item for item in line.block if isinstance(item, t.Line)]
        heading = [text_of(cell) for cell in split(rows[0].words, "bar")]
        names = [plain(cell) for cell in heading]
        for row in rows[1:]:
            cells = split(row.words, "bar")
            if len(cells) != len(names):
                self.context.report(
                    "C504", f"this row has {len(cells)} cells, and the heading has {len(names)}", row.span,
                    notes=[Note(rows[0].span, "the heading")],
                )  # fmt: skip
                continue
            by_name = dict(zip(names, cells, strict=True))
            key_cell = by_name.pop(kind.key, [])
            if not key_cell:
                self.context.report("C503", f"this row has no {kind.key}", row.span)
                continue
            key = self._key(kind, key_cell[0])
            if key is not None:
                self._add(kind, key, None, row, [], None, key_cell[0].span, by_name)
        for name, word in zip(names, split(rows[0].words, "bar"), strict=True):
            if name != kind.key and kind.place(name) is None and word:
                known = [f.name for f in kind.fields]
                self.context.report_unknown(name, span_of(word), f"field of {kind.name}", known, code="N206")

    def _key(self, kind: Kind, word: t.Word) -> Key | None:
        if kind.key == "number":
            if word.kind != "number":
                self.context.report("T301", f"a {kind.name} is known by its number", word.span, help="Write a figure.")
                return None
            return number_of(word)
        if word.kind not in ("name", "string"):
            self.context.report("T301", f"a {kind.name} is known by its {kind.key}", word.span)
            return None
        return word.text

    def _add(
        self, kind: Kind, key: Key, title: str | None, line: t.Line, rest: list[t.Word],
        tail: list[t.Word] | None, span: Span, row: dict[str, list[t.Word]],
    ) -> None:  # fmt: skip
        drafts = self.drafts.setdefault(kind.name, [])
        known = next((d for d in drafts if d.entry.key == key), None)
        label = f"{plain(kind.name)} {figures(key)}" if kind.key == "number" else str(key)
        if known is not None:
            self.context.report(
                "C502", f"{plain(kind.name)} {key} stands here twice", span,
                notes=[Note(known.entry.span or span, "the first one")],
                help="Change one of the two.",
            )  # fmt: skip
            return
        text = title if title is not None else _title_cell(row) or label
        entry = Entry(kind.name, 0, key, label, text, span=span)
        drafts.append(_Draft(entry, kind, line, rest, tail, title, row))

    def _make_domain(self, kind: Kind) -> None:
        drafts = self.drafts.get(kind.name, [])
        drafts.sort(key=lambda d: d.entry.key)  # type: ignore[arg-type, return-value]
        for index, draft in enumerate(drafts):
            object.__setattr__(draft.entry, "index", index)
        domain = self.context.program.domains[kind.name]
        domain.entries = tuple(draft.entry for draft in drafts)
        domain.by_key = {entry.key: entry for entry in domain.entries}
        for entry in domain.entries:
            if isinstance(entry.key, str):
                self.context.values.setdefault(entry.key, []).append(entry)
        if kind.base is not None and kind.key == "number":
            self._check_complete(kind, domain)

    def _check_complete(self, kind: Kind, domain: Domain) -> None:
        assert kind.base is not None
        low, high = kind.base
        if high is None:
            high = max((int(key) for key in domain.by_key if isinstance(key, int)), default=low)
        missing = [n for n in range(low, high + 1) if n not in domain.by_key]
        if missing and len(missing) <= high - low:
            numbers = ", ".join(map(str, missing[:8])) + (" and more" if len(missing) > 8 else "")
            before = [e for e in domain.entries if isinstance(e.key, int) and e.key < missing[0]]
            after = [e for e in domain.entries if isinstance(e.key, int) and e.key > missing[0]]
            notes = [Note(e.span, f"{e.label} is here") for e in (before[-1:] + after[:1]) if e.span is not None]
            self.context.report(
                "C501", f"there is no {plain(kind.name)} {numbers}", notes[0].span if notes else kind.span,
                notes=notes[1:], help=f"The game declares {kind.name} {low} to {high}.",
            )  # fmt: skip
        elif missing:
            self.context.report("C501", f"there is no {kind.name} at all", kind.span)

    def _unknown(self, line: t.Line, kinds: list[str]) -> None:
        word = line.words[0]
        candidates = [*kinds, *sorted(OPENS_RULES_BOOK), "game", "names", "die"]
        near = suggest(word.text, candidates)
        help = did_you_mean(near)
        if help is None and kinds:
            help = f"This game declares the kinds {', '.join(sorted(kinds))}."
        what = "kind of entry or declaration"
        self.context.report_unknown(word.text, word.span, what, candidates, code="N205", help=help)

    # ------------------------------------------------------------ then: fields

    def fill(self) -> None:
        """Read the fields of all entries."""
        for drafts in self.drafts.values():
            for draft in drafts:
                cites = self.context.cite(draft.line.cites, "entry", draft.entry.label)
                object.__setattr__(draft.entry, "cites", cites)
                _Filler(self, draft.kind, draft.entry, draft.line).fill(draft)
        for name, entries in self.nested.items():
            domain = self.context.program.domains[name]
            domain.entries = tuple(entries)
            domain.by_key = {entry.label: entry for entry in entries}

    def add_nested(self, entry: Entry) -> None:
        """Enter an entry that stands inside another one."""
        entries = self.nested.setdefault(entry.domain, [])
        object.__setattr__(entry, "index", len(entries))
        entries.append(entry)


def _title_cell(row: dict[str, list[t.Word]]) -> str | None:
    for name in ("title", "name"):
        if name in row and row[name] and row[name][0].kind == "string":
            return row[name][0].text
    return None


def _is_row(item: t.Content) -> bool:
    return isinstance(item, t.Line) and any(word.kind == "bar" for word in item.words)


class _Filler:
    """Fills the fields of one entry."""

    def __init__(self, content: Content, kind: Kind, entry: Entry, line: t.Line) -> None:
        self.content = content
        self.context = content.context
        self.kind = kind
        self.entry = entry
        self.line = line
        self.reader = Reader(content.context, kind.subject)
        self.values: dict[str, Value] = {}
        self.places: dict[str, Span] = {}
        self.failed: set[str] = set()
        self.script: list[t.Content] = []
        self.slips: list[str] = []
        """Labels that no field has: perhaps one of the missing ones, misspelt."""

    def fill(self, draft: _Draft) -> None:
        title = self._first_of(TEXT)
        if draft.title is not None:
            if title is None:
                self.context.report("C510", f"a {self.kind.name} has no text to fill", draft.entry.span or self.line.span)
            else:
                self._set(title.name, draft.title, self.line.span)
        self._header(draft.rest)
        if draft.tail is not None:
            self._tail(draft.tail)
        for name, cell in draft.row.items():
            self._cell(name, cell)
        for item in self.line.block if not draft.row else ():
            self._item(item)
        self._finish()

    def nested(self, words: list[t.Word], tail: list[t.Word] | None) -> None:
        """Fill an entry that stands inside another one."""
        self._header(words)
        if tail is not None:
            self._tail(tail)
        for item in self.line.block:
            self._item(item)
        self._finish()

    # ------------------------------------------------------------ parts

    def _first_of(self, *kinds: Type) -> KindField | None:
        return next((f for f in self.kind.fields if f.type in kinds), None)

    def _header(self, words: list[t.Word]) -> None:
        """``at Marsh``, ``final``, ``jungle``: a field's name and its value, a flag, or a value alone."""
        while words:
            field = self._field(words[0].text)
            if field is not None and field.type == FLAG:
                self._set(field.name, True, words[0].span)
                words = words[1:]
                continue
            if field is not None and len(words) > 1:
                value, rest = self.reader.first(words[1:], field.type)
                self._set(field.name, value, words[0].span)
                words = list(rest)
                continue
            positional = self._positional(words)
            if positional is None:
                self._stray(words)
                return
            field, entry, rest_words = positional
            self._set(field.name, entry, words[0].span)
            words = rest_words

    def _positional(self, words: list[t.Word]) -> tuple[KindField, Entry, list[t.Word]] | None:
        for field in self.kind.fields:
            if field.name in self.values:
                continue
            for kind in members(field.type):
                if isinstance(kind, Named):
                    found = self.reader.find_entry(words, kind.domain)
                    if found is not None:
                        return field, found[0], list(found[1])
        return None

    def _stray(self, words: list[t.Word]) -> None:
        names = [field.name for field in self.kind.fields]
        near = did_you_mean(suggest(words[0].text, names))
        self.slips.append(words[0].text)
        self.context.report(
            "C510", f"`{text_of(words)}` has no meaning in the head of a {self.kind.name}", span_of(words),
            help=near or 'Titles stand in quotes, and every label stands on a line of its own.',
        )  # fmt: skip

    def _tail(self, words: list[t.Word]) -> None:
        body = self._body()
        if body is None:
            self.context.report("C510", f"nothing stands behind the colon of a {self.kind.name}", self.line.span)
            return
        if body.type == SCRIPT:
            self.script.append(t.Line(span_of(words) if words else self.line.span, tuple(words), ()))
        else:
            self._cell(body.name, words)

    def _body(self) -> KindField | None:
        return self._first_of(Many("list", EFFECT), EFFECT, SCRIPT)

    def _cell(self, name: str, words: list[t.Word]) -> None:
        field = self._field(name)
        if field is None:
            return  # the heading of the table was reported
        if not words and any(str(kind) == "none" for kind in members(field.type)):
            self._set(field.name, None, self.line.span)
        elif not words and field.default is not None:
            return
        else:
            self._set(field.name, self.reader.value(words, field.type, self.line.span), self.line.span)

    def _field(self, name: str) -> KindField | None:
        return next((f for f in self.kind.fields if plain(f.name) == plain(name)), None)

    def _item(self, item: t.Content) -> None:
        match item:
            case t.Story():
                field = self._field("story")
                if field is None:
                    self.context.report("N206", f"a {self.kind.name} has no story", item.span)
                else:
                    self._set("story", item.text, item.span)
            case t.Drawn():
                self.context.report("C510", "a drawing has no meaning here", item.span)
            case t.Line():
                self._line(item)

    def _line(self, line: t.Line) -> None:
        head, colon, tail = parts(line)
        inner = self._inner(head)
        if inner is not None:
            self._add_inner(*inner, line, head, tail if colon is not None else None)
            return
        if colon is not None and head:
            field = self._field(text_of(head))
            if field is not None:
                self._set(field.name, self.reader.value(tail, field.type, line.span), span_of(head))
                return
        body = self._body()
        if body is not None and body.type == SCRIPT:
            self.script.append(line)
            return
        if body is not None and colon is None:
            effects = self.reader.effects(line.words)
            known = self.values.get(body.name, ())
            self.places.pop(body.name, None)
            self._set(body.name, (*known, *effects), line.span)
            return
        self._unknown_line(line, head or list(line.words))

    def _inner(self, head: list[t.Word]) -> tuple[KindField, Kind, str] | None:
        """Does the line begin an entry that stands inside this one? Its field, kind and variant."""
        if not head or head[0].kind != "name":
            return None
        word = plain(head[0].text)
        for field in self.kind.fields:
            if isinstance(field.type, Many) and isinstance(field.type.item, Named):
                kind = self.context.program.kinds.get(field.type.item.domain)
                if kind is not None and not kind.key:
                    if word in kind.variants:
                        return field, kind, word
                    if not kind.variants and word == plain(kind.name):
                        return field, kind, ""
        return None

    def _add_inner(
        self, field: KindField, kind: Kind, variant: str, line: t.Line, head: list[t.Word], tail: list[t.Word] | None
    ) -> None:
        if variant:
            self.context.use("variant", f"{kind.name}.{variant}")
        number = len(self.values.get(field.name, ())) + 1
        label = f"{self.entry.label} {plain(kind.name)} {number}"
        entry = Entry(kind.name, 0, label, label, label, variant, span=line.span)
        object.__setattr__(entry, "cites", self.context.cite(line.cites, "entry", label))
        self.content.add_nested(entry)
        _Filler(self.content, kind, entry, line).nested(head[1:], tail)
        if variant or entry.fields:
            text = "; ".join(_effects_text(value) for value in entry.fields if isinstance(value, tuple | Effect))
            if text:
                object.__setattr__(entry, "text", text)
        self.values[field.name] = (*self.values.get(field.name, ()), entry)

    def _unknown_line(self, line: t.Line, head: list[t.Word]) -> None:
        names = [field.name for field in self.kind.fields]
        for field in self.kind.fields:
            if isinstance(field.type, Many) and isinstance(field.type.item, Named):
                inner = self.context.program.kinds.get(field.type.item.domain)
                if inner is not None and not inner.key:
                    names += list(inner.variants) or [plain(inner.name)]
        word = head[0].text
        self.slips.append(word)
        near = did_you_mean(suggest(word, names)) or f"A {self.kind.name} has: {', '.join(names)}."
        self.context.report_unknown(
            word, head[0].span, f"label of {self.kind.name}", names, code="N206", help=near
        )

    # ------------------------------------------------------------ values

    def _set(self, name: str, value: Value, span: Span) -> None:
        if name in self.places:
            self.context.report(
                "C506", f"`{name}` is given twice", span, notes=[Note(self.places[name], "first here")]
            )
            return
        self.places[name] = span
        if value is MISSING:
            self.failed.add(name)
        else:
            self.values[name] = value

    def _finish(self) -> None:
        body = self._body()
        if self.script and body is not None:
            name = f"script of {self.entry.label}"
            script = compile_script(self.context, name, self.script, self.kind.subject, self.line.span)
            self._set(body.name, script, self.line.span)
        values: list[Value] = []
        if not self.values and not self.failed and not self.slips and self.kind.fields and self.kind.key:
            self.context.report("C507", f"{self.entry.label} is empty yet", self.line.span)
        missing = []
        for field in self.kind.fields:
            if field.name in self.values:
                values.append(self.values[field.name])
            elif field.default is not None:
                values.append(getattr(field.default, "value", None))
            else:
                values.append(_empty(field.type))
                if field.name not in self.failed and not _optional(field.type):
                    missing.append(field.name)
        if missing and not self.slips and (self.values or self.failed):
            names = " and ".join(f"`{name}`" for name in missing)
            where = self.entry.span or self.line.span
            self.context.report("C503", f"{self.entry.label} says nothing about {names}", where)
        object.__setattr__(self.entry, "fields", tuple(values))
        names_and_values = zip((f.name for f in self.kind.fields), values, strict=True)
        object.__setattr__(self.entry, "fields_by_name", dict(names_and_values))


def _effects_text(value: Value) -> str:
    return ", ".join(str(effect) for effect in value) if isinstance(value, tuple) else str(value)


def _optional(kind: Type) -> bool:
    return kind == FLAG or isinstance(kind, Many) or any(str(member) == "none" for member in members(kind))


def _empty(kind: Type) -> Value:
    if kind == FLAG:
        return False
    return () if isinstance(kind, Many) else "" if kind == TEXT else None
