"""The ways over a board that a `routes` declaration describes."""

from __future__ import annotations

from rulelang.checker.boards import STEPS, edge_kinds, leads_to
from rulelang.checker.context import Context
from rulelang.checker.expressions import Expressions
from rulelang.checker.scope import Scope
from rulelang.checker.typing import resolve
from rulelang.checker.wording import describe
from rulelang.diagnostic import Note
from rulelang.program import expressions as x
from rulelang.program import program as p
from rulelang.program.boards import MAX_STEPS
from rulelang.program.types import BAD, NONE, Many, Named, Num, Type, either, fits, members
from rulelang.syntax import tree as t


def routes(context: Context, node: t.Routes) -> None:
    """A `routes` declaration: a question whose answer is the list of all ways."""
    scope = Scope(context)
    types = []
    for parameter in node.params:
        kind = resolve(context, parameter.type)
        types.append(kind)
        scope.bind(parameter.name, kind)
    through = resolve(context, node.through.type)
    name = node.name.text
    cites = context.cite(node.cites, "define", name)
    for line in node.lines:
        cites += context.cite(line.cites, "define", name)
    result = Many("list", Many("list", through))
    value = _Routes(context, scope, node, _nodes(context, node, through)).value(result)
    scope.report_unused()
    names = tuple(parameter.name.text for parameter in node.params)
    context.program.questions[name] = p.Question(
        name, names, tuple(types), result, ((None, value),), scope.slots, node.name.span, cites
    )


def _nodes(context: Context, node: t.Routes, through: Type) -> Type:
    """What a way leads through; reports what is no entry."""
    if through == BAD or all(isinstance(m, Named) for m in members(through)):
        return through
    message = f"a way leads through entries, and this is {describe(through)}"
    context.report("T301", message, node.through.span)
    return BAD


class _Routes:
    """Reads the lines of one `routes` declaration."""

    def __init__(self, context: Context, scope: Scope, node: t.Routes, through: Type) -> None:
        self.context = context
        self.scope = scope
        self.node = node
        self.through = through
        self.expressions = Expressions(context, scope)
        self.lines: dict[str, t.RouteLine] = {}
        self.conditions: dict[str, x.Expr] = {}

    def value(self, result: Type) -> x.Expr:
        """The expression of all ways; one that fits everywhere if something is missing."""
        conditions = self._sorted()
        if "from" not in self.lines or "along" not in self.lines or "steps" not in self.lines:
            self._incomplete()
            return x.Const(BAD, self.node.span, None)
        before = len(self.context.diagnostics)
        kinds = edge_kinds(self.context, self.lines["along"].names, self.through)
        if len(self.context.diagnostics) > before:
            start = self.expressions.value(self._said("from"))  # its type may be right
        else:
            start = self.expressions.check(self._said("from"), either(self.through, NONE))
            self._leads(kinds)
        least, most = self._steps()
        slot = self.scope.bind(self.node.through.name, self.through)
        for line in conditions:
            self._condition(line)
        self._never(kinds, slot)
        return x.Ways(
            result, self.node.span, slot, start, tuple(kinds), least, most, "once" in self.lines,
            *(self.conditions.get(word) for word in ("avoid", "halt", "through", "ends")),
        )  # fmt: skip

    def _never(self, kinds: list[str], slot: int) -> None:
        """Report a condition on places of a variant to which no edge of these kinds leads."""
        edges = [self.context.program.edges[kind] for kind in kinds]
        sides = [side for edge in edges for side in (edge.ends[1:] if edge.one_way else edge.ends)]
        entered = {end.variant for side in sides for end in side}
        if "" in entered:
            return
        for part in x.walk(tuple(self.conditions.values())):
            asked = part.value if isinstance(part, x.IsVariant) else None
            of_the_way = isinstance(asked, x.Local) and asked.slot == slot
            if isinstance(part, x.IsVariant) and of_the_way and part.variant not in entered:
                along = " or ".join(kinds)
                message = f"no way along {along} ever enters a place that is `{part.variant}`"
                label = "so this is always the same"
                self.context.report("T309", message, part.span, label=label)

    def _sorted(self) -> list[t.RouteLine]:
        """Enter the lines that stand once; the conditions, of which there may be several."""
        conditions = []
        for line in self.node.lines:
            known = self.lines.setdefault(line.word, line)
            if line.word in ("avoid", "halt", "through", "ends"):
                conditions.append(line)
            elif known is not line:
                note = Note(known.span, "the first one")
                message = f"`{line.word}` stands here twice"
                self.context.report("N202", message, line.span, notes=[note])
        return conditions

    def _incomplete(self) -> None:
        lacking = [word for word in ("from", "along", "steps") if word not in self.lines]
        says = {
            "from": "where its ways begin: `from …`",
            "along": "which edges they go along: `along …`",
            "steps": "how long they are: `steps …`",
        }
        self.context.report(
            "C503",
            f"`{self.node.name.text}` does not say {says[lacking[0]]}",
            self.node.name.span,
        )

    def _said(self, word: str) -> t.Expr:
        value = self.lines[word].value
        assert value is not None
        return value

    def _leads(self, kinds: list[str]) -> None:
        """Report edges that lead to places of other kinds."""
        named = {name.text: name for name in reversed(self.lines["along"].names)}
        for kind in kinds:
            there = leads_to(self.context, [kind], self.through)
            if not fits(there, self.through):
                edge = self.context.program.edges[kind]
                self.context.report(
                    "T301",
                    f"a {kind} also leads to {describe(there)}, and this way leads through "
                    f"{describe(self.through)}",
                    named[kind].span,
                    notes=[Note(edge.span, "declared here")],
                    help=f"Write `through {self.node.through.name.text}: "
                    f"{either(self.through, there)}`.",
                )
                return

    def _steps(self) -> tuple[x.Expr, x.Expr]:
        line = self.lines["steps"]
        least = self.expressions.check(self._said("steps"), STEPS)
        most = least if line.to is None else self.expressions.check(line.to, STEPS)
        low, _ = _bounds(least)
        most_low, high = _bounds(most)
        if most_low is not None and most_low > MAX_STEPS:
            message = f"a way has {MAX_STEPS} steps at most"
            self.context.report("T303", message, most.span)
        elif high == 0:
            self.context.report("T303", "a way has one step at least", most.span)
        elif low is not None and high is not None and high < low:
            message = f"no number of steps is {low} or more and {high} or fewer"
            self.context.report("T303", message, line.span)
        return least, most

    def _condition(self, line: t.RouteLine) -> None:
        """One condition; several of one sort: to avoid and to halt any, else all must hold."""
        assert line.value is not None
        expr = self.expressions.condition(line.value)
        known = self.conditions.get(line.word)
        if known is not None:
            joined = "or" if line.word in ("avoid", "halt") else "and"
            expr = x.Op(known.type, known.span.to(expr.span), joined, (known, expr))
        self.conditions[line.word] = expr


def _bounds(expr: x.Expr) -> tuple[int | None, int | None]:
    return (expr.type.low, expr.type.high) if isinstance(expr.type, Num) else (None, None)
