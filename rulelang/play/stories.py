"""Entries whose instructions are carried out, as they are read out at a table: title and story."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from rulelang.display import printable
from rulelang.play.screen import Screen, paragraph
from rulelang.program.program import Program
from rulelang.program.values import Entry, Script
from rulelang.reading import heading, inner_heading

_MOST = 3
"""So many entries are read out at once, the last ones."""


class Stories:
    """Knows which entry a line of the log belongs to."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._owners: dict[str, Entry] = {}
        for kind in program.kinds:
            for entry in program.domains[kind].entries:
                for value in entry.fields:
                    if isinstance(value, Script):
                        self._owners[value.rule] = entry

    def told(self, log: Sequence[Mapping[str, Any]], besides: Entry | None = None) -> list[Entry]:
        """The entries with a story, or numbered ones, that lines of a log carry out; the last few.

        ``besides`` is left out.
        """
        found = [self._owners.get(line["rule"]) for line in log if line["what"] == "rule"]
        entries = [e for e in found if e is not None and e is not besides and self._is_told(e)]
        return [entry for entry, _ in groupby(entries)][-_MOST:]

    def _is_told(self, entry: Entry) -> bool:
        return self._program.kinds[entry.domain].numbered or bool(_story(entry))

    def is_tale(self, entry: Entry) -> bool:
        """Does the entry hold instructions with branches, or numbered entries with such?"""
        kinds = self._program.kinds
        parts = [part for value in entry.fields if isinstance(value, tuple) for part in value]
        return any(isinstance(value, Script) for value in entry.fields) or any(
            isinstance(part, Entry) and part.domain in kinds and kinds[part.domain].numbered
            for part in parts
        )

    def lines(self, entry: Entry, screen: Screen) -> list[str]:
        """The title of an entry, and its story below."""
        kind = self._program.kinds[entry.domain]
        said = inner_heading(entry, kind) if kind.numbered else heading(entry, kind)
        lines = [f"  {screen.style(printable(said), 'bold')}"]
        if story := _story(entry):
            text = printable(story)
            lines += paragraph(text, first="    ", rest="    ", width=screen.width)
        return lines


def _story(entry: Entry) -> str:
    story = entry.fields_by_name.get("story", "")
    return story if isinstance(story, str) else ""
