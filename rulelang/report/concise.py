"""One line a diagnostic, and one line for all of them."""

from collections.abc import Collection, Iterable

from rulelang.diagnostic import Diagnostic, sort_key


def render_concise(diagnostics: Iterable[Diagnostic]) -> str:
    """A line for each, as `file:line:column: error[N201] message`."""
    return "\n".join(map(str, sorted(diagnostics, key=sort_key)))


def summary(diagnostics: Collection[Diagnostic]) -> str:
    """How many of each severity in how many files, as `2 errors, 1 warning, in 3 files`."""
    if not diagnostics:
        return "no problems"
    severities = [diagnostic.severity for diagnostic in diagnostics]
    words = [
        _count(severities.count("error"), "error"),
        _count(severities.count("warning"), "warning"),
        _count(severities.count("info"), "info"),
        "in " + _count(len({diagnostic.file for diagnostic in diagnostics}), "file"),
    ]
    return ", ".join(word for word in words if word)


def _count(number: int, noun: str) -> str:
    if number == 0:
        return ""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
