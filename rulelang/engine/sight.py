"""Options that read only what the one who decides sees.

Most decisions are sure to: their text says so, and they run unguarded. The others read every field
that not everybody sees through a guard, which stops the rule at the first that is not theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.engine.evaluate import Evaluator, Evaluators
from rulelang.engine.fault import Fault
from rulelang.engine.operators import Locals, Slots
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.sight import SEEN, is_count, is_open, key_of, seen
from rulelang.program.values import Entry, Value

if TYPE_CHECKING:
    from rulelang.engine.knowledge import Knowledge
    from rulelang.engine.making import Making


class Guarded(Evaluators):
    """Prepares expressions that read for one seat, and for nobody else."""

    def __init__(self, plain: Evaluators, knowledge: Knowledge) -> None:
        super().__init__(plain.linked, plain.claims)
        self.plain = plain
        self.knowledge = knowledge
        self.seat: Entry | None = None
        """The seat that decides, while its options are worked out."""

    def _read(self, expr: x.Read) -> Evaluator:
        value = super()._read(expr)
        field = self.linked.program.state.get(expr.field)
        base = self.linked.bases.get(expr.field)
        if field is None or base is None or is_open(field):
            return value
        owner = self.prepare(expr.owner) if expr.owner is not None else None

        def read(s: Slots, f: Locals) -> Value:
            found = value(s, f)
            whose = owner(s, f) if owner is not None else None
            at = base + whose.index if whose is not None else base
            if self.seat is not None and not self.knowledge.sees(s, at, self.seat):
                what = f"{whose.label}'s {field.name}" if whose is not None else field.name
                raise Fault(f"{self.seat.label} decides, and may not see {what}")
            return found

        return read

    def _op(self, expr: x.Op) -> Evaluator:
        if expr.name in ("size", "empty") and isinstance(expr.arguments[0], x.Read):
            return self.plain.prepare(expr)
        return super()._op(expr)

    def _each(self, expr: x.Each) -> Evaluator:
        return self.plain.prepare(expr) if is_count(expr) else super()._each(expr)


def guard(making: Making, n: i.Choose, code: i.Code) -> Guarded | None:
    """What prepares the options of a decision; None where they are sure to be seen."""
    if making.knowledge.all_open or is_sure(making, n, code):
        return None
    return Guarded(making.evaluators, making.knowledge)


def is_sure(making: Making, n: i.Choose, code: i.Code) -> bool:
    """Do the options read only what the one who decides sees, as far as their text goes?"""
    program, by = making.linked.program, key_of(n.by, {})
    parts = tuple(part for offer in n.offers for part in (offer.source, offer.condition))
    return all(
        seen(program.state[reading.field], reading, by) == SEEN
        for reading in making.sight.readings(parts, {}, frozenset(), code.name)
    )
