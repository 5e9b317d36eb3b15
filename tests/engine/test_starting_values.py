"""Starting values that cannot be worked out: a fault that is told, wherever the game is begun."""

from __future__ import annotations

import pytest

from rulelang.errors import GameFault
from rulelang.scenarios import run
from rulelang.simulation import simulate
from rulelang.trace import trace
from tests.engine.helper import game

TEXT = """
state
  lead: Card = first(list(c in Card where c.number > 9))
rule play: end done
scenario "it is done"
  when play
  then ended(done) and lead.number == 1
"""
REASON = "there is no first of nothing"


def test_a_scenario_fails() -> None:
    (result,) = run(game(TEXT))
    assert not result.ok
    assert result.message == f"the starting values cannot be worked out: {REASON}"
    assert result.failed_line == result.line


def test_a_session_does_not_begin() -> None:
    with pytest.raises(GameFault, match=REASON):
        game(TEXT).start()


def test_a_simulation_counts_it() -> None:
    assert simulate(game(TEXT), games=3).outcomes == {"fault": 3}


def test_a_trace_is_made() -> None:
    assert trace(game(TEXT)).exercised == 0
