"""From JSON to the lines of a script."""

from __future__ import annotations

from collections.abc import Mapping

from rulelang.content.pieces import Page, Piece, Pieces, Slip, joined
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
    Json,
    asked_for,
    pointer,
)
from rulelang.content.write import Writer, listed, mapped, only, quoted, shown, to_do, whole, word
from rulelang.diagnostic import did_you_mean, suggest
from rulelang.program.types import Type

_TAGS = (DO, IF, UNLESS, CHOOSE, ROLL, TO_DO)


class ScriptWriter:
    """Writes the steps of a script as lines of a page. Raises `Slip`."""

    def __init__(self, writer: Writer, page: Page, subject: Type | None) -> None:
        self.writer = writer
        self.program = writer.program
        self.page = page
        self.subject = subject

    def steps(self, data: Json, at: str, level: int) -> None:
        """Steps as lines, ``nothing`` if there are none."""
        steps = listed(data, at)
        if not steps:
            self.page.line(level, Piece("nothing", at))
        for place, step in enumerate(steps):
            here = pointer(at, place)
            self._step(mapped(step, here), here, level)
            following = steps[place + 1] if place + 1 < len(steps) else None
            if (
                IF in step
                and not step.get(ELSE)
                and isinstance(following, dict)
                and UNLESS in following
            ):
                # What follows would be taken for the other half of this condition.
                self.page.line(level, Piece("else: nothing", here))

    def _step(self, step: Mapping[str, Json], at: str, level: int) -> None:
        tag = next((tag for tag in _TAGS if tag in step), None)
        if tag is None:
            raise Slip(at, f"a step has one of {', '.join(f'`{tag}`' for tag in _TAGS)}")
        if tag == DO:
            self._effect(step, at, level)
        elif tag == CHOOSE:
            only(step, (CHOOSE,), at)
            self._choose(step[CHOOSE], pointer(at, CHOOSE), level)
        elif tag == TO_DO:
            only(step, (TO_DO,), at)
            self.page.line(level, *to_do(step[TO_DO], pointer(at, TO_DO)))
        elif tag == ROLL:
            only(step, (ROLL, CASES, ELSE), at)
            self._roll(step, at, level)
        else:
            only(step, (IF, THEN, ELSE) if tag == IF else (UNLESS, THEN), at)
            self._condition(step, tag, at, level)

    def body(self, head: Pieces, data: Json, at: str, level: int) -> None:
        """A head, and what follows it: instructions on its line, anything else below."""
        steps = listed(data, at)
        if all(isinstance(step, dict) and DO in step and THEN not in step for step in steps):
            parts = [self.writer.effect(step, pointer(at, n)) for n, step in enumerate(steps)]
            said = joined(parts, ", ", at) if parts else (Piece("nothing", at),)
            self.page.line(level, *head, Piece(": ", at), *said)
        else:
            self.page.line(level, *head)
            self.steps(steps, at, level + 1)

    def _effect(self, step: Mapping[str, Json], at: str, level: int) -> None:
        if THEN not in step:
            self.page.line(level, *self.writer.effect(step, at))
            return
        self.page.line(level, *self.writer.effect(step, at, (THEN,)))
        for key, body in mapped(step[THEN], pointer(at, THEN)).items():
            place = pointer(at, THEN, key)
            self.body((Piece(word(key, place), place),), body, place, level + 1)

    def _condition(self, step: Mapping[str, Json], tag: str, at: str, level: int) -> None:
        place = pointer(at, tag)
        asked = mapped(step[tag], place)
        name = asked.get(ASK)
        if not isinstance(name, str) or name not in self.program.questions:
            near = did_you_mean(suggest(str(name), self.program.questions))
            raise Slip(place, f"there is no question {shown(name)}", code="N201", help=near)
        if tag == UNLESS and name != WITH:
            raise Slip(place, f"only `{WITH}` can be asked the other way round")
        parameters = asked_for(self.program.questions[name], self.subject)
        words = self.writer.ask(name, parameters, asked, place, ASK)
        if name == WITH:
            opening = "without" if tag == UNLESS else WITH
            words = (Piece(opening, place), *words[1:])
        else:
            words = (Piece("if ", place), *words)
        self.body(words, step.get(THEN, []), pointer(at, THEN), level)
        if step.get(ELSE):
            here = pointer(at, ELSE)
            self.body((Piece("else", here),), step[ELSE], here, level)

    def _choose(self, data: Json, at: str, level: int) -> None:
        self.page.line(level, Piece("choose", at))
        for place, offer in enumerate(listed(data, at)):
            here = pointer(at, place)
            only(mapped(offer, here), (OFFER, THEN), here)
            text = quoted(offer.get(OFFER), pointer(here, OFFER))
            head = (Piece(text, pointer(here, OFFER)),)
            self.body(head, offer.get(THEN, []), pointer(here, THEN), level + 1)

    def _roll(self, step: Mapping[str, Json], at: str, level: int) -> None:
        die = step[ROLL]
        if not isinstance(die, str) or die not in self.program.dice:
            near = did_you_mean(suggest(str(die), self.program.dice))
            raise Slip(pointer(at, ROLL), f"there is no die {shown(die)}", code="N201", help=near)
        self.page.line(level, Piece(f"roll {die}", pointer(at, ROLL)))
        place = pointer(at, CASES)
        for number, case in enumerate(listed(step.get(CASES, []), place)):
            here = pointer(place, number)
            only(mapped(case, here), (FACES, THEN), here)
            faces = pointer(here, FACES)
            parts: list[Pieces] = [
                (Piece(_face(face, pointer(faces, n)), pointer(faces, n)),)
                for n, face in enumerate(listed(case.get(FACES), faces))
            ]
            if not parts:
                raise Slip(faces, "no face is named")
            head = joined(parts, ", ", faces)
            self.body(head, case.get(THEN, []), pointer(here, THEN), level + 1)
        if ELSE in step:
            here = pointer(at, ELSE)
            self.body((Piece("else", here),), step[ELSE], here, level + 1)


def _face(face: Json, at: str) -> str:
    if isinstance(face, str):
        return word(face, at)
    return str(whole(face, at))
