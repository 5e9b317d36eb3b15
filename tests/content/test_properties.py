"""Generated games and content: nothing is lost, and the schema sees what it can see."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

import rulelang
from rulelang.testing import strategies
from tests.content.toy import game

RELAXED = settings(
    deadline=None,
    max_examples=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TOY = game()
EXPEDITION = rulelang.load("lost_expedition")
EXPORTED = {"river": TOY.export(), "lost_expedition": EXPEDITION.export()}
VALIDATORS = {
    name: Draft202012Validator(made.schema())
    for name, made in (("river", TOY), ("lost_expedition", EXPEDITION))
}
Found = tuple[Any, str | int]
"""A container in the JSON, and a key or place in it."""


def errors(schema: dict[str, Any], data: object) -> list[str]:
    found = Draft202012Validator(schema).iter_errors(data)
    return [f"{error.json_path}: {error.message:.200}" for error in found]


@RELAXED
@given(strategies.games())
def test_a_generated_game_comes_back_as_it_was_and_fits_its_schema(data: dict[str, Any]) -> None:
    made = rulelang.from_json(json.loads(json.dumps(data)))
    assert made.export() == data
    schema = made.schema()
    Draft202012Validator.check_schema(schema)
    assert errors(schema, data) == []


@RELAXED
@given(strategies.contents(TOY.program))
def test_new_entries_for_a_game_come_back_as_they_were(entries: dict[str, Any]) -> None:
    data = {**EXPORTED["river"], "entries": entries}
    assert rulelang.from_json(data).export() == data


@settings(RELAXED, max_examples=10)
@given(strategies.entries(EXPEDITION.program, "Card"), st.integers(1, 56))
def test_a_new_card_can_be_put_into_a_shipped_game(card: dict[str, Any], number: int) -> None:
    data = copy.deepcopy(EXPORTED["lost_expedition"])
    # The game's own checks and scenarios speak of the printed cards.
    for name in [name for name in data["rules"] if name.startswith(("checks", "scenarios"))]:
        del data["rules"][name]
    data["entries"]["Card"][number - 1] = {"number": number, **card}
    assert VALIDATORS["lost_expedition"].is_valid(data)
    assert rulelang.from_json(data).export() == data


# ---------------------------------------------------------------- faults that a schema can see


def places(data: Any) -> Iterator[Found]:
    """Every value in the entries of a game, by what holds it."""
    stack = [data["entries"]]
    while stack:
        holder = stack.pop()
        pairs = holder.items() if isinstance(holder, dict) else enumerate(holder)
        for key, item in list(pairs):
            yield holder, key
            if isinstance(item, dict | list):
                stack.append(item)


def in_schema(key: str) -> Callable[[Found], bool]:
    return lambda found: found[1] == key


def _extra(found: Found) -> None:
    found[0][found[1]]["extra"] = 1


def _wrong_type(found: Found) -> None:
    value = found[0][found[1]]
    found[0][found[1]] = 1.5 if isinstance(value, dict | list) else {"wrong": value}


def _nonsense(found: Found) -> None:
    found[0][found[1]] = "no_such_name"


def _remove(found: Found) -> None:
    del found[0][found[1]]


def is_object(found: Found) -> bool:
    return isinstance(found[0][found[1]], dict)


def anything(found: Found) -> bool:
    return True


NEEDED = {"do", "of", "key", "is", "what", "number", "name", "letter", "title", "pay", "ask"}


def is_needed(found: Found) -> bool:
    return found[1] in NEEDED and isinstance(found[0], dict)


FAULTS: dict[str, tuple[Callable[[Found], bool], Callable[[Found], None]]] = {
    "an extra field": (is_object, _extra),
    "a wrong type": (anything, _wrong_type),
    "an unknown instruction": (in_schema("do"), _nonsense),
    "an unknown name": (in_schema("key"), _nonsense),
    "an unknown variant": (in_schema("is"), _nonsense),
    "a field that is missing": (is_needed, _remove),
}


@pytest.mark.parametrize("name", ["river", "lost_expedition"])
@pytest.mark.parametrize("fault", FAULTS)
@settings(deadline=None, max_examples=10)
@given(st.data())
def test_the_schema_refuses(fault: str, name: str, data: st.DataObject) -> None:
    fits, spoil = FAULTS[fault]
    spoilt = {**EXPORTED[name], "entries": copy.deepcopy(EXPORTED[name]["entries"])}
    spoil(data.draw(st.sampled_from([found for found in places(spoilt) if fits(found)])))
    assert not VALIDATORS[name].is_valid(spoilt)


@pytest.mark.parametrize("made", [TOY, EXPEDITION], ids=["river", "lost_expedition"])
def test_what_is_exported_fits_the_schema(made: rulelang.Game) -> None:
    Draft202012Validator.check_schema(made.schema())
    assert errors(made.schema(), made.export()) == []


@pytest.mark.parametrize("number", [-5, 10, 2.5, "3", None])
def test_numbers_have_the_bounds_of_their_types(number: object) -> None:
    data = copy.deepcopy(TOY.export())
    data["entries"]["Bend"][0]["depth"] = number
    assert [error.partition(":")[0] for error in errors(TOY.schema(), data)] == [
        "$.entries.Bend[0].depth"
    ]
