"""Scripts: instructions with branches inside an entry, lowered to a rule of their own.

A script is what the authoring book allows and nothing more: instructions in order, `with`/`if` and
`without`/`else`, a `choose` with texts as options, a `roll` table, and outcomes: a line below an
instruction for each result that its rule may give. There are no loops and no values to assign.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.checker.content import todo
from rulelang.checker.context import Context, plain
from rulelang.checker.scope import Scope
from rulelang.checker.statements import Statements
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
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.instructions import Code
from rulelang.program.program import Question, Rule, Signature
from rulelang.program.types import BAD, FLAG, Named, Num, Type
from rulelang.program.values import Entry, Script, Value
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
    maker = _Maker(context, name, subject, span)
    maker.lines(lines)
    maker.finish()
    text = "; ".join(text_of(line.words) for line in lines if isinstance(line, t.Line))
    return Script(name, text)


class _Maker:
    def __init__(
        self, context: Context, name: str, subject: tuple[str, Type] | None, span: Span
    ) -> None:
        self.context = context
        self.name = name
        self.subject = subject
        self.span = span
        self.scope = Scope(context)
        if subject is not None:
            self.scope.slot()
        self.reader = Reader(context, subject)
        self.statements = Statements(context, self.scope, None, "entry", name)
        self.out = self.statements.out
        self.slipped = False
        """Was the line reported of which the body comes next?"""

    def finish(self) -> None:
        """Add the rule to the program."""
        self.out.emit(i.Give(self.span, None))
        parameters = (self.subject[0],) if self.subject is not None else ()
        domain = (
            self.subject[1].domain
            if self.subject is not None and isinstance(self.subject[1], Named)
            else ""
        )
        code = Code(
            self.name, parameters, self.scope.slots, self.out.finish(), self.span, subject=domain
        )
        self.context.program.rules[self.name] = [Rule(code, ())]

    # ------------------------------------------------------------ lines

    def lines(self, lines: Sequence[t.Content]) -> None:
        """Lines in order; a condition takes the `else` or `without` that follows it."""
        place = 0
        while place < len(lines):
            line = lines[place]
            place += 1
            if not isinstance(line, t.Line):
                self.context.report("C510", "this has no meaning among instructions", line.span)
                continue
            word = line.words[0].text
            if word == "todo":
                todo(self.context, line)
            elif word in CONDITIONS:
                following = lines[place] if place < len(lines) else None
                otherwise = None
                if isinstance(following, t.Line) and _is_else(following):
                    otherwise = following
                place += otherwise is not None
                self._condition(line, otherwise)
            elif word == "without" and len(parts(line)[0]) > 1:
                self._condition(line, None)
            elif word in ("else", "without"):
                self.context.report(
                    "C510",
                    f"this `{word}` has no `with` or `if` above it",
                    line.words[0].span,
                    help="It must follow the condition, at the same indentation.",
                )
            elif word == "choose" and len(line.words) == 1:
                self._choose(line)
            elif word == "roll":
                self._roll(line)
            else:
                self._instructions(line)

    def _body(self, line: t.Line) -> None:
        """What stands behind the colon, or in the block."""
        _, colon, tail = parts(line)
        slipped, self.slipped = self.slipped, False
        if slipped:
            return
        if colon is not None and tail:
            self._performs(tail)
        elif line.block:
            self.lines(line.block)
        else:
            self.context.report(
                "S109",
                "nothing stands under this line",
                line.span,
                help="Write what happens, or `nothing`.",
            )

    # ------------------------------------------------------------ instructions and outcomes

    def _instructions(self, line: t.Line) -> None:
        head, colon, _ = parts(line)
        if colon is not None:
            self.context.report(
                "N206",
                f"`{text_of(head)}` is no label here",
                span_of(head) if head else line.span,
                help="A label belongs under an entry, or under an instruction with outcomes.",
            )
            return
        if not line.block:
            self._performs(line.words)
            return
        called = self.reader.called(line.words)
        if called is not None:
            self._outcomes(line, *called)

    def _performs(self, words: Words) -> None:
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
                self._perform(*called, span_of(part), None)

    def _perform(
        self, signature: Signature, arguments: tuple[Value, ...], span: Span, slot: int | None
    ) -> None:
        values: tuple[x.Expr, ...] = tuple(
            x.Const(_type_of(value), span, value) for value in arguments
        )
        if signature.subject is not None:
            values += (self._me(span),)
        self.out.emit(i.Perform(span, signature.name, values, slot))

    def _me(self, span: Span) -> x.Expr:
        assert self.subject is not None
        return x.Local(self.subject[1], span, 0, self.subject[0])

    def _outcomes(self, line: t.Line, signature: Signature, arguments: tuple[Value, ...]) -> None:
        """``fight X`` with a line for each result that the rule may give."""
        kind = signature.gives
        if not isinstance(kind, Named):
            self.context.report(
                "C510",
                f"`{signature.name}` has no outcomes, so nothing stands under it",
                line.block[0].span,
                help="Its rule must give one of some names: `gives Result`.",
            )
            return
        slot = self.scope.slot()
        self._perform(signature, arguments, line.span, slot)
        result = x.Local(kind, line.span, slot, "")
        entries = self.context.program.domains[kind.domain].entries
        self._branches(line, {entry.key: entry for entry in entries}, result, kind.domain)

    def _branches(
        self, line: t.Line, entries: dict[object, Entry], result: x.Expr, what: str
    ) -> None:
        end = self.out.label()
        left = dict(entries)
        for branch in line.block:
            head = parts(branch)[0] if isinstance(branch, t.Line) else []
            word = text_of(head)
            entry = next((e for key, e in entries.items() if plain(str(key)) == plain(word)), None)
            if not isinstance(branch, t.Line) or entry is None:
                keys = [str(key) for key in entries]
                help = did_you_mean(suggest(word, keys)) or "One of: " + ", ".join(keys) + "."
                self.context.report_unknown(word, branch.span, what, keys, help=help)
                return
            if left.pop(entry.key, None) is None:
                self.context.report("C506", f"`{word}` is given twice", span_of(head))
            following = self.out.label()
            same = x.Op(
                FLAG, branch.span, "==", (result, x.Const(Named(entry.domain), branch.span, entry))
            )
            self.out.emit(i.Branch(branch.span, same, following))
            self._body(branch)
            self.out.emit(i.Jump(branch.span, end))
            self.out.mark(following)
        if left:
            names = ", ".join(f"`{key}`" for key in left)
            self.context.report(
                "T306",
                f"nothing is said for {names}",
                span_of(line.words),
                help="Add "
                + " and ".join(f"`{key}: …`" for key in left)
                + ", or `: nothing` behind it.",
            )
        self.out.mark(end)

    # ------------------------------------------------------------ conditions

    def _condition(self, line: t.Line, otherwise: t.Line | None) -> None:
        head, _, _ = parts(line)
        word = head[0].text
        condition = self._asked(head)
        if word == "without":
            condition = x.Op(FLAG, line.span, "not", (condition,))
        no, end = self.out.label(), self.out.label()
        self.out.emit(i.Branch(line.span, condition, no))
        self._body(line)
        self.out.emit(i.Jump(line.span, end))
        self.out.mark(no)
        if otherwise is not None:
            again = parts(otherwise)[0]
            if len(again) > 1 and text_of(again[1:]) != text_of(head[1:]):
                self._condition(otherwise, None)
            else:
                self._body(otherwise)
        self.out.mark(end)

    def _asked(self, head: Words) -> x.Expr:
        """The question that ``with Camera`` or ``if volcano awake`` asks."""
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
            return x.Const(BAD, word.span, None)
        return self._ask(question, rest, word.span)

    def _question(self, words: list[t.Word], where: Span) -> x.Expr:
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
        return x.Const(BAD, span, None)

    def _ask(self, question: Question, words: list[t.Word], span: Span) -> x.Expr:
        self.context.use("define", question.name)
        kinds = list(question.types)
        mine = self.subject is not None and bool(kinds) and kinds[-1] == self.subject[1]
        arguments: list[x.Expr] = []
        rest: Words = words
        for kind in kinds[: len(kinds) - mine]:
            if not rest:
                self.context.report("T302", f"`{question.name.replace('_', ' ')}` of what?", span)
                return x.Const(BAD, span, None)
            value, rest = self.reader.first(rest, kind)
            if value is MISSING:
                return x.Const(BAD, span, None)
            arguments.append(x.Const(kind, span, value))
        if rest and (self.reader.find_rule(rest) is not None or self.reader.is_nothing(rest)):
            missing_colon(self.context, words[len(words) - len(rest) - 1], rest)
            self.slipped = True
        elif rest:
            self.context.report("C510", f"`{text_of(rest)}` has no meaning here", span_of(rest))
        if question.type != FLAG:
            self.context.report("T301", f"`{question.name}` is not answered by yes or no", span)
        if mine:
            arguments.append(self._me(span))
        return x.AskDefine(FLAG, span, question.name, tuple(arguments))

    # ------------------------------------------------------------ choices and rolls

    def _choose(self, line: t.Line) -> None:
        if self.subject is None or self.subject[1] != Named("Player"):
            self.context.report(
                "T304",
                "nobody is there to choose",
                line.span,
                help="The kind must say for which player its instructions are: `for you: Player`.",
            )
            return
        end = self.out.label()
        branches: list[tuple[t.Line, i.Offer]] = []
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
            label = f"{plain(head[0].text)}"
            branches.append(
                (branch, i.Offer(label, head[0].text, None, None, None, self.out.label()))
            )
        if not branches:
            if not line.block:
                self.context.report("R402", "there is nothing to choose", line.span)
            return
        offers = tuple(offer for _, offer in branches)
        self.out.emit(i.Choose(line.span, self._me(line.span), "Choose", offers, None, None))
        for branch, offer in branches:
            self.out.mark(offer.to)
            self._body(branch)
            self.out.emit(i.Jump(branch.span, end))
        self.out.mark(end)

    def _roll(self, line: t.Line) -> None:
        """``roll d6`` with a line for each number or range: ``1 to 2: …``."""
        name = text_of(line.words[1:])
        dice = {plain(die): die for die in self.context.program.dice}
        if plain(name) not in dice:
            self.context.report_unknown(name, line.span, "die", dice.values())
            return
        die = dice[plain(name)]
        self.context.use("die", die)
        faces = self.context.program.dice[die]
        slot, end = self.scope.slot(), self.out.label()
        self.out.emit(i.Roll(line.span, slot, x.Const(BAD, line.span, faces), die))
        face = x.Local(BAD, line.span, slot, "")
        left: list[object] = list(dict.fromkeys(faces))
        for branch in line.block:
            if not isinstance(branch, t.Line):
                continue
            head = parts(branch)[0]
            if text_of(head) == "else":
                left = []
                self._body(branch)
                break
            wanted = self._faces(head or branch.words, faces)
            doubled = [f for f in wanted if f not in left]
            if doubled and wanted:
                message = f"{_face(doubled[0])} stands on two lines"
                self.context.report("C506", message, span_of(head or branch.words))
            left = [f for f in left if f not in wanted]
            following = self.out.label()
            listed = x.Const(BAD, branch.span, tuple(wanted))
            self.out.emit(
                i.Branch(branch.span, x.Op(FLAG, branch.span, "has", (listed, face)), following)
            )
            self._body(branch)
            self.out.emit(i.Jump(branch.span, end))
            self.out.mark(following)
        if left:
            self.context.report(
                "T306", f"there is no line for {_face(left[0])}", span_of(line.words)
            )
        self.out.mark(end)

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


def _is_else(line: t.Line) -> bool:
    return line.words[0].text in ("else", "without")


def _type_of(value: Value) -> Type:
    if isinstance(value, Entry):
        return Named(value.domain)
    return Num(value, value) if isinstance(value, int) else BAD
