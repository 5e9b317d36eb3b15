"""What generated code refers to by name, made by a recipe.

A recipe is a tuple: a word, and plain values. So an object that cannot be written to a file, such
as a function of the interpreter, is made again in the next process that plays the same game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.engine.compiler import runtime, support
from rulelang.engine.compiler.acts import table
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.moving import finder, origin_marks

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module
    from rulelang.engine.compiler.pool import Recipe


def made(evaluators: Evaluators, recipe: Recipe) -> Any:
    """What expressions refer to."""
    match recipe:
        case ("value", value):
            return value
        case ("set", values):
            return frozenset(values)
        case ("graph", edges, *part):
            graph = evaluators.graph(edges)
            return getattr(graph, part[0]) if part else graph
        case ("borrowed", name, count, exactly):
            return support.borrowed(name, count, exactly=exactly)
        case ("at_cost", name, count, exactly):
            return support.at_cost(name, count, exactly=exactly)
        case ("direct", name):
            return support.DIRECT[name]
        case ("effects" | "mentions" as name,):
            return getattr(evaluators.contents, name)
        case ("found",):
            from rulelang.engine.compiler.ways import Found

            return Found
    raise LookupError(recipe)


def made_for(module: Module, recipe: Recipe) -> Any:
    """What rules refer to."""
    match recipe:
        case ("operation", rule, node):
            return module.ready[rule].operations[node]
        case ("guarded", rule, node):
            ready = module.ready[rule]
            return runtime.guarded(ready.operations[node], ready.code, node)
        case ("finder", kind):
            return finder(module.making, kind)
        case ("remember", target, end):
            return origin_marks(module.making, target, end)
        case ("acts", subject):
            return table(module, subject)
    return made(module.evaluators, recipe)
