"""Events: decisions, draws and rolls, made functions of a machine and the locals of a frame."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.engine import zones
from rulelang.engine.chance import MAX_WEIGHT
from rulelang.engine.events import Chance, Group, Question
from rulelang.engine.exact import distinct
from rulelang.engine.fault import Fault
from rulelang.engine.knowledge import NOBODY
from rulelang.engine.machine import SUSPEND, Machine, Operation
from rulelang.engine.making import Locals, Making, form_of
from rulelang.engine.moving import origin_marks
from rulelang.engine.operators import charge
from rulelang.engine.sight import guard
from rulelang.program import instructions as i
from rulelang.program.expressions import Expr, Local, walk
from rulelang.program.sight import is_open
from rulelang.program.values import Entry, Value, order_key


def choose(making: Making, n: i.Choose, after: int, code: i.Code) -> Operation:
    """A decision opens, unless there is nothing to decide. Equal candidates are one option."""
    guarded = guard(making, n, code)
    makes = making.evaluators if guarded is None else guarded
    offers = [
        (
            offer,
            -1 if offer.slot is None else offer.slot,
            makes.collection(offer.source) if offer.source is not None else None,
            makes.prepare(offer.condition) if offer.condition is not None else None,
            _once(making, offer.source),
        )
        for offer in n.offers
    ]
    by, declines, none, keyless = (
        making.prepare(n.by),
        n.decline is not None,
        n.none,
        making.keyless,
    )
    nothing: tuple[Value, ...] = (None,)

    def run(m: Machine, f: Locals) -> int:
        s = m.slots
        groups: list[Group] = []
        count = 0
        if guarded is not None:
            guarded.seat = by(s, f)
        for offer, slot, source, condition, once in offers:
            if source is None:
                values = nothing if condition is None or condition(s, f) else ()
            elif condition is None:
                values = source(s, f)
            else:
                found = []
                for item in source(s, f):
                    f[slot] = item
                    if condition(s, f):
                        found.append(item)
                values = tuple(found)
            charge(s, len(values))
            if values:
                if len(set(values)) < len(values):
                    values = once(values)
                groups.append((offer, values))
                count += len(values)
        if not count:
            if none is None:
                raise Fault("there is nothing to choose")
            return none
        seat = by(s, f)
        if not isinstance(seat, Entry):
            raise Fault("nobody is there to decide")
        frame = m.stack[-1]
        frame.place = m.place
        m.event = Question(frame, n, seat, groups, count + declines, keyless)
        return SUSPEND

    return run


def _once(making: Making, source: Expr | None) -> Callable[[tuple[Value, ...]], tuple[Value, ...]]:
    """What leaves out repetitions among the items of a collection."""
    mixed = source is not None and making.evaluators.mixes(source.type)
    return distinct if mixed else lambda values: tuple(dict.fromkeys(values))


def draw(making: Making, n: i.Draw, after: int, code: i.Code) -> Operation:
    """The topmost card of a pile goes somewhere: a chance event, even where it is known."""
    source, target = making.place(n.source), making.place(n.target)
    form, end, slot, none = form_of(n.target), n.end, n.slot, n.none
    word_source = making.source_name(n.source)
    remember = origin_marks(making, n.target, end)

    def settle(m: Machine, f: Locals, card: Value) -> int:
        s = m.slots
        at = source(s, f)
        if remember is not None:
            remember(m, card, at)
        s[at] = zones.drawn(s[at], card)
        to = target(s, f)
        s[to] = zones.put(s[to], card, form, end)
        if slot is not None:
            f[slot] = card
        if m.log is not None:
            m.note_chance(card, making.knowledge.witnesses(s, card, public=True))
        return after

    def run(m: Machine, f: Locals) -> int:
        cards = zones.on_top(m.slots[source(m.slots, f)])
        if not cards:
            if none is None:
                raise Fault("there is nothing to draw")
            return none
        name = word_source(m.slots, f)
        if m.words is not None and len(cards) <= MAX_WEIGHT:
            return settle(m, f, cards[m.words.pick(name, len(cards))])
        frame = m.stack[-1]
        frame.place = m.place
        m.event = Chance(frame, name, cards, settle)
        return SUSPEND

    return run


def roll(making: Making, n: i.Roll, after: int, code: i.Code) -> Operation:
    """One of a die's faces comes up."""
    faces, slot, name = making.collection(n.faces), n.slot, f"die:{n.die}"
    seats = NOBODY if _is_kept_secret(making, slot, code) else None

    def settle(m: Machine, f: Locals, face: Value) -> int:
        f[slot] = face
        if m.log is not None:
            m.note_chance(face, seats)
        return after

    def run(m: Machine, f: Locals) -> int:
        values = sorted(faces(m.slots, f), key=order_key)
        if not values:
            raise Fault("there is nothing to roll")
        if m.words is not None and len(values) <= MAX_WEIGHT:
            return settle(m, f, values[m.words.pick(name, len(values))])
        frame = m.stack[-1]
        frame.place = m.place
        m.event = Chance(frame, name, values, settle)
        return SUSPEND

    return run


def _is_kept_secret(making: Making, slot: int, code: i.Code) -> bool:
    """Does what a rule has rolled go to a field that not everybody sees?"""
    state = making.linked.program.state
    rolled, known = {slot}, 0
    while len(rolled) > known:
        known = len(rolled)
        rolled |= {
            n.slot for n in code.instructions if isinstance(n, i.Set) and _reads(n.value, rolled)
        }
    return any(
        isinstance(n, i.Store) and not is_open(state[n.place.field]) and _reads(n.value, rolled)
        for n in code.instructions
    )


def _reads(value: Expr, slots: set[int]) -> bool:
    return any(isinstance(part, Local) and part.slot in slots for part in walk(value))
