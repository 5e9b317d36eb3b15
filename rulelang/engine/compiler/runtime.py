"""What generated rules call while a game is played."""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable, Sequence
from typing import Any

from rulelang.engine import zones
from rulelang.engine.chance import Words, merged
from rulelang.engine.compiler import marks
from rulelang.engine.compiler.heap import Heap
from rulelang.engine.compiler.support import Doubt, Ended, Left, provided
from rulelang.engine.exact import distinct
from rulelang.engine.machine import SUSPEND, Operation
from rulelang.engine.rounds import replaced
from rulelang.program import instructions as i
from rulelang.program.linking import ENDINGS, Linked
from rulelang.program.values import Entry, Pile, Value, by_index, exact

Slots = list[Any]
SUSPENDED = object()
"""What a function gives when the game waits."""


def given(linked: Linked, *, stepping: bool, in_place: bool) -> dict[str, Any]:
    """What generated rules know by name."""
    return {
        "S": SUSPENDED,
        "Left": Left,
        "Ended": Ended,
        "leave": leave,
        "finish": finish,
        "replaced": replaced,
        "clamped": clamped,
        "somebody": somebody,
        "nothing": (None,),
        "once": once,
        "nth": nth,
        "distinct": distinct,
        "chance": chance,
        "draw": draw if stepping else draw_and_count,
        "heap": heap,
        "forget": marks.forget,
        "mix": marks.mix,
        "reveal": marks.reveal,
        "top": zones.on_top,
        "drawn": zones.drawn,
        "mixed_in": zones.mixed_in,
        "put": zones.put,
        "take": zones.take,
        "zone": zones.of,
        "sorted_in": zones.sorted_in,
        "insort": insort,
        "exchange": exchange if in_place else exchange_of_tuples,
        "by_index": by_index,
    }


def bound(
    run: Callable[..., Any], arguments: tuple[Value, ...], has_subject: bool, *, framed: bool
) -> Any:
    """A rule with its first arguments given; a subject that it does not take is passed over.

    ``framed``: it is handed a frame before all others.
    """
    if framed and has_subject:
        return lambda m, s, q, subject: run(m, s, q, *arguments, subject)
    if framed:
        return lambda m, s, q, *others: run(m, s, q, *arguments)
    if has_subject:
        return lambda m, s, subject: run(m, s, *arguments, subject)
    return lambda m, s, *others: run(m, s, *arguments)


def nth(values: list[Value], wanted: Value, number: int) -> int:
    """Where a value stands in a list for the so-many-th time, from 0."""
    at = values.index(wanted)
    while number:
        at = values.index(wanted, at + 1)
        number -= 1
    return at


def leave(m: Any, label: str, wanted: tuple[Value, ...] | None) -> None:
    """Go to the end of the innermost open scope of a label and arguments, if there is one."""
    scopes = m.scopes
    for depth in range(len(scopes) - 1, -1, -1):
        name, held = scopes[depth]
        if name == label and (wanted is None or exact(held) == exact(wanted)):
            for ending, _ in m.slots[ENDINGS]:
                scope = m.module.completes.get(ending)
                if scope is not None and not any(s[0] == scope for s in scopes[: depth + 1]):
                    raise Ended
            raise Left(depth + 1)


def finish(m: Any, s: Slots, name: str, whom: Value, completes: str | None) -> None:
    """An ending comes: at once, or when the scope that it completes closes."""
    if (name, whom) not in s[ENDINGS]:
        s[ENDINGS] = (*s[ENDINGS], (name, whom))
    for label, _ in m.scopes:
        if label == completes:
            return
    raise Ended


def publish(s: Slots, waiting: tuple[Any, ...]) -> None:
    """Carry out the writes that waited in a round."""
    for at, index, value in waiting:
        s[at] = value if index is None else replaced(s[at], index, value)


def clamped(value: int, low: int, high: int) -> int:
    """A number, or the end of the range beyond which it lies."""
    return low if value < low else min(value, high)


def somebody(seat: Value) -> Entry:
    """A seat, where it might be none."""
    if isinstance(seat, Entry):
        return seat
    raise Doubt


def once(values: tuple[Value, ...]) -> tuple[Value, ...]:
    """Values without repetitions."""
    return values if len(set(values)) == len(values) else tuple(dict.fromkeys(values))


def chance(source: str, pool: Sequence[Value]) -> tuple[Any, ...]:
    """A chance event that is left open: how many outcomes, its source, and what they are."""
    outcomes, _ = merged(pool)
    return len(outcomes), source, pool, outcomes


def draw(m: Any, name: str, pile: Pile) -> tuple[Entry, Pile]:
    """The topmost card of a pile, by the words of a machine; what is left."""
    cards = pile.pool
    if pile.top or not cards:
        known = zones.on_top(pile)
        card: Entry = known[m.words.pick(name, len(known))]
        return card, zones.drawn(pile, card)
    words: Words = m.words
    try:  # as `Words.pick` does
        number = words.counters[name]
        k = words.known[name][number] * len(cards) >> 32
        words.counters[name] = number + 1
    except LookupError:
        k = words.pick(name, len(cards))
    return cards[k], Pile((), cards[:k] + cards[k + 1 :], pile.bottom)


def draw_and_count(m: Any, name: int, pile: Pile) -> tuple[Entry, Pile]:
    """The topmost card of a pile, by the words of a game that is played through; what is left."""
    cards = zones.on_top(pile)
    word = (m.w[name] or m.more(name)).pop()
    card = cards[word * len(cards) >> 32]
    return card, zones.drawn(pile, card)


def heap(cards: tuple[Entry, ...], form: str) -> Heap:
    """A pile that may be changed."""
    return Heap.of(zones.of(cards, form))


def exchange_of_tuples(s: Slots, one: Entry, other: Entry, rows: tuple[int, ...]) -> None:
    """Two cards of one row change places."""
    for at in rows:
        if one in s[at]:
            s[at] = zones.exchanged(s[at], one, other)
            return
    raise Doubt


def exchange(s: Slots, one: Entry, other: Entry, rows: tuple[int, ...]) -> None:
    """Two cards of one row change places, in place."""
    for at in rows:
        row = s[at]
        if one in row:
            here, there = row.index(one), row.index(other)
            row[here], row[there] = other, one
            return
    raise Doubt


class _Asking:
    """What a decision of the reference interpreter asks of its machine."""

    def __init__(self, slots: Slots) -> None:
        self.slots = slots
        self.stack = [self]
        self.place = 0
        self.event: Any = None


def guarded(operation: Operation, code: i.Code, node: int) -> Callable[[Slots, Slots], Any]:
    """The function of a decision's candidates, worked out as the reference interpreter does."""
    n = code.instructions[node]
    assert isinstance(n, i.Choose)
    places = {id(offer): place for place, offer in enumerate(n.offers)}

    def groups(s: Slots, f: Slots) -> list[Any]:
        provided(s)
        asking = _Asking(s)
        found: list[Any] = [()] * len(places)
        if operation(asking, f) == SUSPEND:  # type: ignore[arg-type]
            for offer, values in asking.event.groups:
                found[places[id(offer)]] = tuple(values)
        return found

    return groups
