"""From files to a checked game: reading, parsing, checking, and proving the game's own checks."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from rulelang.check import check as check_trees
from rulelang.diagnostic import Diagnostic, Span, make, sort_key
from rulelang.engine.evaluate import Evaluators, evaluate
from rulelang.engine.fault import Fault
from rulelang.engine.start import initial
from rulelang.loader import Sources, read
from rulelang.meaning import meaning_of
from rulelang.program.linking import link
from rulelang.program.program import Check, Program
from rulelang.syntax.parser import parse


@frozen
class Analysis:
    """All that was found out about the files of a game; ``program`` only if nothing is wrong."""

    sources: Sources
    program: Program | None
    diagnostics: tuple[Diagnostic, ...]
    entries: int

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics that keep the game from being played."""
        return tuple(d for d in self.diagnostics if d.severity == "error")


def analyse(where: str | Path) -> Analysis:
    """Check the game at a path or of a name. UsageError if nothing is there."""
    return analyse_sources(read(where))


def analyse_sources(sources: Sources) -> Analysis:
    """Check a game whose texts are at hand. Never raises on bad content."""
    parsed = [parse(text, name) for name, text in sources.rules.items()]
    found = [*sources.diagnostics, *(d for p in parsed for d in p.diagnostics)]
    if any(d.severity == "error" for d in found):
        return Analysis(sources, None, _sorted(found), 0)
    try:
        program, more = check_trees([p.file for p in parsed], sources.catalogues)
    except RecursionError:
        name = next(iter(sources.rules), "")
        found.append(
            make("S108", "these files are nested too deeply to be checked", Span(name, 1, 1, 1, 1))
        )
        return Analysis(sources, None, _sorted(found), 0)
    found += more
    entries = sum(
        len(program.domains[kind.name].entries) for kind in program.kinds.values() if kind.key
    )
    if any(d.severity == "error" for d in found):
        return Analysis(sources, None, _sorted(found), entries)
    found += prove(program)
    program.meaning = meaning_of(program)
    failed = any(d.severity == "error" for d in found)
    return Analysis(sources, None if failed else program, _sorted(found), entries)


def _sorted(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(dict.fromkeys(found), key=sort_key))


def prove(program: Program) -> list[Diagnostic]:
    """Evaluate the game's checks; one diagnostic for each that fails."""
    return [problem for check in program.checks for problem in _prove(program, check)]


def _prove(program: Program, check: Check) -> list[Diagnostic]:
    mode = program.modes[check.modes[0]] if check.modes else next(iter(program.modes.values()))
    options = {name: setting.default for name, setting in program.settings.items()}
    linked = link(program, mode.name, mode.low, options)
    evaluators = Evaluators(linked)
    failed = []
    for claim in check.claims:
        try:
            slots = initial(linked, evaluators)
            locals = [None] * (check.slots + 1)
            holds = evaluate(evaluators.prepare(claim), slots, locals)
            message = f"this check fails: {check.text}"
        except Fault as fault:
            holds, message = False, f"this check cannot be worked out: {fault}"
        if not holds:
            failed.append(make("C505", message, claim.span, label="this does not hold"))
    return failed
