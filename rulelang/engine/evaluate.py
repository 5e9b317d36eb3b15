"""Expressions made ready to run: each becomes a function of the state's slots and the frame's locals."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

from rulelang.engine.fault import Fault
from rulelang.program import expressions as x
from rulelang.program.linking import ENDINGS, Linked
from rulelang.program.types import BAD, NOTHING, Many, Type
from rulelang.program.values import Effect, Entry, Pile, Value, order_key

Slots = list[Any]
Locals = list[Any]
Evaluator = Callable[[Slots, Locals], Any]


class Evaluators:
    """Prepares the expressions of one linked program; questions are prepared once."""

    def __init__(self, linked: Linked) -> None:
        self.linked = linked
        self.questions: dict[str, Evaluator] = {}
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
                return lambda s, l: l[slot]
            case x.All():
                return _constant(self._all(expr.domain))
            case x.FieldOf():
                return self._field(expr)
            case x.Read():
                return self._read(expr)
            case x.MapItem():
                table, key = self.prepare(expr.map), self.prepare(expr.key)
                return lambda s, l: table(s, l)[key(s, l).index]
            case x.Op():
                return self._op(expr)
            case x.AskDefine():
                return self._ask(expr)
            case x.If():
                condition, yes, no = (self.prepare(e) for e in (expr.condition, expr.yes, expr.no))
                return lambda s, l: yes(s, l) if condition(s, l) else no(s, l)
            case x.Items():
                return self._items(expr)
            case x.Each():
                return self._each(expr)
            case x.IsEffect():
                return self._is_effect(expr)
            case x.IsVariant():
                value, variant = self.prepare(expr.value), expr.variant
                return lambda s, l: value(s, l).variant == variant
            case x.InDomain():
                value, domain = self.prepare(expr.value), expr.domain
                return lambda s, l: isinstance(v := value(s, l), Entry) and v.domain == domain
        raise AssertionError(expr)

    def collection(self, expr: x.Expr) -> Evaluator:
        """The function that gives the items of a collection as a tuple, those of a pile in canonical order."""
        value = self.prepare(expr)
        if isinstance(expr.type, Many) and expr.type.form == "pile":
            return lambda s, l: value(s, l).all()
        return value

    def _all(self, domain: str) -> tuple[Entry, ...]:
        return self.linked.players if domain == "Player" else self.linked.program.domains[domain].entries

    # ------------------------------------------------------------ reading

    def _field(self, expr: x.FieldOf) -> Evaluator:
        value, place = self.prepare(expr.value), expr.place
        if place < 0:
            return lambda s, l: value(s, l).key
        return lambda s, l: value(s, l).fields[place]

    def _read(self, expr: x.Read) -> Evaluator:
        if expr.field in self.fixed and expr.owner is None:
            return _constant(self.fixed[expr.field])
        base = self.linked.bases.get(expr.field)
        if base is None:
            return _absent(expr.field, self.linked.mode)
        if expr.owner is None:
            return lambda s, l: s[base]
        if isinstance(expr.owner, x.Const):
            place = base + expr.owner.value.index
            if expr.owner.value.index >= self.linked.sizes[expr.field]:
                return _absent(f"{expr.owner.value.label}'s {expr.field}", self.linked.mode)
            return lambda s, l: s[place]
        if isinstance(expr.owner, x.Local):
            slot = expr.owner.slot
            return lambda s, l: s[base + l[slot].index]
        owner = self.prepare(expr.owner)
        return lambda s, l: s[base + owner(s, l).index]

    def _items(self, expr: x.Items) -> Evaluator:
        items = tuple(self.prepare(item) for item in expr.items)
        if not items:
            return _constant(())
        if len(items) == 1:
            only = items[0]
            return lambda s, l: (only(s, l),)
        return lambda s, l: tuple([item(s, l) for item in items])

    def _ask(self, expr: x.AskDefine) -> Evaluator:
        question = self.linked.program.questions[expr.define]
        arguments = tuple(self.prepare(argument) for argument in expr.arguments)
        rest = [None] * (question.slots - len(arguments))
        body = self.question(expr.define)
        if not arguments:
            return lambda s, l: body(s, rest.copy())
        if len(arguments) == 1:
            only = arguments[0]
            return lambda s, l: body(s, [only(s, l), *rest])
        return lambda s, l: body(s, [argument(s, l) for argument in arguments] + rest)

    def question(self, name: str) -> Evaluator:
        """The function of a question's body; its arguments lie in the first locals."""
        if name not in self.questions:
            question = self.linked.program.questions[name]
            branches = [
                (None if condition is None else self.prepare(condition), self.prepare(value))
                for condition, value in question.branches
            ]
            self.questions[name] = _branches(branches, name)
        return self.questions[name]

    def _is_effect(self, expr: x.IsEffect) -> Evaluator:
        value, rule = self.prepare(expr.value), expr.rule
        tests = []
        for place, argument in enumerate(expr.arguments):
            if isinstance(argument, str):
                tests.append((place, argument, None))
            elif argument is not None:
                tests.append((place, "", self.prepare(argument)))
        if not tests:
            return lambda s, l: isinstance(e := value(s, l), Effect) and e.rule == rule
        if len(tests) == 1:
            place, domain, wanted = tests[0]
            if wanted is None:
                return lambda s, l: (
                    isinstance(e := value(s, l), Effect) and e.rule == rule and _in(e.arguments[place], domain)
                )
            return lambda s, l: (
                isinstance(e := value(s, l), Effect) and e.rule == rule and bool(e.arguments[place] == wanted(s, l))
            )

        def all_match(s: Slots, l: Locals) -> bool:
            effect = value(s, l)
            return isinstance(effect, Effect) and effect.rule == rule and all(
                _in(effect.arguments[at], domain) if wanted is None else effect.arguments[at] == wanted(s, l)
                for at, domain, wanted in tests
            )

        return all_match

    # ------------------------------------------------------------ comprehensions

    def _each(self, expr: x.Each) -> Evaluator:
        source, slot = self.collection(expr.source), expr.slot
        condition = self.prepare(expr.condition) if expr.condition is not None else None
        value = None
        if expr.value is not None:
            value = self.collection(expr.value) if expr.name == "join" else self.prepare(expr.value)
        if expr.name == "best":
            orders = [(most, self.prepare(order)) for most, order in expr.orders]
            return _best(self._list(source, slot, condition, None), slot, orders)
        if expr.name == "list":
            return self._list(source, slot, condition, value)
        return _EACH[expr.name](source, slot, condition, value)

    def _list(self, source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None) -> Evaluator:
        def run(s: Slots, l: Locals) -> Value:
            found = []
            for item in source(s, l):
                l[slot] = item
                if condition is None or condition(s, l):
                    found.append(item if value is None else value(s, l))
            return tuple(found)

        return run

    # ------------------------------------------------------------ operators and built-in questions

    def _op(self, expr: x.Op) -> Evaluator:
        if expr.name == "==":
            return self._equal(*expr.arguments)
        collections = [isinstance(a.type, Many) for a in expr.arguments]
        arguments = [
            self.collection(a) if many and expr.name not in ("size", "empty") else self.prepare(a)
            for a, many in zip(expr.arguments, collections, strict=True)
        ]
        made = _OPERATORS.get(expr.name)
        if made is not None:
            return made(*arguments)
        if expr.name == "ended":
            ending = arguments[0]
            return lambda s, l: any(name == ending(s, l).key for name, _ in s[ENDINGS])
        if expr.name == "outcome":
            endings = self.linked.program.domains["Ending"].by_key
            return lambda s, l: endings[s[ENDINGS][0][0]] if s[ENDINGS] else None
        raise AssertionError(expr.name)

    def _equal(self, left: x.Expr, right: x.Expr) -> Evaluator:
        unordered = _unordered(left.type) or _unordered(right.type)
        first, second = self.collection(left), self.collection(right)
        if unordered:
            return lambda s, l: sorted(first(s, l), key=order_key) == sorted(second(s, l), key=order_key)
        if isinstance(right, x.Const):
            wanted = right.value
            if isinstance(wanted, Entry) or wanted is None:
                return lambda s, l: first(s, l) is wanted
            return lambda s, l: first(s, l) == wanted
        return lambda s, l: first(s, l) == second(s, l)


def _unordered(kind: Type) -> bool:
    return isinstance(kind, Many) and kind.form in ("set", "pile") and kind.item not in (BAD, NOTHING)


def _constant(value: Value) -> Evaluator:
    return lambda s, l: value


def _absent(name: str, mode: str) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        raise Fault(f"{name} does not exist in a game of mode {mode} with these players")

    return run


def _in(value: Value, domain: str) -> bool:
    return isinstance(value, Entry) and value.domain == domain


def _branches(branches: list[tuple[Evaluator | None, Evaluator]], name: str) -> Evaluator:
    if len(branches) == 1 and branches[0][0] is None:
        return branches[0][1]

    def run(s: Slots, l: Locals) -> Value:
        for condition, value in branches:
            if condition is None or condition(s, l):
                return value(s, l)
        raise Fault(f"{name} has no answer")

    return run


def _count(source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None) -> Evaluator:
    test = condition or value

    def run(s: Slots, l: Locals) -> int:
        count = 0
        for item in source(s, l):
            l[slot] = item
            if test is None or test(s, l):
                count += 1
        return count

    return run


def _sum(source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None) -> Evaluator:
    assert value is not None

    def run(s: Slots, l: Locals) -> int:
        total = 0
        for item in source(s, l):
            l[slot] = item
            if condition is None or condition(s, l):
                total += value(s, l)
        return total

    return run


def _some(source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None) -> Evaluator:
    def run(s: Slots, l: Locals) -> bool:
        for item in source(s, l):
            l[slot] = item
            if (condition is None or condition(s, l)) and (value is None or value(s, l)):
                return True
        return False

    return run


def _every(source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None) -> Evaluator:
    assert value is not None

    def run(s: Slots, l: Locals) -> bool:
        for item in source(s, l):
            l[slot] = item
            if (condition is None or condition(s, l)) and not value(s, l):
                return False
        return True

    return run


def _join(source: Evaluator, slot: int, condition: Evaluator | None, value: Evaluator | None) -> Evaluator:
    assert value is not None

    def run(s: Slots, l: Locals) -> Value:
        found: list[Value] = []
        for item in source(s, l):
            l[slot] = item
            if condition is None or condition(s, l):
                found.extend(value(s, l))
        return tuple(found)

    return run


_EACH = {"count": _count, "sum": _sum, "some": _some, "every": _every, "join": _join}


def _best(source: Evaluator, slot: int, orders: list[tuple[bool, Evaluator]]) -> Evaluator:
    """All the items that remain tied after the orders, first to last."""

    def run(s: Slots, l: Locals) -> Value:
        items = source(s, l)
        for most, order in orders:
            values = []
            for item in items:
                l[slot] = item
                values.append(order(s, l))
            if not values:
                break
            best = max(values) if most else min(values)
            items = tuple(item for item, value in zip(items, values, strict=True) if value == best)
        return items

    return run


def _first(many: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        items = many(s, l)
        if not items:
            raise Fault("there is no first of nothing")
        return items[0]

    return run


def _last(many: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        items = many(s, l)
        if not items:
            raise Fault("there is no last of nothing")
        return items[-1]

    return run


def _item(many: Evaluator, index: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        items, place = many(s, l), index(s, l)
        if not 1 <= place <= len(items):
            raise Fault(f"there is no item {place} among {len(items)}")
        return items[place - 1]

    return run


def _place_in(items: tuple[Value, ...], item: Value) -> int:
    if item not in items:
        raise Fault("this is not among them")
    return items.index(item)


def _next(many: Evaluator, item: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        items = many(s, l)
        return items[(_place_in(items, item(s, l)) + 1) % len(items)]

    return run


def _ring(many: Evaluator, item: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        items = many(s, l)
        place = _place_in(items, item(s, l))
        return items[place:] + items[:place]

    return run


def _earlier(item: Evaluator, many: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        items = many(s, l)
        return items[: _place_in(items, item(s, l))]

    return run


def _less(many: Evaluator, gone: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        left = list(many(s, l))
        for item in gone(s, l):
            if item in left:
                left.remove(item)
        return tuple(left)

    return run


def _divide(one: Evaluator, other: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> int:
        by = other(s, l)
        if by == 0:
            raise Fault("a division by zero")
        return int(one(s, l) // by)

    return run


def _subsets(many: Evaluator, low: Evaluator, high: Evaluator) -> Evaluator:
    def run(s: Slots, l: Locals) -> Value:
        items = many(s, l)
        sizes = range(max(0, low(s, l)), min(high(s, l), len(items)) + 1)
        return tuple(subset for size in sizes for subset in combinations(items, size))

    return run


_OPERATORS: dict[str, Callable[..., Evaluator]] = {
    "and": lambda a, b: lambda s, l: a(s, l) and b(s, l),
    "or": lambda a, b: lambda s, l: a(s, l) or b(s, l),
    "not": lambda a: lambda s, l: not a(s, l),
    "<": lambda a, b: lambda s, l: a(s, l) < b(s, l),
    "<=": lambda a, b: lambda s, l: a(s, l) <= b(s, l),
    ">": lambda a, b: lambda s, l: a(s, l) > b(s, l),
    ">=": lambda a, b: lambda s, l: a(s, l) >= b(s, l),
    "+": lambda a, b: lambda s, l: a(s, l) + b(s, l),
    "-": lambda a, b: lambda s, l: a(s, l) - b(s, l),
    "*": lambda a, b: lambda s, l: a(s, l) * b(s, l),
    "/": _divide,
    "negative": lambda a: lambda s, l: -a(s, l),
    "has": lambda a, b: lambda s, l: b(s, l) in a(s, l),
    "join": lambda a, b: lambda s, l: a(s, l) + b(s, l),
    "less": _less,
    "empty": lambda a: lambda s, l: not len(a(s, l)),
    "size": lambda a: lambda s, l: len(a(s, l)),
    "all": lambda a: a,
    "first": _first,
    "last": _last,
    "item": _item,
    "take": lambda n, a: lambda s, l: a(s, l)[: max(0, n(s, l))],
    "drop": lambda n, a: lambda s, l: a(s, l)[max(0, n(s, l)) :],
    "earlier": _earlier,
    "next": _next,
    "ring": _ring,
    "numbers": lambda a, b: lambda s, l: tuple(range(a(s, l), b(s, l) + 1)),
    "min": lambda a, b: lambda s, l: min(a(s, l), b(s, l)),
    "max": lambda a, b: lambda s, l: max(a(s, l), b(s, l)),
    "sorted": lambda a: lambda s, l: tuple(sorted(a(s, l), key=order_key)),
    "reversed": lambda a: lambda s, l: tuple(reversed(a(s, l))),
    "distinct": lambda a: lambda s, l: tuple(dict.fromkeys(a(s, l))),
    "contains": lambda a, b: lambda s, l: b(s, l) in a(s, l),
    "subsets": _subsets,
}

__all__ = ["Evaluator", "Evaluators", "Pile"]
