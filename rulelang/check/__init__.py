"""The checker: syntax trees in, a checked program and diagnostics out.

One pass a module, in this order: headers and kinds, keys of entries, settings and state, signatures of
rules, questions, fields of entries, bodies, checks and scenarios, clauses, what nothing uses. A pass
reports and goes on; what was reported once fits everywhere after, so that one slip gives one report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rulelang.check import catalogue, content, declarations, headers, scenarios, windows
from rulelang.check.context import Context
from rulelang.diagnostic import Diagnostic, Span
from rulelang.program.program import Program
from rulelang.syntax import tree as t

_N = TypeVar("_N", bound=t.Node)


def check(files: Sequence[t.File], catalogues: dict[str, str]) -> tuple[Program, list[Diagnostic]]:
    """Check the files of one game; ``catalogues`` are the texts of its TOML files, by name."""
    context = Context()
    nodes: list[t.Declaration] = [node for file in files for node in file.declarations]
    lines = _of(nodes, t.Line)
    named = _headers(context, lines, files)
    headers.players_domain(context)
    kinds = declarations.kind_names(context, _of(nodes, t.Kind))
    declarations.settings(context, _of(nodes, t.Setting))
    declarations.endings(context, _of(nodes, t.Ending))
    declarations.kind_schemas(context, kinds)
    entries = content.Content(context)
    entries.collect([line for line in lines if line.words[0].text not in headers.DECLARING])
    state = declarations.state(context, _of(nodes, t.State))
    declarations.signatures(context, _of(nodes, t.Rule))
    declarations.moments(context, _of(nodes, t.Moment))
    declarations.defines(context, _of(nodes, t.Define))
    declarations.state_defaults(context, state)
    entries.fill()
    _scopes(context, nodes)
    bodies = declarations.Bodies(context)
    for rule in _of(nodes, t.Rule):
        bodies.rule(rule)
    for hook in _of(nodes, t.Hook):
        bodies.hook(hook)
    windows.windows(context, _of(nodes, t.During))
    declarations.check_hook_order(context)
    declarations.outcomes(context, _of(nodes, t.Outcome))
    scenarios.checks(context, _of(nodes, t.Check))
    scenarios.scenarios(context, _of(nodes, t.Scenario))
    _clauses(context, named, catalogues)
    _whole(context, files)
    declarations.unused(context)
    return context.program, context.diagnostics


def _of(nodes: Sequence[t.Declaration], kind: type[_N]) -> list[_N]:
    return [node for node in nodes if isinstance(node, kind)]


def _headers(context: Context, lines: list[t.Line], files: Sequence[t.File]) -> tuple[str, Span] | None:
    """Read what is declared in the authoring book; the name of the catalogue, and where it is named."""
    named = None
    for line in lines:
        if line.words[0].text == "game":
            file = headers.read_game(context, line)
            if file is not None:
                named = file, line.span
    for line in lines:
        if line.words[0].text == "names":
            headers.read_names(context, line)
    for line in lines:
        if line.words[0].text == "die":
            headers.read_die(context, line)
    if not context.program.name and all(line.words[0].text != "game" for line in lines):
        span = Span(files[0].name, 1, 1, 1, 1) if files else Span("", 1, 1, 1, 1)
        context.report(
            "N209", "no file says which game this is", span,
            help='One file must begin with `game my_game "My Game"` and its modes.',
        )  # fmt: skip
        headers.domain(context, "Mode", [])
    return named


def _scopes(context: Context, nodes: Sequence[t.Declaration]) -> None:
    """The labels of scopes, wherever they are opened: they are left from anywhere."""
    for declaration in nodes:
        if isinstance(declaration, t.Rule | t.Hook):
            for node in t.walk(declaration):
                if isinstance(node, t.Scope):
                    context.scopes.setdefault(node.label.text, node.label.span)


def _clauses(context: Context, named: tuple[str, Span] | None, catalogues: dict[str, str]) -> None:
    if named is not None:
        file, span = named
        if file in catalogues:
            catalogue.read_clauses(context, catalogues[file], file)
            if not context.program.clauses:
                return  # what is wrong with the catalogue was reported; its clauses are not also unknown
        else:
            context.report("D602", f"there is no file `{file}` beside the game", span)
            return
    catalogue.check_citations(context)


def _whole(context: Context, files: Sequence[t.File]) -> None:
    """Is there a game to play at all?"""
    if not context.program.name:
        return
    for mode in context.program.modes.values():
        if context.program.rule("play", mode.name) is None:
            where = Span(files[0].name, 1, 1, 1, 1)
            context.report(
                "R408", f"nothing happens in mode `{mode.name}`: there is no rule `play` for it", where,
                help="A game begins with the rule `play`, and is over when an ending comes or `play` is done.",
            )  # fmt: skip
