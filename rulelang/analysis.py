"""From files to a checked game: reading, parsing, checking, and proving the game's own checks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from attrs import evolve, frozen

from rulelang.checker import check as check_trees
from rulelang.collecting import uncollected
from rulelang.diagnostic import Diagnostic, Note, Span, make, sort_key
from rulelang.engine.evaluate import Evaluators, evaluate
from rulelang.engine.fault import Fault
from rulelang.engine.start import initial
from rulelang.failing import Reason, named, why_not
from rulelang.loader import Sources, read
from rulelang.meaning import meaning_of
from rulelang.program.expressions import Expr
from rulelang.program.linking import link
from rulelang.program.program import Check, Program
from rulelang.program.values import Value
from rulelang.syntax.parser import Parsed, parse

Parser = Callable[[str, str], Parsed]

MOST_REPLACED = 3
"""Replaced entries that the message of a failing check lists."""


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


def analyse_sources(sources: Sources, parser: Parser | None = None) -> Analysis:
    """Check a game whose texts are at hand. Never raises on bad content.

    ``parser`` reads a file's text and name, for those who have read most of the files before.
    """
    with uncollected():
        return _analysed(sources, parse if parser is None else parser)


def _analysed(sources: Sources, read_file: Parser) -> Analysis:
    parsed = [read_file(text, name) for name, text in sources.rules.items()]
    found = [*sources.diagnostics, *(d for p in parsed for d in p.diagnostics)]
    if any(d.severity == "error" for d in found):
        return Analysis(sources, None, _sorted(found), 0)
    try:
        program, more = check_trees([p.file for p in parsed], sources.catalogues, sources.packs)
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
        found = [problem for claim in check.claims if (problem := table.prove(check, claim))]
        if found:
            notes = _replaced(program, check)
            failed += [evolve(problem, notes=(*problem.notes, *notes)) for problem in found]
    return failed


def _replaced(program: Program, check: Check) -> list[Note]:
    """Where packs have replaced entries that a check, which is older, may count on."""
    layer = program.layer(check.span.file)
    replaced = [
        Note(entry.span, f"a pack replaces {entry.label}")
        for domain in program.domains.values()
        for entry in domain.entries
        if entry.replaced is not None
        and entry.span is not None
        and program.layer(entry.span.file) > layer
    ]
    return replaced[:MOST_REPLACED]


def _places(reason: Reason) -> list[Note]:
    """Where the entries stand that a claim fails for; one is enough where it stands in another."""
    inner = [entry.label for entry in reason.about[1:]]
    return [
        Note(entry.span, f"{named(entry)} is here")
        for entry in dict.fromkeys(reason.about)
        if entry.span is not None and not any(i.startswith(f"{entry.label} ") for i in inner)
    ]


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
            return make("C505", message, claim.span, label=found.text, notes=_places(found))
        return make("C505", f"this check cannot be worked out: {reason}", claim.span)
