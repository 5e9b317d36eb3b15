"""Rounds in which all act at once, as a rule has them: where they begin and end."""

from __future__ import annotations

from functools import lru_cache

from attrs import frozen

from rulelang.program import instructions as i

KEPT = 4_096
"""Rules whose answers are remembered: those of any game, but not of all games ever loaded."""


@frozen
class Round:
    """The places of a rule between which writes wait in a slot."""

    start: int
    end: int
    slot: int

    def holds(self, place: int) -> bool:
        """Does what goes on at this place go on inside?"""
        return self.start < place <= self.end


@lru_cache(maxsize=KEPT)
def rounds(code: i.Code) -> tuple[Round, ...]:
    """The rounds of a rule, the inner ones first."""
    begins: dict[int, int] = {}
    found = []
    for place, n in enumerate(code.instructions):
        if isinstance(n, i.Set):
            begins[n.slot] = place
        elif isinstance(n, i.Publish):
            found.append(Round(begins[n.slot], place, n.slot))
    return tuple(sorted(found, key=lambda each: -each.start))
