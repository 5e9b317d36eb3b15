"""JSON for other programs: in UTF-8 whatever the terminal takes, to standard output or a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulelang.cli.streams import write_bytes
from rulelang.content.schema import text_of
from rulelang.errors import UsageError
from rulelang.files import check_target
from rulelang.writing import check_writable, write_files

_OURS = (".rules", ".toml")
"""How files of a game end."""


def check_output(output: str | None, *inputs: str | None) -> None:
    """UsageError if nothing can be written there; asked before any work is done."""
    if output is None or output == "-":
        return
    path = Path(output)
    check_target(path)
    if path.suffix in _OURS:
        raise UsageError(f"{output} is not written over: such files hold what games are made of")
    if path.exists():
        check_writable(path, output)
        for other in inputs:
            if other is not None and other != "-" and Path(other).resolve() == path.resolve():
                raise UsageError(f"{output} is not written over: it is what is read")


def write_json(data: Any, output: str | None) -> None:
    """Write ``data`` to the file ``output``, or to standard output for None and ``-``."""
    write_text(text_of(data), output)


def write_text(said: str, output: str | None) -> None:
    """Write a text in UTF-8, whatever the terminal takes, to a file or to standard output."""
    text = said.encode("utf-8")
    if output is None or output == "-":
        write_bytes(text)
    else:
        write_files({Path(output): text})
