"""An entry whose fields are being filled: what each holds, and where that stands."""

from __future__ import annotations

from rulelang.checker.context import Context, plain
from rulelang.checker.typing import NO_ZERO, absent_of, zero_of
from rulelang.checker.words import MISSING, Reader
from rulelang.diagnostic import Note, Span
from rulelang.program.program import Kind, KindField
from rulelang.program.types import (
    EFFECT,
    FLAG,
    NONE,
    SCRIPT,
    Many,
    Named,
    Table,
    Type,
    members,
)
from rulelang.program.values import Entry, Value
from rulelang.syntax import tree as t

EFFECTS = Many("list", EFFECT)
INSTRUCTIONS = (EFFECT, EFFECTS, SCRIPT)


class Record:
    """The fields of one entry in the making."""

    def __init__(self, context: Context, kind: Kind, entry: Entry, line: t.Line) -> None:
        self.context = context
        self.kind = kind
        self.entry = entry
        self.line = line
        self.reader = Reader(context, kind.subject)
        self.values: dict[str, Value] = {}
        self.places: dict[str, Span] = {}
        self.failed: set[str] = set()
        self.scripts: dict[str, list[t.Content]] = {}
        """The lines of each field that is a script."""
        self.begun = False
        """Does something stand under the entry?"""
        self.to_do = False
        """Does the entry say that it is not finished?"""
        self.slips = False
        """Was a label reported? It may be one of the missing ones, misspelt."""

    # ------------------------------------------------------------ the fields so far

    def _is_new(self, name: str, span: Span) -> bool:
        """Is nothing said of a field yet? Reports what is given twice."""
        if name in self.places:
            note = Note(self.places[name], "first here")
            self.context.report("C506", f"`{name}` is given twice", span, notes=[note])
            return False
        self.places[name] = span
        return True

    def _set(self, name: str, value: Value, span: Span) -> None:
        if self._is_new(name, span):
            if value is MISSING:
                self.failed.add(name)
            else:
                self.values[name] = value

    def _first_of(self, *kinds: Type) -> KindField | None:
        return next((f for f in self.kind.fields if f.type in kinds), None)

    def _body(self) -> KindField | None:
        """The field that instructions fill which stand under the entry."""
        return self._first_of(EFFECTS, EFFECT, SCRIPT)

    def _field(self, name: str) -> KindField | None:
        return next((f for f in self.kind.fields if plain(f.name) == plain(name)), None)

    # ------------------------------------------------------------ the values in the end

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
        if optional(field.type):
            return zero_of(field.type)
        return self._placeholder(field.type) if excused else NO_ZERO

    def _placeholder(self, kind: Type) -> Value:
        """What a draft holds until somebody says better: the lowest number, the first name."""
        zero, first = zero_of(kind), members(kind)[0]
        if zero is NO_ZERO and isinstance(first, Named):
            domain = self.context.program.domains.get(first.domain)
            return domain.entries[0] if domain is not None and domain.entries else NO_ZERO
        return zero

    def _name(self) -> str:
        return self.entry.label if self.kind.key else f"this {plain(self.kind.name)}"


def optional(kind: Type) -> bool:
    """May an entry say nothing about a field of this type?"""
    return kind in (FLAG, SCRIPT) or isinstance(kind, Many | Table) or NONE in members(kind)
