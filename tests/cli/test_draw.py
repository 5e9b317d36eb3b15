"""`rulelang draw`: the command, its output and its exit statuses."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

import rulelang
from tests.cli.conftest import Run
from tests.cli.toy import UNKNOWN_NAME, write_toy
from tests.drawing.toy import HARBOUR


@pytest.fixture
def harbour(tmp_path: Path) -> rulelang.Game:
    folder = tmp_path / "harbour"
    folder.mkdir()
    (folder / "game.rules").write_text(HARBOUR, "utf-8")
    return rulelang.load(folder)


@pytest.fixture
def save(harbour: rulelang.Game, tmp_path: Path) -> Path:
    session = harbour.start(seed=1, mode="crew")
    session.choose("b1")
    path = tmp_path / "game.json"
    path.write_text(json.dumps(session.save()), "utf-8")
    return path


def test_the_board_is_printed(run: Run, harbour: rulelang.Game) -> None:
    ran = run("draw", "harbour")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == rulelang.draw(harbour) + "\n"
    ElementTree.fromstring(ran.out)


def test_the_board_is_written_to_a_file(run: Run, harbour: rulelang.Game, tmp_path: Path) -> None:
    assert run("draw", "harbour", "--output", "board.svg").out == ""
    assert (tmp_path / "board.svg").read_text("utf-8") == rulelang.draw(harbour) + "\n"


def test_an_entry_is_drawn(run: Run, harbour: rulelang.Game) -> None:
    expected = rulelang.draw(harbour, entry="order 1") + "\n"
    for words in (["order", "1"], ["order 1"], ["Full", "ahead"]):
        assert run("draw", "harbour", *words).out == expected


def test_the_pieces_of_a_playthrough_are_drawn(
    run: Run, harbour: rulelang.Game, save: Path
) -> None:
    session = harbour.resume(json.loads(save.read_text("utf-8")))
    expected = rulelang.draw(harbour, session) + "\n"
    assert "ada: buoy b1" in expected
    assert run("draw", "harbour", "--save", str(save)).out == expected
    ran = run("draw", "harbour", "--save", "-", stdin=save.read_bytes())
    assert (ran.status, ran.out) == (0, expected)


# ---------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nowhere"], "there is no folder and no shipped game 'nowhere'"),
        (["harbour", "ordr", "1"], "there is no entry 'ordr 1'; did you mean order 1 or order 2?"),
        (["harbour", "order"], "'order' is 2 entries; draw one of them (order 1, order 2)"),
        (["harbour", "pier"], "quay pier cannot be drawn"),
        (["harbour", "--save", "none.json"], "none.json: there is no such file"),
        (["harbour", "--save", "harbour/game.rules"], "harbour/game.rules is no save"),
        (["harbour", "order", "1", "--save", "x"], "a save says nothing of order 1"),
        (["-", "--save", "-"], "standard input cannot be both the game and the save"),
        (["harbour", "--output", "harbour"], "harbour cannot be written: it is a folder"),
        (["harbour", "--output", "no/such.svg"], "no/such.svg: No such file or directory"),
        (["harbour", "--outptu", "x"], "did you mean --output?"),
    ],
)
def test_wrong_usage(run: Run, harbour: rulelang.Game, words: list[str], message: str) -> None:
    ran = run("draw", *words)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_a_damaged_save(run: Run, save: Path) -> None:
    data = json.loads(save.read_text("utf-8"))
    data["players"] = 1
    save.write_text(json.dumps(data), "utf-8")
    ran = run("draw", "harbour", "--save", "game.json")
    assert (ran.status, ran.out) == (2, "")
    assert (
        ran.err == "rulelang: game.json: the save is damaged: its contents do not match its seal\n"
    )


def test_a_save_of_another_game(run: Run, save: Path) -> None:
    ran = run("draw", "lost_expedition", "card", "1", "--save", "game.json")
    assert ran.status == 2
    ran = run("draw", "jurassic", "--save", "game.json")
    assert (ran.status, ran.out) == (2, "")
    assert "game.json: " in ran.err


def test_no_board_is_nothing_there(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    ran = run("draw", "toy")
    assert (ran.status, ran.out) == (3, "")
    assert "nothing there to draw: this game has no board" in ran.err
    assert "name an entry to draw that" in ran.err


def test_errors_in_the_game(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", UNKNOWN_NAME)
    ran = run("draw", "toy")
    assert (ran.status, ran.out) == (1, "")
    assert "N201" in ran.err


def test_a_folder_without_a_game(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    assert run("draw", "empty").status == 3
