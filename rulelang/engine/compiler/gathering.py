"""Loops that only gather items into a list, as Python source: what they come to is remembered.

A list begins with what is known, and each turn of a loop may add to it. If nothing but a few values
of the state and of locals decides which items that are, the loop is gone through once for those.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from attrs import frozen

from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import WORK
from rulelang.program.liveness import live_locals

if TYPE_CHECKING:
    from rulelang.engine.compiler.flow import Flow
    from rulelang.engine.compiler.rule import Rule


@frozen
class Gathering:
    """The instructions from the beginning of a list to the end of a loop that adds to it."""

    node: int
    """The node where the list begins."""
    header: int
    """The first node of the loop."""
    end: int
    """The node behind it."""
    slot: int
    """The local with the list."""
    key: str
    """The source of all that it depends on."""


def write(rule: Rule, flow: Flow, found: Gathering, follow: int | None) -> int | None:
    """Write such a loop from its list on; the node to go on with in place, if there is one.

    What was charged for is not remembered: it is charged for each time.
    """
    target, out, name = rule.local(found.slot), flow.out, rule.expressions.memories.new()
    out.add(f"try: {target} = Q{name}[{found.key}]")
    with out.inside("except KeyError:"):
        out.add(f"spent = s[{WORK}]")
        flow.gathered.add(found.node)
        flow.tree(found.node, found.end)
        out.add(f"if s[{WORK}] == spent: {name}.keep({found.key}, {target})")
    return flow.goto(found.header, found.end, follow)


def gathering(rule: Rule, flow: Flow, node: int) -> Gathering | None:
    """The loop for which a list begins at an instruction, if there is one that only gathers."""
    if rule.stepping or flow.dispatching or node in flow.gathered:
        return None
    list_, items = rule.instruction(node), _only(flow, node)
    header = None if items is None else _only(flow, items)
    if not isinstance(list_, i.Set) or header is None or header not in flow.graph.headers:
        return None
    head, listed = rule.instruction(header), rule.instruction(items)  # type: ignore[arg-type]
    if not isinstance(head, i.Iterate) or not isinstance(listed, i.Set):
        return None
    if listed.slot != head.rest or list_.slot in (head.rest, head.slot):
        return None
    loop, end = flow.graph.headers[header], rule.resolved(head.end)
    body = loop - {header}
    if not all(_gathers(rule, each, list_.slot) for each in body) or _counts(rule, flow, header):
        return None
    if not loop.issuperset(after for each in body for after in flow.graph.next[each]):
        return None
    if not {head.rest, head.slot}.isdisjoint(live_locals(rule.code)[end]):
        return None
    own = {rule.offset + slot for slot in (list_.slot, head.rest, head.slot)}
    key = _key(rule, [node, items, *sorted(body)], own)  # type: ignore[list-item]
    return None if key is None else Gathering(node, header, end, list_.slot, key)


def _only(flow: Flow, node: int) -> int | None:
    """The node behind one, if it is the only one and reached in no other way."""
    following = flow.graph.next[node]
    if len(following) != 1 or flow.graph.dominator[following[0]] != node:
        return None
    return following[0]


def _gathers(rule: Rule, node: int, slot: int) -> bool:
    """May an instruction stand in such a loop?"""
    n = rule.instruction(node)
    if isinstance(n, i.Set):
        return n.slot == slot and slot in rule.short_lists
    return isinstance(n, i.Branch | i.Jump)


def _counts(rule: Rule, flow: Flow, header: int) -> bool:
    """Is a turn of the loop counted, other than with the rule?"""
    if header in rule.module.weights.short_loops(rule.code.name):
        return False
    return rule.module.weight_of_turn(rule, flow.graph.headers[header], header) > 0


def _key(rule: Rule, nodes: list[int], own: set[int]) -> str | None:
    """The source of all that some instructions ask for, beside their own locals."""
    instructions = map(rule.instruction, nodes)
    asked = [n.value if isinstance(n, i.Set) else n.condition for n in instructions if _asks(n)]
    first, *others = map(rule.simple, asked)
    if not own.isdisjoint(rule.expressions.shapes.locals(first)):
        return None  # it has a value from before
    whole = x.Items(first.type, first.span, (first, *others))
    return rule.expressions.memories.key(whole, own)


def _asks(n: i.Instruction | None) -> TypeGuard[i.Set | i.Branch]:
    return isinstance(n, i.Set | i.Branch)
