"""Chance, built a second time: from sections 8 to 10 of ``docs/semantics.md`` alone.

Nothing of rulelang is imported here. Values are what a save holds: numbers, flags, texts, ``None``,
lists, and entries as ``{"of": domain, "key": key}``.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from itertools import accumulate
from typing import Any

Value = Any
Weighted = tuple[Value, int]
Names = Mapping[str, Sequence[Value]]

# ------------------------------------------------------------------ words


@lru_cache(maxsize=4096)
def block(seed: int, source: str, number: int) -> tuple[int, ...]:
    """The sixteen words of a block."""
    data = blake2b(f"{seed}:{source}:{number}".encode(), digest_size=64).digest()
    return tuple(int.from_bytes(data[at : at + 4], "little") for at in range(0, 64, 4))


def word(seed: int, source: str, number: int) -> int:
    """Word ``number`` of a source, from 0."""
    return block(seed, source, number // 16)[number % 16]


def pick(drawn: int, weights: Sequence[int]) -> int:
    """The index of the outcome that a word picks."""
    sums = list(accumulate(weights))
    return bisect_right(sums, drawn * sums[-1] >> 32)


@dataclass
class Chance:
    """A seed, and how many words each source has given."""

    seed: int
    counters: dict[str, int] = field(default_factory=dict)

    def take(self, source: str) -> int:
        """The next word of a source."""
        number = self.counters.get(source, 0)
        self.counters[source] = number + 1
        return word(self.seed, source, number)

    def outcome(self, source: str, outcomes: Sequence[Weighted]) -> Value:
        """What the next event of a source brings; ``outcomes`` are merged and in order."""
        drawn = self.take(source)
        return outcomes[pick(drawn, [weight for _, weight in outcomes])][0]

    def choice(self, seat: int, options: int) -> int:
        """The index that the policy ``random`` takes in ``simulate``."""
        if options == 1:
            return 0
        return self.take(f"policy:{seat}") * options >> 32


def choice_at(seed: int, seat: int, answered: int, options: int) -> int:
    """The index that a bot ``random`` takes in ``play``, where its seat has answered so often."""
    return word(seed, f"policy:{seat}", answered) * options >> 32


def pile_source(field: str, owner: str = "") -> str:
    """The source of a draw: the field's whole name, and the label of its owner if it has one."""
    return f"pile:{field}:{owner}" if owner else f"pile:{field}"


# ------------------------------------------------------------------ outcomes


def canonical(names: Names) -> Callable[[Value], tuple[Any, ...]]:
    """A key for sorting by canonical order; ``names`` has the values of types, as declared."""

    def rank(value: Value) -> tuple[Any, ...]:
        if value is None:
            return (0,)
        if isinstance(value, bool | int):
            return (1, int(value))
        if isinstance(value, str):
            return (3, value)
        if isinstance(value, list):
            return (6, [rank(item) for item in value])
        if "effect" in value:
            return (4, value["effect"], [rank(item) for item in value["arguments"]])
        if "script" in value:
            return (5, value["script"])
        domain, key = value["of"], value["key"]
        return (2, domain, names[domain].index(key) if domain in names else key)

    return rank


def merged(outcomes: Iterable[Value], rank: Callable[[Value], tuple[Any, ...]]) -> list[Weighted]:
    """Equal outcomes as one, with their number as weight, in canonical order."""
    together: list[tuple[Value, int]] = []
    for value in sorted(outcomes, key=rank):
        if together and rank(together[-1][0]) == rank(value):
            value, weight = together.pop()
            together.append((value, weight + 1))
        else:
            together.append((value, 1))
    return together


# ------------------------------------------------------------------ piles


@dataclass
class Pile:
    """A top in known order, a pool in unknown order, a bottom in known order; upper cards first."""

    top: list[Value] = field(default_factory=list)
    pool: list[Value] = field(default_factory=list)
    bottom: list[Value] = field(default_factory=list)

    def outcomes(self, rank: Callable[[Value], tuple[Any, ...]]) -> list[Weighted]:
        """What a draw may bring; nothing if the pile is empty."""
        if self.top:
            return [(self.top[0], 1)]
        if self.pool:
            return merged(self.pool, rank)
        return [(card, 1) for card in self.bottom[:1]]

    def place(self, cards: Sequence[Value], end: str = "pool") -> None:
        """Cards come in, in the order in which they are said."""
        if end == "top":
            self.top = [*cards, *self.top]
        elif end == "bottom":
            self.bottom = [*self.bottom, *cards]
        else:
            self.pool = [*self.pool, *cards]

    def remove(self, card: Value) -> None:
        """The uppermost copy leaves: of the top, else one of the pool, else of the bottom."""
        for part in (self.top, self.pool, self.bottom):
            if card in part:
                part.remove(card)
                return
        raise ValueError(f"{card} is not here")

    def mix(self, others: Iterable[Value] = ()) -> None:
        """Everything is pool."""
        self.pool = [*self.top, *self.pool, *self.bottom, *others]
        self.top, self.bottom = [], []
