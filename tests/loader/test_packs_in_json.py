"""Packs in the JSON form of a game: nothing is lost, and the same is wrong as in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import rulelang
from rulelang.errors import RuleError
from rulelang.game import Game, load
from tests.loader.test_packs import folders

ONE = """
# Slate is softer.
replaces stone 2 "Slate"

stone 4 "Opal"
"""
TWO = """
replaces stones
  number | title
  # It glitters.
  1      | "Mica"
  4      | "Fire Opal"

replaces hat plain "None": tip Sun Hat

rule bow(h: Hat) for t: Foot
  tip h for t
"""


@pytest.fixture
def chain(tmp_path: Path) -> Game:
    return load(folders(tmp_path, one=ONE, two=TWO), unproved=True)


def data_of(game: Game) -> Any:
    return json.loads(json.dumps(game.export()))


def refused(data: Any) -> list[tuple[str, str, str]]:
    with pytest.raises(RuleError) as caught:
        rulelang.from_json(data)
    return [
        (d.code, d.message, d.notes[0].label if d.notes else "")
        for d in caught.value.diagnostics
        if d.severity == "error"
    ]


def test_the_packs_and_what_they_replace_are_exported(chain: Game) -> None:
    data = data_of(chain)
    assert data["packs"] == [
        {"name": "one", "files": ["one/a.rules"]},
        {"name": "two", "files": ["a.rules"]},
    ]
    stones = {e["number"]: (e["title"], e.get("instead", False)) for e in data["entries"]["Stone"]}
    assert stones == {
        1: ("Mica", True),
        2: ("Slate", True),
        3: ("Flint", False),
        4: ("Fire Opal", True),
    }
    assert data["entries"]["Stone"][0]["#"] == ["It glitters."]
    assert data["entries"]["Stone"][1]["#"] == ["Slate is softer."]


def test_what_is_replaced_stays_text(chain: Game) -> None:
    rules = data_of(chain)["rules"]
    left = rules["one/toy/cards/stones.rules"].split("\n")
    assert [line.split("|")[-1].strip() for line in left] == [
        "stones",
        "title",
        '"Granite"',
        '"Chalk"',
        "",
    ]
    assert rules["one/a.rules"] == 'extends toy\n\nstone 4 "Opal"\n'
    assert "replaces" not in rules["a.rules"]


def test_the_same_game_comes_back(chain: Game) -> None:
    data = data_of(chain)
    again = rulelang.from_json(data)
    assert again.program.meaning == chain.program.meaning
    assert [pack.name for pack in again.program.packs] == ["one", "two"]
    assert data_of(again) == data
    for kind in ("Stone", "Hat"):
        texts = [[entry.text for entry in game.entries(kind)] for game in (again, chain)]
        assert texts[0] == texts[1]


def test_the_export_fits_the_schema(chain: Game) -> None:
    assert Draft202012Validator(chain.schema()).is_valid(data_of(chain))


def test_an_entry_that_clashes(chain: Game) -> None:
    data = data_of(chain)
    del data["entries"]["Stone"][0]["instead"]
    assert refused(data) == [
        ("C502", "the game has stone 1 already", "at /entries/Stone/0/number"),
    ]


def test_an_entry_that_replaces_nothing(chain: Game) -> None:
    data = data_of(chain)
    data["entries"]["Stone"].append({"number": 30, "title": "Jet", "instead": True})
    assert refused(data) == [
        ("N201", "what this pack extends has no stone 30", "at /entries/Stone/4/number")
    ]
    data["entries"]["Stone"][-1]["number"] = 4
    data["entries"]["Stone"][-1]["title"] = "Jet"
    assert [each[:2] for each in refused(data)] == [("C502", "stone 4 is replaced twice")]


def test_a_game_without_packs_replaces_nothing(chain: Game) -> None:
    data = {**data_of(chain), "packs": []}
    data["rules"] = {k: v for k, v in data["rules"].items() if "toy" in k}
    data["entries"]["Hat"] = [e for e in data["entries"]["Hat"] if "instead" not in e]
    data["entries"]["Stone"] = [{"number": 9, "title": "Jet", "instead": True}]
    assert refused(data)[0] == (
        "C510",
        "a game does not replace entries of its own",
        "at /entries/Stone/0/instead",
    )


@pytest.mark.parametrize(
    ("packs", "message", "at"),
    [
        (None, "a list is needed here, not null", "/packs"),
        ([1], "an object is needed here, not 1", "/packs/0"),
        ([{"name": "one"}], "a pack has a `name` and `files`", "/packs/0"),
        ([{"name": 1, "files": []}], "a pack has a `name` and `files`", "/packs/0"),
        ([{"name": "one", "files": {}}], "a list is needed here, not an object", "/packs/0/files"),
        (
            [{"name": "one", "files": ["b.rules"]}],
            '"b.rules" is no file among `rules`',
            "/packs/0/files/0",
        ),
        ([{"name": "one", "files": [], "by": 1}], "`by` has no meaning here", "/packs/0/by"),
    ],
)
def test_packs_of_another_form(chain: Game, packs: Any, message: str, at: str) -> None:
    assert refused({**data_of(chain), "packs": packs}) == [("C511", message, f"at {at}")]


def test_instead_is_true_or_false(chain: Game) -> None:
    data = data_of(chain)
    data["entries"]["Stone"][0]["instead"] = "yes"
    assert refused(data) == [
        ("C511", 'true or false is needed here, not "yes"', "at /entries/Stone/0/instead")
    ]
