"""Places: what can be assigned, and where cards lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.check.scope import bare
from rulelang.program import expressions as x
from rulelang.program.instructions import Place
from rulelang.program.types import BAD, ZONES, Many, Table, Type, fits
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.check.expressions import Expressions

ENDS = {"left": "row", "right": "row", "top": "pile", "bottom": "pile"}
FIXED = ("players", "mode")


def place_of(checker: Expressions, node: t.Expr, what: str) -> Place | None:
    """The state field that is named, or None (reported)."""
    expr = checker.infer(node)
    if expr.type == BAD:
        return None
    if isinstance(expr, x.MapItem) and isinstance(expr.map, x.Read):
        inner = expr.map
        return Place(inner.field, inner.owner, inner.owner_domain, inner.type, expr.key, expr.key_domain)
    if isinstance(expr, x.Read) and expr.field in checker.context.program.state:
        return Place(expr.field, expr.owner, expr.owner_domain, checker.context.program.state[expr.field].type)
    help = None
    if isinstance(expr, x.Read):
        help = f"`{expr.field}` is fixed when a game starts."
    elif isinstance(expr, x.FieldOf):
        help = "What stands on an entry never changes; keep what changes in the state."
    checker.context.report("T305", f"this cannot be {what}", node.span, help=help)
    return None


def value_type(place: Place) -> Type:
    """The type of what a place holds."""
    return place.type.value if isinstance(place.type, Table) and place.key is not None else place.type


def zone_of(checker: Expressions, node: t.Expr, what: str) -> Place | None:
    """The zone that is named, or None (reported)."""
    place = place_of(checker, node, what)
    if place is None:
        return None
    if not (isinstance(place.type, Many) and place.type.form in ZONES):
        checker.context.report(
            "T305", "cards lie in a set, a row or a pile, and this is none", node.span,
            help="Declare the field as `set of …`, `row of …` or `pile of …`.",
        )  # fmt: skip
        return None
    return place


def target_of(checker: Expressions, node: t.Expr, item: Type | None) -> tuple[Place, str] | None:
    """A zone to move to, and the end: ``right(t.path)``."""
    inner, end = bare(node), ""
    if isinstance(inner, t.Ask) and isinstance(inner.function, t.Ref) and inner.function.name in ENDS:
        if len(inner.arguments) != 1:
            checker.context.report("T302", f"`{inner.function.name}` names one zone", inner.span)
            return None
        end, inner = inner.function.name, inner.arguments[0]
    place = zone_of(checker, inner, "moved to")
    if place is None:
        return None
    assert isinstance(place.type, Many)
    form = place.type.form
    if end and ENDS[end] != form:
        checker.context.report(
            "T305", f"a {form} has no {end}", node.span,
            help={"row": "Write `left(…)` or `right(…)`.", "pile": "Write `top(…)` or `bottom(…)`."}.get(form),
        )  # fmt: skip
        return None
    if form == "row" and not end:
        checker.context.report(
            "T305", "a row has two ends; which one is meant?", node.span, help="Write `left(…)` or `right(…)`."
        )
        return None
    if item is not None and not fits(item, place.type.item):
        checker.context.report("T301", f"{item} cannot lie in a {place.type}", node.span)
        return None
    return place, end
