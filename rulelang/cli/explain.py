"""``rulelang explain``: what a diagnostic means."""

from __future__ import annotations

import re
from argparse import Namespace
from pathlib import Path

from rulelang.cli.status import Status
from rulelang.cli.streams import show
from rulelang.diagnostic import CODES, DOCS_URL, lookup, suggest
from rulelang.errors import UsageError

# What a page says to its test about an example is not for readers.
_MARK = re.compile(r"^<!--.*-->\n", re.MULTILINE)


def run(arguments: Namespace) -> Status:
    """Print the page of a code."""
    code = lookup(arguments.code)
    if code is None:
        near = suggest(arguments.code, [*CODES, *(each.name for each in CODES.values())])
        raise UsageError(f"there is no diagnostic {arguments.code!r}", near)
    page = pages() / f"{code.code}.md"
    if page.is_file():
        show(_MARK.sub("", page.read_text(encoding="utf-8")).rstrip())
    else:
        show(f"{code.code} {code.name} ({code.severity}, area {code.code[0]}: {code.area})")
        show(f"{DOCS_URL}{code.code}.html")
    return Status.FINE


def pages() -> Path:
    """The folder of the pages: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "_diagnostics"
    return inside if inside.is_dir() else package.parent / "docs" / "diagnostics"
