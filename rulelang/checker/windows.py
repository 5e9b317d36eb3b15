"""Moments: windows in which players may play something, lowered to a rule of their own.

The window asks the seats in order, from the one whose moment it is; after each play it begins anew,
and it closes when all have declined in a row. Who has nothing to play is not asked.
"""

from __future__ import annotations

from attrs import evolve

from rulelang.checker.choices import Inside
from rulelang.checker.context import Context
from rulelang.checker.scope import Scope
from rulelang.checker.statements import Statements
from rulelang.checker.typing import resolve
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program import program as p
from rulelang.program.instructions import Code
from rulelang.program.types import ANY_NUM, BAD, FLAG, Many, Named, Num
from rulelang.syntax import tree as t

PLAYER = Named("Player")


def moments(context: Context, nodes: list[t.Moment]) -> None:
    """The signatures of moments; each is opened like a rule."""
    for node in nodes:
        if not context.declare(node.name, "a moment"):
            continue
        name = node.name.text
        context.moments[name] = node
        context.cite(node.cites, "declaration", name)
        subject = None
        if node.subject is not None:
            subject = node.subject.name.text, resolve(context, node.subject.type)
        signature = p.Signature(f"moment {name}", (), subject, None)
        context.program.signatures[signature.name] = signature


def windows(context: Context, nodes: list[t.During]) -> None:
    """Lower every moment with what may be played in it."""
    for node in nodes:
        context.modes(node.modes)
        if node.moment.text not in context.moments:
            context.report_unknown(node.moment.text, node.moment.span, "moment", context.moments)
            context.cite(node.cites, "rule", node.moment.text)
    for name, moment in context.moments.items():
        offered = [node for node in nodes if node.moment.text == name]
        offered.sort(key=lambda node: [offer.label.text for offer in node.offers])  # no file order
        if offered:  # every line once; a mode may have only some of them
            _Window(context, moment, offered).lower()
        for mode in context.program.modes:
            here = [n for n in offered if not n.modes or mode in {m.text for m in n.modes}]
            with context.trial():
                code = _Window(context, moment, here).lower()
            context.program.rules.setdefault(code.name, []).append(p.Rule(code, (mode,)))


class _Window:
    def __init__(self, context: Context, moment: t.Moment, offered: list[t.During]) -> None:
        self.context = context
        self.moment = moment
        self.offered = offered
        self.span = moment.name.span
        self.scope = Scope(context)

    def lower(self) -> Code:
        """The rule that the moment becomes."""
        scope, span = self.scope, self.span
        name = f"moment {self.moment.name.text}"
        subject = self.context.program.signatures[name].subject
        kind = subject[1] if subject is not None else BAD
        if self.moment.subject is not None:
            scope.bind(self.moment.subject.name, kind)
        statements = Statements(self.context, scope, None, "rule", name)
        for node in self.offered:
            for offer in node.offers:
                statements.prepare(offer.body)
        out = statements.out
        players = x.Read(Many("list", PLAYER), span, "players", None, "")
        first: x.Expr = x.Op(PLAYER, span, "first", (players,))
        if kind == PLAYER:
            first = x.Local(PLAYER, span, 0, "")
        seat, declined = scope.slot(), scope.slot()
        count = x.Local(ANY_NUM, span, declined, "")
        begin, again, done, decline = out.label(), out.label(), out.label(), out.label()
        out.mark(begin)
        out.emit(i.Set(span, seat, first))
        out.emit(i.Set(span, declined, x.Const(Num(0, 0), span, 0)))
        out.mark(again)
        seats = x.Op(ANY_NUM, span, "size", (players,))
        out.emit(i.Branch(span, x.Op(FLAG, span, "<", (count, seats)), done))
        self._ask(statements, seat, begin, decline)
        out.mark(decline)
        one = x.Const(Num(1, 1), span, 1)
        out.emit(i.Set(span, declined, x.Op(ANY_NUM, span, "+", (count, one))))
        following = x.Op(PLAYER, span, "next", (players, x.Local(PLAYER, span, seat, "")))
        out.emit(i.Set(span, seat, following))
        out.emit(i.Jump(span, again, loop=True))
        scope.report_unused()
        out.mark(done)
        out.emit(i.Give(span, None))
        named = self.moment.subject
        parameters = (named.name.text,) if named is not None else ()
        domain = kind.domain if isinstance(kind, Named) else ""
        return Code(name, parameters, scope.slots, out.finish(), span, subject=domain)

    def _ask(self, statements: Statements, seat: int, begin: int, decline: int) -> None:
        """Ask one seat what it plays; then the window begins anew."""
        out, span = statements.out, self.span
        checked = [
            (node, offer, *self._offer(statements, node, offer, seat))
            for node in self.offered
            for offer in node.offers
        ]
        text = self.moment.text
        prompt = text.value if text is not None else "Play something?"
        by = x.Local(PLAYER, span, seat, "")
        offers = tuple(made for _, _, made, _ in checked)
        out.emit(i.Choose(span, by, prompt, offers, decline, decline))
        for node, offer, made, inside in checked:
            out.mark(made.to)
            out.cite(self.context.cite(node.cites, "rule", statements.name))
            if statements.choices.inside(inside, offer.body):
                out.emit(i.Jump(offer.span, begin, loop=True))

    def _offer(
        self, statements: Statements, node: t.During, offer: t.Offer, seat: int
    ) -> tuple[i.Offer, Inside]:
        player = node.player
        with self.scope.block():
            if player is not None:
                self.scope.bind(player, PLAYER)
                bound = self.scope.names[player.text]
                self.scope.names[player.text] = evolve(bound, slot=seat)
            condition = None
            if node.condition is not None:
                condition = statements.expressions.condition(node.condition)
                self.scope.learn(node.condition)
            made, inside = statements.choices.offer(offer)
        if condition is not None:
            both = condition
            if made.condition is not None:
                both = x.Op(FLAG, offer.span, "and", (condition, made.condition))
            made = evolve(made, condition=both)
        return made, inside
