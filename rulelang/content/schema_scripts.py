"""The schemas of scripts: a list of steps, each tagged by what it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.content.schema_parts import TEXT_SCHEMA, one_of, ref, tagged
from rulelang.content.scripts import face_key
from rulelang.content.shapes import (
    ASK,
    CASES,
    CHOOSE,
    DO,
    ELSE,
    FACES,
    IF,
    OFFER,
    ROLL,
    THEN,
    TO_DO,
    UNLESS,
    WITH,
    asked_for,
    can_be_said,
    instructions,
)
from rulelang.program.program import Program, Question, Signature
from rulelang.program.types import FLAG, Named, Type

Schema = dict[str, Any]
Given = Callable[[list[tuple[str, Type]]], Schema]
"""Makes the properties of arguments."""


def subject_name(subject: Type | None) -> str:
    """How definitions for a subject are called."""
    return "none" if subject is None else str(subject).replace(" ", "_")


def script_definitions(program: Program, subject: Type | None, given: Given, into: Schema) -> None:
    """Define scripts, steps and questions for a subject."""
    name = subject_name(subject)
    body = ref(f"script.{name}")
    steps = [ref(f"instruction.{name}")]
    for signature in instructions(program, subject):
        outcomes = _outcomes(program, signature, body)
        if outcomes is not None:
            parts = {
                DO: {"const": signature.name},
                **given(list(signature.parameters)),
                THEN: outcomes,
            }
            into[f"outcomes.{signature.name}.{name}"] = tagged(parts)
            steps.append(ref(f"outcomes.{signature.name}.{name}"))
    asked = _questions(program, subject, given)
    if asked:
        condition = one_of(list(asked.values()))
        steps.append(tagged({IF: condition, THEN: body, ELSE: body}, optional=[ELSE]))
    if WITH in asked:
        steps.append(tagged({UNLESS: asked[WITH], THEN: body}))
    if subject == Named("Player"):
        offer = tagged({OFFER: TEXT_SCHEMA, THEN: body})
        steps.append(tagged({CHOOSE: {"type": "array", "items": offer}}))
    for die, faces in program.dice.items():
        shown = list(dict.fromkeys(map(face_key, faces)))
        listed = {"type": "array", "items": {"enum": shown}, "minItems": 1, "uniqueItems": True}
        cases = {"type": "array", "items": tagged({FACES: listed, THEN: body})}
        rolled = {ROLL: {"const": die}, CASES: cases, ELSE: body}
        steps.append(tagged(rolled, optional=[ELSE]))
    steps.append(tagged({TO_DO: TEXT_SCHEMA}))
    into[f"step.{name}"] = {"title": "A step of a script", **one_of(steps)}
    into[f"script.{name}"] = {"type": "array", "items": ref(f"step.{name}")}


def _outcomes(program: Program, signature: Signature, body: Schema) -> Schema | None:
    """A script for each result of a rule that gives one of some names."""
    gives = signature.gives
    if not isinstance(gives, Named) or gives.domain not in program.domains:
        return None
    entries = program.domains[gives.domain].entries
    return tagged({str(entry.key): body for entry in entries}) if entries else None


def _questions(program: Program, subject: Type | None, given: Given) -> dict[str, Schema]:
    """What conditions may ask, by question."""
    return {
        name: tagged({ASK: {"const": name}, **given(asked_for(question, subject))})
        for name, question in program.questions.items()
        if question.type == FLAG and _is_askable(program, question, subject)
    }


def _is_askable(program: Program, question: Question, subject: Type | None) -> bool:
    return all(can_be_said(program, kind) for _, kind in asked_for(question, subject))
