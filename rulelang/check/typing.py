"""Written types to types."""

from __future__ import annotations

from rulelang.check.context import Context
from rulelang.program.types import (
    ANY_NUM, BAD, EFFECT, FLAG, NONE, SCRIPT, TEXT, Many, Named, Num, Table, Type, either,
)  # fmt: skip
from rulelang.syntax import tree as t

SIMPLE: dict[str, Type] = {
    "flag": FLAG, "text": TEXT, "number": ANY_NUM, "effect": EFFECT, "script": SCRIPT,
}  # fmt: skip
FORMS = ("list", "set", "row", "pile")


def resolve(context: Context, node: t.TypeExpr) -> Type:
    """The type that is written; reports unknown names."""
    match node:
        case t.NamedType():
            return _named(context, node)
        case t.NoneType():
            return NONE
        case t.RangeType():
            if node.high is not None and node.high < node.low:
                context.report("T303", f"no number is {node.low} to {node.high}", node.span)
            return Num(node.low, node.high)
        case t.UnionType():
            return either(*(resolve(context, member) for member in node.members))
        case t.CollectionType():
            return _collection(context, node)


def _named(context: Context, node: t.NamedType) -> Type:
    if node.name in SIMPLE:
        return SIMPLE[node.name]
    if node.name in context.program.domains:
        context.use("type", node.name)
        return Named(node.name)
    known = [*context.program.domains, *SIMPLE]
    context.report_unknown(node.name, node.span, "type", known)
    return BAD


def _collection(context: Context, node: t.CollectionType) -> Type:
    form = node.collection.text
    item = resolve(context, node.item)
    if form == "map":
        if node.value is None or not isinstance(item, Named):
            context.report("T301", "a map is written `map of Key to Value`, the key with a fixed set of values", node.span)
            return BAD
        return Table(item, resolve(context, node.value))
    if form not in FORMS:
        context.report_unknown(form, node.collection.span, "collection", [*FORMS, "map"])
        return BAD
    if node.value is not None:
        context.report("T301", f"a {form} has items, not keys and values", node.span)
    if form in ("set", "row", "pile") and not isinstance(item, Named) and item != BAD:
        context.report(
            "T301", f"a {form} holds entries or names, not {item}", node.item.span,
            help="Use `list of` for plain values.",
        )  # fmt: skip
    return Many(form, item)
