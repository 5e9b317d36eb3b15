"""Piles of games that are played through: nobody keeps a copy, so that they may change in place."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.engine.compiler.support import Doubt
from rulelang.program.values import Entry, Pile, by_index


class Heap:
    """Cards in a pile: on top in known order, a pool in unknown order, some below in known order.

    The pool is in canonical order but for what lies loose, which is put in order before it counts.
    ``odd``: may there be something anywhere but in the pool?
    """

    __slots__ = ("bottom", "loose", "odd", "pool", "top")

    def __init__(self, pile: Pile) -> None:
        self.top = list(pile.top)
        self.pool = list(pile.pool)
        self.bottom = list(pile.bottom)
        self.loose: list[Entry] = []
        self.odd = bool(self.top or self.bottom)

    def __len__(self) -> int:
        return len(self.top) + len(self.pool) + len(self.loose) + len(self.bottom)

    def all(self) -> tuple[Entry, ...]:
        """Every card, in canonical order."""
        self.settle()
        if not self.top and not self.bottom:
            return tuple(self.pool)
        return tuple(sorted([*self.top, *self.pool, *self.bottom], key=by_index))

    def settle(self) -> None:
        """Put the pool in order."""
        if self.loose:
            self.pool += self.loose
            self.pool.sort(key=by_index)
            self.loose = []

    def draw(self, word: int) -> Entry:
        """Take the topmost card, by a random word where it is not known."""
        if self.top:
            return self.top.pop(0)
        self.settle()
        self.odd = bool(self.bottom)
        if self.pool:
            return self.pool.pop(word * len(self.pool) >> 32)
        return self.bottom.pop(0)

    def take(self, card: Entry) -> None:
        """Take a card out. Raises Doubt if it does not lie there."""
        for part in (self.top, self.pool, self.loose, self.bottom):
            if card in part:
                part.remove(card)
                return
        raise Doubt

    def holds(self, card: Entry) -> bool:
        """Does the card lie there?"""
        return any(card in part for part in (self.top, self.pool, self.loose, self.bottom))

    def mix(self, cards: Sequence[Entry]) -> None:
        """Put cards in, after which no order is known."""
        self.loose += [*self.top, *self.bottom, *cards]
        self.top, self.bottom = [], []
        self.odd = True

    def clear(self) -> None:
        """Take all cards away."""
        self.top, self.pool, self.bottom, self.loose = [], [], [], []
