"""The comparison with other players: it names who plays, and refuses what it does not know."""

from __future__ import annotations

import pytest

from tests.bench import peers
from tests.bench.small_by_hand import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_everybody_plays(name: str) -> None:
    players = peers.ways(name)
    assert list(players)[:2] == [peers.RULELANG, peers.BY_HAND]
    for play in players.values():
        play(0, 2)


def test_ratios_are_shown(capsys: pytest.CaptureFixture[str]) -> None:
    peers.show("a game", {peers.RULELANG: 2000.0, peers.BY_HAND: 5000.0})
    shown = capsys.readouterr().out
    assert "2,000 games/s" in shown
    assert "2.50 times as fast" in shown


def test_an_unknown_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert peers.main(["kun"]) == 2
    assert "no small game kun" in capsys.readouterr().err
