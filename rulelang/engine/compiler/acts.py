"""What carries out effects and scripts: tables of functions, by the identity of each."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulelang.engine.compiler import runtime
from rulelang.engine.compiler.support import Acts
from rulelang.engine.compiler.versions import Given, of_effect
from rulelang.program import expressions as x
from rulelang.program.types import BAD
from rulelang.program.values import Value

if TYPE_CHECKING:
    from rulelang.engine.compiler.module import Module


def act_key(subject: x.Expr | None) -> tuple[bool, int | None]:
    """What tables are told apart by."""
    return subject is None, id(subject.value) if isinstance(subject, x.Const) else None


def table(module: Module, subject: x.Expr | None) -> Acts:
    """The functions that carry out effects and scripts, by identity.

    Those of rules with a subject are given it, unless it is known.
    """
    made = Acts()
    for value in module.facts.effects:
        function = _act(module, value, subject, made)
        if function is not None:
            made[id(value)] = function
    return made


def _act(
    module: Module, value: Value, subject: x.Expr | None, table: Acts
) -> Callable[..., Any] | None:
    """What carries out one effect; None where that cannot be done."""
    rule, arguments = of_effect(value)
    code = module.linked.codes.get(rule)
    if code is None:
        return None
    lacks = len(code.parameters) > len(arguments)
    if lacks and subject is None:
        return None

    def first(m: Any, s: Any, *others: Any) -> Any:
        given: Given = {
            slot: x.Const(BAD, code.span, argument) for slot, argument in enumerate(arguments)
        }
        if lacks and isinstance(subject, x.Const):
            given[len(arguments)] = subject
        version = module.special(rule, given)
        run = module.compiled(version)
        late = [given[slot].value for slot in version.parameters if slot in given]
        known = subject is None or isinstance(subject, x.Const)
        if not late and (lacks or known):
            table[id(value)] = run
        else:
            framed = module.takes_frame(rule)
            table[id(value)] = runtime.bound(run, tuple(late), lacks and not known, framed=framed)
        table.done.add(id(value))
        return table[id(value)](m, s, *others)

    return first
