"""``rulelang fmt``: the settled layout for .rules files."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from pathlib import Path

from attrs import frozen

from rulelang.cli.status import Status, Stop
from rulelang.cli.streams import (
    STDIN,
    complain,
    paint,
    read_stdin,
    say,
    show,
    use_color,
    write_bytes,
)
from rulelang.cli.targets import existing, listing
from rulelang.display import printable
from rulelang.errors import RuleError
from rulelang.files import check_target
from rulelang.loader import decode
from rulelang.report import render_full
from rulelang.syntax.formatter import FormattingError, format_text
from rulelang.writing import write_files

_COLORS = {"+": "32", "-": "31", "@": "36"}


@frozen
class _File:
    """A file to be formatted; ``path`` is None for standard input."""

    name: str
    path: Path | None

    def read(self) -> bytes:
        return read_stdin(-1) if self.path is None else self.path.read_bytes()


def run(arguments: Namespace) -> Status:
    """Format the files, or say which would change."""
    files = _files(arguments.paths)
    if not (arguments.check or arguments.diff):
        for file in files:
            if file.path is not None:
                check_target(file.path)
    if not files:
        raise Stop(
            Status.NOTHING,
            f"nothing there: no .rules files in {', '.join(arguments.paths or ['.'])}",
        )
    counts: Counter[str] = Counter()
    status = Status.FINE
    for file in files:
        try:
            before = file.read()
            after = _formatted(before, file.name)
            counts["changed" if after != before else "same"] += 1
            status = max(status, _settle(file, before, after, arguments))
        except RuleError as error:
            texts = {file.name: decode(before, file.name)[0]}
            say(render_full(error.diagnostics, texts, use_color(sys.stderr)))
            counts["left"] += 1
            status = max(status, Status.FINDINGS)
        except FormattingError as error:
            complain(f"{error}; this is a fault of rulelang itself: please report it with the file")
            counts["left"] += 1
            status = max(status, Status.FAULT)
        except BrokenPipeError:
            raise
        except OSError as error:
            complain(f"{file.name}: {error.strerror or error}")
            counts["left"] += 1
            status = max(status, Status.USAGE)
    say(_summary(counts, arguments.check or arguments.diff))
    return status


def _settle(file: _File, before: bytes, after: bytes, arguments: Namespace) -> Status:
    if arguments.check or arguments.diff:
        if after == before:
            return Status.FINE
        if arguments.check:
            show(printable(file.name))
        else:
            for line in diff(before, after, file.name):
                show(line)
        return Status.FINDINGS
    if file.path is None:
        write_bytes(after)
    elif after != before:
        replace(file.path, after)
        say(f"formatted {printable(file.name)}")
    return Status.FINE


def _summary(counts: Counter[str], dry: bool) -> str:
    changed = "would change" if dry else "changed"
    parts = [f"{counts['changed']} {changed}", f"{counts['same']} as they should be"]
    if counts["left"]:
        parts.append(f"{counts['left']} could not be formatted")
    return "files: " + ", ".join(parts)


# ---------------------------------------------------------------- files


def _files(given: Sequence[str]) -> list[_File]:
    found: dict[Path | None, _File] = {}
    for argument in given or ["."]:
        if argument == "-":
            found.setdefault(None, _File(STDIN, None))
            continue
        path = existing(argument)
        if path is None:
            raise Stop(Status.USAGE, f"there is no file or folder {argument!r}")
        for each in _below(path) if path.is_dir() else [path]:
            found.setdefault(each.resolve(), _File(each.as_posix(), each))
    return list(found.values())


def _below(folder: Path) -> Iterator[Path]:
    files, folders = listing(folder)
    yield from files
    for below in folders:
        yield from _below(below)


def replace(path: Path, data: bytes) -> None:
    """Put bytes in a file's place at once or not at all; its mode stays, and links stay links."""
    path = path.resolve()
    if not os.access(path, os.W_OK):
        raise PermissionError(13, "it must not be written", str(path))
    write_files({path: data})


# ---------------------------------------------------------------- texts


def _formatted(data: bytes, name: str) -> bytes:
    """The bytes of a file in the settled layout; its kind of line ends stays."""
    text, problem = decode(data, name)
    if problem is not None:
        raise RuleError([problem])
    formatted = format_text(text, name)
    windows = 2 * data.count(b"\r\n") > data.count(b"\n")
    return (formatted.replace("\n", "\r\n") if windows else formatted).encode()


def diff(before: bytes, after: bytes, name: str) -> Iterator[str]:
    """The lines of a unified diff of a file, in colour on a terminal."""
    color = use_color(sys.stdout)
    old, new = (_lines(data.decode()) for data in (before, after))
    for line in unified_diff(old, new, printable(name), printable(name)):
        text = line[:-1] if line.endswith("\n") else f"{line}\n\\ No newline at end of file"
        yield paint(text, _COLORS.get(line[0], "0"), color) if line[0] in _COLORS else text


def _lines(text: str) -> list[str]:
    """The lines with their ends. Other signs than a line feed divide no lines here."""
    lines = [line + "\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]
