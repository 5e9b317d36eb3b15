"""Questions: the game's own, the built-in ones, and comprehensions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rulelang.program import expressions as x
from rulelang.program.program import Question
from rulelang.program.types import (
    ANY_NUM, BAD, FLAG, NOTHING, TEXT, Many, Named, Num, Type, either, fits,
)  # fmt: skip
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.check.expressions import Expressions

EACH = ("count", "list", "sum", "some", "every", "join", "best")


def ask(checker: Expressions, node: t.Ask, expected: Type | None) -> x.Expr:
    """A checked question."""
    if not isinstance(node.function, t.Ref):
        checker.context.report("T308", "only a name can be asked", node.function.span)
        return x.Const(BAD, node.span, None)
    name = node.function.name
    if node.binder is not None:
        return _each(checker, node, name, expected)
    question = checker.context.program.questions.get(name)
    if question is not None:
        return ask_define(checker, question, node.arguments, node)
    if name in BUILTINS:
        return _builtin(checker, node, BUILTINS[name], expected)
    if name in CLAIMS and checker.claims:
        return _claim(checker, node, CLAIMS[name])
    if name in checker.context.program.signatures:
        checker.context.report(
            "T308", f"`{name}` is a rule, and a rule cannot be asked", node.function.span,
            help=f"Perform it on a line of its own: `{name} …`, or take its result with `let x from {name} …`.",
        )  # fmt: skip
    else:
        candidates = [*checker.context.program.questions, *BUILTINS, *EACH]
        checker.context.report_unknown(name, node.function.span, "question", candidates)
    for argument in node.arguments:
        checker.infer(argument)
    return x.Const(BAD, node.span, None)


def ask_define(
    checker: Expressions, question: Question, arguments: tuple[t.Expr, ...], node: t.Expr
) -> x.Expr:
    """A question that the game defines."""
    checker.context.use("define", question.name)
    if len(arguments) != len(question.types):
        wanted = ", ".join(question.parameters) or "none"
        checker.context.report(
            "T302",
            f"`{question.name}` takes {_count(len(question.types), 'argument')}, and {len(arguments)} are given",
            node.span,
            help=f"Its arguments are: {wanted}.",
        )
        return x.Const(question.type, node.span, None)
    checked = tuple(
        checker.check(argument, kind) for argument, kind in zip(arguments, question.types, strict=True)
    )
    return x.AskDefine(question.type, node.span, question.name, checked)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


# ---------------------------------------------------------------- comprehensions


def _each(checker: Expressions, node: t.Ask, name: str, expected: Type | None) -> x.Expr:
    assert node.binder is not None
    if name not in EACH:
        checker.context.report_unknown(name, node.function.span, "question over many", EACH)
        return x.Const(BAD, node.span, None)
    with checker.scope.block():
        slot, source, condition, item = bind(checker, node.binder)
        wanted = expected.item if isinstance(expected, Many) and name in ("list", "best") else None
        value = None
        if name in ("some", "every"):
            value = checker.condition(node.value) if node.value is not None else None
        elif name == "sum":
            value = checker.check(node.value, ANY_NUM) if node.value is not None else None
        elif node.value is not None:
            value = checker.infer(node.value, wanted)
        orders = tuple((order.most, checker.check(order.value, either(ANY_NUM, FLAG))) for order in node.orders)
    _shape(checker, node, name, value, orders)
    return x.Each(_type_of(checker, node, name, item, value), node.span, name, slot, source, condition, value, orders)


def bind(checker: Expressions, binder: t.Binder) -> tuple[int, x.Expr, x.Expr | None, Type]:
    """Check ``x in S where c`` and bind x: its slot, the source, the condition, the type of x."""
    source = checker.infer(binder.source)
    item: Type = BAD
    if isinstance(source.type, Many):
        item = source.type.item if source.type.item != NOTHING else BAD
        checker.readable(source)
    elif source.type != BAD:
        from rulelang.check.expressions import describe

        checker.context.report(
            "T301", f"{describe(source.type)} has nothing to go through; a collection is needed", binder.source.span
        )
    slot = checker.scope.bind(binder.name, item)
    condition = None
    if binder.condition is not None:
        condition = checker.condition(binder.condition)
        checker.scope.learn(binder.condition)
    return slot, source, condition, item


def _shape(
    checker: Expressions, node: t.Ask, name: str, value: x.Expr | None, orders: tuple[tuple[bool, x.Expr], ...]
) -> None:
    """Does this comprehension have the parts that it needs?"""
    assert node.binder is not None
    if (name == "best") != bool(orders):
        message = "`best` needs `by most …` or `by least …`" if name == "best" else "only `best` takes `by`"
        checker.context.report("T302", message, node.span)
    if name in ("sum", "join") and value is None:
        checker.context.report("T302", f"`{name}` needs a value: `{name}(x in …: value)`", node.span)
    if name == "every" and value is None:
        checker.context.report(
            "T302", "`every` says nothing without a claim: `every(x in …: claim)`", node.span
        )
    if name == "some" and value is None and node.binder.condition is None:
        checker.context.report(
            "T302", "`some` needs a condition: `some(x in … where …)`", node.span,
            help="To ask whether there is any, write `… is not empty`.",
        )  # fmt: skip


def _type_of(checker: Expressions, node: t.Ask, name: str, item: Type, value: x.Expr | None) -> Type:
    if name == "count":
        return Num(0, None)
    if name == "sum":
        positive = value is not None and isinstance(value.type, Num) and (value.type.low or -1) >= 0
        return Num(0, None) if positive or (value and value.type == Num(0, None)) else ANY_NUM
    if name in ("some", "every"):
        return FLAG
    if name == "join":
        if value is not None and not isinstance(value.type, Many) and value.type != BAD:
            checker.context.report("T301", "`join` needs a collection for each", value.span)
        return Many("list", value.type.item if value is not None and isinstance(value.type, Many) else BAD)
    if name == "best" or value is None:
        return Many("list", item)
    return Many("list", value.type)


# ---------------------------------------------------------------- built-in questions


@frozen
class Builtin:
    """A built-in question: what its arguments must be, and the type of its answer."""

    name: str
    parameters: tuple[Type | str, ...]
    """A type, or "many" for any collection, "zone" likewise but unread, "item" for one of its items,
    "entry" for an entry of a kind that is numbered."""
    result: Callable[[list[Type]], Type]


def _item(kinds: list[Type]) -> Type:
    kind = next((k for k in kinds if isinstance(k, Many)), None)
    return kind.item if kind is not None and kind.item != NOTHING else BAD


def _many(kinds: list[Type]) -> Type:
    return Many("list", _item(kinds))


def _extreme(kinds: list[Type]) -> Type:
    joined = either(*kinds)
    return joined if isinstance(joined, Num) else ANY_NUM


BUILTINS: dict[str, Builtin] = {
    builtin.name: builtin
    for builtin in (
        Builtin("size", ("zone",), lambda kinds: Num(0, None)),
        Builtin("first", ("many",), _item),
        Builtin("last", ("many",), _item),
        Builtin("take", (Num(0, None), "many"), _many),
        Builtin("drop", (Num(0, None), "many"), _many),
        Builtin("earlier", ("item", "many"), _many),
        Builtin("next", ("many", "item"), _item),
        Builtin("ring", ("many", "item"), _many),
        Builtin("numbers", (ANY_NUM, ANY_NUM), lambda kinds: Many("list", ANY_NUM)),
        Builtin("min", (ANY_NUM, ANY_NUM), _extreme),
        Builtin("max", (ANY_NUM, ANY_NUM), _extreme),
        Builtin("sorted", ("many",), _many),
        Builtin("reversed", ("many",), _many),
        Builtin("distinct", ("many",), _many),
        Builtin("contains", (TEXT, TEXT), lambda kinds: FLAG),
        Builtin("in_base", ("entry",), lambda kinds: FLAG),
        Builtin("ended", (Named("Ending"),), lambda kinds: FLAG),
        Builtin("subsets", ("many", Num(0, None), Num(0, None)), lambda kinds: Many("list", _many(kinds))),
    )
}


CLAIMS: dict[str, Builtin] = {
    builtin.name: builtin
    for builtin in (
        Builtin("wins", (Named("Player"),), lambda kinds: FLAG),
        Builtin("loses", (Named("Player"),), lambda kinds: FLAG),
        Builtin("score", (Named("Player"),), lambda kinds: ANY_NUM),
        Builtin("sees", (Named("Player"), "field"), lambda kinds: FLAG),
    )
}
"""Questions for what a scenario claims (``then``): the verdict, the score, what a seat sees."""


def _claim(checker: Expressions, node: t.Ask, builtin: Builtin) -> x.Expr:
    if len(node.arguments) != len(builtin.parameters):
        wanted = _count(len(builtin.parameters), "argument")
        message = f"`{builtin.name}` takes {wanted}, and {len(node.arguments)} are given"
        checker.context.report("T302", message, node.span)
        return x.Const(BAD, node.span, None)
    arguments: list[x.Expr] = []
    for argument, parameter in zip(node.arguments, builtin.parameters, strict=True):
        if isinstance(parameter, str):
            value = checker.infer(argument)
            if not isinstance(value, x.Read) or value.field not in checker.context.program.state:
                message = f"`{builtin.name}` needs a field of the state, as `deck` or `players[1].hand`"
                checker.context.report("T301", message, argument.span)
                return x.Const(BAD, node.span, None)
            arguments.append(value)
        else:
            arguments.append(checker.check(argument, parameter))
    return x.Op(builtin.result([]), node.span, builtin.name, tuple(arguments))


def _builtin(checker: Expressions, node: t.Ask, builtin: Builtin, expected: Type | None) -> x.Expr:
    if len(node.arguments) != len(builtin.parameters):
        checker.context.report(
            "T302",
            f"`{builtin.name}` takes {_count(len(builtin.parameters), 'argument')}, and "
            f"{len(node.arguments)} are given",
            node.span,
        )
        return x.Const(BAD, node.span, None)
    collection: Type = BAD
    checked: dict[int, x.Expr] = {}
    for place, parameter in enumerate(builtin.parameters):  # collections first: items depend on them
        if parameter in ("many", "zone"):
            value = _collection(checker, node.arguments[place], builtin, expected, read=parameter == "many")
            checked[place], collection = value, value.type
    for place, parameter in enumerate(builtin.parameters):
        if parameter == "item":
            checked[place] = checker.check(node.arguments[place], _item([collection]))
        elif parameter == "entry":
            checked[place] = _numbered(checker, node.arguments[place], builtin)
        elif not isinstance(parameter, str):
            checked[place] = checker.check(node.arguments[place], parameter)
    arguments = tuple(checked[place] for place in range(len(builtin.parameters)))
    result = builtin.result([argument.type for argument in arguments])
    expr = x.Op(result, node.span, builtin.name, arguments)
    _guard(checker, node, builtin, arguments)
    return expr


def _numbered(checker: Expressions, node: t.Expr, builtin: Builtin) -> x.Expr:
    """An entry of a kind that says which numbers it has."""
    value = checker.infer(node)
    kind = checker.context.program.kinds.get(value.type.domain) if isinstance(value.type, Named) else None
    if value.type != BAD and (kind is None or kind.base is None):
        checker.context.report(
            "T301", f"`{builtin.name}` is asked of an entry whose kind says which numbers it has", node.span,
            help="Write the numbers into the kind: `kind Card by number, base 1 to 56`.",
        )  # fmt: skip
        return x.Const(BAD, node.span, None)
    return value


def _collection(
    checker: Expressions, node: t.Expr, builtin: Builtin, expected: Type | None, *, read: bool
) -> x.Expr:
    wanted = expected if isinstance(expected, Many) else None
    value = checker.infer(node, wanted)
    if not isinstance(value.type, Many):
        if not fits(value.type, BAD):
            checker.context.report("T301", f"`{builtin.name}` needs a collection", node.span)
        return evolve(value, type=Many("list", BAD))
    if read:
        checker.readable(value)
    return value


def _guard(checker: Expressions, node: t.Ask, builtin: Builtin, arguments: tuple[x.Expr, ...]) -> None:
    if builtin.name not in ("first", "last") or checker.referee or checker.nonempty(node.arguments[0], arguments[0]):
        return
    from rulelang.check.expressions import source

    what = source(node.arguments[0])
    checker.context.report(
        "R402", f"`{builtin.name}` of something that may be empty", node.span,
        help=f"Ask first: `if {what} is not empty`." if what != "it" else "Make sure that it has an item.",
    )  # fmt: skip
