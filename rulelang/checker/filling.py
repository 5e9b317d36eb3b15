"""The fields of entries: what their head, their lines and the cells of their row say."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import Factory, define

from rulelang.checker.content import Draft, todo
from rulelang.checker.context import Context, plain
from rulelang.checker.inner import Inner, inner_kinds, inner_of
from rulelang.checker.numbered import in_order
from rulelang.checker.record import INSTRUCTIONS, Record, optional
from rulelang.checker.replacing import REPLACES, stands_inside
from rulelang.checker.scripts import compile_script
from rulelang.checker.slips import nothing_behind, out_of_place, stray, unknown_label
from rulelang.checker.typing import NO_ZERO
from rulelang.checker.wording import article
from rulelang.checker.words import (
    foreign,
    missing_colon,
    number_of,
    parts,
    span_of,
    text_of,
)
from rulelang.diagnostic import Span
from rulelang.program.boards import ENDS
from rulelang.program.program import PLACE, PLACES, Kind, KindField
from rulelang.program.types import (
    EFFECT,
    FLAG,
    NONE,
    SCRIPT,
    TEXT,
    Named,
    members,
)
from rulelang.program.values import Effect, Entry, Value, figures
from rulelang.syntax import tree as t


@define
class Fillers:
    """Fills the fields of all entries, and collects those that stand inside others."""

    context: Context
    nested: dict[str, list[Entry]] = Factory(dict)

    def fill(self, drafts: Sequence[Draft]) -> None:
        """Read the fields of the entries."""
        for draft in drafts:
            written = (*draft.above, *draft.line.cites)
            cites = self.context.cite(written, "entry", draft.entry.label)
            object.__setattr__(draft.entry, "cites", cites)
            kind = self.context.program.kinds[draft.kind.name]
            if draft.like is not None:
                _fill_alike(kind, draft, draft.like)
            else:
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


def _fill_alike(kind: Kind, draft: Draft, like: Entry) -> None:
    """Fill an entry as another one is, but for what follows from its place."""
    by_name = {**like.fields_by_name, **draft.given}
    draft.entry.fill(tuple(by_name.get(f.name) for f in kind.fields), by_name)


class _Filler(Record):
    """Fills the fields of one entry."""

    def __init__(self, fillers: Fillers, kind: Kind, entry: Entry, line: t.Line) -> None:
        super().__init__(fillers.context, kind, entry, line)
        self.fillers = fillers

    def fill(self, draft: Draft) -> None:
        """Fill an entry that stands by itself."""
        if draft.ends:
            self._set(ENDS, draft.ends, draft.entry.span or draft.line.span)
            self.begun = True
        for name, value in draft.given.items():
            self._set(name, value, draft.entry.span or draft.line.span)
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
            if words[0].kind in ("number", "string") and not self.kind.key:
                self._figure_or_title(words[0])
                words = words[1:]
                continue
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

    def _figure_or_title(self, word: t.Word) -> None:
        """``frame 2 "By the river"``: the number and the title of an entry inside another one."""
        if word.kind == "string":
            self._title(word)
        elif self.kind.numbered:
            self._set(PLACE, self.reader.value([word], PLACES, word.span), word.span)
        else:
            self._stray([word])

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
        stray(self.context, self.kind, words)

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
        elif not words and not self.line.block:
            nothing_behind(self.context, self.line)
            self.failed.add(body.name)
        else:
            self._give(body, words, self.line.span)

    # ------------------------------------------------------------ fields

    def _give(self, field: KindField, words: list[t.Word], span: Span) -> None:
        """What stands behind the label of a field, or in its cell."""
        self.reader.about = f" in `{field.name}` of {self.entry.label}"
        if field.type == SCRIPT and words:
            self._script(field, [t.Line(span_of(words), tuple(words), ())])
        else:
            self._set(field.name, self.reader.value(words, field.type, span), span)

    def _cell(self, name: str, words: list[t.Word]) -> None:
        field = self._field(name)
        if field is None:
            self.slips = True  # the heading of the table was reported
            return
        if words:
            self._give(field, words, span_of(words))
        elif NONE in members(field.type):
            self._set(field.name, None, self.line.span)
        elif field.default is None and not optional(field.type):
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
        if head and head[0].text == REPLACES and self._inner(head[1:]) is not None:
            self.slips = True
            key = figures(self.entry.key)
            outer = f"{plain(self.kind.name)} {key}" if self.kind.key else ""
            stands_inside(self.context, head[0].span, plain(head[1].text), outer)
            return
        inner = self._inner(head)
        if inner is not None:
            self._add_inner(*inner, line, head, tail if colon is not None else None)
            return
        field = self._field(text_of(head)) if head else None
        body = self._body()
        if field is not None and field.type == SCRIPT and self._is_label(field, line, head):
            self._labelled(field, line, head, tail)
            return
        if field is not None and colon is not None and self._holds_inner(field):
            self._inside(field, head)
            return
        if field is not None and colon is not None:
            self._give(field, tail, span_of(head))
            return
        if colon is None and not line.block and self._label_without_colon(line):
            return
        if body is not None and body.type == SCRIPT:
            self._script(body, [line])
        elif body is not None and colon is None and not line.block:
            self._instructions(body, line)
        else:
            self._unknown_line(line, head or list(line.words))

    def _holds_inner(self, field: KindField) -> bool:
        return any(field is known for known, _ in self._inner_kinds())

    def _inside(self, field: KindField, head: list[t.Word]) -> None:
        """Report entries behind a label that stand on lines of their own."""
        inner = next(kind for known, kind in self._inner_kinds() if known is field)
        self.slips = True
        word = inner.variants[0] if inner.variants else plain(inner.name)
        number = " 1" if inner.numbered else ""
        message = f"each {inner.name} stands on a line of its own"
        help = f"Begin it with its own word: `{word}{number} …`."
        self.context.report("C510", message, span_of(head), help=help)

    def _is_label(self, field: KindField, line: t.Line, head: list[t.Word]) -> bool:
        """Do words with the name of a script begin it? They may be an instruction with outcomes."""
        if len(head) < len(line.words):
            return True
        return bool(line.block) and (field is not self._body() or not self.reader.find_rule(head))

    def _labelled(
        self, field: KindField, line: t.Line, head: list[t.Word], tail: list[t.Word]
    ) -> None:
        """``done: earn 2``, or ``done`` with a block: a script that has a label."""
        if not tail and not line.block:
            self._give(field, tail, span_of(head))
        elif self._is_new(field.name, span_of(head)):
            of = [t.Line(span_of(tail), tuple(tail), line.block)] if tail else line.block
            self._script(field, of)

    def _script(self, field: KindField, lines: Sequence[t.Content]) -> None:
        self.scripts.setdefault(field.name, []).extend(lines)

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
        self.slips = True
        if foreign(self.context, line.words):
            return
        if self._is_instruction(line.words):
            out_of_place(self.context, self.kind, line)
            return
        inner = [kind for _, kind in self._inner_kinds()]
        unknown_label(self.context, self.kind, inner, head)

    # ------------------------------------------------------------ entries inside entries

    def _inner_kinds(self) -> list[tuple[KindField, Kind]]:
        return inner_kinds(self.context, self.kind)

    def _inner(self, head: list[t.Word]) -> Inner | None:
        return inner_of(self.context, self.kind, head)

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
        if kind.numbered and len(head) > 1 and head[1].kind == "number":
            number = int(number_of(head[1]))
        label = f"{self.entry.label} {plain(kind.name)} {number}"
        entry = Entry(kind.name, 0, label, label, label, variant, span=line.span)
        object.__setattr__(entry, "cites", self.context.cite(line.cites, "entry", label))
        self.fillers.add(entry)
        _Filler(self.fillers, kind, entry, line).fill_inner(head[1:], tail)
        said = [value for value in entry.fields if isinstance(value, tuple | Effect)]
        title = entry.fields_by_name.get("title")
        text = title or "; ".join(filter(None, map(_effects_text, said)))
        if text:
            object.__setattr__(entry, "text", text)
        self.values[field.name] = (*self.values.get(field.name, ()), entry)

    def _finish(self, *, is_row: bool) -> None:
        for field, inner in self._inner_kinds():
            if inner.numbered and field.name in self.values:
                found = in_order(self.context, inner, self.entry, self.values[field.name])
                self.values[field.name] = found
        unfinished = not is_row and self._is_draft()
        if unfinished and self.kind.key:
            self.context.program.drafts.append(self.entry)
        self._compile()
        values = tuple(
            self._final(field, excused=unfinished or self.to_do) for field in self.kind.fields
        )
        missing = [f.name for f, v in zip(self.kind.fields, values, strict=True) if v is NO_ZERO]
        if unfinished and not self.to_do and not missing:
            message = f"nothing stands in {self._name()} yet"
            help = "If nothing belongs there, end its first line with `: nothing`."
            has_body = any(field.type in INSTRUCTIONS for field in self.kind.fields)
            self.context.report("C507", message, self.line.span, help=help if has_body else None)
        self._report_missing(missing)
        by_name = dict(zip((f.name for f in self.kind.fields), values, strict=True))
        self.entry.fill(values, by_name)

    def _is_draft(self) -> bool:
        """Has the entry been begun, and nothing written into it?"""
        if self.slips or self.failed or not self.kind.fields:
            return False
        inner = {field.name for field, _ in self._inner_kinds()}
        content = [f for f in self.kind.fields if f.type in INSTRUCTIONS or f.name in inner]
        if not content:
            wanted = any(f.default is None and not optional(f.type) for f in self.kind.fields)
            return not self.values and wanted
        return not self.begun and all(f.name not in self.places for f in content)

    def _compile(self) -> None:
        """Make rules of the scripts; the one that is the body is called as the entry is."""
        label = (
            self.entry.label
            if self.kind.key in ("", "number")
            else f"{plain(self.kind.name)} {self.entry.key}"
        )
        body = self._body()
        for field in self.kind.fields:
            if field.type != SCRIPT or field.name in self.failed:
                continue
            name = f"script of {label}" if field is body else f"script {field.name} of {label}"
            lines = self.scripts.get(field.name, ())
            self.values[field.name] = compile_script(
                self.context, name, lines, self.kind.subject, self.line.span
            )

    def _report_missing(self, missing: list[str]) -> None:
        if missing and not self.slips:
            names = " and ".join(f"`{name}`" for name in missing)
            where = self.entry.span or self.line.span
            message = f"{self._name()} says nothing about {names}"
            help = None
            if missing == [PLACE]:
                help = f"Write its number behind the word: `{self.line.words[0].text} 1 …`."
            if self.kind.key == ENDS:
                help = f"Write each {plain(self.kind.name)} by itself, with a line for each field."
            self.context.report("C503", message, where, help=help)


def _effects_text(value: Value) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
