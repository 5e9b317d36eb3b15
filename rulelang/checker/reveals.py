"""Where cards may have been revealed before a decision."""

from __future__ import annotations

from attrs import Factory, define

from rulelang.checker.lowered import PROCEED, Calls, expressions
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import ZONES, Many, Type


@define(slots=False)
class Reveals:
    """Finds reveals that stand before a line: above it in its rule, or above a call of that rule.

    Rules that are performed on the way count. Instructions on entries may follow each other in any
    order, so for those that they call every reveal counts.
    """

    calls: Calls
    _revealing: dict[str, bool] = Factory(dict)

    def before(self, code: i.Code, place: int, field: str) -> bool:
        """May cards of this field have been revealed before an instruction is reached?"""
        if not self._anywhere(field):
            return False
        return self._before(code, place, field, set())

    def _anywhere(self, field: str) -> bool:
        if field not in self._revealing:
            self._revealing[field] = any(
                self._reveals(instruction, field)
                for codes in self.calls.codes.values()
                for code in codes
                for instruction in code.instructions
            )
        return self._revealing[field]

    def _before(self, code: i.Code, place: int, field: str, seen: set[str]) -> bool:
        above = [
            instruction
            for instruction in self.calls.reached(list(code.instructions[:place]))
            if self._reveals(instruction, field)
        ]
        if above:
            return True
        name = code.name
        if name in seen:
            return False
        seen.add(name)
        rule = self.calls.rules.get(name, name)
        if rule in self.calls.effects:
            return True
        return any(
            self._before(caller, at, field, seen)
            for codes in self.calls.codes.values()
            for caller in codes
            for at, instruction in enumerate(caller.instructions)
            if isinstance(instruction, i.Perform) and self._is_call(instruction, rule)
        )

    def _is_call(self, instruction: i.Perform, rule: str) -> bool:
        called = instruction.rule.removesuffix(PROCEED)
        return self.calls.rules.get(called, called) == rule

    def _reveals(self, instruction: i.Instruction, field: str) -> bool:
        """Does an instruction reveal cards of a field? A local may hold the cards of any."""
        if not isinstance(instruction, i.Reveal):
            return False
        read = {
            expr.field
            for expr in expressions(instruction.what)
            if isinstance(expr, x.Read) and _is_zone(expr.type)
        }
        return field in read or not read


def _is_zone(kind: Type) -> bool:
    return isinstance(kind, Many) and kind.form in ZONES
