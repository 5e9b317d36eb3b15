"""The table of diagnostic codes: one row a code. Everything else about codes is derived from it."""

from typing import Literal

Severity = Literal["error", "warning", "info"]

AREAS: dict[str, str] = {
    "S": "syntax",
    "N": "names and packs",
    "T": "types and domains",
    "R": "rules that cannot work as meant",
    "C": "content",
    "D": "clauses",
    "F": "format",
}
"""What the first letter of a code stands for."""

TABLE: tuple[tuple[str, str, Severity], ...] = (
    # Syntax
    ("S100", "unexpected-word", "error"),
    ("S101", "stray-sign", "error"),
    ("S102", "unclosed-quote", "error"),
    ("S103", "uneven-indentation", "error"),
    ("S104", "unexpected-block", "error"),
    ("S105", "unfinished-line", "error"),
    ("S106", "reserved-word", "error"),
    ("S107", "missing-colon", "error"),
    ("S108", "too-complex", "error"),
    ("S109", "empty-block", "error"),
    ("S110", "file-too-large", "error"),
    ("S111", "unreadable-text", "error"),
    # Names and packs
    ("N201", "unknown-name", "error"),
    ("N202", "duplicate-name", "error"),
    ("N203", "shadowed-name", "error"),
    ("N204", "unused-name", "warning"),
    ("N205", "unknown-kind", "error"),
    ("N206", "unknown-label", "error"),
    ("N207", "unknown-mode", "error"),
    ("N208", "unknown-instruction", "error"),
    ("N209", "no-game", "error"),
    ("N210", "unknown-base", "error"),
    ("N211", "ambiguous-name", "error"),
    ("N212", "missing-in-mode", "error"),
    # Types and domains
    ("T301", "wrong-type", "error"),
    ("T302", "wrong-arguments", "error"),
    ("T303", "out-of-domain", "error"),
    ("T304", "missing-subject", "error"),
    ("T305", "not-a-place", "error"),
    ("T306", "incomplete-match", "error"),
    ("T307", "missing-result", "error"),
    ("T308", "not-a-question", "error"),
    ("T309", "impossible-comparison", "error"),
    # Rules that cannot work as meant
    ("R401", "unreachable-statement", "warning"),
    ("R402", "empty-choice", "warning"),
    ("R403", "endless-loop", "error"),
    ("R404", "recursive-question", "error"),
    ("R405", "replacement-conflict", "error"),
    ("R406", "misplaced-statement", "error"),
    ("R407", "no-such-scope", "error"),
    ("R408", "no-start", "error"),
    ("R409", "hidden-from-player", "error"),
    ("R410", "idle-hook", "warning"),
    ("R411", "no-outcome", "warning"),
    ("R412", "out-of-reach", "warning"),
    # Content
    ("C501", "missing-entry", "error"),
    ("C502", "duplicate-entry", "error"),
    ("C503", "missing-field", "error"),
    ("C504", "bad-row", "error"),
    ("C505", "failing-check", "error"),
    ("C506", "duplicate-field", "error"),
    ("C507", "draft", "info"),
    ("C508", "bad-scenario", "error"),
    ("C509", "instructions-run-together", "error"),
    ("C510", "not-content", "error"),
    ("C511", "bad-json", "error"),
    ("C512", "to-do", "info"),
    ("C513", "bad-edge", "error"),
    ("C514", "unjoined-place", "warning"),
    ("C515", "missing-position", "warning"),
    ("C516", "doubled-edges", "warning"),
    # Clauses
    ("D601", "unknown-clause", "error"),
    ("D602", "bad-catalogue", "error"),
    # Format
    ("F701", "tab-indentation", "warning"),
)
"""Rows of code, name, and severity. A code that was once published keeps its meaning."""
