"""Every diagnostic has a page, and the examples on it are wrong and right as the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from attrs import frozen

import rulelang
from rulelang.analysis import analyse, analyse_sources
from rulelang.diagnostic import CODES
from rulelang.errors import RuleError
from rulelang.game import Game
from rulelang.loader import Sources
from rulelang.syntax.vocabulary import MAX_FILE_SIZE
from tests.docs.blocks import ROOT

PAGES = ROOT / "docs" / "diagnostics"
PREAMBLE = (PAGES / "preamble.txt").read_text(encoding="utf-8")
CATALOGUE = """
[[clause]]
id = "FER-1"
section = "Sailing"
kind = "rule"
text = "Everybody sails once."
"""
EXAMPLE = "example.rules"
PAGE = re.compile(
    r"# (?P<title>.+)\n\nSeverity: (?P<severity>\w+)\.\n\n(?P<prose>.+?)\n\n"
    r"## Wrong\n\n<!-- (?P<mark>.+) -->\n```(?P<language>\w+)\n(?P<wrong>.*?)```\n\n"
    r"## Right\n\n(?:<!-- right (?P<right_mark>\w+) -->\n)?```(?P=language)\n(?P<right>.*?)```\n",
    re.DOTALL,
)
"""The form of a page. Its marks: `CODE @ 3:7`, `CODE @ 3:7 alone`, `CODE elsewhere`."""


@frozen
class Page:
    """A page's title, severity, prose, and its two examples."""

    title: str
    severity: str
    prose: str
    mark: str
    wrong: str
    right: str
    right_mark: str


def page(code: str) -> Page:
    """The page of a code, taken apart."""
    found = PAGE.fullmatch((PAGES / f"{code}.md").read_text(encoding="utf-8"))
    assert found is not None, f"the page of {code} has another form"
    parts = ("title", "severity", "prose", "mark", "wrong", "right", "right_mark")
    return Page(**{part: found[part] or "" for part in parts})


def with_preamble(text: str, catalogue: str = CATALOGUE) -> Sources:
    rules = {EXAMPLE: text, "preamble.rules": PREAMBLE}
    return Sources("ferry", rules, {"clauses.toml": catalogue})


def found_in(text: str, *, alone: bool) -> list[str]:
    """What the checker says to an example, as `FILE CODE @ LINE:COLUMN`."""
    sources = Sources("ferry", {EXAMPLE: text}, {}) if alone else with_preamble(text)
    diagnostics = analyse_sources(sources).diagnostics
    return [f"{d.file} {d.code} @ {d.line}:{d.column}" for d in diagnostics]


def shown() -> list[str]:
    """The codes whose examples are checked as they stand."""
    return [code for code in CODES if not page(code).mark.endswith("elsewhere")]


def listed(path: Path) -> list[str]:
    return [d.code for d in analyse(path).diagnostics]


# ---------------------------------------------------------------- the pages


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert sorted(path.stem for path in PAGES.glob("*.md")) == sorted([*CODES, "index"])


@pytest.mark.parametrize("code", CODES)
def test_a_page_names_its_code_and_severity(code: str) -> None:
    row, read = CODES[code], page(code)
    assert (read.title, read.severity) == (f"{code} {row.name}", row.severity)
    assert read.mark.split()[0] == code


@pytest.mark.parametrize("code", CODES)
def test_a_page_explains_itself_in_a_few_sentences(code: str) -> None:
    assert 2 <= len(re.findall(r"[.?](?=\s|$)", page(code).prose)) <= 4


def test_the_index_lists_every_code_with_name_and_severity() -> None:
    text = (PAGES / "index.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(\w+)\]\((\w+)\.md\) \| ([\w-]+) \| (\w+) \| .+\. \|$", text, re.M)
    assert rows == [(c.code, c.code, c.name, c.severity) for c in CODES.values()]
    toctree = text.split("```{toctree}\n:hidden:\n\n")[1].split("```")[0]
    assert toctree.split() == list(CODES)


# ---------------------------------------------------------------- their examples


def test_the_preamble_is_free_of_diagnostics() -> None:
    assert found_in("", alone=False) == []


@pytest.mark.parametrize("code", shown())
def test_the_wrong_example_yields_the_diagnostic_at_its_place(code: str) -> None:
    mark = page(code).mark
    place = mark.removesuffix(" alone")
    assert found_in(page(code).wrong, alone=place != mark) == [f"{EXAMPLE} {place}"]


@pytest.mark.parametrize("code", [c for c in CODES if page(c).right_mark != "elsewhere"])
def test_the_right_example_yields_nothing(code: str) -> None:
    assert found_in(page(code).right, alone=page(code).right_mark == "alone") == []


# ---------------------------------------------------------------- what a text cannot show


def test_the_codes_shown_elsewhere_have_a_test_here() -> None:
    tested = re.findall(r"^def test_([a-z]\d{3})_", Path(__file__).read_text("utf-8"), re.M)
    assert {code.upper() for code in tested} == set(CODES) - set(shown())


def test_s110_a_file_too_large() -> None:
    text = page("S110").wrong
    large = text + "#" * (MAX_FILE_SIZE - len(text))
    assert found_in(large, alone=False) == []
    assert found_in(large + "#", alone=False) == [f"{EXAMPLE} S110 @ 1:1"]


def test_s111_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "preamble.rules").write_text(PREAMBLE, encoding="utf-8")
    (tmp_path / "clauses.toml").write_text(CATALOGUE, encoding="utf-8")
    (tmp_path / EXAMPLE).write_text(page("S111").wrong, encoding="latin-1")
    found = [(d.code, d.line, d.column) for d in analyse(tmp_path).diagnostics]
    assert found == [("S111", 2, 14)]
    (tmp_path / EXAMPLE).write_text(page("S111").right, encoding="utf-8")
    assert listed(tmp_path) == []


def test_n210_a_pack_whose_game_is_not_there(tmp_path: Path) -> None:
    base, pack = tmp_path / "ferry", tmp_path / "pack"
    base.mkdir()
    pack.mkdir()
    (base / "game.rules").write_text(PREAMBLE, encoding="utf-8")
    (base / "clauses.toml").write_text(CATALOGUE, encoding="utf-8")
    (pack / "pack.rules").write_text(page("N210").wrong, encoding="utf-8")
    assert listed(pack) == ["N210"]
    (pack / "pack.rules").write_text(page("N210").right, encoding="utf-8")
    assert listed(pack) == []


def test_c511_a_game_in_json_of_the_wrong_shape() -> None:
    sources = with_preamble("")
    program = analyse_sources(sources).program
    assert program is not None
    data = Game(program, sources.rules, None, sources.catalogues).export()

    def with_entries(example: str) -> Game:
        entries = {**data["entries"], **json.loads(example)["entries"]}
        return rulelang.from_json({**data, "entries": entries})

    with pytest.raises(RuleError) as caught:
        with_entries(page("C511").wrong)
    errors = [d for d in caught.value.diagnostics if d.severity == "error"]
    assert [(d.code, d.notes[0].label) for d in errors] == [("C511", "at /entries/Parcel")]
    right = with_entries(page("C511").right)
    assert analyse_sources(Sources("ferry", right.sources, right.catalogues)).diagnostics == ()


def test_d602_a_catalogue_that_lacks_a_text() -> None:
    found = analyse_sources(with_preamble("", page("D602").wrong)).diagnostics
    assert [(d.code, d.file, d.line) for d in found] == [("D602", "clauses.toml", 2)]
    assert analyse_sources(with_preamble("", page("D602").right)).diagnostics == ()
