"""The end of a game, judged by generated code: who has won and lost, the scores, the reason."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulelang.engine.compiler.expressions import Expressions
from rulelang.engine.evaluate import Evaluators
from rulelang.program import expressions as x
from rulelang.program.linking import ENDINGS
from rulelang.program.values import Entry, Value

Seats = tuple[int, ...]
Verdict = tuple[int, tuple[str, ...], Seats, Seats, tuple[Any, ...]]
"""The number of the verdict that holds (-1: none), the endings that came, who has won and lost, and
the score of each seat in turn."""


def seats_of(value: Value) -> Seats:
    """The seats that a verdict names."""
    if isinstance(value, Entry):
        return (value.index,)
    seats = value if isinstance(value, tuple) else ()
    return tuple(sorted([seat.index for seat in seats if isinstance(seat, Entry)]))


class Judging:
    """Generated functions of one linked program; all raise what Python raises where it is odd."""

    def __init__(self, evaluators: Evaluators, *, in_place: bool = False) -> None:
        self.expressions = Expressions(evaluators)
        self.expressions.in_place = in_place
        self.expressions.pool.names["seats_of"] = seats_of
        linked = evaluators.linked
        rules = linked.program.outcome(linked.mode)
        self.outcome: Callable[[list[Any]], Verdict] = self._made(
            self._outcome(linked.players, rules)
        )
        self.value: Callable[[list[Any], Entry], int] | None = None
        if rules is not None and rules.worth is not None:
            worth = self._text(rules.worth[0])
            self.value = self._made([f"    return {worth}"], "s, l0")

    def _text(self, expr: x.Expr) -> str:
        return self.expressions.text(self.expressions.simplifier.simple(expr))

    def _outcome(self, players: tuple[Entry, ...], rules: Any) -> list[str]:
        """Lines that find the recorded endings, the verdict, who won and lost, and the scores."""
        scores = []
        for expr, _, _ in () if rules is None else rules.scores:
            scores.append(self._score(expr, players))
        lines = [f"    names = tuple([name for name, _ in s[{ENDINGS}]])"]
        lines.append(f"    scores = {scores[-1] if scores else '()'}")
        for number, verdict in enumerate(() if rules is None else rules.verdicts):
            won, lost = (
                "()" if expr is None else f"seats_of({self._text(expr)})"
                for expr in (verdict.won, verdict.lost)
            )
            answer = f"return {number}, names, {won}, {lost}, scores"
            if verdict.condition is None:
                lines.append(f"    {answer}")
                return lines
            lines += [f"    if {self._text(verdict.condition)}:", f"        {answer}"]
        return [*lines, "    return -1, names, (), (), scores"]

    def _score(self, expr: x.Expr, players: tuple[Entry, ...]) -> str:
        """The source of all seats' scores."""
        texts = []
        for seat in players:
            bound = {0: x.Const(expr.type, expr.span, seat)}
            simple = self.expressions.simplifier.simple(expr, bound)
            texts.append(f"{self.expressions.text(simple)}, ")
        return f"({''.join(texts)})"

    def _made(self, lines: list[str], parameters: str = "s") -> Callable[..., Any]:
        functions, names = self.expressions.functions, self.expressions.pool.names
        source = "\n".join([*functions, f"def judged({parameters}):", *lines, ""])
        functions.clear()
        exec(compile(source, "<rulelang outcome>", "exec"), names)
        made: Callable[..., Any] = names["judged"]
        return made
