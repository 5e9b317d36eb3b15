"""The state in which a game begins: declared starting values, cards in their home places."""

from __future__ import annotations

from rulelang.engine.evaluate import Evaluators
from rulelang.engine.zones import empty, of
from rulelang.program.linking import Linked
from rulelang.program.program import StateField
from rulelang.program.types import FLAG, NONE, TEXT, Many, Named, Num, Table, Type, members
from rulelang.program.values import Entry, Value


def initial(linked: Linked) -> list[Value]:
    """The slots before the first rule runs."""
    evaluators = Evaluators(linked)
    slots: list[Value] = [None] * linked.slots
    slots[0] = slots[1] = ()
    later = []
    for field in linked.fields():
        base = linked.bases[field.key]
        owners = linked.owners(field) if field.per else (None,)
        for place, owner in enumerate(owners):
            slots[base + place] = zero(linked, field.type)
            if field.default is not None:
                later.append((base + place, field, owner))
    for at, field, owner in later:
        slots[at] = _start(evaluators, field, owner, slots)
    return slots


def _start(evaluators: Evaluators, field: StateField, owner: Entry | None, slots: list[Value]) -> Value:
    assert field.default is not None
    locals: list[Value] = [owner] + [None] * 64
    value = evaluators.collection(field.default)(slots, locals)
    if isinstance(field.type, Many) and field.type.form != "list":
        return of(value, field.type.form)
    return value


def zero(linked: Linked, kind: Type) -> Value:
    """The starting value of a type that is given none: nothing, no, the lowest number, the first name."""
    if isinstance(kind, Many):
        return () if kind.form == "list" else empty(kind.form)
    if isinstance(kind, Table):
        return tuple(zero(linked, kind.value) for _ in linked.program.domains[kind.key.domain].entries)
    if NONE in members(kind):
        return None
    first = members(kind)[0]
    if isinstance(first, Num):
        return first.low if first.low is not None else 0
    if isinstance(first, Named):
        entries = linked.players if first.domain == "Player" else linked.program.domains[first.domain].entries
        return entries[0] if entries else None
    return False if first == FLAG else "" if first == TEXT else None
