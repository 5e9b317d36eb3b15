"""Numbered entries inside others, and maps: read back, and looked at in a game."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rulelang.cli import main
from tests.read.toy import game

RULES = """\
game serial "Serial"
  mode alone "Alone" players 1

names Tool: rope, lamp, "wide net"
ending done "Done"

kind Strip by letter, for p: Player
  title: text
  brings: map of Tool to 0 to 3
  scenes: list of Scene
kind Scene by place, for p: Player
  title: text = ""
  story: text = ""
  last_one: flag
  body: script

rule gain(n: 1 to 9) "gain {n|coin|coins}" for p: Player: nothing
rule play
  for p in players
    choose x from Strip by p "Which strip?" else return
    for s in x.scenes where size(list(t in Tool where x.brings[t] > 0)) > 0 or s.last_one
      do s.body for p
  end done
"""
ENTRIES = """\
strip A "The Ford"
  brings: Rope 2, Wide Net 1
  scene 2 "Mud!" last_one
    gain 2
  scene 1 "The bank"
    story: It is steep.
    gain 1
  scene 3
    nothing
strip B "The Hill"
  brings: Rope 0
  scene 1 "Up"
    gain 1
strip C "The Wood"
"""
LOOKED = """\
  The Ford  strip
    brings  rope 2, wide net 1
    scenes  Scene 1, The bank
              story  It is steep.
              body   Gain 1 coin.
            Scene 2, Mud!
              last one  yes
              body      Gain 2 coins.
            Scene 3
              body  nothing
"""


def test_a_numbered_entry_is_read_with_its_number_and_title() -> None:
    assert game(RULES, ENTRIES).read("strip A").split("\n") == [
        "Strip A, The Ford",
        "  Brings: rope 2, wide net 1.",
        "  Scene 1, The bank.",
        "    It is steep.",
        "    Gain 1 coin.",
        "  Scene 2, Mud!",
        "    Last one.",
        "    Gain 2 coins.",
        "  Scene 3.",
        "    Nothing happens.",
    ]


def test_a_map_that_holds_nothing_is_left_out() -> None:
    said = "Strip B, The Hill\n  Scene 1, Up.\n    Gain 1 coin."
    assert game(RULES, ENTRIES).read("strip B") == said


def test_they_are_looked_at_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "serial.rules").write_text(RULES + ENTRIES, "utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("look strip a\nlook strip b\nquit\n"))
    main(["play", str(tmp_path), "--seed", "1"])
    text = capsys.readouterr().out
    assert LOOKED in text
    assert "  The Hill  strip\n    scenes  Scene 1, Up\n              body  Gain 1 coin.\n" in text
