"""By what a finding is known again after lines were put in above it."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping

from rulelang.diagnostic import Diagnostic, Span

_LENGTH = 32


def fingerprints(diagnostics: Iterable[Diagnostic], sources: Mapping[str, str]) -> list[str]:
    """Hexadecimal digits for each diagnostic, in the order given; no two are the same.

    They depend on the code, the file, the text of the line (blanks apart) and what is marked in
    it, and not on where the line stands. Findings that are alike in all this are numbered.
    """
    split = {file: text.split("\n") for file, text in sources.items()}
    seen: Counter[tuple[str, ...]] = Counter()
    found = []
    for diagnostic in diagnostics:
        key = (diagnostic.code, diagnostic.file, *_marked(diagnostic.span, split))
        seen[key] += 1
        found.append(_digest((*key, str(seen[key]))))
    return found


def _marked(span: Span, split: Mapping[str, list[str]]) -> tuple[str, str]:
    """The line where the span begins, and what of it the span covers; blanks count as one."""
    lines = split.get(span.file, [])
    line = lines[span.line - 1] if 1 <= span.line <= len(lines) else ""
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    return _squashed(line), _squashed(line[max(span.column - 1, 0) : max(end, 0)])


def _squashed(text: str) -> str:
    return " ".join(text.split())


def _digest(parts: Iterable[str]) -> str:
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:_LENGTH]
