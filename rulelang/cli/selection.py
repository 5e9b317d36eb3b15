"""Which diagnostics are reported: ``--select`` and ``--ignore``."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from rulelang.codes import AREAS
from rulelang.diagnostic import CODES, Code, Diagnostic, lookup, suggest
from rulelang.errors import UsageError

_HARD_AREAS = "SNT"
"""Where these have errors nothing else can be said, so that they cannot be hidden."""


@frozen
class Selection:
    """The codes that are reported; None for all, less those that are ignored."""

    selected: frozenset[str] | None
    ignored: frozenset[str]

    @classmethod
    def of(cls, select: Iterable[str], ignore: Iterable[str]) -> Selection:
        """From lists of codes, names and letters of areas. `UsageError` for anything else."""
        selected = [code.code for word in _words(select) for code in _meant(word)]
        ignored = [code.code for word in _words(ignore) for code in _ignorable(word)]
        return cls(frozenset(selected) or None, frozenset(ignored))

    def shows(self, diagnostic: Diagnostic) -> bool:
        """Is it reported, and does it count?"""
        if _hard(CODES[diagnostic.code]):
            return True
        if diagnostic.code in self.ignored:
            return False
        return self.selected is None or diagnostic.code in self.selected


def _words(lists: Iterable[str]) -> list[str]:
    return [word for words in lists for word in re.split(r"[\s,]+", words) if word]


def _meant(word: str) -> list[Code]:
    if word.upper() in AREAS:
        return [code for code in CODES.values() if code.code[0] == word.upper()]
    code = lookup(word)
    if code is not None:
        return [code]
    near = suggest(word, [*CODES, *(code.name for code in CODES.values())])
    areas = (
        ""
        if near
        else f"; areas are {', '.join(f'{letter} ({what})' for letter, what in AREAS.items())}"
    )
    raise UsageError(f"there is no code, name or area {word!r}{areas}", near)


def _ignorable(word: str) -> list[Code]:
    codes = _meant(word)
    if not any(map(_hard, codes)):
        return codes
    reason = "a game with such an error cannot be checked further, let alone played"
    soft = [code.code for code in codes if not _hard(code)]
    instead = f"; {', '.join(soft)} can be" if soft else ""
    raise UsageError(f"{word} cannot be ignored: {reason}{instead}")


def _hard(code: Code) -> bool:
    return code.severity == "error" and code.code[0] in _HARD_AREAS
