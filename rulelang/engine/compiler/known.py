"""What is known of a rule's locals before it is written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rulelang.engine.compiler.parts import items_of
from rulelang.program import expressions as x
from rulelang.program import instructions as i

if TYPE_CHECKING:
    from rulelang.engine.compiler.expressions import Expressions
    from rulelang.engine.compiler.inlining import Inlined
    from rulelang.engine.compiler.module import Module
    from rulelang.engine.compiler.scopes import Scopes
    from rulelang.engine.compiler.versions import Version


class Known:
    """Answers for the version of a rule; `Rule` writes it."""

    module: Module
    version: Version
    code: i.Code
    expressions: Expressions
    bound: dict[int, x.Expr]
    """The locals that always stand for a constant, a parameter, or what follows from them."""
    inlined: Inlined | None
    """Where the rule is written into another one, rather than as functions: how."""
    scopes: Scopes
    is_bound: bool
    """Is all found that locals always stand for?"""
    _simple: dict[int, tuple[x.Expr, x.Expr]]
    """What expressions come to, by identity, with the expressions: so that no other has that."""
    derived: dict[int, x.Expr]
    """Of those that stand for more than a constant or a parameter: what they are."""

    def simple(self, expr: x.Expr) -> x.Expr:
        """An expression, simplified with what is known of the locals."""
        if self.inlined is not None:
            return self.expressions.simplifier.simple(expr, self.inlined.view)
        known = self._simple.get(id(expr))
        if known is None:
            known = self.expressions.simplifier.simple(expr, self.bound), expr
            if self.is_bound:
                self._simple[id(expr)] = known
        return known[0]

    def resolved(self, place: int) -> int:
        """Where a jump to a place really goes."""
        seen: set[int] = set()
        while place not in seen:
            seen.add(place)
            n = self.code.instructions[place]
            if isinstance(n, i.Set) and n.slot in self.bound:
                place += 1
                continue
            if not isinstance(n, i.Jump) or self.scopes.leaves(place, n.to):
                return place
            place = n.to
        return place

    @cached_property
    def written(self) -> dict[int, list[i.Instruction]]:
        """Which instructions write a slot."""
        found: dict[int, list[i.Instruction]] = {}
        for n in self.code.instructions:
            for slot in written(n):
                found.setdefault(slot, []).append(n)
        return found

    def bind(self) -> None:
        """Find the locals that always stand for a constant, a parameter, or what follows."""
        later: list[tuple[int, i.Set, x.Expr]] = []
        shapes, safety = self.expressions.shapes, self.expressions.simplifier.safety
        for place, n in enumerate(self.code.instructions):
            if not isinstance(n, i.Set) or self.written[n.slot] != [n]:
                continue
            if n.slot < len(self.code.parameters):
                continue
            value = self.simple(n.value)
            lasting = all(
                slot < len(self.code.parameters) and slot not in self.written
                for slot in shapes.locals(value)
            )
            if isinstance(value, x.Const) or (isinstance(value, x.Local) and lasting):
                self.bound[n.slot] = value
            elif lasting and shapes.is_state_free(value):
                if not self.expressions.memories.is_remembered(value):
                    continue
                if safety.is_safe(value):
                    self._derive(n, value)
                else:
                    later.append((place, n, value))
        for place, n, value in later:  # when it is known which way the rule goes on
            if self._is_needed_next(place, n.slot):
                self._derive(n, value)

    def _derive(self, n: i.Set, value: x.Expr) -> None:
        self.bound[n.slot] = value
        self.derived[n.slot] = n.value

    def _is_needed_next(self, place: int, slot: int) -> bool:
        """Does the next instruction work out what a local stands for, whatever happens?"""
        n = self.code.instructions[self._following(place + 1)]
        if not isinstance(n, i.Set) or len(self.written[n.slot]) < 2:
            return False  # it might stand for its own value, and be worked out later
        return self.expressions.simplifier.safety.needs(n.value, slot)

    def _following(self, place: int) -> int:
        """Where the rule goes on from a place, as far as that is known."""
        place, seen = self.resolved(place), set[int]()
        while place not in seen:
            seen.add(place)
            n = self.code.instructions[place]
            known = self.simple(n.condition) if isinstance(n, i.Branch) else None
            if not isinstance(n, i.Branch) or not isinstance(known, x.Const):
                return place
            place = self.resolved(place + 1 if known.value else n.otherwise)
        return place

    @cached_property
    def sources(self) -> dict[int, x.Read]:
        """The zones in which what a local holds lay when it was looked up, or was put."""
        found: dict[int, x.Read] = {
            slot: lay for (name, slot), lay in self.module.lain.items() if name == self.version.name
        }
        for n in self.code.instructions:
            if isinstance(n, i.Set) and isinstance(n.value, x.Op):
                if n.value.name in ("first", "last"):
                    self._note_source(found, n.slot, n.value.arguments[0])
            elif isinstance(n, i.Iterate):
                for before in self.written.get(n.rest, ()):
                    if isinstance(before, i.Set):
                        self._note_source(found, n.slot, before.value)
            elif isinstance(n, i.Choose):
                for offer in n.offers:
                    if offer.slot is not None and offer.source is not None:
                        self._note_source(found, offer.slot, offer.source)
        return found

    @cached_property
    def picks(self) -> frozenset[int]:
        """The moves of what has just been chosen of one whole zone, by its number."""
        found = set()
        for n in self.code.instructions:
            if not isinstance(n, i.Choose) or not n.offers:
                continue
            offer = n.offers[0]  # of later ones the number counts from elsewhere
            to = self.resolved(offer.to)
            move = self.code.instructions[to]
            if offer.condition is not None or not isinstance(move, i.Move):
                continue
            if isinstance(move.what, x.Local) and move.what.slot == offer.slot:
                found.add(to)
        return frozenset(found)

    @cached_property
    def short_lists(self) -> frozenset[int]:
        """Locals that are sure to hold few items: a few, to which others are added one by one, in
        no loop but such as has few turns."""
        shapes, short = self.expressions.shapes, self.module.facts.weights.short_loops
        loops = self.code.instructions
        if any(isinstance(n, i.Jump) and n.loop for n in loops) and not all(
            n.to in short(self.code.name) for n in loops if isinstance(n, i.Jump) and n.loop
        ):
            return frozenset()
        return frozenset(
            slot
            for slot, writers in self.written.items()
            if slot >= len(self.code.parameters)
            and all(
                isinstance(n, i.Set) and (_adds_one(n) or shapes.size(n.value) <= FEW_ITEMS)
                for n in writers
            )
        )

    @cached_property
    def counters(self) -> frozenset[int]:
        """Locals that begin as a number and only go up or down by numbers, in small steps: no game
        takes so many that one comes near the greatest number."""
        return frozenset(
            slot
            for slot, writers in self.written.items()
            if slot >= len(self.code.parameters)
            and all(isinstance(n, i.Set) and _is_step(n) for n in writers)
        )

    @cached_property
    def does_nothing(self) -> bool:
        """Is the rule at its end as soon as it begins, whatever the state is?"""
        n = self.code.instructions[self._following(0)]
        return isinstance(n, i.Give) and n.value is None

    @cached_property
    def early_end(self) -> tuple[x.Expr, bool] | None:
        """The condition with which the rule begins, if one side of it is its end, and which."""
        n = self.code.instructions[self.resolved(0)]
        if not isinstance(n, i.Branch):
            return None
        place = self.resolved(0)
        for side, to in ((True, place + 1), (False, n.otherwise)):
            end = self.code.instructions[self.resolved(to)]
            if isinstance(end, i.Give) and end.value is None:
                return n.condition, side
        return None

    def put_last(self, slot: int) -> x.Read | None:
        """The zone in which the rule puts what a local holds, if there is one such zone."""
        found: set[str] = set()
        last = None
        for n in self.code.instructions:
            if isinstance(n, i.Move) and isinstance(n.what, x.Local) and n.what.slot == slot:
                owner = None if n.target.owner is None else self.simple(n.target.owner)
                if owner is not None and not isinstance(owner, x.Const):
                    return None
                place = n.target
                last = x.Read(place.type, n.span, place.field, owner, place.owner_domain)
                found.add(self.expressions.read(last))
        return last if len(found) == 1 else None

    def _note_source(self, found: dict[int, x.Read], slot: int, source: x.Expr) -> None:
        value = self.simple(source)
        value = items_of(value)
        if isinstance(value, x.Read) and slot not in found:
            found[slot] = value


SMALL_STEP = 100
FEW_ITEMS = 1_000
"""Items that a list may begin with which is sure to stay short."""


def _adds_one(n: i.Set) -> bool:
    """Is it one item behind the list itself?"""
    if not isinstance(n.value, x.Op) or n.value.name != "join":
        return False
    one, other = n.value.arguments
    added = isinstance(other, x.Items) and len(other.items) <= 1
    return added and isinstance(one, x.Local) and one.slot == n.slot


def _is_step(n: i.Set) -> bool:
    """Is it a small number, or is one added to the local itself or taken away?"""
    value: x.Expr | None = n.value
    if isinstance(value, x.Op) and value.name in ("+", "-"):
        one, value = value.arguments
        if not isinstance(one, x.Local) or one.slot != n.slot:
            return False
    number = value.value if isinstance(value, x.Const) else None
    return type(number) is int and abs(number) <= SMALL_STEP


def written(n: i.Instruction) -> Iterator[int]:
    """The slots that an instruction writes."""
    match n:
        case i.Set() | i.Roll() | i.Exit() | i.Enter() | i.Publish():
            yield n.slot
        case i.Iterate():
            yield n.slot
            yield n.rest
        case i.Perform() | i.Draw() if n.slot is not None:
            yield n.slot
        case i.Choose():
            yield from (offer.slot for offer in n.offers if offer.slot is not None)
        case i.Store() if n.deferred is not None:
            yield n.deferred
