"""The checker: syntax trees in, a checked program and diagnostics out.

One pass a module, in this order: headers and kinds, keys of entries, settings and state, signatures
of rules, questions, fields of entries, bodies, checks, scenarios and trials, clauses, what nothing
uses. A pass reports and goes on; what was reported once fits everywhere after, so that one slip
gives one report.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from rulelang.checker import (
    catalogue,
    content,
    declarations,
    defines,
    edges,
    ends,
    filling,
    flow,
    headers,
    hooks,
    joined,
    kinds,
    labels,
    packs,
    progress,
    rules,
    scenarios,
    sight,
    trials,
    unused,
    windows,
)
from rulelang.checker.context import Context
from rulelang.checker.lowered import Calls
from rulelang.checker.wording import quoted
from rulelang.diagnostic import Diagnostic, Span
from rulelang.program.program import Pack, Program
from rulelang.syntax import tree as t

_N = TypeVar("_N", bound=t.Node)


def check(
    files: Sequence[t.File], catalogues: dict[str, str], extending: Sequence[Pack] = ()
) -> tuple[Program, list[Diagnostic]]:
    """Check the files of one game, with those of the packs that extend it.

    ``catalogues`` are the texts of its TOML files, by name.
    """
    context = Context(Program(packs=tuple(extending)))
    taken = packs.Taken(context)
    nodes = taken.without(files)
    start = Span(files[0].name if files else "", 1, 1, 1, 1)
    lines = _of(nodes, t.Line)
    named = headers.headers(context, lines, start)
    _declare(context, nodes, lines)
    _scopes(context, nodes)
    declarations.ending_subjects(context, _of(nodes, t.Ending))
    bodies = rules.Bodies(context)
    for rule in _of(nodes, t.Rule):
        bodies.rule(rule)
    for hook in _of(nodes, t.Hook):
        bodies.hook(hook)
    windows.windows(context, _of(nodes, t.During))
    hooks.check_hooks(context)
    declarations.outcomes(context, _of(nodes, t.Outcome))
    scenarios.checks(context, _of(nodes, t.Check))
    scenarios.scenarios(context, _of(nodes, t.Scenario))
    trials.trials(context, _of(nodes, t.Trial))
    catalogue.clauses(context, named, catalogues)
    _whole(context, nodes, start)
    taken.forget_consequences()
    return context.program, context.diagnostics


def _of(nodes: Sequence[t.Declaration], kind: type[_N]) -> list[_N]:
    return [node for node in nodes if isinstance(node, kind)]


def _declare(context: Context, nodes: list[t.Declaration], lines: list[t.Line]) -> None:
    """Everything that rules may name, and the content."""
    declared = kinds.kind_names(context, _of(nodes, t.Kind))
    joining = edges.edge_names(context, _of(nodes, t.Edge))
    declarations.settings(context, _of(nodes, t.Setting))
    declarations.endings(context, _of(nodes, t.Ending))
    kinds.kind_schemas(context, declared)
    declared += edges.edge_schemas(context, joining)
    kinds.beginnings(context, declared)
    entries = content.Content(context)
    entries.collect([line for line in lines if line.words[0].text not in headers.DECLARING])
    state = declarations.state(context, _of(nodes, t.State))
    rules.signatures(context, _of(nodes, t.Rule))
    windows.moments(context, _of(nodes, t.Moment))
    defines.defines(context, [*_of(nodes, t.Define), *_of(nodes, t.Routes)])
    declarations.state_defaults(context, state)
    kinds.kind_defaults(context, declared)
    drafts = entries.in_order()
    filling.Fillers(context).fill(drafts)
    declarations.starts(context, state)


def _scopes(context: Context, nodes: list[t.Declaration]) -> None:
    """The labels of scopes, wherever they are opened: they are left from anywhere."""
    for declaration in nodes:
        if isinstance(declaration, t.Rule | t.Hook | t.During):
            for node in t.walk(declaration):
                if isinstance(node, t.Scope):
                    context.scopes.setdefault(node.label.text, node)


def _play(context: Context) -> None:
    """Nobody calls `play`, so nobody can give it arguments."""
    signature = context.program.signatures.get("play")
    if signature is None or not (signature.parameters or signature.subject or signature.gives):
        return
    context.report(
        "R408",
        "a game begins with `play`, which is given nothing and gives nothing",
        context.rule_nodes["play"][0].name.span,
        help="Write `rule play` alone; read `players` and `mode` in it.",
    )


def _outcome(context: Context, game: Span) -> None:
    """Somebody should win or lose in every mode."""
    program = context.program
    lacking = [mode for mode in program.modes if program.outcome(mode) is None]
    if not lacking:
        return
    where = f" in {quoted(lacking)}" if len(lacking) < len(program.modes) else ""
    context.report(
        "R411",
        f"nobody can win or lose{where}: there is no `outcome`",
        game,
        help="Declare one: `outcome`, below it `when ended(…): won by …` and `else: …`.",
    )


def _is_game(line: t.Line) -> bool:
    return line.words[0].text == "game"


def _played(context: Context, told: list[t.Scenario]) -> None:
    """What can be said of the lowered rules: they are whole only where nothing is wrong."""
    calls = Calls(context.program)
    reached = flow.modes_have_all(context)
    ends.endless(context)
    ends.after_leaving(context)
    progress.loops(context, calls)
    progress.choices(context, calls)
    hooks.idle(context, calls, reached)
    sight.decisions(context, calls)
    sight.evaluations(context)
    labels.check(context, calls, told)
    unused.parts(context)
    unused.circles(context, calls, reached)


def _whole(context: Context, nodes: list[t.Declaration], start: Span) -> None:
    """What can be said only of all the files together."""
    program = context.program
    if not program.name:
        return
    game = next((line.span for line in _of(nodes, t.Line) if _is_game(line)), start)
    for mode in program.modes.values():
        if program.rule("play", mode.name) is None:
            context.report(
                "R408",
                f"nothing happens in mode `{mode.name}`: there is no rule `play` for it",
                game,
                help="A game begins with the rule `play`, and is over when an ending comes "
                "or `play` is done.",
            )
            break
    _play(context)
    if all(diagnostic.severity != "error" for diagnostic in context.diagnostics):
        _outcome(context, game)
        _played(context, _of(nodes, t.Scenario))
        joined.boards(context)
    unused.unused(context)
