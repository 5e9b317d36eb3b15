"""Rounds in which all act at once: what leaves one publishes first; inner ones wait for outer."""

from __future__ import annotations

import pytest

from tests.engine.helper import play

ROUND = """
state
  n: number
rule play
  go
  choose c from Colour by players[1] "Which?" else return
rule go
  scope z
    for p in players at once
      n = n + 1
      if p is first(players): {}
"""


@pytest.mark.parametrize("way", ["break", "return", "leave z", "end done", "continue"])
def test_what_leaves_a_round_publishes_what_was_written(way: str) -> None:
    assert play(ROUND.format(way), players=2).state["n"] == 1


def test_leaving_a_round_from_a_called_rule_publishes_too() -> None:
    text = ROUND.format("out") + "rule out: leave z\n"
    assert play(text, players=2).state["n"] == 1


def test_a_round_inside_another_waits_for_the_outer_one() -> None:
    text = """
state
  n: number
rule play
  for p in players at once
    for q in players at once
      n = n + 1
    if n > 0: n = 100
  choose c from Colour by players[1] "Which?" else return
"""
    assert play(text, players=2).state["n"] == 1
