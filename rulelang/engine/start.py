"""The state in which a game begins: declared starting values, cards in their home places."""

from __future__ import annotations

from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter

from rulelang.engine.evaluate import Evaluators
from rulelang.engine.fault import UNFORESEEN, Fault, unforeseen
from rulelang.engine.operators import MAX_WORK
from rulelang.engine.zones import empty, of
from rulelang.program.expressions import AskDefine, Read, slots_of, walk
from rulelang.program.linking import ENDINGS, MARKS, WORK, Linked
from rulelang.program.program import Program, StateField
from rulelang.program.types import FLAG, NONE, TEXT, Many, Named, Num, Table, Type, admits, members
from rulelang.program.values import Entry, Value


def initial(linked: Linked, evaluators: Evaluators | None = None) -> list[Value]:
    """The slots before the first rule runs.

    Fields without a starting value begin with the lowest one; then the others are worked out, each
    after those that it reads. Raises Fault, with the field's place, for a value that is none of the
    field's.
    """
    evaluators = evaluators or Evaluators(linked)
    slots: list[Value] = [None] * linked.slots
    slots[MARKS] = slots[ENDINGS] = ()
    slots[WORK] = MAX_WORK
    for field in linked.fields():
        base, size = linked.bases[field.key], linked.sizes[field.key]
        slots[base : base + size] = [zero(linked, field.type)] * size
    for field in _in_order(linked):
        for place, owner in enumerate(linked.owners(field) if field.per else (None,)):
            try:
                value = _start(evaluators, field, owner, slots)
            except Fault as fault:
                raise Fault(str(fault), field.span) from None
            except UNFORESEEN as error:
                raise Fault(str(unforeseen(error)), field.span) from error
            slots[linked.bases[field.key] + place] = value
    slots[WORK] = MAX_WORK
    return slots


def _in_order(linked: Linked) -> list[StateField]:
    """The fields with starting values, each after those that it reads.

    Fields that read each other, which makes no sense, are taken in canonical order.
    """
    fields = {field.key: field for field in linked.fields() if field.default is not None}
    sorter = TopologicalSorter(
        {
            key: sorted(set(_reads(linked.program, field.default)) & fields.keys() - {key})
            for key, field in fields.items()
        }
    )
    try:
        return [fields[key] for key in sorter.static_order()]
    except CycleError:
        return list(fields.values())


def _reads(program: Program, value: object) -> Iterator[str]:
    """The fields of the state that an expression reads, itself or by the questions that it asks."""
    asked: dict[str, None] = {}
    todo = [value]
    while todo:
        for expr in walk(todo.pop()):
            if isinstance(expr, Read):
                yield expr.field
            elif isinstance(expr, AskDefine) and expr.define not in asked:
                asked[expr.define] = None
                todo.append(program.questions[expr.define].branches)


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
