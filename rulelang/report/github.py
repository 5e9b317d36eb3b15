"""Diagnostics as workflow commands, which GitHub Actions shows beside the lines they are about."""

from collections.abc import Iterable

from rulelang.codes import Severity
from rulelang.diagnostic import Diagnostic, sort_key
from rulelang.display import printable
from rulelang.report.wording import lines_of, place, title

_COMMANDS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "notice"}
_IN_MESSAGES = str.maketrans({"%": "%25", "\r": "%0D", "\n": "%0A"})
_IN_PROPERTIES = {**_IN_MESSAGES, ord(":"): "%3A", ord(","): "%2C"}


def render_github(diagnostics: Iterable[Diagnostic]) -> str:
    """A line for each, as `::error file=…,line=…,col=…,endLine=…,endColumn=…,title=…::message`."""
    return "\n".join(_command(each) for each in sorted(diagnostics, key=sort_key))


def _command(diagnostic: Diagnostic) -> str:
    properties: dict[str, str | int] = {
        "file": printable(diagnostic.file),
        "line": diagnostic.line,
        "col": diagnostic.column,
        "endLine": diagnostic.end_line,
        "endColumn": diagnostic.end_column,
        "title": title(diagnostic),
    }
    if diagnostic.end_line != diagnostic.line:
        # Columns of a place over several lines are refused.
        del properties["col"], properties["endColumn"]
    listed = ",".join(
        f"{name}={str(value).translate(_IN_PROPERTIES)}" for name, value in properties.items()
    )
    notes = [
        f"{printable(note.label) or 'see also'} ({place(note.span)})" for note in diagnostic.notes
    ]
    message = "\n".join([*lines_of(diagnostic), *notes])
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{message.translate(_IN_MESSAGES)}"
