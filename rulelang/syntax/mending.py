"""Edits that mend what the scanner and the parser report: safe only where nothing else was meant.

A safe one either changes nothing in how the text is read, or makes sense of a line that has none,
in the one way that there is.
"""

from __future__ import annotations

from rulelang.diagnostic import Edit, Fix, Span

_WORDS = {"&&": "and", "||": "or"}


def replaced(span: Span, text: str, *, safe: bool) -> Fix:
    """Write something else in a place."""
    return Fix(f"write `{text.strip()}`", (Edit(span, text),), safe)


def taken_out(span: Span, what: str, *, safe: bool) -> Fix:
    """Remove what stands in a place."""
    return Fix(f"take out {what}", (Edit(span, ""),), safe)


def with_blanks(file: str, number: int, text: str, start: int, indent: int) -> Fix:
    """Indent a line by blanks that is indented by tabs up to ``start``."""
    first = 1 if text.startswith("\ufeff") else 0  # the mark of the encoding stays
    span = Span(file, number, first + 1, number, start + 1)
    return Fix("indent it by blanks", (Edit(span, " " * indent),), True)


def without_sign(file: str, number: int, text: str, index: int, sign: str) -> Fix | None:
    """For a line of rules with a sign that means something in other languages only."""
    before, after = text[:index], text[index + len(sign) :]
    span = Span(file, number, index + 1, number, index + 1 + len(sign))
    match sign:
        case "//":
            # Behind something, it may have been meant for a division.
            return replaced(span, "#", safe=not before.strip())
        case "&&" | "||":
            left = "" if before[-1:].isspace() else " "
            right = "" if after[:1].isspace() else " "
            return replaced(span, f"{left}{_WORDS[sign]}{right}", safe=True)
        case ";" if not after.strip(" \t;") or after.lstrip(" \t;").startswith("#"):
            return taken_out(span, "the `;`", safe=True)
        case "'":
            return _double_quotes(file, number, index, before, after)
    return None


def _double_quotes(file: str, number: int, index: int, before: str, after: str) -> Fix | None:
    """Double quotes for the single ones around a text, if it is clear where the text ends."""
    inside, closing, behind = after.partition("'")
    if not closing or "'" in behind or set('"“”„#') & set(inside) or before[-1:].isalnum():
        return None
    places = (index, index + 1 + len(inside))
    edits = (Edit(Span(file, number, at + 1, number, at + 2), '"') for at in places)
    return Fix("write double quotes", tuple(edits), True)
