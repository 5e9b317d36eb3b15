"""The flow of control in a rule: which instruction may follow which, joins and loops.

A node is an instruction by its place, or `ROOT` where a rule goes on after an event or a call.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

ROOT = -1
Successors = Callable[[int], Iterable[int]]


class Unstructured(Exception):
    """The flow cannot be written with `if` and `while` alone."""


class Graph:
    """What can be reached from a node, in order, with dominators and loops.

    Raises `Unstructured` if a loop can be entered in several places and ``reducible`` is asked for.
    """

    def __init__(self, root: int, successors: Successors, *, reducible: bool = True) -> None:
        self.root = root
        self.next: dict[int, tuple[int, ...]] = {}
        self.order = self._ordered(successors)
        self.rank = {node: rank for rank, node in enumerate(self.order)}
        self.before: dict[int, list[int]] = {node: [] for node in self.order}
        for node in self.order:
            for other in successors(node):  # two ways to one node make it a join, too
                self.before[other].append(node)
        self.dominator = self._dominators()
        self.headers = self._headers() if reducible else {}
        self.merges = self._merges()

    def _ordered(self, successors: Successors) -> list[int]:
        """All nodes, each before those that follow it but for the ways back of loops."""
        done: list[int] = []
        waiting: list[tuple[int, list[int]]] = []
        self.next[self.root] = tuple(dict.fromkeys(successors(self.root)))
        waiting.append((self.root, list(self.next[self.root])))
        while waiting:
            node, left = waiting[-1]
            if not left:
                done.append(node)
                waiting.pop()
                continue
            other = left.pop()
            if other not in self.next:
                self.next[other] = tuple(dict.fromkeys(successors(other)))
                waiting.append((other, list(self.next[other])))
        return done[::-1]

    def _dominators(self) -> dict[int, int]:
        known = {self.root: self.root}
        changed = True
        while changed:
            changed = False
            for node in self.order[1:]:
                ways = [other for other in self.before[node] if other in known]
                best = ways[0]
                for other in ways[1:]:
                    best = self._common(known, best, other)
                if known.get(node) != best:
                    known[node], changed = best, True
        return known

    def _common(self, known: Mapping[int, int], one: int, other: int) -> int:
        while one != other:
            while self.rank[one] > self.rank[other]:
                one = known[one]
            while self.rank[other] > self.rank[one]:
                other = known[other]
        return one

    def dominates(self, one: int, other: int) -> bool:
        """Does every way to the second lead through the first?"""
        while self.rank[other] > self.rank[one]:
            other = self.dominator[other]
        return one == other

    def is_back(self, node: int, other: int) -> bool:
        """Is this the way back of a loop?"""
        return self.rank[other] <= self.rank[node]

    def turn(self, node: int, other: int) -> frozenset[int]:
        """What a turn can meet that ends with a way back: of a loop that is entered in several
        places, anything."""
        if not self.dominates(other, node):
            return frozenset(self.order)
        return frozenset(self._body(other, node))

    def _headers(self) -> dict[int, frozenset[int]]:
        """The first node of each loop, with all its nodes."""
        found: dict[int, set[int]] = {}
        for node in self.order:
            for other in self.next[node]:
                if not self.is_back(node, other):
                    continue
                if not self.dominates(other, node):
                    raise Unstructured
                found.setdefault(other, {other}).update(self._body(other, node))
        return {header: frozenset(body) for header, body in found.items()}

    def _body(self, header: int, last: int) -> set[int]:
        body, waiting = {header}, [last]
        while waiting:
            node = waiting.pop()
            if node not in body:
                body.add(node)
                waiting.extend(self.before[node])
        return body

    def _merges(self) -> dict[int, list[int]]:
        """The nodes that several ways forward lead to, each below the one that dominates it."""
        found: dict[int, list[int]] = {}
        for node in self.order[1:]:
            ways = [other for other in self.before[node] if not self.is_back(other, node)]
            if len(ways) > 1:
                found.setdefault(self.dominator[node], []).append(node)
        return found
