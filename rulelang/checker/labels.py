"""What scenarios say that comes up or is picked: labels that nothing in the game could have.

Whether it can come up where it stands is for the scenario to find out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property

from attrs import Factory, define

from rulelang.checker.context import Context, plain
from rulelang.checker.lowered import Calls, expressions
from rulelang.diagnostic import did_you_mean, suggest
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Program
from rulelang.program.types import Many, Named, Num, Type, members
from rulelang.program.values import contents_label, label_of
from rulelang.syntax import tree as t

_NUMBERED = re.compile(r"_#\d+$")
_FIGURE = re.compile(r"(?:(.*)_)?\d+")
DECLINE = "decline"


@define(slots=False)
class Known:
    """The labels that options or outcomes may have."""

    program: Program
    offers: set[str] = Factory(set)
    """Options by themselves; and what stands before the value of others."""
    values: set[str] = Factory(set)
    numbers: bool = False
    anything: bool = False
    """Is there something whose labels are not known: lists, texts, effects?"""

    def add(self, kind: Type) -> None:
        """Options or outcomes may be values of a type."""
        for member in members(kind):
            if isinstance(member, Num):
                self.numbers = True
            elif isinstance(member, Named):
                self._add_entries(member.domain)
            else:
                self.anything = True

    def _add_entries(self, domain: str) -> None:
        kind = self.program.kinds.get(domain)
        for entry in self.program.domains[domain].entries:
            self.values |= {plain(entry.label), plain(entry.text)}
            if kind is not None and not kind.key:
                self.values.add(plain(contents_label(entry)))

    def has(self, text: str) -> bool:
        """May something have the label, or one that ends with it?"""
        wanted = _NUMBERED.sub("", plain(text))
        figure = _FIGURE.fullmatch(wanted) if self.numbers else None
        if self.anything or (figure and (figure[1] is None or figure[1] in self.offer_ends)):
            return True
        if wanted in self.ends or wanted in self.offer_ends:
            return True
        words = wanted.split("_")
        return any(
            "_".join(words[at:]) in self.values and "_".join(words[:at]) in self.offer_ends
            for at in range(1, len(words))
        )

    @cached_property
    def ends(self) -> set[str]:
        """The labels of values, and the words at the end of each."""
        return {end for value in self.values for end in _ends(value)}

    @cached_property
    def offer_ends(self) -> set[str]:
        """What options may be called by themselves, and the words at the end of each."""
        return {end for offer in self.offers for end in _ends(offer)}


def _ends(label: str) -> Iterator[str]:
    words = label.split("_")
    return ("_".join(words[at:]) for at in range(len(words)))


def check(context: Context, calls: Calls, nodes: Sequence[t.Scenario]) -> None:
    """Report what scenarios expect that can never come up, or never be picked."""
    if not nodes:
        return
    picked, rolled, drawn = _known(calls)
    for scenario in nodes:
        for step in scenario.steps:
            match step:
                case t.Scripted(word="roll"):
                    _each(context, step.outcomes, rolled, "no die of this game shows")
                case t.Scripted():
                    _each(context, step.outcomes, drawn, "no pile of this game can have")
                case t.Answer():
                    _each(context, (step.label,), picked, "no decision of this game offers")
                case t.Offers():
                    _each(context, step.labels, picked, "no decision of this game offers")


def _each(context: Context, labels: Sequence[t.Label], known: Known, what: str) -> None:
    for label in labels:
        if not known.has(label.text):
            near = suggest(plain(label.text), sorted(known.offers | known.values))
            help = did_you_mean(near) or "Outcomes are written by their labels."
            context.report("C508", f"{what} `{label.text}`", label.span, help=help)


def _known(calls: Calls) -> tuple[Known, Known, Known]:
    """What may be picked, rolled and drawn."""
    picked, rolled, drawn = (Known(calls.program) for _ in range(3))
    for domain in calls.program.domains:
        for known in (picked, rolled, drawn):
            known.add(Named(domain))
    for instruction in _instructions(calls):
        match instruction:
            case i.Choose():
                _options(instruction, picked)
            case i.Roll():
                _faces(instruction, rolled)
            case i.Draw(source=i.Place(type=Many() as kind)):
                drawn.add(kind.item)
    return picked, rolled, drawn


def _instructions(calls: Calls) -> Iterator[i.Instruction]:
    for codes in calls.codes.values():
        for code in codes:
            yield from code.instructions


def _options(choose: i.Choose, known: Known) -> None:
    if choose.decline is not None:
        known.offers.add(DECLINE)
    for offer in choose.offers:
        if offer.label:
            known.offers.add(plain(offer.label))
        if offer.source is not None:
            kind = offer.source.type
            known.add(kind.item if isinstance(kind, Many) else kind)


def _faces(roll: i.Roll, known: Known) -> None:
    for expr in expressions(roll.faces):
        if isinstance(expr, x.Const) and isinstance(expr.value, tuple):
            known.values |= {plain(label_of(face)) for face in expr.value}
            return
    kind = roll.faces.type
    known.add(kind.item if isinstance(kind, Many) else kind)
