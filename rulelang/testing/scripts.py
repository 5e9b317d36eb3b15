"""Hypothesis strategies for scripts, in the JSON form of `Game.export`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from rulelang.checker.context import plain
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
    UNLESS,
    WITH,
    Json,
    asked_for,
    can_be_said,
    in_every_mode,
    instructions,
)
from rulelang.program.program import Program, Question, Signature
from rulelang.program.types import FLAG, Named, Type

Given = Callable[[Sequence[tuple[str, Type]]], SearchStrategy[dict[str, Json]]]
"""Makes the arguments for parameters."""
DEEP = 2


def steps(
    program: Program, subject: Type | None, given: Given, texts: SearchStrategy[str]
) -> SearchStrategy[list[Json]]:
    """Lists of steps for a subject."""
    return _Steps(program, subject, given, texts).body(DEEP)


class _Steps:
    def __init__(
        self, program: Program, subject: Type | None, given: Given, texts: SearchStrategy[str]
    ) -> None:
        self.program = program
        self.subject = subject
        self.given = given
        self.texts = texts

    def body(self, depth: int) -> SearchStrategy[list[Json]]:
        """A list of steps, with others below it that many times."""
        kinds = self._instructions()
        if depth:
            kinds += [*self._outcomes(depth), *self._conditions(depth), *self._rolls(depth)]
            if self.subject == Named("Player"):
                kinds.append(self._choice(depth))
        return st.lists(st.one_of(kinds), max_size=3)

    def _instructions(self) -> list[SearchStrategy[Json]]:
        return [self._tagged(DO, rule.name, rule.parameters) for rule in self._rules()]

    def _rules(self) -> list[Signature]:
        rules = instructions(self.program, self.subject)
        return [rule for rule in rules if in_every_mode(self.program, rule.name)]

    def _tagged(
        self, tag: str, name: str, parameters: Sequence[tuple[str, Type]]
    ) -> SearchStrategy[Json]:
        return self.given(parameters).map(lambda given: {tag: name, **given})

    def _outcomes(self, depth: int) -> list[SearchStrategy[Json]]:
        made = []
        for rule in self._rules():
            if isinstance(rule.gives, Named) and self.program.domains[rule.gives.domain].entries:
                keys = [str(entry.key) for entry in self.program.domains[rule.gives.domain].entries]
                bodies = st.fixed_dictionaries(dict.fromkeys(keys, self.body(depth - 1)))
                called = self._tagged(DO, rule.name, rule.parameters)
                made.append(st.builds(lambda step, then: {**step, THEN: then}, called, bodies))
        return made

    def _conditions(self, depth: int) -> list[SearchStrategy[Json]]:
        body = self.body(depth - 1)
        questions = [q for q in self.program.questions.values() if self._can_be_asked(q)]
        asked = {q.name: self._tagged(ASK, q.name, asked_for(q, self.subject)) for q in questions}
        made: list[SearchStrategy[Json]] = [
            st.fixed_dictionaries({IF: each, THEN: body, ELSE: body}) for each in asked.values()
        ]
        if WITH in asked:
            made.append(st.fixed_dictionaries({UNLESS: asked[WITH], THEN: body}))
        return made

    def _can_be_asked(self, question: Question) -> bool:
        parameters = asked_for(question, self.subject)
        return question.type == FLAG and all(
            can_be_said(self.program, kind) for _, kind in parameters
        )

    def _choice(self, depth: int) -> SearchStrategy[Json]:
        offer = st.fixed_dictionaries({OFFER: self.texts, THEN: self.body(depth - 1)})
        offers = st.lists(offer, min_size=1, max_size=3, unique_by=_text)
        return st.fixed_dictionaries({CHOOSE: offers})

    def _rolls(self, depth: int) -> list[SearchStrategy[Json]]:
        return [_roll(self.body(depth - 1), die, faces) for die, faces in self.program.dice.items()]


@st.composite
def _roll(
    draw: DrawFn, body: SearchStrategy[list[Json]], die: str, faces: Sequence[object]
) -> Json:
    order = draw(st.permutations(list(dict.fromkeys(map(face_key, faces)))))
    first, second = sorted(draw(st.tuples(st.integers(1, len(order)), st.integers(1, len(order)))))
    parts = [part for part in (order[:first], order[first:second]) if part]
    step: Json = {ROLL: die, CASES: [{FACES: list(part), THEN: draw(body)} for part in parts]}
    if second < len(order) or draw(st.booleans()):
        step[ELSE] = draw(body)
    return step


def _text(offer: dict[str, Json]) -> str:
    return plain(str(offer[OFFER]))
