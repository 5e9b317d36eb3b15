"""Who knows what, in games that are played through: as a set that changes in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine import zones
from rulelang.engine.knowledge import Knowledge
from rulelang.program.expressions import Local
from rulelang.program.linking import MARKS, Linked
from rulelang.program.program import StateField
from rulelang.program.values import Entry, Pile, Value

Slots = list[Any]
Seats = tuple[Entry, ...] | None
"""The seats that see what lies in a slot; None where the state decides."""


def seers(linked: Linked) -> list[Seats]:
    """For each slot the seats that see what lies there."""
    found: list[Seats] = [None] * linked.slots
    for field in linked.fields():
        for n, owner in enumerate(linked.owners(field) if field.per else (None,)):
            found[linked.bases[field.key] + n] = _seers(linked, field, owner)
    return found


def _seers(linked: Linked, field: StateField, owner: Entry | None) -> Seats:
    if field.hidden:
        return ()
    if field.seen_by is None:
        return linked.players
    if isinstance(field.seen_by, Local) and field.seen_by.slot == 0 and field.per == "Player":
        assert owner is not None
        return (owner,)
    return None


def marker(linked: Linked, knowledge: Knowledge) -> Callable[[Slots, Entry, int], None]:
    """What notes that those who saw where a card lay know where it goes."""
    by_slot, players = seers(linked), linked.players

    def mark(s: Slots, card: Entry, at: int) -> None:
        if at < 0:
            return
        seats = by_slot[at]
        if seats is None:
            known = knowledge.seats(s, at)
            seats = tuple(seat for seat in players if known is None or seat.index in known)
        for seat in seats:
            s[MARKS].add((card, seat))

    return mark


def forget(s: Slots, card: Entry, players: tuple[Entry, ...]) -> None:
    """A card goes where nobody knows it any more."""
    for seat in players:
        s[MARKS].discard((card, seat))


def mix(s: Slots, target: int, source: int, form: str) -> None:
    """All of one zone goes into a pile whose order is then unknown."""
    cards = s[target].all()
    if source != target:
        cards += s[source].all() if form == "pile" else s[source]
        s[source] = zones.empty(form)
    s[target] = zones.of(cards, "pile")
    if s[MARKS]:
        gone = set(cards)
        s[MARKS] = {mark for mark in s[MARKS] if mark[0] not in gone}


def reveal(s: Slots, what: Value, to: Value, piles: tuple[int, ...]) -> None:
    """Seats learn where cards lie. What is mixed into a pile lies nowhere in particular."""
    mixed = {card for at in piles if isinstance(s[at], Pile) for card in s[at].pool}
    seats = to if isinstance(to, tuple) else (to,)
    for card in what if isinstance(what, tuple) else (what,):
        if card not in mixed:
            s[MARKS].update((card, seat) for seat in seats)
