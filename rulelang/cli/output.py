"""JSON for other programs: in UTF-8 whatever the terminal takes, to standard output or a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulelang.cli.streams import write_bytes
from rulelang.content.schema import text_of
from rulelang.files import check_target


def check_output(output: str | None) -> None:
    """UsageError if nothing can be written there; asked before any work is done."""
    if output is not None and output != "-":
        check_target(Path(output))


def write_json(data: Any, output: str | None) -> None:
    """Write ``data`` to the file ``output``, or to standard output for None and ``-``."""
    text = text_of(data).encode("utf-8")
    if output is None or output == "-":
        write_bytes(text)
    else:
        Path(output).write_bytes(text)
