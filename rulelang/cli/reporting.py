"""The results of ``rulelang check`` in all formats, on standard output and in files."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from attrs import frozen

from rulelang import __version__
from rulelang.cli.streams import show, use_color, write_bytes
from rulelang.codes import Severity
from rulelang.diagnostic import Diagnostic
from rulelang.errors import UsageError
from rulelang.files import check_target
from rulelang.report import (
    render_concise,
    render_full,
    render_github,
    render_gitlab,
    render_json,
    render_junit,
    render_markdown,
    render_sarif,
)
from rulelang.writing import check_writable, write_files

Reports = Sequence[tuple[str, str]]
"""Formats, and the files to be written in them."""
_FOR_PEOPLE = ("full", "concise")


@frozen
class Results:
    """What was found, in which texts by file, and which severities make the command fail."""

    found: Sequence[Diagnostic]
    texts: dict[str, str]
    files: Sequence[str]
    """The .rules files that were read."""
    entries: int
    failing: Sequence[Severity]

    @property
    def fails(self) -> bool:
        """Is any of it at or above the fail level?"""
        return any(each.severity in self.failing for each in self.found)

    def rendered(self, form: str, color: bool = False) -> str:
        """The text in a format, without a last line break; empty if the format says nothing."""
        match form:
            case "concise":
                return render_concise(self.found)
            case "json":
                return render_json(self.found, len(self.files), self.entries)
            case "sarif":
                return render_sarif(self.found, self.texts, __version__)
            case "junit":
                return render_junit(self.found, self.files, self.failing)
            case "github":
                return render_github(self.found)
            case "gitlab":
                return render_gitlab(self.found, self.texts)
            case "markdown":
                return render_markdown(self.found)
        return render_full(self.found, self.texts, color)


def show_results(results: Results, form: str) -> None:
    """Print the results: as the terminal takes them if a person reads them, else in UTF-8."""
    if form in _FOR_PEOPLE:
        text = results.rendered(form, use_color(sys.stdout))
        if text:
            show(text)
        return
    data = _encoded(results.rendered(form))
    if data:
        write_bytes(data)


def check_reports(reports: Reports) -> None:
    """UsageError if one cannot be written; asked before any work is done."""
    places = set()
    for _, file in reports:
        path = Path(file)
        check_target(path)
        place = Path(os.path.realpath(path))
        if place.suffix == ".rules":
            raise UsageError(f"{file} is a file of rules; a report would take its place")
        if not place.parent.is_dir():
            raise UsageError(f"{file} cannot be written: there is no folder {path.parent}")
        if place.exists():
            check_writable(place, file)
        if place in places:
            raise UsageError(f"two reports are to be written to {file}")
        places.add(place)


def write_reports(results: Results, reports: Reports) -> None:
    """Write the results to files. UsageError if that is not possible."""
    for form, file in reports:
        try:
            write_files({Path(file): _encoded(results.rendered(form))})
        except OSError as error:
            raise UsageError(f"{file} cannot be written: {error.strerror or error}") from None


def _encoded(text: str) -> bytes:
    return f"{text}\n".encode("utf-8", "backslashreplace") if text else b""
