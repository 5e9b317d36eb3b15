"""Questions about boards that every game with edges may ask: neighbours, distance, reach."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulelang.checker.context import Context
from rulelang.checker.wording import describe, quoted, source
from rulelang.diagnostic import Note
from rulelang.program import expressions as x
from rulelang.program.boards import WAY, EdgeKind, End
from rulelang.program.types import BAD, NONE, Many, Named, Num, Type, either, members
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.checker.expressions import Expressions

STEPS = Num(0, None)


# ---------------------------------------------------------------- edges along which


def edge_kinds(context: Context, names: Iterable[t.Name], node: Type) -> list[str]:
    """The kinds of edges that some names mean; reports those that never touch such a node."""
    known = context.program.edges
    found = []
    for name in names:
        if name.text not in known:
            context.report_unknown(name.text, name.span, "kind of edge", known)
            continue
        context.use("type", name.text)
        context.use("all", name.text)
        if node != BAD and not any(_named(m) in known[name.text].kinds for m in members(node)):
            message = f"no {name.text} ever joins {describe(node)}"
            context.report("T309", message, name.span, notes=[_declared(known[name.text])])
        found.append(name.text)
    return list(dict.fromkeys(found))


def _named(kind: Type) -> str:
    return kind.domain if isinstance(kind, Named) else ""


def _declared(edge: EdgeKind) -> Note:
    return Note(edge.span, "declared here")


# ---------------------------------------------------------------- built-in questions

QUESTIONS = {"neighbours": 1, "distance": 2, "reach": 2, "step": 2}
"""Questions about a board, with the arguments that stand before the kinds of edges."""


def ask(checker: Expressions, node: t.Ask, name: str) -> x.Expr:
    """``neighbours(x, Path)``, ``distance(x, y)``, ``reach(x, n, Path, Door)``."""
    context, count = checker.context, QUESTIONS[name]
    if len(node.arguments) < count or not context.program.edges:
        message = f"`{name}` needs {'a place' if count == 1 else 'two arguments'}"
        help = f"Write `{_usage(name)}`; without kinds of edges, all of them count."
        if not context.program.edges:
            message = f"`{name}` is asked about edges, and this game has none"
            help = "Declare a kind of edges: `edge Path between … and …`."
        context.report("T302", message, node.span, help=help)
        return checker.bad(node.span)
    start = checker.value(node.arguments[0])
    if not _is_node(checker, start, node.arguments[0]):
        return checker.bad(node.span)
    second = None
    if name == "distance":
        second = checker.value(node.arguments[1], start.type)
        if not _is_node(checker, second, node.arguments[1]):
            return checker.bad(node.span)
    elif name == "reach":
        second = checker.check(node.arguments[1], STEPS)
    kinds = _kinds(checker, node.arguments[count:], start.type)
    if kinds is None or (name == "step" and not _have_ways(checker, kinds, node)):
        return checker.bad(node.span)
    if name == "step":
        second = checker.check(node.arguments[1], _ways(context, kinds))
    arguments = (start,) if second is None else (start, second)
    return x.OnBoard(_type_of(context, name, start.type, kinds), node.span, name, arguments, kinds)


def _usage(name: str) -> str:
    second = {"distance": ", y", "reach": ", n", "step": ", way"}.get(name, "")
    return f"{name}(x{second}, Path)"


def _is_node(checker: Expressions, value: x.Expr, node: t.Expr) -> bool:
    """Is this a place that edges may join? Reports what is not."""
    kinds = members(value.type)
    if BAD in kinds:
        return False
    if NONE in kinds:
        help = f"It may be none: ask `{source(node)} is not none` first."
        checker.context.report("T301", f"{describe(value.type)} is no place", value.span, help=help)
        return False
    ends = checker.context.program.places()
    if any(_named(kind) not in ends for kind in kinds):
        message = f"no edge joins {describe(value.type)}"
        help = f"Edges join {quoted(sorted(ends))}."
        checker.context.report("T301", message, value.span, help=help)
        return False
    return True


def _have_ways(checker: Expressions, kinds: tuple[str, ...], node: t.Ask) -> bool:
    """Have the edges a direction each? Reports those that have none."""
    for name in kinds:
        place = checker.context.program.kinds[name].place(WAY)
        if place is None:
            message = f"{name} has no field `{WAY}`, so no step goes one way rather than another"
            checker.context.report("T301", message, node.span)
            return False
        if not checker.context.program.edges[name].one_way:
            message = f"{name} goes both ways, so no step along it has one direction"
            edge = checker.context.program.edges[name]
            checker.context.report("T301", message, node.span, notes=[_declared(edge)])
            return False
        checker.context.use("field", f"{name}.{WAY}")
        checker.context.use("step", name)
    return True


def _ways(context: Context, kinds: tuple[str, ...]) -> Type:
    """What the directions of some edges may be."""
    fields = (field for kind in kinds for field in context.program.kinds[kind].fields)
    return either(*(field.type for field in fields if field.name == WAY))


def _kinds(checker: Expressions, nodes: tuple[t.Expr, ...], start: Type) -> tuple[str, ...] | None:
    """The kinds of edges that are named, or else all of them."""
    if not nodes:
        for name in checker.context.program.edges:
            checker.context.use("all", name)
        return tuple(sorted(checker.context.program.edges))
    names = []
    for node in nodes:
        if not isinstance(node, t.Ref):
            message = "a kind of edges is named here"
            help = f"For instance {quoted(sorted(checker.context.program.edges)[:3])}."
            checker.context.report("T301", message, node.span, help=help)
            return None
        names.append(t.Name(node.span, node.name))
    return tuple(edge_kinds(checker.context, names, start))


def leads_to(context: Context, kinds: Iterable[str], start: Type) -> Type:
    """What may lie at the other end of edges from such a place."""
    near = [
        Named(end.kind)
        for kind in kinds
        for end in _across(context.program.edges[kind], {_named(m) for m in members(start)})
    ]
    return either(*near) if near else start


def _type_of(context: Context, name: str, start: Type, kinds: tuple[str, ...]) -> Type:
    if name == "distance":
        return either(STEPS, NONE)
    onward = leads_to(context, kinds, start)
    if name == "reach":
        for _ in context.program.kinds:  # each time at least one kind more, or none
            onward = either(onward, leads_to(context, kinds, onward))
    return either(onward, NONE) if name == "step" else Many("list", onward)


def _across(edge: EdgeKind, start: set[str]) -> list[End]:
    """What edges of a kind lead to from nodes of these kinds."""
    first, second = edge.ends
    found: list[End] = []
    if any(end.kind in start for end in first):
        found += second
    if not edge.one_way and any(end.kind in start for end in second):
        found += first
    return found
