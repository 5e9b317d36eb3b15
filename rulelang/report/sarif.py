"""Diagnostics as a SARIF 2.1.0 log (https://docs.oasis-open.org/sarif/sarif/v2.1.0/)."""

import json
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import Any
from urllib.parse import quote

from rulelang.codes import Severity
from rulelang.diagnostic import Diagnostic, Edit, Fix, Note, Span, sort_key
from rulelang.display import REPLACEMENT, printable
from rulelang.report.fingerprints import fingerprints
from rulelang.report.wording import area, lines_of

Json = dict[str, Any]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_HOME = "https://rulelang.readthedocs.io/"
_LEVELS: dict[Severity, str] = {"error": "error", "warning": "warning", "info": "note"}


def render_sarif(
    diagnostics: Iterable[Diagnostic], sources: Mapping[str, str], version: str
) -> str:
    """A log of one run, in ASCII. `sources` maps files to their text; `version` is the tool's.

    Columns count characters. Only the codes that were found stand among the rules. A fix says in
    its properties whether it is safe.
    """
    found = sorted(diagnostics, key=sort_key)
    kinds = {diagnostic.code: diagnostic for diagnostic in found}
    codes = sorted(kinds)
    prints = fingerprints(found, sources)
    run = {
        "tool": {
            "driver": {
                "name": "rulelang",
                "version": version,
                "informationUri": _HOME,
                "rules": [_rule(kinds[code]) for code in codes],
            }
        },
        "columnKind": "unicodeCodePoints",
        "results": [
            _result(diagnostic, codes.index(diagnostic.code), print_)
            for diagnostic, print_ in zip(found, prints, strict=True)
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(diagnostic: Diagnostic) -> Json:
    words = diagnostic.name.replace("-", " ").capitalize()
    return {
        "id": diagnostic.code,
        "name": diagnostic.name,
        "shortDescription": {"text": words},
        "fullDescription": {"text": f"{words} ({area(diagnostic)})."},
        "help": {"text": f"`rulelang explain {diagnostic.code}` says more."},
        "helpUri": diagnostic.url,
        "defaultConfiguration": {"level": _LEVELS[diagnostic.severity]},
        "properties": {"tags": [area(diagnostic)]},
    }


def _result(diagnostic: Diagnostic, index: int, fingerprint: str) -> Json:
    result: Json = {
        "ruleId": diagnostic.code,
        "ruleIndex": index,
        "level": _LEVELS[diagnostic.severity],
        "message": {"text": "\n".join(lines_of(diagnostic))},
        "locations": [{"physicalLocation": _location(diagnostic.span)}],
        # The second key is the one that code hosts look at.
        "partialFingerprints": {
            "rulelang/v1": fingerprint,
            "primaryLocationLineHash": f"{fingerprint}:1",
        },
    }
    if diagnostic.notes:
        result["relatedLocations"] = [
            _related(number, note) for number, note in enumerate(diagnostic.notes)
        ]
    if diagnostic.fix and diagnostic.fix.edits:
        result["fixes"] = [_fix(diagnostic.fix)]
    return result


def _related(number: int, note: Note) -> Json:
    return {
        "id": number,
        "physicalLocation": _location(note.span),
        "message": {"text": printable(note.label) or "see also"},
    }


def _fix(fix: Fix) -> Json:
    edits = sorted(fix.edits, key=lambda edit: edit.span)
    return {
        "description": {"text": printable(fix.message)},
        "artifactChanges": [
            {
                "artifactLocation": {"uri": _uri(file)},
                "replacements": [_replacement(edit) for edit in here],
            }
            for file, here in groupby(edits, key=lambda edit: edit.span.file)
        ],
        "properties": {"safe": fix.safe},
    }


def _replacement(edit: Edit) -> Json:
    replacement: Json = {"deletedRegion": _region(edit.span)}
    if edit.text:
        replacement["insertedContent"] = {"text": _whole(edit.text)}
    return replacement


def _location(span: Span) -> Json:
    return {"artifactLocation": {"uri": _uri(span.file)}, "region": _region(span)}


def _region(span: Span) -> Json:
    """The region, its end behind its start whatever the span says."""
    start = max(span.line, 1), max(span.column, 1)
    end = max(start, (span.end_line, max(span.end_column, 1)))
    return {
        "startLine": start[0],
        "startColumn": start[1],
        "endLine": end[0],
        "endColumn": end[1],
    }


def _uri(file: str) -> str:
    """A path as a relative reference."""
    return quote(file, safe="/", errors="surrogatepass")


def _whole(text: str) -> str:
    """The text with halves of characters replaced: what is inserted must be text."""
    return "".join(REPLACEMENT if "\ud800" <= each <= "\udfff" else each for each in text)
