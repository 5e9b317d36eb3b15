"""The outcome of a finished game: the game's ordered verdicts over the final state."""

from __future__ import annotations

from attrs import field, frozen

from rulelang.engine.evaluate import Evaluators
from rulelang.engine.machine import Machine
from rulelang.program import expressions as x
from rulelang.program import program as p
from rulelang.program.linking import ENDINGS
from rulelang.program.values import Entry, Value


@frozen
class Outcome:
    """How a game ended: seats that won and lost, scores by seat, the ending's name, clauses."""

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    scores: dict[int, int] = field(factory=dict)
    reason: str = ""
    cites: tuple[str, ...] = ()


def judge(machine: Machine) -> Outcome:
    """Judge a game that is over. A game without an `outcome` has neither winners nor losers."""
    linked, slots = machine.linked, machine.slots
    rules = linked.program.outcome(linked.mode)
    recorded = [name for name, _ in slots[ENDINGS]]
    reason = recorded[0] if recorded else "finished"
    cites = linked.program.endings[reason].cites if reason in linked.program.endings else ()
    if rules is None:
        return Outcome((), (), {}, reason, cites)
    evaluators = Evaluators(linked)
    locals: list[Value] = [None] * (rules.slots + 1)
    scores: dict[int, int] = {}
    for expr, count, _ in rules.scores:
        score = evaluators.prepare(expr)
        for seat in linked.players:
            scores[seat.index] = score(slots, [seat, *[None] * count])
    for verdict in rules.verdicts:
        if verdict.condition is None or evaluators.prepare(verdict.condition)(slots, locals):
            named = _ending_in(verdict.condition)
            if named is not None and named in recorded:
                reason = named
            return Outcome(
                _seats(evaluators, verdict.won, slots, locals), _seats(evaluators, verdict.lost, slots, locals),
                scores, reason, tuple(dict.fromkeys([*verdict.cites, *cites])),
            )  # fmt: skip
    return Outcome((), (), scores, reason, cites)


def _seats(evaluators: Evaluators, expr: p.Expr | None, slots: list[Value], locals: list[Value]) -> tuple[int, ...]:
    if expr is None:
        return ()
    value = evaluators.prepare(expr)(slots, locals)
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
