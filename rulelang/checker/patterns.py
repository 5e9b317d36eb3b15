"""Patterns: what may stand behind `is` beyond a value to compare with."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from rulelang.checker.facts import bare
from rulelang.checker.wording import counted, describe
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program.types import BAD, EFFECT, FLAG, Many, Named, comparable, members
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.checker.expressions import Expressions


def pattern(checker: Expressions, value: x.Expr, node: t.Expr, span: Span) -> x.Expr | None:
    """The checked pattern, or None where ``node`` is a plain value."""
    node = bare(node)
    if isinstance(node, t.Ref):
        return _name(checker, value, node, span)
    if isinstance(node, t.Ask) and isinstance(node.function, t.Ref):
        rules = checker.context.program.signatures
        if value.type == BAD and node.function.name in rules:
            checker.context.use("rule", node.function.name)
            return checker.bad(span)  # it is not known what is asked about: that was reported
        if EFFECT in members(value.type) and node.binder is None:
            if node.function.name in rules:
                return _effect(checker, value, node.function, node.arguments, span)
            if node.function.name not in checker.context.program.questions:
                checker.context.report_unknown(
                    node.function.name, node.function.span, "rule", rules
                )
                return checker.bad(span)
    return None


def _name(checker: Expressions, value: x.Expr, node: t.Ref, span: Span) -> x.Expr | None:
    context, kind = checker.context, value.type
    if node.name == "empty":
        return _empty(checker, value, span)
    if node.name in checker.scope.names:
        return None
    if kind == BAD and node.name not in context.values and _is_pattern(checker, node.name):
        return checker.bad(span)  # it is not known what is asked about: that was reported
    if EFFECT in members(kind) and node.name in context.program.signatures:
        return _effect(checker, value, node, (), span)
    variant = _variant(checker, value, node, span)
    if variant is not None:
        return variant
    if node.name in context.program.domains and not isinstance(kind, Many):
        context.use("type", node.name)
        if not comparable(kind, Named(node.name)):
            message = f"{describe(kind)} is never {describe(Named(node.name))}"
            context.report("T309", message, span, label="so this is always the same")
        return x.InDomain(FLAG, span, value, node.name)
    return None


def _is_pattern(checker: Expressions, name: str) -> bool:
    """Could the name be a pattern for something? Then it counts as used."""
    context, found = checker.context, False
    if name in context.program.signatures:
        context.use("rule", name)
        found = True
    for kind in context.program.kinds.values():
        if name in kind.variants:
            context.use("variant", f"{kind.name}.{name}")
            found = True
    return found


def _variant(checker: Expressions, value: x.Expr, node: t.Ref, span: Span) -> x.Expr | None:
    """``b is choice``: of a variant of its kind, or of any kind that it may be of."""
    tests: list[x.Expr] = []
    for member in members(value.type):
        schema = None
        if isinstance(member, Named):
            schema = checker.context.program.kinds.get(member.domain)
        if schema is not None and node.name in schema.variants:
            checker.context.use("variant", f"{schema.name}.{node.name}")
            tests.append(x.IsVariant(FLAG, span, value, node.name, schema.name))
    return reduce(lambda a, b: x.Op(FLAG, span, "or", (a, b)), tests) if tests else None


def _empty(checker: Expressions, value: x.Expr, span: Span) -> x.Expr:
    if value.type == BAD:
        return checker.bad(span)
    if not isinstance(value.type, Many):
        message = f"only a collection can be empty, and this is {describe(value.type)}"
        checker.context.report("T301", message, value.span)
        return checker.bad(span)
    return x.Op(FLAG, span, "empty", (value,))


def _effect(
    checker: Expressions,
    value: x.Expr,
    rule: t.Ref,
    arguments: tuple[t.Expr, ...],
    span: Span,
) -> x.Expr:
    signature = checker.context.program.signatures[rule.name]
    checker.context.use("rule", rule.name)
    if len(arguments) > len(signature.parameters):
        has = counted(len(signature.parameters), "argument")
        message = f"`{rule.name}` has {has}, and {len(arguments)} are named"
        checker.context.report("T302", message, span)
        return checker.bad(span)
    checked: list[x.Expr | str | None] = []
    for place, (node, (_, kind)) in enumerate(zip(arguments, signature.parameters, strict=False)):
        checker.context.use("parameter", f"{rule.name}.{place}")
        written = bare(node)
        if isinstance(written, t.Ref) and written.name in checker.context.program.domains:
            checker.context.use("type", written.name)
            checked.append(written.name)
        elif isinstance(written, t.Ref) and written.name == "any":
            checked.append(None)
        else:
            checked.append(checker.check(node, kind))
    return x.IsEffect(FLAG, span, value, rule.name, tuple(checked))
