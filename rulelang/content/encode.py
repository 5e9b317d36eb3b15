"""From the entries of a checked game to JSON."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulelang.checker.words import text_of
from rulelang.content.scripts import ScriptEncoder
from rulelang.content.shapes import (
    CITES,
    COMMENTS,
    DO,
    INSTEAD,
    KEY,
    OF,
    SHOWN_AS,
    TO_DO,
    VARIANT,
    Json,
    first_text,
    inner_kind,
    is_tagged,
    key_of,
    takes_none,
)
from rulelang.content.source import Cut
from rulelang.program.boards import ENDS
from rulelang.program.program import Kind, Program
from rulelang.program.types import (
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
)
from rulelang.program.values import Effect, Entry, Script, Value, figures, plain
from rulelang.syntax import tree as t


class Encoder:
    """Turns entries and their values into JSON; ``cut`` says where they stand."""

    def __init__(self, program: Program, cut: Cut) -> None:
        self.program = program
        self.cut = cut

    def entries(self, kind: Kind) -> list[Json]:
        """All entries of a kind that stand in the texts, in canonical order."""
        listed = self.program.domains[kind.name].entries
        return [self.entry(entry, kind) for entry in listed if entry.span in self.cut.lines]

    def entry(self, entry: Entry, kind: Kind) -> Json:
        """One entry, with the entries inside it."""
        made: dict[str, Json] = {}
        if kind.key and kind.key != ENDS:
            made[kind.key] = key_of(entry.key)
        if entry.replaced is not None:
            made[INSTEAD] = True
        if entry.variant:
            made[VARIANT] = entry.variant
        made |= self._fields(entry, kind)
        if kind.key not in ("", ENDS) and entry.text != shown_by_itself(made, kind, entry.label):
            made[SHOWN_AS] = entry.text
        notes = self._to_do(entry, kind)
        if notes:
            made[TO_DO] = notes
        if entry.cites:
            made[CITES] = list(entry.cites)
        if entry.span is not None and entry.span in self.cut.comments:
            made[COMMENTS] = list(self.cut.comments[entry.span])
        return made

    def _fields(self, entry: Entry, kind: Kind) -> dict[str, Json]:
        made: dict[str, Json] = {}
        for field, value in zip(kind.fields, entry.fields, strict=True):
            inner = inner_kind(self.program, field.type)
            if inner is not None:
                made[field.name] = [self.entry(each, inner) for each in value]
            elif isinstance(value, Script):
                made[field.name] = ScriptEncoder(self.program, self._arguments).steps(value.steps)
            elif value is not None or takes_none(field.type):
                made[field.name] = self.value(value, field.type)
        return made

    def _to_do(self, entry: Entry, kind: Kind) -> list[str]:
        """What the author notes as missing in the entry."""
        assert entry.span is not None
        items = self.cut.lines[entry.span].block
        notes = [_to_do(kind, item) for item in items if isinstance(item, t.Line)]
        return [note for note in notes if note is not None]

    # ------------------------------------------------------------ values

    def value(self, value: Value, kind: Type) -> Json:
        """A value of a type."""
        match kind:
            case Either():
                return self._of_several(value, kind)
            case Named():
                return key_of(value.key)
            case Many():
                return [self.value(item, kind.item) for item in value]
            case Table():
                keys = self.program.domains[kind.key.domain].entries
                pairs = zip(keys, value, strict=True)
                return {
                    str(key_of(key.key)): self.value(item, kind.value)
                    for key, item in pairs
                    if item is not None
                }
        if kind == EFFECT:
            return self._effect(value)
        return value

    def _of_several(self, value: Value, kind: Either) -> Json:
        member = next(member for member in kind.members if _is_of(value, member))
        said = self.value(value, member)
        if isinstance(member, Named) and is_tagged(kind):
            return {OF: member.domain, KEY: said}
        return said

    def _effect(self, effect: Effect) -> Json:
        parameters = self.program.signatures[effect.rule].parameters
        return {DO: effect.rule, **self._arguments(parameters, effect.arguments)}

    def _arguments(
        self, parameters: Sequence[tuple[str, Type]], values: Sequence[Value]
    ) -> dict[str, Json]:
        pairs = zip(parameters, values, strict=True)
        return {name: self.value(value, kind) for (name, kind), value in pairs}


def shown_by_itself(data: dict[str, Json], kind: Kind, label: str) -> str:
    """What players read for an entry if nothing else is said: its title, or else its label."""
    title = first_text(kind)
    if title is None or title.name == "story":
        return label
    shown = data.get(title.name)
    return shown if isinstance(shown, str) else label


def label_of_key(kind: Kind, word: str, key: str | int | Fraction) -> str:
    """The label of an entry; ``word`` is the kind's name as content writes it."""
    return f"{word} {figures(key)}" if kind.key == "number" else str(key)


def _to_do(kind: Kind, line: t.Line) -> str | None:
    """What a line says is still to be done; None if it says something else."""
    if line.words[0].text != "todo" or any(plain(field.name) == "todo" for field in kind.fields):
        return None
    return text_of([word for word in line.words[1:] if word.kind != "colon"])


def _is_of(value: Value, kind: Type) -> bool:
    match kind:
        case Named():
            return isinstance(value, Entry) and value.domain == kind.domain
        case Num():
            return isinstance(value, int) and not isinstance(value, bool)
        case Many() | Table():
            return isinstance(value, tuple)
    if kind == NONE:
        return value is None
    types = {FLAG: bool, TEXT: str, EFFECT: Effect}
    return kind in types and isinstance(value, types[kind])
