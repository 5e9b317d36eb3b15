"""The state in which a game begins: declared starting values, cards in their home places."""

from __future__ import annotations

from rulelang.engine.evaluate import Evaluators
from rulelang.engine.fault import UNFORESEEN, Fault, unforeseen
from rulelang.engine.zones import empty, of
from rulelang.program.expressions import slots_of
from rulelang.program.linking import ENDINGS, MARKS, Linked
from rulelang.program.program import StateField
from rulelang.program.types import FLAG, NONE, TEXT, Many, Named, Num, Table, Type, admits, members
from rulelang.program.values import Entry, Value


def initial(linked: Linked, evaluators: Evaluators | None = None) -> list[Value]:
    """The slots before the first rule runs.

    Fields without a starting value begin with the lowest one; then the others are worked out in
    canonical order. Raises Fault, with the field's place, for a value that is none of the field's.
    """
    evaluators = evaluators or Evaluators(linked)
    slots: list[Value] = [None] * linked.slots
    slots[MARKS] = slots[ENDINGS] = ()
    later = []
    for field in linked.fields():
        base = linked.bases[field.key]
        owners = linked.owners(field) if field.per else (None,)
        for place, owner in enumerate(owners):
            slots[base + place] = zero(linked, field.type)
            if field.default is not None:
                later.append((base + place, field, owner))
    for at, field, owner in later:
        try:
            slots[at] = _start(evaluators, field, owner, slots)
        except Fault as fault:
            raise Fault(str(fault), field.span) from None
        except UNFORESEEN as error:
            raise Fault(str(unforeseen(error)), field.span) from error
    return slots


def _start(
    evaluators: Evaluators, field: StateField, owner: Entry | None, slots: list[Value]
) -> Value:
    assert field.default is not None
    locals: list[Value] = [owner, *[None] * slots_of(field.default)]
    value = evaluators.collection(field.default)(slots, locals)
    if isinstance(field.type, Many) and field.type.form != "list":
        return of(value, field.type.form)
    if not admits(field.type, value):
        raise Fault(f"{field.name} would begin as {value}, and is {field.type}")
    return value


def zero(linked: Linked, kind: Type) -> Value:
    """The starting value of a type: nothing, no, the lowest number, the first name."""
    if isinstance(kind, Many):
        return () if kind.form == "list" else empty(kind.form)
    if isinstance(kind, Table):
        return tuple(
            zero(linked, kind.value) for _ in linked.program.domains[kind.key.domain].entries
        )
    if NONE in members(kind):
        return None
    first = members(kind)[0]
    if isinstance(first, Num):
        return first.low if first.low is not None else 0
    if isinstance(first, Named):
        players = first.domain == "Player"
        entries = linked.players if players else linked.program.domains[first.domain].entries
        return entries[0] if entries else None
    return False if first == FLAG else "" if first == TEXT else None
