"""What a player comes upon is read out: the titles and stories of entries that are carried out."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rulelang.cli import main
from tests.read.test_numbered import ENTRIES, RULES

SIGN = """\
kind Sign by number, for p: Player
  title: text
  story: text = ""
  body: script
"""
READ = """\
rule play
  for s in Sign: do s.body for first(players)
"""
TOLD = RULES.replace("kind Scene", f"{SIGN}kind Scene").replace("rule play\n", READ)
SIGNS = """\
sign 1 "No way"
  story: It is nailed to a tree.
  gain 1
sign 2 "Without a story": gain 1
trial s: Strip
  when walk s for Player[0]
rule walk(s: Strip) for p: Player
  for x in s.scenes: do x.body for p
"""


@pytest.fixture
def strips(tmp_path: Path) -> Path:
    (tmp_path / "serial.rules").write_text(TOLD + ENTRIES + SIGNS, "utf-8")
    return tmp_path


def ran(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, typed: str, *words: str
) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    main(list(words))
    return capsys.readouterr().out


def test_stories_are_read_out_once(
    strips: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = ran(capsys, monkeypatch, "1\n", "play", str(strips), "--seed", "1")
    assert text.count("\n  Sign 1, No way\n    It is nailed to a tree.\n\n") == 1
    assert "Without a story" not in text
    scenes = "  Scene 1, The bank\n    It is steep.\n\n  Scene 2, Mud!\n\n  Scene 3\n"
    assert scenes in text.split("> 1\n")[1]


def test_in_a_trial_what_is_tried_is_not_read_out_again(
    strips: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (strips / "serial.rules").write_text(
        TOLD + ENTRIES + SIGNS + "trial t: Sign\n  when do t.body for Player[0]\n", "utf-8"
    )
    text = ran(capsys, monkeypatch, "quit\n", "try", str(strips), "sign 1", "--seed", "1")
    assert text.count("It is nailed to a tree.") == 1
    text = ran(capsys, monkeypatch, "quit\n", "try", str(strips), "strip A", "--seed", "1")
    assert text.count("It is steep.") == 2  # as a part of what is shown, and where it is reached
