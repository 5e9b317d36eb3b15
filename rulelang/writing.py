"""Files that are there as a whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from rulelang.errors import UsageError


def check_writable(path: Path, name: str) -> None:
    """UsageError if a file that is there must not be written, whoever asks."""
    path = path.resolve()
    if not (path.stat().st_mode & 0o222 and os.access(path, os.W_OK)):
        raise UsageError(f"{name} cannot be written: it is read-only")
    if not os.access(path.parent, os.W_OK):
        raise UsageError(f"{name} cannot be written: its folder is read-only")


def write_files(files: Mapping[Path, bytes], *, mode: int | None = None) -> None:
    """Write files, each at once, and none before there is room for all of them. Raises OSError.

    The mode of a file that is there stays, unless one is given, and a link stays a link.
    """
    staged: dict[Path, Path] = {}
    try:
        for path, data in files.items():
            with _named(path):
                staged[path] = _stage(path.resolve(), data, mode)
        for path in files:
            with _named(path):
                os.replace(staged[path], path.resolve())
            del staged[path]
    finally:
        for left in staged.values():
            with contextlib.suppress(OSError):
                left.unlink()


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error names the file that was to be written, not the one beside it."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from error


def _stage(path: Path, data: bytes, mode: int | None) -> Path:
    """A new file beside the path, with the data."""
    staged = path.with_name(f".{path.name[:50]}.{os.urandom(4).hex()}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    handle = os.open(staged, flags, 0o666 if mode is None else mode)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if mode is None and path.exists():
            os.chmod(staged, stat.S_IMODE(path.stat().st_mode))
    except BaseException:
        with contextlib.suppress(OSError):
            staged.unlink()
        raise
    return staged
