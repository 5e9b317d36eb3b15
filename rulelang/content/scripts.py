"""Scripts as JSON: a list of steps, each with a tag that says what it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulelang.checker.context import Context, plain
from rulelang.checker.scripts import CONDITIONS
from rulelang.checker.words import Reader, number_of, parts, split, text_of
from rulelang.content.shapes import (
    ASK,
    CASES,
    CHOOSE,
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
    body_of,
    inner_words,
    key_of,
    subject_of,
)
from rulelang.program.program import Kind, Program, Question
from rulelang.program.types import Named, Type
from rulelang.program.values import Entry, Value
from rulelang.syntax import tree as t

Words = Sequence[t.Word]
Arguments = Callable[[Sequence[tuple[str, Type]], Sequence[Value]], dict[str, Json]]
"""Turns the values of parameters to JSON."""


def script_lines(program: Program, kind: Kind, line: t.Line) -> list[t.Content]:
    """The lines of an entry that are its script: what is no field and no entry inside it."""
    lines = _behind_colon(line)
    inner = inner_words(program, kind)
    body = body_of(kind)
    labels = {plain(field.name): field for field in kind.fields}
    for item in line.block:
        if not isinstance(item, t.Line) or to_do(kind, item) is not None:
            continue
        head, labelled, _ = parts(item)
        if head and head[0].kind == "name" and plain(head[0].text) in inner:
            continue
        field = labels.get(plain(text_of(head))) if labelled is not None else None
        if field is None:
            lines.append(item)
        elif field is body:
            lines += _behind_colon(item)
    return lines


def cell_lines(kind: Kind, heading: t.Line, row: t.Line) -> list[t.Content]:
    """The script in a row of a table."""
    body = body_of(kind)
    names = [plain(text_of(cell)) for cell in split(heading.words, "bar")]
    for name, cell in zip(names, split(row.words, "bar"), strict=True):
        if body is not None and name == plain(body.name) and cell:
            return [t.Line(row.span, tuple(cell), ())]
    return []


def _behind_colon(line: t.Line) -> list[t.Content]:
    _, colon, tail = parts(line)
    return [t.Line(line.span, tuple(tail), ())] if colon is not None and tail else []


def to_do(kind: Kind, line: t.Line) -> str | None:
    """What a line says is still to be done; None if it says something else."""
    if line.words[0].text != "todo" or any(plain(field.name) == "todo" for field in kind.fields):
        return None
    return text_of([word for word in line.words[1:] if word.kind != "colon"])


class ScriptEncoder:
    """Reads the lines of a checked script again, now into JSON."""

    def __init__(self, program: Program, kind: Kind, arguments: Arguments) -> None:
        self.program = program
        self.subject = subject_of(kind)
        self.reader = Reader(Context(program), kind.subject)
        self.arguments = arguments

    def steps(self, lines: Sequence[t.Content]) -> list[Json]:
        """The steps that the lines say."""
        steps: list[Json] = []
        place = 0
        while place < len(lines):
            line = lines[place]
            place += 1
            if not isinstance(line, t.Line):
                continue
            word = line.words[0].text
            if word == "todo":
                steps.append({TO_DO: text_of([w for w in line.words[1:] if w.kind != "colon"])})
            elif word in CONDITIONS:
                following = lines[place] if place < len(lines) else None
                if isinstance(following, t.Line) and following.words[0].text in ("else", "without"):
                    place += 1
                    steps.append(self._condition(line, following))
                else:
                    steps.append(self._condition(line, None))
            elif word == "without":
                steps.append(self._condition(line, None))
            elif word == "choose" and len(line.words) == 1:
                steps.append({CHOOSE: [self._offer(item) for item in _lines(line)]})
            elif word == "roll":
                steps.append(self._roll(line))
            elif line.block:
                steps.append(self._outcomes(line))
            else:
                steps += self._performs(line.words)
        return steps

    def _body(self, line: t.Line) -> list[Json]:
        _, colon, tail = parts(line)
        return self._performs(tail) if colon is not None and tail else self.steps(line.block)

    def _performs(self, words: Words) -> list[Json]:
        steps = []
        for part in split(words, "comma"):
            if plain(text_of(part)) == "nothing" and "nothing" not in self.program.signatures:
                continue
            called = self.reader.called(part)
            assert called is not None
            signature, values = called
            steps.append({"do": signature.name, **self.arguments(signature.parameters, values)})
        return steps

    def _outcomes(self, line: t.Line) -> Json:
        called = self.reader.called(line.words)
        assert called is not None
        signature, values = called
        assert isinstance(signature.gives, Named)
        entries = self.program.domains[signature.gives.domain].entries
        outcomes = {}
        for branch in _lines(line):
            word = plain(text_of(parts(branch)[0]))
            entry = next(entry for entry in entries if plain(str(entry.key)) == word)
            outcomes[str(entry.key)] = self._body(branch)
        arguments = self.arguments(signature.parameters, values)
        return {"do": signature.name, **arguments, THEN: outcomes}

    # ------------------------------------------------------------ conditions

    def _condition(self, line: t.Line, otherwise: t.Line | None) -> Json:
        head = parts(line)[0]
        tag = UNLESS if head[0].text == "without" else IF
        step: Json = {tag: self._asked(head), THEN: self._body(line)}
        if otherwise is not None:
            again = parts(otherwise)[0]
            other = len(again) > 1 and text_of(again[1:]) != text_of(head[1:])
            step[ELSE] = [self._condition(otherwise, None)] if other else self._body(otherwise)
        elif tag == IF:
            step[ELSE] = []
        return step

    def _asked(self, head: Words) -> Json:
        if head[0].text != "if":
            return self._ask(self.program.questions[WITH], head[1:])
        names = {plain(name): question for name, question in self.program.questions.items()}
        words = head[1:]
        for length in range(len(words), 0, -1):
            question = names.get(plain(text_of(words[:length])))
            if question is not None:
                return self._ask(question, words[length:])
        raise AssertionError(text_of(words))

    def _ask(self, question: Question, words: Words) -> Json:
        parameters = asked_for(question, self.subject)
        values = []
        for _, kind in parameters:
            value, words = self.reader.first(words, kind)
            values.append(value)
        return {ASK: question.name, **self.arguments(parameters, values)}

    # ------------------------------------------------------------ choices and rolls

    def _offer(self, line: t.Line) -> Json:
        return {OFFER: parts(line)[0][0].text, THEN: self._body(line)}

    def _roll(self, line: t.Line) -> Json:
        name = plain(text_of(line.words[1:]))
        die = next(known for known in self.program.dice if plain(known) == name)
        faces = list(dict.fromkeys(self.program.dice[die]))
        step: Json = {ROLL: die, CASES: []}
        for branch in _lines(line):
            head = parts(branch)[0]
            if text_of(head) == "else":
                step[ELSE] = self._body(branch)
                break
            shown = [
                face_key(face) for part in split(head, "comma") for face in _faces(part, faces)
            ]
            step[CASES].append({FACES: shown, THEN: self._body(branch)})
        return step


def _lines(line: t.Line) -> list[t.Line]:
    return [item for item in line.block if isinstance(item, t.Line)]


def _faces(words: Words, faces: Sequence[object]) -> list[object]:
    if [word.kind for word in words] in (
        ["number", "name", "number"],
        ["number", "sign", "number"],
    ):
        low, high = number_of(words[0]), number_of(words[2])
        return [face for face in faces if isinstance(face, int) and low <= face <= high]
    return [face for face in faces if plain(str(face_key(face))) == plain(words[0].text)]


def face_key(face: object) -> str | int:
    """The side of a die in JSON."""
    if isinstance(face, Entry):
        return key_of(face.key)
    return face if isinstance(face, int) else str(face)
