"""Questions that only a scenario's claims may ask: who has won, the score, what a seat sees.

``wins(p)`` and ``loses(p)`` are the verdict on a seat as the game stands, ``score(p)`` its score.
``sees(p, z)`` asks whether the seat ``p`` sees the field ``z``, or was shown all that lies there.
"""

from __future__ import annotations

from collections.abc import Callable

from rulelang.engine.evaluate import Evaluator, Evaluators
from rulelang.engine.fault import Fault
from rulelang.engine.knowledge import Knowledge
from rulelang.engine.operators import Locals, Slots
from rulelang.judging import Judge
from rulelang.program import expressions as x
from rulelang.program.linking import Linked
from rulelang.program.types import ZONES, Many


def prepare(linked: Linked, evaluators: Evaluators, expr: x.Op) -> Evaluator:
    """The function of such a question."""
    return _PREPARED[expr.name](linked, evaluators, expr)


def _wins(linked: Linked, evaluators: Evaluators, expr: x.Op) -> Evaluator:
    judge, seat = Judge(linked), evaluators.prepare(expr.arguments[0])
    return lambda slots, local: seat(slots, local).index in judge.outcome(slots).winners


def _loses(linked: Linked, evaluators: Evaluators, expr: x.Op) -> Evaluator:
    judge, seat = Judge(linked), evaluators.prepare(expr.arguments[0])
    return lambda slots, local: seat(slots, local).index in judge.outcome(slots).losers


def _score(linked: Linked, evaluators: Evaluators, expr: x.Op) -> Evaluator:
    judge, seat = Judge(linked), evaluators.prepare(expr.arguments[0])

    def run(slots: Slots, local: Locals) -> int:
        scores = judge.outcome(slots).scores
        place = seat(slots, local).index
        if place not in scores:
            raise Fault(f"nobody has a score in mode {linked.mode}")
        return scores[place]

    return run


def _sees(linked: Linked, evaluators: Evaluators, expr: x.Op) -> Evaluator:
    whom, what = expr.arguments
    assert isinstance(what, x.Read)
    seat, base = evaluators.prepare(whom), linked.bases[what.field]
    owner = evaluators.prepare(what.owner) if what.owner is not None else None
    zone = isinstance(what.type, Many) and what.type.form in ZONES
    knowledge = Knowledge(linked, evaluators)

    def run(slots: Slots, local: Locals) -> bool:
        looks = seat(slots, local)
        at = base if owner is None else base + owner(slots, local).index
        open_to = knowledge.seats(slots, at)
        if open_to is None or looks.index in open_to:
            return True
        return zone and 0 < len(slots[at]) == len(knowledge.known(slots, at, looks))

    return run


_PREPARED: dict[str, Callable[[Linked, Evaluators, x.Op], Evaluator]] = {
    "wins": _wins,
    "loses": _loses,
    "score": _score,
    "sees": _sees,
}
