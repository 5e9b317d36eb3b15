"""Where cards lie: taking them out of a zone and putting them into one.

Zones are values: both give a new one.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Sequence

from rulelang.engine.fault import Fault
from rulelang.program.values import EMPTY_PILE, Entry, Pile, Value, by_index


def empty(form: str) -> Value:
    """A zone without cards."""
    return EMPTY_PILE if form == "pile" else ()


def put(zone: Value, card: Entry, form: str, end: str) -> Value:
    """The zone with one card more."""
    if form == "row":
        return (card, *zone) if end == "left" else (*zone, card)
    if form == "pile":
        if end == "top":
            return Pile((card, *zone.top), zone.pool, zone.bottom)
        if end == "bottom":
            return Pile(zone.top, zone.pool, (*zone.bottom, card))
        return mixed_in(zone, card)
    return sorted_in(zone, card)


def mixed_in(pile: Pile, card: Entry) -> Pile:
    """The pile with one card more in its pool."""
    cards = pile.pool
    if not cards or cards[-1].index <= card.index:
        return Pile(pile.top, (*cards, card), pile.bottom)
    listed = list(cards)
    insort(listed, card, key=by_index)
    return Pile(pile.top, tuple(listed), pile.bottom)


def sorted_in(cards: tuple[Entry, ...], card: Entry) -> tuple[Entry, ...]:
    """Cards in canonical order, with one more."""
    if not cards or cards[-1].index <= card.index:
        return (*cards, card)
    listed = list(cards)
    insort(listed, card, key=by_index)
    return tuple(listed)


def holds(zone: Value, card: Entry, form: str) -> bool:
    """Does the card lie in the zone?"""
    if form == "pile":
        return card in zone.pool or card in zone.top or card in zone.bottom
    return card in zone


def take(zone: Value, card: Entry, form: str) -> Value:
    """The zone with one copy of the card less; of a pile, the one whose place is known.

    Raises Fault.
    """
    if form != "pile":
        return _less(zone, card)
    if card in zone.top:
        return Pile(_less(zone.top, card), zone.pool, zone.bottom)
    if card in zone.pool:
        return Pile(zone.top, _less(zone.pool, card), zone.bottom)
    return Pile(zone.top, zone.pool, _less(zone.bottom, card))


def _less(cards: tuple[Entry, ...], card: Entry) -> tuple[Entry, ...]:
    try:
        place = cards.index(card)
    except ValueError:
        raise Fault(f"{_name(card)} does not lie there") from None
    return cards[:place] + cards[place + 1 :]


def _name(card: Value) -> str:
    return card.label if isinstance(card, Entry) else "what is to be moved"


def on_top(pile: Pile) -> Sequence[Entry]:
    """The cards that may be on top of a pile, in canonical order, each as often as it is likely."""
    return pile.top[:1] or pile.pool or pile.bottom[:1]


def drawn(pile: Pile, card: Entry) -> Pile:
    """The pile without its topmost card, which is this one."""
    if pile.top:
        return Pile(pile.top[1:], pile.pool, pile.bottom)
    if pile.pool:
        return Pile((), _less(pile.pool, card), pile.bottom)
    return Pile((), (), pile.bottom[1:])


def of(cards: Sequence[Entry], form: str) -> Value:
    """A zone with these cards: a pile in unknown, a set in canonical order, a row as given."""
    if form == "row":
        return tuple(cards)
    ordered = tuple(sorted(cards, key=by_index))
    return Pile((), ordered, ()) if form == "pile" else ordered


def exchanged(row: tuple[Entry, ...], one: Entry, other: Entry) -> tuple[Entry, ...]:
    """The row with two cards in each other's place. Raises Fault."""
    if one not in row or other not in row:
        raise Fault("the two cards do not lie in one row")
    cards = list(row)
    here, there = cards.index(one), cards.index(other)
    cards[here], cards[there] = other, one
    return tuple(cards)
