"""Calls of rules, as Python source."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.engine.compiler import inlining
from rulelang.engine.compiler.lines import negated
from rulelang.engine.making import certain, has_numbers
from rulelang.engine.steps import parameter_types
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.liveness import is_finished
from rulelang.program.types import MAX_NUMBER, Many, Num, Type

if TYPE_CHECKING:
    from rulelang.engine.compiler.flow import Flow
    from rulelang.engine.compiler.rule import Rule
    from rulelang.engine.compiler.versions import Given, Version


def argument(rule: Rule, expr: x.Expr, kind: Type, *, always: bool = False) -> str:
    """The source of an expression whose numbers must lie in the ranges of a type."""
    value = rule.simple(expr)
    text = rule.expressions.needed(value, kind)
    if certain(value, kind) and not (always and has_numbers(kind)):
        return text
    if isinstance(kind, Num):
        low = -MAX_NUMBER if kind.low is None else kind.low
        high = MAX_NUMBER if kind.high is None else kind.high
        return f"within({text}, {low}, {high})"
    return f"fitting({text}, {rule.expressions.pool.put(kind, 'T')})"


def result(rule: Rule, n: i.Give) -> str | None:
    """The source of what a rule gives."""
    if n.value is None:
        return None
    code = rule.code
    signature = rule.module.linked.program.signatures.get(code.hook_of or code.name)
    kind = signature.gives if signature is not None else None
    if kind is None:
        return rule.text(n.value)
    changed = bool(code.hook_of) and isinstance(n.value, x.Local)
    return argument(rule, n.value, kind, always=changed)


def perform(rule: Rule, flow: Flow, node: int, n: i.Perform) -> None:
    """A rule is called."""
    out, module = flow.out, rule.module
    code = module.linked.codes.get(n.rule)
    if code is None:
        out.add("raise Doubt")
        return
    kinds = parameter_types(module.linked, n)
    known: Given = {}
    for slot, (expr, kind) in enumerate(zip(n.arguments, kinds, strict=True)):
        value = rule.simple(expr)
        if isinstance(value, x.Const) and certain(value, kind) and not _is_pile(kind):
            known[slot] = value
    version = module.special(n.rule, known)
    if code.turn:
        out.add("m.turns += 1")
    if _may_be_left_out(rule, n) and module.rule(version).does_nothing:
        arguments = zip(map(rule.simple, n.arguments), kinds, strict=True)
        if all(_is_sure(rule, value, kind) for value, kind in arguments):
            return
    lays: dict[int, x.Read] = {}
    for slot in version.parameters:
        handed = n.arguments[slot]
        lay = rule.put_last(handed.slot) if isinstance(handed, x.Local) else None
        if lay is not None:
            lays[slot] = lay
            module.lain.setdefault((version.name, slot), lay)
    if inlining.inline(rule, flow, n, version, lays):
        return
    given = [argument(rule, n.arguments[slot], kinds[slot]) for slot in version.parameters]
    framed, asks = module.takes_frame(n.rule), module.is_generator(n.rule)
    test = _worth_calling(rule, n, version, kinds)
    if test is None:
        _called(rule, flow, node, version.name, given, n.slot, framed=framed, asks=asks)
        return
    with out.inside(f"if {test}:"):
        _called(rule, flow, node, version.name, given, None, framed=framed, asks=asks)


def _may_be_left_out(rule: Rule, n: i.Perform) -> bool:
    """Need nobody know of a call that does nothing?"""
    return n.slot is None and not rule.module.counted and not rule.module.weights.is_deep


def _is_sure(rule: Rule, value: x.Expr, kind: Type) -> bool:
    """Is an argument sure to have an answer, and one within its ranges?"""
    return certain(value, kind) and rule.expressions.simplifier.safety.is_safe(value)


def _worth_calling(rule: Rule, n: i.Perform, version: Version, kinds: list[Type]) -> str | None:
    """The source of whether a rule does more than end at once; None where that is not tested."""
    module = rule.module
    early = module.rule(version).early_end
    if not _may_be_left_out(rule, n) or early is None:
        return None
    condition, ends = early
    bound: dict[int, x.Expr | int] = dict(version.given)
    for slot in version.parameters:
        value = rule.simple(n.arguments[slot])
        if not isinstance(value, x.Local | x.Const) or not certain(value, kinds[slot]):
            return None
        bound[slot] = value
    simplifier, shapes = rule.expressions.simplifier, rule.expressions.shapes
    if not shapes.locals(condition).keys() <= bound.keys():
        return None
    test = rule.expressions.test(simplifier.simple(condition, bound))
    return negated(test) if ends else test


def apply(rule: Rule, flow: Flow, node: int, n: i.Apply) -> None:
    """An effect or script is carried out, for a subject where its rule takes one."""
    subject = rule.simple(n.subject) if n.subject is not None else None
    known = subject is None or isinstance(subject, x.Const)
    given = [] if known else [rule.text(n.subject)]  # type: ignore[arg-type]
    called = f"{rule.module.acts(subject)}[id({rule.text(n.effect)})]"
    if isinstance(before := rule.instruction(node - 1), i.Iterate) and before.rest in flow.carried:
        called = rule.local(before.slot)
    asks = any(map(rule.module.is_generator, rule.module.facts.applied))
    framed = rule.may_suspend(node)
    _called(rule, flow, node, called, given, None, framed=framed, asks=asks)


def _called(
    rule: Rule,
    flow: Flow,
    node: int,
    function: str,
    given: list[str],
    slot: int | None,
    *,
    framed: bool,
    asks: bool,
) -> None:
    """A call, and its result. What may wait, or is called like others that may, is handed the
    frame that goes on behind it; what is a generator is gone through."""
    from rulelang.engine.compiler.roots import Root

    out = flow.out
    suspends = rule.may_suspend(node)
    # Where only the end is left, that is no frame.
    ends = suspends and slot is None and is_finished(rule.code, node + 1)
    after = "q" if ends else rule.frame(Root("after", node)) if suspends else "None"
    called = f"{function}({', '.join(['m', 's', *[after][:framed], *given])})"
    if asks:
        called = f"yield from {called}"
    if not suspends:
        out.add(called if slot is None else f"{rule.local(slot)} = {called}")
        return
    test = f"{called} is S" if slot is None else f"(l{slot} := {called}) is S"
    out.add(f"if {test}: return S")


def _is_pile(kind: Type) -> bool:
    return isinstance(kind, Many)
