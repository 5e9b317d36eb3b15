"""The ways through a rule, whatever its arguments are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cached_property

from rulelang.engine.compiler.known import written
from rulelang.program import expressions as x
from rulelang.program import instructions as i

Bound = Mapping[int, x.Expr]
Known = Callable[[x.Expr, Bound], x.Const | None]
"""What an expression comes to, with what some locals stand for; None if that depends on more."""


class Paths:
    """Which instructions of a rule may follow which."""

    def __init__(self, code: i.Code, known: Known) -> None:
        self.code = code
        bound = dict(_bound(code, known))
        steps = enumerate(code.instructions)
        self.next = [tuple(_following(n, at, known, bound)) for at, n in steps]

    @cached_property
    def reached(self) -> frozenset[int]:
        """The instructions that the rule may come to."""
        return frozenset(self._reach([0]))

    def always_pass(self, node: int) -> bool:
        """Does every way through the rule, or else through every loop around an instruction, come
        by there?"""
        behind = self._reach(self.next[node], stop=node)
        if node not in behind:
            before = self._reach([0], stop=node)
            ends = (each for each in before if isinstance(self.code.instructions[each], i.Give))
            return not any(each != node for each in ends)
        others = {each for each in behind if each != node and node in self._reach([each])}
        return not any(each in self._reach(self.next[each], stop=node) for each in others)

    def _reach(self, starts: Iterable[int], stop: int | None = None) -> Collection[int]:
        """What some instructions lead to, with themselves, if no way goes on from one of them."""
        found: set[int] = set()
        todo = list(starts)
        while todo:
            node = todo.pop()
            if node not in found:
                found.add(node)
                todo += () if node == stop else self.next[node]
        return found


def _bound(code: i.Code, known: Known) -> Iterator[tuple[int, x.Expr]]:
    """The locals that always stand for the same."""
    writers = Counter(slot for n in code.instructions for slot in written(n))
    for n in code.instructions:
        if isinstance(n, i.Set) and writers[n.slot] == 1 and n.slot >= len(code.parameters):
            value = known(n.value, {})
            if value is not None:
                yield n.slot, value


def _following(n: i.Instruction, at: int, known: Known, bound: Bound) -> Iterator[int]:
    """The instructions that may come next, of which the one behind is never behind the last."""
    match n:
        case i.Give():
            return
        case i.Jump():
            yield n.to
        case i.Choose():
            yield from (offer.to for offer in n.offers)
            yield from (to for to in (n.decline, n.none) if to is not None)
        case i.Branch():
            sure = known(n.condition, bound)
            if sure is None or sure.value:
                yield at + 1
            if sure is None or not sure.value:
                yield n.otherwise
        case i.Iterate() | i.Enter():
            yield from (at + 1, n.end)
        case i.Draw() if n.none is not None:
            yield from (at + 1, n.none)
        case _:
            yield at + 1
