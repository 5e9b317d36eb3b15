"""Written types to types."""

from __future__ import annotations

from rulelang.checker.context import Context
from rulelang.program.types import (
    ANY_NUM,
    BAD,
    EFFECT,
    FLAG,
    NONE,
    NOTHING,
    SCRIPT,
    TEXT,
    Either,
    Many,
    Named,
    Num,
    Table,
    Type,
    either,
    members,
)
from rulelang.syntax import tree as t

SIMPLE: dict[str, Type] = {
    "flag": FLAG,
    "text": TEXT,
    "number": ANY_NUM,
    "effect": EFFECT,
    "script": SCRIPT,
}
FORMS = ("list", "set", "row", "pile")


def resolve(context: Context, node: t.TypeExpr) -> Type:
    """The type of a value, as it is written; reports unknown names."""
    match node:
        case t.NamedType():
            return _named(context, node)
        case t.NoneType():
            return NONE
        case t.RangeType():
            if node.high is not None and node.high < node.low:
                context.report("T303", f"no number is {node.low} to {node.high}", node.span)
                return ANY_NUM
            return Num(node.low, node.high)
        case t.UnionType():
            return either(*(resolve(context, member) for member in node.members))
        case t.CollectionType():
            if node.collection.text == "pile":
                context.report(
                    "T301",
                    "a pile is a place of the state, and no value",
                    node.span,
                    help="Write `list of …` for the cards in it.",
                )
                return BAD
            return _collection(context, node)


def resolve_place(context: Context, node: t.TypeExpr) -> Type:
    """The type of a field of the state, which may also be a pile."""
    if isinstance(node, t.CollectionType) and node.collection.text == "pile":
        return _collection(context, node)
    return resolve(context, node)


def declare_type(context: Context, name: t.Name, what: str) -> bool:
    """Enter the name of a type; report it if it is taken."""
    if name.text in SIMPLE:
        context.report(
            "N203",
            f"`{name.text}` is a type in every game",
            name.span,
            help="Choose another name.",
        )
        return False
    return context.declare(name, what)


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
        return _map(context, node, item)
    if form not in FORMS:
        context.report_unknown(form, node.collection.span, "collection", [*FORMS, "map"])
        return BAD
    if node.value is not None:
        context.report("T301", f"a {form} has items, not keys and values", node.span)
    if form != "list" and not isinstance(item, Named) and item != BAD:
        context.report(
            "T301",
            f"a {form} holds entries or names, not {item}",
            node.item.span,
            help="Use `list of …` for plain values.",
        )
        return Many("list", item)
    return Many(form, item)


def _map(context: Context, node: t.CollectionType, key: Type) -> Type:
    value = resolve(context, node.value) if node.value is not None else None
    if BAD in (key, value):
        return BAD
    if value is None or not isinstance(key, Named):
        context.report(
            "T301",
            "a map is written `map of Key to Value`, the key with a fixed set of values",
            node.span,
        )
        return BAD
    return Table(key, value)


# ---------------------------------------------------------------- what types allow


def item_of(kind: Type) -> Type:
    """The type of a collection's items; of an empty list's, one that fits everywhere."""
    if isinstance(kind, Many) and kind.item != NOTHING:
        return kind.item
    return BAD


def widened(kind: Type) -> Type:
    """The type of a variable that begins with such a value: numbers may grow."""
    match kind:
        case Num():
            return ANY_NUM
        case Many():
            return Many(kind.form, kind.item if kind.item == NOTHING else widened(kind.item))
        case Either():
            return either(*(widened(member) for member in kind.members))
    return kind


def has_order(kind: Type) -> bool:
    """Do values of this type have an order of their own, so that they can be sorted?"""
    kinds = members(kind)
    if BAD in kinds or not kinds or isinstance(kind, Many):
        return BAD in kinds or not kinds
    counted = all(isinstance(member, Named | Num) or member == FLAG for member in kinds)
    return counted or all(member == TEXT for member in kinds) or set(kinds) <= {EFFECT, SCRIPT}


def zero_of(kind: Type) -> object:
    """What an entry's field holds if nothing is said, or NO_ZERO."""
    if isinstance(kind, Many):
        return ()
    if NONE in members(kind):
        return None
    match members(kind)[0]:
        case Num() as number:
            return number.low if number.low is not None else min(0, number.high or 0)
        case first:
            return _ZEROS.get(first, NO_ZERO)


def absent_of(kind: Type) -> object:
    """What a map on an entry holds for a key that is not named: nothing, as 0, no, or none."""
    zero = zero_of(kind)
    is_number = isinstance(members(kind)[0], Num)
    return None if zero is NO_ZERO or (is_number and zero != 0) else zero


_ZEROS: dict[Type, object] = {FLAG: False, TEXT: ""}
NO_ZERO = object()
"""There is no value that could stand for nothing."""
