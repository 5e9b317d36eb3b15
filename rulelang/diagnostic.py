"""Diagnostics: what is wrong, where, and what would mend it. Passes return them as data."""

import re
from collections.abc import Iterable
from typing import Any

from attrs import frozen

from rulelang.codes import AREAS, TABLE, Severity
from rulelang.display import printable

__all__ = [
    "CODES",
    "DOCS_URL",
    "Code",
    "Diagnostic",
    "Edit",
    "Fix",
    "Note",
    "Severity",
    "Span",
    "did_you_mean",
    "lookup",
    "make",
    "sort_key",
    "suggest",
]

DOCS_URL = "https://rulelang.readthedocs.io/diagnostics/"


@frozen(order=True)
class Span:
    """A stretch of a file: lines and columns from 1, columns in characters, the end exclusive."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def point(cls, file: str, line: int, column: int) -> "Span":
        """The empty span before a character, as for an insertion."""
        return cls(file, line, column, line, column)

    def to(self, other: "Span") -> "Span":
        """The smallest span that covers both. ValueError if they are in different files."""
        if self.file != other.file:
            raise ValueError(f"no span covers both {self.file} and {other.file}")
        start = min((self.line, self.column), (other.line, other.column))
        end = max((self.end_line, self.end_column), (other.end_line, other.end_column))
        return Span(self.file, *start, *end)

    def as_json(self) -> dict[str, Any]:
        """The five fields as a JSON-able object."""
        return {
            "file": self.file,
            "line": self.line,
            "column": self.column,
            "end_line": self.end_line,
            "end_column": self.end_column,
        }


@frozen
class Note:
    """Another place that matters to a diagnostic, and a few words on why."""

    span: Span
    label: str

    def as_json(self) -> dict[str, Any]:
        """The label and the five fields of the span as a JSON-able object."""
        return {"label": self.label, **self.span.as_json()}


@frozen
class Edit:
    """Replace what the span covers by the text; an empty span inserts, an empty text removes."""

    span: Span
    text: str

    def as_json(self) -> dict[str, Any]:
        """The five fields of the span and the text as a JSON-able object."""
        return {**self.span.as_json(), "text": self.text}


@frozen
class Fix:
    """Edits that belong together. Safe: the author would have meant nothing else."""

    message: str
    edits: tuple[Edit, ...]
    safe: bool

    def as_json(self) -> dict[str, Any]:
        """The message, whether the fix is safe, and its edits as a JSON-able object."""
        edits = [edit.as_json() for edit in self.edits]
        return {"message": self.message, "safe": self.safe, "edits": edits}


@frozen
class Diagnostic:
    """One finding. Made with `make`, which knows the name and severity of each code.

    `message` says what is wrong and stands alone; `help` says what to write instead; `label` is the
    short text beside the marked place in a snippet.
    """

    code: str
    name: str
    severity: Severity
    message: str
    span: Span
    help: str | None = None
    notes: tuple[Note, ...] = ()
    fix: Fix | None = None
    label: str = ""

    @property
    def file(self) -> str:
        """The file, as a path relative to the content's root, with `/`."""
        return self.span.file

    @property
    def line(self) -> int:
        """The first line, from 1."""
        return self.span.line

    @property
    def column(self) -> int:
        """The first column, in characters from 1."""
        return self.span.column

    @property
    def end_line(self) -> int:
        """The line that the end is on."""
        return self.span.end_line

    @property
    def end_column(self) -> int:
        """The column after the last character."""
        return self.span.end_column

    @property
    def url(self) -> str:
        """The page that explains the code."""
        return f"{DOCS_URL}{self.code}.html"

    def as_json(self) -> dict[str, Any]:
        """The public fields as a JSON-able object; spans as five fields each."""
        return {
            "code": self.code,
            "name": self.name,
            "severity": self.severity,
            "message": self.message,
            **self.span.as_json(),
            "help": self.help,
            "notes": [note.as_json() for note in self.notes],
            "fix": self.fix.as_json() if self.fix else None,
            "url": self.url,
        }

    def __str__(self) -> str:
        place = f"{printable(self.file)}:{self.line}:{self.column}"
        return f"{place}: {self.severity}[{self.code}] {printable(self.message)}"


def sort_key(diagnostic: Diagnostic) -> tuple[str, int, int, str]:
    """The order of every report: by file, line, column, and code."""
    return diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.code


@frozen
class Code:
    """A row of the catalogue: N201, unknown-name, error, and the area that N stands for."""

    code: str
    name: str
    severity: Severity
    area: str


def _catalogue(table: Iterable[tuple[str, str, Severity]]) -> dict[str, Code]:
    codes: dict[str, Code] = {}
    names: set[str] = set()
    for code, name, severity in table:
        if code in codes or name in names:
            raise ValueError(f"{code} {name}: code or name stands twice in the table")
        codes[code] = Code(code, name, severity, AREAS[code[0]])
        names.add(name)
    return codes


CODES: dict[str, Code] = _catalogue(TABLE)
_BY_NAME: dict[str, Code] = {code.name: code for code in CODES.values()}


def lookup(code_or_name: str) -> Code | None:
    """The row for a code or a name, in capitals or not; None if there is none."""
    return CODES.get(code_or_name.upper()) or _BY_NAME.get(code_or_name.lower())


def make(
    code_or_name: str,
    message: str,
    span: Span,
    *,
    help: str | None = None,
    notes: Iterable[Note] = (),
    fix: Fix | None = None,
    label: str = "",
) -> Diagnostic:
    """A diagnostic with the name and severity that the catalogue gives its code.

    KeyError if the catalogue has neither such a code nor such a name.
    """
    row = CODES.get(code_or_name) or _BY_NAME[code_or_name]
    return Diagnostic(
        row.code, row.name, row.severity, message, span, help, tuple(notes), fix, label
    )


# Nobody mistypes a word of this length by a few letters, and the comparison is quadratic.
_LONGEST_WORD = 80
_SEPARATORS = re.compile(r"[\s_-]+")


def suggest(word: str, candidates: Iterable[str], limit: int = 3) -> list[str]:
    """The candidates that the word may be a slip for: best first, else in the order given.

    Capitals do not count, and spaces, hyphens, and underscores are equal. About a third of the
    letters may be wrong. The word itself is never suggested.
    """
    if len(word) > _LONGEST_WORD:
        return []
    plain = _plain(word)
    allowed = max(len(plain), 3) // 3
    # The order of a set differs between processes.
    ordered = sorted(candidates) if isinstance(candidates, set | frozenset) else candidates
    found: list[tuple[int, str]] = []
    for candidate in dict.fromkeys(ordered):
        other = _plain(candidate)
        if candidate == word or abs(len(other) - len(plain)) > allowed:
            continue
        distance = _distance(plain, other)
        if distance <= allowed and distance < max(len(plain), len(other), 1):
            found.append((distance, candidate))
    found.sort(key=lambda pair: pair[0])
    return [candidate for _, candidate in found[:limit]]


def did_you_mean(names: Iterable[str]) -> str | None:
    """The names of `suggest` as a question for a help line; None if there are none."""
    match list(names):
        case []:
            return None
        case [one]:
            return f"did you mean {one}?"
        case [one, two]:
            return f"did you mean {one} or {two}?"
        case [*most, last]:
            return f"did you mean {', '.join(most)}, or {last}?"
    return None


def _plain(name: str) -> str:
    return _SEPARATORS.sub(" ", name).strip().casefold()


def _distance(one: str, two: str) -> int:
    """Edits from one to the other: insert, delete, replace, or swap neighbours, each place once."""
    before: list[int] = []
    above = list(range(len(two) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, other in enumerate(two, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != other))
            if i > 1 and j > 1 and letter == two[j - 2] and one[i - 2] == other:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        before, above = above, row
    return above[-1]
