"""Generated games and content: nothing is lost on the way to JSON and back."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import HealthCheck, given, settings
from jsonschema import Draft202012Validator

import rulelang
from rulelang.testing import strategies

RELAXED = settings(
    deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
EXPEDITION = rulelang.load("lost_expedition")


def errors(schema: dict[str, Any], data: object) -> list[str]:
    found = Draft202012Validator(schema).iter_errors(data)
    return [f"{error.json_path}: {error.message}" for error in found]


@RELAXED
@given(strategies.games())
def test_a_generated_game_comes_back_as_it_was(data: dict[str, Any]) -> None:
    game = rulelang.from_json(data)
    assert game.export() == data
    again = rulelang.from_json(json.loads(json.dumps(data)))
    assert again.program.meaning == game.program.meaning


@RELAXED
@given(strategies.games())
def test_a_generated_game_fits_its_schema(data: dict[str, Any]) -> None:
    schema = rulelang.from_json(data).schema()
    Draft202012Validator.check_schema(schema)
    assert errors(schema, data) == []
