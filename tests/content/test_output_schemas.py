"""The schemas of what commands print as JSON: real output fits them, and they are current."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rulelang.cli import main
from rulelang.content import schema as schema_module
from rulelang.game import load
from rulelang.loader import shipped
from tests.content.toy import CLAUSES, ENTRIES, RULES

SCHEMAS = Path(__file__).resolve().parents[2] / "schemas"
SCENARIOS = """
scenario "it ends" in alone
  when play
  then ended(done)

scenario "it does not end" in alone
  when play
  then not ended(done)
"""
Run = Callable[..., str]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process; what it prints."""

    def call(*words: str) -> str:
        capfd.readouterr()
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO()))
        main(words)
        return capfd.readouterr().out

    return call


@pytest.fixture
def river(tmp_path: Path) -> Path:
    """The toy's folder, with a scenario that passes, one that fails, and a warning."""
    folder = tmp_path / "river"
    folder.mkdir()
    (folder / "river.rules").write_text(RULES + SCENARIOS, "utf-8")
    (folder / "bends.rules").write_text(ENTRIES, "utf-8")
    (folder / "clauses.toml").write_text(CLAUSES, "utf-8")
    return folder


def validator(name: str) -> Draft202012Validator:
    found = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def problems(name: str, text: str) -> list[str]:
    found = validator(name).iter_errors(json.loads(text))
    return [f"{error.json_path}: {error.message}" for error in found]


def test_diagnostics_fit(run: Run, river: Path) -> None:
    (river / "more.rules").write_text("pool D: wad\npool A\ncheck\n", "utf-8")
    assert problems("diagnostics", run("check", str(river), "--format", "json")) == []
    (river / "more.rules").write_text("pool D: wad\npool A: wade\n", "utf-8")
    text = run("check", str(river), "--format", "json")
    assert problems("diagnostics", text) == []
    assert any(each["fix"] for each in json.loads(text)["diagnostics"])
    assert any(each["notes"] for each in json.loads(text)["diagnostics"])


def test_a_shipped_game_without_problems_fits(run: Run) -> None:
    assert problems("diagnostics", run("check", "lost_expedition", "--format", "json")) == []


@pytest.mark.parametrize("mode", ["coop", "solo"])
def test_simulations_fit(run: Run, mode: str) -> None:
    words = ("simulate", "lost_expedition", "--mode", mode, "--games", "3", "--format", "json")
    assert problems("simulate", run(*words)) == []


def test_counts_fit(run: Run) -> None:
    names = ("resolve", "trigger", "set_up", "arrival")
    counts = [word for name in names for word in ("--count", name)]
    words = ("simulate", "lost_expedition", "--games", "3", *counts, "--format", "json")
    text = run(*words)
    assert problems("simulate", text) == []
    assert list(json.loads(text)["counts"]) == list(names)


def test_the_trace_fits(run: Run, river: Path) -> None:
    assert problems("trace", run("trace", str(river), "--format", "json")) == []


def test_scenarios_fit(run: Run, river: Path) -> None:
    text = run("test", str(river), "--format", "json")
    assert problems("test", text) == []
    assert (json.loads(text)["passed"], json.loads(text)["failed"]) == (1, 1)


def test_passages_fit(run: Run, river: Path) -> None:
    text = run("read", str(river), "--format", "json")
    assert problems("read", text) == []
    assert [type(each["key"]) for each in json.loads(text)[:4]] == [int, int, str, int]
    assert not validator("read").is_valid([{**json.loads(text)[0], "line": 0}])


@pytest.mark.parametrize(
    ("name", "spoil"),
    [
        ("diagnostics", {"files": -1}),
        ("diagnostics", {"diagnostics": [{"code": "N201"}]}),
        ("simulate", {"scores": None}),
        ("simulate", {"mean": 1}),
        ("simulate", {"counts": {"walk": 3}}),
        ("trace", {"missing": ["A-1", "A-1"]}),
        ("test", {"scenarios": [{}]}),
    ],
)
def test_what_commands_never_print_does_not_fit(
    run: Run, river: Path, name: str, spoil: dict[str, Any]
) -> None:
    words = {
        "diagnostics": ("check", str(river)),
        "simulate": ("simulate", str(river), "--games", "1"),
        "trace": ("trace", str(river)),
        "test": ("test", str(river)),
    }
    printed = json.loads(run(*words[name], "--format", "json"))
    assert validator(name).is_valid(printed)
    assert not validator(name).is_valid({**printed, **spoil})


# ---------------------------------------------------------------- schema and export


@pytest.mark.parametrize("name", shipped())
def test_the_committed_schema_is_current_and_the_game_fits(run: Run, name: str) -> None:
    """`rulelang schema GAME --output schemas/GAME.schema.json` writes it anew."""
    kept = (SCHEMAS / f"{name}.schema.json").read_text("utf-8")
    assert run("schema", name) == kept
    assert problems(name, run("export", name)) == []


def test_export_and_schema_write_files(run: Run, river: Path, tmp_path: Path) -> None:
    files = [tmp_path / "schema.json", tmp_path / "export.json"]
    for file in files:
        assert run(file.stem, str(river), "--output", str(file)) == ""
    schema, exported = (json.loads(file.read_text("utf-8")) for file in files)
    assert Draft202012Validator(schema).is_valid(exported)
    assert schema == load(river).schema()


@pytest.mark.parametrize("command", ["schema", "export"])
def test_a_game_with_errors_is_not_written(
    command: str, river: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (river / "more.rules").write_text("pool D: wad\n", "utf-8")
    file = tmp_path / "out.json"
    assert main([command, str(river), "--output", str(file)]) == 1
    assert not file.exists()
    assert "N208" in capfd.readouterr().err


def test_a_file_that_cannot_be_written_is_wrong_usage(river: Path, tmp_path: Path) -> None:
    assert main(["export", str(river), "--output", str(tmp_path / "none" / "out.json")]) == 2


def test_the_module_writes_the_schema(river: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert schema_module.main([str(river)]) == 0
    assert json.loads(capsys.readouterr().out) == load(river).schema()
    assert schema_module.main([]) == 2
