"""What a diagnostic says, for renderings that have no room for a snippet."""

from rulelang.codes import AREAS, Severity
from rulelang.diagnostic import Diagnostic, Span
from rulelang.display import printable

SEVERITIES: tuple[Severity, ...] = ("error", "warning", "info")
"""From the worst to the mildest."""


def lines_of(diagnostic: Diagnostic) -> list[str]:
    """The message, and each line of the help, harmless and without line breaks."""
    return [printable(diagnostic.message), *help_of(diagnostic)]


def help_of(diagnostic: Diagnostic) -> list[str]:
    """The lines of the help, harmless and without line breaks; none if there is no help."""
    return [printable(line) for line in (diagnostic.help or "").split("\n") if line.strip()]


def place(span: Span) -> str:
    """A place as `file:line:column`."""
    return f"{printable(span.file)}:{span.line}:{span.column}"


def title(diagnostic: Diagnostic) -> str:
    """The code and the name, as `N201 unknown-name`."""
    return f"{diagnostic.code} {diagnostic.name}"


def area(diagnostic: Diagnostic) -> str:
    """What the letter of its code stands for, as `names and packs`."""
    return AREAS.get(diagnostic.code[:1], "other")
