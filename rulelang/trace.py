"""Clauses of the rulebook: which are cited, and which were seen at work.

*Cited*: a declaration, rule, entry, check or scenario cites the clause. *Exercised*: a passing
scenario or check cites it and, where a rule or hook cites it too, one of these ran there. Clauses
of kind `advice` and `physical` do not count, nor those of modes that the game does not have.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from rulelang.game import Game
from rulelang.program.program import Clause
from rulelang.scenarios import run

UNCOUNTED = ("advice", "physical")


@frozen
class Trace:
    """Numbers of clauses, and the clauses that lack something."""

    clauses: int
    cited: int
    exercised: int
    missing: tuple[str, ...]
    """Counted clauses that nothing cites."""
    not_exercised: tuple[str, ...]
    """Counted clauses that are cited, but that no passing scenario or check shows."""
    unknown: tuple[str, ...]
    """Cited clauses that the catalogue does not have."""
    other_modes: int
    """Clauses that are only for modes that the game does not have."""

    def as_json(self) -> dict[str, Any]:
        """The contract's object, with two lists more."""
        return {
            "clauses": self.clauses,
            "cited": self.cited,
            "exercised": self.exercised,
            "missing": list(self.missing),
            "unknown": list(self.unknown),
            "not_exercised": list(self.not_exercised),
            "other_modes": self.other_modes,
        }


def trace(game: Game) -> Trace:
    """Run all scenarios of a game and compare citations with its catalogue of clauses."""
    program = game.program
    counted = [c for c in program.clauses.values() if c.kind not in UNCOUNTED]
    here = [c for c in counted if _applies(c, tuple(program.modes))]
    cited = {citation.clause for citation in program.citations}
    exercised = exercised_clauses(game)
    return Trace(
        len(here),
        sum(clause.id in cited for clause in here),
        sum(clause.id in exercised for clause in here),
        tuple(clause.id for clause in here if clause.id not in cited),
        tuple(clause.id for clause in here if clause.id in cited and clause.id not in exercised),
        tuple(sorted(cited - program.clauses.keys())),
        len(counted) - len(here),
    )


def _applies(clause: Clause, modes: tuple[str, ...]) -> bool:
    return not clause.modes or any(mode in modes for mode in clause.modes)


def exercised_clauses(game: Game) -> set[str]:
    """The clauses that a passing scenario or check shows at work."""
    rules: dict[str, set[str]] = {}
    for citation in game.program.citations:
        if citation.what in ("rule", "hook"):
            rules.setdefault(citation.clause, set()).add(citation.name)
    shown = {
        c.clause for c in game.program.citations if c.what == "check" and c.clause not in rules
    }
    for result in run(game):
        if result.ok:
            shown |= {c for c in result.cites if c not in rules or rules[c] & result.ran}
    return shown
