"""What questions may go through, told before they are asked: so only what may be much is charged.

The reference interpreter charges for every question that is asked, and for every item that one goes
through. Generated code charges for what may come to `LIGHT` or more, at once and for all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import fields

from rulelang.engine.boards import SHARE as BOARD_SHARE
from rulelang.engine.compiler.shape import Shapes
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.operators import LONG
from rulelang.program import expressions as x
from rulelang.program import instructions as i

LIGHT = 2_000
"""What takes less is charged with what it stands in, if at all."""
GREAT = 10**9
"""No more is told of what takes so much."""
SHARE = 8
"""So many times as much is charged as is seen: questions put in place and what is known before
cost nothing here, but there. So it is here that the work runs out first."""
SCANS = ("has", "contains", "join")
"""Operators that look through a list, which costs little."""
LONGEST = 1_024
"""Items of a list that may be looked through uncharged."""
COSTLY = ("sorted", "reversed", "distinct", "ends_of", "less", "numbers", "subsets")
"""Operators that may go through much: they are charged where the state is at hand."""


class Work:
    """Answers for the expressions of one linked program."""

    def __init__(self, evaluators: Evaluators, shapes: Shapes) -> None:
        self.program = evaluators.linked.program
        self.shapes = shapes
        self._questions: dict[str, int] = {}
        self._much: dict[str, bool] = {}

    def of(self, expr: x.Expr | None) -> int:
        """The most that working it out takes, without what is charged by itself."""
        match expr:
            case None:
                return 0
            case x.AskDefine():
                inside = self.inside(expr.define)
                own = 1 + (0 if inside >= LIGHT else inside)
            case x.Each():
                total = self.shapes.size(expr.source) * self.per_item(expr)
                return min(GREAT, self.of(expr.source) + (1 if total >= LIGHT else total))
            case x.Ways():
                return sum(map(self.of, (expr.start, expr.least, expr.most)))
            case x.OnBoard():
                own = 2 + len(self.shapes.evaluators.graph(expr.edges).next) // BOARD_SHARE
            case x.Op() if expr.name in SCANS and not self.scans(expr):
                own = self._scanned(expr)
            case x.Op() if expr.name in ("effects", "mentions"):
                own = 10
            case x.Op() if expr.name in COSTLY and not self.is_costly(expr):
                own = self._goes_through(expr)
            case _:
                own = 0
        return min(GREAT, own + sum(map(self.of, direct(x.parts(expr)))))

    def inside(self, question: str) -> int:
        """The most that the body of a question takes."""
        if question not in self._questions:
            self._questions[question] = GREAT  # none asks itself
            parts = direct(self.program.questions[question].branches)
            self._questions[question] = min(GREAT, sum(map(self.of, parts)))
        return self._questions[question]

    def charges(self, expr: x.Expr) -> bool:
        """Is anything charged for when the expression is worked out?"""
        return any(map(self._is_charged, x.walk(expr)))

    def _is_charged(self, part: x.Expr) -> bool:
        match part:
            case x.AskDefine():
                return self.asks_much(part.define)
            case x.Each():
                return self.charge(part) > 0
            case x.Op():
                return self.is_costly(part) or self.scans(part)
        return isinstance(part, x.Ways)

    def asks_much(self, question: str) -> bool:
        """Is anything charged for when a question is asked?"""
        if question not in self._much:
            parts = direct(self.program.questions[question].branches)
            self._much[question] = self.toll(question) > 0 or any(map(self.charges, parts))
        return self._much[question]

    def per_item(self, expr: x.Each) -> int:
        """The most that one item of a comprehension takes."""
        orders = sum(1 + self.of(order) for _, order in expr.orders)
        return 1 + self.of(expr.condition) + self.of(expr.value) + orders

    def per_place(self, expr: x.Ways) -> int:
        """What one place is charged with that a search for ways looks at."""
        parts = (expr.avoid, expr.halt, expr.through, expr.ends)
        return SHARE * (1 + sum(map(self.of, parts)))

    def charge(self, expr: x.Each) -> int:
        """What each item of a comprehension is charged with; 0 for nothing."""
        weight = self.per_item(expr)
        return SHARE * weight if self.shapes.size(expr.source) * weight >= LIGHT else 0

    def toll(self, question: str) -> int:
        """What asking a question is charged with; 0 for nothing."""
        inside = self.inside(question)
        return SHARE * inside if inside >= LIGHT else 0

    def of_step(self, n: i.Instruction) -> int:
        """The most that an instruction takes, without what is charged by itself."""
        return min(GREAT, sum(map(self._of_part, _parts(n))))

    def charges_in(self, n: i.Instruction) -> int:
        """In how many expressions of an instruction something may be charged for."""
        exprs = (
            (part,) if isinstance(part, x.Expr) else (part.source, part.condition)
            for part in _parts(n)
        )
        return sum(each is not None and self.charges(each) for pair in exprs for each in pair)

    def _of_part(self, part: x.Expr | i.Offer) -> int:
        if isinstance(part, x.Expr) or part.source is None:
            return self.of(part if isinstance(part, x.Expr) else part.condition)
        total = self.shapes.size(part.source) * (1 + self.of(part.condition))
        return self.of(part.source) + (1 if total >= LIGHT else total)

    def scans(self, expr: x.Op) -> bool:
        """May an operator look through a long list? It is charged for the items that are there."""
        return expr.name in SCANS and self._scanned(expr) >= LONGEST // LONG

    def _scanned(self, expr: x.Op) -> int:
        among = expr.arguments if expr.name == "join" else expr.arguments[:1]
        return sum(map(self.shapes.size, among)) // LONG

    def is_costly(self, expr: x.Op) -> bool:
        """May an operator go through much?"""
        return expr.name in COSTLY and self._goes_through(expr) >= LIGHT

    def _goes_through(self, expr: x.Op) -> int:
        sizes = [self.shapes.size(argument) for argument in expr.arguments]
        if expr.name in ("subsets", "numbers"):
            return GREAT
        return sizes[0] * sizes[1] // LONG if expr.name == "less" else max(sizes)


def direct(parts: Iterable[object]) -> Iterator[x.Expr]:
    """The expressions among some parts, without those inside them."""
    for part in parts:
        if isinstance(part, x.Expr):
            yield part
        elif isinstance(part, tuple):
            yield from direct(part)


def _parts(n: i.Instruction | i.Place) -> Iterator[x.Expr | i.Offer]:
    """The expressions of an instruction, without those inside them, and its offers."""
    for attribute in fields(type(n)):
        part = getattr(n, attribute.name)
        if isinstance(part, i.Place):
            yield from _parts(part)
        elif isinstance(n, i.Choose) and attribute.name == "offers":
            yield from n.offers
        else:
            yield from direct((part,))
