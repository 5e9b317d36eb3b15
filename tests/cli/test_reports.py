"""`rulelang check` for other programs: formats, `--report`, and `rulelang test --format junit`."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Run
from tests.cli.toy import FAILING_SCENARIO, UNKNOWN_NAME, UNUSED, write_toy

FORMATS = ("full", "concise", "json", "sarif", "junit", "github", "gitlab", "markdown")
FIRST = {
    "full": "error[N201]: ",
    "concise": "game.rules:42:18: error[N201]",
    "json": "{",
    "sarif": "{",
    "junit": '<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="rulelang check"',
    "github": "::error file=game.rules,line=42,col=18,",
    "gitlab": "[",
    "markdown": "**1 error, in 1 file**\n",
}


@pytest.mark.parametrize("form", FORMATS)
def test_a_format(run: Run, tmp_path: Path, form: str) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    ran = run("check", "--format", form)
    assert ran.status == 1
    assert ran.out.startswith(FIRST[form])
    assert ran.out.endswith("\n")
    assert ran.err == "1 error in 2 files, 3 entries\n"


@pytest.mark.parametrize(
    ("form", "silent"), [(f, f in ("full", "concise", "github")) for f in FORMATS]
)
def test_a_format_of_nothing(run: Run, tmp_path: Path, form: str, silent: bool) -> None:
    write_toy(tmp_path)
    ran = run("check", "--format", form)
    assert ran.status == 0
    assert (ran.out == "") == silent


def test_junit_has_every_file(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "a", UNKNOWN_NAME)
    root = ElementTree.fromstring(run("check", "--format", "junit").out)
    assert [(suite.get("name"), suite.get("failures")) for suite in root] == [
        ("a/cards/stones.rules", "0"),
        ("a/game.rules", "1"),
    ]


def test_junit_fails_from_the_fail_level_on(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNUSED)
    words = "check", "--format", "junit"
    assert ElementTree.fromstring(run(*words).out).get("failures") == "0"
    stricter = run(*words, "--fail-level", "warning").out
    assert ElementTree.fromstring(stricter).get("failures") == "1"


def test_other_letters_are_utf_8_wherever_they_go(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, ("  last = f", '  last = "é"'), ("if stone is 1", "if stone is “ü”"))
    ran = run("check", "--format", "markdown")
    assert "\\x" not in ran.out


# ---------------------------------------------------------------- reports


@pytest.mark.parametrize("form", FORMATS)
def test_a_report_is_what_the_format_prints(run: Run, tmp_path: Path, form: str) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    printed = run("check", "--format", form).out
    ran = run("check", "--format", "concise", f"--report={form}=out.txt")
    assert (ran.status, ran.out) == (1, run("check", "--format", "concise").out)
    assert (tmp_path / "out.txt").read_text("utf-8") == printed
    assert not list(tmp_path.glob(".out*"))


def test_several_reports(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    run("check", "--report", "sarif=a.json", "--report", "github=b.txt")
    assert json.loads((tmp_path / "a.json").read_text())["version"] == "2.1.0"
    assert (tmp_path / "b.txt").read_text() == ""


def test_a_report_takes_the_place_of_the_last(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    old = tmp_path / "a.json"
    old.write_text("x" * 9_999)
    old.chmod(0o640)
    run("check", "--report", "gitlab=a.json")
    assert json.loads(old.read_text()) == []
    assert old.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("report", "reason"),
    [
        ("json", "write FORMAT=FILE, not 'json'"),
        ("json=", "write FORMAT=FILE, not 'json='"),
        ("jsn=a", "there is no format 'jsn'; known: full, "),
        ("json=-", "name a file; --format json prints it"),
        ("json=none/a", "none/a cannot be written: there is no folder none"),
        ("json=cards", "cards cannot be written: it is a folder, not a file"),
        ("json=game.rules", "game.rules is a file of rules; a report would take its place"),
        ("json=locked", "locked cannot be written: it is read-only"),
    ],
)
def test_a_report_that_cannot_be_written(
    run: Run, tmp_path: Path, report: str, reason: str
) -> None:
    game = write_toy(tmp_path) / "game.rules"
    before = game.read_bytes()
    (tmp_path / "locked").touch(0o444)
    ran = run("check", "--report", report)
    assert (ran.status, ran.out) == (2, "")
    assert reason in ran.err
    assert game.read_bytes() == before


def test_two_reports_in_one_file(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("check", "--report", "json=a", "--report", "sarif=./a")
    assert ran.status == 2
    assert "two reports are to be written to ./a" in ran.err


def test_a_full_disk_is_told(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toy(tmp_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("rulelang.writing.os.replace", full)
    ran = run("check", "--report", "json=a.json")
    assert ran.status == 2
    assert "a.json cannot be written: No space left on device" in ran.err
    assert not list(tmp_path.glob("*a.json*"))


# ---------------------------------------------------------------- scenarios


def scenarios(run: Run, status: int) -> ElementTree.Element:
    ran = run("test", "--format", "junit")
    assert ran.status == status
    return ElementTree.fromstring(ran.out)


def test_scenarios_that_pass(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    root = scenarios(run, 0)
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "0", "0")
    case = root.find("./testsuite/testcase")
    assert case is not None
    assert case.attrib == {
        "classname": "game.rules", "name": "the last step", "file": "game.rules", "line": "46",
    }  # fmt: skip


def test_a_scenario_that_fails(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, FAILING_SCENARIO)
    root = scenarios(run, 1)
    assert root.get("failures") == "1"
    failure = root.find("./testsuite/testcase[@name='a stone']/failure")
    assert failure is not None
    assert (failure.text or "").startswith("game.rules:58: ")
    assert failure.get("message")


def test_a_game_that_cannot_be_played(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "a", UNKNOWN_NAME)
    write_toy(tmp_path / "b")
    root = scenarios(run, 1)
    assert (root.get("tests"), root.get("errors")) == ("3", "1")
    assert root.find("./testsuite[@name='a']/testcase/error") is not None


def test_no_scenarios(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("test", "--format", "junit", "-k", "nowhere")
    assert ran.status == 3
    assert ElementTree.fromstring(ran.out).get("tests") == "0"
