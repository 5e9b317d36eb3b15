"""The instructions with one way on, as Python source."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulelang.engine.compiler import asking, carrying, zones
from rulelang.engine.compiler.expressions import is_listed
from rulelang.engine.compiler.parts import items_of
from rulelang.engine.making import form_of
from rulelang.engine.operators import MAX_ITEMS
from rulelang.engine.steps import grows
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import MAX_NUMBER, Many, Num, Table, Type, members

if TYPE_CHECKING:
    from rulelang.engine.compiler.flow import Flow
    from rulelang.engine.compiler.rule import Rule

Next = int | None
SMALL = 10_000
"""Numbers that no sum of one step brings near the greatest."""


def root(rule: Rule, flow: Flow, follow: Next) -> Next:
    """What comes first in a function that goes on somewhere."""
    there, out = rule.root, flow.out
    n = rule.code.instructions[there.place]
    out.span = n.span
    following = flow.graph.next[flow.graph.root]
    if there.kind == "answer":
        assert isinstance(n, i.Choose)
        names = [f"g{place}" for place in range(len(n.offers))]
        if not all(map(asking.is_single, n.offers)):
            out.add(f"{''.join(f'{name}, ' for name in names)}= m.open[2]")
        offers = zip(n.offers, names, strict=True)
        groups = [
            asking.ONE if asking.is_single(offer) else asking.listed(name) for offer, name in offers
        ]
        asking.answered(rule, flow, flow.graph.root, n, follow, groups)
        return None
    if there.kind == "settle" and isinstance(n, i.Draw):
        asking.settled(rule, flow, there.place, n)
    elif there.kind == "settle" and isinstance(n, i.Roll):
        out.add(f"l{n.slot} = m.open[3][value]")
    return flow.goto(flow.graph.root, following[0], follow)


# ---------------------------------------------------------------- values


def _set(rule: Rule, flow: Flow, node: int, n: i.Set) -> None:
    if n.slot in rule.bound:
        return
    value = rule.simple(n.value)
    if isinstance(value, x.Op) and value.name == "join":
        joined = rule.expressions.operations.concatenated(value)
        if joined is not None:
            target = rule.local(n.slot)
            flow.out.add(f"{target} = {joined}")
            if n.slot not in rule.short_lists:
                flow.out.add(f"if len({target}) > {MAX_ITEMS}: raise Doubt")
                flow.out.add(f"scanned(s, {target})")
            return
    if grows(n.value) and not _is_small(n.value.type) and n.slot not in rule.counters:
        test = f"-{MAX_NUMBER} <= (v := {rule.expressions.collection(value)}) <= {MAX_NUMBER}"
        flow.out.add(f"{rule.local(n.slot)} = v if {test} else doubt()")
        return
    if not carrying.listed(rule, flow, node, n, value):
        rule.assign(flow.out, rule.local(n.slot), value)


def _is_small(kind: Type) -> bool:
    return isinstance(kind, Num) and not (
        kind.low is None or kind.high is None or kind.low < -SMALL or kind.high > SMALL
    )


def _store(rule: Rule, flow: Flow, node: int, n: i.Store) -> None:
    at = zones.slot(rule, n.place)
    value = _bounded(rule, n)
    out = flow.out
    if n.deferred is not None:
        index = "None" if n.place.key is None else f"{rule.text(n.place.key)}.index"
        out.add(f"l{n.deferred} += (({at}, {index}, {value}), )")
    elif n.place.key is not None:
        out.add(f"v = {value}", f"at = {at}")
        out.add(f"s[at] = replaced(s[at], {rule.text(n.place.key)}.index, v)")
    else:
        out.add(f"s[{at}] = {value}")


def _bounded(rule: Rule, n: i.Store) -> str:
    """The source of the new value, within the domain of its place."""
    kind = n.place.type
    if isinstance(kind, Table) and n.place.key is not None:
        kind = kind.value
    text = rule.collection(n.value)
    if isinstance(kind, Many):
        return _whole(text, kind.form, in_place=rule.module.in_place)
    if not any(isinstance(member, Num) for member in members(kind)):
        return text
    if not isinstance(kind, Num):
        return f"fitting({text}, {rule.expressions.pool.put(kind, 'T')})"
    low = -MAX_NUMBER if kind.low is None else kind.low
    high = MAX_NUMBER if kind.high is None else kind.high
    if n.clamped:
        return f"clamped({text}, {low}, {high})"
    return _stopped(rule, n, text, low, high)


def _whole(text: str, form: str, *, in_place: bool) -> str:
    """The source of a whole zone, or of a list."""
    if form == "pile":
        return f"{'heap' if in_place else 'zone'}({text}, 'pile')"
    if form == "set":
        text = f"zone(tuple(dict.fromkeys({text})), 'set')"
    return f"list({text})" if in_place and form in ("set", "row") else text


def _stopped(rule: Rule, n: i.Store, text: str, low: int, high: int) -> str:
    """A number that must lie in a range; what is sure to is not tested."""
    value = rule.simple(n.value)
    if isinstance(value, x.Const):
        sure = isinstance(value.value, int) and low <= value.value <= high
        return text if sure else f"within({text}, {low}, {high})"
    down, up = _steps(rule, n, value)
    if down:
        return f"v if (v := {text}) <= {high} else doubt()"
    if up:
        return f"v if (v := {text}) >= {low} else doubt()"
    return f"v if {low} <= (v := {text}) <= {high} else doubt()"


def _steps(rule: Rule, n: i.Store, value: x.Expr) -> tuple[bool, bool]:
    """Of ``place = place + number``: can it not fall too low, can it not rise too high?"""
    if not isinstance(value, x.Op) or value.name not in ("+", "-"):
        return False, False
    old, by = value.arguments
    if not (isinstance(by, x.Const) and 0 <= by.value <= SMALL and isinstance(old, x.Read)):
        return False, False
    here = zones.slot(rule, n.place)
    if old.field != n.place.field or rule.expressions.read(old) != f"s[{here}]":
        return False, False
    return value.name == "+", value.name == "-"


def _publish(rule: Rule, flow: Flow, node: int, n: i.Publish) -> None:
    here = next(each for each in rule.scopes.rounds if each.end == node)
    flow.out.add(*rule.scopes.publish(here))


# ---------------------------------------------------------------- cards


def _move(rule: Rule, flow: Flow, node: int, n: i.Move) -> None:
    out = flow.out
    if isinstance(n.what.type, Many):
        cards = rule.collection(n.what)
        backwards = n.end in ("left", "top")
        with out.inside(f"for c in {f'reversed({cards})' if backwards else cards}:"):
            _move_one(rule, flow, n, "c", None, _goal(rule, flow, n))
        return
    value, goal = rule.simple(n.what), _goal(rule, flow, n)
    card = _from_end(rule, flow, node, n, value)
    if card is not None:
        out.add(*zones.put(rule, n.target, n.end, card, at=goal))
        return
    card = rule.expressions.text(value)
    if not isinstance(value, x.Local):
        out.add(f"c = {card}")
        card = "c"
    lay = _lay(rule, n.what, value)
    if lay is not None and _is_pick(rule, flow, node, lay):
        out.add("del g0[k]")
        out.add(*zones.put(rule, n.target, n.end, card, at=goal))
        return
    _move_one(rule, flow, n, card, lay, goal, picked=node in rule.picks)


def _goal(rule: Rule, flow: Flow, n: i.Move) -> str:
    """The source of the slot that a card goes to. Who owns it might depend on where cards lie: so
    it is worked out before one is taken out."""
    at = zones.slot(rule, n.target)
    owner = None if n.target.owner is None else rule.simple(n.target.owner)
    if owner is None or isinstance(owner, x.Const | x.Local):
        return at
    flow.out.add(f"goal = {at}")
    return "goal"


def _is_pick(rule: Rule, flow: Flow, node: int, lay: x.Read) -> bool:
    """Has the card just been chosen out of the very list in which it lies?"""
    before = flow.graph.before[node]
    if not rule.module.in_place or node not in rule.picks or len(before) != 1:
        return False
    asked = rule.instruction(before[0])
    if not isinstance(asked, i.Choose) or asked.offers[0].source is None:
        return False
    if str(lay.type.item) in rule.expressions.shapes.copied:  # type: ignore[union-attr]
        return False
    chosen = items_of(rule.simple(asked.offers[0].source))
    return (
        rule.module.facts.is_sure(asked, rule.code)
        and rule.expressions.is_listed(chosen)
        and rule.expressions.read(chosen) == rule.expressions.read(lay)
    )


def _from_end(rule: Rule, flow: Flow, node: int, n: i.Move, value: x.Expr) -> str | None:
    """Take out the first or last card of a set or row, if it is that; the name that it then has.
    Else nothing is written."""
    ends, held = value, ""
    if isinstance(n.what, x.Local):
        before = flow.graph.before[node]
        looked_up = rule.instruction(before[0]) if len(before) == 1 else None
        if isinstance(looked_up, i.Set) and looked_up.slot == n.what.slot:
            if n.what.slot in rule.expressions.shapes.locals(looked_up.value):
                return None  # it was another card's zone
            ends, held = rule.simple(looked_up.value), rule.local(looked_up.slot)
    if n.source is not None or not isinstance(ends, x.Op) or ends.name not in ("first", "last"):
        return None
    zone = ends.arguments[0]
    zone = items_of(zone)
    if not isinstance(zone, x.Read) or not is_listed(zone.type):
        return None
    if not (rule.module.in_place or zone.field in rule.module.linked.program.state):
        return None
    if str(zone.type.item) in rule.expressions.shapes.copied:  # type: ignore[union-attr]
        return None
    source = rule.expressions.read(zone)
    if not source.startswith("s["):
        return None
    if rule.module.in_place:
        taken = f"{source}.pop({'0' if ends.name == 'first' else ''})"
        if held and flow.out.drop(f"{held} = {source}[{'0' if ends.name == 'first' else '-1'}]"):
            flow.out.add(f"{held} = {taken}")  # looked up just before
        else:
            flow.out.add(taken if held else f"c = {taken}")
        return held or "c"
    place = i.Place(zone.field, zone.owner, zone.owner_domain, zone.type)
    if not held:
        flow.out.add(f"c = {rule.expressions.text(value)}")
    card = held or "c"
    flow.out.add(*zones.marked(rule, place, n.target, n.end, source[2:-1], card))
    flow.out.add(f"{source} = {source}{'[1:]' if ends.name == 'first' else '[:-1]'}")
    return card


def _lay(rule: Rule, what: x.Expr, value: x.Expr) -> x.Read | None:
    """Where a card most likely lies."""
    if isinstance(what, x.Local) and what.slot in rule.sources:
        return rule.sources[what.slot]
    if isinstance(value, x.Op) and value.name in ("first", "last"):
        inner = value.arguments[0]
        inner = items_of(inner)
        return inner if isinstance(inner, x.Read) else None
    return None


def _move_one(
    rule: Rule,
    flow: Flow,
    n: i.Move,
    card: str,
    lay: x.Read | None,
    goal: str,
    *,
    picked: bool = False,
) -> None:
    """One card goes where it is to go; ``picked``: it has just been chosen, as number ``k``."""
    out = flow.out
    domain = str(n.target.type.item) if isinstance(n.target.type, Many) else ""
    if n.source is not None:
        at = zones.slot(rule, n.source)
        out.add(f"if {card} is None: raise Doubt")
        out.add(*zones.marked(rule, n.source, n.target, n.end, at, card))
        out.add(*zones.take(rule, at, form_of(n.source), card))
    elif lay is not None and domain not in rule.expressions.shapes.copied:
        _from_likely(rule, flow, n, card, lay, picked=picked)
    else:
        _from_anywhere(rule, flow, n, card)
    out.add(*zones.put(rule, n.target, n.end, card, at=goal))


def _from_likely(
    rule: Rule, flow: Flow, n: i.Move, card: str, lay: x.Read, *, picked: bool
) -> None:
    """Out of the zone where the card was seen last, or else wherever it lies."""
    out = flow.out
    field = rule.module.linked.program.state.get(lay.field)
    source = rule.expressions.read(lay)
    form = lay.type.form if isinstance(lay.type, Many) else ""
    if field is None or not source.startswith("s[") or form not in ("row", "set"):
        _from_anywhere(rule, flow, n, card)
        return
    place = i.Place(lay.field, lay.owner, lay.owner_domain, lay.type)
    marked = list(zones.marked(rule, place, n.target, n.end, source[2:-1], card))
    out.add(f"z = {source}")
    first, any_ = _taken(source, in_place=rule.module.in_place)
    if picked:
        with out.inside("if z is g0:"):
            out.add(*marked, any_)
    else:
        with out.inside(f"if z and z[0] is {card}:"):
            out.add(*marked, first)
    with out.inside(f"elif {card} in z:"):
        out.add(*marked, f"k = z.index({card})", any_)
    with out.inside("else:"):
        _from_anywhere(rule, flow, n, card)


def _taken(source: str, *, in_place: bool) -> tuple[str, str]:
    """Lines that take the first card out of the zone ``z``, and the one at place ``k``."""
    if in_place:
        return "del z[0]", "del z[k]"
    return f"{source} = z[1:]", f"{source} = z[:k] + z[k + 1:]"


def _from_anywhere(rule: Rule, flow: Flow, n: i.Move, card: str) -> None:
    out = flow.out
    out.add(f"if {card} is None: raise Doubt")
    if not rule.module.marks:
        out.add(f"{rule.module.remover(n.target.type)}(s, {card})")
        return
    find = rule.module.finder(n.target.type)
    out.add(f"at, form = {find}(m, {card})")
    out.add(*zones.marked(rule, None, n.target, n.end, "at", card))
    out.add(f"if at >= 0: s[at] = take(s[at], {card}, form)")


def _sort(rule: Rule, flow: Flow, node: int, n: i.Sort) -> None:
    if form_of(n.place) == "row":
        at = zones.slot(rule, n.place)
        if rule.module.in_place:
            flow.out.add(f"s[{at}].sort(key=by_index)")
        else:
            flow.out.add(f"at = {at}", "s[at] = tuple(sorted(s[at], key=by_index))")


def _mix(rule: Rule, flow: Flow, node: int, n: i.Mix) -> None:
    out, module = flow.out, rule.module
    if module.stepping:
        _borrowed(rule, flow, node, n)
        return
    target = zones.slot(rule, n.target)
    source = target if n.source is None else zones.slot(rule, n.source)
    form = "pile" if n.source is None else form_of(n.source)
    if not module.in_place:
        out.add(f"mix(s, {target}, {source}, {form!r})")
        return
    out.add(f"at, to = {source}, {target}")
    cards = "s[at].all()" if form == "pile" else "s[at]"
    how = "stir" if n.target.field in rule.expressions.even else "mix"
    out.add(f"s[to].{how}({cards} if at != to else ())")
    out.add("if at != to: s[at].clear()")


def _reveal(rule: Rule, flow: Flow, node: int, n: i.Reveal) -> None:
    module = rule.module
    if module.stepping:
        _borrowed(rule, flow, node, n)
    elif module.marks:
        kind = n.what.type
        domain = str(kind.item if isinstance(kind, Many) else kind)
        piles = tuple(at for at, form in module.linked.zones(domain) if form == "pile")
        slots = rule.expressions.pool.constant(piles)
        flow.out.add(f"reveal(s, {rule.collection(n.what)}, {rule.text(n.to)}, {slots})")


def _exchange(rule: Rule, flow: Flow, node: int, n: i.Exchange) -> None:
    zones_ = rule.module.linked.zones(str(n.first.type))
    rows = rule.expressions.pool.constant(tuple(at for at, form in zones_ if form == "row"))
    flow.out.add(f"exchange(s, {rule.text(n.first)}, {rule.text(n.second)}, {rows})")


def _arrange(rule: Rule, flow: Flow, node: int, n: i.Arrange) -> None:
    """Only scenarios arrange zones, and they are played by the reference interpreter."""
    if rule.module.in_place:
        flow.out.add("raise Doubt")
    else:
        _borrowed(rule, flow, node, n)


def _borrowed(rule: Rule, flow: Flow, node: int, n: i.Instruction) -> None:
    """An instruction as the reference interpreter runs it."""
    flow.out.add(f"{rule.module.operation(rule.code, node)}(m, {rule.locals_at(node)})")


PLAIN: dict[type, Callable[[Any, Any, int, Any], None]] = {
    i.Set: _set,
    i.Store: _store,
    i.Publish: _publish,
    i.Move: _move,
    i.Mix: _mix,
    i.Sort: _sort,
    i.Exchange: _exchange,
    i.Arrange: _arrange,
    i.Reveal: _reveal,
}
