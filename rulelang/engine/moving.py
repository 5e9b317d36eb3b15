"""Moving cards, and showing them, made functions of a machine and the locals of a frame."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.engine import zones
from rulelang.engine.fault import Fault
from rulelang.engine.machine import Machine, Operation
from rulelang.engine.making import Locals, Making, form_of
from rulelang.program import instructions as i
from rulelang.program.linking import MARKS
from rulelang.program.sight import is_open
from rulelang.program.types import Many
from rulelang.program.values import Entry, Pile, Value, by_index

Places = list[tuple[int, str]]
"""Slots of zones, each with its form."""
Finder = Callable[[Machine, Value], tuple[int, str]]
Remember = Callable[[Machine, Value, int], None]


def move(making: Making, n: i.Move, after: int, code: i.Code) -> Operation:
    """Cards go to a zone, several in their order."""
    what, target = making.collection(n.what), making.place(n.target)
    several = isinstance(n.what.type, Many)
    form, end = form_of(n.target), n.end
    source = making.place(n.source) if n.source is not None else None
    source_form = form_of(n.source) if n.source is not None else ""
    find = finder(making, n.target.type)
    remember = origin_marks(making, n.target, end)

    def one(m: Machine, f: Locals, card: Value) -> None:
        if not isinstance(card, Entry):
            raise Fault("there is nothing to move")
        s = m.slots
        if source is not None:
            at, its_form = source(s, f), source_form
        else:
            at, its_form = find(m, card)
        to = target(s, f)
        if remember is not None:
            remember(m, card, at)
        if at >= 0:
            s[at] = zones.take(s[at], card, its_form)
        s[to] = zones.put(s[to], card, form, end)

    def run(m: Machine, f: Locals) -> int:
        if several:
            cards = what(m.slots, f)
            for card in reversed(cards) if end in ("left", "top") else cards:
                one(m, f, card)
        else:
            one(m, f, what(m.slots, f))
        return after

    return run


def finder(making: Making, kind: object, *, first: bool = False) -> Finder:
    """The function that finds where a card lies: a slot and its form, or -1 where it lies nowhere.

    Where several zones may hold copies of it, it must be the only one, or the first is taken.
    """
    assert isinstance(kind, Many)
    domain = str(kind.item)
    places = making.linked.zones(domain)

    def find(m: Machine, card: Value) -> tuple[int, str]:
        for at, form in places:
            if zones.holds(m.slots[at], card, form):
                return at, form
        return -1, ""

    def find_only(m: Machine, card: Value) -> tuple[int, str]:
        found = [each for each in places if zones.holds(m.slots[each[0]], card, each[1])]
        if len(found) > 1:
            raise Fault(f"{card.label} lies in several places, and none is named with `from`")
        return found[0] if found else (-1, "")

    return find_only if not first and _may_be_copied(making, domain) else find


def _may_be_copied(making: Making, domain: str) -> bool:
    """May one card of a domain lie in two zones? Moves do not copy; what is assigned may."""
    fields = [field for field in making.linked.fields() if _is_zone(field.type, domain)]
    if sum(field.default is not None for field in fields) > 1:
        return True
    if any(field.default is not None and field.per for field in fields):
        return True
    return any(_is_zone(kind, domain) for kind in making.stored)


def _is_zone(kind: object, domain: str) -> bool:
    return (
        isinstance(kind, Many) and kind.form in ("set", "row", "pile") and str(kind.item) == domain
    )


def origin_marks(making: Making, target: i.Place, end: str) -> Remember | None:
    """What a move does to the marks of a card, before it leaves its slot; None for nothing.

    Who saw where it lay still knows it where it goes. In a pile without order it is mixed in.
    """
    field = making.linked.program.state[target.field]
    if form_of(target) == "pile" and not end:
        return _forget
    if is_open(field):
        return None
    knowledge, players = making.knowledge, making.linked.players

    def remember(m: Machine, card: Value, at: int) -> None:
        if at < 0:
            return
        seats = knowledge.seats(m.slots, at)
        if seats is None or seats:
            seen = [seat for seat in players if seats is None or seat.index in seats]
            _mark(m, [card], seen)

    return remember


def _forget(m: Machine, card: Value, at: int) -> None:
    if m.slots[MARKS]:
        m.slots[MARKS] = tuple(mark for mark in m.slots[MARKS] if mark[0] is not card)


def _mark(m: Machine, cards: list[Value], seats: list[Entry]) -> None:
    marks = m.slots[MARKS]
    known = set(marks)
    new = {(card, seat) for card in cards for seat in seats} - known
    if new:
        m.slots[MARKS] = tuple(sorted([*marks, *new], key=_mark_order))


def _mark_order(mark: tuple[Entry, Entry]) -> tuple[str, int, int]:
    """The canonical order of marks, which is that of `order_key`."""
    card, seat = mark
    return card.domain, card.index, seat.index


def mix(making: Making, n: i.Mix, after: int, code: i.Code) -> Operation:
    """All of one zone, or the pile itself, goes into a pile whose order is then unknown."""
    target = making.place(n.target)
    source = making.place(n.source) if n.source is not None else None
    source_form = form_of(n.source) if n.source is not None else ""

    def run(m: Machine, f: Locals) -> int:
        s = m.slots
        at = target(s, f)
        cards = s[at].all()
        from_ = source(s, f) if source is not None else at
        if from_ != at:
            cards += s[from_].all() if source_form == "pile" else s[from_]
            s[from_] = zones.empty(source_form)
        s[at] = zones.of(cards, "pile")
        if s[MARKS]:
            gone = set(cards)
            s[MARKS] = tuple(mark for mark in s[MARKS] if mark[0] not in gone)
        return after

    return run


def sort(making: Making, n: i.Sort, after: int, code: i.Code) -> Operation:
    """A row is put in canonical order; other zones have none to put."""
    place, form = making.place(n.place), form_of(n.place)

    def run(m: Machine, f: Locals) -> int:
        if form == "row":
            at = place(m.slots, f)
            m.slots[at] = tuple(sorted(m.slots[at], key=by_index))
        return after

    return run


def exchange(making: Making, n: i.Exchange, after: int, code: i.Code) -> Operation:
    """Two cards of one row change places."""
    first, second = making.prepare(n.first), making.prepare(n.second)
    rows = [at for at, form in making.linked.zones(str(n.first.type)) if form == "row"]

    def run(m: Machine, f: Locals) -> int:
        one, other = first(m.slots, f), second(m.slots, f)
        at = next((row for row in rows if one in m.slots[row]), None)
        if at is None:
            raise Fault(f"{one.label} lies in no row")
        m.slots[at] = zones.exchanged(m.slots[at], one, other)
        return after

    return run


def arrange(making: Making, n: i.Arrange, after: int, code: i.Code) -> Operation:
    """Of a scenario: a zone holds exactly these cards, which leave wherever they lay."""
    place, form, value = making.place(n.place), form_of(n.place), making.collection(n.value)
    find = finder(making, n.place.type, first=True)

    def run(m: Machine, f: Locals) -> int:
        cards = value(m.slots, f)
        at = place(m.slots, f)
        m.slots[at] = zones.empty(form)
        for card in cards:
            lay, its_form = find(m, card)
            if lay >= 0:
                m.slots[lay] = zones.take(m.slots[lay], card, its_form)
        m.slots[at] = zones.of(cards, form)
        return after

    return run


def reveal(making: Making, n: i.Reveal, after: int, code: i.Code) -> Operation:
    """Seats learn where cards lie. What is mixed into a pile lies nowhere in particular."""
    what, to = making.collection(n.what), making.prepare(n.to)
    item = n.what.type.item if isinstance(n.what.type, Many) else n.what.type
    piles = [at for at, form in making.linked.zones(str(item)) if form == "pile"]

    def run(m: Machine, f: Locals) -> int:
        s = m.slots
        cards, seats = what(s, f), to(s, f)
        cards = cards if isinstance(cards, tuple) else (cards,)
        seats = seats if isinstance(seats, tuple) else (seats,)
        mixed = {card for at in piles if isinstance(s[at], Pile) for card in s[at].pool}
        _mark(m, [card for card in cards if card not in mixed], list(seats))
        return after

    return run
