"""How much a rule may do before anything is counted.

The reference interpreter counts every call and every turn of a loop. Here only what may come often
is counted, for as much as it can be at most: so that whoever runs out of it is in doubt, and nobody
else has used up what the reference allows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from copy import copy

from rulelang.engine.compiler.paths import Known, Paths
from rulelang.engine.compiler.support import LITTLE
from rulelang.engine.compiler.work import Work
from rulelang.engine.machine import FUEL, MAX_DEPTH
from rulelang.engine.operators import MAX_WORK
from rulelang.program import instructions as i

PER_STEP = MAX_WORK // (2 * FUEL)
"""What questions may go through for each call or turn of a loop, that no one charges for."""
HEAVY = 200
"""Rules that weigh more count themselves; lighter ones are counted with whoever calls them."""
HEAVY_STEP = 3_000
"""The same in whole games for rules that are called from one place only, which whoever calls comes
by always. Step by step that would leave too many games in doubt, where nobody decides for long."""
FEW = 16
"""Turns of a loop that is counted with its rule."""
FIRST, LIGHT_TURNS = 4, 600
"""Of a loop that may have more the first turns are, if they weigh little together, where whole
games are played; only if there are others all are counted."""


class Weights:
    """The weights of the rules of a linked program, and which of them come back to themselves."""

    def __init__(
        self, codes: Mapping[str, i.Code], applied: frozenset[str], work: Work, known: Known
    ) -> None:
        self.codes = codes
        self.paths = {name: Paths(code, known) for name, code in codes.items()}
        self._work = {name: _shares(code, work) for name, code in codes.items()}
        self.applied = applied
        """The rules that an effect or script may be of."""
        self.calls = {name: tuple(self._called(code)) for name, code in codes.items()}
        self.turning = frozenset(self._turning())
        """Rules that come back to themselves: one at least of every cycle of calls."""
        self.circling = frozenset(self._circling())
        """Rules from which one of those is called, and those themselves."""
        self._live = self._called_in_play()
        self.places = Counter(name for caller in self._live for name in self.calls[caller])
        """From how many places each rule is called."""
        self._depths: dict[str, int] = {}
        self.chain = max(map(self._depth, codes), default=1)
        """The longest chain of calls without one of those."""
        self.is_deep = self.chain >= MAX_DEPTH
        """May rules call each other too deep without coming back to themselves? Then all look."""
        self.deepest = MAX_DEPTH if self.is_deep else MAX_DEPTH - self.chain - 1
        """How many may be under way where one looks."""
        self._heavy_step = HEAVY_STEP
        self._weights: dict[str, int] = {}
        self._always: dict[str, bool] = {}
        self._shapes = work.shapes
        self._short: dict[str, Mapping[int, int]] = {}
        self._begun: dict[str, frozenset[int]] = {}

    def step_by_step(self) -> Weights:
        """The same where the game may wait."""
        found = copy(self)
        found._heavy_step, found._weights = HEAVY, {}
        found._begun = dict.fromkeys(self.codes, frozenset())
        return found

    def short_loops(self, name: str) -> Mapping[int, int]:
        """The loops of a rule that have so few turns that all are counted with the rule: where
        they begin, and the turns."""
        if name not in self._short:
            code = self.codes[name]
            found = (
                (place, self._turns(code, place, n))
                for place, n in enumerate(code.instructions)
                if isinstance(n, i.Iterate)
            )
            self._short[name] = {place: turns for place, turns in found if turns <= FEW}
        return self._short[name]

    def _turns(self, code: i.Code, place: int, loop: i.Iterate) -> int:
        lists = [n.value for n in code.instructions if isinstance(n, i.Set) and n.slot == loop.rest]
        if not self._is_simple(code.name, place, loop) or loop.rest < len(code.parameters):
            return FEW + 1
        return max(map(self._shapes.size, lists), default=FEW + 1)

    def begun_loops(self, name: str) -> frozenset[int]:
        """The loops of a rule of which the first turns are counted with the rule."""
        if name not in self._begun:
            loops = enumerate(self.codes[name].instructions)
            self._begun[name] = frozenset(
                place
                for place, n in loops
                if isinstance(n, i.Iterate)
                and place not in self.short_loops(name)
                and self._is_simple(name, place, n)
                and FIRST * sum(self.of(name, at) for at in range(place, n.end)) <= LIGHT_TURNS
            )
        return self._begun[name]

    def _is_simple(self, name: str, place: int, loop: i.Iterate) -> bool:
        inside = self.codes[name].instructions[place + 1 : loop.end]
        return place < loop.end and not any(isinstance(n, i.Iterate) for n in inside)

    def times(self, name: str, node: int, inside: frozenset[int] | None = None) -> int:
        """How often an instruction is counted with its rule, in loops that begin somewhere."""
        code = self.codes[name]
        counted = {**dict.fromkeys(self.begun_loops(name), FIRST), **self.short_loops(name)}
        for place, turns in counted.items():
            loop = code.instructions[place]
            if isinstance(loop, i.Iterate) and place <= node < loop.end:
                return turns if inside is None or place in inside else 1
        return 1

    def _called(self, code: i.Code) -> Iterator[str]:
        for node in sorted(self.paths[code.name].reached):
            n = code.instructions[node]
            if isinstance(n, i.Perform) and n.rule in self.codes:
                yield n.rule
            elif isinstance(n, i.Apply):
                yield from sorted(self.applied)

    def _called_in_play(self) -> frozenset[str]:
        """The rules that a game may come to."""
        found: set[str] = set()
        todo = ["play", *self.applied] if "play" in self.codes else list(self.codes)
        while todo:
            name = todo.pop()
            if name not in found:
                found.add(name)
                todo += self.calls[name]
        return frozenset(found)

    def _turning(self) -> Iterator[str]:
        """A rule of every cycle of calls: those that a search in depth comes back to."""
        done: set[str] = set()
        for start in self.codes:
            if start in done:
                continue
            under_way = {start}
            work = [(start, iter(dict.fromkeys(self.calls[start])))]
            while work:
                name, left = work[-1]
                other = next(left, None)
                if other is None:
                    work.pop()
                    under_way.discard(name)
                    done.add(name)
                elif other in under_way:
                    yield other
                elif other not in done:
                    under_way.add(other)
                    work.append((other, iter(dict.fromkeys(self.calls[other]))))

    def _circling(self) -> Iterator[str]:
        found, grown = set(self.turning), -1
        while len(found) > grown:
            grown = len(found)
            found |= {name for name, called in self.calls.items() if not found.isdisjoint(called)}
        yield from found

    def _depth(self, name: str) -> int:
        """The longest chain of calls from a rule, itself included."""
        for each in self._called_first(name, self._depths):
            below = (self._depths[other] for other in self._goes_on_in(each))
            self._depths[each] = 1 + max(below, default=0)
        return self._depths[name]

    def _goes_on_in(self, name: str) -> Iterator[str]:
        """The rules that a rule calls, without those that come back to themselves."""
        return (other for other in dict.fromkeys(self.calls[name]) if other not in self.turning)

    def _called_first(self, name: str, done: Container[str]) -> Iterator[str]:
        """A rule, and before it those that it calls, and so on, so far as they are not done.

        A list says where the search stands, and not Python's own stack: a chain may be long.
        """
        work = [] if name in done else [(name, self._goes_on_in(name))]
        while work:
            each, left = work[-1]
            other = next((other for other in left if other not in done), None)
            if other is None:
                yield each
                work.pop()
            else:
                work.append((other, self._goes_on_in(other)))

    def is_heavy(self, name: str) -> bool:
        """Does the rule count itself?"""
        if name in self.turning:
            return True
        weight = self.weight(name)
        return weight > self._heavy_step or (weight > HEAVY and not self._is_step(name))

    def _is_step(self, name: str) -> bool:
        """Does but one place call a rule, at which whoever calls it comes by whatever happens?"""
        if name not in self._always:
            self._always[name] = self.places[name] == 1 and any(
                isinstance(n, i.Perform) and n.rule == name and paths.always_pass(node)
                for paths in (self.paths[c] for c in self._live if name in self.calls[c])
                for node, n in enumerate(paths.code.instructions)
                if node in paths.reached
            )
        return self._always[name]

    def weight(self, name: str) -> int:
        """How much one call of a rule may count, itself included."""
        for rule in self._called_first(name, self._weights):
            nodes = range(len(self.codes[rule].instructions))
            each = (self.of(rule, node) * self.times(rule, node) for node in nodes)
            self._weights[rule] = 1 + sum(each)
        return self._weights[name]

    def of(self, name: str, node: int) -> int:
        """How much one instruction of a rule may count."""
        if node not in self.paths[name].reached:
            return 0
        return self._calls(name, node) + self._work[name][node]

    def _calls(self, name: str, node: int) -> int:
        n = self.codes[name].instructions[node]
        if isinstance(n, i.Perform) and n.rule in self.codes:
            return 1 if self.is_heavy(n.rule) else self.weight(n.rule)
        if isinstance(n, i.Apply):
            light = (self.weight(r) for r in self.applied if not self.is_heavy(r))
            return max(light, default=1)
        return 1 if isinstance(n, i.Jump) and n.loop else 0


def _shares(code: i.Code, work: Work) -> tuple[int, ...]:
    """What the questions of each instruction take, in steps."""
    return tuple(
        (work.of_step(n) + LITTLE * work.charges_in(n)) // PER_STEP for n in code.instructions
    )
