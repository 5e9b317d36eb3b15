"""The pictures in the documentation are those that the commands beside them draw."""

from __future__ import annotations

import io
import re
import shlex
from pathlib import Path

import pytest

from rulelang import cli
from tests.docs.blocks import ROOT, pages

PICTURES = sorted((ROOT / "docs" / "pictures").glob("*.svg"))
COMMAND = re.compile(r"`(rulelang (?:draw|play) [^`]*?(\w+\.svg))`")


def commands() -> dict[str, str]:
    """The command that draws each picture, by its file."""
    texts = [(ROOT / page).read_text(encoding="utf-8") for page in pages()]
    return {name: command for text in texts for command, name in COMMAND.findall(text)}


@pytest.mark.parametrize("picture", PICTURES, ids=[each.name for each in PICTURES])
def test_a_picture_is_current(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = shlex.split(commands()[picture.name])[1:]
    words[-1] = str(tmp_path / picture.name)
    monkeypatch.chdir(ROOT / "docs" / "examples")
    monkeypatch.setattr("sys.stdin", io.StringIO())
    assert cli.main(words) == 0
    assert Path(words[-1]).read_text("utf-8") == picture.read_text("utf-8")


def test_every_picture_is_shown() -> None:
    shown = {
        name
        for page in pages()
        for name in re.findall(r"\]\(pictures/(\w+\.svg)\)", (ROOT / page).read_text("utf-8"))
    }
    assert shown == {each.name for each in PICTURES}
    assert shown
