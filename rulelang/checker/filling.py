"""The fields of entries: what their head, their lines and the cells of their row say."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import Factory, define

from rulelang.checker.content import Draft, todo
from rulelang.checker.context import Context, plain
from rulelang.checker.scripts import compile_script
from rulelang.checker.typing import NO_ZERO, absent_of, zero_of
from rulelang.checker.wording import article
from rulelang.checker.words import MISSING, Reader, missing_colon, parts, span_of, text_of
from rulelang.diagnostic import Note, Span, did_you_mean, suggest
from rulelang.program.program import Kind, KindField
from rulelang.program.types import (
    EFFECT,
    FLAG,
    NONE,
    SCRIPT,
    TEXT,
    Many,
    Named,
    Table,
    Type,
    members,
)
from rulelang.program.values import Effect, Entry, Value
from rulelang.syntax import tree as t

EFFECTS = Many("list", EFFECT)


@define
class Fillers:
    """Fills the fields of all entries, and collects those that stand inside others."""

    context: Context
    nested: dict[str, list[Entry]] = Factory(dict)

    def fill(self, drafts: Sequence[Draft]) -> None:
        """Read the fields of the entries."""
        for draft in drafts:
            cites = self.context.cite(draft.line.cites, "entry", draft.entry.label)
            object.__setattr__(draft.entry, "cites", cites)
            kind = self.context.program.kinds[draft.kind.name]
            _Filler(self, kind, draft.entry, draft.line).fill(draft)
        for name, entries in self.nested.items():
            domain = self.context.program.domains[name]
            domain.entries = tuple(entries)
            domain.by_key = {entry.label: entry for entry in entries}

    def add(self, entry: Entry) -> None:
        """Enter an entry that stands inside another one."""
        entries = self.nested.setdefault(entry.domain, [])
        object.__setattr__(entry, "index", len(entries))
        entries.append(entry)


class _Filler:
    """Fills the fields of one entry."""

    def __init__(self, fillers: Fillers, kind: Kind, entry: Entry, line: t.Line) -> None:
        self.fillers = fillers
        self.context = fillers.context
        self.kind = kind
        self.entry = entry
        self.line = line
        self.reader = Reader(fillers.context, kind.subject)
        self.values: dict[str, Value] = {}
        self.places: dict[str, Span] = {}
        self.failed: set[str] = set()
        self.script: list[t.Content] = []
        self.begun = False
        """Does something stand under the entry?"""
        self.to_do = False
        """Does the entry say that it is not finished?"""
        self.slips = False
        """Was a label reported? It may be one of the missing ones, misspelt."""

    def fill(self, draft: Draft) -> None:
        """Fill an entry that stands by itself."""
        if draft.title is not None:
            self._title(draft.title)
        self._header(list(draft.rest))
        if draft.tail is not None:
            self._tail(list(draft.tail))
        if draft.row is None:
            self._items()
        for name, cell in (draft.row or {}).items():
            self._cell(name, cell)
        self._finish(is_row=draft.row is not None)

    def fill_inner(self, words: list[t.Word], tail: list[t.Word] | None) -> None:
        """Fill an entry that stands inside another one."""
        self._header(words)
        if tail is not None:
            self._tail(tail)
        self._items()
        self._finish(is_row=False)

    # ------------------------------------------------------------ the head

    def _title(self, title: t.Word) -> None:
        text = self._first_of(TEXT)
        if text is not None:
            self._set(text.name, title.text, title.span)
        else:
            message = f"{article(self.kind.name)} has no text to fill"
            self.context.report("C510", message, title.span)

    def _header(self, words: list[t.Word]) -> None:
        """``at Marsh``, ``final``, ``reef``: a field and its value, a flag, or a value alone."""
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
            found, at = self._positional(words), words[0].span
            if found is None:
                self._stray(words)
                return
            field, entry, words = found
            self.reader.use(entry)
            self._set(field.name, entry, at)

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
        self.slips = True
        if self._body() is not None and self._is_instruction(words):
            self._missing_colon(words)
            return
        names = [field.name for field in self.kind.fields]
        near = did_you_mean(suggest(words[0].text, names))
        message = f"`{text_of(words)}` has no meaning in the head of {article(self.kind.name)}"
        help = "Titles stand in quotes, and every label stands on a line of its own."
        self.context.report("C510", message, span_of(words), help=near or help)

    def _is_instruction(self, words: Sequence[t.Word]) -> bool:
        return self.reader.find_rule(words) is not None or self.reader.is_nothing(words)

    def _missing_colon(self, words: Sequence[t.Word]) -> None:
        """Report words that belong behind a colon."""
        self.slips = True
        before = [word for word in self.line.words if word.span < words[0].span]
        missing_colon(self.context, before[-1], words)

    def _tail(self, words: list[t.Word]) -> None:
        self.begun = True
        body = self._body()
        if body is None:
            message = f"nothing stands behind the colon of {article(self.kind.name)}"
            self.context.report("C510", message, self.line.span)
            self.slips = True
        else:
            self._give(body, words, self.line.span)

    # ------------------------------------------------------------ fields

    def _first_of(self, *kinds: Type) -> KindField | None:
        return next((f for f in self.kind.fields if f.type in kinds), None)

    def _body(self) -> KindField | None:
        """The field that instructions fill which stand under the entry."""
        return self._first_of(EFFECTS, EFFECT, SCRIPT)

    def _field(self, name: str) -> KindField | None:
        return next((f for f in self.kind.fields if plain(f.name) == plain(name)), None)

    def _give(self, field: KindField, words: list[t.Word], span: Span) -> None:
        """What stands behind the label of a field, or in its cell."""
        if field.type == SCRIPT and words:
            self.script.append(t.Line(span_of(words), tuple(words), ()))
        else:
            self._set(field.name, self.reader.value(words, field.type, self.line.span), span)

    def _cell(self, name: str, words: list[t.Word]) -> None:
        field = self._field(name)
        if field is None:
            self.slips = True  # the heading of the table was reported
            return
        if words:
            self._give(field, words, span_of(words))
        elif NONE in members(field.type):
            self._set(field.name, None, self.line.span)
        elif field.default is None and not _optional(field.type):
            message = f"the cell of `{field.name}` is empty"
            self.context.report("C503", message, self.line.span)
            self.failed.add(field.name)

    # ------------------------------------------------------------ lines

    def _items(self) -> None:
        for item in self.line.block:
            match item:
                case t.Story():
                    self._story(item)
                case t.Drawn():
                    self.context.report("C510", "a drawing has no meaning here", item.span)
                case t.Line():
                    self._line(item)

    def _story(self, item: t.Story) -> None:
        field = self._field("story")
        if field is None or field.type != TEXT:
            self.slips = True
            message = f"{article(self.kind.name)} has no story"
            help = "Declare it in the kind: `story: text`."
            self.context.report("N206", message, item.span, help=help)
        else:
            self._set(field.name, item.text, item.span)

    def _line(self, line: t.Line) -> None:
        head, colon, tail = parts(line)
        if line.words[0].text == "todo" and self._field("todo") is None:
            self.to_do = True
            todo(self.context, line)
            return
        self.begun = True
        inner = self._inner(head)
        if inner is not None:
            self._add_inner(*inner, line, head, tail if colon is not None else None)
            return
        field = self._field(text_of(head)) if head else None
        if field is not None and colon is not None:
            self._give(field, tail, span_of(head))
            return
        body = self._body()
        if body is not None and body.type == SCRIPT:
            self.script.append(line)
        elif colon is None and self._label_without_colon(line):
            return
        elif body is not None and colon is None and not line.block:
            self._instructions(body, line)
        else:
            self._unknown_line(line, head or list(line.words))

    def _label_without_colon(self, line: t.Line) -> bool:
        """``cards Hammer 2``: a label, and what belongs behind a colon."""
        words = line.words
        field = self._field(words[0].text)
        if field is None or len(words) < 2 or self._is_instruction(words):
            return False
        self.slips = True
        missing_colon(self.context, words[0], words[1:])
        return True

    def _instructions(self, body: KindField, line: t.Line) -> None:
        effects = self.reader.effects(line.words)
        self.places.setdefault(body.name, line.span)
        if effects is None or body.name in self.failed:
            self.failed.add(body.name)
            return
        if body.type == EFFECT:
            if len(effects) != 1 or body.name in self.values:
                message = "one instruction is meant to stand here"
                self.context.report("C509", message, line.span)
                self.failed.add(body.name)
                return
            self.values[body.name] = effects[0]
            return
        self.values[body.name] = (*self.values.get(body.name, ()), *effects)

    def _unknown_line(self, line: t.Line, head: list[t.Word]) -> None:
        names = [field.name for field in self.kind.fields]
        for _, inner in self._inner_kinds():
            names += list(inner.variants) or [plain(inner.name)]
        self.slips = True
        word = text_of(head)
        what = f"label of {self.kind.name}"
        help = f"{article(self.kind.name).capitalize()} has: {', '.join(names)}."
        if not names:
            help = f"{article(self.kind.name).capitalize()} has no labels."
        self.context.report_unknown(word, span_of(head), what, names, code="N206", help=help)

    # ------------------------------------------------------------ entries inside entries

    def _inner_kinds(self) -> list[tuple[KindField, Kind]]:
        """The fields that hold entries which stand inside this one."""
        found = []
        for field in self.kind.fields:
            if isinstance(field.type, Many) and isinstance(field.type.item, Named):
                kind = self.context.program.kinds.get(field.type.item.domain)
                if kind is not None and not kind.key:
                    found.append((field, kind))
        return found

    def _inner(self, head: list[t.Word]) -> tuple[KindField, Kind, str] | None:
        """Does the line begin an entry that stands inside this one? Field, kind and variant."""
        if not head or head[0].kind != "name":
            return None
        word = plain(head[0].text)
        for field, kind in self._inner_kinds():
            variant = next((v for v in kind.variants if plain(v) == word), None)
            if variant is not None:
                return field, kind, variant
            if not kind.variants and word == plain(kind.name):
                return field, kind, ""
        return None

    def _add_inner(
        self,
        field: KindField,
        kind: Kind,
        variant: str,
        line: t.Line,
        head: list[t.Word],
        tail: list[t.Word] | None,
    ) -> None:
        if variant:
            self.context.use("variant", f"{kind.name}.{variant}")
        number = len(self.values.get(field.name, ())) + 1
        label = f"{self.entry.label} {plain(kind.name)} {number}"
        entry = Entry(kind.name, 0, label, label, label, variant, span=line.span)
        object.__setattr__(entry, "cites", self.context.cite(line.cites, "entry", label))
        self.fillers.add(entry)
        _Filler(self.fillers, kind, entry, line).fill_inner(head[1:], tail)
        said = [value for value in entry.fields if isinstance(value, tuple | Effect)]
        text = "; ".join(filter(None, map(_effects_text, said)))
        if text:
            object.__setattr__(entry, "text", text)
        self.values[field.name] = (*self.values.get(field.name, ()), entry)

    # ------------------------------------------------------------ values

    def _set(self, name: str, value: Value, span: Span) -> None:
        if name in self.places:
            note = Note(self.places[name], "first here")
            self.context.report("C506", f"`{name}` is given twice", span, notes=[note])
            return
        self.places[name] = span
        if value is MISSING:
            self.failed.add(name)
        else:
            self.values[name] = value

    def _finish(self, *, is_row: bool) -> None:
        unfinished = not is_row and self._is_draft()
        self._compile()
        values = tuple(
            self._final(field, excused=unfinished or self.to_do) for field in self.kind.fields
        )
        missing = [f.name for f, v in zip(self.kind.fields, values, strict=True) if v is NO_ZERO]
        if unfinished and not self.to_do and not missing:
            self.context.report("C507", f"nothing stands in {self._name()} yet", self.line.span)
        self._report_missing(missing)
        object.__setattr__(self.entry, "fields", values)
        by_name = dict(zip((f.name for f in self.kind.fields), values, strict=True))
        object.__setattr__(self.entry, "fields_by_name", by_name)

    def _name(self) -> str:
        return self.entry.label if self.kind.key else f"this {plain(self.kind.name)}"

    def _is_draft(self) -> bool:
        """Has the entry been begun, and nothing written into it?"""
        if self.slips or self.failed or not self.kind.fields:
            return False
        inner = {field.name for field, _ in self._inner_kinds()}
        content = [f for f in self.kind.fields if f.type in _INSTRUCTIONS or f.name in inner]
        if not content:
            return not self.values
        return not self.begun and all(f.name not in self.places for f in content)

    def _compile(self) -> None:
        body = self._body()
        if body is None or body.type != SCRIPT or body.name in self.places:
            return
        label = (
            self.entry.label
            if self.kind.key in ("", "number")
            else f"{plain(self.kind.name)} {self.entry.key}"
        )
        name = f"script of {label}"
        subject = self.kind.subject
        script = compile_script(self.context, name, self.script, subject, self.line.span)
        self.values[body.name] = script

    def _final(self, field: KindField, *, excused: bool) -> Value:
        """The value of a field; NO_ZERO where it must be said and is not."""
        if field.name in self.values:
            return self.values[field.name]
        if field.default is not None:
            return getattr(field.default, "value", None)
        if isinstance(field.type, Table):
            keys = self.context.program.domains[field.type.key.domain].entries
            return (absent_of(field.type.value),) * len(keys)
        if field.name in self.failed:
            return None
        if _optional(field.type):
            return zero_of(field.type)
        return self._placeholder(field.type) if excused else NO_ZERO

    def _placeholder(self, kind: Type) -> Value:
        """What a draft holds until somebody says better: the lowest number, the first name."""
        zero, first = zero_of(kind), members(kind)[0]
        if zero is NO_ZERO and isinstance(first, Named):
            domain = self.context.program.domains.get(first.domain)
            return domain.entries[0] if domain is not None and domain.entries else NO_ZERO
        return zero

    def _report_missing(self, missing: list[str]) -> None:
        if missing and not self.slips:
            names = " and ".join(f"`{name}`" for name in missing)
            where = self.entry.span or self.line.span
            message = f"{self._name()} says nothing about {names}"
            self.context.report("C503", message, where)


_INSTRUCTIONS = (EFFECT, EFFECTS, SCRIPT)


def _effects_text(value: Value) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _optional(kind: Type) -> bool:
    """May an entry say nothing about a field of this type?"""
    return kind in (FLAG, SCRIPT) or isinstance(kind, Many | Table) or NONE in members(kind)
