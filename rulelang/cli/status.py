"""The exit statuses, the same for every command, and the exception that ends a command early."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """What the command says to the shell. The worst of several things is the highest."""

    FINE = 0
    FINDINGS = 1
    """Findings at or above the fail level, a failing scenario, a faulting game."""
    USAGE = 2
    """Wrong usage, or input that cannot be read."""
    NOTHING = 3
    """Nothing is there to check or to run."""
    FAULT = 4
    """A fault of rulelang itself."""
    INTERRUPTED = 130


class Stop(Exception):
    """Ends a command with a status and one line for a person."""

    def __init__(self, status: Status, message: str) -> None:
        super().__init__(message)
        self.status = status
