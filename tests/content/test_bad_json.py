"""What is wrong in JSON is found at its place, with the code of files; nothing else escapes."""

from __future__ import annotations

import copy
import json
import math
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import rulelang
from rulelang.diagnostic import Diagnostic
from rulelang.errors import RuleError
from tests.content.toy import game

DATA = game().export()
LAID_OUT = json.dumps(DATA, indent=2).split("\n")


def problems(data: object) -> list[Diagnostic]:
    with pytest.raises(RuleError) as caught:
        rulelang.from_json(data)
    return [each for each in caught.value.diagnostics if each.severity == "error"]


def changed(at: str, value: object) -> Any:
    """The game with a value put in at a pointer."""
    data = copy.deepcopy(DATA)
    *steps, last = at.split("/")[1:]
    target: Any = data
    for step in steps:
        target = target[int(step) if isinstance(target, list) else step]
    target[int(last) if isinstance(target, list) else last] = value
    return data


PART, ROLLED = "/entries/Bend/0/parts/0", "/entries/Pool/1/body/1/else/0"
BEND, POOL = "/entries/Bend/0", "/entries/Pool/2/body"


@pytest.mark.parametrize(
    ("at", "value", "code", "place"),
    [
        # Found by the checker, as in files
        (f"{BEND}/need", "ropes", "N201", f"{BEND}/need"),
        (f"{BEND}/depth", 10, "T303", f"{BEND}/depth"),
        (f"{BEND}/next/1", 77, "N201", f"{BEND}/next/1"),
        (f"{BEND}/costs", {"rope": 10}, "T303", f"{BEND}/costs/rope"),
        (f"{BEND}/costs", {"boat": 1}, "N201", f"{BEND}/costs/boat"),
        (f"{BEND}/cites/0", "RIV-9", "D601", f"{BEND}/cites/0"),
        (f"{PART}/effects/1/what/key", "copper", "N201", f"{PART}/effects/1/what/key"),
        ("/entries/Pool/1/letter", "A", "C502", "/entries/Pool/1/letter"),
        (f"{POOL}/3/then", {"win": []}, "T306", f"{POOL}/3"),
        (f"{POOL}/4/choose", "Stay", "C511", f"{POOL}/4/choose"),
        # Found before, with the same codes
        (f"{BEND}/dept", 1, "N206", f"{BEND}/dept"),
        ("/entries/Bent", [], "N205", "/entries/Bent"),
        (f"{PART}/effects/1/do", "tak", "N208", f"{PART}/effects/1/do"),
        (f"{PART}/effects/0/m", 1, "T302", f"{PART}/effects/0/m"),
        (f"{POOL}/1/if/ask", "poor", "N201", f"{POOL}/1/if"),
        (f"{ROLLED}/roll", "d7", "N201", f"{ROLLED}/roll"),
        # Not the form
        (BEND, 7, "C511", BEND),
        (f"{BEND}/depth", "2", "C511", f"{BEND}/depth"),
        (f"{BEND}/depth", True, "C511", f"{BEND}/depth"),
        (f"{BEND}/depth", 10**20, "C511", f"{BEND}/depth"),
        (f"{BEND}/depth", math.nan, "C511", f"{BEND}/depth"),
        (f"{BEND}/depth", math.inf, "C511", f"{BEND}/depth"),
        (f"{BEND}/number", 2.5, "C511", f"{BEND}/number"),
        (f"{BEND}/number", "1", "C511", f"{BEND}/number"),
        (f"{BEND}/title", 'both "kinds” of quotes', "C511", f"{BEND}/title"),
        (f"{BEND}/title", "two\nlines", "C511", f"{BEND}/title"),
        (f"{BEND}/title", "half \ud800", "C511", f"{BEND}/title"),
        (f"{BEND}/steep", "yes", "C511", f"{BEND}/steep"),
        (f"{BEND}/pay", "silver", "C511", f"{BEND}/pay"),
        (f"{BEND}/pay/of", "Beast", "C511", f"{BEND}/pay/of"),
        (f"{BEND}/pay/key", 3, "C511", f"{BEND}/pay/key"),
        (f"{BEND}/next", 2, "C511", f"{BEND}/next"),
        (f"{BEND}/costs", [1], "C511", f"{BEND}/costs"),
        (f"{BEND}/parts", {}, "C511", f"{BEND}/parts"),
        (f"{PART}/is", "wet", "C511", f"{PART}/is"),
        (f"{PART}/effects/0", "score", "C511", f"{PART}/effects/0"),
        (f"{BEND}/as", "Brook", "C511", f"{BEND}/as"),
        (f"{BEND}/as", None, "C511", f"{BEND}/as"),
        (f"{BEND}/cites/0", "riv 1", "C511", f"{BEND}/cites/0"),
        (f"{BEND}/#", ["a\nb"], "C511", f"{BEND}/#/0"),
        (f"{BEND}/need", "Rope", "C511", f"{BEND}/need"),
        (f"{POOL}/0", {"say": "hello"}, "C511", f"{POOL}/0"),
        (f"{POOL}/1/otherwise", [], "C511", f"{POOL}/1/otherwise"),
        (f"{POOL}/2/if not", {"ask": "rich", "n": 1}, "C511", f"{POOL}/2/if not"),
        (f"{POOL}/4/choose/0/offer", None, "C511", f"{POOL}/4/choose/0/offer"),
        (f"{ROLLED}/cases/0/faces", [], "C511", f"{ROLLED}/cases/0/faces"),
        ("/entries/Bend", {}, "C511", "/entries/Bend"),
        ("/entries", [], "C511", "/entries"),
        ("/rules/river.rules", 1, "C511", "/rules/river.rules"),
        ("/rules/notes.txt", "", "C511", "/rules/notes.txt"),
        ("/format", 2, "C511", "/format"),
        ("/game", "lake", "C511", "/game"),
        ("/more", 1, "C511", "/more"),
        (f"{BEND}/story", {1: 2}, "C511", f"{BEND}/story"),
        (f"{BEND}/story", (1, 2), "C511", f"{BEND}/story"),
    ],
)  # fmt: skip
def test_each_slip_is_found_at_its_place(at: str, value: object, code: str, place: str) -> None:
    found = problems(changed(at, value))
    places = [note.label for note in found[0].notes[:1]]
    assert [(each.code, *places) for each in found] == [(code, f"at {place}")]
    assert found[0].file == "<json>"


@pytest.mark.parametrize("missing", ["title", "pay", "number"])
def test_a_field_that_is_missing_is_named(missing: str) -> None:
    data = copy.deepcopy(DATA)
    del data["entries"]["Bend"][0][missing]
    found = problems(data)
    assert [each.code for each in found] == ["C503"]
    assert missing in found[0].message
    assert found[0].notes[0].label.startswith("at /entries/Bend/0")


def test_the_line_is_that_of_the_layout_that_export_writes() -> None:
    found = problems(changed(f"{BEND}/need", "ropes"))
    line = LAID_OUT[found[0].line - 1]
    assert line.strip() == '"need": null,'
    assert found[0].column == len(line) - len(line.lstrip()) + 1


def test_all_slips_are_told_at_once() -> None:
    data = changed(f"{BEND}/need", 1)
    data["entries"]["Bend"][1]["title"] = None
    data["entries"]["Inn"][0]["seats"] = "four"
    assert [each.code for each in problems(data)] == ["C511", "C511", "C511"]


def test_a_slip_in_a_text_keeps_its_file() -> None:
    data = copy.deepcopy(DATA)
    data["rules"]["river.rules"] = data["rules"]["river.rules"].replace("n > 2", "m > 2")
    found = problems(data)
    assert {(each.code, each.file) for each in found} == {("N201", "river.rules")}


def test_a_text_that_cannot_be_parsed_is_told_by_itself() -> None:
    data = copy.deepcopy(DATA)
    data["rules"]["river.rules"] += "rule\n"
    assert {each.file for each in problems(data)} == {"river.rules"}


@pytest.mark.parametrize("data", [None, 1, "game", [], {}, {"format": 1}])
def test_what_is_no_game_is_refused(data: object) -> None:
    assert [each.code for each in problems(data)] == ["C511"]


def test_a_number_without_end_is_refused() -> None:
    assert [each.code for each in problems(changed(f"{BEND}/depth", 10**5000))] == ["C511"]


def test_what_contains_itself_is_refused() -> None:
    data = changed(f"{BEND}/story", [])
    data["entries"]["Bend"][0]["story"].append(data)
    assert [each.code for each in problems(data)] == ["C511"]


# ---------------------------------------------------------------- nothing else escapes

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 12) | st.floats() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3)
    ),
    max_leaves=6,
)


def pointers(data: object, at: str = "") -> Iterator[str]:
    if isinstance(data, dict):
        for key, item in data.items():
            yield f"{at}/{key}"
            yield from pointers(item, f"{at}/{key}")
    elif isinstance(data, list):
        for place, item in enumerate(data):
            yield f"{at}/{place}"
            yield from pointers(item, f"{at}/{place}")


PLACES = sorted(at for at in pointers(DATA["entries"], "/entries"))


@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from(PLACES), JSON)
def test_any_value_anywhere_gives_diagnostics_or_the_game_that_it_says(
    at: str, value: object
) -> None:
    data = changed(at, value)
    found, made = read(data)
    assert found or made is not None
    if made is not None:
        again = rulelang.from_json(made.export())
        assert again.program.meaning == made.program.meaning


def read(data: object) -> tuple[tuple[Diagnostic, ...], rulelang.Game | None]:
    try:
        return (), rulelang.from_json(data)
    except RuleError as error:
        return error.diagnostics, None


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(JSON)
def test_any_json_at_all_is_refused_with_diagnostics(data: object) -> None:
    assert problems(data)
