"""The instructions made functions of a machine and the locals of a frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulelang.engine import zones
from rulelang.engine.evaluate import Evaluator, Evaluators
from rulelang.engine.events import Chance, Group, Question
from rulelang.engine.fault import Fault
from rulelang.engine.machine import SUSPEND, SWITCH, LogEntry, Machine, Operation, Ready
from rulelang.program import instructions as i
from rulelang.program.linking import ENDINGS, MARKS, Linked
from rulelang.program.types import Many, Num, Table
from rulelang.program.values import Effect, Entry, Pile, Script, Value, order_key

Locals = list[Any]
Slot = Callable[[list[Any], Locals], int]


def prepare(linked: Linked) -> dict[str, Ready]:
    """Every rule of a linked program, ready to run."""
    evaluators = Evaluators(linked)
    ready = {name: ready_for(code) for name, code in linked.codes.items()}
    maker = Maker(linked, evaluators, ready)
    for each in ready.values():
        each.operations = maker.operations(each.code)
    return ready


def ready_for(code: i.Code) -> Ready:
    """A rule that lacks only its operations."""
    results = (None, *(n.slot if isinstance(n, i.Perform) else None for n in code.instructions))
    return Ready(code, results)


class Maker:
    """Makes the operations of one linked program."""

    def __init__(self, linked: Linked, evaluators: Evaluators, ready: dict[str, Ready]) -> None:
        self.linked = linked
        self.evaluators = evaluators
        self.ready = ready
        self.prepare = evaluators.prepare

    def operations(self, code: i.Code) -> tuple[Operation, ...]:
        """The operations of one rule."""
        return tuple(self._make(instruction, place, code) for place, instruction in enumerate(code.instructions))

    def _make(self, n: i.Instruction, at: int, code: i.Code) -> Operation:
        name = f"_{type(n).__name__.lower()}"
        made: Operation = getattr(self, name)(n, at + 1, code)
        return made

    # ------------------------------------------------------------ plain steps

    def _set(self, n: i.Set, after: int, code: i.Code) -> Operation:
        slot = n.slot
        collection = isinstance(n.value.type, Many) and n.value.type.form == "pile"
        value = self.evaluators.collection(n.value) if collection else self.prepare(n.value)

        def run(m: Machine, l: Locals) -> int:
            l[slot] = value(m.slots, l)
            return after

        return run

    def _store(self, n: i.Store, after: int, code: i.Code) -> Operation:
        place, value = self._place(n.place), self.evaluators.collection(n.value)
        bounded = _bounded(n)
        key = self.prepare(n.place.key) if n.place.key is not None else None
        deferred = n.deferred

        def run(m: Machine, l: Locals) -> int:
            new = bounded(value(m.slots, l))
            at = place(m.slots, l)
            if key is not None:
                table = m.slots[at]
                index = key(m.slots, l).index
                new = (*table[:index], new, *table[index + 1 :])
            if deferred is None:
                m.slots[at] = new
            else:
                l[deferred] = (*l[deferred], (at, new))
            return after

        return run

    def _publish(self, n: i.Publish, after: int, code: i.Code) -> Operation:
        slot = n.slot

        def run(m: Machine, l: Locals) -> int:
            for at, value in l[slot]:
                m.slots[at] = value
            return after

        return run

    def _jump(self, n: i.Jump, after: int, code: i.Code) -> Operation:
        to = n.to
        if not n.loop:
            return lambda m, l: to

        def back(m: Machine, l: Locals) -> int:
            m.fuel -= 1
            if m.fuel < 0:
                m.exhausted()
            return to

        return back

    def _branch(self, n: i.Branch, after: int, code: i.Code) -> Operation:
        condition, otherwise = self.prepare(n.condition), n.otherwise
        return lambda m, l: after if condition(m.slots, l) else otherwise

    def _iterate(self, n: i.Iterate, after: int, code: i.Code) -> Operation:
        rest, slot, end = n.rest, n.slot, n.end

        def run(m: Machine, l: Locals) -> int:
            left = l[rest]
            if not left:
                return end
            l[slot] = left[0]
            l[rest] = left[1:]
            return after

        return run

    # ------------------------------------------------------------ calls

    def _perform(self, n: i.Perform, after: int, code: i.Code) -> Operation:
        arguments = tuple(self.prepare(argument) for argument in n.arguments)
        ready = self.ready.get(n.rule)
        if ready is None:
            return _missing(n.rule, self.linked.mode)
        if len(arguments) == 1:
            only = arguments[0]
            return lambda m, l: m.push(ready, [only(m.slots, l)])
        return lambda m, l: m.push(ready, [argument(m.slots, l) for argument in arguments])

    def _apply(self, n: i.Apply, after: int, code: i.Code) -> Operation:
        effect = self.prepare(n.effect)
        subject = self.prepare(n.subject) if n.subject is not None else None
        all_ready = self.ready
        takes = {s.name: s.subject is not None for s in self.linked.program.signatures.values()}

        def run(m: Machine, l: Locals) -> int:
            done = effect(m.slots, l)
            ready = all_ready.get(done.rule)
            if ready is None:
                raise Fault(f"`{done.rule}` does not exist in this mode")
            arguments = list(done.arguments) if isinstance(done, Effect) else []
            if subject is not None and (takes.get(done.rule, False) or isinstance(done, Script)):
                arguments.append(subject(m.slots, l))
            return m.push(ready, arguments)

        return run

    def _give(self, n: i.Give, after: int, code: i.Code) -> Operation:
        value = self.prepare(n.value) if n.value is not None else None

        def run(m: Machine, l: Locals) -> int:
            stack = m.stack
            result = None if value is None else value(m.slots, l)
            stack.pop()
            if stack:
                caller = stack[-1]
                slot = caller.ready.results[caller.place]
                if slot is not None:
                    caller.locals[slot] = result
            return SWITCH

        return run

    # ------------------------------------------------------------ events

    def _choose(self, n: i.Choose, after: int, code: i.Code) -> Operation:
        offers = [
            (
                offer,
                offer.slot,
                self.evaluators.collection(offer.source) if offer.source is not None else None,
                self.prepare(offer.condition) if offer.condition is not None else None,
            )
            for offer in n.offers
        ]
        by, declines, none = self.prepare(n.by), n.decline is not None, n.none
        nothing: tuple[Value, ...] = (None,)

        def run(m: Machine, l: Locals) -> int:
            s = m.slots
            groups: list[Group] = []
            count = 0
            for offer, slot, source, condition in offers:
                if source is None:
                    values = nothing if condition is None or condition(s, l) else ()
                elif condition is None:
                    values = source(s, l)
                else:
                    found = []
                    for item in source(s, l):
                        l[slot] = item
                        if condition(s, l):
                            found.append(item)
                    values = tuple(found)
                if values:
                    groups.append((offer, values))
                    count += len(values)
            if not count:
                if none is None:
                    raise Fault("there is nothing to choose")
                return none
            frame = m.stack[-1]
            frame.place = m.place
            m.event = Question(frame, n, by(s, l), groups, count + declines)
            return SUSPEND

        return run

    def _draw(self, n: i.Draw, after: int, code: i.Code) -> Operation:
        source, target = self._place(n.source), self._place(n.target)
        form, end, slot, none = _form(n.target), n.end, n.slot, n.none
        word_source = self._source_name(n.source)

        def settle(m: Machine, l: Locals, card: Value) -> int:
            m.move(card, source(m.slots, l), "pile", target(m.slots, l), form, end)
            if slot is not None:
                l[slot] = card
            return after

        def run(m: Machine, l: Locals) -> int:
            pile = m.slots[source(m.slots, l)]
            cards = zones.on_top(pile)
            if not cards:
                if none is None:
                    raise Fault("there is nothing to draw")
                return none
            name = word_source(m.slots, l)
            if m.words is not None:
                card = cards[m.words.pick(name, len(cards))]
                if m.log is not None:
                    _note_chance(m, card)
                return settle(m, l, card)
            frame = m.stack[-1]
            frame.place = m.place
            m.event = Chance(frame, n, name, cards)
            return SUSPEND

        return _with_settle(run, settle)

    def _roll(self, n: i.Roll, after: int, code: i.Code) -> Operation:
        faces, slot, name = self.evaluators.collection(n.faces), n.slot, f"die:{n.die}"

        def settle(m: Machine, l: Locals, face: Value) -> int:
            l[slot] = face
            return after

        def run(m: Machine, l: Locals) -> int:
            values = sorted(faces(m.slots, l), key=order_key)
            if not values:
                raise Fault("there is nothing to roll")
            if m.words is not None:
                face = values[m.words.pick(name, len(values))]
                if m.log is not None:
                    _note_chance(m, face)
                return settle(m, l, face)
            frame = m.stack[-1]
            frame.place = m.place
            m.event = Chance(frame, n, name, values)
            return SUSPEND

        return _with_settle(run, settle)

    # ------------------------------------------------------------ cards

    def _move(self, n: i.Move, after: int, code: i.Code) -> Operation:
        what = self.evaluators.collection(n.what)
        several = isinstance(n.what.type, Many)
        target, form, end = self._place(n.target), _form(n.target), n.end
        source = self._place(n.source) if n.source is not None else None
        source_form = _form(n.source) if n.source is not None else ""
        assert isinstance(n.target.type, Many)
        places = self.linked.zones(str(n.target.type.item))

        def move(m: Machine, l: Locals, card: Value) -> None:
            to = target(m.slots, l)
            if source is not None:
                at, its_form = source(m.slots, l), source_form
                if not zones.holds(m.slots[at], card, its_form):
                    raise Fault(f"{card.label} does not lie there")
            else:
                at, its_form = _find(m, card, places)
            if at >= 0:
                m.slots[at] = zones.take(m.slots[at], card, its_form)
            m.slots[to] = zones.put(m.slots[to], card, form, end)

        def run(m: Machine, l: Locals) -> int:
            if several:
                cards = what(m.slots, l)
                for card in reversed(cards) if end in ("left", "top") else cards:
                    move(m, l, card)
            else:
                move(m, l, what(m.slots, l))
            return after

        return run

    def _mix(self, n: i.Mix, after: int, code: i.Code) -> Operation:
        target = self._place(n.target)
        source = self._place(n.source) if n.source is not None else None
        source_form = _form(n.source) if n.source is not None else ""

        def run(m: Machine, l: Locals) -> int:
            s = m.slots
            at = target(s, l)
            cards = s[at].all()
            if source is not None:
                from_ = source(s, l)
                cards += s[from_].all() if source_form == "pile" else s[from_]
                s[from_] = zones.empty(source_form)
            s[at] = zones.of(cards, "pile")
            if s[MARKS]:
                gone = set(cards)
                s[MARKS] = tuple(mark for mark in s[MARKS] if mark[0] not in gone)
            return after

        return run

    def _sort(self, n: i.Sort, after: int, code: i.Code) -> Operation:
        place, form = self._place(n.place), _form(n.place)

        def run(m: Machine, l: Locals) -> int:
            if form == "row":
                at = place(m.slots, l)
                m.slots[at] = tuple(sorted(m.slots[at], key=order_key))
            return after

        return run

    def _exchange(self, n: i.Exchange, after: int, code: i.Code) -> Operation:
        first, second = self.prepare(n.first), self.prepare(n.second)
        places = self.linked.zones(str(n.first.type))

        def run(m: Machine, l: Locals) -> int:
            one, other = first(m.slots, l), second(m.slots, l)
            at, _ = _find(m, one, [(slot, form) for slot, form in places if form == "row"])
            if at < 0:
                raise Fault(f"{one.label} lies in no row")
            m.slots[at] = zones.exchanged(m.slots[at], one, other)
            return after

        return run

    def _arrange(self, n: i.Arrange, after: int, code: i.Code) -> Operation:
        place, form, value = self._place(n.place), _form(n.place), self.evaluators.collection(n.value)
        assert isinstance(n.place.type, Many)
        places = self.linked.zones(str(n.place.type.item))

        def run(m: Machine, l: Locals) -> int:
            cards = value(m.slots, l)
            at = place(m.slots, l)
            m.slots[at] = zones.empty(form)
            for card in cards:
                lay, its_form = _find(m, card, places)
                if lay >= 0:
                    m.slots[lay] = zones.take(m.slots[lay], card, its_form)
            m.slots[at] = zones.of(cards, form)
            return after

        return run

    def _reveal(self, n: i.Reveal, after: int, code: i.Code) -> Operation:
        what, to = self.evaluators.collection(n.what), self.prepare(n.to)

        def run(m: Machine, l: Locals) -> int:
            cards, seats = what(m.slots, l), to(m.slots, l)
            cards = cards if isinstance(cards, tuple) else (cards,)
            seats = seats if isinstance(seats, tuple) else (seats,)
            marks = {*m.slots[MARKS], *((card, seat) for card in cards for seat in seats)}
            m.slots[MARKS] = tuple(sorted(marks, key=order_key))
            return after

        return run

    # ------------------------------------------------------------ scopes and endings

    def _enter(self, n: i.Enter, after: int, code: i.Code) -> Operation:
        arguments, slot = tuple(self.prepare(argument) for argument in n.arguments), n.slot

        def run(m: Machine, l: Locals) -> int:
            l[slot] = tuple(argument(m.slots, l) for argument in arguments)
            return after

        return run

    def _exit(self, n: i.Exit, after: int, code: i.Code) -> Operation:
        slot, label = n.slot, n.label
        completing = [e.name for e in self.linked.program.endings.values() if e.completes == label]

        def run(m: Machine, l: Locals) -> int:
            l[slot] = None
            if completing and any(name in completing for name, _ in m.slots[ENDINGS]):
                m.stack.clear()
                return SWITCH
            return after

        return run

    def _leave(self, n: i.Leave, after: int, code: i.Code) -> Operation:
        arguments, label = tuple(self.prepare(argument) for argument in n.arguments), n.label

        def run(m: Machine, l: Locals) -> int:
            wanted = tuple(argument(m.slots, l) for argument in arguments)
            m.stack[-1].place = m.place
            found = open_scope(m, label, wanted)
            if found is None:
                return after
            depth, end = found
            del m.stack[depth + 1 :]
            m.stack[-1].place = end
            return SWITCH

        return run

    def _finish(self, n: i.Finish, after: int, code: i.Code) -> Operation:
        ending = self.linked.program.endings[n.ending]
        subject = self.prepare(n.subject) if n.subject is not None else None

        def run(m: Machine, l: Locals) -> int:
            whom = subject(m.slots, l) if subject is not None else None
            if (ending.name, whom) not in m.slots[ENDINGS]:
                m.slots[ENDINGS] = (*m.slots[ENDINGS], (ending.name, whom))
            if m.log is not None:
                m.log.append(LogEntry("end", ending.name, (whom,) if whom else (), ending.cites, m.stack[-1].depth + 1, None))
            m.stack[-1].place = m.place
            if ending.completes and open_scope(m, ending.completes, None) is not None:
                return after
            m.stack.clear()
            return SWITCH

        return run

    # ------------------------------------------------------------ places

    def _place(self, place: i.Place) -> Slot:
        base = self.linked.bases.get(place.field)
        if base is None:
            return partial(_no_place, place.field, self.linked.mode)
        if place.owner is None:
            return lambda s, l: base
        owner, size = self.prepare(place.owner), self.linked.sizes[place.field]

        def find(s: list[Any], l: Locals) -> int:
            index: int = owner(s, l).index
            if index >= size:
                raise Fault("there is no such player in this game")
            return base + index

        return find

    def _source_name(self, place: i.Place) -> Callable[[list[Any], Locals], str]:
        name = f"pile:{place.field}"
        if place.owner is None:
            return lambda s, l: name
        owner = self.prepare(place.owner)
        return lambda s, l: f"{name}:{owner(s, l).label}"


def open_scope(m: Machine, label: str, wanted: tuple[Value, ...] | None) -> tuple[int, int] | None:
    """The innermost open scope of this label (and with these arguments): its frame, and where it ends."""
    for depth in range(len(m.stack) - 1, -1, -1):
        frame = m.stack[depth]
        best: tuple[int, int] | None = None
        for start, instruction in enumerate(frame.ready.code.instructions):
            if isinstance(instruction, i.Enter) and instruction.label == label and start < frame.place <= instruction.end:
                held = frame.locals[instruction.slot]
                if held is not None and (wanted is None or held == wanted):
                    best = depth, instruction.end
        if best is not None:
            return best
    return None


def _find(m: Machine, card: Entry, places: list[tuple[int, str]]) -> tuple[int, str]:
    for at, form in places:
        if zones.holds(m.slots[at], card, form):
            return at, form
    return -1, ""


def _form(place: i.Place) -> str:
    return place.type.form if isinstance(place.type, Many) else ""


def _bounded(n: i.Store) -> Callable[[Value], Value]:
    """The check of a new value against the domain of its place."""
    kind = n.place.type.value if isinstance(n.place.type, Table) and n.place.key is not None else n.place.type
    if isinstance(kind, Many):
        form = kind.form
        return (lambda value: zones.of(value, form)) if form in ("set", "pile") else (lambda value: value)
    if not isinstance(kind, Num):
        return lambda value: value
    low, high, clamped, field = kind.low, kind.high, n.clamped, n.place.field

    def check(value: Value) -> Value:
        if low is not None and value < low:
            if not clamped:
                raise Fault(f"{field} would become {value}, and is {kind}")
            return low
        if high is not None and value > high:
            if not clamped:
                raise Fault(f"{field} would become {value}, and is {kind}")
            return high
        return value

    return check


def _no_place(field: str, mode: str, s: list[Any], l: Locals) -> int:
    raise Fault(f"{field} does not exist in mode {mode}")


def _missing(rule: str, mode: str) -> Operation:
    def run(m: Machine, l: Locals) -> int:
        raise Fault(f"`{rule}` does not exist in mode {mode}")

    return run


def _note_chance(m: Machine, value: Value) -> None:
    frame = m.stack[-1]
    assert m.log is not None
    m.log.append(LogEntry("chance", frame.ready.name, (value,), (), frame.depth + 1, None))


def _with_settle(run: Operation, settle: Callable[[Machine, Locals, Value], int]) -> Operation:
    run.settle = settle  # type: ignore[attr-defined]
    return run


__all__ = ["Evaluator", "Pile", "open_scope", "prepare"]
