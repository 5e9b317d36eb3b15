"""The fixes of slips of the notation: what they make of a line, and whether they are safe."""

from __future__ import annotations

import pytest

from rulelang.syntax.parser import parse


def mended(text: str) -> tuple[str, bool]:
    """The text with the first fix made, and whether it is safe."""
    fix = next(d.fix for d in parse(text).diagnostics if d.fix is not None)
    lines = text.split("\n")
    for edit in sorted(fix.edits, key=lambda edit: edit.span, reverse=True):
        span = edit.span
        line = lines[span.line - 1]
        lines[span.line - 1] = line[: span.column - 1] + edit.text + line[span.end_column - 1 :]
    return "\n".join(lines), fix.safe


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rule r\n\tnothing", "rule r\n    nothing"),
        ("rule r\n  \tnothing", "rule r\n    nothing"),
        ("\ufeff\trule r: nothing", "\ufeff    rule r: nothing"),
        ("rule r\n  // note\n  nothing", "rule r\n  # note\n  nothing"),
        ("rule r\n  if a && b: c", "rule r\n  if a and b: c"),
        ("rule r\n  if a||b: c", "rule r\n  if a or b: c"),
        ("rule r\n  a;", "rule r\n  a"),
        ("rule r\n  a; # note", "rule r\n  a # note"),
        ("check 'it is': a", 'check "it is": a'),
        ("rule r\n  if a:\n    b", "rule r\n  if a\n    b"),
        ("rule r:\n  b", "rule r\n  b"),
        ("rule r\n  if a: b\n  else c", "rule r\n  if a: b\n  else: c"),
        ("rule r\n  if a let x = 1", "rule r\n  if a: let x = 1"),
        ("rule r\n  if a: b\n  elif c: d", "rule r\n  if a: b\n  else if c: d"),
        ("rule r\n  if a: b\n  elif c\n    d", "rule r\n  if a: b\n  else if c\n    d"),
        ("rule r\n  if a: b\n  elif c is d: e", "rule r\n  if a: b\n  else if c is d: e"),
        ("rule r\n  if a = b: c", "rule r\n  if a == b: c"),
        ("rule r\n  repeat while a = b\n    c", "rule r\n  repeat while a == b\n    c"),
        ("define a = f (b)", "define a = f(b)"),
    ],
)
def test_safe(text: str, expected: str) -> None:
    assert mended(text) == (expected, True)
    assert {d.code for d in parse(expected).diagnostics} <= {"S104"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("define a = b // c", "define a = b # c"),
        ("rule a b: c", "rule a: b: c"),
        ("rule r\n  if a b", "rule r\n  if a: b"),
        ("rule r\n  let x = y = z", "rule r\n  let x = y == z"),
    ],
)
def test_a_guess(text: str, expected: str) -> None:
    assert mended(text) == (expected, False)


@pytest.mark.parametrize(
    "text",
    [
        "rule a: b; c",
        "define a = 'x' is 'y'",
        "check 'it\"s': a",
        "define a = b's",
        "rule r\n  if !a: b",
        "rule r\n  a -> b",
        "rule r {",
    ],
)
def test_no_fix_where_it_is_not_clear_what_was_meant(text: str) -> None:
    assert all(d.fix is None for d in parse(text).diagnostics)
    assert parse(text).diagnostics
