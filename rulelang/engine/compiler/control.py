"""The instructions that decide where a rule goes on, as Python source."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from rulelang.engine.compiler import asking, calls, gathering, inlining, steps
from rulelang.engine.compiler.weights import FIRST
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import ENDINGS

if TYPE_CHECKING:
    from rulelang.engine.compiler.flow import Flow
    from rulelang.engine.compiler.rule import Rule

Next = int | None


def successors(rule: Rule, node: int) -> Iterator[int]:
    """The nodes that an instruction may lead to in the same function."""
    n = rule.code.instructions[node]
    match n:
        case i.Jump():
            yield rule.resolved(n.to)
        case i.Branch():
            known = rule.simple(n.condition)
            if not isinstance(known, x.Const) or known.value:
                yield rule.resolved(node + 1)
            if not isinstance(known, x.Const) or not known.value:
                yield rule.resolved(n.otherwise)
        case i.Iterate():
            yield rule.resolved(node + 1)
            yield rule.resolved(n.end)
        case i.Choose():
            yield from _after_choice(rule, n)
        case i.Draw():
            yield rule.resolved(node + 1)
            if n.none is not None:
                yield rule.resolved(n.none)
        case i.Give():
            return
        case i.Enter():
            yield rule.resolved(node + 1)
            yield n.end
        case _:
            yield rule.resolved(node + 1)


def _after_choice(rule: Rule, n: i.Choose) -> Iterator[int]:
    if rule.whole or not rule.stepping:
        yield from (rule.resolved(offer.to) for offer in n.offers)
        if n.decline is not None:
            yield rule.resolved(n.decline)
    if n.none is not None:
        yield rule.resolved(n.none)


def write(rule: Rule, flow: Flow, node: int, follow: Next) -> Next:
    """An instruction with the ways that lead on from it."""
    n = rule.code.instructions[node]
    special = SPECIAL.get(type(n))
    if special is not None:
        return special(rule, flow, node, n, follow)
    gathers = gathering.gathering(rule, flow, node)
    if gathers is not None:
        return gathering.write(rule, flow, gathers, follow)
    straight(rule, flow, node)
    following = flow.graph.next[node]
    return flow.goto(node, following[0], follow) if following else None


def straight(rule: Rule, flow: Flow, node: int) -> None:
    """The lines of an instruction with one way on, or of the end of a rule."""
    n = rule.code.instructions[node]
    PLAIN[type(n)](rule, flow, node, n)


# ---------------------------------------------------------------- branches, ends, loops


def _branch(rule: Rule, flow: Flow, node: int, n: i.Branch, follow: Next) -> Next:
    known = rule.simple(n.condition)
    if isinstance(known, x.Const):
        return flow.goto(node, flow.graph.next[node][0], follow)
    yes, no = rule.resolved(node + 1), rule.resolved(n.otherwise)
    if yes == no:
        if not rule.expressions.simplifier.safety.is_safe(known):
            flow.out.add(rule.expressions.text(known))
        return flow.goto(node, yes, follow)
    if rule.expressions.memories.is_remembered(known):
        rule.assign(flow.out, "t", known)
        test = "t"
    else:
        test = rule.expressions.test(known)
    return flow.choice(node, test, yes, no, follow)


def _jump(rule: Rule, flow: Flow, node: int, n: i.Jump) -> None:
    flow.out.add(*rule.scopes.on_the_way(node, n.to))


def _give(rule: Rule, flow: Flow, node: int, n: i.Give) -> None:
    out = flow.out
    on_the_way = list(rule.scopes.on_the_way(node, None))
    value = calls.result(rule, n)
    if rule.inlined is not None:
        if value is not None:  # it is worked out even if nobody asks: it may go wrong
            out.add(f"{rule.inlined.target} = {value}" if rule.inlined.target else value)
        out.add(*on_the_way, inlining.RETURN)
        return
    if on_the_way and value is not None:
        out.add(f"result = {value}")
        value = "result"
    out.add(*on_the_way, "return" if value is None else f"return {value}")


def before_loop(rule: Rule, flow: Flow, header: int, body: frozenset[int]) -> None:
    """The fuel of all turns, where it is known how many there are."""
    n = rule.instruction(header)
    if isinstance(n, i.Iterate) and n.rest in flow.carried:
        return  # counted where it is listed
    if header in rule.module.weights.short_loops(rule.code.name):
        return  # counted with the rule
    if isinstance(n, i.Iterate) and not rule.waits_inside(header):
        weight = rule.module.weight_of_turn(rule, body, header)
        if not weight:
            return
        times = f"len({rule.local(n.rest)})"
        fuel = times if weight == 1 else f"{times} * {weight}"
        if rule.stepping:
            flow.out.add(*rule.module.burnt(fuel))
            return
        test = rule.local(n.rest)
        if header in rule.module.weights.begun_loops(rule.code.name):
            test = f"len({test}) > {FIRST}"
        with flow.out.inside(f"if {test}:"):
            flow.out.add(*rule.module.burnt(fuel))


def loop_head(rule: Rule, header: int, behind: Next, body: frozenset[int]) -> str:
    """The first line of a loop."""
    n = rule.instruction(header)
    if not isinstance(n, i.Iterate):
        return "while True:"
    if rule.waits_inside(header):
        return f"while {rule.local(n.rest)}:"
    return f"for {rule.local(n.slot)} in {rule.local(n.rest)}:"


def write_header(
    rule: Rule, flow: Flow, header: int, follow: Next, behind: Next, body: frozenset[int]
) -> Next:
    """The first instruction of a loop, and the way on inside the loop."""
    n = rule.instruction(header)
    if not isinstance(n, i.Iterate):
        flow.out.add(*rule.module.turn_of_loop(rule, body, header))
        return rule.write(flow, header, follow)
    if rule.waits_inside(header):
        flow.out.add(*rule.module.turn_of_loop(rule, body, header))
        flow.out.add(f"l{n.slot} = l{n.rest}[0]", f"l{n.rest} = l{n.rest}[1:]")
    return flow.goto(header, rule.resolved(header + 1), follow)


def _iterate(rule: Rule, flow: Flow, node: int, n: i.Iterate, follow: Next) -> Next:
    """An `Iterate` that no way leads back to."""
    item, rest = rule.local(n.slot), rule.local(n.rest)
    lines = [f"{item} = {rest}[0]", f"{rest} = {rest}[1:]"]
    yes, no = rule.resolved(node + 1), rule.resolved(n.end)
    flow.ways(node, [(rest, lines, yes), ("", [], no)], follow)
    return None


# ---------------------------------------------------------------- scopes


def _enter(rule: Rule, flow: Flow, node: int, n: i.Enter, follow: Next) -> Next:
    out = flow.out
    arguments = "".join(f"{rule.text(argument)}, " for argument in n.arguments)
    depth, held = f"depth{node}", rule.local(n.slot)
    if rule.inlined is not None:
        depth += f"_{rule.offset}"
    out.add(f"{held} = ({arguments})" if arguments else f"{held} = ()")
    out.add(f"m.scopes.append(({n.label!r}, {held}))")
    if flow.dispatching:
        out.add(f"scope{node} = m.scopes[-1]")
        return flow.goto(node, rule.resolved(node + 1), follow)
    out.add(f"{depth} = len(m.scopes)")
    with out.inside("try:"):
        flow.arm(node, rule.resolved(node + 1), n.end)
    with out.inside("except Left as left:"):
        out.add(f"if left.depth != {depth}: raise")
        for each in rule.scopes.rounds:
            if node < each.start and each.end <= n.end:
                out.add(*rule.scopes.publish(each))
        out.add(f"del m.scopes[{depth}:]")
    # The end is a join, which is written behind this.
    return None if n.end == follow else flow.goto(node, n.end, follow)


def _exit(rule: Rule, flow: Flow, node: int, n: i.Exit) -> None:
    flow.out.add("m.scopes.pop()")
    waiting = rule.scopes.waiting.get(n.label)
    if waiting:
        names = tuple(sorted(waiting))
        flow.out.add(f"if any([n in {names!r} for n, _ in s[1]]): raise Ended")


def _leave(rule: Rule, flow: Flow, node: int, n: i.Leave) -> None:
    arguments = "".join(f"{rule.text(argument)}, " for argument in n.arguments)
    wanted = f"({arguments})" if arguments else "None"
    flow.out.add(f"leave(m, {n.label!r}, {wanted})")


def _finish(rule: Rule, flow: Flow, node: int, n: i.Finish) -> None:
    ending = rule.module.linked.program.endings[n.ending]
    whom = rule.text(n.subject) if n.subject is not None else "None"
    completes = repr(ending.completes) if ending.completes else "None"
    given = "" if n.subject is None else f"{whom}, "
    flow.out.add(*rule.module.counting("end", n.ending, given))
    if rule.module.completes:
        flow.out.add(f"finish(m, s, {n.ending!r}, {whom}, {completes})")
    else:  # every ending is at once, so that none has come before
        flow.out.add(f"s[{ENDINGS}] = (({n.ending!r}, {whom}), )", "raise Ended")


SPECIAL: dict[type, Callable[[Any, Any, int, Any, Next], Next]] = {
    i.Branch: _branch,
    i.Iterate: _iterate,
    i.Choose: asking.choose,
    i.Draw: asking.draw,
    i.Enter: _enter,
}
"""Those with several ways on."""

PLAIN: dict[type, Callable[[Any, Any, int, Any], None]] = {
    i.Jump: _jump,
    i.Give: _give,
    i.Exit: _exit,
    i.Leave: _leave,
    i.Finish: _finish,
    i.Roll: asking.roll,
    i.Perform: calls.perform,
    i.Apply: calls.apply,
    **steps.PLAIN,
}
"""Those with one way on, or none."""
