"""The outcome of a finished game: the game's ordered verdicts over the final state."""

from __future__ import annotations

from functools import cached_property

from attrs import field, frozen

from rulelang.diagnostic import Span
from rulelang.engine.compiler.judge import Judging, Verdict
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.evaluate import Evaluator, Evaluators, evaluate
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.operators import MAX_WORK
from rulelang.keeping import judging
from rulelang.program import expressions as x
from rulelang.program import program as p
from rulelang.program.linking import ENDINGS, WORK, Linked
from rulelang.program.values import Entry, Value


@frozen
class Outcome:
    """How a game ended: seats that won and lost, scores by seat, the ending's name, clauses."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    scores: dict[int, int] = field(factory=dict)
    reason: str = ""
    cites: tuple[str, ...] = ()


class Judge:
    """The verdicts of one linked program, ready to be asked of many final states.

    A game without an `outcome` has neither winners nor losers.
    """

    def __init__(
        self, linked: Linked, evaluators: Evaluators | None = None, key: str | None = None
    ) -> None:
        self.linked = linked
        self._key = key
        """By which it is kept what was compiled."""
        self.rules = linked.program.outcome(linked.mode)
        evaluators = self._evaluators = evaluators or Evaluators(linked)
        self.verdicts: list[
            tuple[p.Verdict, Evaluator | None, Evaluator | None, Evaluator | None]
        ] = []
        self.scores: list[tuple[Evaluator, int, Span]] = []
        self.worth: tuple[Evaluator, int, Span] | None = None
        if self.rules is None:
            return
        if self.rules.worth is not None:
            expr, count, _ = self.rules.worth
            self.worth = evaluators.prepare(expr), count, expr.span
        for verdict in self.rules.verdicts:
            condition, won, lost = (
                None if expr is None else evaluators.prepare(expr)
                for expr in (verdict.condition, verdict.won, verdict.lost)
            )
            self.verdicts.append((verdict, condition, won, lost))
        self.scores = [
            (evaluators.prepare(expr), count, expr.span) for expr, count, _ in self.rules.scores
        ]

    @cached_property
    def _compiled(self) -> Judging:
        return judging(self._evaluators, key=self._key)

    @cached_property
    def _named(self) -> dict[tuple[int, tuple[str, ...]], tuple[str, tuple[str, ...]]]:
        """By verdict and endings: the reason, and the clauses."""
        return {}

    def quick_value(self, slots: list[Value], seat: Entry) -> int:
        """The same as `value`, by generated code."""
        judge, left = self._compiled.value, slots[WORK]
        assert judge is not None
        slots[WORK] = MAX_WORK
        try:
            return judge(slots, seat)
        except (Doubt, Fault, *UNFORESEEN):
            return self.value(slots, seat)
        finally:
            slots[WORK] = left

    def quick_outcome(self, slots: list[Value]) -> Outcome:
        """The same as `outcome`, by generated code. Raises Fault."""
        try:
            return self.told(self.verdict(slots))
        except Doubt:
            return self.outcome(slots)

    def verdict(self, slots: list[Value]) -> Verdict:
        """What generated code makes of a finished game, to be counted: see `told`. Raises Doubt."""
        left, slots[WORK] = slots[WORK], MAX_WORK
        try:
            return self._compiled.outcome(slots)
        except (Fault, *UNFORESEEN) as error:
            raise Doubt from error
        finally:
            slots[WORK] = left

    def told(self, verdict: Verdict) -> Outcome:
        """The outcome that a verdict stands for."""
        number, names, won, lost, scores = verdict
        if (number, names) not in self._named:
            found = self.rules.verdicts[number] if self.rules is not None and number >= 0 else None
            self._named[number, names] = self._said(found, list(names))
        reason, cites = self._named[number, names]
        return Outcome(won, lost, dict(enumerate(scores)), reason, cites)

    @property
    def evaluates(self) -> bool:
        """Does the game say how good a position is?"""
        return self.worth is not None

    def value(self, slots: list[Value], seat: Entry) -> int:
        """How good a position is for a seat, by the game's `evaluate`. Raises Fault."""
        assert self.worth is not None
        worth, count, place = self.worth
        value: int = _located(worth, place, slots, [seat, *[None] * count])
        return value

    def outcome(self, slots: list[Value]) -> Outcome:
        """The first verdict whose condition holds. Raises Fault."""
        recorded = [name for name, _ in slots[ENDINGS]]
        scores: dict[int, int] = {}
        for score, count, place in self.scores:
            for seat in self.linked.players:
                scores[seat.index] = _located(score, place, slots, [seat, *[None] * count])
        locals: list[Value] = [None] * ((self.rules.slots if self.rules is not None else 0) + 1)
        for verdict, condition, won, lost in self.verdicts:
            span = _span(verdict)
            if condition is None or _located(condition, span, slots, locals):
                reason, cites = self._said(verdict, recorded)
                winners, losers = (_seats(who, span, slots, locals) for who in (won, lost))
                return Outcome(winners, losers, scores, reason, cites)
        return Outcome((), (), scores, *self._said(None, recorded))

    def _said(self, verdict: p.Verdict | None, recorded: list[str]) -> tuple[str, tuple[str, ...]]:
        """Why the game has ended so, and the clauses that say it."""
        reason = recorded[0] if recorded else "finished"
        endings = self.linked.program.endings
        cites = endings[reason].cites if reason in endings else ()
        if verdict is None:
            return reason, cites
        named = _ending_in(verdict.condition)
        if named is not None and named in recorded:
            reason = named
        both = tuple(dict.fromkeys([*verdict.cites, *cites]))
        return reason, self.linked.program.citing(both, self.linked.mode)


def _span(verdict: p.Verdict) -> Span | None:
    """Where a verdict stands, as far as it says anything."""
    parts = (verdict.condition, verdict.won, verdict.lost)
    return next((part.span for part in parts if part is not None), None)


def _located(
    evaluator: Evaluator, span: Span | None, slots: list[Value], locals: list[Value]
) -> Value:
    """The value; a fault says where the question stands."""
    try:
        return evaluate(evaluator, slots, locals)
    except Fault as fault:
        raise Fault(str(fault), fault.span or span) from fault


def _seats(
    evaluator: Evaluator | None, span: Span | None, slots: list[Value], locals: list[Value]
) -> tuple[int, ...]:
    if evaluator is None:
        return ()
    value = _located(evaluator, span, slots, locals)
    seats = value if isinstance(value, tuple) else (value,)
    return tuple(sorted(seat.index for seat in seats if isinstance(seat, Entry)))


def _ending_in(condition: x.Expr | None) -> str | None:
    """The ending that a verdict asks for, if it does."""
    if isinstance(condition, x.Op):
        if condition.name == "ended" and isinstance(condition.arguments[0], x.Const):
            return str(condition.arguments[0].value.key)
        for argument in condition.arguments:
            found = _ending_in(argument)
            if found is not None and condition.name == "and":
                return found
    return None
