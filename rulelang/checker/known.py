"""What is known of seats, and what locals were read from, at each instruction of a lowered rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import Factory, define, frozen

from rulelang.checker.flow import following
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.sight import Env, Facts, Reading, Sight, facts_of, key_of
from rulelang.program.types import Many, Named, members

MOVING = (i.Move, i.Mix, i.Draw, i.Sort, i.Exchange, i.Reveal, i.Perform, i.Apply)
"""What may bring cards to where more players see them."""
CHANGING = (i.Store, i.Publish, i.Perform, i.Apply)
"""What may change fields of the state that hold seats."""
NOTHING: Facts = frozenset()


@frozen
class Known:
    """Seats that are the same, and what the values in slots were read from."""

    facts: Facts = NOTHING
    origins: Mapping[int, frozenset[Reading]] = Factory(dict)

    def joined(self, other: Known) -> Known:
        """What is known where two ways meet."""
        origins = dict(self.origins)
        for slot, found in other.origins.items():
            origins[slot] = origins.get(slot, frozenset()) | found
        return Known(self.facts & other.facts, origins)

    def bound(self, slot: int | None, origin: frozenset[Reading], facts: Facts = NOTHING) -> Known:
        """What is known where a slot has got a new value."""
        if slot is None:
            return self
        kept = frozenset(pair for pair in self.facts if all(f"#{slot};" not in key for key in pair))
        origins = {known: found for known, found in self.origins.items() if known != slot}
        if origin:
            origins[slot] = origin
        return Known(kept | facts, origins)


@define(slots=False)
class Walk:
    """Goes through a rule along all of its ways."""

    code: i.Code
    sight: Sight

    def places(self) -> dict[int, Known]:
        """What is known before each instruction that may be reached."""
        known = {0: Known()}
        todo = [0]
        while todo:
            place = todo.pop()
            for way, after in self._after(place, known[place]):
                if way >= len(self.code.instructions):
                    continue
                joined = known[way].joined(after) if way in known else after
                if way not in known or joined != known[way]:
                    known[way] = joined
                    todo.append(way)
        return known

    # ------------------------------------------------------------ one instruction

    def _after(self, place: int, known: Known) -> Iterator[tuple[int, Known]]:
        instruction = self.code.instructions[place]
        match instruction:
            case i.Branch():
                condition = instruction.condition
                yield place + 1, _with(known, facts_of(condition, True, {}))
                yield instruction.otherwise, _with(known, facts_of(condition, False, {}))
            case i.Iterate():
                origin = known.origins.get(instruction.rest, frozenset())
                facts = self._of_each(instruction)
                yield place + 1, known.bound(instruction.slot, origin, facts)
                yield instruction.end, known
            case i.Choose():
                yield from self._chosen(instruction, known)
            case _:
                after = self._changed(instruction, known)
                for way in following(instruction, place):
                    yield way, after

    def _changed(self, instruction: i.Instruction, known: Known) -> Known:
        origin: frozenset[Reading] = frozenset()
        if isinstance(instruction, i.Set):
            origin = self.origin(instruction.value, known)
        if isinstance(instruction, MOVING):
            known = Known(known.facts, dict(_lasting(known, self.sight)))
        if isinstance(instruction, CHANGING):
            kept = frozenset(pair for pair in known.facts if not any(map(_is_state, pair)))
            known = Known(kept, known.origins)
        if isinstance(instruction, i.Draw):
            origin = self._drawn(instruction)
        slot = getattr(instruction, "slot", None)
        return known.bound(slot if isinstance(slot, int) else None, origin)

    def _drawn(self, instruction: i.Draw) -> frozenset[Reading]:
        to = instruction.target
        read = x.Read(to.type, instruction.span, to.field, to.owner, to.owner_domain)
        return frozenset(self.sight.readings(read, {}, NOTHING, self.code.name))

    def _chosen(self, instruction: i.Choose, known: Known) -> Iterator[tuple[int, Known]]:
        for offer in instruction.offers:
            after = known
            if offer.source is not None:
                after = known.bound(offer.slot, self.origin(offer.source, known))
                after = _with(after, _single(offer.slot, offer.source))
            yield offer.to, _with(after, facts_of(offer.condition, True, {}))
        for way in (instruction.decline, instruction.none):
            if way is not None:
                yield way, known

    def origin(self, value: x.Expr, known: Known) -> frozenset[Reading]:
        """What a value is read from that not everybody sees; seats are known to everybody."""
        if is_seat(value):
            return frozenset()
        found = set(self.sight.readings(value, {}, known.facts, self.code.name))
        for local in locals_of(value):
            found |= known.origins.get(local.slot, frozenset())
        return frozenset(found)

    # ------------------------------------------------------------ loops and names for values

    @cached_property
    def _set(self) -> dict[int, list[x.Expr | None]]:
        """All values that slots are given; None for one that is not an expression."""
        found: dict[int, list[x.Expr | None]] = {}
        for instruction in self.code.instructions:
            value = instruction.value if isinstance(instruction, i.Set) else None
            slot = getattr(instruction, "slot", None)
            if isinstance(slot, int):
                found.setdefault(slot, []).append(value)
            for offer in instruction.offers if isinstance(instruction, i.Choose) else ():
                if offer.slot is not None:
                    found.setdefault(offer.slot, []).append(None)
        return found

    def _of_each(self, instruction: i.Iterate) -> Facts:
        """What is known of the item that a loop is at."""
        values = self._set.get(instruction.rest, [])
        source = values[0] if len(values) == 1 else None
        if isinstance(source, x.Op) and source.name == "all":
            source = source.arguments[0]
        if isinstance(source, x.Each) and source.slot == instruction.slot:
            return facts_of(source.condition, True, {}) | _single(source.slot, source.source)
        return _single(instruction.slot, source)

    @cached_property
    def names(self) -> Env:
        """The keys of values that have a name which is given once."""
        found: dict[int, str] = {}
        for slot, values in sorted(self._set.items()):
            if len(values) == 1 and values[0] is not None and slot >= len(self.code.parameters):
                found[slot] = key_of(values[0], found)
        return found


def _single(slot: int | None, source: x.Expr | None) -> Facts:
    """A slot that takes its value from a list of one is this one."""
    if slot is None or not isinstance(source, x.Items) or len(source.items) != 1:
        return NOTHING
    return frozenset((frozenset((f"#{slot};", key_of(source.items[0], {}))),))


def _with(known: Known, facts: Facts) -> Known:
    return Known(known.facts | facts, known.origins) if facts else known


def _lasting(known: Known, sight: Sight) -> Iterator[tuple[int, frozenset[Reading]]]:
    """The origins that stay hidden when cards move: those that are no places for cards."""
    for slot, found in known.origins.items():
        kept = frozenset(r for r in found if not is_zone(sight, r.field))
        if kept:
            yield slot, kept


def is_zone(sight: Sight, field: str) -> bool:
    """Do cards lie in the field?"""
    kind = sight.program.state[field].type
    return isinstance(kind, Many) and kind.form != "list"


def _is_state(key: str) -> bool:
    return "[" in key or "?" in key


def is_seat(value: x.Expr) -> bool:
    """Is the value a seat?"""
    return Named("Player") in members(value.type)


def locals_of(value: object) -> Iterator[x.Local]:
    """The locals that are read in an expression, other than seats and sizes."""
    match value:
        case x.Local():
            if not is_seat(value):
                yield value
        case x.Op(name="size" | "empty", arguments=(x.Local(),)):
            return
        case tuple():
            for item in value:
                yield from locals_of(item)
        case x.Expr():
            yield from locals_of(tuple(x.parts(value)))
