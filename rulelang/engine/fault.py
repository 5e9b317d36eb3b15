"""What stops a rule that cannot go on."""

from __future__ import annotations

from rulelang.diagnostic import Span

UNFORESEEN = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What Python raises where a value is not what the checker took it for."""


class Fault(Exception):
    """A rule cannot go on: a bound overstepped, the first of nothing.

    The session makes it a `GameFault`.

    ``span`` is given where no frame says which line it is, as for a starting value.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.span = span


def unforeseen(error: Exception) -> Fault:
    """The fault that stands for one of the `UNFORESEEN` errors."""
    if isinstance(error, RecursionError):
        return Fault("the questions asked here are nested too deeply")
    if isinstance(error, AttributeError | TypeError):
        return Fault("this cannot be worked out: a value that is needed here is none")
    return Fault("this cannot be worked out")
