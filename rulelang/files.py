"""What is a file that can be read as rules or written over, and what only looks like one."""

from __future__ import annotations

from pathlib import Path

from rulelang.errors import UsageError

MAX_FILE_SIZE = 4_000_000
"""In characters: the longest file of rules that is read."""


def is_rules_file(path: Path) -> bool:
    """Is this a file of rules? UsageError if it is called like one and can never be read.

    A link to nothing or to a folder, a pipe or a device is told about, so that nothing that looks
    like a part of a game is passed over.
    """
    if path.suffix != ".rules":
        return False
    try:
        if path.is_file():
            return True
        if path.is_dir():
            if not path.is_symlink():
                return False
            reason = "it is a link to a folder, and such links are not followed"
        elif path.exists():
            reason = "it is a pipe or a device, not a file"
        else:
            reason = "it is a link to something that is not there"
    except OSError as error:
        reason = error.strerror or str(error)
    raise UsageError(f"{path.as_posix()} cannot be read: {reason}")


def check_target(path: Path) -> None:
    """UsageError if something is at ``path`` that a file must not or cannot take the place of."""
    try:
        free = path.is_file() or not path.exists()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{path.as_posix()[:80]!r} cannot be written: {reason}") from None
    if not free:
        kind = "a folder" if path.is_dir() else "a pipe or a device"
        raise UsageError(f"{path.as_posix()} cannot be written: it is {kind}, not a file")
