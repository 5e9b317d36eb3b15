"""What a player may see.

It is built up from what is open to them, never by hiding parts of the whole.

The log shows of a call its seats, the cards that the seat could see where they lay, and other
values (numbers, flags, texts, names, empty lists, effects) only if nothing hidden can have gone
into them: if the game hides nothing at all, or the argument is written with constants and open
fields alone. What a rule has in its locals, or asks a question for, may come from anywhere and is
"?".
"""

from __future__ import annotations

from typing import Any

from rulelang.codec import encode
from rulelang.decisions import Decision
from rulelang.engine.knowledge import Knowledge
from rulelang.engine.machine import LogEntry, Machine
from rulelang.program.program import StateField
from rulelang.program.types import Many
from rulelang.program.values import Entry, Pile, label_of

UNSEEN = "?"
"""Stands in the log for an argument that the seat did not know."""


def view(
    machine: Machine,
    knowledge: Knowledge,
    log: list[LogEntry],
    seat: Entry,
    decision: Decision | None,
) -> dict[str, Any]:
    """The view of one seat; ``decision`` is the open one if it is theirs. Raises Fault."""
    linked = machine.linked
    return {
        "game": linked.program.name,
        "mode": linked.mode,
        "players": len(linked.players),
        "player": seat.index,
        "over": machine.over,
        "state": _state(machine, knowledge, seat),
        "decision": None if decision is None else _decision(decision),
        "log": [_line(entry, seat.index) for entry in log if _concerns(entry, seat.index)],
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "prompt": decision.prompt,
        "rule": decision.rule,
        "cites": list(decision.cites),
        "options": [{"label": o.label, "text": o.text, "value": o.value} for o in decision.options],
    }


def _state(machine: Machine, knowledge: Knowledge, seat: Entry) -> dict[str, Any]:
    linked = machine.linked
    shown: dict[str, Any] = {}
    for field in linked.fields():
        base = linked.bases[field.key]
        if not field.per:
            shown[field.key] = _seen(machine, knowledge, field, base, seat)
        else:
            shown[field.key] = {
                str(owner.key): _seen(machine, knowledge, field, base + n, seat)
                for n, owner in enumerate(linked.owners(field))
            }
    return shown


def _seen(machine: Machine, knowledge: Knowledge, field: StateField, at: int, seat: Entry) -> Any:
    """A value that is open to the seat; otherwise how many cards lie there, and those it knows."""
    value = machine.slots[at]
    seats = knowledge.seats(machine.slots, at)
    if seats is None or seat.index in seats:
        return encode(value)
    if not (isinstance(field.type, Many) and isinstance(value, tuple | Pile)):
        return {"hidden": True}
    known = []
    if field.type.form != "list":
        known = [encode(card) for card in knowledge.known(machine.slots, at, seat)]
    return {"count": len(value), "known": known}


def _concerns(entry: LogEntry, seat: int) -> bool:
    """Is the line for this seat? Everything but what others chose."""
    return entry.what != "choice" or entry.player == seat


def _line(entry: LogEntry, seat: int) -> dict[str, Any]:
    """A line of the log, with what the seat knew of when it was written."""
    if entry.what == "choice":
        arguments = [label_of(argument) for argument in entry.arguments]
    else:
        seen = entry.seen or (frozenset(),) * len(entry.arguments)
        arguments = [
            label_of(argument) if seats is None or seat in seats else UNSEEN
            for argument, seats in zip(entry.arguments, seen, strict=True)
        ]
    return {
        "what": entry.what,
        "rule": entry.rule,
        "arguments": arguments,
        "clauses": list(entry.clauses),
        "depth": entry.depth,
    }
