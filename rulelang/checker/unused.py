"""Names that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.checker.context import Context
from rulelang.checker.lowered import Calls
from rulelang.diagnostic import Span
from rulelang.program.boards import AXES, OUTLINE
from rulelang.program.program import PLACE
from rulelang.program.types import TEXT
from rulelang.syntax import tree as t

Unused = tuple[str, Span, str | None]
"""A message, a place, and a way out."""


def unused(context: Context) -> None:
    """Warn of everything that is declared and never used.

    Not of what stands below a pack that replaces entries: they may have been what used it.
    """
    replacing = _replacing_layer(context)
    for found in (_rules, _names, _content, _values):
        for message, span, help in found(context):
            if context.layer(span) >= replacing:
                context.report("N204", message, span, help=help)


def _replacing_layer(context: Context) -> int:
    """The layer of the last pack that replaces something."""
    entries = (e for domain in context.program.domains.values() for e in domain.entries)
    return max((context.layer(e.span) for e in entries if e.replaced is not None), default=0)


def parts(context: Context) -> None:
    """Warn of what nothing reads of a rule's arguments and of an entry's fields.

    Where something is wrong, that may be what should have read it.
    """
    for found in (_parameters, _fields):
        for message, span, help in found(context):
            context.report("N204", message, span, help=help)


def circles(context: Context, calls: Calls, reached: dict[str, set[str]]) -> None:
    """Warn of rules that only themselves, or each other, perform."""
    alive = set[str]().union(*reached.values()) | set(calls.effects)
    lost = {name for name in context.rule_nodes if name not in alive}
    endless = {found.span for found in context.diagnostics if found.code == "R403"}
    nodes = context.rule_nodes
    todo = sorted(
        name
        for name in calls.codes
        if name not in lost or not is_used(context, name) or nodes[name][0].name.span in endless
    )
    while todo:  # what only unused rules perform is used again when they are
        name = todo.pop()
        lost.discard(name)
        todo += sorted(lost & set(_performed(calls, name)))
    for name in sorted(lost):
        context.report(
            "N204",
            f"no game comes to rule `{name}`",
            nodes[name][0].name.span,
            help="Only rules perform it that no game comes to. Call it, or take it away.",
        )


def is_used(context: Context, rule: str) -> bool:
    """Does anything mention the rule?"""
    return ("rule", rule) in context.used


def _performed(calls: Calls, name: str) -> Iterator[str]:
    for rule in (name, *calls.behind.get(name, ())):
        for code in calls.codes.get(rule, ()):
            for instruction in code.instructions:
                yield from calls.called(instruction)


def _rules(context: Context) -> Iterator[Unused]:
    program, used = context.program, context.used
    for name, nodes in context.rule_nodes.items():
        if ("rule", name) not in used and name != "play":
            help = "Call it somewhere, or take it away."
            yield f"nothing uses rule `{name}`", nodes[0].name.span, help
    for name, question in program.questions.items():
        if ("define", name) not in used and name not in context.broken:
            yield f"nothing asks `{name}`", question.span, None
    for name, moment in context.moments.items():
        if ("moment", name) not in used:
            help = "Write `open` where it comes."
            yield f"no rule opens moment `{name}`", moment.name.span, help
    for name, scope in context.scopes.items():
        if ("scope", name) not in used:
            help = f"Write `leave {name}` somewhere, or take the scope away."
            yield f"nothing leaves scope `{name}`", scope.label.span, help


def _parameters(context: Context) -> Iterator[Unused]:
    """Arguments that no version of a rule reads, no hook of it and no pattern.

    Content may say more than is played: what it calls is left alone.
    """
    called = {rule for sequence in context.sequences for rule, _, _ in sequence}
    for name, nodes in context.rule_nodes.items():
        if not is_used(context, name) or name in called or all(map(_is_nothing, nodes)):
            continue
        for place, parameter in enumerate(nodes[0].params):
            if ("parameter", f"{name}.{place}") not in context.used:
                message = f"`{name}` is given `{parameter.name.text}`, and never reads it"
                yield message, parameter.name.span, "Use it, or leave it out everywhere."


def _names(context: Context) -> Iterator[Unused]:
    program, used = context.program, context.used
    for key, field in program.state.items():
        if ("state", key) not in used:
            yield f"nothing reads or changes `{field.name}`", field.span, None
    for name, setting in program.settings.items():
        if ("setting", name) not in used:
            yield f"nothing depends on `{name}`", setting.span, None
    for name, ending in program.endings.items():
        if ("ending", name) not in used:
            yield f"no rule ends the game by `{name}`", ending.span, None
    for name in program.dice:
        span = context.origins[name].span
        if ("die", name) not in used and span is not None:
            yield f"nothing rolls `{name}`", span, None


def _content(context: Context) -> Iterator[Unused]:
    used = context.used
    for kind in context.program.kinds.values():
        if not kind.key and ("type", kind.name) not in used:
            yield f"nothing uses kind `{kind.name}`", kind.span, None
            continue
        for variant in kind.variants:
            if ("variant", f"{kind.name}.{variant}") not in used:
                yield f"no {kind.name} is `{variant}`, and nothing asks for it", kind.span, None


def _is_nothing(node: t.Rule) -> bool:
    """Does a rule say that it does nothing?"""
    deeds = [call.rule.text for call in t.walk(node) if isinstance(call, t.Call)]
    return deeds == ["nothing"]


def _fields(context: Context) -> Iterator[Unused]:
    """Fields that no rule reads; texts and places in a drawing are for people."""
    for kind in context.program.kinds.values():
        if kind.name in context.program.edges:
            continue
        for field in kind.fields:
            shown = field.type == TEXT or field.name in (*AXES, OUTLINE)
            shown = shown or (kind.numbered and field.name == PLACE)  # it orders the entries
            if not shown and ("field", f"{kind.name}.{field.name}") not in context.used:
                help = "Read it in a rule, or take it away."
                yield f"nothing reads `{field.name}` of {kind.name}", field.span, help


def _values(context: Context) -> Iterator[Unused]:
    """Names of the game's own types: each by itself, or the type if none of them is used."""
    program, used = context.program, context.used
    for name, origin in context.origins.items():
        if origin.what != "a type" or origin.span is None or name in context.incomplete:
            continue
        if ("all", name) in used:
            continue
        entries = program.domains[name].entries
        spare = [e for e in entries if ("value", f"{name}.{e.key}") not in used]
        if len(spare) == len(entries) and ("type", name) not in used:
            yield f"nothing uses the names of `{name}`", origin.span, None
            continue
        for entry in spare:
            if isinstance(entry.key, str) and entry.span is not None:
                yield f"nothing uses `{entry.key}`", entry.span, None
