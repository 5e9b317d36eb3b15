"""What a seat sees of the state, value by value, with no knowledge of any game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from rulelang.codec import decode
from rulelang.play.words import field_name
from rulelang.prepared import Prepared
from rulelang.program.linking import Linked
from rulelang.program.program import StateField
from rulelang.program.types import Many, Table, Type
from rulelang.program.values import Entry, Value


@frozen
class Hidden:
    """A value that lies face down: how many lie there (None: it is no place), and those known."""

    count: int | None
    known: tuple[Value, ...] = ()


@frozen
class Cell:
    """One value of the state that a seat sees: a field, whose it is, and the value or `Hidden`."""

    field: StateField
    owner: Entry | None
    value: Value
    keys: tuple[Entry, ...] = ()
    """Of a map: its keys, in the order of the values."""
    start: Value = None
    """The value in which games begin."""

    @property
    def name(self) -> str:
        """The field's name as words."""
        return field_name(self.field.name)

    @property
    def zone(self) -> bool:
        """Is it a place where entries lie?"""
        return isinstance(self.field.type, Many) and self.field.type.form != "list"


def seen(prepared: Prepared, state: Mapping[str, Any]) -> tuple[Cell, ...]:
    """The cells of a view's state, in the order in which the game declares them."""
    linked, start = prepared.linked, prepared.initial()
    present = {field.key for field in linked.fields()}
    cells = []
    for field in linked.program.state.values():
        if field.key not in present or field.key not in state:
            continue
        keys = _keys(linked, field.type)
        base = linked.bases[field.key]
        for place, owner in enumerate(linked.owners(field) if field.per else (None,)):
            data = state[field.key] if owner is None else state[field.key][str(owner.key)]
            value = _value(linked, field, data)
            cells.append(Cell(field, owner, value, keys, start[base + place]))
    return tuple(cells)


def _keys(linked: Linked, kind: Type) -> tuple[Entry, ...]:
    return linked.program.domains[kind.key.domain].entries if isinstance(kind, Table) else ()


def _value(linked: Linked, field: StateField, data: Any) -> Value:
    program = linked.program
    if isinstance(data, dict) and "hidden" in data:
        return Hidden(None)
    if isinstance(data, dict) and "count" in data and "known" in data:
        known = tuple(decode(program, item, field.key) for item in data["known"])
        return Hidden(int(data["count"]), known)
    return decode(program, data, field.key)
