"""The catalogue of clauses, and whether citations are to be found in it."""

from __future__ import annotations

import tomllib

from rulelang.check.context import Context
from rulelang.diagnostic import Span, did_you_mean, suggest
from rulelang.program.program import Clause

TEXTS = ("id", "section", "kind", "text")


def read_clauses(context: Context, text: str, file: str) -> None:
    """Read ``clauses.toml``: a table ``[[clause]]`` for each, with id, section, kind and text."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = getattr(error, "lineno", None) or _line_in(str(error))
        context.report("D602", f"the catalogue cannot be read: {error}", Span(file, line, 1, line, 2))
        return
    clauses = data.get("clause", [])
    if not isinstance(clauses, list) or any(not isinstance(clause, dict) for clause in clauses):
        context.report("D602", "the catalogue holds no list of `[[clause]]`", Span(file, 1, 1, 1, 2))
        return
    for number, clause in enumerate(clauses, 1):
        missing = [name for name in TEXTS if not isinstance(clause.get(name), str)]
        modes = clause.get("modes", [])
        if missing or not isinstance(modes, list) or not isinstance(clause.get("ruling", ""), str):
            wrong = missing[0] if missing else "modes or ruling"
            context.report("D602", f"clause number {number} lacks a proper `{wrong}`", _place(text, file, clause))
            continue
        if clause["id"] in context.program.clauses:
            context.report("D602", f"clause {clause['id']} stands twice", _place(text, file, clause))
            continue
        context.program.clauses[clause["id"]] = Clause(
            clause["id"], clause["section"], clause["kind"], clause["text"], tuple(map(str, modes)),
            clause.get("ruling", ""),
        )  # fmt: skip


def _line_in(message: str) -> int:
    words = message.replace(",", " ").replace(")", " ").split()
    return int(words[words.index("line") + 1]) if "line" in words[:-1] else 1


def _place(text: str, file: str, clause: dict[str, object]) -> Span:
    """Where a clause stands, found by its number."""
    needle = f'"{clause.get("id")}"'
    for number, line in enumerate(text.split("\n"), 1):
        if needle in line:
            return Span(file, number, 1, number, len(line) + 1)
    return Span(file, 1, 1, 1, 2)


def check_citations(context: Context) -> None:
    """Every clause that is cited must be in the catalogue."""
    known = context.program.clauses
    cited = [c for c in context.program.citations if c.clause not in known]
    if cited and not known:
        first = min(cited, key=lambda c: c.span)
        context.report(
            "D601", "clauses are cited, and the game has no catalogue of them", first.span,
            help='Write `clauses "clauses.toml"` below `game`, and list them there.',
        )  # fmt: skip
        return
    for citation in cited:
        near = did_you_mean(suggest(citation.clause, list(known)))
        context.report_unknown(citation.clause, citation.span, "clause", known, code="D601", help=near)
