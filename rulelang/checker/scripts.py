"""Scripts: instructions with branches inside an entry, read to steps (see `lowering`).

A script is what the authoring book allows and nothing more: instructions in order, `with`/`if` and
`without`/`else`, a `choose` with texts as options, a `roll` table, and outcomes: a line below an
instruction for each result that its rule may give. There are no loops and no values to assign.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from rulelang.checker.content import todo
from rulelang.checker.context import Context, plain
from rulelang.checker.lowering import lower
from rulelang.checker.words import (
    MISSING,
    Reader,
    missing_colon,
    number_of,
    parts,
    span_of,
    split,
    text_of,
)
from rulelang.diagnostic import Span, did_you_mean, suggest
from rulelang.program.program import Question, Signature
from rulelang.program.scripts import (
    Asked,
    Case,
    Choice,
    Condition,
    Do,
    Step,
    Steps,
    Throw,
    ToDo,
)
from rulelang.program.types import FLAG, Named, Type
from rulelang.program.values import Effect, Entry, Script, Value
from rulelang.syntax import tree as t

CONDITIONS = ("if", "with")
Words = Sequence[t.Word]


def compile_script(
    context: Context,
    name: str,
    lines: Sequence[t.Content],
    subject: tuple[str, Type] | None,
    span: Span,
) -> Script:
    """Check the lines, lower them to a rule called ``name``, and give what stands for it."""
    steps = _Maker(context, subject).lines(lines)
    lower(context, name, steps, subject, span)
    text = "; ".join(text_of(line.words) for line in lines if isinstance(line, t.Line))
    return Script(name, text, steps)


class _Maker:
    def __init__(self, context: Context, subject: tuple[str, Type] | None) -> None:
        self.context = context
        self.subject = subject
        self.reader = Reader(context, subject)
        self.slipped = False
        """Was the line reported of which the body comes next?"""

    # ------------------------------------------------------------ lines

    def lines(self, lines: Sequence[t.Content]) -> Steps:
        """Lines in order; a condition takes the `else` or `without` that follows it."""
        steps: list[Step] = []
        place = 0
        while place < len(lines):
            line = lines[place]
            place += 1
            if not isinstance(line, t.Line):
                self.context.report("C510", "this has no meaning among instructions", line.span)
                continue
            following = lines[place] if place < len(lines) else None
            otherwise = None
            if line.words[0].text in CONDITIONS and _is_else(following):
                otherwise = following
                place += 1
            steps += self._line(line, otherwise)
        return tuple(steps)

    def _line(self, line: t.Line, otherwise: t.Line | None) -> Steps:
        word = line.words[0].text
        if word == "todo":
            todo(self.context, line)
            return (ToDo(line.span, text_of([w for w in line.words[1:] if w.kind != "colon"])),)
        if word in CONDITIONS or (word == "without" and len(parts(line)[0]) > 1):
            return self._condition(line, otherwise)
        if word in ("else", "without"):
            self.context.report(
                "C510",
                f"this `{word}` has no `with` or `if` above it",
                line.words[0].span,
                help="It must follow the condition, at the same indentation.",
            )
            return ()
        if word == "choose" and len(line.words) == 1:
            return self._choose(line)
        return self._roll(line) if word == "roll" else self._instructions(line)

    def _body(self, line: t.Line) -> Steps:
        """What stands behind the colon, with the outcomes below it; or else in the block."""
        _, colon, tail = parts(line)
        slipped, self.slipped = self.slipped, False
        if slipped:
            return ()
        if colon is not None and tail:
            return self._instructions(t.Line(span_of(tail), tuple(tail), line.block))
        if line.block:
            return self.lines(line.block)
        self.context.report(
            "S109",
            f"nothing stands under `{text_of(parts(line)[0])}:`",
            line.span,
            help="Write what happens, or `nothing`; what belongs under it is indented deeper.",
        )
        return ()

    # ------------------------------------------------------------ instructions and outcomes

    def _instructions(self, line: t.Line) -> Steps:
        head, colon, _ = parts(line)
        if colon is not None:
            self.context.report(
                "N206",
                f"`{text_of(head)}` is no label here",
                span_of(head) if head else line.span,
                help="A label belongs under an entry, or under an instruction with outcomes.",
            )
            return ()
        if not line.block:
            return self._performs(line.words)
        if any(word.kind == "comma" for word in line.words):
            self.context.report(
                "S104",
                "this block stands under several instructions",
                line.block[0].span,
                help="Write the one with outcomes on a line of its own.",
            )
            return ()
        called = self.reader.called(line.words)
        return self._outcomes(line, *called) if called is not None else ()

    def _performs(self, words: Words) -> Steps:
        steps: list[Step] = []
        for part in split(words, "comma"):
            if not part:
                self.context.report(
                    "C509", "an instruction is missing beside this comma", span_of(words)
                )
                continue
            if (
                plain(text_of(part)) == "nothing"
                and "nothing" not in self.context.program.signatures
            ):
                continue
            called = self.reader.called(part)
            if called is not None:
                signature, arguments = called
                steps.append(Do(span_of(part), Effect(signature.name, arguments)))
        return tuple(steps)

    def _outcomes(self, line: t.Line, signature: Signature, arguments: tuple[Value, ...]) -> Steps:
        """``fight X`` with a line for each result that the rule may give."""
        kind = signature.gives
        if not isinstance(kind, Named):
            self.context.report(
                "C510",
                f"`{signature.name}` has no outcomes, so nothing stands under it",
                line.block[0].span,
                help="Its rule must give one of some names: `gives Result`.",
            )
            return ()
        entries = self.context.program.domains[kind.domain].entries
        cases = self._branches(line, {entry.key: entry for entry in entries}, kind.domain)
        return (Do(line.span, Effect(signature.name, arguments), cases),)

    def _branches(self, line: t.Line, entries: dict[object, Entry], what: str) -> tuple[Case, ...]:
        cases: list[Case] = []
        left = dict(entries)
        for branch in line.block:
            head = parts(branch)[0] if isinstance(branch, t.Line) else []
            word = text_of(head)
            entry = next((e for key, e in entries.items() if plain(str(key)) == plain(word)), None)
            if not isinstance(branch, t.Line) or entry is None:
                keys = [str(key) for key in entries]
                help = did_you_mean(suggest(word, keys)) or "One of: " + ", ".join(keys) + "."
                self.context.report_unknown(word, branch.span, what, keys, help=help)
                return tuple(cases)
            if left.pop(entry.key, None) is None:
                self.context.report("C506", f"`{word}` is given twice", span_of(head))
            cases.append(Case(branch.span, (entry,), self._body(branch)))
        if left:
            names = ", ".join(f"`{key}`" for key in left)
            self.context.report(
                "T306",
                f"nothing is said for {names}",
                span_of(line.words),
                help="Add "
                + " and ".join(f"`{key}: …`" for key in left)
                + f", or `{next(iter(left))}: nothing`.",
            )
        return tuple(cases)

    # ------------------------------------------------------------ conditions

    def _condition(self, line: t.Line, otherwise: t.Line | None) -> Steps:
        head, _, _ = parts(line)
        asked = self._asked(head)
        then, other = self._body(line), None
        if otherwise is not None:
            again = parts(otherwise)[0]
            if len(again) > 1 and text_of(again[1:]) != text_of(head[1:]):
                other = self._condition(otherwise, None)
            else:
                other = self._body(otherwise)
        if asked is None:
            return ()
        return (Condition(line.span, asked, head[0].text == "without", then, other),)

    def _asked(self, head: Words) -> Asked | None:
        """The question that ``with Camera`` or ``if volcano awake`` asks; None if reported."""
        word = head[0]
        rest = list(head[1:])
        questions = self.context.program.questions
        if word.text == "if":
            return self._question(rest, word.span)
        question = questions.get("with")
        if question is None or not rest:
            self.context.report(
                "N201",
                "this game does not say what `with` asks" if rest else "`with` what?",
                word.span,
                help="The rules book declares it: `define with(x: Tool) for p: Player = …`.",
            )
            return None
        return self._ask(question, rest, word.span)

    def _question(self, words: list[t.Word], where: Span) -> Asked | None:
        questions = self.context.program.questions
        for length in range(len(words), 0, -1):
            question = next(
                (q for n, q in questions.items() if plain(n) == plain(text_of(words[:length]))),
                None,
            )
            if question is not None:
                return self._ask(question, words[length:], span_of(words))
        name = text_of(words)
        span = span_of(words) if words else where
        known = [n.replace("_", " ") for n, q in questions.items() if q.type == FLAG]
        self.context.report_unknown(
            name, span, "question", known, help=did_you_mean(suggest(name, known))
        )
        return None

    def _ask(self, question: Question, words: list[t.Word], span: Span) -> Asked | None:
        self.context.use("define", question.name)
        kinds = list(question.types)
        mine = self.subject is not None and bool(kinds) and kinds[-1] == self.subject[1]
        arguments: list[Value] = []
        rest: Words = words
        for kind in kinds[: len(kinds) - mine]:
            if not rest:
                self.context.report("T302", f"`{question.name.replace('_', ' ')}` of what?", span)
                return None
            value, rest = self.reader.first(rest, kind)
            if value is MISSING:
                return None
            arguments.append(value)
        if rest and (self.reader.find_rule(rest) is not None or self.reader.is_nothing(rest)):
            missing_colon(self.context, words[len(words) - len(rest) - 1], rest)
            self.slipped = True
        elif rest:
            self.context.report("C510", f"`{text_of(rest)}` has no meaning here", span_of(rest))
        if question.type != FLAG:
            self.context.report("T301", f"`{question.name}` is not answered by yes or no", span)
        return Asked(span, question.name, tuple(arguments), mine)

    # ------------------------------------------------------------ choices and rolls

    def _choose(self, line: t.Line) -> Steps:
        if self.subject is None or self.subject[1] != Named("Player"):
            self.context.report(
                "T304",
                "nobody is there to choose",
                line.span,
                help="The kind must say for which player its instructions are: `for you: Player`.",
            )
            return ()
        options: list[Case] = []
        for branch in line.block:
            head = parts(branch)[0] if isinstance(branch, t.Line) else []
            if not isinstance(branch, t.Line) or len(head) != 1 or head[0].kind != "string":
                self.context.report(
                    "C510",
                    "an option is a text in quotes with a colon",
                    branch.span,
                    help='Write `"Go on": …`.',
                )
                continue
            options.append(Case(branch.span, (head[0].text,), self._body(branch)))
        if not line.block:
            self.context.report("R402", "there is nothing to choose", line.span)
        return (Choice(line.span, tuple(options)),) if options else ()

    def _roll(self, line: t.Line) -> Steps:
        """``roll d6`` with a line for each number or range: ``1 to 2: …``."""
        name = text_of(line.words[1:])
        dice = {plain(die): die for die in self.context.program.dice}
        if plain(name) not in dice:
            self.context.report_unknown(name, line.span, "die", dice.values())
            return ()
        die = dice[plain(name)]
        self.context.use("die", die)
        faces = self.context.program.dice[die]
        cases, otherwise = [], None
        left: list[object] = list(dict.fromkeys(faces))
        for branch in line.block:
            if not isinstance(branch, t.Line):
                continue
            head = parts(branch)[0]
            if text_of(head) == "else":
                left = []
                otherwise = self._body(branch)
                break
            wanted = self._faces(head or branch.words, faces)
            doubled = [f for f in wanted if f not in left]
            if doubled and wanted:
                message = f"{_face(doubled[0])} stands on two lines"
                help = "Take it out of one of the two."
                self.context.report("C506", message, span_of(head or branch.words), help=help)
            left = [f for f in left if f not in wanted]
            cases.append(Case(branch.span, tuple(wanted), self._body(branch)))
        if left:
            self.context.report(
                "T306",
                f"there is no line for {_face(left[0])}",
                span_of(line.words),
                help=f"Add `{_face(left[0])}: …`, or `else: …` for all that is left.",
            )
        return (Throw(line.span, die, tuple(cases), otherwise),)

    def _faces(self, words: Words, faces: tuple[object, ...]) -> list[object]:
        """The faces that a line of a table is for: ``1 to 2``, ``1-2``, ``3, 5``, ``jump``."""
        found: list[object] = []
        for part in split(words, "comma"):
            shape = [word.kind for word in part]
            if shape in (["number", "name", "number"], ["number", "sign", "number"]):
                low, high = int(number_of(part[0])), int(number_of(part[2]))
                inside = [f for f in faces if isinstance(f, int) and low <= f <= high]
                if not inside:
                    message = f"`{text_of(part)}` is on no face of this die"
                    self.context.report("T303", message, span_of(words))
                found += dict.fromkeys(inside)
                continue
            wanted = part[0] if len(part) == 1 else None
            match = [
                f
                for f in dict.fromkeys(faces)
                if wanted is not None and plain(_face(f)) == plain(wanted.text)
            ]
            if not match:
                self.context.report(
                    "T303", f"`{text_of(part)}` is on no face of this die", span_of(words)
                )
            found += match
        return found


def _face(face: object) -> str:
    return str(face.key) if isinstance(face, Entry) else str(face)


def _is_else(line: t.Content | None) -> TypeGuard[t.Line]:
    return isinstance(line, t.Line) and line.words[0].text in ("else", "without")
