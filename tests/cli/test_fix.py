"""`rulelang check --fix` and `--diff`."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.toy import GAME, UNKNOWN_NAME, UNUSED, write_toy

SIGNS = (
    "  if stone is 1: stubbed += 1",
    "  // a stone\n  if stone is 1 && walked >= 0:\n    stubbed += 1;",
)
MENDED = "  # a stone\n  if stone is 1 and walked >= 0\n    stubbed += 1"
TAB = "  last = f\n", "\tlast = f\n"


def mended(*changes: tuple[str, str]) -> str:
    text = GAME
    for old, new in changes:
        text = text.replace(old, new)
    return text


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """A file with slips that have safe fixes, in the current folder."""
    return write_toy(tmp_path, SIGNS) / "game.rules"


def test_nothing_to_fix(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("check", "--fix")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err == "there is nothing to fix\nno problems in 2 files, 3 entries\n"


def test_fixes_are_made(run: Run, game: Path) -> None:
    ran = run("check", "--fix")
    assert (ran.status, ran.out) == (0, "")
    assert game.read_text() == mended((SIGNS[0], MENDED))
    assert ran.err == (
        "fixed game.rules (4)\n4 problems fixed in 1 file\nno problems in 2 files, 3 entries\n"
    )


def test_what_is_left_is_reported(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, SIGNS, UNUSED)
    ran = run("check", "--fix", "--format", "concise", "--fail-level", "warning")
    assert ran.status == 1
    assert "warning[N204]" in ran.out
    assert ran.out.count("\n") == 1


def test_a_second_time_there_is_nothing_to_do(run: Run, game: Path) -> None:
    run("check", "--fix")
    before = game.stat().st_mtime_ns
    assert run("check", "--fix").err.startswith("there is nothing to fix\n")
    assert game.stat().st_mtime_ns == before


def test_the_diff_changes_nothing(run: Run, game: Path) -> None:
    before = game.read_bytes()
    ran = run("check", "--diff")
    lines = ran.out.splitlines()
    assert ran.status == 1
    assert lines[:2] == ["--- game.rules", "+++ game.rules"]
    assert "-  // a stone" in lines
    assert "+  # a stone" in lines
    assert game.read_bytes() == before
    assert ran.err == (
        "4 problems would be fixed in 1 file\nwould be left: no problems in 2 files, 3 entries\n"
    )


def test_the_diff_wins_over_the_fix(run: Run, game: Path) -> None:
    before = game.read_bytes()
    assert run("check", "--fix", "--diff") == run("check", "--diff")
    assert game.read_bytes() == before


@pytest.mark.parametrize(("changes", "status"), [((), 0), ((UNUSED,), 0), ((UNKNOWN_NAME,), 1)])
def test_a_diff_without_changes(
    run: Run, tmp_path: Path, changes: tuple[tuple[str, str], ...], status: int
) -> None:
    write_toy(tmp_path, *changes)
    ran = run("check", "--diff")
    assert (ran.status, ran.out) == (status, "")


def test_a_report_says_what_is_left(run: Run, game: Path) -> None:
    run("check", "--diff", "--report", "json=before.json")
    run("check", "--fix", "--report", "json=after.json")
    before, after = (
        json.loads((game.parent / f"{name}.json").read_text())["diagnostics"]
        for name in ("before", "after")
    )
    assert len(before) > len(after) == 0


# ---------------------------------------------------------------- guesses


def test_a_guess_is_not_made_unasked(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    ran = run("check", "--fix")
    assert ran.status == 1
    assert ran.err.startswith("0 problems fixed in 0 files; 1 more with --unsafe-fixes\n")


def test_a_guess_is_made_when_asked(run: Run, tmp_path: Path) -> None:
    game = write_toy(tmp_path, UNKNOWN_NAME) / "game.rules"
    assert run("check", "--fix", "--unsafe-fixes").status == 0
    assert game.read_text() == GAME


def test_a_guess_that_makes_it_worse_is_not_made(run: Run, tmp_path: Path) -> None:
    changes = [("  if stone is 1: stubbed += 1", "  if stone is 1: goall += 1")]
    game = write_toy(tmp_path, *changes) / "game.rules"
    before = game.read_bytes()
    ran = run("check", "--fix", "--unsafe-fixes")
    assert ran.status == 1
    assert "N201 is left, as its fix would bring new errors" in ran.err
    assert game.read_bytes() == before


def test_guesses_alone_are_wrong_usage(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("check", "--unsafe-fixes")
    assert ran.status == 2
    assert "--unsafe-fixes goes with --fix or --diff" in ran.err


def test_what_is_ignored_is_not_fixed(run: Run, tmp_path: Path) -> None:
    game = write_toy(tmp_path, TAB, UNUSED) / "game.rules"
    run("check", "--fix", "--ignore", "F701")
    assert "\tlast" in game.read_text()
    run("check", "--fix", "--select", "F")
    assert "    last" in game.read_text()


# ---------------------------------------------------------------- bytes


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("last", ["", "\n\n"])
def test_all_else_stays_byte_for_byte(run: Run, game: Path, end: str, mark: str, last: str) -> None:
    def as_bytes(text: str) -> bytes:
        return (mark + text.rstrip("\n").replace("\n", end) + last).encode()

    game.write_bytes(as_bytes(game.read_text()))
    assert run("check", "--fix").status == 0
    assert game.read_bytes() == as_bytes(mended((SIGNS[0], MENDED)))


def test_line_ends_may_be_mixed(run: Run, game: Path) -> None:
    text = game.read_text().replace("\n\n", "\r\n\n")
    game.write_bytes(text.encode())
    run("check", "--fix")
    assert game.read_bytes().count(b"\r\n") == text.count("\r\n")


def test_the_mode_stays(run: Run, game: Path) -> None:
    game.chmod(0o640)
    run("check", "--fix")
    assert game.stat().st_mode & 0o777 == 0o640
    assert not list(game.parent.glob(".game*"))


def test_a_read_only_file_stops_it_before_anything_is_written(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, TAB)
    stones = tmp_path / "cards" / "stones.rules"
    stones.write_text(stones.read_text().replace("  number", "\tnumber", 1))
    stones.chmod(0o444)
    before = (tmp_path / "game.rules").read_bytes(), stones.read_bytes()
    ran = run("check", "--fix")
    assert (ran.status, ran.out) == (2, "")
    assert "cards/stones.rules cannot be written: it is read-only" in ran.err
    assert ((tmp_path / "game.rules").read_bytes(), stones.read_bytes()) == before


def test_a_failing_disk_leaves_every_file_whole(
    run: Run, game: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = game.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", str(game))

    monkeypatch.setattr("rulelang.writing.os.replace", full)
    ran = run("check", "--fix")
    assert ran.status == 2
    assert "No space left on device" in ran.err
    assert game.read_bytes() == before
    assert not list(game.parent.glob(".game*"))


# ---------------------------------------------------------------- whose files


def test_standard_input_goes_to_standard_output(run: Run, game: Path) -> None:
    ran = run("check", "--fix", "-", stdin=game.read_bytes())
    assert ran.out == mended((SIGNS[0], MENDED))
    assert "4 problems fixed in 1 file" in ran.err


@pytest.mark.parametrize("data", [b"", b"\xff\xfe", b"x y\r\n"])
def test_standard_input_without_fixes_goes_through(
    command: Callable[..., subprocess.Popen[bytes]], data: bytes
) -> None:
    out, _ = command("check", "--fix", "-").communicate(data)
    assert out == data


def test_a_shipped_game_is_not_changed_by_its_name(run: Run) -> None:
    ran = run("check", "--fix", "lost_expedition")
    assert (ran.status, ran.out) == (2, "")
    assert "lost_expedition is a shipped game; name a folder to change it" in ran.err


def test_the_game_that_a_pack_extends_is_not_touched(run: Run, tmp_path: Path) -> None:
    base = write_toy(tmp_path / "toy", TAB) / "game.rules"
    before = base.read_bytes()
    pack = tmp_path / "pack"
    pack.mkdir()
    (pack / "pack.rules").write_text("extends toy\n\ndefine extra = 3\n\nrule idle\n\tnothing\n")
    ran = run("check", "--fix", "pack", "--format", "concise")
    assert "\tnothing" not in (pack / "pack.rules").read_text()
    assert base.read_bytes() == before
    assert "toy/game.rules:39:1: warning[F701]" in ran.out


def test_a_file_behind_a_link_out_of_the_folder_is_not_touched(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    other = tmp_path / "other.rules"
    other.write_text("define extra = 3\n\nrule idle\n\tnothing\n")
    (tmp_path / "toy" / "link.rules").symlink_to(other)
    run("check", "--fix", "toy")
    assert "\tnothing" in other.read_text()


def test_a_file_in_two_games_is_fixed_once(run: Run, tmp_path: Path) -> None:
    game = write_toy(tmp_path / "a" / "b", SIGNS) / "game.rules"
    (tmp_path / "a" / "outer.rules").write_text('game outer "Outer"\n')
    run("check", "--fix", "a", "a/b")
    assert game.read_text() == mended((SIGNS[0], MENDED))


def test_every_game_below_a_folder_is_fixed(run: Run, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_toy(tmp_path / name, SIGNS)
    ran = run("check", "--fix")
    assert ran.status == 0
    assert ran.err.startswith("fixed a/game.rules (4)\nfixed b/game.rules (4)\n8 problems fixed")
