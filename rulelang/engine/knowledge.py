"""Who may see what: the declarations of the state's fields, and the marks of what was shown.

A mark says that a seat knows where a card lies. Marks move with the card, and mixing clears them.
Where a game has several copies of a card, which have no identity, marks say nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulelang.engine.evaluate import Evaluator, Evaluators, evaluate
from rulelang.engine.zones import holds
from rulelang.program.expressions import AskDefine, Each, Expr, Local, Read, Ways, slots_of, walk
from rulelang.program.linking import MARKS, Linked
from rulelang.program.program import StateField
from rulelang.program.sight import is_open
from rulelang.program.types import Either, Many, Named, Table, Type
from rulelang.program.values import Effect, Entry, Pile, Script, Value

Seats = frozenset[int] | None
"""Some of the seats, or None for everybody."""
NOBODY: frozenset[int] = frozenset()


class Knowledge:
    """Who may see what in a game of one linked program."""

    def __init__(self, linked: Linked, evaluators: Evaluators) -> None:
        self.linked = linked
        self._seen_by: dict[str, tuple[Evaluator, int]] = {}
        self._places: dict[int, tuple[StateField, Entry | None]] = {}
        self._zones: dict[str, list[tuple[int, str]]] = {}
        self._keyless = frozenset(k.name for k in linked.program.kinds.values() if not k.key)
        secret: set[str] = set()
        for field in linked.fields():
            for n, owner in enumerate(linked.owners(field) if field.per else (None,)):
                self._places[linked.bases[field.key] + n] = field, owner
            if not is_open(field):
                secret |= set(_domains(field.type))
            if field.seen_by is not None and not field.hidden:
                evaluator = evaluators.prepare(field.seen_by)
                self._seen_by[field.key] = evaluator, slots_of(field.seen_by)
        self.all_open = all(map(is_open, linked.fields()))
        """Is there nothing that anybody may not see?"""
        self.secret = frozenset(secret)
        """The domains of which something may lie where not everybody sees it."""

    def seats(self, slots: list[Value], at: int) -> Seats:
        """The seats that what lies in a slot of the state is open to. Raises Fault."""
        field, owner = self._places[at]
        if field.hidden:
            return NOBODY
        if field.seen_by is None:
            return None
        evaluator, count = self._seen_by[field.key]
        value = evaluate(evaluator, slots, [owner, *[None] * count])
        seen_by = value if isinstance(value, tuple) else (value,)
        return frozenset(seat.index for seat in seen_by if isinstance(seat, Entry))

    def sees(self, slots: list[Value], at: int, seat: Entry) -> bool:
        """May a seat read what lies in a slot: is it open to it, or was every card shown to it?"""
        seats = self.seats(slots, at)
        if seats is None or seat.index in seats:
            return True
        kind = self._places[at][0].type
        if not isinstance(kind, Many) or kind.form == "list":
            return False
        zone = slots[at]
        marked = {card for card, whom in slots[MARKS] if whom is seat}
        return all(card in marked for card in (zone.all() if isinstance(zone, Pile) else zone))

    def known(self, slots: list[Value], at: int, seat: Entry) -> list[Entry]:
        """The cards in a zone of which a seat was shown that they lie there, in canonical order."""
        zone = slots[at]
        cards = zone.all() if isinstance(zone, Pile) else zone
        marked = {card for card, whom in slots[MARKS] if whom is seat}
        return [card for card in cards if card in marked and self._copies(slots, card) == 1]

    def is_public(self, expr: Expr) -> bool:
        """Is an expression made of constants and of what everybody may see, and of nothing else?

        The locals of a rule may hold anything, a question whatever it reads.
        """
        if self.all_open:
            return True
        bound = {part.slot for part in walk(expr) if isinstance(part, Each | Ways)}
        return all(self._is_public_part(part, bound) for part in walk(expr))

    def _is_public_part(self, part: Expr, bound: set[int]) -> bool:
        match part:
            case Local():
                return part.slot in bound
            case Read():
                field = self.linked.program.state.get(part.field)
                return field is None or is_open(field)
            case AskDefine():
                return False
        return True

    def witnesses(self, slots: list[Value], value: Value, *, public: bool) -> Seats:
        """The seats that know of a value by what they see now: where its cards lie.

        A value that lies nowhere (a number, a flag, a text, a name) may have been worked out from
        anything: all know it if it is ``public``, otherwise nobody does. Seats are known. Raises
        Fault.
        """
        public = public or self.all_open
        match value:
            case Entry():
                return self._who_sees(slots, value, public=public)
            case tuple() if value:
                return _both(self.witnesses(slots, item, public=public) for item in value)
            case Effect():
                if not public:
                    return NOBODY
                return _both(self.witnesses(slots, item, public=public) for item in value.arguments)
            case Pile():
                return self.witnesses(slots, value.all(), public=public)
            case Script():
                return None if public and not self.secret else NOBODY
        return None if public else NOBODY

    def _who_sees(self, slots: list[Value], entry: Entry, *, public: bool) -> Seats:
        if entry.domain in self._keyless:
            holder = self._holders.get(entry)
            if holder is not None:
                return self._who_sees(slots, holder, public=public)
        if entry.domain not in self.secret:
            return None if public or entry.domain == "Player" else NOBODY
        zones = [at for at, form in self._zones_of(entry.domain) if holds(slots[at], entry, form)]
        if not zones:
            return NOBODY
        seen = _both(self.seats(slots, at) for at in zones)
        if seen is None or self._copies(slots, entry) > 1:
            return seen
        return seen | {seat.index for card, seat in slots[MARKS] if card is entry}

    def _zones_of(self, domain: str) -> list[tuple[int, str]]:
        if domain not in self._zones:
            self._zones[domain] = self.linked.zones(domain)
        return self._zones[domain]

    def _copies(self, slots: list[Value], card: Entry) -> int:
        zones = (slots[at] for at, _ in self._zones_of(card.domain))
        return sum((zone.all() if isinstance(zone, Pile) else zone).count(card) for zone in zones)

    @cached_property
    def _holders(self) -> dict[Entry, Entry]:
        """The secret entries that others without a key of their own stand inside."""
        domains = self.linked.program.domains
        return {
            inner: entry
            for domain in sorted(self.secret)
            for entry in domains[domain].entries
            for inner in self._inside(entry)
        }

    def _inside(self, value: Value) -> Iterator[Entry]:
        items = value.fields if isinstance(value, Entry) else value
        for item in items:
            if isinstance(item, tuple):
                yield from self._inside(item)
            elif isinstance(item, Entry) and item.domain in self._keyless:
                yield item
                yield from self._inside(item)


def _both(sets: Iterator[Seats]) -> Seats:
    """The seats that are in all of them."""
    result: Seats = None
    for seats in sets:
        if seats is not None:
            result = seats if result is None else result & seats
    return result


def _domains(kind: Type) -> Iterator[str]:
    """The domains that a value of a type may be of or hold."""
    match kind:
        case Named():
            yield kind.domain
        case Many():
            yield from _domains(kind.item)
        case Table():
            yield from _domains(kind.value)
        case Either():
            for member in kind.members:
                yield from _domains(member)
