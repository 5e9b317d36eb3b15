"""JSON for other programs: in UTF-8 whatever the terminal takes, to standard output or a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rulelang.cli.streams import write_bytes
from rulelang.content.schema import text_of


def write_json(data: Any, output: str | None) -> None:
    """Write ``data`` to the file ``output``, or to standard output for None and ``-``."""
    text = text_of(data).encode("utf-8")
    if output is None or output == "-":
        write_bytes(text)
    else:
        Path(output).write_bytes(text)
