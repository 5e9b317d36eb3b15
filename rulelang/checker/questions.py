"""Questions: the game's own, the built-in ones, and those that only a scenario's claims may ask."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rulelang.checker import boards
from rulelang.checker.comprehensions import EACH, each
from rulelang.checker.typing import has_order, item_of
from rulelang.checker.wording import counted, describe, source
from rulelang.program import expressions as x
from rulelang.program.program import Question
from rulelang.program.types import (
    ANY_NUM,
    BAD,
    EFFECT,
    FLAG,
    NONE,
    NOTHING,
    SCRIPT,
    TEXT,
    Many,
    Named,
    Num,
    Type,
    either,
    fits,
)
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.checker.expressions import Expressions


def ask(checker: Expressions, node: t.Ask) -> x.Expr:
    """A checked question."""
    context = checker.context
    if not isinstance(node.function, t.Ref):
        context.report("T308", "only a name can be asked", node.function.span)
        return checker.bad(node.span)
    name = node.function.name
    if node.binder is not None:
        return each(checker, node, node.binder, name)
    question = context.program.questions.get(name)
    if question is not None:
        return ask_define(checker, question, node.arguments, node)
    if name in boards.QUESTIONS:
        return boards.ask(checker, node, name)
    if name in BUILTINS:
        return _builtin(checker, node, BUILTINS[name])
    if name in CLAIMS and checker.claims:
        return _claim(checker, node, CLAIMS[name])
    _unknown(checker, node.function)
    for argument in node.arguments:
        checker.infer(argument)
    return checker.bad(node.span)


def _unknown(checker: Expressions, function: t.Ref) -> None:
    context, name = checker.context, function.name
    if name in context.program.signatures:
        context.report(
            "T308",
            f"`{name}` is a rule, and a rule cannot be asked",
            function.span,
            help=f"Perform it on a line of its own, `{name} …`, or take its result: "
            f"`let x from {name} …`.",
        )
    elif name in CLAIMS:
        context.report(
            "N201",
            f"rules have no question `{name}`: it is asked by the claims of a scenario",
            function.span,
            help="In rules, `ended(…)` asks whether an ending has come.",
        )
    elif name in EACH:
        context.report(
            "T302",
            f"`{name}` needs something to go through",
            function.span,
            help=f"Write `{name}(x in … where …)`.",
        )
    else:
        candidates = [*context.program.questions, *BUILTINS, *boards.QUESTIONS, *EACH]
        context.report_unknown(name, function.span, "question", candidates)


def ask_define(
    checker: Expressions, question: Question, arguments: tuple[t.Expr, ...], node: t.Expr
) -> x.Expr:
    """A question that the game defines."""
    checker.context.use("define", question.name)
    if len(arguments) != len(question.types):
        wanted = counted(len(question.types), "argument")
        _wrong_count(checker, question.name, wanted, len(arguments), node, question.parameters)
        return x.Const(question.type, node.span, None)
    checked = tuple(
        checker.check(argument, kind)
        for argument, kind in zip(arguments, question.types, strict=True)
    )
    return x.AskDefine(question.type, node.span, question.name, checked)


def _wrong_count(
    checker: Expressions,
    name: str,
    wanted: str,
    given: int,
    node: t.Expr,
    parameters: tuple[str, ...] = (),
) -> None:
    are = "is" if given == 1 else "are"
    help = f"Its arguments are: {', '.join(parameters)}." if parameters else None
    message = f"`{name}` takes {wanted}, and {given} {are} given"
    checker.context.report("T302", message, node.span, help=help)


# ---------------------------------------------------------------- built-in questions


@frozen
class Builtin:
    """A built-in question: what its arguments must be, and the type of its answer."""

    name: str
    parameters: tuple[Type | str, ...]
    """A type, or "many" for any collection, "zone" likewise but unread, "item" for one of its
    items, "entry" for an entry of a kind that is numbered, "field" for a field of the state,
    "script" for what an entry does, "named" for any entry or name."""
    result: Callable[[list[Type]], Type]


def _item(kinds: list[Type]) -> Type:
    return next((item_of(kind) for kind in kinds if isinstance(kind, Many)), BAD)


def _many(kinds: list[Type]) -> Type:
    return Many("list", _item(kinds))


def _extreme(kinds: list[Type]) -> Type:
    joined = either(*kinds)
    return joined if isinstance(joined, Num) else ANY_NUM


def _flag(kinds: list[Type]) -> Type:
    return FLAG


COUNT = Num(0, None)

BUILTINS: dict[str, Builtin] = {
    builtin.name: builtin
    for builtin in (
        Builtin("size", ("zone",), lambda kinds: COUNT),
        Builtin("first", ("many",), _item),
        Builtin("last", ("many",), _item),
        Builtin("take", (COUNT, "many"), _many),
        Builtin("drop", (COUNT, "many"), _many),
        Builtin("earlier", ("item", "many"), _many),
        Builtin("next", ("many", "item"), _item),
        Builtin("ring", ("many", "item"), _many),
        Builtin("numbers", (ANY_NUM, ANY_NUM), lambda kinds: Many("list", ANY_NUM)),
        Builtin("min", (ANY_NUM, ANY_NUM), _extreme),
        Builtin("max", (ANY_NUM, ANY_NUM), _extreme),
        Builtin("sorted", ("many",), _many),
        Builtin("reversed", ("many",), _many),
        Builtin("distinct", ("many",), _many),
        Builtin("contains", (TEXT, TEXT), _flag),
        Builtin("in_base", ("entry",), _flag),
        Builtin("ended", (Named("Ending"),), _flag),
        Builtin("effects", ("script",), lambda kinds: Many("list", EFFECT)),
        Builtin("mentions", ("script", "named"), _flag),
        Builtin("ends_of", ("many",), lambda kinds: Many("list", item_of(_item(kinds)))),
        Builtin("forward", ("item", COUNT, "many"), lambda kinds: either(_item(kinds), NONE)),
        Builtin("subsets", ("many", COUNT, COUNT), lambda kinds: Many("list", _many(kinds))),
    )
}

CLAIMS: dict[str, Builtin] = {
    builtin.name: builtin
    for builtin in (
        Builtin("wins", (Named("Player"),), _flag),
        Builtin("loses", (Named("Player"),), _flag),
        Builtin("score", (Named("Player"),), lambda kinds: ANY_NUM),
        Builtin("sees", (Named("Player"), "field"), _flag),
    )
}
"""Questions for what a scenario claims (``then``): the verdict, the score, what a seat sees."""


def _builtin(checker: Expressions, node: t.Ask, builtin: Builtin) -> x.Expr:
    if len(node.arguments) != len(builtin.parameters):
        wanted = counted(len(builtin.parameters), "argument")
        _wrong_count(checker, builtin.name, wanted, len(node.arguments), node)
        for argument in node.arguments:
            checker.infer(argument)
        return checker.bad(node.span)
    checked: dict[int, x.Expr] = {}
    collection: Type = BAD
    for place, parameter in enumerate(builtin.parameters):  # first: items depend on it
        if parameter in ("many", "zone"):
            read = parameter == "many"
            checked[place] = _collection(checker, node.arguments[place], builtin, read=read)
            collection = checked[place].type
    for place, parameter in enumerate(builtin.parameters):
        if parameter == "item":
            checked[place] = checker.check(node.arguments[place], item_of(collection))
        elif parameter == "script":
            checked[place] = _script(checker, node.arguments[place], builtin)
        elif parameter == "named":
            checked[place] = _named(checker, node.arguments[place], builtin)
        elif parameter == "entry":
            checked[place] = _numbered(checker, node.arguments[place], builtin)
        elif not isinstance(parameter, str):
            checked[place] = checker.check(node.arguments[place], parameter)
    arguments = tuple(checked[place] for place in range(len(builtin.parameters)))
    _guard(checker, node, builtin, arguments)
    result = builtin.result([argument.type for argument in arguments])
    return x.Op(result, node.span, builtin.name, arguments)


def _collection(checker: Expressions, node: t.Expr, builtin: Builtin, *, read: bool) -> x.Expr:
    value = checker.infer(node)
    if not isinstance(value.type, Many):
        if value.type != BAD:
            message = f"`{builtin.name}` needs a collection, and this is {describe(value.type)}"
            checker.context.report("T301", message, node.span)
        return evolve(value, type=Many("list", BAD))
    if read:
        checker.readable(value)
    if builtin.name == "ends_of" and not _holds_lists(value.type.item):
        message = f"`ends_of` is asked of ways, which are lists, not of {describe(value.type)}"
        checker.context.report("T301", message, node.span)
        return evolve(value, type=Many("list", BAD))
    if builtin.name == "sorted" and not has_order(value.type.item):
        message = f"{describe(value.type)} cannot be sorted: its items have no common order"
        checker.context.report("T301", message, node.span)
    return value


def _holds_lists(kind: Type) -> bool:
    return kind in (BAD, NOTHING) or isinstance(kind, Many)


def _script(checker: Expressions, node: t.Expr, builtin: Builtin) -> x.Expr:
    """What an entry does: a script, or instructions."""
    value = checker.value(node)
    if not fits(value.type, either(SCRIPT, EFFECT, Many("list", EFFECT))):
        message = f"`{builtin.name}` is asked of what an entry does, not of {describe(value.type)}"
        checker.context.report("T301", message, node.span)
        return checker.bad(node.span)
    return value


def _named(checker: Expressions, node: t.Expr, builtin: Builtin) -> x.Expr:
    value = checker.value(node)
    if value.type != BAD and not isinstance(value.type, Named):
        message = f"`{builtin.name}` looks for an entry or a name, not for {describe(value.type)}"
        checker.context.report("T301", message, node.span)
        return checker.bad(node.span)
    return value


def _numbered(checker: Expressions, node: t.Expr, builtin: Builtin) -> x.Expr:
    """An entry of a kind that says which numbers it has."""
    value = checker.value(node)
    kind = None
    if isinstance(value.type, Named):
        kind = checker.context.program.kinds.get(value.type.domain)
    if value.type != BAD and (kind is None or kind.base is None):
        checker.context.report(
            "T301",
            f"`{builtin.name}` is asked of an entry whose kind says which numbers it has",
            node.span,
            help="Write the numbers into the kind: `kind Parcel by number, base 1 to 20`.",
        )
        return checker.bad(node.span)
    return value


def _guard(
    checker: Expressions, node: t.Ask, builtin: Builtin, arguments: tuple[x.Expr, ...]
) -> None:
    """Warn of the first of something that may be empty."""
    if builtin.name not in ("first", "last") or checker.referee:
        return
    if checker.nonempty(node.arguments[0], arguments[0]) or checker.is_hidden(arguments[0]):
        return
    what = source(node.arguments[0])
    checker.context.report(
        "R402",
        f"`{builtin.name}` of something that may be empty",
        node.span,
        help="Make sure that it has an item."
        if what == "it"
        else f"Ask first: `if {what} is not empty`.",
    )


# ---------------------------------------------------------------- questions of claims


def _claim(checker: Expressions, node: t.Ask, builtin: Builtin) -> x.Expr:
    if len(node.arguments) != len(builtin.parameters):
        wanted = counted(len(builtin.parameters), "argument")
        _wrong_count(checker, builtin.name, wanted, len(node.arguments), node)
        return checker.bad(node.span)
    arguments = []
    for argument, parameter in zip(node.arguments, builtin.parameters, strict=True):
        if not isinstance(parameter, str):
            arguments.append(checker.check(argument, parameter))
            continue
        value = checker.infer(argument)
        if not isinstance(value, x.Read) or value.field not in checker.context.program.state:
            if value.type != BAD:
                message = f"`{builtin.name}` needs a field of the state"
                help = "Write for instance `deck`, or `players[1].hand`."
                checker.context.report("T301", message, argument.span, help=help)
            return checker.bad(node.span)
        arguments.append(value)
    return x.Op(builtin.result([]), node.span, builtin.name, tuple(arguments))
