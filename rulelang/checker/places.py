"""Places: what can be assigned, and where cards lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.checker.facts import bare
from rulelang.checker.wording import article
from rulelang.program import expressions as x
from rulelang.program.instructions import Place
from rulelang.program.types import BAD, ZONES, Many, Table, Type, fits
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.checker.expressions import Expressions

ENDS = {"left": "row", "right": "row", "top": "pile", "bottom": "pile"}
"""The ends of zones, each with the form that has it."""


def place_of(checker: Expressions, node: t.Expr, what: str) -> Place | None:
    """The state field that is named, or None (reported)."""
    if _is_question(checker, node):
        help: str | None = "It is a question, whose answer follows from the state."
        checker.context.report("T305", f"this cannot be {what}", node.span, help=help)
        return None
    expr = checker.infer(node)
    state = checker.context.program.state
    if isinstance(expr, x.MapItem) and isinstance(expr.map, x.Read) and expr.map.field in state:
        inner = expr.map
        owner, domain = inner.owner, inner.owner_domain
        return Place(inner.field, owner, domain, inner.type, expr.key, expr.key_domain)
    if isinstance(expr, x.Read) and expr.field in state:
        return Place(expr.field, expr.owner, expr.owner_domain, state[expr.field].type)
    if expr.type == BAD:
        return None
    help = None
    if isinstance(expr, x.Read):
        help = f"`{expr.field}` is fixed when a game starts."
    elif isinstance(expr, x.FieldOf):
        help = "What stands on an entry never changes; keep what changes in the state."
    checker.context.report("T305", f"this cannot be {what}", node.span, help=help)
    return None


def _is_question(checker: Expressions, node: t.Expr) -> bool:
    if not isinstance(node, t.Ref) or node.name in checker.scope.names:
        return False
    checker.context.use("define", node.name)
    return node.name in checker.context.program.questions


def value_type(place: Place) -> Type:
    """The type of what a place holds."""
    if isinstance(place.type, Table) and place.key is not None:
        return place.type.value
    return place.type


def zone_of(checker: Expressions, node: t.Expr, what: str) -> Place | None:
    """The zone that is named, or None (reported)."""
    place = place_of(checker, node, what)
    if place is None or place.type == BAD:
        return None
    if place.key is not None or not (isinstance(place.type, Many) and place.type.form in ZONES):
        checker.context.report(
            "T305",
            "cards lie in a set, a row or a pile, and this is none",
            node.span,
            help="Declare the field as `set of …`, `row of …` or `pile of …`.",
        )
        return None
    return place


def target_of(checker: Expressions, node: t.Expr, item: Type | None) -> tuple[Place, str] | None:
    """A zone to move to, and the end: ``right(t.path)``; None if it was reported."""
    inner, end = bare(node), ""
    asked = inner.function if isinstance(inner, t.Ask) else None
    if isinstance(inner, t.Ask) and isinstance(asked, t.Ref) and asked.name in ENDS:
        if len(inner.arguments) != 1:
            checker.context.report("T302", f"`{asked.name}` names one zone", inner.span)
            return None
        end, inner = asked.name, inner.arguments[0]
    place = zone_of(checker, inner, "moved to")
    if place is None:
        return None
    assert isinstance(place.type, Many)
    form = place.type.form
    if end and ENDS[end] != form:
        checker.context.report("T305", f"a {form} has no {end}", node.span, help=_ENDS_OF.get(form))
        return None
    if form == "row" and not end:
        message = "a row has two ends; which one is meant?"
        checker.context.report("T305", message, node.span, help=_ENDS_OF[form])
        return None
    if item is not None and not fits(item, place.type.item):
        message = f"{article(str(item))} cannot lie in a {place.type}"
        checker.context.report("T301", message, node.span)
        return None
    return place, end


_ENDS_OF = {
    "row": "Write `left(…)` or `right(…)`.",
    "pile": "Write `top(…)` or `bottom(…)`, or the pile alone for a place nobody knows.",
}
