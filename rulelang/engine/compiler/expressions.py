"""Expressions as Python source: of the state ``s`` and of locals ``l0``, ``l1`` and so on.

A comprehension becomes a helper function. What depends on few values alone, such as which of a
card's instructions come first, is remembered for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeGuard

from rulelang.engine.compiler.comprehensions import SEEN, Comprehensions
from rulelang.engine.compiler.given import known
from rulelang.engine.compiler.memories import Memories
from rulelang.engine.compiler.operations import Operations
from rulelang.engine.compiler.parts import supposed
from rulelang.engine.compiler.pool import Pool, plain_name
from rulelang.engine.compiler.recipes import made
from rulelang.engine.compiler.shape import Shapes
from rulelang.engine.compiler.simplify import Simplifier
from rulelang.engine.compiler.work import Work
from rulelang.engine.evaluate import Evaluators
from rulelang.program import expressions as x
from rulelang.program.linking import WORK
from rulelang.program.program import Question
from rulelang.program.types import Many, Named, Type, is_pile

_TEMPORARY = re.compile(r"(?<!['\w])t\d+(?!['\w])")
"""A temporary name in a function."""


class Expressions:
    """Writes the expressions of one linked program."""

    def __init__(self, evaluators: Evaluators, pool: Pool | None = None) -> None:
        self.evaluators = evaluators
        self.linked = evaluators.linked
        self.shapes = Shapes(evaluators)
        self.simplifier = Simplifier(evaluators)
        self.functions: list[str] = []
        """The sources of helper functions that were not taken yet."""
        self.pool = pool or Pool(known())
        self.work = Work(evaluators, self.shapes)
        self.simplifier.is_charged = self.work.toll
        self.memories = Memories(self)
        self.comprehensions = Comprehensions(self)
        self.operations = Operations(self)
        self.questions: dict[str, str] = {}
        """The functions of questions."""
        self.helpers: dict[str, str] = {}
        self.temporaries = 0
        """How many locals were named that are used within one expression."""
        self.several = False
        """Is it for games of which several may be under way at once?"""
        self.in_place = False
        """Do zones change in place? Then sets and rows are lists, and piles heaps."""
        self.even: frozenset[str] = frozenset()
        """The piles all cards of which always lie in order in their lists."""
        self.loose: frozenset[str] = frozenset()
        """Those whose cards lie there, or loose."""
        self.stateless = 0
        """How many functions are being written that know of no state."""

        self.least: dict[int, int] = {}
        """What the numbers of locals are at least, as far as that is known, by slot."""

    @contextmanager
    def knowing(self, least: Mapping[int, int]) -> Iterator[None]:
        """While what is inside is written, this alone is known of what locals are at least."""
        around, self.least = self.least, dict(least)
        yield
        self.least = around

    def at_least(self, least: Mapping[int, int]) -> AbstractContextManager[None]:
        """While what is inside is written, some locals are known not to be smaller, by slot."""
        return self.knowing({**self.least, **least})

    # ------------------------------------------------------------ going on

    def state_of_writing(self) -> tuple[Any, ...]:
        """What is known of what was written. Helpers that wait for their code are left out."""
        names = self.pool.names
        helpers = {text: name for text, name in self.helpers.items() if name in names}
        questions = {name: q for name, q in self.questions.items() if q in names}
        return helpers, questions, self.temporaries, self.simplifier.slots

    def go_on(
        self, helpers: dict[str, str], questions: dict[str, str], temporaries: int, slots: int
    ) -> None:
        """Go on where another process stood."""
        self.helpers, self.questions = helpers, questions
        self.temporaries, self.simplifier.slots = temporaries, slots

    # ------------------------------------------------------------ entry points

    def text(self, expr: x.Expr) -> str:
        """The source of an expression that was simplified."""
        if self.memories.is_worth_it(expr):
            found = self.memories.looked_up(expr)
            if found is not None:
                return found
        return self.plain(expr)

    def test(self, expr: x.Expr) -> str:
        """The source of a condition, where only its truth counts."""
        if isinstance(expr, x.Op) and expr.name == "not":
            inner = expr.arguments[0]
            if isinstance(inner, x.Op) and inner.name == "empty":
                return self._filled(inner.arguments[0])
            return f"not {self.test(inner)}"
        if isinstance(expr, x.Op) and expr.name == "empty":
            return f"not {self._filled(expr.arguments[0])}"
        if isinstance(expr, x.Op) and expr.name in ("and", "or"):
            left, right = map(self.test, expr.arguments)
            return f"({left} {expr.name} {right})"
        return self.text(expr)

    def _filled(self, many: x.Expr) -> str:
        """The source of whether there is something in a collection."""
        if isinstance(many, x.Ways):
            return self.ways(many, "some")
        text = self.text(many)
        if is_pile(many.type) and isinstance(many, x.Read):
            if self.in_place and many.field in self.even:
                return text
            if self.in_place and many.field in self.loose:
                return f"({text} or {text}.loose)"
            if self.in_place:
                return f"({text} or {text}.odd and {text}.size())"
            return f"({text}.pool or {text}.top or {text}.bottom)"
        return self.glanced(many)

    def collection(self, expr: x.Expr) -> str:
        """The source of a collection's items: of a pile in canonical order."""
        if not is_pile(expr.type):
            return self.text(expr)
        if isinstance(expr, x.Read):
            return f"{self.text(expr)}.all()"
        return f"items({self.text(expr)})"

    def glanced(self, expr: x.Expr) -> str:
        """The source of a collection that is looked at, here and now, and not kept."""
        return self.read(expr) if self.is_listed(expr) else self.collection(expr)

    def seen(self, expr: x.Expr) -> str:
        """The same of a collection that may be a list, as nobody keeps it."""
        if isinstance(expr, x.Each) and not self.memories.is_remembered(expr):
            return self.comprehensions.source(expr, last=SEEN)
        return self.glanced(expr)

    def is_listed(self, expr: x.Expr) -> TypeGuard[x.Read]:
        """Is it a zone that lies in the state as a list, which changes in place?"""
        return self.in_place and isinstance(expr, x.Read) and is_listed(expr.type)

    def needed(self, expr: x.Expr, kind: Type) -> str:
        """The source of an expression where that type is needed: of a pile, its items."""
        return self.text(expr) if is_pile(kind) else self.collection(expr)

    def plain(self, expr: x.Expr) -> str:
        """The source of an expression, worked out each time."""
        match expr:
            case x.Const():
                return self.pool.constant(expr.value)
            case x.Local():
                return f"l{expr.slot}"
            case x.All():
                return self.pool.constant(self.evaluators.all_of(expr.domain))
            case x.FieldOf():
                return self._field(expr)
            case x.Read():
                text = self.read(expr)
                return f"tuple({text})" if self.is_listed(expr) else text
            case x.MapItem():
                return f"{self.text(expr.map)}[{self.text(expr.key)}.index]"
            case x.Op():
                return self.operations.source(expr)
            case x.AskDefine():
                return self._ask(expr)
            case x.If():
                no = self.needed(expr.no, expr.type)
                with self.at_least(supposed(expr.condition)):
                    yes = self.needed(expr.yes, expr.type)
                return f"({yes} if {self.test(expr.condition)} else {no})"
            case x.Items():
                inner = "".join(f"{self.text(item)}, " for item in expr.items)
                return f"({inner})" if inner else "()"
        return self._more(expr)

    def _more(self, expr: x.Expr) -> str:
        match expr:
            case x.Each():
                return self.comprehensions.source(expr)
            case x.IsEffect():
                return self._is_effect(expr)
            case x.IsVariant():
                return self._is_variant(expr)
            case x.InDomain():
                t = self.temporary()
                value, domain = self.text(expr.value), repr(expr.domain)
                return f"(isinstance({t} := {value}, Entry) and {t}.domain == {domain})"
            case x.OnBoard():
                return self._on_board(expr)
            case x.Ways():
                return self.ways(expr, "ways")
        raise AssertionError(expr)

    def ways(self, expr: x.Ways, wanted: str) -> str:
        """The source of the ways of a search, of their ends, or of whether there is one."""
        from rulelang.engine.compiler.ways import ways

        return ways(self, expr, wanted)

    # ------------------------------------------------------------ reading

    def _field(self, expr: x.FieldOf) -> str:
        value = self.text(expr.value)
        return f"{value}.key" if expr.place < 0 else f"{value}.fields[{expr.place}]"

    def read(self, expr: x.Read) -> str:
        """The source of a field of the state."""
        fixed = self.evaluators.fixed
        if expr.field in fixed and expr.owner is None:
            return self.pool.constant(fixed[expr.field])
        base = self.linked.bases.get(expr.field)
        if base is None:
            return "items.absent"  # no attribute: whoever comes here is in doubt
        if expr.owner is None:
            return f"s[{base}]"
        if isinstance(expr.owner, x.Const):
            index = expr.owner.value.index
            return f"s[{base + index}]" if index < self.linked.sizes[expr.field] else "items.absent"
        plus = f"{base} + " if base else ""
        return f"s[{plus}{self.text(expr.owner)}.index]"

    # ------------------------------------------------------------ questions

    def _ask(self, expr: x.AskDefine) -> str:
        question = self.linked.program.questions[expr.define]
        arguments = [self.needed(a, t) for a, t in zip(expr.arguments, question.types, strict=True)]
        given = [self.state, *arguments] if self._needs_state(expr.define) else arguments
        return f"{self.question(expr.define)}({', '.join(given)})"

    @property
    def state(self) -> str:
        """The source of the state; what is worked out to be remembered has but its work."""
        return "alone" if self.stateless else "s"

    def _needs_state(self, question: str) -> bool:
        """Is the function of a question given the state?"""
        return not self.evaluators.is_fixed(question) or self.work.asks_much(question)

    def question(self, name: str) -> str:
        """The function of a question."""
        if name not in self.questions:
            question = self.linked.program.questions[name]
            function = f"q_{plain_name(name)}"
            while function in self.questions.values():  # of letters that are no part of its name
                function += "_"
            self.questions[name] = function
            parameters = [f"l{slot}" for slot in range(len(question.parameters))]
            needs_state = self._needs_state(name)
            given = ["s", *parameters] if needs_state else parameters
            lines = [f"def {function}({', '.join(given)}):"]
            if self.work.toll(name):
                lines += [f"    s[{WORK}] -= {self.work.toll(name)}"]
                lines += [f"    if s[{WORK}] < 0: exhausted(s)"]
            around, self.stateless = self.stateless, int(not needs_state)
            with self.knowing({}):  # its locals are others
                lines += self._branches(question)
            self.stateless = around
            self.functions.append("\n".join(lines))
        return self.questions[name]

    def _branches(self, question: Question) -> Iterator[str]:
        """The lines of a question's function."""
        for condition, value in question.branches:
            if condition is None:
                answer = self.needed(self.simplifier.simple(value), question.type)
                yield f"    return {answer}"
                return
            known = self.simplifier.simple(condition)
            yield f"    if {self.text(known)}:"
            with self.at_least(supposed(known)):
                answer = self.needed(self.simplifier.simple(value), question.type)
            yield f"        return {answer}"
        yield "    raise Doubt"

    # ------------------------------------------------------------ what is remembered

    def function(self, kind: str, parameters: str, lines: list[str]) -> str:
        """A helper function; two of the same text are one."""
        text = f"({parameters}):\n" + "\n".join(f"    {line}" for line in lines)
        known: dict[str, str] = {}
        text = _TEMPORARY.sub(lambda t: known.setdefault(t[0], f"t{len(known) + 1}"), text)
        if text not in self.helpers:
            name = self.helpers[text] = self.pool.fresh(kind)
            self.functions.append(f"def {name}{text}")
        return self.helpers[text]

    def temporary(self) -> str:
        """A name for a moment."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    # ------------------------------------------------------------ tests

    def _is_effect(self, expr: x.IsEffect) -> str:
        t = self.temporary()
        parts = [f"type({t} := {self.text(expr.value)}) is Effect", f"{t}.rule == {expr.rule!r}"]
        signature = self.linked.program.signatures[expr.rule]
        for place, wanted in enumerate(expr.arguments):
            if wanted is not None:
                kind = signature.parameters[place][1]
                parts.append(self._argument(f"{t}.arguments[{place}]", wanted, kind))
        return f"({' and '.join(parts)})"

    def _argument(self, given: str, wanted: x.Expr | str, kind: Type) -> str:
        if isinstance(wanted, str):
            t = self.temporary()
            return f"(isinstance({t} := {given}, Entry) and {t}.domain == {wanted!r})"
        value = self.text(wanted)
        if self.shapes.mixes(kind):
            return f"exact({given}) == exact({value})"
        return f"{given} == {value}"

    def _is_variant(self, expr: x.IsVariant) -> str:
        value, variant = self.text(expr.value), repr(expr.variant)
        if isinstance(expr.value.type, Named):
            return f"({value}.variant == {variant})"
        t = self.temporary()
        return (
            f"(isinstance({t} := {value}, Entry) and {t}.domain == {expr.domain!r}"
            f" and {t}.variant == {variant})"
        )

    # ------------------------------------------------------------ operators

    def support(self, name: str, *recipe: Any) -> str:
        """The name of something that is made when it is first needed, by its recipe."""
        if name not in self.pool.names:
            self.pool.add(name, made(self.evaluators, recipe), recipe)
        return name

    # ------------------------------------------------------------ comprehensions

    def _on_board(self, expr: x.OnBoard) -> str:
        graph, recipe = self.evaluators.graph(expr.edges), ("graph", expr.edges)
        arguments = [self.text(argument) for argument in expr.arguments]
        match expr.question:
            case "neighbours":
                return f"{self.pool.put(graph.next, 'K', *recipe, 'next')}.get({arguments[0]}, ())"
            case "distance":
                board = self.pool.put(graph, "K", *recipe)
                return f"{board}.distances({arguments[0]}).get({arguments[1]})"
            case "step":
                onward = self.pool.put(graph.onward, "K", *recipe, "onward")
                return f"{onward}.get(({arguments[0]}, {arguments[1]}))"
        return f"{self.pool.put(graph, 'K', *recipe)}.reach({arguments[0]}, {arguments[1]})"


def is_listed(kind: Type) -> bool:
    """Are zones of a type lists, where they change in place?"""
    return isinstance(kind, Many) and kind.form in ("set", "row")
