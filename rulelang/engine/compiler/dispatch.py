"""The flow of a rule as numbered blocks, for the few that cannot be written otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.engine.compiler.flow import Flow
from rulelang.engine.compiler.graph import Graph
from rulelang.engine.compiler.lines import Lines
from rulelang.program import instructions as i

if TYPE_CHECKING:
    from rulelang.engine.compiler.rule import Rule


class Dispatch(Flow):
    """Writes blocks; each says which one comes next."""

    dispatching = True

    def __init__(self, rule: Rule, root: int, out: Lines) -> None:
        self.rule = rule
        self.out = out
        self.graph = Graph(root, rule.successors, reducible=False)
        self.joins = {node for node, before in self.graph.before.items() if len(before) > 1}
        self.loops = []
        self.begun = set()
        self.carried = set()
        self.blocks: list[int] = []
        """The nodes at which blocks begin."""

    def write(self) -> None:
        """All of it."""
        out = self.out
        scopes = [node for node in self.graph.order if self._is_scope(node)]
        out.add(*(f"scope{node} = None" for node in scopes))
        # Whoever leaves a scope goes on at its end, which may be where no other way leads.
        ends = [n.end for n in map(self.rule.instruction, scopes) if isinstance(n, i.Enter)]
        self.blocks += dict.fromkeys([self.graph.root, *ends])
        out.add(f"pc = {self.graph.root}")
        with out.inside("while True:"), out.inside("try:"):
            done = 0
            while done < len(self.blocks):
                with out.inside(f"if pc == {self.blocks[done]}:"):
                    self.tree(self.blocks[done], None)
                done += 1
        self.out.depth += 1
        with out.inside("except Left as left:"):
            for node in scopes:
                self._left(node)
            out.add("raise")
        self.out.depth -= 1

    def _is_scope(self, node: int) -> bool:
        return isinstance(self.rule.instruction(node), i.Enter)

    def _left(self, node: int) -> None:
        n = self.rule.instruction(node)
        assert isinstance(n, i.Enter)
        out = self.out
        with out.inside(f"if m.scopes[left.depth - 1] is scope{node}:"):
            for each in self.rule.scopes.rounds:
                if node < each.start and each.end <= n.end:
                    out.add(*self.rule.scopes.publish(each))
            out.add("del m.scopes[left.depth:]")
            self._jump(n.end)

    def tree(self, node: int | None, follow: int | None) -> None:
        """A node with what leads on from it alone."""
        while node is not None:
            node = self.rule.write(self, node, None)

    def goto(self, source: int, target: int, follow: int | None) -> int | None:
        """The node to go on with in place; None where a block was named."""
        if self.graph.is_back(source, target):
            turn = self.graph.turn(source, target)
            self.out.add(*self.rule.module.turn_of_loop(self.rule, turn))
        elif target not in self.joins and self.graph.dominator[target] == source:
            return target
        self._jump(target)
        return None

    def _jump(self, target: int) -> None:
        if target not in self.blocks:
            self.blocks.append(target)
        self.out.add(f"pc = {target}", "continue")
