"""`rulelang read`: entries said again in a player's words."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.toy import GAME, UNKNOWN_NAME, write_toy

HINT = "  title: text\n", '  title: text\n  hint: text = ""\n'
DEEDS = "  title: text\n", "  title: text\n  deeds: list of effect\n"


def test_all_entries_are_read(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("read", ".")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "Stone 1, Granite\n\nStone 2, Chalk\n\nStone 3, Flint\n"


@pytest.mark.parametrize(
    ("words", "out"),
    [
        (["stone 2"], "Stone 2, Chalk\n"),
        (["stone", "2"], "Stone 2, Chalk\n"),
        (["3", "chalk"], "Stone 3, Flint\n\nStone 2, Chalk\n"),
        (["2", "--mode", "solo", "flint"], "Stone 2, Chalk\n\nStone 3, Flint\n"),
        (["stone"], "Stone 1, Granite\n\nStone 2, Chalk\n\nStone 3, Flint\n"),
    ],
)
def test_the_entries_that_are_named(run: Run, tmp_path: Path, words: list[str], out: str) -> None:
    write_toy(tmp_path)
    ran = run("read", ".", *words)
    assert (ran.status, ran.out, ran.err) == (0, out, "")


def test_json_says_where_each_stands(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", HINT)
    (tmp_path / "toy" / "more.rules").write_text('stone 4 "Märgel"\n  hint: "soft"\n', "utf-8")
    found = json.loads(run("read", "toy", "4", "1", "--format", "json").out)
    assert found == [
        {
            "kind": "Stone",
            "key": 4,
            "title": "Märgel",
            "text": "Stone 4, Märgel\n  Hint: “soft”.",
            "file": "more.rules",
            "line": 1,
        },
        {
            "kind": "Stone",
            "key": 1,
            "title": "Granite",
            "text": "Stone 1, Granite",
            "file": "cards/stones.rules",
            "line": 3,
        },
    ]


def test_long_lines_are_broken(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, HINT)
    hint = "word " * 40
    (tmp_path / "more.rules").write_text(f'stone 4 "Marl"\n  hint: "{hint}"\n', "utf-8")
    heading, first, second, third = run("read", ".", "4").out.splitlines()
    assert heading == "Stone 4, Marl"
    assert first.startswith("  Hint: “word")
    assert second.startswith("    word word")
    assert max(map(len, (first, second, third))) <= 100


def test_drafts_are_left_out_with_a_note(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, DEEDS)
    (tmp_path / "more.rules").write_text('stone 4 "Marl": nothing\nstone 5\nstone 6\n', "utf-8")
    ran = run("read", ".")
    assert ran.status == 0
    assert ran.out.endswith("\n\nStone 4, Marl\n  Nothing happens.\n")
    assert "note: 2 drafts are left out" in ran.err
    ran = run("read", ".", "5")
    assert (ran.out, ran.err) == ("Stone 5\n  Nothing is written here yet.\n", "")


def test_a_pack_is_read_with_its_game(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    (tmp_path / "pack").mkdir()
    (tmp_path / "pack" / "more.rules").write_text('extends toy\nstone 4 "Marl"\n', "utf-8")
    assert run("read", "pack", "marl", "flint").out == "Stone 4, Marl\n\nStone 3, Flint\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["Flimt"], "there is no entry 'Flimt'; did you mean Flint?"),
        (["stone", "9"], "there is no entry 'stone 9'; did you mean stone 1"),
        (["pebble 1"], "there is no entry 'pebble 1'"),
        (["1", "--mode", "sool"], "there is no mode 'sool'; did you mean solo?"),
        (["1", "--format", "xml"], "there is no format 'xml'"),
    ],
)
def test_wrong_usage(run: Run, tmp_path: Path, words: list[str], message: str) -> None:
    write_toy(tmp_path)
    ran = run("read", ".", *words)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_a_game_without_entries_has_nothing_to_read(run: Run, tmp_path: Path) -> None:
    bare = GAME.replace("kind Stone by number, base 1 to 3\n  title: text\n", "names Stone: a, b\n")
    bare = bare.replace("stone is 1", "stone is a").replace("roll 1", "roll a")
    (tmp_path / "game.rules").write_text(bare.replace("roll 2", "roll b"), "utf-8")
    ran = run("read", ".")
    assert (ran.status, ran.out) == (3, "")
    assert "no entries in toy" in ran.err


def test_a_game_with_errors_is_not_read(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    ran = run("read", ".")
    assert (ran.status, ran.out) == (1, "")
    assert "N201" in ran.err
