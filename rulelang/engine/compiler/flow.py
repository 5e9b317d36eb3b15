"""The flow of a rule as `if`, `while` and `for`.

A node's joins (where several ways forward meet) are written behind it, in order; whatever leads to
the next of them falls through. What leads elsewhere is `continue` or `break`, or a short tail that
is written once more; a rule for which that does not suffice is `Unstructured`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

from rulelang.engine.compiler.graph import Graph, Unstructured
from rulelang.engine.compiler.lines import DEEPEST, Lines, negated
from rulelang.engine.compiler.unrolling import unroll
from rulelang.program import instructions as i

if TYPE_CHECKING:
    from rulelang.engine.compiler.rule import Rule

LONGEST_TAIL = 8
"""Instructions of a tail that may be written more than once."""

FORKS = (i.Branch, i.Iterate, i.Choose, i.Draw, i.Enter)
"""Instructions that are written with the ways that lead on from them."""

Arms = list[tuple[str, list[str], int]]
"""Ways on: the condition, what is done first, the node."""


@frozen
class Loop:
    """A loop that is being written: its first node, and the one behind it."""

    header: int
    follow: int | None


class Flow:
    """Writes what can be reached from one node."""

    dispatching = False
    """Are blocks numbered, so that no block of Python holds what comes between two places?"""

    def __init__(self, rule: Rule, root: int, out: Lines) -> None:
        self.rule = rule
        self.out = out
        self.graph = Graph(root, rule.successors)
        self.loops: list[Loop] = []
        self.begun: set[int] = set()
        self.carried: set[int] = set()
        """The locals with lists of functions, of effects that are carried out one by one."""
        self.gathered: set[int] = set()
        """The nodes where lists begin of which it is remembered what a loop makes of them."""
        self.joins = {node for nodes in self.graph.merges.values() for node in nodes}

    def write(self) -> None:
        """All of it."""
        self.tree(self.graph.root, None)

    def tree(self, node: int | None, follow: int | None) -> None:
        """A node with all that it dominates."""
        while node is not None:
            if self.out.depth > DEEPEST:
                raise Unstructured
            if node in self.graph.headers and node not in self.begun:
                node = self._loop(node, follow)
                continue
            joins = self.graph.merges.get(node, [])
            if joins and node not in self.begun:
                self._chain(node, joins, follow)
                return
            node = self.rule.write(self, node, follow)

    def _chain(self, node: int, joins: list[int], follow: int | None) -> None:
        """A node, then its joins one behind the other."""
        joins = sorted(joins, key=self.graph.rank.__getitem__)
        ends = [*joins[1:], follow]
        self.tree(self.rule.write(self, node, joins[0]), joins[0])
        for join, end in zip(joins, ends, strict=True):
            self.tree(join, end)

    # ------------------------------------------------------------ going on

    def goto(self, source: int, target: int, follow: int | None) -> int | None:
        """The node to go on with in place; None where a jump was written, or none is needed."""
        if target == follow:
            return None
        if self.loops and target == self.loops[-1].header:
            self.out.add("continue")
            return None
        if self.loops and target == self.loops[-1].follow:
            self.out.add("break")
            return None
        if target in self.joins or self.graph.dominator[target] != source:
            self._tail(target, follow)
            return None
        return target

    def arm(self, source: int, target: int, follow: int | None) -> None:
        """A block that goes on at a node."""
        self.tree(self.goto(source, target, follow), follow)

    def _tail(self, target: int, follow: int | None) -> None:
        """The straight way from a node to an end, once more."""
        node: int | None = target
        for _ in range(LONGEST_TAIL):
            assert node is not None
            following = self.graph.next[node]
            if len(following) > 1 or node in self.graph.headers:
                raise Unstructured
            if not following:
                self.rule.write(self, node, follow)
                return
            if isinstance(self.rule.instruction(node), FORKS):
                raise Unstructured  # it has one way on only by chance
            self.rule.plain(self, node)
            there = self._reached(following[0], follow)
            if there is None:
                return
            node = there
        raise Unstructured

    def _reached(self, target: int, follow: int | None) -> int | None:
        if target == follow:
            return None
        loop = self.loops[-1] if self.loops else None
        if loop is not None and target in (loop.header, loop.follow):
            self.out.add("continue" if target == loop.header else "break")
            return None
        return target

    def choice(self, source: int, test: str, yes: int, no: int, follow: int | None) -> int | None:
        """Two ways; the node to go on with in place, if there is one."""
        out = self.out
        mark = out.mark()
        with out.inside(f"if {test}:"):
            self.arm(source, yes, follow)
        if out.has_ended():
            return self.goto(source, no, follow)
        if out.is_empty(mark + 1):
            out.cut(mark)
            with out.inside(f"if {negated(test)}:"):
                self.arm(source, no, follow)
            return None
        mark = out.mark()
        with out.inside("else:"):
            self.arm(source, no, follow)
        if out.is_empty(mark + 1):
            out.cut(mark)
        return None

    def ways(self, source: int, arms: Arms, follow: int | None) -> None:
        """Several ways, the last of which is for all that is left."""
        for place, (test, lines, target) in enumerate(arms):
            last = place == len(arms) - 1
            if last and place == 0:
                self.out.add(*lines)
                self.arm(source, target, follow)
                return
            word = "if" if place == 0 else "elif"
            with self.out.inside("else:" if last else f"{word} {test}:"):
                self.out.add(*lines)
                self.arm(source, target, follow)

    # ------------------------------------------------------------ loops

    def _loop(self, header: int, follow: int | None) -> int | None:
        """A loop; the node behind it."""
        body = self.graph.headers[header]
        behind = self._behind(header, body, follow)
        self.begun.add(header)
        joins = [node for node in self.graph.merges.get(header, []) if node in body]
        joins = sorted(joins, key=self.graph.rank.__getitem__)
        first = joins[0] if joins else header
        self.loops.append(Loop(header, behind))
        self.out.span = self.rule.code.instructions[header].span
        self.rule.before_loop(self, header, body)
        mark, head = self.out.mark(), self.rule.loop_head(header, behind, body)
        with self.out.inside(head):
            self.tree(self.rule.write_header(self, header, first, behind, body), first)
            for place, join in enumerate(joins):
                self.tree(join, joins[place + 1] if place + 1 < len(joins) else header)
        self.loops.pop()
        if head.startswith("for ") and self.out.is_empty(mark + 1):
            self.out.cut(mark)
        elif not self.rule.stepping:
            unroll(self.out, mark, self.rule.module.pool)
        if behind is None or behind == follow:
            return None
        if self.graph.dominates(header, behind):
            return behind
        return self.goto(header, behind, follow)

    def _behind(self, header: int, body: frozenset[int], follow: int | None) -> int | None:
        """The node behind a loop: of those that it is left for, the last."""
        exits = {other for node in body for other in self.graph.next[node] if other not in body}
        n = self.rule.instruction(header)
        if isinstance(n, i.Iterate):
            return self.rule.resolved(n.end)
        if follow in exits:
            return follow
        return max(exits, key=self.graph.rank.__getitem__, default=None)
