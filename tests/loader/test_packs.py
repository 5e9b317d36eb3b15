"""Packs: what they extend, and chains and circles of them."""

from pathlib import Path

import pytest

from rulelang import check
from rulelang.loader import MAX_PACKS, read
from tests.cli.toy import write_toy


def pack(folder: Path, *wanted: str) -> Path:
    folder.mkdir()
    (folder / "a.rules").write_text("".join(f"extends {name}\n" for name in wanted))
    return folder


def found(folder: Path) -> list[tuple[str, str, int, str]]:
    return [(d.code, d.span.file, d.span.line, d.message) for d in check(folder)]


def test_a_circle_of_packs(tmp_path: Path) -> None:
    one, _ = pack(tmp_path / "one", "two"), pack(tmp_path / "two", "one")
    ((code, file, line, message),) = found(one)
    assert (code, file, line) == ("N210", "two/a.rules", 1)
    assert message.endswith("`one` in turn extends this pack")


def test_a_pack_that_extends_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = pack(tmp_path / "one", "one")
    monkeypatch.chdir(tmp_path)
    assert [(each[0], each[1], each[2]) for each in found(one)] == [("N210", "a.rules", 1)]
    monkeypatch.chdir(one)
    assert "extends itself" in found(Path("."))[0][3]


def test_a_pack_of_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toy(tmp_path / "toy")
    pack(tmp_path / "middle", "toy")
    outer = pack(tmp_path / "outer", "middle")
    assert found(outer) == []
    monkeypatch.chdir(outer)
    assert "middle/toy/game.rules" in read(".").rules


def test_too_many_packs(tmp_path: Path) -> None:
    for n in range(MAX_PACKS + 1):
        pack(tmp_path / f"p{n}", f"p{n + 1}")
    write_toy(tmp_path / f"p{MAX_PACKS + 1}")
    assert found(tmp_path / "p2") == []
    ((code, _, _, message),) = found(tmp_path / "p0")
    assert code == "N210"
    assert f"more than {MAX_PACKS} packs" in message


def test_a_pack_extends_one_game(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    assert found(pack(tmp_path / "one", "toy", "other")) == [
        ("N202", "a.rules", 2, "this pack extends `toy` already")
    ]


def test_a_game_extends_none(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", ("game toy", "extends ferry\ngame toy"))
    assert [each[:3] for each in found(tmp_path / "toy")] == [("N202", "game.rules", 1)]


def test_a_folder_of_the_pack_hides_no_file_of_the_game(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    one = pack(tmp_path / "one", "toy")
    (one / "toy").mkdir()
    (one / "toy" / "game.rules").write_text("# nothing yet\n")
    assert found(one) == []
    assert len(read(one).rules) == 4


def test_another_pack_is_named_not_reached_by_a_path(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    ((code, _, _, message),) = found(pack(tmp_path / "one", "../toy"))
    assert (code, "no name of a game" in message) == ("N210", True)
