"""No bytes whatever make `check`, `load` or `fmt` raise anything but the contract's errors."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulelang
from rulelang.cli import main

TEXTS = [
    path.read_bytes()
    for path in sorted(Path("games/lost_expedition").rglob("*.rules"))
    if "scenarios" not in path.parts and path.name != "checks.rules"
]


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Random bytes, or a piece of a shipped file with some of its bytes overwritten."""
    if draw(st.booleans()):
        return draw(st.binary(max_size=400))
    text = draw(st.sampled_from(TEXTS))
    start = draw(st.integers(0, len(text)))
    piece = bytearray(text[start : start + draw(st.integers(0, 600))])
    for place in draw(st.lists(st.integers(0, max(0, len(piece) - 1)), max_size=5)):
        if piece:
            piece[place] = draw(st.integers(0, 255))
    return bytes(piece)


@settings(max_examples=150, deadline=None)
@given(files())
def test_any_bytes_are_answered(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "any.rules"
        file.write_bytes(data)
        problems = rulelang.check(folder)
        assert any(problem.severity == "error" for problem in problems), "no piece is a whole game"
        with pytest.raises(rulelang.RuleError):
            rulelang.load(folder)
        assert main(["check", folder, "--format", "json"]) == 1
        assert main(["fmt", folder]) in (0, 1)
