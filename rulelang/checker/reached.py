"""Places that rules ask about, and that a piece never comes to over the edges of its board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define, field, fields

from rulelang.checker.context import Context
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.boards import Graph
from rulelang.program.program import StateField
from rulelang.program.types import NONE, Named, members
from rulelang.program.values import Entry

Sources = dict[int, list[tuple[x.Expr, "Sources"]]]
"""For locals, the expressions that they are bound to, and what holds there in turn."""
MOST_DEEP = 20
FIRST = ("first", "last", "item", "sorted", "reversed", "distinct", "ends_of", "all", "less")
SECOND = ("take", "drop")
"""Built-in questions that give items of their first, or of their second argument."""


def pieces(context: Context, nodes: Iterable[str]) -> None:
    """Report comparisons of pieces with places they never come to.

    ``nodes`` are the kinds of places that edges join.
    """
    graph = Graph(context.program, context.program.edges)
    nodes = frozenset(nodes)
    for piece in context.program.state.values():
        kinds = [m.domain for m in members(piece.type) if m != NONE and isinstance(m, Named)]
        if not kinds or any(kind not in nodes for kind in kinds):
            continue
        begins = _Piece(context, piece).begins(kinds[0])
        if begins is None:
            continue
        reached = {node for start in begins for node in graph.distances(start)}
        for asked in _asked(context, piece):
            if asked.value not in reached:
                context.report(
                    "R412",
                    f"`{piece.name}` never comes to {asked.value.text}: no edges lead there "
                    "from where it begins",
                    asked.span,
                )


@define
class _Piece:
    """A field of the state that holds a place."""

    context: Context
    field: StateField = field()

    def begins(self, first: str) -> set[Entry] | None:
        """Where the piece is put, if not moved along edges; None if that may be anywhere."""
        if self.field.default is None:
            entries = self.context.program.domains[first].entries[:1]
            found = set() if NONE in members(self.field.type) else set(entries)
        else:
            at = self._put(self.field.default, {})
            if at is None:
                return None
            found = at
        for code in _codes(self.context):
            sources = _sources(code)
            for step in code.instructions:
                if isinstance(step, i.Store) and step.place.field == self.field.key:
                    at = self._put(step.value, sources)
                    if at is None:
                        return None
                    found |= at
        return found

    def _put(self, value: x.Expr, sources: Sources) -> set[Entry] | None:
        """The places that a value puts the piece at, wherever it was; None if it may be any."""
        if isinstance(value, x.Const):
            return {value.value} if isinstance(value.value, Entry) else set()
        if isinstance(value, x.If):
            both = self._put(value.yes, sources), self._put(value.no, sources)
            return None if both[0] is None or both[1] is None else both[0] | both[1]
        return set() if self._leads(value, sources, 0) else None

    def _leads(self, value: x.Expr, sources: Sources, depth: int) -> bool:
        """Does the value lie where edges lead from where the piece is, as far as can be seen?"""
        depth += 1
        if depth > MOST_DEEP:
            return False
        match value:
            case x.Read():
                return value.field == self.field.key
            case x.Local():
                found = sources.get(value.slot, [])
                return bool(found) and all(self._leads(e, inner, depth) for e, inner in found)
            case x.If():
                return all(self._leads(e, sources, depth) for e in (value.yes, value.no))
            case x.Items():
                return all(self._leads(item, sources, depth) for item in value.items)
            case x.Op(name="join"):
                return all(self._leads(each, sources, depth) for each in value.arguments)
            case x.Op() if value.name in (*FIRST, *SECOND):
                of = value.arguments[value.name in SECOND]
                return self._leads(of, sources, depth)
            case x.Each():
                inner = {**sources, value.slot: [(value.source, sources)]}
                of = value.source if value.value is None else value.value
                return self._leads(of, inner, depth)
            case x.OnBoard() if value.question != "distance":
                return self._leads(value.arguments[0], sources, depth)
            case x.Ways():
                return self._leads(value.start, sources, depth)
            case x.AskDefine():
                question = self.context.program.questions[value.define]
                inner = {n: [(each, sources)] for n, each in enumerate(value.arguments)}
                return all(self._leads(e, inner, depth) for _, e in question.branches)
        return False


def _sources(code: i.Code) -> Sources:
    """What the locals of some code are bound to; none for those that cannot be told."""
    found: Sources = {}
    unknown: set[int] = set()
    lists = {s.slot: s.value for s in code.instructions if isinstance(s, i.Set)}
    for step in code.instructions:
        for slot, value in _bound(step, lists):
            if value is None:
                unknown.add(slot)
            else:
                found.setdefault(slot, []).append((value, found))
    return {slot: bound for slot, bound in found.items() if slot not in unknown}


def _bound(step: i.Instruction, lists: dict[int, x.Expr]) -> Iterator[tuple[int, x.Expr | None]]:
    if isinstance(step, i.Choose):
        yield from ((o.slot, o.source) for o in step.offers if o.slot is not None)
    elif isinstance(step, i.Set):
        yield step.slot, step.value
    elif isinstance(step, i.Iterate):
        yield step.slot, lists.get(step.rest)
    elif isinstance(step, i.Perform | i.Draw | i.Roll) and step.slot is not None:
        yield step.slot, None


def _codes(context: Context) -> Iterator[i.Code]:
    for versions in context.program.rules.values():
        yield from (version.code for version in versions)
    for hooks in context.program.hooks.values():
        yield from (hook.code for hook in hooks)


# ---------------------------------------------------------------- what is asked


def _asked(context: Context, piece: StateField) -> Iterator[x.Const]:
    """The places that a piece's field is compared with."""
    for expr in _expressions(context):
        if not isinstance(expr, x.Op) or expr.name != "==":
            continue
        for one, other in (expr.arguments, expr.arguments[::-1]):
            read = isinstance(one, x.Read) and one.field == piece.key
            if read and isinstance(other, x.Const) and isinstance(other.value, Entry):
                yield other


def _expressions(context: Context) -> Iterator[x.Expr]:
    for question in context.program.questions.values():
        yield from x.walk(question.branches)
    for hooks in context.program.hooks.values():
        yield from (part for hook in hooks for part in x.walk(hook.condition))
    for code in _codes(context):
        for step in code.instructions:
            for name in fields(type(step)):
                yield from _inside(getattr(step, name.name))


def _inside(value: object) -> Iterator[x.Expr]:
    if isinstance(value, tuple):
        for item in value:
            yield from _inside(item)
    elif isinstance(value, i.Offer):
        yield from x.walk((value.source, value.condition))
    else:
        yield from x.walk(value)
