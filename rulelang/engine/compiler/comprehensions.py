"""Comprehensions as Python source: each is a helper function that goes through the items."""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain
from typing import TYPE_CHECKING, Any

from attrs import evolve

from rulelang.engine.compiler.parts import items_of
from rulelang.engine.compiler.shape import scalar
from rulelang.engine.compiler.work import direct
from rulelang.program import expressions as x
from rulelang.program.types import BAD, MAX_NUMBER, Num
from rulelang.program.values import Entry

if TYPE_CHECKING:
    from rulelang.engine.compiler.expressions import Expressions


KEPT, SEEN = "return tuple(found)", "return found"
"""The last lines of what makes a list: one that is kept, and one that is only looked at."""


class Comprehensions:
    """Writes the comprehensions of one linked program."""

    def __init__(self, writer: Expressions) -> None:
        self.writer = writer
        self.tuples: dict[tuple[int, ...], tuple[Any, ...]] = {}
        """By the identities of their items: see `_one`."""

    def source(self, expr: x.Each, *, last: str = KEPT) -> str:
        """The source of a comprehension: of the call of its function, as a rule. A list ends with
        ``last``."""
        return (
            self._held(expr)
            or self._unrolled(expr, last)
            or self._better(expr)
            or self._called(expr, last)
        )

    def _called(self, expr: x.Each, last: str) -> str:
        """The call of a helper function that goes through the items."""
        writer, item = self.writer, f"l{expr.slot}"
        with writer.at_least({expr.slot: _least(expr.source)}):
            condition = None if expr.condition is None else writer.test(expr.condition)
            value = None if expr.value is None else self._value(expr)
        outer = evolve(expr, source=x.Const(BAD, expr.span, None))
        free = [f"l{slot}" for slot in writer.shapes.free(outer)]
        if expr.name == "sum" and condition is None and value == item:
            return self._bare_sum(expr)
        if expr.name == "list" and value is None and condition is not None:
            beside = self._beside(expr, condition, last)
            if beside is not None:
                return beside
        if expr.name == "best":
            lines = self._best(expr, item, condition)
        else:
            lines = self._loop(expr, [condition, value], free)
        lines = [last if line == KEPT else line for line in lines]
        state = ["s"] if any(_STATE.search(line) for line in lines) else []
        function = writer.function("h", ", ".join([*state, "many", *free]), lines)
        return f"{function}({', '.join([*state, self._charged(expr), *free])})"

    def _value(self, expr: x.Each) -> str:
        assert expr.value is not None
        write = self.writer.collection if expr.name == "join" else self.writer.text
        return write(expr.value)

    def _bare_sum(self, expr: x.Each) -> str:
        """The sum of items that are numbers themselves."""
        text, limit = f"sum({self._charged(expr)})", self._limit(expr)
        if not limit:
            return text
        n = self.writer.temporary()
        return f"({n} if -{limit} <= ({n} := {text}) <= {limit} else doubt())"

    def _beside(self, expr: x.Each, condition: str, last: str) -> str | None:
        """Those whose own field meets a condition that asks for nothing else."""
        item, first = f"l{expr.slot}", _READ.match(condition)
        size = self.writer.shapes.size(expr.source)
        if first is None or first["whose"] != item or not self._is_whole(expr.source, size):
            return None
        base, name = int(first["base"]), self.writer.temporary()
        test = condition.replace(first["read"], name)
        if set(_LOCAL.findall(test)) != {name}:
            return None
        going = f"{item}, {name} in zip({self._charged(expr)}, s[{base}:{base + size}])"
        found = f"[{item} for {going} if {test}]"
        return f"tuple({found})" if last == KEPT else found

    def _loop(self, expr: x.Each, parts: list[str | None], free: list[str]) -> list[str]:
        """Lines that go through the items, of which condition and value are given.

        What each item's test begins with is read before the loop, if it is the same for all. If it
        is a field of the item, and all entries are gone through, the field's slots are, too.
        """
        item, limit, loop = f"l{expr.slot}", self._limit(expr), _LOOPS[expr.name]
        condition, value = parts
        first = _READ.match(condition or value or "")
        size = self.writer.shapes.size(expr.source)
        is_other = first is not None and first["whose"] in free
        is_own = first is not None and not is_other and self._is_whole(expr.source, size)
        if first is None or not (is_other or is_own):
            return loop(item, condition, value, limit)
        name, read = self.writer.temporary(), first["read"]
        condition, value = (None if part is None else part.replace(read, name) for part in parts)
        lines = loop(item, condition, value, limit)
        if is_other:
            return [f"{name} = {read} if many else None", *lines]
        base = int(first["base"])
        going = f"for {item}, {name} in zip(many, s[{base}:{base + size}]):"
        return [going if line == f"for {item} in many:" else line for line in lines]

    def _held(self, expr: x.Each) -> str | None:
        """Of some entry, or of how many, a field holds a value: the field's slots are looked at."""
        held = self.held(expr) if expr.name in ("some", "count") else None
        if held is None:
            return None
        slots, value = held
        return f"({value} in {slots})" if expr.name == "some" else f"{slots}.count({value})"

    def held(self, expr: x.Each) -> tuple[str, str] | None:
        """The sources of a field's slots and of a value, if it is about all entries of which the
        field holds the value."""
        test = expr.condition if expr.value is None else None
        if not isinstance(test, x.Op) or test.name != "==":
            return None
        shapes, linked = self.writer.shapes, self.writer.linked
        for read, value in (test.arguments, test.arguments[::-1]):
            if not isinstance(read, x.Read) or read.field not in linked.bases:
                continue
            owner = read.owner
            if not isinstance(owner, x.Local) or owner.slot != expr.slot:
                continue
            if expr.slot in shapes.locals(value):
                continue
            if any(not scalar(e.type) or shapes.mixes(e.type) for e in (read, value)):
                continue
            base, size = linked.bases[read.field], linked.sizes[read.field]
            if self._is_whole(expr.source, size):
                return f"s[{base}:{base + size}]", self.writer.text(value)
        return None

    def _is_whole(self, source: x.Expr, size: int) -> bool:
        """Are these all the owners of a field, in order?"""
        source = items_of(source)
        if isinstance(source, x.All):
            return len(self.writer.evaluators.all_of(source.domain)) == size
        value = source.value if isinstance(source, x.Const) else None
        return (
            isinstance(value, tuple)
            and len(value) == size
            and all(isinstance(e, Entry) and e.index == n for n, e in enumerate(value))
        )

    def _unrolled(self, expr: x.Each, ending: str) -> str | None:
        """A comprehension over a few values that are known, written out."""
        cases = self.cases(expr) if expr.name in _UNROLLED else None
        if cases is None:
            return None
        if expr.name in JOINED:
            short = self._in_line(JOINED[expr.name], cases)
            if short is not None:
                return short
        if expr.name == "list" and len(cases) == 1:
            return self._if_alone(*cases[0])
        first, step, last = _UNROLLED[expr.name]
        lines = first.copy()
        together = self._together(cases) if expr.name == "some" else []
        lines += [f"if {text}: {step}" for text in together]
        for value, tests in cases if not together else []:
            text = " and ".join(map(self.writer.test, tests)) or "True"
            if expr.name == "every":
                text = f"not ({text})"
            lines += [f"if {text}: {step.format(self.writer.pool.constant(value))}"]
        lines += [ending if line == KEPT else line for line in last]
        free = [f"l{slot}" for slot in self.writer.shapes.free(expr)]
        return self._helper(lines, free)

    def _if_alone(self, value: Any, tests: list[x.Expr]) -> str:
        """A list of one value, if some tests hold."""
        only = self.writer.pool.constant(self._one((value,)))
        condition = " and ".join(map(self.writer.test, tests))
        return f"({only} if {condition} else ())" if tests else only

    def _together(self, cases: list[tuple[Any, list[x.Expr]]]) -> list[str]:
        """Tests of which one must hold, where several ask for the same: that is asked once."""
        wanted = [list(chain.from_iterable(map(self._all_of, tests))) for _, tests in cases]
        if not self.writer.simplifier.safety.is_safe(tuple(chain.from_iterable(wanted))):
            return []
        return _either([list(dict.fromkeys(map(self.writer.test, tests))) for tests in wanted])

    def _all_of(self, test: x.Expr) -> list[x.Expr]:
        """The tests that must hold for one to hold."""
        if isinstance(test, x.Op) and test.name == "and":
            return list(chain.from_iterable(map(self._all_of, test.arguments)))
        if isinstance(test, x.Each) and test.name == "every":
            values = self._few_values(test.source)
            cases = self._cases(test, values) if values else None
            if cases is not None:
                return [each for _, tests in cases for t in tests for each in self._all_of(t)]
        return [test]

    def _few_values(self, source: x.Expr) -> tuple[Any, ...]:
        """The values of a collection that is known and small; none otherwise."""
        source = items_of(source)
        if isinstance(source, x.All):
            source = x.Const(source.type, source.span, self.writer.evaluators.all_of(source.domain))
        found = source.value if isinstance(source, x.Const) else None
        return found if isinstance(found, tuple) and len(found) <= MOST_UNROLLED else ()

    def cases(self, expr: x.Each) -> list[tuple[Any, list[x.Expr]]] | None:
        """Of a few values that are known those that count if some conditions hold, and these; None
        if it cannot be said."""
        values = self._few_values(expr.source)
        if not values or self._written(expr) > MOST_WRITTEN:
            return None
        return self._cases(expr, values)

    def _cases(
        self, expr: x.Each, values: tuple[Any, ...]
    ) -> list[tuple[Any, list[x.Expr]]] | None:
        """The values that count if some conditions hold, and these; None if it cannot be said."""
        parts = [part for part in (expr.condition, expr.value) if part is not None]
        if expr.name == "list" and expr.value is not None:
            return None
        if expr.name == "every" and len(parts) == 2:
            return None
        cases = []
        for value in values:
            bound = {expr.slot: x.Const(BAD, expr.span, value)}
            tests = [self.writer.simplifier.again(part, bound) for part in parts]
            known = [test.value for test in tests if isinstance(test, x.Const)]
            tests = [test for test in tests if not isinstance(test, x.Const)]
            if expr.name == "every" and known:
                if not all(known):
                    return None  # which is rare, and false at once
                continue
            if not all(known):
                if not self.writer.simplifier.safety.is_safe(tuple(tests)):
                    return None
                continue
            cases.append((value, tests))
        return cases

    def _in_line(self, word: str, cases: list[tuple[Any, list[x.Expr]]]) -> str | None:
        """The tests in one expression, if they are short."""
        if len(cases) > MOST_IN_LINE:
            return None
        texts = [" and ".join(map(self.writer.text, tests)) or "True" for _, tests in cases]
        text = f" {word} ".join(f"({each})" for each in texts)
        if not text:
            return str(word == "and")
        return f"({text})" if len(text) <= LONGEST_LINE else None

    def _written(self, expr: x.Each) -> int:
        """How many parts are written if this is unrolled, and what stands inside it too."""
        size = self.writer.shapes.size(expr.source)
        count, waiting = 0, [expr.condition, expr.value]
        while waiting and count <= MOST_WRITTEN:
            part = waiting.pop()
            if isinstance(part, x.Each):
                count += self._written(part)
            elif isinstance(part, x.Expr):
                count += 1
                waiting += direct(x.parts(part))
        return size * count if size <= MOST_UNROLLED else 1 + count

    def _charged(self, expr: x.Each) -> str:
        """The collection that is gone through, charged for where that may be much."""
        source, weight = self._gone_through(expr.source), self.writer.work.charge(expr)
        return f"charged({self.writer.state}, {source}, {weight})" if weight else source

    def _gone_through(self, source: x.Expr) -> str:
        """The source of the items; while they are looked at no zone changes."""
        source = items_of(source)
        return self.writer.glanced(source)

    def _limit(self, expr: x.Each) -> str:
        """What a sum must lie within; empty where it is sure to."""
        kind = expr.type
        if isinstance(kind, Num) and None not in (kind.low, kind.high):
            return ""
        return f"{MAX_NUMBER}"

    def _better(self, expr: x.Each) -> str | None:
        """The better one of two values that are known, or both."""
        values = self._few_values(expr.source) if expr.name == "best" else ()
        if len(values) != 2 or expr.condition is not None or self.writer.work.charge(expr):
            return None
        first, second, both = (
            self.writer.pool.constant(self._one(part)) for part in (values[:1], values[1:], values)
        )
        lines = []
        for most, order in expr.orders:
            one, other = (self._for(order, expr.slot, value) for value in values)
            better = f"{first} if a {'>' if most else '<'} b else {second}"
            lines += [f"a, b = {one}, {other}", f"if a != b: return {better}"]
        free = [f"l{slot}" for slot in self.writer.shapes.free(expr)]
        lines.append(f"return {both}")
        return self._helper(lines, free)

    def _one(self, values: tuple[Any, ...]) -> tuple[Any, ...]:
        """The first of the tuples that hold the same, so that they get one name."""
        return self.tuples.setdefault(tuple(map(id, values)), values)

    def _for(self, expr: x.Expr, slot: int, value: Any) -> str:
        """The source of an expression, with a value that is known for a local."""
        bound = {slot: x.Const(BAD, expr.span, value)}
        return self.writer.text(self.writer.simplifier.again(expr, bound))

    def _helper(self, lines: list[str], free: list[str]) -> str:
        """The call of a helper function that is given some locals, and the state if it needs it."""
        state = ["s"] if any(_STATE.search(line) for line in lines) else []
        function = self.writer.function("h", ", ".join([*state, *free]), lines)
        return f"{function}({', '.join([*state, *free])})"

    def _best(self, expr: x.Each, item: str, condition: str | None) -> list[str]:
        """Lines for all the items that remain tied after the orders, first to last."""
        kept = "" if condition is None else f" if {condition}"
        lines = [f"many = [{item} for {item} in many{kept}]"] if kept else []
        for most, order in expr.orders:
            lines += [
                "if not many: return ()",
                f"worth = [{self.writer.text(order)} for {item} in many]",
                f"goal = {'max' if most else 'min'}(worth)",
                "many = [e for e, w in zip(many, worth) if w == goal]",
            ]
        return [*lines, "return tuple(many)"]


def _either(cases: list[list[str]]) -> list[str]:
    """Conditions of which one must hold: that all tests of one of some cases do. What most of them
    ask for is asked first."""
    if not cases:
        return []
    test, times = Counter(chain.from_iterable(cases)).most_common(1)[0]
    if times < 2 or not all(cases):
        return [" and ".join(case) or "True" for case in cases]
    having = [[other for other in case if other != test] for case in cases if test in case]
    inner = " or ".join(f"({condition})" for condition in _either(having))
    rest = _either([case for case in cases if test not in case])
    return [f"{test} and ({inner})" if all(having) else test, *rest]


def _least(source: x.Expr) -> int:
    """What all items of a collection are at least, as far as that is known."""
    if isinstance(source, x.If):
        return min(_least(source.yes), _least(source.no))
    if isinstance(source, x.Op) and source.name == "reversed":
        return _least(source.arguments[0])
    if isinstance(source, x.Items):
        items: Any = [item.value if isinstance(item, x.Const) else None for item in source.items]
    else:
        items = source.value if isinstance(source, x.Const) else ()
    numbers = isinstance(items, tuple | list) and items and all(type(n) is int for n in items)
    return min(items) if numbers else -MAX_NUMBER


_READ = re.compile(r"\(*(?P<read>s\[(?P<base>\d+) \+ (?P<whose>l\d+)\.index\])")
"""A test that begins with a field of somebody."""
_LOCAL = re.compile(r"\b(?:[lt]\d+|s)\b")
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
    return ["found = []", f"for {item} in many:", *kept, KEPT]


def _count(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    test = condition or value
    if test is None:
        return ["return len(many)"]
    return ["n = 0", f"for {item} in many:", *_guarded(test, "n += 1"), "return n"]


def _sum(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    lines = ["n = 0", f"for {item} in many:", *_guarded(condition, f"n += {value}")]
    return [*lines, f"return n if -{limit} <= n <= {limit} else doubt()" if limit else "return n"]


def _some(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    tests = " and ".join(test for test in (condition, value) if test is not None)
    return [f"for {item} in many:", *_guarded(tests or None, "return True"), "return False"]


def _every(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    fails = f"not ({value})" if condition is None else f"{condition} and not ({value})"
    return [f"for {item} in many:", *_guarded(fails, "return False"), "return True"]


def _join(item: str, condition: str | None, value: str | None, limit: str) -> list[str]:
    kept = _guarded(condition, f"found.extend({value})", "if len(found) > 65536: raise Doubt")
    return ["found = []", f"for {item} in many:", *kept, KEPT]


_LOOPS = {
    "list": _list,
    "count": _count,
    "sum": _sum,
    "some": _some,
    "every": _every,
    "join": _join,
}


MOST_UNROLLED = 8
"""Values that are written out one by one."""
MOST_IN_LINE, LONGEST_LINE = 6, 240
"""Tests, and letters of them, that are written where they are asked."""
JOINED = {"some": "or", "every": "and"}
MOST_WRITTEN = 400
"""Parts of expressions that are written when values are: what stands inside is written for each."""
_UNROLLED = {
    "list": (["found = []"], "found.append({})", [KEPT]),
    "count": (["n = 0"], "n += 1", ["return n"]),
    "some": ([], "return True", ["return False"]),
    "every": ([], "return False", ["return True"]),
}
"""Of each comprehension: its first lines, what is done for an item, its last lines."""
