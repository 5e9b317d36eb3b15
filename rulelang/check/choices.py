"""Checking what is asked of a seat or of chance: choices, offers and draws."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.check.places import target_of, zone_of
from rulelang.check.questions import bind
from rulelang.check.scope import Fact, Variable
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import FLAG, Many, Named
from rulelang.syntax import tree as t

if TYPE_CHECKING:
    from rulelang.check.statements import Statements


class Choices:
    """The part of the statement checker that is about decisions and draws."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.context = statements.context
        self.scope = statements.scope
        self.expressions = statements.expressions
        self.out = statements.out

    def choose(self, node: t.Choose) -> bool:
        """``choose x from S where c by p``: one option for each candidate."""
        by = self.expressions.check(node.by, Named("Player"))
        chosen, end, none = self.out.label(), self.out.label(), self.out.label()
        binder = t.Binder(node.name.span, node.name, node.source, node.condition)
        names, facts = dict(self.scope.names), list(self.scope.facts)
        slot, source, condition, _ = bind(self.expressions, binder)
        offer = i.Offer("", "", slot, source, condition, chosen)
        handled = node.may or node.otherwise is not None or node.body is not None
        if not handled and not (node.condition is None and self.expressions.nonempty(node.source, source)):
            self._may_be_empty(node.span)
        prompt = node.prompt.value if node.prompt is not None else "Choose"
        place = none if handled else None
        self.out.emit(i.Choose(node.span, by, prompt, (offer,), none if node.may else None, place))
        self.out.mark(chosen)
        if node.body is not None:
            reached = self.statements.body(node.body)
            if reached:
                self.out.emit(i.Jump(node.span, end))
            self.scope.names, self.scope.facts = names, facts
            self.out.mark(none)
            reached = self._otherwise(node.otherwise) or reached
        else:
            reached = True
            self.out.emit(i.Jump(node.span, end))
            self.out.mark(none)
            if node.otherwise is not None and self._otherwise(node.otherwise):
                self._unbound(node.otherwise, node.name)
        self.out.mark(end)
        return reached

    def _otherwise(self, otherwise: t.Body | None) -> bool:
        return True if otherwise is None else self.statements.body(otherwise)

    def _unbound(self, otherwise: t.Body, name: t.Name) -> None:
        self.context.report(
            "R402", f"behind this `else`, `{name.text}` has no value", otherwise.span,
            help=f"Leave here (`else return`), or indent what needs `{name.text}` below the choice.",
        )  # fmt: skip

    def _may_be_empty(self, span: Span) -> None:
        self.context.report(
            "R402", "there may be nothing to choose", span,
            help="Say what happens then: `else return`, `may choose`, or ask first `if … is not empty`.",
        )  # fmt: skip

    def choose_offer(self, node: t.ChooseOffer) -> bool:
        """``choose by p`` with several offers: one decision over all of them."""
        by = self.expressions.check(node.by, Named("Player"))
        end, none = self.out.label(), self.out.label()
        checked = [self.offer(offer) for offer in node.offers]
        certain = any(o.source is None and o.condition is None for o, _ in checked)
        handled = node.may or node.otherwise is not None
        if not handled and not certain:
            self._may_be_empty(node.span)
        prompt = node.prompt.value if node.prompt is not None else "Choose"
        self._same_labels(node.offers)
        offers = tuple(offer for offer, _ in checked)
        self.out.emit(i.Choose(node.span, by, prompt, offers, none if node.may else None, none if handled else None))
        reached = False
        for (offer, (names, facts)), written in zip(checked, node.offers, strict=True):
            self.out.mark(offer.to)
            outer = dict(self.scope.names), list(self.scope.facts)
            self.scope.names, self.scope.facts = names, facts
            if self.statements.body(written.body):
                reached = True
                self.out.emit(i.Jump(written.span, end))
            self.scope.names, self.scope.facts = outer
        self.out.mark(none)
        if handled:
            reached = self._otherwise(node.otherwise) or reached
        self.out.mark(end)
        return reached

    def offer(self, node: t.Offer) -> tuple[i.Offer, tuple[dict[str, Variable], list[Fact]]]:
        with self.scope.block():
            slot = source = condition = None
            if node.binder is not None:
                slot, source, condition, _ = bind(self.expressions, node.binder)
            if node.condition is not None:
                when = self.expressions.condition(node.condition)
                self.scope.learn(node.condition)
                condition = when if condition is None else x.Op(FLAG, node.span, "and", (condition, when))
            text = node.text.value if node.text is not None else node.label.text.replace("_", " ")
            offer = i.Offer(node.label.text, text, slot, source, condition, self.out.label())
            inside = dict(self.scope.names), list(self.scope.facts)
        return offer, inside

    def _same_labels(self, offers: tuple[t.Offer, ...]) -> None:
        seen: dict[str, t.Offer] = {}
        for offer in offers:
            if offer.label.text in seen:
                self.context.report("N202", f"two offers are called `{offer.label.text}`", offer.label.span)
            seen[offer.label.text] = offer

    def draw(self, node: t.Draw) -> bool:
        """``draw c from pile to zone``: a chance event over the cards that may be on top."""
        source = zone_of(self.expressions, node.source, "drawn from")
        item = source.type.item if source is not None and isinstance(source.type, Many) else None
        target = target_of(self.expressions, node.target, item)
        if source is not None and isinstance(source.type, Many) and source.type.form != "pile":
            self.context.report("T305", "cards are drawn from a pile", node.source.span)
            return True
        if source is None or target is None or item is None:
            return True
        handled = node.body is not None or node.otherwise is not None
        if not handled and not self.scope.known(node.source, "not empty"):
            self.context.report(
                "R402", "there may be nothing to draw", node.span,
                help="Say what happens then: `else return`, or ask first `if … is not empty`.",
            )  # fmt: skip
        end, none = self.out.label(), self.out.label()
        names, facts = dict(self.scope.names), list(self.scope.facts)
        slot = self.scope.bind(node.name, item) if node.name is not None else None
        place = none if handled else None
        self.out.emit(i.Draw(node.span, slot, source, target[0], target[1], place))
        reached = True
        if node.body is not None:
            reached = self.statements.body(node.body)
            self.scope.names, self.scope.facts = names, facts
        self.out.emit(i.Jump(node.span, end))
        self.out.mark(none)
        if node.otherwise is not None and self._otherwise(node.otherwise) and node.body is None and node.name is not None:
            self._unbound(node.otherwise, node.name)
        self.out.mark(end)
        return reached or node.body is not None
