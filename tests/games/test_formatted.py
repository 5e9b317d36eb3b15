"""The shipped games and the examples are written as `rulelang fmt` writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.syntax.formatter import format_text

ROOT = Path(__file__).parents[2]
FILES = sorted([*(ROOT / "games").rglob("*.rules"), *(ROOT / "docs" / "examples").rglob("*.rules")])


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_shipped_file_is_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert format_text(text, path.name) == text
