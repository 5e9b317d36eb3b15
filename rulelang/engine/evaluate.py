"""Expressions made functions of the state's slots and the locals of a frame."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from rulelang.engine.boards import on_board, ways
from rulelang.engine.content import Contents, effects, mentions
from rulelang.engine.exact import EXACT, equal, mixes
from rulelang.engine.fault import UNFORESEEN, Fault, unforeseen
from rulelang.engine.operators import (
    EACH,
    MAX_WORK,
    OPERATORS,
    Evaluator,
    Locals,
    Slots,
    best,
    charge,
    charged,
    exhausted,
    listed,
)
from rulelang.program import expressions as x
from rulelang.program.boards import Graph
from rulelang.program.linking import ENDINGS, WORK, Linked
from rulelang.program.types import BAD, NOTHING, Many, Named, Type
from rulelang.program.values import Effect, Entry, Pile, Value, exact, order_key

Claims = Callable[[Linked, "Evaluators", x.Op], Evaluator]
"""Prepares the questions that only the claims of a scenario ask."""


def evaluate(evaluator: Evaluator, slots: Slots, locals: Locals) -> Value:
    """The value, where no rule is running that would turn what goes wrong into a fault.

    What it takes is not charged to the rules that run. Raises Fault.
    """
    left = slots[WORK]
    slots[WORK] = MAX_WORK
    try:
        return evaluator(slots, locals)
    except UNFORESEEN as error:
        raise unforeseen(error) from error
    finally:
        slots[WORK] = left


class Evaluators:
    """Prepares the expressions of one linked program; questions are prepared once."""

    def __init__(self, linked: Linked, claims: Claims | None = None) -> None:
        self.linked = linked
        self.claims = claims
        self.questions: dict[str, Evaluator] = {}
        self._fixed_questions: dict[str, bool] = {}
        self._graphs: dict[tuple[str, ...], Graph] = {}
        self.fixed: dict[str, Value] = {
            "players": linked.players,
            "mode": linked.program.domains["Mode"].by_key.get(linked.mode),
            **linked.options,
        }

    def prepare(self, expr: x.Expr) -> Evaluator:
        """The function that evaluates ``expr``."""
        match expr:
            case x.Const():
                return _constant(expr.value)
            case x.Local():
                slot = expr.slot
                return lambda s, f: f[slot]
            case x.All():
                return _constant(self.all_of(expr.domain))
            case x.FieldOf():
                return self._field(expr)
            case x.Read():
                return self._read(expr)
            case x.MapItem():
                table, key = self.prepare(expr.map), self.prepare(expr.key)
                return lambda s, f: table(s, f)[key(s, f).index]
            case x.Op():
                return self._op(expr)
            case x.AskDefine():
                return self._ask(expr)
            case x.If():
                condition = self.prepare(expr.condition)
                yes, no = (self.needed(e, expr.type) for e in (expr.yes, expr.no))
                return lambda s, f: yes(s, f) if condition(s, f) else no(s, f)
            case x.Items():
                return self._items(expr)
            case x.Each():
                return self._each(expr)
            case x.IsEffect():
                return self._is_effect(expr)
            case x.IsVariant():
                return self._is_variant(expr)
            case x.InDomain():
                value, domain = self.prepare(expr.value), expr.domain
                return lambda s, f: isinstance(v := value(s, f), Entry) and v.domain == domain
            case x.OnBoard():
                return on_board(self, expr)
            case x.Ways():
                return ways(self, expr)
        raise AssertionError(expr)

    def collection(self, expr: x.Expr) -> Evaluator:
        """The function that gives the items of a collection: of a pile in canonical order."""
        value = self.prepare(expr)
        if not _is_pile(expr.type):
            return value
        if isinstance(expr, x.Read):
            return lambda s, f: value(s, f).all()
        return lambda s, f: v.all() if isinstance(v := value(s, f), Pile) else v

    def needed(self, expr: x.Expr, kind: Type) -> Evaluator:
        """The function of an expression where that type is needed: of a pile, its items."""
        return self.prepare(expr) if _is_pile(kind) else self.collection(expr)

    def all_of(self, domain: str) -> tuple[Entry, ...]:
        """All values of a domain, in canonical order."""
        return (
            self.linked.players
            if domain == "Player"
            else self.linked.program.domains[domain].entries
        )

    def graph(self, edges: tuple[str, ...]) -> Graph:
        """The board that edges of these kinds make."""
        if edges not in self._graphs:
            self._graphs[edges] = Graph(self.linked.program, edges)
        return self._graphs[edges]

    def depends_only_on(self, expr: x.Expr, slot: int) -> bool:
        """Does the value depend on one local alone, and on names that the expression binds?"""
        bound = {slot, *(n.slot for n in x.walk(expr) if isinstance(n, x.Each | x.Ways))}
        return all(
            part.slot in bound if isinstance(part, x.Local) else self.reads_nothing(part)
            for part in x.walk(expr)
        )

    def blank(self, locals: int) -> tuple[Slots, Locals]:
        """A state and a frame in which nothing stands, for what reads neither."""
        slots: Slots = [None] * self.linked.slots
        slots[WORK] = MAX_WORK
        return slots, [None] * locals

    @cached_property
    def contents(self) -> Contents:
        """What the scripts of the content say."""
        return Contents(self.linked.program)

    def mixes(self, kind: Type) -> bool:
        """May values of a type hold flags and numbers in one place?"""
        return mixes(kind, self.linked.program.signatures.values())

    # ------------------------------------------------------------ reading

    def _field(self, expr: x.FieldOf) -> Evaluator:
        value, place = self.prepare(expr.value), expr.place
        if place < 0:
            return lambda s, f: value(s, f).key
        return lambda s, f: value(s, f).fields[place]

    def _read(self, expr: x.Read) -> Evaluator:
        if expr.field in self.fixed and expr.owner is None:
            return _constant(self.fixed[expr.field])
        base = self.linked.bases.get(expr.field)
        if base is None:
            return _absent(expr.field, self.linked.mode)
        if expr.owner is None:
            return lambda s, f: s[base]
        if isinstance(expr.owner, x.Const):
            place = base + expr.owner.value.index
            if expr.owner.value.index >= self.linked.sizes[expr.field]:
                return _absent(f"{expr.owner.value.label}'s {expr.field}", self.linked.mode)
            return lambda s, f: s[place]
        if isinstance(expr.owner, x.Local):
            slot = expr.owner.slot
            return lambda s, f: s[base + f[slot].index]
        owner = self.prepare(expr.owner)
        return lambda s, f: s[base + owner(s, f).index]

    def _items(self, expr: x.Items) -> Evaluator:
        items = tuple(self.prepare(item) for item in expr.items)
        if not items:
            return _constant(())
        if len(items) == 1:
            only = items[0]
            return lambda s, f: (only(s, f),)
        return lambda s, f: tuple([item(s, f) for item in items])

    def _ask(self, expr: x.AskDefine) -> Evaluator:
        question = self.linked.program.questions[expr.define]
        arguments = tuple(map(self.needed, expr.arguments, question.types))
        rest = [None] * (question.slots - len(arguments))
        body = self.question(expr.define)
        if all(isinstance(kind, Named) for kind in question.types) and self.is_fixed(expr.define):
            return _remembered(body, arguments, rest)
        return _asked(body, arguments, rest)

    def is_fixed(self, question: str) -> bool:
        """Does the answer depend on the arguments alone, not on the state?"""
        if question not in self._fixed_questions:
            branches = self.linked.program.questions[question].branches
            self._fixed_questions[question] = all(map(self.reads_nothing, x.walk(branches)))
        return self._fixed_questions[question]

    def reads_nothing(self, expr: x.Expr) -> bool:
        """Does the part of an expression read no field of the state?"""
        match expr:
            case x.Read():
                return expr.owner is None and expr.field in self.fixed
            case x.AskDefine():
                return self.is_fixed(expr.define)
            case x.Op():
                return expr.name in OPERATORS or expr.name in (
                    "==",
                    "in_base",
                    "effects",
                    "mentions",
                )
        return True

    def try_questions(self) -> None:
        """Prepare all questions. Raises RecursionError if they are nested too deeply."""
        for name in self.linked.program.questions:
            self.question(name)

    def question(self, name: str) -> Evaluator:
        """The function of a question's body; its arguments lie in the first locals."""
        if name not in self.questions:
            question = self.linked.program.questions[name]
            branches = [
                (
                    None if condition is None else self.prepare(condition),
                    self.needed(value, question.type),
                )
                for condition, value in question.branches
            ]
            self.questions[name] = _branches(branches, name)
        return self.questions[name]

    def _is_effect(self, expr: x.IsEffect) -> Evaluator:
        value, rule = self.prepare(expr.value), expr.rule
        signature = self.linked.program.signatures[rule]
        tests = [
            self._argument(place, argument, signature.parameters[place][1])
            for place, argument in enumerate(expr.arguments)
            if argument is not None
        ]
        if not tests:
            return lambda s, f: isinstance(e := value(s, f), Effect) and e.rule == rule
        if len(tests) == 1:
            only = tests[0]
            return lambda s, f: (
                isinstance(e := value(s, f), Effect) and e.rule == rule and only(e, s, f)
            )
        return lambda s, f: (
            isinstance(e := value(s, f), Effect)
            and e.rule == rule
            and all(test(e, s, f) for test in tests)
        )

    def _is_variant(self, expr: x.IsVariant) -> Evaluator:
        value, variant, domain = self.prepare(expr.value), expr.variant, expr.domain
        if isinstance(expr.value.type, Named):
            return lambda s, f: value(s, f).variant == variant
        return lambda s, f: _in(v := value(s, f), domain) and v.variant == variant

    def _argument(
        self, place: int, wanted: x.Expr | str, kind: Type
    ) -> Callable[[Effect, Slots, Locals], bool]:
        """Is an effect's argument one of a domain, or the value wanted?"""
        if isinstance(wanted, str):
            domain = wanted
            return lambda e, s, f: _in(e.arguments[place], domain)
        value = self.prepare(wanted)
        if self.mixes(kind):
            return lambda e, s, f: exact(e.arguments[place]) == exact(value(s, f))
        return lambda e, s, f: bool(e.arguments[place] == value(s, f))

    # ------------------------------------------------------------ comprehensions

    def _each(self, expr: x.Each) -> Evaluator:
        source, slot = charged(self.collection(expr.source)), expr.slot
        condition = self.prepare(expr.condition) if expr.condition is not None else None
        if expr.name == "best":
            orders = [(most, self.prepare(order)) for most, order in expr.orders]
            return best(listed(source, slot, condition, None), slot, orders)
        value = None
        if expr.value is not None:
            value = self.collection(expr.value) if expr.name == "join" else self.prepare(expr.value)
        return EACH[expr.name](source, slot, condition, value)

    # ------------------------------------------------------------ operators and built-in questions

    def _op(self, expr: x.Op) -> Evaluator:
        if expr.name == "==":
            return self._equal(*expr.arguments)
        collections = [isinstance(a.type, Many) for a in expr.arguments]
        arguments = [
            self.collection(a) if many and expr.name not in ("size", "empty") else self.prepare(a)
            for a, many in zip(expr.arguments, collections, strict=True)
        ]
        made = OPERATORS.get(expr.name)
        if expr.name in EXACT and any(self.mixes(a.type) for a in expr.arguments):
            made = EXACT[expr.name]
        if made is not None:
            return made(*arguments)
        if expr.name == "ended":
            ending = arguments[0]
            return lambda s, f: any(name == ending(s, f).key for name, _ in s[ENDINGS])
        if expr.name == "effects":
            return effects(self, *arguments)
        if expr.name == "mentions":
            return mentions(self, *arguments)
        if expr.name == "in_base":
            return self._in_base(expr.arguments[0])
        if expr.name == "outcome":
            endings = self.linked.program.domains["Ending"].by_key
            return lambda s, f: endings[s[ENDINGS][0][0]] if s[ENDINGS] else None
        if self.claims is not None:
            return self.claims(self.linked, self, expr)
        raise AssertionError(expr.name)

    def _in_base(self, expr: x.Expr) -> Evaluator:
        """Is the entry's number one of those that its kind declares? Packs may add others."""
        inside, entry = self.base_entries(expr), self.prepare(expr)
        return lambda s, f: entry(s, f) in inside

    def base_entries(self, expr: x.Expr) -> frozenset[Entry]:
        """The entries of an expression's kind whose numbers the kind declares."""
        assert isinstance(expr.type, Named)
        kind = self.linked.program.kinds[expr.type.domain]
        low, high = kind.base or (0, None)
        entries = self.linked.program.domains[kind.name].entries
        return frozenset(
            e
            for e in entries
            if isinstance(e.key, int) and low <= e.key and (high is None or e.key <= high)
        )

    def _equal(self, left: x.Expr, right: x.Expr) -> Evaluator:
        unordered = _unordered(left.type) or _unordered(right.type)
        first, second = self.collection(left), self.collection(right)
        if not unordered and (self.mixes(left.type) or self.mixes(right.type)):
            return equal(first, second)
        if unordered:
            return lambda s, f: (
                sorted(first(s, f), key=order_key) == sorted(second(s, f), key=order_key)
            )
        if isinstance(right, x.Const):
            wanted = right.value
            if isinstance(wanted, Entry) or wanted is None:
                return lambda s, f: first(s, f) is wanted
            return lambda s, f: first(s, f) == wanted
        return lambda s, f: first(s, f) == second(s, f)


def _is_pile(kind: Type) -> bool:
    return isinstance(kind, Many) and kind.form == "pile"


def _unordered(kind: Type) -> bool:
    return (
        isinstance(kind, Many) and kind.form in ("set", "pile") and kind.item not in (BAD, NOTHING)
    )


def _asked(body: Evaluator, arguments: tuple[Evaluator, ...], rest: list[None]) -> Evaluator:
    """The function of a question that is worked out each time, and charged for."""
    if len(arguments) == 1:
        only = arguments[0]

        def ask_one(s: Slots, f: Locals) -> Value:
            s[WORK] -= 1
            if s[WORK] < 0:
                raise exhausted()
            return body(s, [only(s, f), *rest])

        return ask_one

    def ask(s: Slots, f: Locals) -> Value:
        s[WORK] -= 1
        if s[WORK] < 0:
            raise exhausted()
        return body(s, [argument(s, f) for argument in arguments] + rest)

    return ask


def _remembered(body: Evaluator, arguments: tuple[Evaluator, ...], rest: list[None]) -> Evaluator:
    """The function of a question whose answers never change: each is worked out once."""
    answers: dict[Value, tuple[Value, int]] = {}

    def answer(key: Value, s: Slots, given: list[Value]) -> Value:
        # The work is charged each time: whether it was done before must make no difference.
        if key in answers:
            value, work = answers[key]
            charge(s, work)
            return value
        before = s[WORK]
        value = body(s, given)
        answers[key] = value, before - s[WORK]
        return value

    if len(arguments) == 1:
        only = arguments[0]

        def ask_one(s: Slots, f: Locals) -> Value:
            key = only(s, f)
            return answer(key, s, [key, *rest])

        return ask_one

    def ask(s: Slots, f: Locals) -> Value:
        key = tuple([argument(s, f) for argument in arguments])
        return answer(key, s, [*key, *rest])

    return ask


def _constant(value: Value) -> Evaluator:
    return lambda s, f: value


def _absent(name: str, mode: str) -> Evaluator:
    def run(s: Slots, f: Locals) -> Value:
        raise Fault(f"{name} does not exist in a game of mode {mode} with these players")

    return run


def _in(value: Value, domain: str) -> bool:
    return isinstance(value, Entry) and value.domain == domain


def _branches(branches: list[tuple[Evaluator | None, Evaluator]], name: str) -> Evaluator:
    if len(branches) == 1 and branches[0][0] is None:
        return branches[0][1]

    def run(s: Slots, f: Locals) -> Value:
        for condition, value in branches:
            if condition is None or condition(s, f):
                return value(s, f)
        raise Fault(f"{name} has no answer")

    return run


__all__ = ["Claims", "Evaluator", "Evaluators", "evaluate"]
