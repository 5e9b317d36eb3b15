"""Boards: edges between entries, and what follows from them whatever the state is.

An edge is an entry of a kind of its own. Its first field, ``joins``, holds the two nodes that it
joins, in the order of the way where it can be gone one way only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import TYPE_CHECKING

from attrs import field, frozen

from rulelang.diagnostic import Span
from rulelang.program.values import Entry, order_key

if TYPE_CHECKING:
    from rulelang.program.program import Program

ENDS = "joins"
"""The field that holds an edge's two nodes, and the key that edges are known by."""


WAY = "way"
"""The field of an edge that holds its direction, as a number."""

MAX_STEPS = 200
"""The greatest number of steps of one way."""

AXES = ("x", "y")
"""The fields that say where a place is drawn."""
OUTLINE = "outline"
"""The field that lists the corners of an area that is drawn: x, y, x, y and so on."""


@frozen
class End:
    """What may be at an end of an edge: an entry of a kind, or of one variant of it."""

    kind: str
    variant: str = ""

    def admits(self, node: Entry) -> bool:
        """May this node be there?"""
        return node.domain == self.kind and self.variant in ("", node.variant)

    def __str__(self) -> str:
        return self.variant or self.kind


@frozen
class EdgeKind:
    """A kind of edges: what its two ends may be, and whether it can be gone one way only."""

    name: str
    one_way: bool
    ends: tuple[tuple[End, ...], tuple[End, ...]]
    span: Span = field(repr=False)

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of the places that it joins."""
        return frozenset(end.kind for side in self.ends for end in side)

    def joined(self, one: Entry, other: Entry) -> tuple[Entry, Entry] | None:
        """The two ends in the order in which an edge keeps them; None if they cannot be joined."""
        if self.one_way:
            return (one, other) if self._admits(one, other) else None
        ways = [ends for ends in ((one, other), (other, one)) if self._admits(*ends)]
        return min(ways, key=lambda ends: tuple(map(order_key, ends)), default=None)

    def _admits(self, one: Entry, other: Entry) -> bool:
        first, second = self.ends
        return any(end.admits(one) for end in first) and any(end.admits(other) for end in second)


MAX_KEPT = 1_000_000
"""Distances that a graph remembers."""


class Graph:
    """The nodes of a board, joined by the edges of some kinds."""

    def __init__(self, program: Program, kinds: Iterable[str]) -> None:
        kinds = tuple(kinds)
        joined: dict[Entry, set[Entry]] = {}
        for name in kinds:
            one_way = program.edges[name].one_way
            for edge in program.domains[name].entries:
                start, end = edge.fields[0]
                joined.setdefault(start, set()).add(end)
                joined.setdefault(end, set()).update(() if one_way else (start,))
        self.next: dict[Entry, tuple[Entry, ...]] = {
            node: tuple(sorted(others, key=order_key)) for node, others in joined.items()
        }
        """The nodes one step from each that has an edge, in canonical order."""
        self.onward: dict[tuple[Entry, int], Entry] = {}
        """The node that a step from a node leads to, where edges have directions."""
        for name in kinds:
            place = program.kinds[name].place(WAY)
            if place is None:
                continue
            for edge in program.domains[name].entries:
                self.onward.setdefault((edge.fields[0][0], edge.fields[place]), edge.fields[0][1])
        self._distances: dict[Entry, dict[Entry, int]] = {}
        self._reached: dict[tuple[Entry, int], tuple[Entry, ...]] = {}

    def neighbours(self, node: Entry) -> tuple[Entry, ...]:
        """The nodes one step away, in canonical order."""
        return self.next.get(node, ())

    def distances(self, start: Entry) -> dict[Entry, int]:
        """The fewest steps to every node that can be reached, in the order of reaching them."""
        known = self._distances.get(start)
        if known is None:
            if len(self._distances) * len(self.next) > MAX_KEPT:
                self._distances.clear()
            known = self._distances[start] = {start: 0}
            waiting = deque([start])
            while waiting:
                node = waiting.popleft()
                for other in self.neighbours(node):
                    if other not in known:
                        known[other] = known[node] + 1
                        waiting.append(other)
        return known

    def reach(self, start: Entry, steps: int) -> tuple[Entry, ...]:
        """The nodes from one to so many steps away, in canonical order."""
        known = self.distances(start)
        key = start, min(steps, len(known))
        if key not in self._reached:
            found = (node for node, distance in known.items() if 1 <= distance <= steps)
            self._reached[key] = tuple(sorted(found, key=order_key))
        return self._reached[key]
