"""Random words, and what they mean.

Word *n* of a source is 32 bits of BLAKE2b over the seed, the source's name and the number of its
block of sixteen words. One source never depends on another; a place in the sequence is a number, so
a copy of all of chance is a copy of a few counters.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from struct import Struct

from rulelang.engine.fault import Fault
from rulelang.program.values import Entry, Value, exact

WORDS_PER_BLOCK = 16
_UNPACKED = Struct(f"<{WORDS_PER_BLOCK}I").unpack
MAX_WEIGHT = 65_536
"""The greatest sum of the weights of one event."""


def block(seed: int, source: str, number: int) -> tuple[int, ...]:
    """Sixteen words: the 64 bytes of BLAKE2b over ``seed:source:number`` (UTF-8), little-endian."""
    return _UNPACKED(blake2b(f"{seed}:{source}:{number}".encode()).digest())


def pick(word: int, total: int) -> int:
    """The outcome that a word stands for, of ``total`` equally likely ones: at most 65,536."""
    return (word * total) >> 32


def merged(pool: Sequence[Value]) -> tuple[tuple[Value, ...], tuple[int, ...]]:
    """The different outcomes of a pool in canonical order, and their weights. Raises Fault."""
    if len(pool) > MAX_WEIGHT:
        raise Fault(f"chance decides among {MAX_WEIGHT:,} outcomes at most, not {len(pool):,}")
    if set(map(type, pool)) == {Entry} and len(set(pool)) == len(pool):
        # As in most piles; an entry is equal to itself only.
        return tuple(pool), (1,) * len(pool)
    outcomes: dict[Value, Value] = {}
    weights: dict[Value, int] = {}
    for value in pool:
        key = exact(value)
        outcomes.setdefault(key, value)
        weights[key] = weights.get(key, 0) + 1
    return tuple(outcomes.values()), tuple(weights.values())


class Words:
    """The random words of one game: a counter for each source."""

    __slots__ = ("counters", "known", "seed")

    def __init__(self, seed: int, counters: dict[str, int] | None = None) -> None:
        self.seed = seed
        self.counters: dict[str, int] = {} if counters is None else counters
        self.known: dict[str, dict[int, int]] = {}
        """The last block of each source, its words by number: a memory, which copies share."""

    def word(self, source: str) -> int:
        """The next word of a source."""
        word = self.peek(source)
        self.skip(source)
        return word

    def pick(self, source: str, total: int) -> int:
        """The next outcome of a source, of ``total`` equally likely ones."""
        counters = self.counters
        try:  # one call in place of several: it is asked for every chance event
            number = counters[source]
            word = self.known[source][number]
        except LookupError:
            number = counters.get(source, 0)
            word = self._word(source, number)
        counters[source] = number + 1
        return (word * total) >> 32

    def _word(self, source: str, number: int) -> int:
        """A word whose block may not be known yet."""
        known = self.known.get(source)
        if known is None or number not in known:
            wanted = number // WORDS_PER_BLOCK
            words = block(self.seed, source, wanted)
            known = dict(enumerate(words, wanted * WORDS_PER_BLOCK))
            self.known[source] = known
        return known[number]

    def peek(self, source: str) -> int:
        """The next word of a source, which stays the next one."""
        return self._word(source, self.counters.get(source, 0))

    def skip(self, source: str) -> None:
        """Pass over a word: its event has been answered."""
        self.counters[source] = self.counters.get(source, 0) + 1

    def copy(self) -> Words:
        """An independent copy at the same place."""
        copied = Words.__new__(Words)
        copied.seed, copied.counters, copied.known = self.seed, self.counters.copy(), self.known
        return copied
