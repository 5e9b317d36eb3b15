"""Places at which rules wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from attrs import frozen

from rulelang.engine.compiler.roots import Root
from rulelang.engine.compiler.versions import Version
from rulelang.program import instructions as i
from rulelang.program.values import Value


@frozen(eq=False)
class Point:
    """A place at which a rule may wait: what a frame that goes on there holds."""

    version: Version
    root: Root
    place: int
    """Where the reference interpreter would go on."""
    saved: tuple[int, ...]
    """The slots of what lies in the frame behind the number of the point."""
    bound: tuple[tuple[int, Any], ...]
    """Other locals that are live: slots with a constant."""
    copied: tuple[tuple[int, int], ...]
    """Other locals that are live: slots with the parameter that they stand for."""
    derived: tuple[tuple[int, Callable[[list[Any]], Any]], ...]
    """Other locals that are live: slots with what makes them of all locals before them."""
    ends: tuple[int, ...]
    """The points of the ends of the scopes around it, the inner ones first."""
    rounds: tuple[tuple[int, int, int, int], ...]
    """The rounds around it: start, end, slot, and the slot of the round outside or -1."""

    @property
    def code(self) -> i.Code:
        """The rule."""
        return self.version.code

    def kept(self, values: list[Value]) -> Any:
        """What a frame has behind its number: nothing, the one that is saved, or all."""
        return None if not values else values[0] if len(values) == 1 else tuple(values)

    def locals(self, kept: Any) -> Iterator[tuple[int, Value]]:
        """The locals of a frame: each slot that is saved, with its value."""
        return zip(self.saved, (kept,) if len(self.saved) == 1 else kept or (), strict=True)
