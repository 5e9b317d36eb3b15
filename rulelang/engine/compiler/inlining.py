"""Short rules, and those that are called from one place only, written into the rule that calls.

A game that waits keeps a frame for each rule under way: so where it may, only rules that never do
are written in place.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from attrs import frozen

from rulelang.engine.compiler.flow import Flow
from rulelang.engine.compiler.graph import ROOT, Unstructured
from rulelang.engine.compiler.lines import Lines
from rulelang.engine.compiler.simplify import NESTED, Bound
from rulelang.engine.making import certain
from rulelang.engine.steps import parameter_types
from rulelang.program import expressions as x
from rulelang.program import instructions as i

if TYPE_CHECKING:
    from rulelang.engine.compiler.rule import Rule
    from rulelang.engine.compiler.versions import Version

RETURN = "return  # the end of an inlined rule"
"""What stands for the end of a rule until it is known what follows there."""
SHORT = 6
"""Lines of a rule that is written wherever it is called."""
LONG = 40
"""Lines of a rule that is called from one place only."""
INDENTED = 30
"""Indentations below which nothing is written in place."""
WITHIN = 20
"""Rules written one within the other: each takes much of Python's own stack while it is written."""


@frozen
class Inlined:
    """How a rule is written into another one."""

    view: Bound
    """What stands for its locals."""
    target: str
    """The name that takes what it gives; empty if nobody asks."""
    within: int
    """How many rules there are around it."""


def inline(rule: Rule, flow: Flow, n: i.Perform, version: Version, lays: dict[int, x.Read]) -> bool:
    """Write a rule in place of a call of it, if that is worth while; else nothing is written."""
    module, out = rule.module, flow.out
    if not module.may_inline(version) or out.depth > INDENTED or _within(rule) > WITHIN:
        return False
    most = LONG if module.is_called_once(version.code.name) else SHORT
    if module.length(version) > most:
        return False
    offset = rule.taken
    if offset + version.code.slots > NESTED:
        return False
    begun, depth, span = out.mark(), out.depth, out.span
    inner = _inner(rule, n, version, out, offset, lays)
    rule.taken = inner.taken = offset + version.code.slots
    out.add(*module.entry(version))
    try:
        out.add(*(f"{inner.local(slot)} = None" for slot in inner.unset()))
        body = out.mark()
        Flow(inner, ROOT, out).write()
    except Unstructured:
        module.lengths[version.name] = LONG + 1
        out.cut(begun)
        out.depth = depth
        return False
    finally:
        rule.taken = inner.taken
        out.span = span
    length = out.mark() - begun
    if length > most or not _joined(out, body):
        module.lengths[version.name] = LONG + 1 if length <= most else length
        out.cut(begun)
        return False
    return True


def _within(rule: Rule) -> int:
    """How many rules there are around one that is written in place of a call in this one."""
    return 1 if rule.inlined is None else rule.inlined.within + 1


def _inner(
    caller: Rule, n: i.Perform, version: Version, out: Lines, offset: int, lays: dict[int, x.Read]
) -> Rule:
    """The writer of a rule within another one; what it is given is put into locals."""
    from rulelang.engine.compiler.calls import argument

    module = caller.module
    inner = copy.copy(module.rule(version))
    inner.offset = offset
    kinds = parameter_types(module.linked, n)
    view: dict[int, x.Expr | int] = {slot: slot + offset for slot in range(version.code.slots)}
    for slot in version.parameters:
        value, kind = caller.simple(n.arguments[slot]), kinds[slot]
        if isinstance(value, x.Local) and certain(value, kind) and slot not in inner.written:
            view[slot] = value
        else:
            out.add(f"{inner.local(slot)} = {argument(caller, n.arguments[slot], kind)}")
    simplifier = module.expressions.simplifier
    for slot, known in inner.bound.items():
        view[slot] = simplifier.simple(known, view)
    lay = {slot: simplifier.simple(zone, view) for slot, zone in inner.sources.items()}
    inner.__dict__["sources"] = {**lay, **lays}
    target = "" if n.slot is None else caller.local(n.slot)
    inner.inlined = Inlined(view, target, _within(caller))
    return inner


def _joined(out: Lines, body: int) -> bool:
    """Turn the ends of a rule since a mark into ways on to what follows; False if one cannot be."""
    lines = out.lines
    ends = [at for at in range(body, len(lines)) if lines[at].lstrip() == RETURN]
    if any(_in_loop(lines, at, body) for at in ends):
        return False
    if all(_is_last(lines, at) for at in ends):
        for at in reversed(ends):
            if at > body and _indent(lines[at - 1]) >= _indent(lines[at]):
                del lines[at], out.spans[at]
            else:
                lines[at] = lines[at].replace(RETURN, "pass")
        return True
    for at in range(body, len(lines)):
        lines[at] = "    " + lines[at].replace(RETURN, "break")
    indent = "    " * out.depth
    lines.insert(body, f"{indent}while True:")
    out.spans.insert(body, out.spans[body])
    if not lines[-1].startswith(f"{indent}    break"):
        out.depth += 1
        out.add("break")
        out.depth -= 1
    return True


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _in_loop(lines: list[str], at: int, body: int) -> bool:
    """Does a line stand in a loop that began behind a mark?"""
    depth = _indent(lines[at])
    for before in range(at - 1, body - 1, -1):
        if _indent(lines[before]) < depth:
            depth = _indent(lines[before])
            if lines[before].lstrip().startswith(("while ", "for ")):
                return True
    return False


def _is_last(lines: list[str], at: int) -> bool:
    """Is there nothing to be done behind a line?"""
    depth = _indent(lines[at])
    for line in lines[at + 1 :]:
        if _indent(line) >= depth:
            continue  # of another branch
        if not line.lstrip().startswith(("else:", "elif ", "except ")):
            return False
        depth = _indent(line) + 1
    return True
