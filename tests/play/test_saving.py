"""Games that are kept in a file and gone on with."""

import io
import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulelang import load
from rulelang.errors import UsageError
from rulelang.play import saving

Player = Callable[..., tuple[int, str]]


def labels(path: Path) -> list[str]:
    return [label for _, label in json.loads(path.read_text("utf-8"))["ledger"]]


def test_every_choice_is_saved(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    status, text = play("1", "2", save=str(path))
    assert status == 0
    assert labels(path)[-3:] == ["crate 1", "earn 1", "2"]
    assert "The game is saved. To go on:\n  rulelang play " in text
    assert f"--resume {path}" in text
    assert [each.name for each in tmp_path.iterdir()] == ["game.json"]


def test_a_game_is_saved_before_the_first_choice(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play(save=str(path))
    assert "crate 1" not in labels(path)[4:]
    assert play(resume=str(path), mode=None, seed=None)[0] == 0


def test_a_game_goes_on_where_it_was(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    whole = play("1", "1", "1", "0", "1")[1]
    play("1", "1", save=str(path))
    status, text = play("1", "0", "1", resume=str(path), mode=None, seed=None)
    assert status == 0
    assert text.split("The table at the end")[1].startswith(
        whole.split("The table at the end")[1].rstrip()
    )
    assert f"The game is saved in {path}." in " ".join(text.split())


def test_a_resumed_game_can_be_undone(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play("1", "1", save=str(path))
    _, text = play("undo", "undo", "undo", "2", resume=str(path), mode=None, seed=None)
    assert text.count("Taken back.") == 2
    assert "There is nothing to take back yet." in text
    assert labels(path)[-2:] == ["crate 3", "earn 3"]


def test_a_game_with_other_chance_than_its_seed_cannot_be_undone_before_its_save(
    play: Player, tmp_path: Path
) -> None:
    path = tmp_path / "game.json"
    game = load(Path(__file__).parent / "market")
    session = game.start(mode="alone", seed=7, script=["crate 6", "crate 4"])
    session.choose("crate 6")
    saving.write(path, session.save())
    _, text = play("undo", "1", "undo", resume=str(path), mode=None, seed=None)
    assert "What was chosen before the game was resumed cannot be taken back." in text
    assert text.count("Taken back.") == 1


def test_chance_that_is_a_decision_is_drawn(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    game = load(Path(__file__).parent / "market")
    saving.write(path, game.start(mode="alone", seed=7, chance="explicit").save())
    status, text = play(bot=["0=first"], resume=str(path), mode=None, seed=None)
    assert status == 0
    assert "Player 0 has" in text.split("The end")[1]


def test_a_finished_game_shows_its_end_again(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    play("1", "1", "1", "0", "1", save=str(path))
    status, text = play(resume=str(path), mode=None, seed=None)
    assert status == 0
    assert "Score: 6" in text


def test_bots_go_on_alike_after_a_save(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    flags = {"game": "lost_expedition", "mode": "coop", "seed": 11}
    at_once = play(*["1"] * 80, bot=["1=random"], **flags)[1]
    typed = at_once.count("\n> ")
    assert typed > 4
    play(*["1"] * 3, bot=["1=random"], save=str(path), **flags)
    later = play(
        *["1"] * 80,
        game="lost_expedition",
        mode=None,
        seed=None,
        bot=["1=random"],
        resume=str(path),
    )[1]
    end = "The table at the end"
    assert later.split(end)[1].startswith(at_once.split(end)[1].rstrip())


def test_save_as_a_command(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "my game.json"
    status, text = play("save", f"save {path}", "1", "save")
    assert status == 0
    assert "Where to? Type `save FILE`." in text
    assert "Every choice from now on is saved there too." in text.replace("\n  ", " ")
    assert labels(path)[-1] == "earn 1"


def test_a_file_that_cannot_be_written(play: Player, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        play(save=str(tmp_path / "no" / "such" / "folder"))
    with pytest.raises(UsageError, match="it is a folder"):
        play(save=str(tmp_path))
    status, text = play(f"save {tmp_path}/no/such/file", *["1", "1", "1", "0", "1"])
    assert status == 0
    assert text.count("Not saved:") == 1


def test_another_game_in_the_file_is_put_aside(play: Player, tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text("precious")
    _, text = play(save=str(path))
    assert (tmp_path / "game.json~").read_text() == "precious"
    assert "What it held before is now in" in text
    assert json.loads(path.read_text())["game"] == "market"


def test_a_failed_write_leaves_the_old_save(
    play: Player, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.json"
    saving.write(path, {"a": 1})

    def broken(*arguments: Any, **options: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", broken)
    with pytest.raises(OSError, match="No space"):
        saving.write(path, {"a": 2})
    assert json.loads(path.read_text()) == {"a": 1}
    assert list(tmp_path.iterdir()) == [path]


# ---------------------------------------------------------------- saves that are none


def damaged(path: Path) -> None:
    data = json.loads(path.read_text())
    data["players"] = 2
    path.write_text(json.dumps(data))


def without_a_part(path: Path) -> None:
    data = json.loads(path.read_text())
    del data["ledger"]
    path.write_text(json.dumps(data))


@pytest.mark.parametrize(
    ("harm", "message"),
    [
        (damaged, "the save is damaged: its contents do not match its seal"),
        (without_a_part, "this is no save: `ledger` is missing"),
        (lambda path: path.write_text(path.read_text()[:100]), "is no save: it is not JSON ("),
        (lambda path: path.write_bytes(b"\xff\xfe"), "is no save: it is not JSON in UTF-8"),
        (lambda path: path.write_text("[" * 200_000), "is no save: it is not JSON in UTF-8"),
        (lambda path: path.write_text("[]"), "is no save: it holds no JSON object"),
        (lambda path: path.unlink(), "there is no such file"),
    ],
)
def test_a_save_that_cannot_be_resumed(
    play: Player,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    harm: Callable[[Path], object],
    message: str,
) -> None:
    path = tmp_path / "game.json"
    play("1", save=str(path))
    harm(path)
    status, text = play(resume=str(path), mode=None, seed=None)
    assert status == 2
    assert text == ""
    error = capsys.readouterr().err
    assert error.startswith("rulelang: ")
    assert error.count("\n") == 1
    assert str(path) in error
    assert message in error


def test_a_save_of_another_game(
    play: Player, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.json"
    play(save=str(path))
    assert play(game="lost_expedition", resume=str(path), mode=None, seed=None)[0] == 2
    assert "this is a save of 'market', not of 'lost_expedition'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"seed": 8}, "the save was begun with seed 7, not 8; leave --seed out"),
        ({"mode": "pair"}, "the save was begun with mode alone, not pair"),
        ({"players": 2}, "the save was begun with players 1, not 2"),
        ({"set": ["length=long"]}, "a saved game keeps its settings: leave --set length=long out"),
    ],
)
def test_a_saved_game_keeps_what_it_was_begun_with(
    play: Player, tmp_path: Path, flags: dict[str, object], message: str
) -> None:
    path = tmp_path / "game.json"
    play(save=str(path))
    with pytest.raises(UsageError) as caught:
        play(resume=str(path), **{"mode": None, "seed": None, **flags})
    assert message in str(caught.value)
    assert play(resume=str(path), set=["length=short"])[0] == 0


def test_a_save_of_other_rules_is_said_to_be_one(play: Player, tmp_path: Path) -> None:
    path, changed = tmp_path / "game.json", tmp_path / "market"
    shutil.copytree(Path(__file__).parent / "market", changed)
    (changed / "more.rules").write_text("rule unused: nothing\n", encoding="utf-8")
    play("1", save=str(path))
    told = "begun with other rules"
    assert told not in play(resume=str(path), mode=None, seed=None)[1]
    assert told in play(game=str(changed), resume=str(path), mode=None, seed=None)[1]


class Keyboard(io.StringIO):
    """An input at which somebody types."""

    def isatty(self) -> bool:
        return True


def test_a_game_that_is_not_saved_is_left_by_the_second_quit(play: Player) -> None:
    status, said = play(stdin=Keyboard("1\nquit\nquit\n"))
    assert status == 0
    assert "`save FILE` keeps it, `quit` again leaves it." in " ".join(said.split())
    assert said.count("This game is not saved") == 2
