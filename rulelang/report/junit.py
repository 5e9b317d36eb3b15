"""Diagnostics, and tests of any kind, as JUnit XML, which most build servers read."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from attrs import frozen

from rulelang.codes import Severity
from rulelang.diagnostic import Diagnostic, sort_key
from rulelang.display import REPLACEMENT
from rulelang.report.wording import SEVERITIES, lines_of, place, title

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'
# What XML 1.0 cannot hold, not even escaped.
_NO_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@frozen
class Case:
    """A test: the file that it is in, its name, and the problem if it failed.

    `broken` says that it could not even be run. `details` is text about it, of several lines.
    """

    file: str
    name: str
    line: int | None = None
    problem: str | None = None
    kind: str = ""
    """What sort of problem it is, such as the code of a diagnostic."""
    details: str = ""
    broken: bool = False


def render_junit(
    diagnostics: Iterable[Diagnostic],
    files: Iterable[str],
    failing: Collection[Severity] = SEVERITIES,
) -> str:
    """A suite for each file, with a case for each diagnostic, or one that passed.

    `files` are all that were read. Diagnostics of other severities than the `failing` ones pass,
    and are told in the output of their case.
    """
    cases: dict[str, list[Case]] = {file: [] for file in sorted(files)}
    for diagnostic in sorted(diagnostics, key=sort_key):
        case = _case(diagnostic, diagnostic.severity in failing)
        cases.setdefault(diagnostic.file, []).append(case)
    listed = [cases[file] or [Case(file, "no problems")] for file in sorted(cases)]
    return render_cases([case for here in listed for case in here], "rulelang check")


def render_cases(cases: Sequence[Case], name: str) -> str:
    """Tests, those of a file together in a suite, in the order given. In ASCII."""
    root = Element("testsuites", {"name": name, **_counts(cases)})
    for file, group in groupby(cases, key=lambda case: case.file):
        here = list(group)
        suite = SubElement(root, "testsuite", {"name": _fit(file), **_counts(here)})
        for case in here:
            _add(suite, case)
    indent(root)
    text: bytes = tostring(root, "us-ascii")
    return _DECLARATION + text.decode("us-ascii")


def _case(diagnostic: Diagnostic, failed: bool) -> Case:
    message, *help = lines_of(diagnostic)
    notes = [f"note: {note.label or 'see also'} ({place(note.span)})" for note in diagnostic.notes]
    return Case(
        file=diagnostic.file,
        name=f"{title(diagnostic)} at {diagnostic.line}:{diagnostic.column}",
        line=diagnostic.line,
        problem=message if failed else None,
        kind=title(diagnostic),
        details="\n".join([str(diagnostic), *help, *notes, diagnostic.url]),
    )


def _add(suite: Element, case: Case) -> None:
    attributes = {"classname": _fit(case.file), "name": _fit(case.name), "file": _fit(case.file)}
    if case.line is not None:
        attributes["line"] = str(case.line)
    element = SubElement(suite, "testcase", attributes)
    if case.problem is not None:
        tag = "error" if case.broken else "failure"
        told = {"message": _fit(case.problem), "type": _fit(case.kind or tag)}
        SubElement(element, tag, told).text = _fit(case.details or case.problem)
    elif case.details:
        SubElement(element, "system-out").text = _fit(case.details)


def _counts(cases: Sequence[Case]) -> dict[str, str]:
    failed = [case for case in cases if case.problem is not None]
    broken = sum(case.broken for case in failed)
    numbers = {"tests": len(cases), "failures": len(failed) - broken, "errors": broken}
    return {name: str(number) for name, number in numbers.items()}


def _fit(text: str) -> str:
    return _NO_XML.sub(REPLACEMENT, text)
