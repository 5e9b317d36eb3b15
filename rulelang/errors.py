"""Everything that rulelang raises. All arguments go to `args`, so that each error pickles."""

from collections.abc import Iterable

from rulelang.diagnostic import Diagnostic, did_you_mean, sort_key
from rulelang.display import printable

_SHOWN = 5
_SHOWN_CHOICES = 12


class Error(Exception):
    """The base of every error that rulelang raises."""


class UsageError(Error):
    """An argument that does not fit: an unknown mode, setting, number of players, file format.

    `suggestions` are names that may have been meant; the text asks for them.
    """

    def __init__(self, message: str, suggestions: Iterable[str] = ()) -> None:
        self.message = message
        self.suggestions = tuple(suggestions)
        super().__init__(message, self.suggestions)

    def __str__(self) -> str:
        question = did_you_mean(self.suggestions)
        return f"{self.message}; {question}" if question else self.message


class RuleError(Error):
    """The content is wrong. `diagnostics` has every finding, in the order of reports."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(sorted(diagnostics, key=sort_key))
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        from rulelang.report.concise import summary

        # Only errors keep a game from loading, so they go before any warnings.
        worst_first = sorted(self.diagnostics, key=lambda each: each.severity != "error")
        lines = [summary(self.diagnostics), *map(str, worst_first[:_SHOWN])]
        if len(worst_first) > _SHOWN:
            lines.append(f"and {len(worst_first) - _SHOWN} more")
        return "\n  ".join(lines)


class ChoiceError(Error):
    """A choice that is not legal now. `legal` has the labels of those that are."""

    def __init__(self, message: str, legal: Iterable[str]) -> None:
        self.message = message
        self.legal = tuple(legal)
        super().__init__(message, self.legal)

    def __str__(self) -> str:
        if not self.legal:
            return f"{self.message}; nothing is legal now"
        shown = ", ".join(self.legal[:_SHOWN_CHOICES])
        more = len(self.legal) - _SHOWN_CHOICES
        return f"{self.message}; legal: {shown}" + (f", and {more} more" if more > 0 else "")


class SaveError(Error):
    """A save that is damaged or does not fit this game. The text says where and why."""


class GameFault(Error):
    """A rule went wrong while running; the session stays at its last decision.

    `rule` is its name, `file` and `line` say where it stands, and `digest` is the hash of the state
    that it started from.
    """

    def __init__(self, message: str, rule: str, file: str, line: int, digest: str) -> None:
        self.message = message
        self.rule = rule
        self.file = file
        self.line = line
        self.digest = digest
        super().__init__(message, rule, file, line, digest)

    def __str__(self) -> str:
        place = f"{printable(self.file)}:{self.line}"
        return f"{place}: {self.message} (in rule {self.rule}, state {self.digest})"


def shown(value: object) -> str:
    """A value that was given for another, for a message: cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # a number of thousands of digits has no text
        return f"such {type(value).__name__}"
    return text if len(text) <= 80 else f"{text[:77]}..."
