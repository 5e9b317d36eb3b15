"""Decisions and chance, as Python source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rulelang.engine.compiler import zones
from rulelang.engine.compiler.parts import items_of
from rulelang.engine.machine import FUEL
from rulelang.engine.operators import MAX_WORK
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import WORK
from rulelang.program.types import NONE, members
from rulelang.program.values import order_key

if TYPE_CHECKING:
    from rulelang.engine.compiler.flow import Arms, Flow
    from rulelang.engine.compiler.module import Module
    from rulelang.engine.compiler.rule import Rule

Next = int | None
WINDOW = FUEL // 2
"""What is allowed between two decisions. The other half is for what a rule that waited still does:
that was counted when it was called."""


class Group(NamedTuple):
    """The candidates of an offer, as source."""

    size: str
    """How many there are."""
    item: str
    """The one at a place, which stands between braces."""


Groups = Sequence[Group]
ONE = Group("1", "")
"""An option that is always there, with nothing to hold."""


def listed(name: str) -> Group:
    """Those in a list."""
    return Group(f"len({name})", f"{name}[{{}}]")


# ---------------------------------------------------------------- decisions


def choose(rule: Rule, flow: Flow, node: int, n: i.Choose, follow: Next) -> Next:
    """A decision: left open, or answered in place by the policy."""
    out = flow.out
    if not n.offers and n.none is not None:
        return flow.goto(node, rule.resolved(n.none), follow)
    groups = _groups(rule, flow, node, n)
    counts = [group.size for group in groups]
    certain = sum(count == "1" for count in counts)
    terms = [*[count for count in counts if count != "1"], *[str(certain)][: certain > 0]]
    if not _is_known(rule, n, counts):
        out.add(f"n = {' + '.join(terms)}")
    if any(map(is_single, n.offers)):
        _ask(rule, flow, node, n, follow, groups)  # there is always something to choose
        return None
    with out.inside("if n:"):
        _ask(rule, flow, node, n, follow, groups)
    if n.none is None:
        with out.inside("else:"):
            out.add("raise Doubt")
        return None
    if out.has_ended():
        return flow.goto(node, rule.resolved(n.none), follow)
    begun = out.mark()
    with out.inside("else:"):
        flow.arm(node, rule.resolved(n.none), follow)
    if out.is_empty(begun + 1):
        out.cut(begun)
    return None


def _ask(rule: Rule, flow: Flow, node: int, n: i.Choose, follow: Next, groups: Groups) -> None:
    if rule.stepping:
        _suspend(rule, flow, node, n)
    else:
        _answer(rule, flow, node, n, follow, groups)


def _is_known(rule: Rule, n: i.Choose, counts: list[str]) -> bool:
    """Is it known, where the policy answers, among how many it chooses?"""
    always = len(counts) > 1 and all(map(is_single, n.offers)) and set(counts) == {"1"}
    return always and n.decline is None and not rule.stepping


def _groups(rule: Rule, flow: Flow, node: int, n: i.Choose) -> Groups:
    """Lines that work out the candidates of each offer; what can be said of them."""
    if not rule.module.facts.is_sure(n, rule.code):
        _guarded_groups(rule, flow, node, n)
        return [listed(f"g{place}") for place in range(len(n.offers))]
    groups = []
    for place, offer in enumerate(n.offers):
        if offer.source is None:
            text = "True" if offer.condition is None else rule.text(offer.condition)
            size = _single(rule, flow, f"g{place}", text)
            groups.append(Group(size, ""))
        else:
            alone = len(n.offers) == 1 and not rule.stepping
            groups.append(_candidates(rule, flow, f"g{place}", offer, alone=alone))
    return groups


def _single(rule: Rule, flow: Flow, group: str, condition: str) -> str:
    """A line that finds whether there is an option; how many there are."""
    if rule.stepping:
        flow.out.add(f"{group} = nothing" + (f" if {condition} else ()" * (condition != "True")))
    elif condition != "True":
        flow.out.add(f"{group} = 1 if {condition} else 0")
        return group
    return "1" if condition == "True" else f"len({group})"


def _candidates(rule: Rule, flow: Flow, group: str, offer: i.Offer, *, alone: bool) -> Group:
    """Lines that find an offer's values, none of them twice; those ``alone`` need not be listed."""
    assert offer.source is not None
    assert offer.slot is not None
    source: x.Expr = offer.source
    if offer.condition is not None:
        kind = source.type
        source = x.Each(kind, source.span, "list", offer.slot, source, offer.condition, None)
    value = items_of(rule.simple(source))
    held = _held(rule, value) if alone else None
    if held is not None:
        slots, wanted, owners = held
        flow.out.add(f"{group} = {slots}")
        return Group(f"{group}.count({wanted})", f"{owners}[nth({group}, {wanted}, {{}})]")
    if rule.stepping or rule.expressions.memories.is_remembered(value):
        rule.assign(flow.out, group, value)
    else:
        flow.out.add(f"{group} = {rule.expressions.seen(value)}")
    if not rule.expressions.shapes.is_distinct(value):
        mixed = rule.expressions.shapes.mixes(value.type)
        flow.out.add(f"{group} = {'distinct' if mixed else 'once'}({group})")
    return listed(group)


def _held(rule: Rule, value: x.Expr) -> tuple[str, str, str] | None:
    """A field's slots, a value and all owners, if those are asked for of which it holds the value.

    Then they are counted, and the one that is chosen is looked for.
    """
    written = rule.expressions
    if not isinstance(value, x.Each) or value.name != "list":
        return None
    if written.memories.is_remembered(value):
        return None
    held = written.comprehensions.held(value)
    return None if held is None else (*held, written.glanced(items_of(value.source)))


def _guarded_groups(rule: Rule, flow: Flow, node: int, n: i.Choose) -> None:
    """The candidates of a decision whose options might read what the decider may not see."""
    groups = "".join(f"g{place}, " for place in range(len(n.offers)))
    asked = rule.module.guarded(rule.code, node)
    flow.out.add(f"{groups}= {asked}(s, {rule.locals_at(node)})")


def _seat(rule: Rule, n: i.Choose) -> str:
    seat = rule.text(n.by)
    if NONE in members(n.by.type):
        return f"somebody({seat})"
    return seat


def _suspend(rule: Rule, flow: Flow, node: int, n: i.Choose) -> None:
    from rulelang.engine.compiler.roots import Root

    groups = "".join(f"g{place}, " for place in range(len(n.offers)))
    count = "n + 1" if n.decline is not None else "n"
    flow.out.add(
        f"m.open = ({count}, {_seat(rule, n)}, ({groups}))",
        f"m.fuel, s[{WORK}] = {WINDOW}, {MAX_WORK}",
        f"m.stack = {rule.frame(Root('answer', node))}",
        "return S",
    )


def _answer(rule: Rule, flow: Flow, node: int, n: i.Choose, follow: Next, groups: Groups) -> None:
    counts = [group.size for group in groups]
    always = sum(map(is_single, n.offers))
    several = always > 1 or n.decline is not None  # who may decline is only asked with an option
    count = str(len(counts)) if _is_known(rule, n, counts) else "n"
    count = "(n + 1)" if n.decline is not None else count
    if rule.module.asking:
        _asked(rule, flow, n, count)
    else:
        flow.out.add(f"k = {_picked(rule.module, _seat(rule, n), count, several=several)}")
    answered(rule, flow, node, n, follow, groups)


def _picked(module: Module, seat: str, count: str, *, several: bool) -> str:
    """The source of the option that the policy takes; ``several``: the count is above 1."""
    if module.policy != "random":
        return "next(m.single)"
    picked = f"{module.word(_words_of(module, seat))} * {count} >> 32"
    return picked if several else f"{picked} if {count} > 1 else next(m.single)"


def _words_of(module: Module, seat: str) -> str:
    """The source of the number of a seat's words."""
    known = module.names.get(seat)
    if known is not None:
        return str(module.facts.words[f"policy:{known.key}"])
    if module.facts.has_strangers:
        return f"within({seat}.index, 0, {len(module.linked.players) - 1})"
    return f"{seat}.index"


def _asked(rule: Rule, flow: Flow, n: i.Choose, count: str) -> None:
    """Whoever plays answers. Who decides need not be known, but be somebody."""
    by = rule.simple(n.by)
    if NONE in members(n.by.type) or not rule.expressions.simplifier.safety.is_safe(by):
        flow.out.add(_seat(rule, n))
    flow.out.add(f"k = yield {count}")


def is_single(offer: i.Offer) -> bool:
    """Is there always one thing to choose, which no local is to hold?"""
    return offer.source is None and offer.condition is None


def answered(rule: Rule, flow: Flow, node: int, n: i.Choose, follow: Next, groups: Groups) -> None:
    """The ways on from an answer ``k`` that is one of so many of each group."""
    arms: Arms = []
    before: list[str] = []
    whole = not rule.stepping and n.decline is not None
    for offer, group in zip(n.offers, groups, strict=True):
        at = " - ".join(["k", *before])
        lines = []
        if offer.slot is not None:
            lines = [f"{rule.local(offer.slot)} = {group.item.format(at)}"]
        before.append(group.size)
        upto = "n" if whole and len(before) == len(n.offers) else " + ".join(before)
        arms.append((f"k < {upto}", lines, rule.resolved(offer.to)))
    if n.decline is not None:
        arms.append(("", [], rule.resolved(n.decline)))
    flow.ways(node, arms, follow)


# ---------------------------------------------------------------- chance


def draw(rule: Rule, flow: Flow, node: int, n: i.Draw, follow: Next) -> Next:
    """A card is drawn, where there is one."""
    out = flow.out
    source = zones.slot(rule, n.source)
    there = "z.pool or z.top or z.bottom"
    if rule.module.in_place:
        even = n.source.field in rule.expressions.even
        there = "z" if even else "z or z.odd and z.size()"
    out.add(f"z = s[{source}]")
    if n.none is None:
        out.add(f"if not ({there}): raise Doubt")
        _drawn(rule, flow, node, n, source)
        return flow.goto(node, rule.resolved(node + 1), follow)
    with out.inside(f"if {there}:"):
        _drawn(rule, flow, node, n, source)
        flow.arm(node, rule.resolved(node + 1), follow)
    begun = out.mark()
    with out.inside("else:"):
        flow.arm(node, rule.resolved(n.none), follow)
    if out.is_empty(begun + 1):
        out.cut(begun)
    return None


def _drawn(rule: Rule, flow: Flow, node: int, n: i.Draw, source: str) -> None:
    name = zones.words(rule, n.source)
    if rule.stepping:
        _leave_open(rule, flow, node, name, "top(z)")
    if rule.module.in_place:
        word = rule.module.word(name)
        drawn = f"c = z.pop({word} * len(z) >> 32)"
        if n.source.field not in rule.expressions.even:
            flow.out.add(f"if z.odd: c = z.draw({word})")
            drawn = f"else: {drawn}"
        flow.out.add(drawn)
    else:
        flow.out.add(f"c, s[{source}] = draw(m, {name}, z)")
    _placed(rule, flow, n, source)


def settled(rule: Rule, flow: Flow, node: int, n: i.Draw) -> None:
    """The card ``value`` was drawn."""
    source = zones.slot(rule, n.source)
    flow.out.add("c = m.open[3][value]", f"s[{source}] = drawn(s[{source}], c)")
    _placed(rule, flow, n, source)


def _placed(rule: Rule, flow: Flow, n: i.Draw, source: str) -> None:
    flow.out.add(*zones.marked(rule, n.source, n.target, n.end, source))
    flow.out.add(*zones.put(rule, n.target, n.end))
    if n.slot is not None:
        flow.out.add(f"{rule.local(n.slot)} = c")


def roll(rule: Rule, flow: Flow, node: int, n: i.Roll) -> None:
    """A die is rolled."""
    faces = rule.simple(n.faces)
    if isinstance(faces, x.Const) and faces.value:
        values = tuple(sorted(faces.value, key=order_key))
        source = rule.expressions.pool.constant(values)
        count = str(len(values))
    else:
        flow.out.add(
            f"z = sorted({rule.expressions.collection(faces)}, key=order_key)",
            "if not z: raise Doubt",
        )
        source, count = "z", "len(z)"
    name = repr(f"die:{n.die}")
    if rule.stepping:
        _leave_open(rule, flow, node, name, source)
        flow.out.add(f"{rule.local(n.slot)} = {source}[m.words.pick({name}, {count})]")
    else:
        word = rule.module.word(str(rule.module.facts.words[f"die:{n.die}"]))
        flow.out.add(f"{rule.local(n.slot)} = {source}[{word} * {count} >> 32]")


def _leave_open(rule: Rule, flow: Flow, node: int, name: str, outcomes: str) -> None:
    """Without words a chance event is left open."""
    from rulelang.engine.compiler.roots import Root

    with flow.out.inside("if m.words is None:"):
        flow.out.add(
            f"m.open = chance({name}, {outcomes})",
            f"m.stack = {rule.frame(Root('settle', node))}",
            "return S",
        )
