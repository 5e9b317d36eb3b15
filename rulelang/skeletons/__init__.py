"""Skeletons: the files that a game, a pack or an entry begins with.

The texts lie beside this module, with `$name` where something is filled in.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from importlib.resources import files
from string import Template

from attrs import frozen

from rulelang.errors import UsageError, shown
from rulelang.loader import SKIPPED, shipped

WORKFLOW = ".github/workflows/check.yml"
_LONGEST = 80
_DEVICES = frozenset(
    ("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(1, 10)))
)
"""Names that are no files on some systems."""


@frozen
class Named:
    """A title as it was given, and the name of its folder."""

    title: str
    folder: str


def named(name: str) -> Named:
    """The title and folder that a name stands for. `UsageError` if there is no safe one."""
    title = unicodedata.normalize("NFC", " ".join(name.split(" "))).strip()
    if not title.isprintable() or "/" in title or "\\" in title:
        raise UsageError(f"a name is one line, without / and \\, not {shown(name)}")
    if any(quote in title for quote in '"“”„'):
        raise UsageError(f"a name has no quotes in it, and {shown(name)} has")
    words = re.sub(r"[^\w-]", "", title.replace(" ", "_"))
    folder = words.strip("-_")
    if not folder:
        raise UsageError(f"a name needs a letter or a figure, and {shown(name)} has none")
    if len(folder.encode()) > _LONGEST:
        raise UsageError(f"a name has {_LONGEST} letters at most, not {shown(name)}")
    if folder.casefold() in _DEVICES | SKIPPED:
        raise UsageError(f"no folder can be called {folder!r}")
    return Named(title, folder)


def game(wanted: Named) -> dict[str, str]:
    """The files of a small game that can be played, by path. `UsageError` if it has no name."""
    name = wanted.folder.replace("-", "_")
    if not re.fullmatch(r"[^\W\d]\w*", name) or name == "cites":
        raise UsageError(f"the name of a game begins with a letter, not like {shown(wanted.title)}")
    if name in shipped():
        raise UsageError(f"{name!r} is the name of a game that is there already")
    return _filled("game", {"title": wanted.title, "name": name, "folder": wanted.folder})


def readme(values: Mapping[str, str]) -> str:
    """What the author of a pack reads first."""
    return _filled("pack", values)["README.md"]


def workflow(*, tested: bool) -> str:
    """The workflow that checks every change, and also runs the scenarios if ``tested``."""
    line = "      - run: rulelang test .\n" if tested else ""
    return _filled("ci", {"test_line": line})["check.yml"]


def _filled(folder: str, values: Mapping[str, str]) -> dict[str, str]:
    """The texts of a folder beside this module, with values filled in."""
    found = {}
    for file in sorted(files(__package__).joinpath(folder).iterdir(), key=lambda each: each.name):
        if not file.name.startswith(("_", ".")):
            found[file.name] = Template(file.read_text("utf-8")).substitute(values)
    return found
