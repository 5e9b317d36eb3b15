"""What can be said only of whole boards: places cut off, edges doubled, positions missing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulelang.checker.context import Context, plain
from rulelang.checker.reached import pieces
from rulelang.checker.wording import article
from rulelang.diagnostic import Note
from rulelang.program import expressions as x
from rulelang.program.boards import AXES, WAY, EdgeKind
from rulelang.program.program import Kind
from rulelang.program.values import Entry, label_of


def boards(context: Context) -> None:
    """Report what is odd about the boards of a game."""
    if not context.program.edges:
        return
    for edge in context.program.edges.values():
        _both_ways(context, edge)
        _directions(context, edge)
    nodes = [entry for kind in _node_kinds(context) for entry in _entries(context, kind.name)]
    _unjoined(context, nodes)
    for kind in _node_kinds(context):
        _positions(context, kind)
    if nodes:
        pieces(context, {node.domain for node in nodes})


def _node_kinds(context: Context) -> list[Kind]:
    """The kinds whose entries edges join."""
    program = context.program
    return [program.kinds[name] for name in sorted(program.places())]


def _entries(context: Context, domain: str) -> tuple[Entry, ...]:
    return context.program.domains[domain].entries


def _both_ways(context: Context, edge: EdgeKind) -> None:
    """One-way edges that all stand in both directions."""
    edges = _entries(context, edge.name)
    pairs = {tuple(e.fields[0]) for e in edges}
    drawn = edge.name in context.program.maps.values()
    directed = context.program.kinds[edge.name].place(WAY) is not None
    if not edge.one_way or drawn or directed or any((b, a) not in pairs for a, b in pairs):
        return
    if not pairs:
        return
    first, last = edges[0], edges[-1]
    assert last.span is not None
    context.report(
        "C516",
        f"every {plain(edge.name)} stands here in both directions",
        last.span,
        notes=[Note(first.span, "as this one does")] if first.span is not None else [],
        help=f"Declare `edge {edge.name} between …`, and write each once, with `-`.",
    )


def _directions(context: Context, edge: EdgeKind) -> None:
    """Edges that lead from one place in one direction, of which `step` takes the first."""
    place = context.program.kinds[edge.name].place(WAY)
    if place is None or ("step", edge.name) not in context.used:
        return
    known: dict[tuple[Entry, object], Entry] = {}
    for entry in _entries(context, edge.name):
        start, way = entry.fields[0][0], entry.fields[place]
        first = known.setdefault((start, way), entry)
        if first is not entry and entry.span is not None:
            context.report(
                "C502",
                f"two edges lead from {start.text} with `{WAY}` {label_of(way)}",
                entry.span,
                notes=[Note(first.span, "the first one")] if first.span is not None else [],
                help=f"From each place one {plain(edge.name)} at most leads in a direction.",
            )


# ---------------------------------------------------------------- places


def _unjoined(context: Context, nodes: list[Entry]) -> None:
    """Places that no edge touches, or that only lead away."""
    program = context.program
    touched: set[Entry] = set()
    entered: set[Entry] = set()
    for edge in program.edges.values():
        for entry in _entries(context, edge.name):
            touched.update(entry.fields[0])
            entered.update(entry.fields[0][1:] if edge.one_way else entry.fields[0])
    named = set(_named_by_entries(context))
    begun = {value for value in _starts(context) if isinstance(value, Entry)}
    for node in nodes:
        if node.span is None or node in named or node.domain in context.incomplete:
            continue
        what = f"{node.variant or plain(node.domain)} {node.key}"
        if node not in touched:
            help = "Join it to another one, or take it away."
            context.report("C514", f"no edge leads to {what}", node.span, help=help)
        elif node not in entered and node not in begun:
            help = "Only one-way edges touch it, and all of them lead away."
            context.report("C514", f"no edge leads to {what}", node.span, help=help)


def _named_by_entries(context: Context) -> Iterator[Entry]:
    """The places that other entries name in a field: an area in which circles lie."""
    program = context.program
    for kind in program.kinds.values():
        if kind.name in program.edges:
            continue
        for entry in _entries(context, kind.name):
            for value in entry.fields:
                yield from (v for v in _flat(value) if isinstance(v, Entry))


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _starts(context: Context) -> Iterator[object]:
    for field in context.program.state.values():
        for part in x.walk(field.default):
            if isinstance(part, x.Const):
                yield part.value


def _positions(context: Context, kind: Kind) -> None:
    """Places of a drawn board that do not say where they are."""
    fields = {f.name: n for n, f in enumerate(kind.fields) if f.name in AXES}
    if len(fields) < len(AXES):
        return
    missing = []
    placed = 0
    for entry in _entries(context, kind.name):
        said = [entry.fields[place] is not None for place in fields.values()]
        placed += any(said)
        if not all(said):
            missing.append(entry)
    for entry in missing if placed else ():
        if entry.span is not None:
            context.report(
                "C515",
                f"{entry.variant or plain(kind.name)} {entry.key} has no place in the picture",
                entry.span,
                help=f"Give its `x` and `y`, as {article(kind.name)} that is drawn has.",
            )
