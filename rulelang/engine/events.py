"""Open events: what a suspended game waits for."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from rulelang.program.instructions import Choose, Draw, Offer, Roll
from rulelang.program.values import Entry, Value, label_of, order_key, text_of

if TYPE_CHECKING:
    from rulelang.engine.machine import Frame

Group = tuple[Offer, Sequence[Value]]


class Question:
    """A decision: a seat picks one of several options. Texts are made only when someone reads them."""

    __slots__ = ("count", "frame", "groups", "instruction", "player")

    def __init__(
        self, frame: Frame, instruction: Choose, player: Entry, groups: list[Group], count: int
    ) -> None:
        self.frame = frame
        self.instruction = instruction
        self.player = player
        self.groups = groups
        self.count = count
        """The number of options, a refusal among them."""

    def option(self, index: int) -> tuple[Offer | None, Value]:
        """The offer and the value of an option; None for the refusal, which comes last."""
        for offer, values in self.groups:
            if index < len(values):
                return offer, values[index]
            index -= len(values)
        return None, None

    def labels(self) -> list[str]:
        """Stable labels, each unique: equal ones are numbered."""
        found: list[str] = []
        for index in range(self.count):
            found.append(self._label(*self.option(index)))
        return _numbered(found)

    def texts(self) -> list[str]:
        """The options for a person."""
        return [self._text(*self.option(index)) for index in range(self.count)]

    def _label(self, offer: Offer | None, value: Value) -> str:
        if offer is None:
            return "decline"
        if not offer.label:
            return _value_label(value)
        return offer.label if offer.source is None else f"{offer.label} {_value_label(value)}"

    def _text(self, offer: Offer | None, value: Value) -> str:
        if offer is None:
            return "No"
        if not offer.label:
            return described(value)
        return offer.text if offer.source is None else f"{offer.text}: {described(value)}"


def _value_label(value: Value) -> str:
    """Entries without a key of their own (boxes on a card) are called by what they say."""
    if isinstance(value, Entry) and value.key == value.label and value.text != value.label and " " in value.label:
        return value.text
    return label_of(value)


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
    """A chance event: one of several outcomes, with integer weights. Equal outcomes are one."""

    __slots__ = ("frame", "instruction", "outcomes", "source", "total", "weights")

    def __init__(self, frame: Frame, instruction: Draw | Roll, source: str, pool: Sequence[Value]) -> None:
        self.frame = frame
        self.instruction = instruction
        self.source = source
        weights: dict[Any, int] = {}
        for value in sorted(pool, key=order_key):
            weights[value] = weights.get(value, 0) + 1
        self.outcomes = tuple(weights)
        self.weights = tuple(weights.values())
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


Event = Question | Chance
