"""Piles of games that are played through: nobody keeps a copy, so that they may change in place."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.engine.compiler.support import Doubt
from rulelang.program.values import Entry, Pile, by_index


class Heap(list[Entry]):
    """Cards in a pile: on top in known order, a pool in unknown order, some below in known order.

    The list itself is the pool. It is in canonical order but for what lies loose, which is put in
    order before it counts. ``odd``: may there be something anywhere but in the list?
    """

    __slots__ = ("bottom", "loose", "odd", "top")

    def __init__(self, pool: Sequence[Entry]) -> None:
        self.extend(pool)
        self.top: list[Entry] = []
        self.bottom: list[Entry] = []
        self.loose: list[Entry] = []
        self.odd = False

    @staticmethod
    def of(pile: Pile) -> Heap:
        """A pile that may be changed."""
        heap = Heap(pile.pool)
        heap.top += pile.top
        heap.bottom += pile.bottom
        heap.odd = bool(pile.top or pile.bottom)
        return heap

    def size(self) -> int:
        """How many cards there are."""
        return len(self) + len(self.top) + len(self.loose) + len(self.bottom)

    def all(self) -> tuple[Entry, ...]:
        """Every card, in canonical order."""
        self.settle()
        if not self.top and not self.bottom:
            return tuple(self)
        return tuple(sorted([*self.top, *self, *self.bottom], key=by_index))

    def settle(self) -> None:
        """Put the pool in order."""
        if self.loose:
            self += self.loose
            self.sort(key=by_index)
            self.loose = []

    def draw(self, word: int) -> Entry:
        """Take the topmost card, by a random word where it is not known."""
        if self.top:
            return self.top.pop(0)
        self.settle()
        self.odd = bool(self.bottom)
        if self:
            return self.pop(word * len(self) >> 32)
        return self.bottom.pop(0)

    def take(self, card: Entry) -> None:
        """Take a card out. Raises Doubt if it does not lie there."""
        for part in (self.top, self, self.loose, self.bottom):
            if card in part:
                part.remove(card)
                return
        raise Doubt

    def holds(self, card: Entry) -> bool:
        """Does the card lie there?"""
        return any(card in part for part in (self.top, self, self.loose, self.bottom))

    def mix(self, cards: Sequence[Entry]) -> None:
        """Put cards in, after which no order is known."""
        self.loose += [*self.top, *self.bottom, *cards]
        self.top, self.bottom = [], []
        self.odd = True

    def stir(self, cards: Sequence[Entry]) -> None:
        """The same, and put the pool in order at once: for piles in which no card lies anywhere
        else."""
        if cards:
            self += cards
            self.sort(key=by_index)

    def clear(self) -> None:
        """Take all cards away."""
        super().clear()
        self.top, self.bottom, self.loose = [], [], []


class Even(Heap):
    """A pile in whose list all lies, ever: it is made without more ado."""

    __slots__ = ()

    top = bottom = loose = ()  # type: ignore[assignment]
    odd = False
    __init__ = list.__init__
    clear = list.clear
