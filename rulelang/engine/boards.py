"""Questions about boards, made functions of the state's slots and a frame's locals.

What follows from the edges alone is worked out once. So are conditions on nodes that read nothing
but the node: the search for ways meets only nodes that they admit.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import frozen

from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.operators import MAX_ITEMS, Evaluator, Locals, Slots, charge
from rulelang.program import expressions as x
from rulelang.program.boards import MAX_STEPS, Graph
from rulelang.program.values import Entry, Value

if TYPE_CHECKING:
    from rulelang.engine.evaluate import Evaluators

Test = Callable[[Slots, Locals], bool] | None
"""A condition on the node in the slot, or None where it always holds."""
SHARE = 8
"""Of so many places that are looked at one is charged for: they are looked at once a game."""


def on_board(evaluators: Evaluators, expr: x.OnBoard) -> Evaluator:
    """The function of ``neighbours``, ``distance``, ``reach`` or ``step``."""
    graph = evaluators.graph(expr.edges)
    node, *rest = map(evaluators.prepare, expr.arguments)
    match expr.question:
        case "neighbours":
            following = graph.next
            return lambda s, f: following.get(node(s, f), ())
        case "distance":
            return _distance(graph, node, rest[0])
        case "step":
            way, onward = rest[0], graph.onward
            return lambda s, f: onward.get((node(s, f), way(s, f)))
        case "reach":
            return _reach(graph, node, rest[0])
    raise AssertionError(expr.question)


def _reach(graph: Graph, node: Evaluator, steps: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        start, most = node(s, f), steps(s, f)
        charge(s, _worth(graph, start))
        return graph.reach(start, most)

    return run


def _distance(graph: Graph, node: Evaluator, goal: Evaluator) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        start, end = node(s, f), goal(s, f)
        charge(s, _worth(graph, start))
        return graph.distances(start).get(end)

    return run


def _worth(graph: Graph, start: Entry) -> int:
    """What looking at all that can be reached is charged with, whether it was known or not."""
    return 1 + len(graph.distances(start)) // SHARE


# ---------------------------------------------------------------- ways


@frozen(eq=False)
class Search:
    """What a search for ways needs to know."""

    slot: int
    next: dict[Entry, tuple[Entry, ...]]
    """The nodes that may be entered from each, as far as that never changes."""
    stops: frozenset[Entry]
    """The nodes where a way ends, short or not, whatever the state is."""
    barred: frozenset[Entry]
    """The nodes that no way goes on from, whatever the state is."""
    once: bool
    avoid: Test
    halt: Test
    through: Test
    ends: Test


def ways(evaluators: Evaluators, expr: x.Ways) -> Evaluator:
    """The function that lists the ways of a ``routes`` declaration."""
    start, least, most = map(evaluators.prepare, (expr.start, expr.least, expr.most))
    search = prepared_search(evaluators, expr)

    def run(s: Slots, f: Locals) -> Value:
        node, low, high = start(s, f), least(s, f), most(s, f)
        if node is None or high < max(low, 1):
            return ()
        if high > MAX_STEPS:
            raise Fault(f"a way of {high} steps is longer than {MAX_STEPS}")
        return _found(search, s, f, node, max(low, 1), high)

    return run


def prepared_search(evaluators: Evaluators, expr: x.Ways) -> Search:
    """What is known of a search before it begins."""
    graph = evaluators.graph(expr.edges)
    nodes = tuple(graph.next)
    avoided, avoid = _split(evaluators, expr, expr.avoid, nodes)
    stops, halt = _split(evaluators, expr, expr.halt, nodes)
    passed, through = _split(evaluators, expr, expr.through, nodes)
    open_to = {n: tuple(o for o in others if o not in avoided) for n, others in graph.next.items()}
    static = expr.through is not None and through is None
    barred = frozenset(nodes) - passed if static else frozenset()
    ends = evaluators.prepare(expr.ends) if expr.ends is not None else None
    return Search(expr.slot, open_to, stops, barred, expr.once, avoid, halt, through, ends)


def _split(
    evaluators: Evaluators, expr: x.Ways, condition: x.Expr | None, nodes: tuple[Entry, ...]
) -> tuple[frozenset[Entry], Test]:
    """The nodes that a condition always holds of; the condition itself where the state decides."""
    if condition is None:
        return frozenset(), None
    test = evaluators.prepare(condition)
    if not evaluators.depends_only_on(condition, expr.slot):
        return frozenset(), test
    slots, locals = evaluators.blank(expr.slot + x.slots_of(condition) + 1)
    try:
        held = frozenset(node for node in nodes if test(slots, _with(locals, expr.slot, node)))
    except (Fault, *UNFORESEEN):
        return frozenset(), test  # it may be wrong at places that no way comes to
    return held, None


def _with(locals: Locals, slot: int, node: Entry) -> Locals:
    locals[slot] = node
    return locals


def _found(search: Search, s: Slots, f: Locals, start: Entry, low: int, high: int) -> Value:
    """The ways in the order of a search in depth, neighbours in canonical order."""
    found: list[Value] = []
    way: list[Entry] = []
    slot, following, once = search.slot, search.next, search.once
    stops, barred = search.stops, search.barred
    avoid, halt, through, ends = search.avoid, search.halt, search.through, search.ends

    def go(node: Entry) -> None:
        others = following.get(node, ())
        charge(s, len(others) + 1)
        for other in others:
            if once and (other is start or other in way):
                continue
            f[slot] = other
            if avoid is not None and avoid(s, f):
                continue
            way.append(other)
            stopped = other in stops or (halt is not None and halt(s, f))
            if (stopped or len(way) >= low) and (ends is None or ends(s, f)):
                found.append(tuple(way))
                if len(found) > MAX_ITEMS:
                    raise Fault(f"there are more than {MAX_ITEMS:,} ways")
            if (
                not stopped
                and len(way) < high
                and other not in barred
                and (through is None or through(s, f))
            ):
                go(other)
            way.pop()

    go(start)
    return tuple(found)
