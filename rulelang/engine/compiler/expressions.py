"""Expressions as Python source: of the state ``s`` and of locals ``l0``, ``l1`` and so on.

A comprehension becomes a helper function. What depends on few values alone, such as which of a
card's instructions come first, is remembered for each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from attrs import evolve

from rulelang.engine.compiler import support
from rulelang.engine.compiler.pool import Pool, plain_name
from rulelang.engine.compiler.shape import MANY_KEYS, MOST_ITEMS, Shapes, scalar
from rulelang.engine.compiler.simplify import Simplifier
from rulelang.engine.compiler.work import Work
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.exact import EXACT
from rulelang.program import expressions as x
from rulelang.program.linking import ENDINGS, WORK
from rulelang.program.types import BAD, MAX_NUMBER, NOTHING, Many, Named, Num, Table, Type, members
from rulelang.program.values import Effect, Entry, Pile, exact, order_key

Reads = dict[str, x.Local]
"""What stands for reads of the state in a function that remembers: by their source."""
INFIX = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-"}
COSTLY = frozenset(
    ("distinct", "earlier", "forward", "less", "next", "numbers", "reversed", "ring", "sorted",
     "subsets")
)  # fmt: skip
"""Operators that take longer than to look an answer up."""
SHORT = {
    "not": "(not {0})",
    "negative": "(-{0})",
    "all": "{0}",
    "size": "len({0})",
    "empty": "(not {0})",
    "first": "{0}[0]",
    "last": "{0}[-1]",
    "item": "item({0}, {1})",
    "counted": "counted({0})",
    "take": "{1}[:counted({0})]",
    "drop": "{1}[counted({0}):]",
    "has": "({1} in {0})",
    "contains": "({1} in {0})",
    "min": "min({0}, {1})",
    "max": "max({0}, {1})",
}
"""Operators whose source is short: the others are those of the reference interpreter."""
SIGNS = {"*": "times", "/": "divided"}
"""Words for those of the others that are no names."""


class Expressions:
    """Writes the expressions of one linked program."""

    def __init__(self, evaluators: Evaluators) -> None:
        self.evaluators = evaluators
        self.linked = evaluators.linked
        self.shapes = Shapes(evaluators)
        self.simplifier = Simplifier(evaluators)
        self.functions: list[str] = []
        """The sources of helper functions that were not taken yet."""
        given = {
            "Effect": Effect,
            "Entry": Entry,
            "Pile": Pile,
            "Doubt": support.Doubt,
            "items": support.items,
            "item": support.item,
            "counted": support.counted,
            "within": support.within,
            "fitting": support.fitting,
            "exact": exact,
            "order_key": order_key,
            "charged": support.charged,
            "alone": support.alone(),
            "Memo": support.Memo,
            "CostMemo": support.CostMemo,
            "recalled": support.recalled,
        }
        self.pool = Pool(given)
        self.work = Work(evaluators, self.shapes)
        self._questions: dict[str, str] = {}
        self._helpers: dict[str, str] = {}
        self._temporary = 0
        self.heaps = False
        """Are piles changed in place?"""
        self._stateless = 0
        """How many functions are being written that know of no state."""

    # ------------------------------------------------------------ entry points

    def text(self, expr: x.Expr) -> str:
        """The source of an expression that was simplified."""
        if self._is_worth_remembering(expr):
            found = self._remembered(expr)
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
            return self._ways(many, "some")
        text = self.text(many)
        if self.heaps and _is_pile(many.type) and isinstance(many, x.Read):
            return f"({text}.pool or {text}.loose or {text}.top or {text}.bottom)"
        return text

    def collection(self, expr: x.Expr) -> str:
        """The source of a collection's items: of a pile in canonical order."""
        if not _is_pile(expr.type):
            return self.text(expr)
        if isinstance(expr, x.Read):
            return f"{self.text(expr)}.all()"
        return f"items({self.text(expr)})"

    def needed(self, expr: x.Expr, kind: Type) -> str:
        """The source of an expression where that type is needed: of a pile, its items."""
        return self.text(expr) if _is_pile(kind) else self.collection(expr)

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
                return self.read(expr)
            case x.MapItem():
                return f"{self.text(expr.map)}[{self.text(expr.key)}.index]"
            case x.Op():
                return self._op(expr)
            case x.AskDefine():
                return self._ask(expr)
            case x.If():
                yes, no = (self.needed(e, expr.type) for e in (expr.yes, expr.no))
                return f"({yes} if {self.test(expr.condition)} else {no})"
            case x.Items():
                inner = "".join(f"{self.text(item)}, " for item in expr.items)
                return f"({inner})" if inner else "()"
        return self._more(expr)

    def _more(self, expr: x.Expr) -> str:
        match expr:
            case x.Each():
                return self._each(expr)
            case x.IsEffect():
                return self._is_effect(expr)
            case x.IsVariant():
                return self._is_variant(expr)
            case x.InDomain():
                t = self._name()
                value, domain = self.text(expr.value), repr(expr.domain)
                return f"(isinstance({t} := {value}, Entry) and {t}.domain == {domain})"
            case x.OnBoard():
                return self._on_board(expr)
            case x.Ways():
                return self._ways(expr, "ways")
        raise AssertionError(expr)

    def _ways(self, expr: x.Ways, wanted: str) -> str:
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
        return "alone" if self._stateless else "s"

    def _needs_state(self, question: str) -> bool:
        """Is the function of a question given the state?"""
        return not self.evaluators.is_fixed(question) or self.work.asks_much(question)

    def question(self, name: str) -> str:
        """The function of a question."""
        if name not in self._questions:
            question = self.linked.program.questions[name]
            function = f"q_{plain_name(name)}"
            while function in self._questions.values():  # of letters that are no part of its name
                function += "_"
            self._questions[name] = function
            parameters = [f"l{slot}" for slot in range(len(question.parameters))]
            needs_state = self._needs_state(name)
            given = ["s", *parameters] if needs_state else parameters
            lines = [f"def {function}({', '.join(given)}):"]
            if self.work.is_heavy(name):
                lines += [f"    s[{WORK}] -= {self.work.inside(name)}"]
                lines += [f"    if s[{WORK}] < 0: raise Doubt"]
            around, self._stateless = self._stateless, int(not needs_state)
            for condition, value in question.branches:
                answer = f"return {self.needed(self.simplifier.simple(value), question.type)}"
                if condition is None:
                    lines.append(f"    {answer}")
                    break
                lines.append(f"    if {self.text(self.simplifier.simple(condition))}:")
                lines.append(f"        {answer}")
            else:
                lines.append("    raise Doubt")
            self._stateless = around
            self.functions.append("\n".join(lines))
        return self._questions[name]

    # ------------------------------------------------------------ what is remembered

    def _is_worth_remembering(self, expr: x.Expr) -> bool:
        """Does working it out take much more than looking it up?"""
        if isinstance(expr, x.Const | x.Local | x.Read | x.FieldOf | x.Items | x.All):
            return False
        return any(
            isinstance(p, x.Each | x.AskDefine | x.OnBoard)
            or (isinstance(p, x.Op) and p.name in COSTLY)
            for p in x.walk(expr)
        )

    def is_remembered(self, expr: x.Expr) -> bool:
        """Is an expression looked up, once it was worked out?"""
        return self._is_worth_remembering(expr) and self._remembered(expr) is not None

    def _remembered(self, expr: x.Expr) -> str | None:
        """The source of looking an answer up; None where it depends on too much."""
        reads: Reads = {}
        whole = self.simplifier.expanded(expr)
        if whole is None:
            return None
        inner = self._without_reads(whole, reads, self.shapes.locals(whole).keys())
        if inner is None:
            return None
        parameters = self.shapes.locals(inner)
        keys = 1
        for local in parameters.values():
            keys *= 0 if self.shapes.mixes(local.type) else self.shapes.keys(local.type)
        if not 0 < keys <= MANY_KEYS:
            return None
        sources = {local.slot: source for source, local in reads.items()}
        given = [sources.get(slot, f"l{slot}") for slot in sorted(parameters)]
        body = ", ".join(f"l{slot}" for slot in sorted(parameters))
        if not given:
            return None
        self._stateless += 1
        function = self._function("m", body, [f"return {self._collection_plain(inner)}"])
        self._stateless -= 1
        costs = self.work.charges(inner)
        memory = self._helpers.get(f"memo {function}")
        if memory is None:
            memory = self.pool.fresh("M")
            self._helpers[f"memo {function}"] = memory
            made = f"CostMemo({function}, alone" if costs else f"Memo({function}"
            self.functions.append(f"{memory} = {made}, single={len(given) == 1})")
        if costs:
            return f"recalled({self.state}, {memory}, ({', '.join(given)}))"
        return f"{memory}[{', '.join(given)}]"

    def _collection_plain(self, expr: x.Expr) -> str:
        """The source of an expression that is not remembered itself; its parts may be."""
        text = self.plain(expr)
        return f"items({text})" if _is_pile(expr.type) else text

    def _without_reads(
        self, expr: x.Expr, reads: Reads, free: Any
    ) -> x.Expr | None:
        """The expression with a local for each value of the state; None where it cannot be."""
        parts = list(x.walk(expr))
        for part in parts:
            if isinstance(part, x.AskDefine | x.Ways) and not self.shapes.is_state_free(part):
                return None
            if isinstance(part, x.Op) and part.name in ("ended", "outcome"):
                return None
            if isinstance(part, x.Read) and not self._is_key(part, free):
                return None
        return self._replaced(expr, reads)

    def _is_key(self, part: x.Read, free: Any) -> bool:
        """May a value of the state be part of the key of a memory?"""
        if part.field in self.evaluators.fixed and part.owner is None:
            return True
        if any(isinstance(m, Many | Table) for m in members(part.type)):
            return False
        owner = part.owner
        return owner is None or isinstance(owner, x.Const) or (
            isinstance(owner, x.Local) and owner.slot in free
        )

    def _replaced(self, expr: x.Expr, reads: Reads) -> x.Expr:
        from rulelang.engine.compiler.simplify import rebuilt

        if isinstance(expr, x.Read) and not (
            expr.field in self.evaluators.fixed and expr.owner is None
        ):
            source = self.read(expr)
            if source not in reads:
                slot = self.simplifier.fresh()
                reads[source] = x.Local(expr.type, expr.span, slot, "read")
            return reads[source]
        return rebuilt(expr, lambda part: self._replaced(part, reads))  # type: ignore[no-any-return]

    def _function(self, kind: str, parameters: str, lines: list[str]) -> str:
        """A helper function; two of the same text are one."""
        text = f"({parameters}):\n" + "\n".join(f"    {line}" for line in lines)
        if text not in self._helpers:
            name = self._helpers[text] = self.pool.fresh(kind)
            self.functions.append(f"def {name}{text}")
        return self._helpers[text]

    def _name(self) -> str:
        self._temporary += 1
        return f"t{self._temporary}"

    # ------------------------------------------------------------ tests

    def _is_effect(self, expr: x.IsEffect) -> str:
        t = self._name()
        parts = [f"type({t} := {self.text(expr.value)}) is Effect", f"{t}.rule == {expr.rule!r}"]
        signature = self.linked.program.signatures[expr.rule]
        for place, wanted in enumerate(expr.arguments):
            if wanted is not None:
                kind = signature.parameters[place][1]
                parts.append(self._argument(f"{t}.arguments[{place}]", wanted, kind))
        return f"({' and '.join(parts)})"

    def _argument(self, given: str, wanted: x.Expr | str, kind: Type) -> str:
        if isinstance(wanted, str):
            t = self._name()
            return f"(isinstance({t} := {given}, Entry) and {t}.domain == {wanted!r})"
        value = self.text(wanted)
        if self.shapes.mixes(kind):
            return f"exact({given}) == exact({value})"
        return f"{given} == {value}"

    def _is_variant(self, expr: x.IsVariant) -> str:
        value, variant = self.text(expr.value), repr(expr.variant)
        if isinstance(expr.value.type, Named):
            return f"({value}.variant == {variant})"
        t = self._name()
        return (
            f"(isinstance({t} := {value}, Entry) and {t}.domain == {expr.domain!r}"
            f" and {t}.variant == {variant})"
        )

    # ------------------------------------------------------------ operators

    def _op(self, expr: x.Op) -> str:
        name = expr.name
        if name == "==":
            return self._equal(*expr.arguments)
        if name in ("and", "or"):
            left, right = map(self.text, expr.arguments)
            return f"({left} {name} {right})"
        if name == "ends_of" and isinstance(expr.arguments[0], x.Ways):
            self._support("op_ends_of1", lambda: support.borrowed("ends_of", 1))
            return self._ways(expr.arguments[0], "ends")
        if name == "empty" and isinstance(expr.arguments[0], x.Ways):
            return f"(not {self._ways(expr.arguments[0], 'some')})"
        arguments = [self._operand(name, argument) for argument in expr.arguments]
        exactly = name in EXACT and any(self.shapes.mixes(a.type) for a in expr.arguments)
        if name in INFIX and not exactly:
            return f"({arguments[0]} {INFIX[name]} {arguments[1]})"
        if name in SHORT and not exactly:
            return SHORT[name].format(*arguments)
        if name == "join":
            return self._joined(expr, *arguments)
        if name in ("ended", "outcome", "effects", "mentions", "in_base"):
            return self._of_the_game(expr, arguments)
        if self.work.is_costly(expr):
            costly = f"op_{name}{len(arguments)}{'x' * exactly}_at_cost"
            self._support(costly, lambda: support.at_cost(name, len(arguments), exactly=exactly))
            return f"{costly}({', '.join([self.state, *arguments])})"
        if name in support.DIRECT and not exactly:
            made = self._support(f"op_{name}", lambda: support.DIRECT[name])
            return f"{made}({', '.join(arguments)})"
        made = self._support(
            f"op_{SIGNS.get(name, name)}{len(arguments)}{'x' * exactly}",
            lambda: support.borrowed(name, len(arguments), exactly=exactly),
        )
        return f"{made}({', '.join(arguments)})"

    def concatenated(self, expr: x.Op) -> str | None:
        """Two collections, one behind the other, unmeasured; None where it is written otherwise."""
        if any(self.shapes.mixes(a.type) for a in expr.arguments) or self.is_remembered(expr):
            return None
        one, other = (self._operand("join", argument) for argument in expr.arguments)
        return f"{one} + {other}"

    def _joined(self, expr: x.Op, one: str, other: str) -> str:
        """Two collections, one behind the other; what is sure to be small is not measured."""
        if sum(map(self.shapes.size, expr.arguments)) <= MOST_ITEMS:
            return f"({one} + {other})"
        return f"{self._support('joined', lambda: support.joined)}({one}, {other})"

    def _operand(self, name: str, expr: x.Expr) -> str:
        many = isinstance(expr.type, Many) and name not in ("size", "empty")
        return self.collection(expr) if many else self.text(expr)

    def _support(self, name: str, make: Callable[[], Any]) -> str:
        if name not in self.pool.names:
            self.pool.names[name] = make()
        return name

    def _of_the_game(self, expr: x.Op, arguments: list[str]) -> str:
        contents = self.evaluators.contents
        match expr.name:
            case "ended":
                return self._ended(expr.arguments[0], arguments[0])
            case "outcome":
                endings = self.pool.put(self.linked.program.domains["Ending"].by_key, "K")
                return f"({endings}[s[{ENDINGS}][0][0]] if s[{ENDINGS}] else None)"
            case "effects":
                return f"{self._support('effects', lambda: contents.effects)}({arguments[0]})"
            case "mentions":
                made = self._support("mentions", lambda: contents.mentions)
                return f"{made}({', '.join(arguments)})"
        inside = self.evaluators.base_entries(expr.arguments[0])
        return f"({arguments[0]} in {self.pool.put(inside, 'K')})"

    def _ended(self, ending: x.Expr, source: str) -> str:
        if isinstance(ending, x.Const):
            key = repr(ending.value.key)
            return f"(s[{ENDINGS}] != () and any([n == {key} for n, _ in s[{ENDINGS}]]))"
        made = self._function("h", "s, e", [f"return any([n == e.key for n, _ in s[{ENDINGS}]])"])
        return f"{made}(s, {source})"

    def _equal(self, left: x.Expr, right: x.Expr) -> str:
        unordered = _unordered(left.type) or _unordered(right.type)
        one, other = self.collection(left), self.collection(right)
        if unordered:
            return f"(sorted({one}, key=order_key) == sorted({other}, key=order_key))"
        if self.shapes.mixes(left.type) or self.shapes.mixes(right.type):
            return f"(exact({one}) == exact({other}))"
        sides = (left, right)
        if any(isinstance(e, x.Const) and (e.value is None or _entry(e.value)) for e in sides):
            return f"({one} is {other})"
        if all(isinstance(e.type, Named) for e in sides):
            return f"({one} is {other})"
        return f"({one} == {other})"

    # ------------------------------------------------------------ comprehensions

    def _each(self, expr: x.Each) -> str:
        """The call of a helper function that goes through the items."""
        item = f"l{expr.slot}"
        condition = None if expr.condition is None else self.test(expr.condition)
        value = None
        if expr.value is not None:
            value = self.collection(expr.value) if expr.name == "join" else self.text(expr.value)
        lines = _LOOPS[expr.name](item, condition, value, self._limit(expr))
        if expr.name == "best":
            lines = self._best(expr, item, lines)
        held = self._held(expr)
        if held is not None:
            return held
        unrolled = self._unrolled(expr)
        if unrolled is not None:
            return unrolled
        outer = evolve(expr, source=x.Const(BAD, expr.span, None))
        free = [f"l{slot}" for slot in self.shapes.free(outer)]
        state = ["s"] if any(_STATE.search(line) for line in lines) else []
        function = self._function("h", ", ".join([*state, "many", *free]), lines)
        source = self._charged(expr)
        return f"{function}({', '.join([*state, source, *free])})"

    def _held(self, expr: x.Each) -> str | None:
        """Of some entry, or of how many, a field holds a value: the field's slots are looked at."""
        test = expr.condition if expr.value is None else None
        if expr.name not in ("some", "count") or not isinstance(test, x.Op) or test.name != "==":
            return None
        for read, value in (test.arguments, test.arguments[::-1]):
            if not isinstance(read, x.Read) or read.field not in self.linked.bases:
                continue
            owner = read.owner
            if not isinstance(owner, x.Local) or owner.slot != expr.slot:
                continue
            if expr.slot in self.shapes.locals(value) or self.shapes.mixes(read.type):
                continue
            if not scalar(read.type) or not scalar(value.type) or self.shapes.mixes(value.type):
                continue
            base, size = self.linked.bases[read.field], self.linked.sizes[read.field]
            if not self._is_whole(expr.source, size):
                continue
            slots, text = f"s[{base}:{base + size}]", self.text(value)
            return f"({text} in {slots})" if expr.name == "some" else f"{slots}.count({text})"
        return None

    def _is_whole(self, source: x.Expr, size: int) -> bool:
        """Are these all the owners of a field, in order?"""
        if isinstance(source, x.Op) and source.name == "all":
            source = source.arguments[0]
        if isinstance(source, x.All):
            return len(self.evaluators.all_of(source.domain)) == size
        value = source.value if isinstance(source, x.Const) else None
        return (
            isinstance(value, tuple)
            and len(value) == size
            and all(isinstance(e, Entry) and e.index == n for n, e in enumerate(value))
        )

    def _unrolled(self, expr: x.Each) -> str | None:
        """A comprehension over a few values that are known, written out."""
        source = expr.source
        if isinstance(source, x.Op) and source.name == "all":
            source = source.arguments[0]
        if isinstance(source, x.All):
            source = x.Const(source.type, source.span, self.evaluators.all_of(source.domain))
        if not isinstance(source, x.Const) or not isinstance(source.value, tuple):
            return None
        if expr.name not in _UNROLLED or not 0 < len(source.value) <= MOST_UNROLLED:
            return None
        first, step, last = _UNROLLED[expr.name]
        lines = first.copy()
        for value in source.value:
            bound = {expr.slot: x.Const(BAD, expr.span, value)}
            parts = (expr.condition, expr.value)
            tests = [self.simplifier.again(part, bound) for part in parts if part is not None]
            if expr.name not in ("some", "every", "count") and expr.value is not None:
                return None
            if expr.name == "every" and len(tests) == 2:
                return None
            known = [test.value for test in tests if isinstance(test, x.Const)]
            tests = [test for test in tests if not isinstance(test, x.Const)]
            text = " and ".join(map(self.test, tests))
            if expr.name == "every":
                text = f"not ({text})" if text else str(not all(known))
            elif not all(known):
                continue
            lines += [f"if {text or 'True'}: {step.format(self.pool.constant(value))}"]
        lines += last
        free = [f"l{slot}" for slot in self.shapes.free(expr)]
        state = ["s"] if any(_STATE.search(line) for line in lines) else []
        function = self._function("h", ", ".join([*state, *free]), lines)
        return f"{function}({', '.join([*state, *free])})"

    def _charged(self, expr: x.Each) -> str:
        """The collection that is gone through, charged for where that may be much."""
        source, weight = self.collection(expr.source), self.work.charge(expr)
        return f"charged({self.state}, {source}, {weight})" if weight else source

    def _limit(self, expr: x.Each) -> str:
        """What a sum must lie within; empty where it is sure to."""
        kind = expr.type
        if isinstance(kind, Num) and None not in (kind.low, kind.high):
            return ""
        return f"{MAX_NUMBER}"

    def _best(self, expr: x.Each, item: str, lines: list[str]) -> list[str]:
        """All the items that remain tied after the orders, first to last."""
        lines = [*lines[:-1], "found = tuple(found)"]
        for most, order in expr.orders:
            better = "max" if most else "min"
            lines += [
                "if found:",
                "    worth = []",
                f"    for {item} in found:",
                f"        worth.append({self.text(order)})",
                f"    goal = {better}(worth)",
                "    found = tuple([e for e, w in zip(found, worth) if w == goal])",
            ]
        return [*lines, "return found"]

    def _on_board(self, expr: x.OnBoard) -> str:
        graph = self.evaluators.graph(expr.edges)
        arguments = [self.text(argument) for argument in expr.arguments]
        match expr.question:
            case "neighbours":
                return f"{self.pool.put(graph.next, 'K')}.get({arguments[0]}, ())"
            case "distance":
                board = self.pool.put(graph, "K")
                return f"{board}.distances({arguments[0]}).get({arguments[1]})"
            case "step":
                return f"{self.pool.put(graph.onward, 'K')}.get(({arguments[0]}, {arguments[1]}))"
        return f"{self.pool.put(graph, 'K')}.reach({arguments[0]}, {arguments[1]})"


_STATE = re.compile(r"\bs\b(?!')")
"""The name of the state in a line."""


def _guarded(condition: str | None, *lines: str) -> list[str]:
    """Lines in the body of a loop over the items, below the condition if there is one."""
    if condition is None:
        return [f"    {line}" for line in lines]
    return [f"    if {condition}:", *[f"        {line}" for line in lines]]


def _list(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    if condition is None and value is None:
        return ["return tuple(many)"]
    kept = _guarded(condition, f"found.append({value or item})")
    return ["found = []", f"for {item} in many:", *kept, "return tuple(found)"]


def _count(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    test = condition or value
    if test is None:
        return ["return len(many)"]
    return ["n = 0", f"for {item} in many:", *_guarded(test, "n += 1"), "return n"]


def _sum(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    lines = ["n = 0", f"for {item} in many:", *_guarded(condition, f"n += {value}")]
    return [*lines, f"return within(n, -{limit}, {limit})" if limit else "return n"]


def _some(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    tests = " and ".join(test for test in (condition, value) if test is not None)
    return [f"for {item} in many:", *_guarded(tests or None, "return True"), "return False"]


def _every(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    fails = f"not ({value})" if condition is None else f"{condition} and not ({value})"
    return [f"for {item} in many:", *_guarded(fails, "return False"), "return True"]


def _join(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    kept = _guarded(condition, f"found.extend({value})", "if len(found) > 65536: raise Doubt")
    return ["found = []", f"for {item} in many:", *kept, "return tuple(found)"]


_LOOPS = {
    "list": _list,
    "best": lambda item, condition, value, limit: _list(item, condition or "True", None, limit),
    "count": _count,
    "sum": _sum,
    "some": _some,
    "every": _every,
    "join": _join,
}


MOST_UNROLLED = 8
"""Values that are written out one by one."""
_UNROLLED = {
    "list": (["found = []"], "found.append({})", ["return tuple(found)"]),
    "count": (["n = 0"], "n += 1", ["return n"]),
    "some": ([], "return True", ["return False"]),
    "every": ([], "return False", ["return True"]),
}
"""Of each comprehension: its first lines, what is done for an item, its last lines."""


def _is_pile(kind: Type) -> bool:
    return isinstance(kind, Many) and kind.form == "pile"


def _unordered(kind: Type) -> bool:
    return (
        isinstance(kind, Many) and kind.form in ("set", "pile") and kind.item not in (BAD, NOTHING)
    )


def _entry(value: object) -> bool:
    return isinstance(value, Entry)
