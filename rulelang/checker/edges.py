"""Edges of boards: what they may join, and the chains that content writes them in.

``paths: a - b - c, c - d`` makes three edges, each known by its two ends. One that has fields
stands by itself (``road a - b``) or in a row of a table whose column ``joins`` says what it joins.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulelang.checker import kinds
from rulelang.checker.context import Context, plain
from rulelang.checker.typing import declare_type
from rulelang.checker.values import LONGEST_NAME, parts, span_of, split, text_of
from rulelang.checker.wording import article, plural
from rulelang.diagnostic import Edit, Fix, Note, Span, suggest
from rulelang.program.boards import ENDS, EdgeKind, End
from rulelang.program.program import Kind, KindField
from rulelang.program.types import Many, Named, either
from rulelang.program.values import Domain, Entry
from rulelang.syntax import tree as t

SIGNS = ("-", ">")
MOST_LISTED = 12
"""Places that a message lists."""


@frozen
class Edge:
    """An edge of which only the ends are known; ``rest`` are the words behind them."""

    ends: tuple[Entry, Entry]
    span: Span
    rest: tuple[t.Word, ...] = ()


# ---------------------------------------------------------------- declarations


def edge_names(context: Context, nodes: Sequence[t.Edge]) -> list[t.Edge]:
    """Enter the names of the edge kinds, so that types may name them; those that are new."""
    made = []
    for node in nodes:
        if declare_type(context, node.name, "a kind of edge"):
            context.program.domains[node.name.text] = Domain(node.name.text)
            made.append(node)
    return made


def edge_schemas(context: Context, nodes: Sequence[t.Edge]) -> list[t.Kind]:
    """The edge kinds, and their schemas: kinds that are known by their ends."""
    written = []
    for node in nodes:
        name = node.name.text
        first, second = (_ends(context, names) for names in node.ends)
        if not first or not second:
            context.broken.add(name)
        joined = either(*(Named(end.kind) for end in (*first, *second)))
        ends = KindField(ENDS, Many("list", joined), None, node.name.span)
        kind = t.Kind(node.span, node.name, None, None, None, (), node.fields, ())
        fields = kinds.fields_of(context, kind, frozenset())
        taken = next((f for f in fields if f.name == ENDS), None)
        if taken is not None:
            message = f"`{ENDS}` is what a {name} is known by already"
            context.report("N202", message, taken.span, help="Rename the field.")
        fields = (ends, *(f for f in fields if f is not taken))
        cites = context.cite(node.cites, "declaration", name)
        context.program.kinds[name] = Kind(
            name, ENDS, None, None, (), fields, node.name.span, cites
        )
        context.program.edges[name] = EdgeKind(name, node.one_way, (first, second), node.name.span)
        written.append(kind)
    return written


def _ends(context: Context, names: tuple[t.Name, ...]) -> tuple[End, ...]:
    """What the names of kinds and variants at one end of an edge mean."""
    found = []
    for name in names:
        known = {
            word: End(kind.name, word if word in kind.variants else "")
            for kind in context.program.kinds.values()
            if kind.key and kind.key != ENDS
            for word in (kind.name, *kind.variants)
        }
        end = known.get(name.text)
        if end is None:
            help = "Edges join entries of kinds with a key, or of variants of such kinds."
            context.report_unknown(name.text, name.span, "kind with a key", known, help=help)
            continue
        context.use("type", end.kind)
        if end.variant:
            context.use("variant", f"{end.kind}.{end.variant}")
        found.append(end)
    return tuple(found)


# ---------------------------------------------------------------- content


def is_chains(line: t.Line, kind: Kind) -> bool:
    """Does a line with an edge kind's plural hold chains, and not a table?"""
    rows = [item for item in line.block if isinstance(item, t.Line)]
    if any(word.kind == "colon" for word in line.words):
        return True
    if any(word.kind == "bar" for row in rows for word in row.words):
        return False
    heading = plain(text_of(rows[0].words)) if rows else ""
    return heading not in [plain(field.name) for field in kind.fields]


def chains(context: Context, kind: Kind, line: t.Line) -> Iterator[tuple[t.Line, Edge]]:
    """The edges of ``paths: a - b - c, c - d``, or of such chains on lines below ``paths``."""
    _, _, tail = parts(line)
    written = [(line, tail)] if tail else []
    for item in line.block:
        if isinstance(item, t.Line):
            written.append((item, list(item.words)))
        else:
            context.report("C510", "this has no meaning among edges", item.span)
    if not any(words for _, words in written):
        name = plain(kind.name)
        help = f"Write `{plural(name)}: a {_sign(context, kind)} b`."
        context.report("C503", "no edge stands here", line.span, help=help)
    for at, words in written:
        for chain in split(words, "comma"):
            if not chain:
                comma = next(word for word in words if word.kind == "comma")
                context.report("C513", "an edge is missing beside this comma", comma.span)
            elif not _is_broken(context, kind):
                for edge in _chain(context, kind, chain, at.span):
                    yield at, edge


def edge_of(context: Context, kind: Kind, words: Sequence[t.Word], at: Span) -> Edge | None:
    """The one edge that the words begin with; None if it was reported."""
    if _is_broken(context, kind):
        return None
    found = list(_chain(context, kind, list(words), at, most=1))
    if not found:
        return None
    if found[0].rest and found[0].rest[0].text in SIGNS:
        name, sign = plain(kind.name), _sign(context, kind)
        message = f"one {name} joins two places, and more are named here"
        help = f"Chains stand behind the plural: `{plural(name)}: a {sign} b {sign} c`."
        context.report("C513", message, found[0].rest[0].span, help=help)
        return None
    return found[0]


def key_of(edge: Edge) -> str:
    """What an edge is known by: its ends."""
    return " - ".join(end.label for end in edge.ends)


def _chain(
    context: Context, kind: Kind, words: list[t.Word], at: Span, most: int | None = None
) -> Iterator[Edge]:
    """The edges of one chain; with ``most``, those of its beginning."""
    if words and words[0].text in SIGNS:
        context.report("C513", f"nothing stands before this `{words[0].text}`", words[0].span)
        context.incomplete.add(kind.name)
        return
    before, rest = _node(context, kind, words) if words else (None, [])
    if before is None and not words:
        _whole(context, kind, rest, at, -1)
        return
    if before is None:
        context.incomplete.add(kind.name)
        return
    start, count = words[0], 0
    while rest and rest[0].text in SIGNS and count != most:
        sign, words = rest[0], rest[1:]
        after, rest = _node(context, kind, words) if words else (None, [])
        if after is None:
            if not words:
                context.report("C513", f"`{sign.text}` leads nowhere", sign.span)
            context.incomplete.add(kind.name)
            return
        span = start.span.to(words[0].span)
        edge = _joined(context, kind, (before, after), sign, span)
        count += 1
        if edge is not None:
            yield Edge(edge, span, tuple(rest))
        before, start = after, words[0]
    if most is None or not count:
        _whole(context, kind, rest, at, count)


def _whole(context: Context, kind: Kind, rest: list[t.Word], at: Span, count: int) -> None:
    """Report what a chain holds beyond its edges, or that it holds none."""
    sign = _sign(context, kind)
    if rest:
        help = f"Edges are written `a {sign} b`, several of them with commas between."
        message = f"`{text_of(rest)}` has no meaning behind an edge"
        context.report("C513", message, span_of(rest), help=help)
    elif count < 1:
        named = "one" if count == 0 else "none"
        message = f"{article(kind.name)} joins two places, and {named} is named here"
        context.report("C513", message, at, help=f"Write `a {sign} b`.")
    else:
        return
    context.incomplete.add(kind.name)


def _node(
    context: Context, kind: Kind, words: Sequence[t.Word]
) -> tuple[Entry | None, list[t.Word]]:
    """The place that the words begin with, and what is behind it; None if it was reported."""
    named = list(words)
    for place, word in enumerate(words):
        if word.text in SIGNS or word.kind in ("comma", "colon"):
            named = list(words[:place])
            break
    domains = list(dict.fromkeys(end.kind for side in _edge(context, kind).ends for end in side))
    for length in range(min(len(named), LONGEST_NAME), 0, -1):
        name = plain(text_of(named[:length]))
        for domain in domains:
            entry = context.names_of(domain).get(name)
            if entry is not None:
                context.use("value", f"{entry.domain}.{entry.key}")
                return entry, list(words[length:])
    if not any(domain in context.incomplete for domain in domains):
        _unknown_node(context, kind, domains, named or list(words[:1]))
    return None, []


def _unknown_node(
    context: Context, kind: Kind, domains: Sequence[str], words: Sequence[t.Word]
) -> None:
    """Report a place that is none, or none that such an edge may join."""
    name = text_of(words)
    what = " or ".join(dict.fromkeys(str(e) for s in _edge(context, kind).ends for e in s))
    entries = [e for d in domains for e in context.program.domains[d].entries]
    other = next(
        (f"{article(known.name)}" for known in context.program.kinds.values()
         if known.key and plain(name) in context.names_of(known.name)), None,
    )  # fmt: skip
    help = (
        None
        if not 0 < len(entries) <= MOST_LISTED
        else (f"One of: {', '.join(e.text for e in entries)}.")
    )
    help = f"`{name}` is {other}." if other is not None else help
    known = [str(e.key) for e in entries]
    known = known if suggest(name, known) else [e.text for e in entries]
    context.report_unknown(name, span_of(words), what, known, help=help)


def _joined(
    context: Context, kind: Kind, ends: tuple[Entry, Entry], sign: t.Word, span: Span
) -> tuple[Entry, Entry] | None:
    """The two ends in the order in which they are kept; None if they cannot be joined."""
    edge = _edge(context, kind)
    wanted = ">" if edge.one_way else "-"
    if sign.text != wanted:
        ways = "one way" if edge.one_way else "both ways"
        context.report(
            "C513",
            f"{article(kind.name)} goes {ways}: it is written with `{wanted}`",
            sign.span,
            fix=Fix(f"Replace by `{wanted}`", (Edit(sign.span, wanted),), safe=False),
            notes=[Note(edge.span, "declared here")],
        )
    one, other = ends
    if one is other:
        context.report("C513", f"{one.text} is joined with itself", span)
        return None
    joined = edge.joined(one, other)
    if joined is not None:
        return joined
    first, second = (" or ".join(map(str, side)) for side in edge.ends)
    leads = f"leads from {first} to {second}" if edge.one_way else f"joins {first} and {second}"
    context.report(
        "C513",
        f"{article(kind.name)} {leads}, not {_what(one)} and {_what(other)}",
        span,
        notes=[Note(edge.span, "declared here")],
    )
    return None


def _what(node: Entry) -> str:
    return f"{node.variant or plain(node.domain)} {node.text}"


def _is_broken(context: Context, kind: Kind) -> bool:
    """Was an end of the edges reported? Then nothing can be said of what they join."""
    if kind.name in context.broken:
        context.incomplete.add(kind.name)
        return True
    return False


def _edge(context: Context, kind: Kind) -> EdgeKind:
    return context.program.edges[kind.name]


def _sign(context: Context, kind: Kind) -> str:
    return ">" if _edge(context, kind).one_way else "-"
