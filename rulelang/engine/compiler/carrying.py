"""Loops that carry out one effect after the other, as Python source.

Where the list of effects is remembered, the functions that carry them out are, too: then nothing is
looked up in a turn of the loop.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.engine.compiler.parts import expressions_of
from rulelang.engine.compiler.weights import FIRST
from rulelang.program import expressions as x
from rulelang.program import instructions as i

if TYPE_CHECKING:
    from rulelang.engine.compiler.flow import Flow
    from rulelang.engine.compiler.rule import Rule

ALL = 1_000_000
"""Effects of a list of which none is counted for."""


def loop_over(rule: Rule, slot: int) -> tuple[int, i.Apply] | None:
    """Where a loop begins that takes its items from a local, of which nobody else knows, and what
    it carries them out with, if that is all it does."""
    code = rule.code.instructions
    for place, n in enumerate(code[:-2]):
        if not isinstance(n, i.Iterate) or n.rest != slot:
            continue
        act, back = code[place + 1 : place + 3]
        if not isinstance(act, i.Apply) or not isinstance(back, i.Jump) or back.to != place:
            return None
        item = act.effect
        alone = len(rule.written[slot]) == 2 and rule.written[n.slot] == [n]
        mine = isinstance(item, x.Local) and item.slot == n.slot
        return (place, act) if alone and mine and not _is_read(rule, act, slot, n.slot) else None
    return None


def _is_read(rule: Rule, act: i.Apply, *slots: int) -> bool:
    """Does anything else read some locals?"""
    listed = rule.written[slots[0]]  # whose comprehensions may have items of these numbers
    others = (n for n in rule.code.instructions if n is not act and n not in listed)
    read = (part for n in others for part in expressions_of(n))
    subject = () if act.subject is None else x.walk(act.subject)
    return any(isinstance(part, x.Local) and part.slot in slots for part in (*read, *subject))


def listed(rule: Rule, flow: Flow, node: int, n: i.Set, value: x.Expr) -> bool:
    """Put the functions that carry out what a simplified expression lists into a local, in place of
    the effects: where a loop behind it does nothing but that. If it is no such loop, nothing is
    written."""
    if rule.stepping or flow.dispatching:
        return False  # frames hold what is left of the list
    found = loop_over(rule, n.slot)
    if found is None or found[0] != node + 1 or node + 1 not in flow.graph.headers:
        return False
    remembered = rule.expressions.memories.remembered(value)
    weight = _weight(rule, flow, node + 1)
    if remembered is None or (weight and not _is_begun(rule, node + 1)):
        return False
    memory, key, costs = remembered
    acts = rule.module.acts(rule.simple(found[1].subject) if found[1].subject else None)
    most = FIRST if weight else ALL
    made = rule.expressions.memories.named(
        f"F{memory}_{acts}_{most}", f"Carried({acts}, {memory}.quick, {most})"
    )
    quick = rule.expressions.memories.named(f"Q{made}", f"{made}.quick")
    target, out = rule.local(n.slot), flow.out
    out.add(f"try: {target} = {quick}[{key}]")
    with out.inside("except KeyError:"):
        out.add(f"{target} = {memory}[{key}]")
        if costs and rule.expressions.several:
            heavy = rule.expressions.collection(value)
            out.add(f"if {target} is HEAVY: {target} = {heavy}")
        if weight:
            with out.inside(f"if len({target}) > {FIRST}:"):
                out.add(*rule.module.burnt(f"len({target}) * {weight}"))
        out.add(f"{target} = {made}.of({key}, {target})")
    flow.carried.add(n.slot)
    return True


def _weight(rule: Rule, flow: Flow, header: int) -> int:
    """What each turn of a loop counts for; nothing if all are counted with the rule."""
    if header in rule.module.weights.short_loops(rule.code.name):
        return 0
    return rule.module.weight_of_turn(rule, flow.graph.headers[header], header)


def _is_begun(rule: Rule, header: int) -> bool:
    return header in rule.module.weights.begun_loops(rule.code.name)
