"""What is called like a file of rules and is none."""

import os
from pathlib import Path

import pytest

from rulelang.errors import UsageError
from rulelang.loader import read
from tests.cli.toy import write_toy


@pytest.mark.parametrize("kind", ["nothing", "folder", "pipe", "device"])
def test_what_cannot_be_read_is_told(tmp_path: Path, kind: str) -> None:
    write_toy(tmp_path / "toy")
    strange = tmp_path / "toy" / "cards" / "strange.rules"
    if kind == "pipe":
        os.mkfifo(strange)
    else:
        targets = {"nothing": "gone", "folder": str(tmp_path), "device": os.devnull}
        strange.symlink_to(targets[kind])
    with pytest.raises(UsageError, match=r"strange\.rules cannot be read: it is a"):
        read(tmp_path / "toy")


def test_a_folder_with_the_name_of_a_file(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    (tmp_path / "toy" / "cards").rename(tmp_path / "toy" / "cards.rules")
    assert set(read(tmp_path / "toy").rules) == {"game.rules", "cards.rules/stones.rules"}


def test_a_lock_of_an_editor_is_no_part_of_the_game(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    (tmp_path / "toy" / ".#game.rules").symlink_to("somebody@somewhere")
    assert len(read(tmp_path / "toy").rules) == 2


@pytest.mark.parametrize("where", [None, 3, b"toy", "a\0b"])
def test_what_is_no_path(where: object) -> None:
    with pytest.raises(UsageError):
        read(where)  # type: ignore[arg-type]
