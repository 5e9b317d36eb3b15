"""Boards, numbered entries and several scripts in JSON: nothing is lost, and slips are found."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import rulelang
from rulelang.analysis import analyse_sources
from rulelang.errors import RuleError
from rulelang.game import Game
from rulelang.loader import Sources
from tests.content.test_export import content

RULES = """\
game shore "Shore"
  clauses "clauses.toml"
  mode alone "Alone" players 1

kind Spot by name
  one of buoy, quay
  title: text = ""
  depth: 0 to 99 = 5
  opens: Lane or none = none

kind Islet by number
  title: text = ""

edge Lane between buoy and buoy or quay
edge Hop from quay to Islet
  toll: 0 to 9 = 1
  note: text = ""
edge Causeway between Islet and quay or Islet

kind Hex by number
  x: number or none = none
  wooded: flag
edge Step from Hex to Hex
  way: 1 to 6

kind Strip by name, for p: Player
  title: text = ""
  frames: list of Frame
  done: script
  missed: script
kind Frame by place, for p: Player
  one of wide, tall
  caption: text = ""
  tells: list of effect

ending over "Over"
rule play: end over
rule gain(n: 1 to 3) for p: Player: nothing
define lucky for p: Player = yes
"""

ENTRIES = """\
# Where ships lie.

# A deep one.
buoy north "The North Buoy"
  depth: 40
  opens: south - pier
buoys
  name  | depth
  south | 3
  # It drifts.
  east  |
quay pier "Pier"
quay "Old Steps"
islets
  number | title
  1      | "Holm"
  2      | "Skerry"

lanes  cites SHO-1
  north - south - east  # in the fairway
  south - pier, old steps - east  cites SHO-2
hops: pier > 1
hop Old Steps > 2 toll 3
  note: "rough"
causeways
  joins
  islet 2 - islet 1
  2 - pier

strip one "One"
  tall 1 "First": gain 1
  wide 2: gain 2, gain 3
  missed
    if lucky: gain 1
    else: nothing
  done: gain 2
strip two
  gain 1
  missed: gain 2
strip three
  missed: gain 3
"""

MAP = """\
# As it looks.
hexes along Step
  sign *: wooded
  sign .
  rows
      *   .
    .   *

names Left: over
"""

CLAUSES = "".join(
    f'[[clause]]\nid = "SHO-{n}"\nsection = "1"\nkind = "rule"\ntext = "T."\n' for n in (1, 2)
)


def shore(more: dict[str, str] | None = None) -> Game:
    texts = {"entries.rules": ENTRIES, "map.rules": MAP, "shore.rules": RULES, **(more or {})}
    analysis = analyse_sources(Sources("shore", texts, {"clauses.toml": CLAUSES}))
    assert analysis.program is not None, [str(each) for each in analysis.diagnostics]
    return Game(analysis.program, texts, None, {"clauses.toml": CLAUSES})


MADE = shore()
DATA = MADE.export()


def entries(kind: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = DATA["entries"][kind]
    return found


def by_ends(kind: str) -> dict[str, dict[str, Any]]:
    return {json.dumps(each["joins"]): each for each in entries(kind)}


# ---------------------------------------------------------------- what is exported


def test_variants_of_entries_with_a_key_are_told() -> None:
    assert [(each["name"], each["is"]) for each in entries("Spot")] == [
        ("Old Steps", "quay"),
        ("east", "buoy"),
        ("north", "buoy"),
        ("pier", "quay"),
        ("south", "buoy"),
    ]
    assert entries("Spot")[1]["#"] == ["It drifts."]
    assert entries("Spot")[2] == {
        "name": "north",
        "is": "buoy",
        "title": "The North Buoy",
        "depth": 40,
        "opens": "south - pier",
        "#": ["A deep one."],
    }


def test_edges_say_what_they_join_and_their_fields() -> None:
    lanes = by_ends("Lane")
    assert sorted(lanes) == [
        '["east", "Old Steps"]',
        '["east", "south"]',
        '["north", "south"]',
        '["south", "pier"]',
    ]
    assert lanes['["south", "pier"]']["cites"] == ["SHO-1", "SHO-2"]
    assert lanes['["north", "south"]'] == {
        "joins": ["north", "south"],
        "cites": ["SHO-1"],
        "#": ["in the fairway"],
    }
    pier, old_steps = ({"of": "Spot", "key": key} for key in ("pier", "Old Steps"))
    holm, skerry = ({"of": "Islet", "key": number} for number in (1, 2))
    assert entries("Hop") == [
        {"joins": [old_steps, skerry], "toll": 3, "note": "rough"},
        {"joins": [pier, holm], "toll": 1, "note": ""},
    ]
    assert entries("Causeway") == [{"joins": [holm, skerry]}, {"joins": [skerry, pier]}]


def test_numbered_entries_inside_others_say_their_numbers() -> None:
    assert entries("Strip")[0]["frames"] == [
        {"is": "tall", "place": 1, "caption": "First", "tells": [{"do": "gain", "n": 1}]},
        {
            "is": "wide",
            "place": 2,
            "caption": "",
            "tells": [{"do": "gain", "n": 2}, {"do": "gain", "n": 3}],
        },
    ]


def test_each_script_of_an_entry_is_told() -> None:
    one, three, two = entries("Strip")
    assert one["done"] == [{"do": "gain", "n": 2}]
    assert one["missed"][0]["if"] == {"ask": "lucky"}
    assert (two["done"], two["missed"]) == ([{"do": "gain", "n": 1}], [{"do": "gain", "n": 2}])
    assert (three["done"], three["missed"]) == ([], [{"do": "gain", "n": 3}])


def test_a_drawn_map_stays_text() -> None:
    assert DATA["rules"]["map.rules"] == MAP
    assert entries("Hex") == entries("Step") == []
    assert "entries.rules" in DATA["rules"]  # its first note belongs to no entry
    assert "lanes" not in DATA["rules"]["entries.rules"]


# ---------------------------------------------------------------- there and back


def test_the_same_board_comes_back() -> None:
    again = rulelang.from_json(json.loads(json.dumps(DATA)))
    assert again.program.meaning == MADE.program.meaning
    assert content(again) == content(MADE)
    assert again.export()["entries"] == DATA["entries"]
    assert len(again.program.domains["Step"].entries) == 10


def test_the_places_of_an_edge_that_goes_both_ways_may_be_swapped() -> None:
    data = copy.deepcopy(DATA)
    for kind in ("Lane", "Causeway"):
        for edge in data["entries"][kind]:
            edge["joins"].reverse()
    assert rulelang.from_json(data).export()["entries"] == DATA["entries"]


def test_the_order_of_edges_does_not_matter() -> None:
    data = copy.deepcopy(DATA)
    data["entries"]["Lane"].reverse()
    assert rulelang.from_json(data).program.meaning == MADE.program.meaning


def test_everything_fits_the_schema() -> None:
    schema = MADE.schema()
    Draft202012Validator.check_schema(schema)
    assert [e.message for e in Draft202012Validator(schema).iter_errors(DATA)] == []


def spoiled(*path: str | int, to: object = None, drop: bool = False) -> dict[str, Any]:
    data = copy.deepcopy(DATA)
    at: Any = data["entries"]
    for step in path[:-1]:
        at = at[step]
    if drop:
        del at[path[-1]]
    else:
        at[path[-1]] = to
    return data


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (
            spoiled("Spot", 2, "is", drop=True),
            "C511 /Spot/2 a Spot says in `is` which one it is: buoy, quay",
        ),
        (
            spoiled("Spot", 2, "is", to="bouy"),
            "C511 /Spot/2/is a Spot says in `is` which one it is: buoy, quay",
        ),
        (spoiled("Islet", 0, "is", to="x"), "C511 /Islet/0/is a Islet comes in one variant only"),
        (spoiled("Lane", 0, "joins", drop=True), "C503 /Lane/0 this Lane has no joins"),
        (spoiled("Lane", 0, "joins", to=["east"]), "C511 /Lane/0/joins a Lane joins two places"),
        (
            spoiled("Lane", 0, "joins", to="east"),
            'C511 /Lane/0/joins a list is needed here, not "east"',
        ),
        (
            spoiled("Lane", 0, "joins", 1, to="est"),
            "N201 /Lane/0/joins/1 there is no buoy or quay `est`",
        ),
        (
            spoiled("Lane", 0, "joins", to=["pier", "Old Steps"]),
            "C513 /Lane/0/joins/0 a Lane joins buoy and buoy or quay, not quay Pier "
            "and quay Old Steps",
        ),
        (
            spoiled("Lane", 0, "joins", to=["north", "north"]),
            "C513 /Lane/0/joins/0 The North Buoy is joined with itself",
        ),
        (
            spoiled("Lane", 0, "joins", to=["north", "south"]),
            "C502 /Lane/2/joins/0 lane north - south stands here twice",
        ),
        (
            spoiled("Hop", 0, "joins", 0, to="pier"),
            'C511 /Hop/0/joins/0 "pier" is not Spot or Islet',
        ),
        (spoiled("Hop", 0, "tol", to=3), "N206 /Hop/0/tol `tol` has no meaning here"),
        (spoiled("Hop", 0, "as", to="x"), "N206 /Hop/0/as `as` has no meaning here"),
        (
            spoiled("Strip", 0, "frames", 0, "place", drop=True),
            "C503 /Strip/0/frames/0 this frame says nothing about `place`",
        ),
        (
            spoiled("Strip", 0, "frames", 0, "place", to=3),
            "C501 /Strip/0/frames/1 One has no frame 1",
        ),
        (
            spoiled("Strip", 0, "frames", 0, "place", to=2),
            "C502 /Strip/0/frames/1 One has frame 2 twice",
        ),
        (
            spoiled("Strip", 0, "frames", 0, "place", to="1"),
            'C511 /Strip/0/frames/0/place "1" is no whole number',
        ),
    ],
)
def test_what_is_wrong_is_found_at_its_place(data: dict[str, Any], expected: str) -> None:
    with pytest.raises(RuleError) as caught:
        rulelang.from_json(data)
    first = caught.value.diagnostics[0]
    at = next(note.label for note in first.notes if note.label.startswith("at /entries"))
    assert f"{first.code} {at.removeprefix('at /entries')} {first.message}" == expected


def test_frames_in_another_order_are_not_what_was_given() -> None:
    data = copy.deepcopy(DATA)
    data["entries"]["Strip"][0]["frames"].reverse()
    with pytest.raises(RuleError, match="content cannot say this so that it is read as meant"):
        rulelang.from_json(data)


# ---------------------------------------------------------------- packs


def test_a_pack_that_replaces_parts_of_a_board(tmp_path: Path) -> None:
    files = {
        "shore/shore.rules": RULES,
        "shore/entries.rules": ENTRIES,
        "shore/map.rules": MAP,
        "shore/clauses.toml": CLAUSES,
        "deep/deep.rules": "extends shore\n\nquay mole\nlanes: north - mole\n"
        "replaces hop pier > 1 toll 4\n"
        "replaces lane south - north\n"
        'replaces buoy south "South"\nreplaces hex 2 wooded\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    made = rulelang.load(tmp_path / "deep")
    data = json.loads(json.dumps(made.export()))
    assert [each.get("instead", False) for each in data["entries"]["Hop"]] == [False, True]
    assert data["entries"]["Hex"] == [{"number": 2, "instead": True, "x": None, "wooded": True}]
    assert Draft202012Validator(made.schema()).is_valid(data)
    again = rulelang.from_json(data)
    assert again.program.meaning == made.program.meaning
    assert content(again) == content(made)
    assert again.export()["entries"] == data["entries"]
