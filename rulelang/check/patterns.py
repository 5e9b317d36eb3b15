"""Patterns: what may stand behind `is` beyond a value to compare with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.check.scope import bare
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program.types import BAD, EFFECT, FLAG, Many, Named, members
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.check.expressions import Expressions


def pattern(checker: Expressions, value: x.Expr, node: t.Expr, span: Span) -> x.Expr | None:
    """The checked pattern, or None where ``node`` is a plain value."""
    node = bare(node)
    if isinstance(node, t.Ref):
        if node.name == "empty":
            return _empty(checker, value, span)
        kind = value.type
        if EFFECT in members(kind) and node.name in checker.context.program.signatures:
            return _effect(checker, value, node, (), span)
        if isinstance(kind, Named):
            schema = checker.context.program.kinds.get(kind.domain)
            if schema is not None and node.name in schema.variants:
                checker.context.use("variant", f"{schema.name}.{node.name}")
                return x.IsVariant(FLAG, span, value, node.name)
        if node.name in checker.context.program.domains and not isinstance(kind, Many):
            checker.context.use("type", node.name)
            return x.InDomain(FLAG, span, value, node.name)
    if isinstance(node, t.Ask) and isinstance(node.function, t.Ref) and EFFECT in members(value.type):
        if node.function.name in checker.context.program.signatures:
            return _effect(checker, value, node.function, node.arguments, span)
        checker.context.report_unknown(
            node.function.name, node.function.span, "rule", checker.context.program.signatures
        )
        return x.Const(BAD, span, None)
    return None


def _empty(checker: Expressions, value: x.Expr, span: Span) -> x.Expr:
    if not isinstance(value.type, Many) and value.type != BAD:
        checker.context.report("T301", "only a collection can be empty", value.span)
    return x.Op(FLAG, span, "empty", (value,))


def _effect(
    checker: Expressions, value: x.Expr, rule: t.Ref, arguments: tuple[t.Expr, ...], span: Span
) -> x.Expr:
    signature = checker.context.program.signatures[rule.name]
    checker.context.use("rule", rule.name)
    if len(arguments) > len(signature.parameters):
        checker.context.report(
            "T302",
            f"`{rule.name}` has {len(signature.parameters)} arguments, and {len(arguments)} are named",
            span,
        )
        return x.Const(BAD, span, None)
    checked: list[x.Expr | str | None] = []
    for node, (_, kind) in zip(arguments, signature.parameters, strict=False):
        if isinstance(node, t.Ref) and node.name in checker.context.program.domains:
            checker.context.use("type", node.name)
            checked.append(node.name)
        elif isinstance(node, t.Ref) and node.name == "any":
            checked.append(None)
        else:
            checked.append(checker.check(node, kind))
    return x.IsEffect(FLAG, span, value, rule.name, tuple(checked))
