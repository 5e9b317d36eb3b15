"""Checking what is asked of a seat or of chance: choices, offers and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve, frozen

from rulelang.checker.comprehensions import bind
from rulelang.checker.facts import Fact
from rulelang.checker.part import Part
from rulelang.checker.places import target_of, zone_of
from rulelang.checker.scope import Variable
from rulelang.diagnostic import Note, Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import BAD, FLAG, NONE, Many, Named, Type, either
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    pass


@frozen
class Inside:
    """The names and facts that hold in the body of an offer."""

    names: dict[str, Variable]
    facts: list[Fact]


class Choices(Part):
    """The part of the statement checker that is about decisions and draws."""

    # ------------------------------------------------------------ one choice

    def choose(self, node: t.Choose) -> bool:
        """``choose x from S where c by p``: one option for each candidate."""
        by = self.expressions.check(node.by, Named("Player"))
        chosen, end, none = self.out.label(), self.out.label(), self.out.label()
        outer = dict(self.scope.names), list(self.scope.facts)
        binder = t.Binder(node.name.span, node.name, node.source, node.condition)
        slot, source, condition, item = bind(self.expressions, binder)
        handled = node.may or node.otherwise is not None
        if not handled and not self._is_certain(node, source):
            self._may_be_empty(node.span)
        prompt = node.prompt.value if node.prompt is not None else "Choose"
        offer = i.Offer("", "", slot, source, condition, chosen)
        declined, empty = none if node.may else None, none if handled else None
        self.out.emit(i.Choose(node.span, by, prompt, (offer,), declined, empty))
        self.out.mark(chosen)
        with self.scope.paths():
            stays = node.body is None or self.statements.path(node.body)
            if stays:
                self.out.emit(i.Jump(node.span, end))
            inside = self.scope.names, self.scope.facts
            self.scope.names, self.scope.facts = outer
            self.out.mark(none)
            without = self._otherwise(node.otherwise)
        if node.body is None:
            self._name_behind(node.name, slot, item, inside, handled and without)
        self.out.mark(end)
        return stays or without

    def _name_behind(
        self,
        name: t.Name,
        slot: int,
        kind: Type,
        inside: tuple[dict[str, Variable], list[Fact]],
        may_lack: bool,
    ) -> None:
        """Behind the statement its name stands for what was chosen or drawn, or for none."""
        self.scope.names = inside[0]
        if not may_lack:
            self.scope.facts = inside[1]
            return
        self.out.emit(i.Set(name.span, slot, x.Const(NONE, name.span, None)))
        variable = self.scope.names[name.text]
        self.scope.names[name.text] = evolve(variable, type=either(kind, NONE))

    def _otherwise(self, otherwise: t.Body | None) -> bool:
        return True if otherwise is None else self.statements.path(otherwise)

    def _is_certain(self, node: t.Choose, source: x.Expr) -> bool:
        return node.condition is None and self.expressions.nonempty(node.source, source)

    def _may_be_empty(self, span: Span) -> None:
        self.context.report(
            "R402",
            "there may be nothing to choose",
            span,
            help="Say what happens then: `else return`, `may choose`, "
            "or ask first `if … is not empty`.",
        )

    # ------------------------------------------------------------ several offers

    def choose_offer(self, node: t.ChooseOffer) -> bool:
        """``choose by p`` with several offers: one decision over all of them."""
        by = self.expressions.check(node.by, Named("Player"))
        end, none = self.out.label(), self.out.label()
        checked = [(*self.offer(offer), offer) for offer in node.offers]
        handled = node.may or node.otherwise is not None
        certain = any(o.source is None and o.condition is None for o, _, _ in checked)
        if not handled and not certain:
            self._may_be_empty(node.span)
        self._same_labels(node.offers)
        prompt = node.prompt.value if node.prompt is not None else "Choose"
        offers = tuple(offer for offer, _, _ in checked)
        declined, empty = none if node.may else None, none if handled else None
        self.out.emit(i.Choose(node.span, by, prompt, offers, declined, empty))
        reached = False
        with self.scope.paths():
            for offer, inside, written in checked:
                self.out.mark(offer.to)
                if self.inside(inside, written.body):
                    reached = True
                    self.out.emit(i.Jump(written.span, end))
            self.out.mark(none)
            if handled:
                reached = self._otherwise(node.otherwise) or reached
        self.out.mark(end)
        return reached

    def offer(self, node: t.Offer) -> tuple[i.Offer, Inside]:
        """One offer, and what its body knows."""
        with self.scope.block():
            slot = source = None
            condition: x.Expr | None = None
            if node.binder is not None:
                slot, source, condition, _ = bind(self.expressions, node.binder)
            if node.condition is not None:
                when = self.expressions.condition(node.condition)
                self.scope.learn(node.condition)
                condition = _both(condition, when, node.span)
            label = node.label.text
            text = node.text.value if node.text is not None else label.replace("_", " ")
            offer = i.Offer(label, text, slot, source, condition, self.out.label())
            inside = Inside(dict(self.scope.names), list(self.scope.facts))
        return offer, inside

    def inside(self, inside: Inside, body: t.Body) -> bool:
        """Check the body of an offer; does it come to its end?"""
        with self.scope.block():
            self.scope.names, self.scope.facts = dict(inside.names), list(inside.facts)
            return self.statements.path(body)

    def _same_labels(self, offers: tuple[t.Offer, ...]) -> None:
        seen: dict[str, t.Name] = {}
        for offer in offers:
            known = seen.setdefault(offer.label.text, offer.label)
            if known is not offer.label:
                note = Note(known.span, "the first one")
                message = f"two offers are called `{offer.label.text}`"
                self.context.report("N202", message, offer.label.span, notes=[note])

    # ------------------------------------------------------------ draws

    def draw(self, node: t.Draw) -> bool:
        """``draw c from pile to zone``: a chance event over the cards that may be on top."""
        start = zone_of(self.expressions, node.source, "drawn from")
        item = start.type.item if start is not None and isinstance(start.type, Many) else None
        target = target_of(self.expressions, node.target, item)
        if start is not None and isinstance(start.type, Many) and start.type.form != "pile":
            self.context.report("T305", "cards are drawn from a pile", node.source.span)
            start = None
        if start is None or target is None or item is None:
            return self._after_error(node)
        handled = node.body is not None or node.otherwise is not None
        if not handled and not self.scope.known(node.source, "not empty"):
            self.context.report(
                "R402",
                "there may be nothing to draw",
                node.span,
                help="Say what happens then: `else return`, or ask first `if … is not empty`.",
            )
        end, none = self.out.label(), self.out.label()
        outer = dict(self.scope.names), list(self.scope.facts)
        slot = None
        if node.name is not None:
            slot = self.scope.bind(node.name, item, wanted=True)
        place = none if handled else None
        self.out.emit(i.Draw(node.span, slot, start, target[0], target[1], place))
        with self.scope.paths():
            stays = self.statements.path(node.body) if node.body is not None else True
            self.out.emit(i.Jump(node.span, end))
            inside = self.scope.names, self.scope.facts
            self.scope.names, self.scope.facts = outer
            self.out.mark(none)
            without = self._otherwise(node.otherwise)
        if node.body is None and node.name is not None and slot is not None:
            self._name_behind(node.name, slot, item, inside, handled and without)
        self.out.mark(end)
        return stays or without

    def _after_error(self, node: t.Draw) -> bool:
        """Check what follows a draw that was reported, with a name that fits everywhere."""
        with self.scope.block():
            if node.name is not None:
                self.scope.bind(node.name, BAD)
            if node.body is not None:
                self.statements.body(node.body)
        if node.name is not None and node.body is None:
            self.scope.bind(node.name, BAD)
        if node.otherwise is not None:
            self.statements.body(node.otherwise)
        return True


def _both(one: x.Expr | None, other: x.Expr, span: Span) -> x.Expr:
    return other if one is None else x.Op(FLAG, span, "and", (one, other))
