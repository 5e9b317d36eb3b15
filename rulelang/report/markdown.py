"""Diagnostics as a table in Markdown, for a comment on a pull request."""

from collections.abc import Iterable

from rulelang.diagnostic import Diagnostic, sort_key
from rulelang.report.concise import summary
from rulelang.report.wording import lines_of, place

MOST_CHARACTERS = 60_000
"""Code hosts refuse longer comments; what goes beyond is only counted."""

_HEAD = "\n\n| | Place | Problem |\n|---|---|---|"
# An empty note keeps hosts from making a mention, or a link to an issue, of what follows a sign.
_ESCAPES = str.maketrans(
    {
        **{sign: f"\\{sign}" for sign in "\\`*_[]~$|"},
        **{sign: f"{sign}<!-- -->" for sign in "@#"},
        "&": "&amp;",
        "<": "&lt;",
        ">": "&gt;",
    }
)


def render_markdown(diagnostics: Iterable[Diagnostic]) -> str:
    """A line with the numbers, and a table with a row for each; only the line if there are none."""
    found = sorted(diagnostics, key=sort_key)
    text = f"**{summary(found)}**"
    for number, diagnostic in enumerate(found):
        row = _row(diagnostic)
        if len(text) + len(row) > MOST_CHARACTERS:
            return f"{text}\n\n… and {len(found) - number:,} more."
        text += ("" if number else _HEAD) + "\n" + row
    return text


def _row(diagnostic: Diagnostic) -> str:
    said = "<br>".join(map(_escaped, lines_of(diagnostic)))
    code = f"[{diagnostic.code}]({diagnostic.url})"
    where = f"<code>{_escaped(place(diagnostic.span))}</code>"
    return f"| {diagnostic.severity} | {where} | {code} {said} |"


def _escaped(text: str) -> str:
    """The text as it stands: no sign of it marks anything up, names anybody or ends a cell."""
    return text.translate(_ESCAPES)
