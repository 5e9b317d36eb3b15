"""Open events: what a suspended game waits for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulelang.engine.chance import merged
from rulelang.program.instructions import Choose, Offer
from rulelang.program.values import Entry, Value, contents_label, label_of, text_of

if TYPE_CHECKING:
    from rulelang.engine.machine import Frame, Machine

Group = tuple[Offer, Sequence[Value]]
Settle = Callable[["Machine", list[Any], Value], int]
"""Carries out an outcome; the place at which the rule goes on."""


class Question:
    """A decision: a seat picks one of several options.

    Texts are made only when someone reads them.
    """

    __slots__ = ("count", "frame", "groups", "instruction", "keyless", "player")

    def __init__(
        self,
        frame: Frame,
        instruction: Choose,
        player: Entry,
        groups: list[Group],
        count: int,
        keyless: frozenset[str],
    ) -> None:
        self.frame = frame
        self.instruction = instruction
        self.player = player
        self.groups = groups
        self.count = count
        """The number of options, a refusal among them."""
        self.keyless = keyless
        """The kinds whose entries stand inside others: they are called by what they say."""

    def option(self, index: int) -> tuple[Offer | None, Value]:
        """The offer and the value of an option; None for the refusal, which comes last."""
        for offer, values in self.groups:
            if index < len(values):
                return offer, values[index]
            index -= len(values)
        return None, None

    def options(self) -> Iterator[tuple[Offer | None, Value]]:
        """The offer and the value of every option, in order."""
        for offer, values in self.groups:
            for value in values:
                yield offer, value
        if self.instruction.decline is not None:
            yield None, None

    def labels(self) -> list[str]:
        """Stable labels, each unique: equal ones are numbered."""
        return _numbered([self._label(offer, value) for offer, value in self.options()])

    def texts(self) -> list[str]:
        """The options for a person."""
        return [_text(offer, value) for offer, value in self.options()]

    def _label(self, offer: Offer | None, value: Value) -> str:
        if offer is None:
            return "decline"
        if offer.source is None:
            return offer.label
        keyless = isinstance(value, Entry) and value.domain in self.keyless
        label = contents_label(value) if keyless else label_of(value)
        return f"{offer.label} {label}" if offer.label else label

    def clone(self, frame: Frame) -> Question:
        """The same decision, asked by a copy of the frame."""
        return Question(frame, self.instruction, self.player, self.groups, self.count, self.keyless)


def _text(offer: Offer | None, value: Value) -> str:
    if offer is None:
        return "No"
    if not offer.label:
        return described(value)
    return offer.text if offer.source is None else f"{offer.text}: {described(value)}"


def described(value: Value) -> str:
    """A value for a person; an entry known by a number with its title."""
    if isinstance(value, Entry):
        if value.text == value.label or value.key == value.label:
            return value.text
        return f"{value.text} ({value.key})" if not isinstance(value.key, str) else value.text
    if isinstance(value, tuple):
        return ", ".join(described(item) for item in value) or "none"
    return text_of(value)


def _numbered(labels: list[str]) -> list[str]:
    seen: dict[str, int] = {}
    unique = []
    for label in labels:
        seen[label] = seen.get(label, 0) + 1
        unique.append(label if seen[label] == 1 else f"{label} #{seen[label]}")
    return unique


class Chance:
    """A chance event: one of several outcomes, with integer weights. Equal outcomes are one.

    ``source`` names the random words; ``pool`` has all outcomes in canonical order, equal ones as
    often as they are likely.
    """

    __slots__ = ("frame", "outcomes", "settle", "source", "total", "weights")

    def __init__(self, frame: Frame, source: str, pool: Sequence[Value], settle: Settle) -> None:
        self.frame = frame
        self.source = source
        self.settle = settle
        self.outcomes, self.weights = merged(pool)
        self.total = len(pool)

    @property
    def count(self) -> int:
        """The number of different outcomes."""
        return len(self.outcomes)

    def probability(self, index: int) -> Fraction:
        """The exact chance of an outcome."""
        return Fraction(self.weights[index], self.total)

    def index_of(self, place: int) -> int:
        """The outcome that holds the given place of ``total`` equally likely ones."""
        for index, weight in enumerate(self.weights):
            if place < weight:
                return index
            place -= weight
        raise AssertionError(place)

    def labels(self) -> list[str]:
        """The outcomes' labels."""
        return _numbered([label_of(value) for value in self.outcomes])

    def texts(self) -> list[str]:
        """The outcomes for a person."""
        return [described(value) for value in self.outcomes]

    def clone(self, frame: Frame) -> Chance:
        """The same event in a copy of the frame."""
        copy = Chance.__new__(Chance)
        copy.frame, copy.source, copy.settle = frame, self.source, self.settle
        copy.outcomes, copy.weights, copy.total = self.outcomes, self.weights, self.total
        return copy


Event = Question | Chance
"""What stops a running rule."""
