"""Diagnostics as a Code Quality report, which GitLab shows beside the lines of a merge request."""

import json
from collections.abc import Iterable, Mapping

from rulelang.codes import Severity
from rulelang.diagnostic import Diagnostic, sort_key
from rulelang.display import printable
from rulelang.report.fingerprints import fingerprints
from rulelang.report.wording import lines_of

_SEVERITIES: dict[Severity, str] = {"error": "major", "warning": "minor", "info": "info"}


def render_gitlab(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> str:
    """A list of issues, in ASCII. `sources` maps files to their text."""
    found = sorted(diagnostics, key=sort_key)
    issues = [
        {
            "description": "\n".join(lines_of(diagnostic)),
            "check_name": diagnostic.code,
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[diagnostic.severity],
            "location": {
                "path": printable(diagnostic.file),
                "lines": {
                    "begin": max(diagnostic.line, 1),
                    "end": max(diagnostic.line, diagnostic.end_line, 1),
                },
            },
        }
        for diagnostic, fingerprint in zip(found, fingerprints(found, sources), strict=True)
    ]
    return json.dumps(issues, indent=2)
