"""Names that nothing uses."""

from __future__ import annotations

from collections.abc import Iterator

from rulelang.checker.context import Context
from rulelang.diagnostic import Span

Unused = tuple[str, Span, str | None]
"""A message, a place, and a way out."""


def unused(context: Context) -> None:
    """Warn of everything that is declared and never used."""
    for found in (_rules, _names, _content, _values):
        for message, span, help in found(context):
            context.report("N204", message, span, help=help)


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
