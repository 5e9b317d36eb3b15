"""Values and states as JSON, and back.

A number, flag, text and none stand for themselves, a tuple is a list; what has a name is
``{"of": domain, "key": key}``, an effect ``{"effect": rule, "arguments": […]}``, a pile
``{"top": […], "pool": […], "bottom": […]}``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from rulelang.engine.events import Question
from rulelang.engine.machine import Frame, Machine, Ready
from rulelang.engine.operators import MAX_WORK
from rulelang.program.instructions import Choose, Draw, Roll
from rulelang.program.linking import ENDINGS, MARKS, WORK, Linked
from rulelang.program.liveness import frame_locals, is_finished
from rulelang.program.program import Program
from rulelang.program.values import Effect, Entry, Pile, Script, Value

Json = Any


def encode(value: Value) -> Json:
    """A value as JSON."""
    match value:
        case Entry():
            key = str(value.key) if isinstance(value.key, Fraction) else value.key
            return {"of": value.domain, "key": key}
        case tuple():
            return [encode(item) for item in value]
        case Pile():
            return {
                "top": encode(value.top),
                "pool": encode(value.pool),
                "bottom": encode(value.bottom),
            }
        case Effect():
            return {"effect": value.rule, "arguments": encode(value.arguments)}
        case Script():
            return {"script": value.rule}
    return value


class Mismatch(Exception):
    """Saved data that does not fit the game; the text says where."""


def decode(program: Program, data: Json, where: str) -> Value:
    """The value that was saved. Raises Mismatch."""
    if isinstance(data, list):
        return tuple(decode(program, item, where) for item in data)
    if not isinstance(data, dict):
        if data is None or isinstance(data, bool | int | str):
            return data
        raise Mismatch(f"{where}: {data!r} is no value")
    match data:
        case {"of": str(domain), "key": key} if len(data) == 2:
            return _entry(program, domain, key, where)
        case {"top": list(top), "pool": list(pool), "bottom": list(bottom)}:
            parts = [
                tuple(decode(program, item, where) for item in part) for part in (top, pool, bottom)
            ]
            return Pile(*parts)
        case {"effect": str(rule), "arguments": list(arguments)} if rule in program.signatures:
            return Effect(rule, tuple(decode(program, item, where) for item in arguments))
        case {"script": str(rule)} if rule in program.rules:
            return Script(rule)
    raise Mismatch(f"{where}: this is no value of the game")


def _entry(program: Program, domain: str, key: Json, where: str) -> Entry:
    known = program.domains.get(domain)
    entry = None
    if known is not None and isinstance(key, str | int):
        entry = known.by_key.get(key)
        if entry is None and isinstance(key, str) and "/" in key:
            numerator, _, denominator = key.partition("/")
            if numerator.isdigit() and denominator.isdigit() and int(denominator):
                entry = known.by_key.get(Fraction(int(numerator), int(denominator)))
    if entry is None:
        raise Mismatch(f"{where}: there is no {domain} {key}")
    return entry


# ---------------------------------------------------------------- states


def encode_state(linked: Linked, slots: list[Value]) -> dict[str, Json]:
    """The state by field; a field kept for several owners as an object by their labels."""
    state: dict[str, Json] = {}
    for field in linked.fields():
        base = linked.bases[field.key]
        if not field.per:
            state[field.key] = encode(slots[base])
        else:
            state[field.key] = {
                str(owner.key): encode(slots[base + n])
                for n, owner in enumerate(linked.owners(field))
            }
    return state


def decode_state(linked: Linked, data: Json) -> list[Value]:
    """The slots, without marks and endings. Raises Mismatch."""
    if not isinstance(data, dict):
        raise Mismatch("state: this is no object")
    slots: list[Value] = [None] * linked.slots
    fields = linked.fields()
    if set(data) != {field.key for field in fields}:
        odd = sorted(set(data) ^ {field.key for field in fields})
        raise Mismatch(f"state: the fields differ from the game's: {', '.join(odd[:5])}")
    for field in fields:
        base, saved = linked.bases[field.key], data[field.key]
        owners = linked.owners(field)
        if not field.per:
            slots[base] = decode(linked.program, saved, f"state.{field.key}")
            continue
        if not isinstance(saved, dict) or set(saved) != {str(owner.key) for owner in owners}:
            raise Mismatch(f"state.{field.key}: it is not kept for the same owners")
        for n, owner in enumerate(owners):
            slots[base + n] = decode(
                linked.program, saved[str(owner.key)], f"state.{field.key}.{owner.key}"
            )
    return slots


def encode_stack(machine: Machine, *, depths: bool) -> list[Json]:
    """The continuation: rule, place and live locals of each unfinished frame, outermost first."""
    frames: list[Json] = []
    top = len(machine.stack) - 1
    for number, frame in enumerate(machine.stack):
        code = frame.ready.code
        if number < top and is_finished(code, frame.place):
            continue
        live = frame_locals(code, frame.place, called=number < top)
        data: dict[str, Json] = {
            "rule": code.name,
            "place": frame.place,
            "locals": {str(slot): encode(frame.locals[slot]) for slot in live},
        }
        if depths:
            data["depth"] = frame.depth
        frames.append(data)
    return frames


def decode_stack(machine: Machine, data: Json) -> None:
    """Rebuild the frames. Raises Mismatch."""
    if not isinstance(data, list):
        raise Mismatch("stack: this is no list")
    for number, saved in enumerate(data):
        where = f"stack.{number}"
        match saved:
            case {
                "rule": str(rule),
                "place": int(place),
                "locals": dict(locals_),
                "depth": int(depth),
            }:
                machine.stack.append(_frame(machine, rule, place, locals_, depth, where))
            case _:
                raise Mismatch(f"{where}: this is no frame")


def _frame(
    machine: Machine, rule: str, place: int, saved: dict[str, Json], depth: int, where: str
) -> Frame:
    ready: Ready | None = machine.ready.get(rule)
    if ready is None or not 0 <= place < len(ready.operations):
        raise Mismatch(f"{where}: there is no rule {rule} with a place {place}")
    values: list[Value] = [None] * ready.code.slots
    for slot, value in saved.items():
        if not slot.isdigit() or int(slot) >= len(values):
            raise Mismatch(f"{where}: rule {rule} has no local {slot}")
        values[int(slot)] = decode(machine.linked.program, value, where)
    return Frame(ready, place, depth, values)


def snapshot(machine: Machine) -> dict[str, Json]:
    """All of a suspended or finished game that its future depends on."""
    return {
        "state": encode_state(machine.linked, machine.slots),
        "marks": encode(machine.slots[MARKS]),
        "endings": encode(machine.slots[ENDINGS]),
        "stack": encode_stack(machine, depths=True),
        "turns": machine.turns,
        "over": machine.over,
    }


def restore(machine: Machine, data: Json) -> None:
    """Make a fresh machine the one that was saved; its event is opened anew. Raises Mismatch."""
    match data:
        case {
            "state": state,
            "marks": marks,
            "endings": endings,
            "stack": stack,
            "turns": int(turns),
            "over": bool(over),
        }:
            slots = decode_state(machine.linked, state)
            slots[WORK] = MAX_WORK
            slots[MARKS] = decode(machine.linked.program, marks, "marks")
            slots[ENDINGS] = decode(machine.linked.program, endings, "endings")
            machine.slots[:] = slots
            machine.stack.clear()
            decode_stack(machine, stack)
            machine.turns, machine.over = turns, over
        case _:
            raise Mismatch("the snapshot lacks a part")
    if not over:
        if not machine.stack:
            raise Mismatch("stack: a game that is not over has rules to go on with")
        top = machine.stack[-1]
        if not isinstance(top.ready.code.instructions[top.place], Choose | Draw | Roll):
            raise Mismatch("stack: the game does not wait at a decision")


def open_event(machine: Machine) -> Json:
    """What is open, for the digest: who is asked, and the options.

    Where it is asked, the stack says.
    """
    event = machine.event
    if event is None:
        return None
    if isinstance(event, Question):
        options = [
            [offer.label if offer is not None else None, encode(value)]
            for offer, value in event.options()
        ]
        return {"player": event.player.key, "options": options}
    outcomes = [encode(outcome) for outcome in event.outcomes]
    return {"chance": event.source, "outcomes": outcomes, "weights": list(event.weights)}
