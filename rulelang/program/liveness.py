"""Which locals of a rule are still wanted at each of its instructions.

A suspended frame is the rule, the place and the live locals: what nothing will read again is no
part of a state. Whether a frame is finished (only its end is left) is decided here too.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Any

from attrs import fields

from rulelang.program import instructions as i
from rulelang.program.expressions import Each, Expr, Local
from rulelang.program.rounds import KEPT, rounds


@lru_cache(maxsize=KEPT)
def live_locals(code: i.Code) -> tuple[frozenset[int], ...]:
    """For each instruction, the slots that are live before it."""
    count = len(code.instructions)
    live: list[frozenset[int]] = [frozenset()] * count
    uses = [_uses(instruction) for instruction in code.instructions]
    for each in rounds(code):  # whatever leaves a round publishes what waits in it
        for place in range(each.start + 1, each.end + 1):
            uses[place] |= {each.slot}
    left = _ways_out(code)
    changed = True
    while changed:
        changed = False
        for place in range(count - 1, -1, -1):
            instruction = code.instructions[place]
            wanted: set[int] = set()
            for following, written in _successors(instruction, place):
                if following < count:
                    wanted |= live[following] - written
            for end in left[place]:
                wanted |= live[end]
            new = frozenset(wanted | uses[place])
            if new != live[place]:
                live[place], changed = new, True
    return tuple(live)


def frame_locals(code: i.Code, place: int, *, called: bool) -> tuple[int, ...]:
    """The live slots of a frame that goes on at ``place``.

    ``called``: when the rule is done that it has called just before.
    """
    live = live_locals(code)
    slots = live[place]
    if called:
        before = code.instructions[place - 1]
        if isinstance(before, i.Perform) and before.slot is not None:
            slots -= {before.slot}
        for end in _ways_out(code)[place - 1]:
            slots |= live[end]
    return tuple(sorted(slots))


def is_finished(code: i.Code, place: int) -> bool:
    """Is nothing left to do in a frame that goes on here? There is where a scope is open, whose end
    a rule that was called may leave for, or a round, whose writes are published."""
    if place in _inside(code):
        return False
    seen = set()
    while place not in seen:
        seen.add(place)
        instruction = code.instructions[place]
        if isinstance(instruction, i.Give):
            return instruction.value is None
        if not isinstance(instruction, i.Jump):
            return False
        place = instruction.to
    return False


def _successors(instruction: i.Instruction, place: int) -> Iterator[tuple[int, frozenset[int]]]:
    """Where it may go on, and which slots are written on the way there."""
    nothing: frozenset[int] = frozenset()
    match instruction:
        case i.Jump():
            yield instruction.to, nothing
        case i.Branch():
            yield place + 1, nothing
            yield instruction.otherwise, nothing
        case i.Give():
            return
        case i.Finish() | i.Leave():
            yield place + 1, nothing
        case i.Iterate():
            yield place + 1, frozenset({instruction.slot})
            yield instruction.end, nothing
        case i.Choose():
            for offer in instruction.offers:
                yield offer.to, frozenset({offer.slot} if offer.slot is not None else ())
            for target in (instruction.decline, instruction.none):
                if target is not None:
                    yield target, nothing
        case i.Draw():
            yield place + 1, frozenset({instruction.slot} if instruction.slot is not None else ())
            if instruction.none is not None:
                yield instruction.none, nothing
        case i.Enter():
            yield place + 1, frozenset({instruction.slot})
        case i.Set() | i.Roll():
            yield place + 1, frozenset({instruction.slot})
        case i.Perform():
            yield place + 1, frozenset({instruction.slot} if instruction.slot is not None else ())
        case _:
            yield place + 1, nothing


@lru_cache(maxsize=KEPT)
def _ways_out(code: i.Code) -> tuple[tuple[int, ...], ...]:
    """For each place the ends of the scopes around it: a rule called there may leave them."""
    scopes = [
        (n, each.end) for n, each in enumerate(code.instructions) if isinstance(each, i.Enter)
    ]
    return tuple(
        tuple(end for start, end in scopes if start < place < end)
        for place in range(len(code.instructions))
    )


@lru_cache(maxsize=KEPT)
def _inside(code: i.Code) -> frozenset[int]:
    """The places at which a scope or a round is open."""
    spans = [(each.start, each.end) for each in rounds(code)]
    spans += [
        (n, each.end) for n, each in enumerate(code.instructions) if isinstance(each, i.Enter)
    ]
    return frozenset(place for start, end in spans for place in range(start + 1, end + 1))


def _uses(instruction: i.Instruction) -> frozenset[int]:
    found: set[int] = set()
    _locals(instruction, found)
    match instruction:
        case i.Iterate():
            found.add(instruction.rest)
        case i.Publish() | i.Exit():
            found.add(instruction.slot)
        case i.Store(deferred=int()):
            assert instruction.deferred is not None
            found.add(instruction.deferred)
    return frozenset(found)


_WITH_PARTS = (Expr, i.Instruction, i.Place, i.Offer)


@cache
def _parts(kind: type[Any]) -> tuple[str, ...]:
    """Where other expressions may stand in an expression or instruction."""
    return tuple(each.name for each in fields(kind) if each.name not in ("span", "type"))


def _locals(value: object, found: set[int]) -> None:
    """The slots that expressions below ``value`` read, less those that comprehensions bind."""
    if isinstance(value, Local):
        found.add(value.slot)
    elif isinstance(value, _WITH_PARTS):
        inner: set[int] = set()
        kind: Any = type(value)
        for name in _parts(kind):
            _locals(getattr(value, name), inner)
        if isinstance(value, Each | i.Offer) and value.slot is not None:
            inner.discard(value.slot)
        found |= inner
    elif isinstance(value, tuple):
        for item in value:
            _locals(item, found)
