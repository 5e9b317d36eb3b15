"""Operators and built-in questions as Python source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.engine.compiler import support
from rulelang.engine.compiler.parts import has_ended, supposed
from rulelang.engine.compiler.shape import MOST_ITEMS
from rulelang.engine.exact import EXACT
from rulelang.engine.operators import LONG
from rulelang.program import expressions as x
from rulelang.program.linking import ENDINGS
from rulelang.program.types import (
    BAD,
    MAX_NUMBER,
    NONE,
    NOTHING,
    Many,
    Named,
    Type,
    is_pile,
    members,
)
from rulelang.program.values import Entry

if TYPE_CHECKING:
    from rulelang.engine.compiler.expressions import Expressions

INFIX = {"<": "<", "<=": "<=", ">": ">", ">=": ">=", "+": "+", "-": "-"}
SHORT = {
    "not": "(not {0})",
    "negative": "(-{0})",
    "all": "{0}",
    "size": "len({0})",
    "empty": "(not {0})",
    "first": "{0}[0]",
    "last": "{0}[-1]",
    "has": "({1} in {0})",
    "contains": "({1} in {0})",
    "min": "min({0}, {1})",
    "max": "max({0}, {1})",
}
"""Operators whose source is short: the others are those of the reference interpreter."""
PLACES = {"item": "{1}[{0} - 1]", "counted": "{0}", "take": "{1}[:{0}]", "drop": "{1}[{0}:]"}
"""Operators that take a number, which must not be too small."""
GLANCES = ("size", "empty", "first", "last", "item", "has", "contains")
"""Operators that keep nothing of a collection but an item of it."""
UNKNOWN = -MAX_NUMBER
"""Of a number, nothing is known."""
SIGNS = {"*": "times", "/": "divided"}
"""Words for those of the others that are no names."""


class Operations:
    """Writes the operators of one linked program."""

    def __init__(self, writer: Expressions) -> None:
        self.writer = writer

    def source(self, expr: x.Op) -> str:
        """The source of an operator on its arguments."""
        name = expr.name
        if name == "==":
            return self._equal(*expr.arguments)
        if name in ("and", "or"):
            left = self.writer.text(expr.arguments[0])
            with self.writer.at_least(supposed(expr.arguments[0]) if name == "and" else {}):
                right = self.writer.text(expr.arguments[1])
            return f"({left} {name} {right})"
        if name == "ends_of" and isinstance(expr.arguments[0], x.Ways):
            self.writer.support("op_ends_of1", "borrowed", "ends_of", 1, False)
            return self.writer.ways(expr.arguments[0], "ends")
        if name == "empty" and isinstance(expr.arguments[0], x.Ways):
            return f"(not {self.writer.ways(expr.arguments[0], 'some')})"
        if name in ("size", "empty") and self.writer.in_place and is_pile(expr.arguments[0].type):
            pile = expr.arguments[0]
            heap = self.writer.text(pile)
            if isinstance(pile, x.Read) and pile.field in self.writer.even:
                return f"len({heap})" if name == "size" else f"(not {heap})"
            return f"{heap}.size()" if name == "size" else f"(not {heap}.size())"
        arguments = [self._operand(name, argument) for argument in expr.arguments]
        if name in ("has", "contains") and self.writer.work.scans(expr):
            arguments[0] = f"scanned({self.writer.state}, {arguments[0]})"
        exactly = name in EXACT and any(self.writer.shapes.mixes(a.type) for a in expr.arguments)
        if name in INFIX and not exactly:
            return f"({arguments[0]} {INFIX[name]} {arguments[1]})"
        if name in SHORT and not exactly:
            return SHORT[name].format(*arguments)
        if name in PLACES and not exactly:
            return self._at_place(expr, arguments)
        if name == "join":
            return self._joined(expr)
        if name in ("ended", "outcome", "effects", "mentions", "in_base"):
            return self._of_the_game(expr, arguments)
        if self.writer.work.is_costly(expr):
            costly = f"op_{name}{len(arguments)}{'x' * exactly}_at_cost"
            self.writer.support(costly, "at_cost", name, len(arguments), exactly)
            return f"{costly}({', '.join([self.writer.state, *arguments])})"
        if name in support.DIRECT and not exactly:
            made = self.writer.support(f"op_{SIGNS.get(name, name)}", "direct", name)
            return f"{made}({', '.join(arguments)})"
        made = self.writer.support(
            f"op_{SIGNS.get(name, name)}{len(arguments)}{'x' * exactly}",
            *("borrowed", name, len(arguments), exactly),
        )
        return f"{made}({', '.join(arguments)})"

    def concatenated(self, expr: x.Op) -> str | None:
        """Two collections, one behind the other, unmeasured; None where it is written otherwise."""
        if any(
            self.writer.shapes.mixes(a.type) for a in expr.arguments
        ) or self.writer.memories.is_remembered(expr):
            return None
        one, other = (self._operand("join", argument) for argument in expr.arguments)
        return f"{one} + {other}"

    def _at_place(self, expr: x.Op, arguments: list[str]) -> str:
        """The item at a place, or the items before or behind one; Python counts from the end, too,
        which is not meant."""
        at = 1 if expr.name == "item" else 0
        number, least = expr.arguments[at], at
        text = arguments[at]
        sure = self._lowest(number) >= least
        if not sure:
            given = text
            if not isinstance(number, x.Const | x.Local):
                text = self.writer.temporary()
                given = f"({text} := {given})"
            text = f"({text} if {given} >= {least} else doubt())"
        elif expr.name == "item" and isinstance(number, x.Const):
            return f"{arguments[0]}[{number.value - 1}]"
        many = arguments[1 - at] if len(arguments) > 1 else ""
        return PLACES[expr.name].format(text, many)

    def _lowest(self, number: x.Expr) -> int:
        """What a number is at least, as far as that is known."""
        match number:
            case x.Const(value=int()):
                return int(number.value)
            case x.Local():
                return self.writer.least.get(number.slot, UNKNOWN)
            case x.Op(name="size"):
                return 0
            case x.Op(name="-", arguments=(x.Local() as local, x.Const(value=int() as less))):
                return self._lowest(local) - less
        return UNKNOWN

    def _joined(self, expr: x.Op) -> str:
        """Collections, one behind the other; what is sure to be small is not measured."""
        parts = list(self._in_line(expr))
        text = " + ".join(self._operand("join", part) for part in parts)
        if sum(map(self.writer.shapes.size, parts)) <= MOST_ITEMS and not self.writer.work.scans(
            expr
        ):
            return f"({text})"
        whole, state = self.writer.temporary(), self.writer.state
        return f"({whole} if len({whole} := {text}) < {LONG} else joined({state}, {whole}))"

    def _in_line(self, expr: x.Expr) -> Iterator[x.Expr]:
        """What is joined to what, also in the parts of a whole that is not looked up itself."""
        if isinstance(expr, x.Op) and expr.name == "join":
            for part in expr.arguments:
                if self.writer.memories.is_remembered(part):
                    yield part
                else:
                    yield from self._in_line(part)
        else:
            yield expr

    def _operand(self, name: str, expr: x.Expr) -> str:
        if name in GLANCES and self.writer.is_listed(expr):
            return self.writer.read(expr)
        many = isinstance(expr.type, Many) and name not in ("size", "empty")
        return self.writer.collection(expr) if many else self.writer.text(expr)

    def _of_the_game(self, expr: x.Op, arguments: list[str]) -> str:
        match expr.name:
            case "ended":
                return self._ended(expr.arguments[0], arguments[0])
            case "outcome":
                endings = self.writer.pool.put(
                    self.writer.linked.program.domains["Ending"].by_key, "K"
                )
                return f"({endings}[s[{ENDINGS}][0][0]] if s[{ENDINGS}] else None)"
            case "effects":
                return f"{self.writer.support('effects', 'effects')}({arguments[0]})"
            case "mentions":
                made = self.writer.support("mentions", "mentions")
                return f"{made}({', '.join(arguments)})"
        inside = self.writer.evaluators.base_entries(expr.arguments[0])
        return f"({arguments[0]} in {self.writer.pool.put(inside, 'K')})"

    def _ended(self, ending: x.Expr, source: str) -> str:
        if isinstance(ending, x.Const):
            return has_ended(str(ending.value.key))
        made = self.writer.function(
            "h", "s, e", [f"return any([n == e.key for n, _ in s[{ENDINGS}]])"]
        )
        return f"{made}(s, {source})"

    def _equal(self, left: x.Expr, right: x.Expr) -> str:
        unordered = _unordered(left.type) or _unordered(right.type)
        one, other = self.writer.collection(left), self.writer.collection(right)
        if unordered:
            one, other = self.writer.glanced(left), self.writer.glanced(right)
            return f"(sorted({one}, key=order_key) == sorted({other}, key=order_key))"
        if self.writer.shapes.mixes(left.type) or self.writer.shapes.mixes(right.type):
            return f"(exact({one}) == exact({other}))"
        sides = (left, right)
        if any(isinstance(e, x.Const) and (e.value is None or _entry(e.value)) for e in sides):
            return f"({one} is {other})"
        if all(isinstance(m, Named) or m == NONE for e in sides for m in members(e.type)):
            return f"({one} is {other})"
        return f"({one} == {other})"


def _unordered(kind: Type) -> bool:
    return (
        isinstance(kind, Many) and kind.form in ("set", "pile") and kind.item not in (BAD, NOTHING)
    )


def _entry(value: object) -> bool:
    return isinstance(value, Entry)
