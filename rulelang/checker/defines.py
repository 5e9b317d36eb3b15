"""Questions that the game defines: each is checked after those that it asks."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from rulelang.checker import boards, ways
from rulelang.checker.comprehensions import EACH
from rulelang.checker.context import Context
from rulelang.checker.expressions import Expressions
from rulelang.checker.questions import BUILTINS, CLAIMS
from rulelang.checker.sayings import saying
from rulelang.checker.scope import Scope
from rulelang.checker.typing import resolve
from rulelang.program import expressions as x
from rulelang.program import program as p
from rulelang.program.types import BAD, Type, either
from rulelang.syntax import tree as t

BUILT_IN = frozenset((*BUILTINS, *CLAIMS, *EACH, *boards.QUESTIONS))


def defines(context: Context, nodes: list[t.Define | t.Routes]) -> None:
    """Questions, each after those that it asks; their types are inferred."""
    for node in nodes:
        if node.name.text in BUILT_IN:
            message = f"`{node.name.text}` is a built-in question"
            context.report("N203", message, node.name.span, help="Choose another name.")
            context.broken.add(node.name.text)
        elif context.declare(node.name, "a question"):
            context.define_nodes[node.name.text] = node
    asked = {
        name: {n.name for n in t.walk(node) if isinstance(n, t.Ref)} & context.define_nodes.keys()
        for name, node in context.define_nodes.items()
    }
    for name in _in_order(context, asked):
        node = context.define_nodes[name]
        if isinstance(node, t.Routes):
            ways.routes(context, node)
        else:
            _define(context, node)


def _in_order(context: Context, asked: dict[str, set[str]]) -> list[str]:
    while True:
        graph = {name: sorted(others) for name, others in asked.items()}
        try:
            return list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            cycle: list[str] = error.args[1]
            _asks_itself(context, cycle)
            for name in cycle:
                asked[name] = set()


def _asks_itself(context: Context, cycle: list[str]) -> None:
    """Report a circle of questions once; all of them fit everywhere from now on."""
    names = list(dict.fromkeys(reversed(cycle)))
    start = min(names, key=lambda name: context.define_nodes[name].name.span)
    at = names.index(start)
    listed = [*names[at:], *names[:at], start]
    context.report(
        "R404",
        "this question asks itself: " + " asks ".join(f"`{name}`" for name in listed),
        context.define_nodes[start].name.span,
        help="A question must come to an end; count on with a rule and a loop instead.",
    )
    context.broken.update(names)


def _define(context: Context, node: t.Define) -> None:
    scope = Scope(context)
    parameters = [*node.params, *([node.subject] if node.subject is not None else [])]
    types = []
    for parameter in parameters:
        kind = resolve(context, parameter.type)
        types.append(kind)
        scope.bind(parameter.name, kind)
    wanted = resolve(context, node.gives) if node.gives is not None else None
    name = node.name.text
    names = tuple(parameter.name.text for parameter in parameters)
    said = saying(context, node.text, node.params, types, node.subject)
    cites = context.cite(node.cites, "define", name)
    branches: list[tuple[x.Expr | None, x.Expr]] = []
    if name in context.broken:
        wanted = BAD
        _register(context, node, names, types, wanted)
    for branch in node.branches:
        cites += context.cite(branch.cites, "define", name)
        branches.append(_branch(context, scope, branch, wanted))
    if node.branches[-1].condition is not None:
        context.report(
            "T306",
            f"`{name}` has no answer when none of its conditions holds",
            node.name.span,
            help="Add `else:`.",
        )
    result = wanted if wanted is not None else either(*(value.type for _, value in branches))
    context.program.questions[name] = p.Question(
        name, names, tuple(types), result, tuple(branches), scope.slots, node.name.span, cites, said
    )


def _register(
    context: Context, node: t.Define, names: tuple[str, ...], types: list[Type], result: Type
) -> None:
    name = node.name.text
    context.program.questions[name] = p.Question(
        name, names, tuple(types), result, (), 0, node.name.span
    )


def _branch(
    context: Context, scope: Scope, branch: t.Branch, wanted: Type | None
) -> tuple[x.Expr | None, x.Expr]:
    checker = Expressions(context, scope)
    with scope.block():
        condition = None
        if branch.condition is not None:
            condition = checker.condition(branch.condition)
            scope.learn(branch.condition)
        if wanted is not None:
            value = checker.check(branch.value, wanted)
        else:
            value = checker.value(branch.value)
    if branch.condition is not None:
        scope.learn(branch.condition, False)
    return condition, value
