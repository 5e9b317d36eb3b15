"""Scripts as JSON: a list of steps, each with a tag that says what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

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
    Json,
    key_of,
)
from rulelang.program.program import Program
from rulelang.program.scripts import Asked, Choice, Condition, Do, Step, Steps, Throw, ToDo
from rulelang.program.types import Type
from rulelang.program.values import Entry, Value

Arguments = Callable[[Sequence[tuple[str, Type]], Sequence[Value]], dict[str, Json]]
"""Turns the values of parameters to JSON."""


class ScriptEncoder:
    """Turns the steps of a script into JSON."""

    def __init__(self, program: Program, arguments: Arguments) -> None:
        self.program = program
        self.arguments = arguments

    def steps(self, steps: Steps) -> list[Json]:
        """The steps, in order."""
        return [self._step(step) for step in steps]

    def _step(self, step: Step) -> Json:
        match step:
            case Do():
                return self._do(step)
            case Condition():
                return self._condition(step)
            case Choice():
                offers = [{OFFER: c.values[0], THEN: self.steps(c.steps)} for c in step.options]
                return {CHOOSE: offers}
            case Throw():
                return self._throw(step)
            case ToDo():
                return {TO_DO: step.text}
        raise AssertionError(step)

    def _do(self, step: Do) -> Json:
        parameters = self.program.signatures[step.effect.rule].parameters
        said = {DO: step.effect.rule, **self.arguments(parameters, step.effect.arguments)}
        if step.results:
            said[THEN] = {str(c.values[0].key): self.steps(c.steps) for c in step.results}
        return said

    def _condition(self, step: Condition) -> Json:
        tag = UNLESS if step.negated else IF
        said: Json = {tag: self._asked(step.asked), THEN: self.steps(step.then)}
        if step.otherwise is not None or tag == IF:
            said[ELSE] = self.steps(step.otherwise or ())
        return said

    def _asked(self, asked: Asked) -> Json:
        question = self.program.questions[asked.question]
        given = len(asked.arguments)
        parameters = list(zip(question.parameters, question.types, strict=True))[:given]
        return {ASK: question.name, **self.arguments(parameters, asked.arguments)}

    def _throw(self, step: Throw) -> Json:
        cases = [
            {FACES: [face_key(face) for face in case.values], THEN: self.steps(case.steps)}
            for case in step.cases
        ]
        said: Json = {ROLL: step.die, CASES: cases}
        if step.otherwise is not None:
            said[ELSE] = self.steps(step.otherwise)
        return said


def face_key(face: object) -> str | int:
    """The side of a die in JSON."""
    if isinstance(face, Entry):
        return key_of(face.key)
    return face if isinstance(face, int) else str(face)
