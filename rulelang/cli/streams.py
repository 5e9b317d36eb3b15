"""Standard input and output: what suits a terminal, a pipe that closes, a narrow encoding."""

from __future__ import annotations

import errno
import os
import sys
from typing import TextIO

from rulelang.display import printable

STDIN = "<stdin>"
"""What the file is called that is read from standard input."""


def prepare() -> None:
    """Let the output streams take any character: as an escape if their encoding lacks it."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def say(message: str) -> None:
    """A line on standard error, if there is one."""
    if sys.stderr is not None:
        try:
            print(message, file=sys.stderr, flush=True)
        except OSError:
            abandon(sys.stderr)


def complain(message: str) -> None:
    """One line on standard error that says who speaks."""
    say(f"rulelang: {printable(message)}")


def is_terminal(stream: TextIO | None) -> bool:
    """Does a person look at this stream?"""
    return stream is not None and not stream.closed and stream.isatty()


def use_color(stream: TextIO | None) -> bool:
    """Color on a terminal only; NO_COLOR never, FORCE_COLOR always (https://no-color.org)."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return is_terminal(stream) and os.environ.get("TERM") != "dumb"


def paint(text: str, style: str, color: bool) -> str:
    """The text in a style of the terminal, such as ``1;31``."""
    return f"\x1b[{style}m{text}\x1b[0m" if color else text


def show(text: str) -> None:
    """A line on standard output. OSError if it cannot be written.

    Where the reader of a pipe has seen enough, the command goes on: its status says what it would
    have said otherwise.
    """
    require()
    try:
        print(text)
    except BrokenPipeError:
        abandon(sys.stdout)


def write_bytes(data: bytes) -> None:
    """Bytes to standard output as they are, whatever its encoding; else like `show`."""
    require()
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    except BrokenPipeError:
        abandon(sys.stdout)


def require() -> None:
    """OSError if there is no standard output."""
    if sys.stdout is None:
        raise OSError(errno.EBADF, "standard output is closed")


def read_stdin(limit: int) -> bytes:
    """At most ``limit`` bytes of standard input, to its end."""
    return b"" if sys.stdin is None else sys.stdin.buffer.read(limit)


def flush() -> None:
    """Write out what is still held back. OSError if that is not possible."""
    if sys.stdout is not None and not sys.stdout.closed:
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            abandon(sys.stdout)


def abandon(stream: TextIO | None) -> None:
    """Point a stream that nobody reads at nothing, so that the end of the process is quiet."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno() if stream is not None else 1)
        os.close(nowhere)
    except (OSError, ValueError):
        pass
