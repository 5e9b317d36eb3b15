"""The catalogue of clauses, and whether citations are to be found in it."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import PurePosixPath
from typing import Any

from rulelang.checker.context import Context
from rulelang.diagnostic import Span
from rulelang.program.program import Clause

TEXTS = ("id", "section", "kind", "text")


def clauses(context: Context, named: tuple[str, Span] | None, catalogues: dict[str, str]) -> None:
    """Read the catalogue that the game names, and check all citations against it.

    Packs may have more clauses in files of the same name.
    """
    if named is not None:
        file, span = named
        found = [name for name in catalogues if PurePosixPath(name).name == file]
        if not found:
            context.report("D602", f"there is no file `{file}` beside the game", span)
            return
        found.sort(key=lambda name: -name.count("/"))  # what a pack extends lies below it
        read = [
            _read(context, catalogues[name], name) for name in found
        ]  # each reports what is wrong
        if not all(read):
            return  # what is wrong with it was reported; its clauses are not also unknown
    _check_citations(context)


def _read(context: Context, text: str, file: str) -> bool:
    """Read ``clauses.toml``: a table ``[[clause]]`` for each, with id, section, kind and text."""
    try:
        data = _parsed(text)
    except tomllib.TOMLDecodeError as error:
        line = _line_in(str(error), text)
        message = f"the catalogue cannot be read: {error}"
        context.report("D602", message, Span(file, line, 1, line, 2))
        return False
    listed = data.get("clause", [])
    if not isinstance(listed, list) or any(not isinstance(clause, dict) for clause in listed):
        message = "the catalogue holds no list of `[[clause]]`"
        context.report("D602", message, Span(file, 1, 1, 1, 2))
        return False
    whole = True
    for number, clause in enumerate(listed, 1):
        whole = _clause(context, number, clause, text, file) and whole
    return whole


@lru_cache(maxsize=8)
def _parsed(text: str) -> dict[str, Any]:
    """The tables of the text. Reading them takes longer than checking them; nobody changes them."""
    return tomllib.loads(text)


def _clause(context: Context, number: int, clause: dict[str, object], text: str, file: str) -> bool:
    texts = [clause.get(name) for name in TEXTS]
    wrong = next((n for n, v in zip(TEXTS, texts, strict=True) if not isinstance(v, str)), None)
    modes, ruling = clause.get("modes", []), clause.get("ruling", "")
    if not isinstance(modes, list) or not isinstance(ruling, str):
        wrong = wrong or ("modes" if isinstance(ruling, str) else "ruling")
    if wrong is not None or not isinstance(modes, list) or not isinstance(ruling, str):
        message = f"clause number {number} lacks a proper `{wrong}`"
        context.report("D602", message, _place(text, file, clause, number))
        return False
    id, section, kind, words = map(str, texts)
    if id in context.program.clauses:
        context.report("D602", f"clause {id} stands twice", _place(text, file, clause, number))
        return True
    made = Clause(id, section, kind, words, tuple(map(str, modes)), ruling)
    context.program.clauses[id] = made
    return True


def _line_in(message: str, text: str) -> int:
    """The line that an error of the TOML reader names; its last one where it names the end."""
    words = message.replace(",", " ").replace(")", " ").split()
    if "line" in words[:-1]:
        return int(words[words.index("line") + 1])
    return text.rstrip().count("\n") + 1


def _place(text: str, file: str, clause: dict[str, object], number: int) -> Span:
    """Where a clause stands: where its id does, the last time if it stands twice, or its head."""
    needle = f'"{clause.get("id")}"'
    found = Span(file, 1, 1, 1, 2)
    heads = 0
    for place, line in enumerate(text.split("\n"), 1):
        start = line.lstrip()
        heads += start.startswith("[[clause]]")
        is_head = start.startswith("[[clause]]") and heads == number and "id" not in clause
        if is_head or (needle in line and start.startswith("id")):
            found = Span(file, place, 1, place, len(line) + 1)
    return found


def _check_citations(context: Context) -> None:
    """Every clause that is cited must be in the catalogue."""
    known = context.program.clauses
    cited = [c for c in context.program.citations if c.clause not in known]
    if cited and not known:
        first = min(cited, key=lambda c: c.span)
        context.report(
            "D601",
            "clauses are cited, and the game has no catalogue of them",
            first.span,
            help='Write `clauses "clauses.toml"` below `game`, and list them there.',
        )
        return
    for citation in cited:
        context.report_unknown(citation.clause, citation.span, "clause", known, code="D601")
