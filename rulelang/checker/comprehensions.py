"""Questions over many: ``count(x in S where c)`` and its kin, and binders as such."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.checker.typing import item_of
from rulelang.checker.wording import describe
from rulelang.program import expressions as x
from rulelang.program.types import ANY_NUM, BAD, FLAG, Many, Num, Type, either
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.checker.expressions import Expressions

EACH = ("count", "list", "sum", "some", "every", "join", "best")


def bind(checker: Expressions, binder: t.Binder) -> tuple[int, x.Expr, x.Expr | None, Type]:
    """Check ``x in S where c`` and bind x: slot, source, condition, and the type of x."""
    source = checker.infer(binder.source)
    if isinstance(source.type, Many):
        checker.readable(source)
    elif source.type != BAD:
        message = f"{describe(source.type)} has nothing to go through; a collection is needed"
        checker.context.report("T301", message, binder.source.span)
    item = item_of(source.type)
    slot = checker.scope.bind(binder.name, item)
    condition = None
    if binder.condition is not None:
        condition = checker.condition(binder.condition)
        checker.scope.learn(binder.condition)
    return slot, source, condition, item


def each(checker: Expressions, node: t.Ask, binder: t.Binder, name: str) -> x.Expr:
    """A question over many."""
    if name not in EACH:
        checker.context.report_unknown(name, node.function.span, "question over many", EACH)
        return checker.bad(node.span)
    with checker.scope.block():
        slot, source, condition, item = bind(checker, binder)
        value = _value(checker, node, name)
        orders = tuple(
            (order.most, checker.check(order.value, either(ANY_NUM, FLAG))) for order in node.orders
        )
    if not _is_whole(checker, node, binder, name):
        return checker.bad(node.span)
    kind = _type_of(checker, name, item, value)
    return x.Each(kind, node.span, name, slot, source, condition, value, orders)


def _value(checker: Expressions, node: t.Ask, name: str) -> x.Expr | None:
    """What stands behind the colon."""
    if node.value is None:
        return None
    if name in ("some", "every", "count"):
        return checker.condition(node.value)
    if name == "sum":
        return checker.check(node.value, ANY_NUM)
    if name == "join":
        return checker.infer(node.value)
    return checker.value(node.value)


def _is_whole(checker: Expressions, node: t.Ask, binder: t.Binder, name: str) -> bool:
    """Does the question have the parts that it needs? Reports what is missing."""
    message, help = None, None
    if name == "best" and not node.orders:
        message, help = "`best` of what?", "Write `best(x in … by most …)`, or `by least …`."
    elif node.orders and name != "best":
        message = "only `best` takes `by`"
    elif node.value is None and name in ("sum", "join"):
        message, help = f"`{name}` needs a value", f"Write `{name}(x in …: value)`."
    elif node.value is None and name == "every":
        message, help = "`every` says nothing without a claim", "Write `every(x in …: claim)`."
    elif node.value is None and name == "some" and binder.condition is None:
        message = "`some` needs a condition: `some(x in … where …)`"
        help = "To ask whether there is any, write `… is not empty`."
    elif node.value is not None and name == "count" and binder.condition is not None:
        message, help = "`count` takes one condition", "Join the two with `and`."
    if message is None:
        return True
    checker.context.report("T302", message, node.span, help=help)
    return False


def _type_of(checker: Expressions, name: str, item: Type, value: x.Expr | None) -> Type:
    match name:
        case "count":
            return Num(0, None)
        case "some" | "every":
            return FLAG
        case "sum":
            assert value is not None
            low = value.type.low if isinstance(value.type, Num) else None
            return Num(0, None) if low is not None and low >= 0 else ANY_NUM
        case "join":
            assert value is not None
            if not isinstance(value.type, Many):
                if value.type != BAD:
                    message = "`join` needs a collection for each"
                    checker.context.report("T301", message, value.span)
                return BAD
            checker.readable(value)
            return Many("list", value.type.item)
    return Many("list", item if name == "best" or value is None else value.type)
