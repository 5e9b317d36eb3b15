"""`rulelang check`: formats, selections, and statuses."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.toy import FAILING_CHECK, UNKNOWN_NAME, UNUSED, write_toy

BROKEN_LINE = "game.rules:42:18: error[N201]"


def test_nothing_wrong(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("check")
    assert (ran.status, ran.out, ran.err) == (0, "", "no problems in 2 files, 3 entries\n")


def test_full_shows_the_line(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    ran = run("check")
    assert ran.status == 1
    assert ran.out.startswith("error[N201]: ")
    assert "if stone is 1: stubed += 1\n" in ran.out
    assert "\x1b" not in ran.out
    assert ran.err == "1 error in 2 files, 3 entries\n"


def test_concise_is_one_line(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    ran = run("check", "--format", "concise")
    assert ran.status == 1
    assert ran.out.startswith(BROKEN_LINE)
    assert ran.out.count("\n") == 1


def test_json_is_one_object(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    ran = run("check", "--format=json")
    found = json.loads(ran.out)
    assert (found["files"], found["entries"]) == (2, 3)
    assert [each["code"] for each in found["diagnostics"]] == ["N201"]
    assert found["diagnostics"][0]["file"] == "game.rules"


def test_json_of_nothing(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("check", "--format", "json")
    assert json.loads(ran.out) == {"diagnostics": [], "files": 2, "entries": 3}


def test_unknown_format_names_the_known(run: Run) -> None:
    ran = run("check", "--format", "sariff")
    assert ran.status == 2
    assert "'sariff'; known: full, concise, json" in ran.err


@pytest.mark.parametrize(
    ("options", "status"),
    [
        ((), 0),
        (("--fail-level", "warning"), 1),
        (("--fail-level", "info"), 1),
        (("--fail-level", "info", "--ignore", "N204"), 0),
        (("--fail-level", "warning", "--ignore", "unused-name"), 0),
        (("--fail-level", "warning", "--select", "C,d601"), 0),
        (("--fail-level", "warning", "--select", "n"), 1),
    ],
)
def test_a_warning_fails_from_its_level_on(
    run: Run, tmp_path: Path, options: tuple[str, ...], status: int
) -> None:
    write_toy(tmp_path, UNUSED)
    ran = run("check", *options)
    assert ran.status == status
    assert ("N204" in ran.out) == ("--ignore" not in options and "C,d601" not in options)


@pytest.mark.parametrize("codes", ["C505", "failing-check", "C", "F, C505", "r,c"])
def test_a_failing_check_can_be_ignored(run: Run, tmp_path: Path, codes: str) -> None:
    write_toy(tmp_path, FAILING_CHECK)
    assert run("check").status == 1
    ran = run("check", "--ignore", codes)
    assert (ran.status, ran.out) == (0, "")


@pytest.mark.parametrize("codes", ["N201", "S", "T301", "N", "wrong-type", "N204,unknown-name"])
def test_a_hard_error_cannot_be_ignored(run: Run, tmp_path: Path, codes: str) -> None:
    write_toy(tmp_path)
    ran = run("check", "--ignore", codes)
    assert ran.status == 2
    assert "cannot be ignored: a game with such an error" in ran.err


def test_a_hard_error_is_never_deselected(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME, UNUSED)
    ran = run("check", "--select", "C", "--format", "concise")
    assert ran.status == 1
    assert "N201" in ran.out
    assert "N204" not in ran.out


@pytest.mark.parametrize(
    ("codes", "instead"),
    [
        ("N20l", "did you mean N201"),
        ("unkown-name", "did you mean unknown-name or "),
        ("X", "areas are S (syntax)"),
    ],
)
@pytest.mark.parametrize("option", ["--select", "--ignore"])
def test_unknown_code(run: Run, option: str, codes: str, instead: str) -> None:
    ran = run("check", option, codes)
    assert ran.status == 2
    assert instead in ran.err


def test_options_and_paths_mix(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "a", UNKNOWN_NAME)
    write_toy(tmp_path / "b", UNKNOWN_NAME)
    ran = run("check", "a", "--format", "concise", "b")
    assert [line[:12] for line in ran.out.splitlines()] == ["a/game.rules", "b/game.rules"]


def test_the_same_twice(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "b", UNKNOWN_NAME, UNUSED)
    write_toy(tmp_path / "a", UNUSED)
    assert run("check", ".") == run("check", ".")
