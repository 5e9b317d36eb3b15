"""``rulelang check``: what is wrong in games."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Collection

from rulelang.analysis import analyse_sources
from rulelang.cli.selection import Selection
from rulelang.cli.status import Status
from rulelang.cli.streams import say, show, use_color
from rulelang.cli.targets import targets
from rulelang.diagnostic import Diagnostic
from rulelang.report import render_concise, render_full, render_json

_SEVERITIES = ("error", "warning", "info")


def run(arguments: Namespace) -> Status:
    """Check the games, and print what was found."""
    selection = Selection.of(arguments.select, arguments.ignore)
    games = targets(arguments.paths)
    found: list[Diagnostic] = []
    texts: dict[str, str] = {}
    entries = 0
    for game in games:
        analysis = analyse_sources(game.sources)
        found += (game.placed(each) for each in analysis.diagnostics if selection.shows(each))
        texts |= game.texts()
        entries += analysis.entries
    files = sum(len(game.sources.rules) for game in games)
    _print(arguments.format, found, texts, files, entries)
    say(_summary(found, len(games), files, entries))
    counted = _SEVERITIES[: _SEVERITIES.index(arguments.fail_level) + 1]
    return Status.FINDINGS if any(each.severity in counted for each in found) else Status.FINE


def _print(
    form: str, found: Collection[Diagnostic], texts: dict[str, str], files: int, entries: int
) -> None:
    if form == "json":
        show(render_json(found, files, entries))
    elif found and form == "concise":
        show(render_concise(found))
    elif found:
        show(render_full(found, texts, use_color(sys.stdout)))


def _summary(found: Collection[Diagnostic], games: int, files: int, entries: int) -> str:
    """One line, as `2 errors, 1 warning in 7 files, 62 entries`."""
    severities: list[str] = [each.severity for each in found]
    numbers = [(severities.count(severity), severity) for severity in _SEVERITIES]
    problems = ", ".join(counted(n, noun) for n, noun in numbers if n and noun != "info")
    infos = severities.count("info")
    if infos:
        problems += (", " if problems else "") + f"{infos} info"
    several = f"{counted(games, 'game')}, " if games > 1 else ""
    entry = "entry" if entries == 1 else "entries"
    return f"{problems or 'no problems'} in {several}{counted(files, 'file')}, {entries:,} {entry}"


def counted(number: int, noun: str) -> str:
    """A number with its noun, as `1 file` or `2 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
