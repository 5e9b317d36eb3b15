"""From files to a checked game: reading, parsing, checking, and proving the game's own checks."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from rulelang.checker import check as check_trees
from rulelang.diagnostic import Diagnostic, Span, make, sort_key
from rulelang.engine.evaluate import Evaluators, evaluate
from rulelang.engine.fault import Fault
from rulelang.engine.start import initial
from rulelang.failing import why_not
from rulelang.loader import Sources, read
from rulelang.meaning import meaning_of
from rulelang.program.expressions import Expr
from rulelang.program.linking import link
from rulelang.program.program import Check, Program
from rulelang.program.values import Value
from rulelang.syntax.parser import parse


@frozen
class Analysis:
    """All that was found out about the files of a game.

    ``program`` is None if anything is wrong but the game's own checks: a game whose checks fail can
    still be played by those who ask for it.
    """

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
    return Analysis(sources, program, _sorted(found), entries)


def _sorted(found: list[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(dict.fromkeys(found), key=sort_key))


def prove(program: Program) -> list[Diagnostic]:
    """Evaluate the game's checks; one diagnostic for each that fails.

    A check is evaluated in the first of its modes, with the fewest players and the defaults.
    """
    tables: dict[str, _Table] = {}
    failed = []
    for check in program.checks:
        mode = check.modes[0] if check.modes else next(iter(program.modes))
        table = tables.get(mode) or tables.setdefault(mode, _Table(program, mode))
        failed += [problem for claim in check.claims if (problem := table.prove(check, claim))]
    return failed


class _Table:
    """A game at its start, of which checks are asked."""

    def __init__(self, program: Program, mode: str) -> None:
        options = {name: setting.default for name, setting in program.settings.items()}
        self.linked = link(program, mode, program.modes[mode].low, options)
        self.evaluators = Evaluators(self.linked)
        self.slots: list[Value] | None = None

    def prove(self, check: Check, claim: Expr) -> Diagnostic | None:
        """The diagnostic for a claim that does not hold."""
        message = f"this check fails: {check.text}"
        locals: list[Value] = [None] * (check.slots + 1)
        try:
            if self.slots is None:
                self.slots = initial(self.linked, self.evaluators)
            if evaluate(self.evaluators.prepare(claim), self.slots, locals):
                return None
            slots = self.slots
            found = why_not(
                claim, lambda part: evaluate(self.evaluators.prepare(part), slots, locals)
            )
        except Fault as fault:
            reason = str(fault)
        except RecursionError:
            reason = "it is nested too deeply"
        else:
            return make("C505", message, claim.span, label=found)
        return make("C505", f"this check cannot be worked out: {reason}", claim.span)
