"""Diagnostics as one JSON object."""

import json
from collections.abc import Iterable

from rulelang.diagnostic import Diagnostic, sort_key


def render_json(diagnostics: Iterable[Diagnostic], files: int, entries: int) -> str:
    """An object with `diagnostics`, and the numbers of `files` and `entries` that were read.

    The text is ASCII, so that any stream can take it and any bytes of a file can be quoted.
    """
    listed = [diagnostic.as_json() for diagnostic in sorted(diagnostics, key=sort_key)]
    return json.dumps({"diagnostics": listed, "files": files, "entries": entries}, indent=2)
