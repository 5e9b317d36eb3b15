"""What paths and names on the command line mean, with `check` as the example."""

import os
from pathlib import Path

import pytest

import rulelang.loader
from tests.cli.conftest import Run
from tests.cli.toy import FAILING_CHECK, GAME, UNKNOWN_NAME, write_toy


def files(out: str) -> list[str]:
    return [line.partition(":")[0] for line in out.splitlines()]


def test_one_game_is_called_by_its_files_alone(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "deep" / "toy", UNKNOWN_NAME)
    assert files(run("check", "deep/toy", "--format", "concise").out) == ["game.rules"]


def test_a_folder_of_games(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "games" / "two", UNKNOWN_NAME)
    write_toy(tmp_path / "games" / "one", FAILING_CHECK)
    write_toy(tmp_path / "games" / "more" / "three")
    ran = run("check", "games", "--format", "concise")
    assert files(ran.out) == ["games/one/game.rules", "games/two/game.rules"]
    assert ran.err == "2 errors in 3 games, 6 files, 9 entries\n"
    assert ran.status == 1


def test_full_finds_the_lines_of_each_game(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "one", FAILING_CHECK)
    write_toy(tmp_path / "two", UNKNOWN_NAME)
    out = run("check", "one", "two").out
    assert "--> one/game.rules:" in out
    assert "--> two/game.rules:" in out
    assert "goal == 4\n" in out
    assert "stubed += 1\n" in out


def test_notes_are_placed_too(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "one", ("names Foot: left, right", "names Foot: left\nnames Foot: right"))
    write_toy(tmp_path / "two")
    ran = run("check", "one", "two", "--format", "json")
    assert '"file": "one/game.rules"' in ran.out
    assert '"file": "game.rules"' not in ran.out


@pytest.mark.parametrize("argument", ["more", "more/deep/extra.rules"])
def test_a_pack_is_checked_with_its_game(run: Run, tmp_path: Path, argument: str) -> None:
    write_toy(tmp_path / "toy")
    (tmp_path / "more" / "deep").mkdir(parents=True)
    (tmp_path / "more" / "pack.rules").write_text("extends toy\n")
    (tmp_path / "more" / "deep" / "extra.rules").write_text('stone 4 "Slate" wet\n')
    ran = run("check", argument, "--format", "concise")
    assert ran.status == 1
    assert files(ran.out) == ["deep/extra.rules"]
    assert "in 4 files, " in ran.err
    assert "left out" not in run("check").err


def test_the_only_game_below_a_folder_keeps_its_path(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "games" / "one", UNKNOWN_NAME)
    assert files(run("check", "--format", "concise").out) == ["games/one/game.rules"]


def test_a_file_is_checked_within_its_game(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", UNKNOWN_NAME)
    ran = run("check", "toy/cards/stones.rules", "--format", "concise")
    assert files(ran.out) == ["game.rules"]
    assert ran.err.endswith("in 2 files, 3 entries\n")


def test_a_folder_within_a_game_is_the_game(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    ran = run("check", "toy/cards")
    assert (ran.status, ran.err) == (0, "no problems in 2 files, 3 entries\n")


def test_files_of_one_game_are_one_game(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", UNKNOWN_NAME)
    ran = run("check", "toy/cards/stones.rules", "toy", "toy/game.rules", "--format", "concise")
    assert files(ran.out) == ["game.rules"]


def test_files_of_two_games(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "a", UNKNOWN_NAME)
    write_toy(tmp_path / "b", UNKNOWN_NAME)
    ran = run("check", "a/cards/stones.rules", "b/game.rules", "--format", "concise")
    assert files(ran.out) == ["a/game.rules", "b/game.rules"]


def test_a_file_without_a_game_is_checked_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "lonely.rules").write_text("names Foot: left\n")
    (tmp_path / "other.rules").write_text("names Foot: left\n")
    ran = run("check", "lonely.rules", "--format", "concise")
    assert ran.status == 1
    assert "lonely.rules:1:1: error[N209]" in ran.out
    assert "other" not in ran.out


@pytest.mark.parametrize("boundary", ["inner/.git", "inner/venv/.keep", "inner/.cache/.keep"])
def test_the_search_for_the_game_has_an_end(run: Run, tmp_path: Path, boundary: str) -> None:
    write_toy(tmp_path)
    folder = (tmp_path / boundary).parent
    (tmp_path / boundary).mkdir(parents=True)
    (folder / "lonely.rules").write_text("names Foot: left\n")
    ran = run("check", str(folder / "lonely.rules"), "--format", "concise")
    assert "lonely.rules:1:1: error[N209]" in ran.out
    assert "in 1 file, " in ran.err


def test_files_outside_of_games_are_named(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    (tmp_path / "stray.rules").write_text("names Foot: left\n")
    ran = run("check")
    assert ran.status == 0
    assert "left out, as it is in no game's folder: stray.rules" in ran.err


def test_standard_input(run: Run) -> None:
    text = GAME.replace("base 1 to 3", "base 1 to 0")
    ran = run("check", "-", "--format", "concise", stdin=text.encode())
    assert ran.status == 1
    assert set(files(ran.out)) == {"<stdin>"}
    assert "in 1 file, " in ran.err


@pytest.mark.parametrize("data", [b"", b"\xff\xfe\x00g", b"\x00" * 99, b"game\r\r\n\t\x1b[31m"])
def test_any_bytes_on_standard_input(run: Run, data: bytes) -> None:
    ran = run("check", "-", stdin=data)
    assert ran.status == 1
    assert "error[" in ran.out
    assert "\x1b" not in ran.out


def test_standard_input_beside_a_folder(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", UNKNOWN_NAME)
    ran = run("check", "toy", "-", "-", "--format", "concise", stdin=b'game other "Other"\n')
    assert "<stdin>" in files(ran.out)
    assert "toy/game.rules" in files(ran.out)
    assert "in 2 games, 3 files" in ran.err


def test_a_shipped_game(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toy(tmp_path / "shelf" / "toy", UNKNOWN_NAME)
    write_toy(tmp_path / "mine", UNKNOWN_NAME)
    monkeypatch.setattr(rulelang.loader, "shipped_root", lambda: tmp_path / "shelf")
    assert files(run("check", "toy", "--format", "concise").out) == ["game.rules"]
    both = files(run("check", "toy", "mine", "--format", "concise").out)
    assert both == ["mine/game.rules", "toy/game.rules"]
    ran = run("check", "tooy")
    assert (ran.status, ran.out) == (2, "")
    assert "did you mean toy?" in ran.err


@pytest.mark.parametrize("path", ["nowhere/at/all", "nowhere.rules", "nowhere", "a\0b", "x" * 5000])
def test_a_missing_path(run: Run, path: str) -> None:
    ran = run("check", path)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rulelang: ")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize("command", ["check", "test", "fmt"])
def test_an_empty_folder(run: Run, tmp_path: Path, command: str) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "others").mkdir()
    (tmp_path / "others" / "notes.txt").write_text("game")
    ran = run(command, "empty", "others")
    assert (ran.status, ran.out) == (3, "")
    assert ran.err == "rulelang: nothing there: no .rules files in empty, others\n"


def test_an_empty_folder_beside_a_game(run: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_toy(tmp_path / "toy")
    ran = run("check", "empty", "toy")
    assert ran.status == 0
    assert "note: no .rules files in empty" in ran.err


@pytest.mark.parametrize("method", ["open", "read_bytes"])
def test_an_unreadable_file(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, method: str
) -> None:
    write_toy(tmp_path)

    def refused(path: Path, *args: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, method, refused)
    ran = run("check")
    assert (ran.status, ran.out) == (2, "")
    assert "game.rules" in ran.err or "stones.rules" in ran.err
    assert "Permission denied" in ran.err


def test_another_kind_of_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("game")
    (tmp_path / "clauses.toml").write_text("")
    assert run("check", "notes.txt").err == "rulelang: notes.txt is no .rules file\n"
    assert run("check", "clauses.toml").status == 2


def test_the_catalogue_means_its_game(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    (tmp_path / "clauses.toml").write_text("")
    assert files(run("check", "clauses.toml", "--format", "concise").out) == ["game.rules"]


def test_a_path_that_looks_like_an_option(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "-toy", UNKNOWN_NAME)
    ran = run("check", "--format", "concise", "--", "-toy")
    assert files(ran.out) == ["game.rules"]


@pytest.mark.parametrize("stdin", [False, True])
def test_ten_megabytes(run: Run, tmp_path: Path, stdin: bool) -> None:
    data = b'game big "Big"\n' + b"# a note\n" * 1_200_000
    assert len(data) > 10_000_000
    (tmp_path / "big.rules").write_bytes(data)
    ran = run("check", "-" if stdin else ".", "--format", "concise", stdin=data)
    assert ran.status == 1
    assert "error[S110]" in ran.out
    assert ran.out.count("\n") == 1


def test_endless_standard_input_is_cut(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulelang.cli.targets._MOST_BYTES", 50)
    ran = run("check", "-", "--format", "concise", stdin=b"# note\n" * 20)
    assert ran.status == 1
    assert "<stdin>:1:1: error[S110]" in ran.out


def test_a_name_that_is_no_text(run: Run, tmp_path: Path) -> None:
    name = os.fsdecode(b"b\xffd.rules")
    write_toy(tmp_path)
    try:
        (tmp_path / name).write_text("foot wide\n")
    except OSError:  # a file system that takes text only
        name = "b\N{SNOWMAN}d.rules"
        (tmp_path / name).write_text("foot wide\n")
    ran = run("check", "--format", "concise")
    assert ran.status == 1
    assert "d.rules:1:1: error[" in ran.out


@pytest.mark.parametrize("command", ["trace", "simulate"])
def test_a_command_for_one_game(run: Run, tmp_path: Path, command: str) -> None:
    write_toy(tmp_path / "one")
    write_toy(tmp_path / "two")
    ran = run(command, ".")
    assert ran.status == 2
    assert "holds 2 games; name one of them (one, two)" in ran.err
    assert run(command).status == 2


@pytest.mark.parametrize("argument", ["around/empty/mine", "around/empty/mine/a.rules"])
def test_the_search_goes_up_through_folders_of_rules_only(
    run: Run, tmp_path: Path, argument: str
) -> None:
    write_toy(tmp_path / "around")
    (tmp_path / "around" / "empty" / "mine").mkdir(parents=True)
    (tmp_path / "around" / "empty" / "mine" / "a.rules").write_text("names Foot: left\n")
    ran = run("check", argument, "--format", "concise")
    assert "a.rules:1:1: error[N209]" in ran.out
    assert "in 1 file, " in ran.err


@pytest.mark.parametrize("kind", ["home", "shared"])
def test_a_common_folder_captures_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    write_toy(tmp_path / "common")
    if kind == "home":
        monkeypatch.setenv("HOME", str(tmp_path / "common"))
    else:
        (tmp_path / "common").chmod(0o1777)
    assert "in 1 file, " in run("check", "common/cards").err
    assert run("check", "common").status == 0


def test_files_that_are_no_text_are_told(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "game.rules").write_bytes('game bad "Bad"\n'.encode("utf-16"))
    assert "game.rules:1:1: error[S111]" in run("check", "bad", "--format", "concise").out
    write_toy(tmp_path / "toy")
    ran = run("check", "--format", "concise")
    assert ran.status == 1
    assert "bad/game.rules:1:1: error[S111]" in ran.out
    assert "left out" not in ran.err


@pytest.mark.parametrize("command", ["check", "fmt", "test"])
def test_a_link_to_nothing_is_told(run: Run, tmp_path: Path, command: str) -> None:
    write_toy(tmp_path)
    (tmp_path / "cards" / "more.rules").symlink_to("gone")
    ran = run(command, ".")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("rulelang: cards/more.rules cannot be read: it is a link to")
