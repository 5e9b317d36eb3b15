"""The schema of saves: what sessions write fits it, and what they refuse does not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import rulelang

SCHEMA = json.loads(Path("schemas/save.schema.json").read_text(encoding="utf-8"))
VALIDATOR = Draft202012Validator(SCHEMA)


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(SCHEMA)


@pytest.mark.parametrize("chance", ["sample", "explicit"])
def test_every_save_of_a_playthrough_fits(chance: str) -> None:
    session = rulelang.load("lost_expedition").start(mode="coop", players=3, seed=11, chance=chance)
    for step in range(40):
        saved = json.loads(json.dumps(session.save()))
        assert [error.message for error in VALIDATOR.iter_errors(saved)] == []
        if session.over:
            break
        session.choose(step % len(session.legal))


@pytest.mark.parametrize("missing", SCHEMA["required"])
def test_a_save_without_a_part_does_not_fit(missing: str) -> None:
    saved = rulelang.load("lost_expedition").start(mode="solo").save()
    del saved[missing]
    assert not VALIDATOR.is_valid(saved)
