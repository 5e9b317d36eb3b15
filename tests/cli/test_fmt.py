"""`rulelang fmt`."""

import os
from pathlib import Path

import pytest

import rulelang.cli.fmt
from rulelang.syntax.formatter import FormattingError, format_text
from tests.cli.conftest import Run
from tests.cli.toy import GAME, UNTIDY, write_toy

UNTIDY_GAME = GAME.replace(*UNTIDY)
TIDY_GAME = format_text(UNTIDY_GAME)
BROKEN = 'game toy "A Walk\n'


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """An untidy file, in the current folder with a tidy one."""
    path = write_toy(tmp_path, UNTIDY) / "game.rules"
    assert path.read_text() != TIDY_GAME
    return path


def test_in_place(run: Run, game: Path) -> None:
    ran = run("fmt")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "formatted game.rules\nfiles: 1 changed, 1 as they should be\n"
    assert game.read_text() == TIDY_GAME
    assert not list(game.parent.glob(".game*"))
    assert run("fmt").err == "files: 0 changed, 2 as they should be\n"


def test_a_tidy_file_is_not_written(run: Run, game: Path) -> None:
    tidy = game.parent / "cards" / "stones.rules"
    os.utime(tidy, (1, 1))
    assert run("fmt").status == 0
    assert tidy.stat().st_mtime == 1


def test_the_mode_stays(run: Run, game: Path) -> None:
    game.chmod(0o640)
    run("fmt", "game.rules")
    assert game.stat().st_mode & 0o777 == 0o640
    assert game.read_text() == TIDY_GAME


def test_a_link_stays_a_link(run: Run, game: Path) -> None:
    link = game.parent / "cards" / "link.rules"
    link.symlink_to(game)
    run("fmt", str(link))
    assert link.is_symlink()
    assert game.read_text() == TIDY_GAME


def test_windows_line_ends_stay(run: Run, game: Path) -> None:
    game.write_bytes(UNTIDY_GAME.replace("\n", "\r\n").encode())
    assert run("fmt").status == 0
    assert game.read_bytes() == TIDY_GAME.replace("\n", "\r\n").encode()
    assert run("fmt", "--check").status == 0


def test_check_lists_and_leaves(run: Run, game: Path) -> None:
    ran = run("fmt", "--check")
    assert (ran.status, ran.out) == (1, "game.rules\n")
    assert ran.err == "files: 1 would change, 1 as they should be\n"
    assert game.read_text() == UNTIDY_GAME
    assert run("fmt", "--check", "cards").status == 0


def test_diff_shows_and_leaves(run: Run, game: Path) -> None:
    ran = run("fmt", "--diff")
    lines = ran.out.splitlines()
    assert ran.status == 1
    assert lines[:2] == ["--- game.rules", "+++ game.rules"]
    assert '-  short    "three steps"' in lines
    assert '+  short "three steps"' in lines
    assert game.read_text() == UNTIDY_GAME
    assert run("fmt", "--diff", "cards").out == ""


def test_diff_of_a_missing_last_line_end(run: Run, game: Path) -> None:
    game.write_text("names Foot: left")
    lines = run("fmt", "--diff", "game.rules").out.splitlines()
    assert lines[3:] == ["-names Foot: left", "\\ No newline at end of file", "+names Foot: left"]


def test_check_and_diff_exclude_each_other(run: Run) -> None:
    assert run("fmt", "--check", "--diff").status == 2


def test_standard_input_to_output(run: Run) -> None:
    ran = run("fmt", "-", stdin=UNTIDY_GAME.encode())
    assert (ran.status, ran.out) == (0, TIDY_GAME)
    assert run("fmt", "-", stdin=TIDY_GAME.encode()).out == TIDY_GAME


def test_standard_input_checked(run: Run) -> None:
    ran = run("fmt", "-", "--check", stdin=UNTIDY_GAME.encode())
    assert (ran.status, ran.out) == (1, "<stdin>\n")


@pytest.mark.parametrize("options", [(), ("--check",), ("--diff",)])
def test_a_broken_file_is_left_and_others_are_done(
    run: Run, game: Path, options: tuple[str, ...]
) -> None:
    broken = game.parent / "a.rules"
    broken.write_text(BROKEN)
    ran = run("fmt", *options)
    assert ran.status == 1
    assert "error[S102]" in ran.err
    assert "--> a.rules:1:" in ran.err
    assert "1 could not be formatted" in ran.err
    assert broken.read_text() == BROKEN
    assert game.read_text() == (UNTIDY_GAME if options else TIDY_GAME)


def test_a_broken_standard_input_gives_no_output(run: Run) -> None:
    ran = run("fmt", "-", stdin=BROKEN.encode())
    assert (ran.status, ran.out) == (1, "")


def test_bytes_that_are_no_text(run: Run, game: Path) -> None:
    game.write_bytes(b"\xff\xfe")
    ran = run("fmt")
    assert ran.status == 1
    assert "error[S111]" in ran.err
    assert game.read_bytes() == b"\xff\xfe"


def test_a_file_that_must_not_be_written(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    ran = run("fmt")
    assert ran.status == 2
    assert "game.rules: it must not be written" in ran.err
    assert game.read_text() == UNTIDY_GAME


def test_a_failed_write_leaves_the_file(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*args: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    ran = run("fmt")
    assert ran.status == 2
    assert "game.rules: No space left on device" in ran.err
    assert game.read_text() == UNTIDY_GAME
    assert not list(game.parent.glob(".game*"))


def test_a_formatter_that_gives_up(run: Run, game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def gives_up(text: str, name: str) -> str:
        raise FormattingError(f"{name}: a comment would be lost")

    monkeypatch.setattr(rulelang.cli.fmt, "format_text", gives_up)
    ran = run("fmt")
    assert ran.status == 4
    assert "a comment would be lost; this is a fault of rulelang itself" in ran.err
    assert game.read_text() == UNTIDY_GAME


def test_a_missing_path(run: Run, game: Path) -> None:
    ran = run("fmt", "nowhere", ".")
    assert ran.status == 2
    assert ran.err == "rulelang: there is no file or folder 'nowhere'\n"
    assert game.read_text() == UNTIDY_GAME
