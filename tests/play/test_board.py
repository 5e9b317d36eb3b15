"""The board while playing: as text in the terminal, and as a picture that is kept in a file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.cli import main
from rulelang.errors import UsageError
from rulelang.play.picture import in_common
from tests.drawing.toy import HARBOUR, Picture

Player = Callable[..., tuple[int, str]]


@pytest.fixture
def harbour(tmp_path: Path) -> str:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "game.rules").write_text(HARBOUR, "utf-8")
    return str(folder)


def pieces(path: Path) -> set[str]:
    return set(Picture(path.read_text("utf-8")).groups("piece"))


# ---------------------------------------------------------------- as text


def test_the_table_says_what_stands_where(play: Player, harbour: str) -> None:
    _, text = play("b1", game=harbour)
    table = text.split("The table ─")[1].split("Where to?")[0]
    assert (
        "  buoy  b2: beacon · b1: Gull ×7" in table or "  buoy  b1: Gull ×7 · b2: beacon" in table
    )
    assert "  quay  The Old Pier: ada, bert, cleo" in table
    assert "  tide  1 of 3" in table
    assert "nest" not in table
    assert "berth" not in table


def test_the_word_board_shows_it_at_any_time(play: Player, harbour: str) -> None:
    _, text = play("b1", "board", game=harbour)
    board = text.split("> board\n")[1]
    assert "b1: ada, Gull ×7 · b2: beacon" in board
    assert "The Old Pier: cleo" in board
    assert "off the board  bert" in board
    assert "And then?" in board


def test_players_are_in_both(play: Player, harbour: str) -> None:
    _, text = play(game=harbour)
    table = text.split("The table ─")[1]
    assert "stairs: Player 0" in table
    assert "goal stairs" in table


def test_owners_who_have_more_than_a_place_are_told_the_rest_of(
    play: Player, tmp_path: Path
) -> None:
    folder = tmp_path / "more"
    folder.mkdir()
    more = HARBOUR.replace("state per g: Gull\n", "  fish: 0 to 9\nstate per g: Gull\n")
    assert more != HARBOUR
    more = more.replace("  ada.berth = s\n", "  ada.berth = s\n  ada.fish = 4\n")
    (folder / "game.rules").write_text(more, "utf-8")
    _, text = play("b1", "table", game=str(folder))
    before, after = text.split("The table ─")[1].split("> b1\n")
    assert "Ada" not in before
    after = after.split("> table\n")[1]
    assert "b1: ada" in after
    assert "Ada  fish 4\n" in after


def test_a_game_without_a_board_says_so(play: Player) -> None:
    _, text = play("board")
    assert "This game has no board. `table` shows how things are." in text


def test_numbers_stand_behind_their_sort(play: Player, tmp_path: Path) -> None:
    folder = tmp_path / "few"
    folder.mkdir()
    (folder / "game.rules").write_text(HARBOUR.replace("Gull: 1 to 7", "Gull: 1 to 3"), "utf-8")
    _, text = play(game=str(folder))
    assert "b1: Gull 1, 2, 3" in text


def test_the_board_of_a_shipped_game(play: Player) -> None:
    _, text = play(game="jurassic", mode=None)
    assert "building  Main Building: Pawn ×12" in text
    assert "trex      1 of 10" in text
    assert text.count("Pawn 1\n") == 0


# ---------------------------------------------------------------- as a picture


def test_a_picture_is_kept_beside_the_game(play: Player, harbour: str, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    _, text = play(game=harbour, board=str(path))
    assert f"The board is drawn in {path}, again after every choice" in " ".join(text.split())
    assert {"tide: mark 1", "ada: quay pier, The Old Pier"} <= pieces(path)
    play("b1", "b2", game=harbour, board=str(path))
    assert {"tide: mark 2", "ada: buoy b1"} <= pieces(path)
    play("b1", "b2", "undo", game=harbour, board=str(path))
    assert {"tide: mark 1", "ada: buoy b1"} <= pieces(path)
    assert sorted(each.name for each in tmp_path.iterdir()) == ["board.svg", "harbour"]


def test_the_picture_is_the_one_that_draw_gives(play: Player, harbour: str, tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    play("b1", game=harbour, board=str(path))
    game = rulelang.load(harbour)
    session = game.start(mode="alone", seed=7)
    session.choose("b1")
    assert path.read_text("utf-8") == rulelang.draw(game, session) + "\n"


def test_the_picture_shows_one_person_what_that_seat_sees(
    play: Player, harbour: str, tmp_path: Path
) -> None:
    path = tmp_path / "board.svg"
    play(game=harbour, mode="crew", board=str(path), bot=["1=random"])
    assert "Player 0: quay stairs" in pieces(path)
    assert "Player 1: quay stairs" not in pieces(path)


@pytest.mark.parametrize("bots", [[], ["0=random", "1=random"]])
def test_the_picture_shows_several_what_all_of_them_see(
    play: Player, harbour: str, tmp_path: Path, bots: list[str]
) -> None:
    path = tmp_path / "board.svg"
    play(game=harbour, mode="crew", board=str(path), bot=bots)
    drawn = pieces(path)
    assert "beacon: buoy b2" in drawn
    assert not any("stairs" in each and "Player" in each for each in drawn)


def test_what_seats_have_in_common(harbour: str) -> None:
    game = rulelang.load(harbour)
    session = game.start(mode="crew", seed=1)
    states = [session.view(seat)["state"] for seat in range(2)]
    shared = in_common(game.program, states)
    assert shared["Player.goal"] == {"0": {"hidden": True}, "1": {"hidden": True}}
    assert {k: v for k, v in shared.items() if k != "Player.goal"} == {
        k: v for k, v in states[0].items() if k != "Player.goal"
    }
    assert in_common(game.program, states[:1]) == states[0]


# ---------------------------------------------------------------- what goes wrong


def test_a_file_that_cannot_be_written(harbour: str, tmp_path: Path, capsys: Any) -> None:
    for name in (tmp_path / "no" / "such.svg", tmp_path):
        assert main(["play", harbour, "--board", str(name)]) == 2
        assert "cannot be written" in capsys.readouterr().err


def test_a_file_that_holds_something_else(play: Player, harbour: str, tmp_path: Path) -> None:
    path = tmp_path / "precious.txt"
    path.write_text("precious")
    with pytest.raises(UsageError, match="holds something else than a picture"):
        play(game=harbour, board=str(path))
    assert path.read_text() == "precious"


def test_the_file_of_the_save(play: Player, harbour: str, tmp_path: Path) -> None:
    path = str(tmp_path / "game.svg")
    with pytest.raises(UsageError, match="name another file for --board"):
        play(game=harbour, board=path, save=path)


def test_a_game_that_has_no_board(play: Player, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no board to draw; leave --board out"):
        play(board=str(tmp_path / "board.svg"))
    assert not list(tmp_path.iterdir())


def test_a_picture_that_cannot_be_written_any_more_is_told_once(
    play: Player, harbour: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "board.svg"
    synced = os.fsync
    calls = []

    def full(handle: int) -> None:
        calls.append(handle)
        if len(calls) > 1:
            raise OSError(28, "No space left on device")
        synced(handle)

    monkeypatch.setattr(os, "fsync", full)
    status, text = play("b1", "b2", "b2", game=harbour, board=str(path))
    assert status == 0
    assert text.count("The board is not drawn:") == 1
    assert "tide: mark 1" in pieces(path)
    assert [each.name for each in tmp_path.glob("*.svg*")] == ["board.svg"]
