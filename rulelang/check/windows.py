"""Moments: windows in which players may play something, lowered to a rule of their own.

The window asks the seats in order, from the one whose moment it is; after each play it begins anew, and
it closes when all have declined in a row. Who has nothing to play is not asked.
"""

from __future__ import annotations

from attrs import evolve

from rulelang.check.context import Context
from rulelang.check.scope import Scope, Variable
from rulelang.check.statements import Statements
from rulelang.check.typing import resolve
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program import program as p
from rulelang.program.instructions import Code
from rulelang.program.types import ANY_NUM, FLAG, Many, Named, Num
from rulelang.syntax import tree as t

PLAYER = Named("Player")


def windows(context: Context, nodes: list[t.During]) -> None:
    """Lower every moment with what may be played in it."""
    for node in nodes:
        if node.moment.text not in context.moments:
            context.report_unknown(node.moment.text, node.moment.span, "moment", context.moments)
    for name, moment in context.moments.items():
        offered = [node for node in nodes if node.moment.text == name]
        for mode in context.program.modes:
            here = [n for n in offered if not n.modes or mode in {m.text for m in n.modes}]
            code = _Window(context, moment, here, quiet=mode != next(iter(context.program.modes))).lower()
            context.program.rules.setdefault(code.name, []).append(p.Rule(code, (mode,)))


class _Window:
    def __init__(self, context: Context, moment: t.Moment, offered: list[t.During], *, quiet: bool) -> None:
        self.context = context
        self.moment = moment
        self.offered = offered
        self.quiet = quiet
        self.span = moment.name.span
        self.scope = Scope(context)

    def lower(self) -> Code:
        reported, cited = len(self.context.diagnostics), len(self.context.program.citations)
        code = self._lower()
        if self.quiet:  # the same lines were checked for the first mode
            del self.context.diagnostics[reported:]
            del self.context.program.citations[cited:]
        return code

    def _lower(self) -> Code:
        scope, span = self.scope, self.span
        name = f"moment {self.moment.name.text}"
        subject = None
        if self.moment.subject is not None:
            subject = resolve(self.context, self.moment.subject.type)
            scope.bind(self.moment.subject.name, subject)
        statements = Statements(self.context, scope, None, "rule", name)
        out = statements.out
        players = x.Read(Many("list", PLAYER), span, "players", None, "")
        first: x.Expr = x.Op(PLAYER, span, "first", (players,))
        if subject == PLAYER:
            first = x.Local(PLAYER, span, 0, "")
        seat, declined = scope.slot(), scope.slot()
        zero, one = x.Const(Num(0, 0), span, 0), x.Const(Num(1, 1), span, 1)
        count = x.Local(ANY_NUM, span, declined, "")
        begin, again, done, decline = out.label(), out.label(), out.label(), out.label()
        out.mark(begin)
        out.emit(i.Set(span, seat, first))
        out.emit(i.Set(span, declined, zero))
        out.mark(again)
        asked = x.Op(FLAG, span, "<", (count, x.Op(ANY_NUM, span, "size", (players,))))
        out.emit(i.Branch(span, asked, done))
        checked = [(node, offer, *self._offer(statements, node, offer, seat)) for node in self.offered for offer in node.offers]
        prompt = self.moment.text.value if self.moment.text is not None else "Play something?"
        by = x.Local(PLAYER, span, seat, "")
        out.emit(i.Choose(span, by, prompt, tuple(made for _, _, made, _ in checked), decline, decline))
        for node, offer, made, names in checked:
            out.mark(made.to)
            out.cite(self.context.cite(node.cites, "rule", name))
            outer = dict(scope.names)
            scope.names = names
            if statements.body(offer.body):
                out.emit(i.Jump(offer.span, begin, loop=True))
            scope.names = outer
        out.mark(decline)
        out.emit(i.Set(span, declined, x.Op(ANY_NUM, span, "+", (count, one))))
        out.emit(i.Set(span, seat, x.Op(PLAYER, span, "next", (players, by))))
        out.emit(i.Jump(span, again, loop=True))
        out.mark(done)
        out.emit(i.Give(span, None))
        parameters = (self.moment.subject.name.text,) if self.moment.subject is not None else ()
        domain = subject.domain if isinstance(subject, Named) else ""
        return Code(name, parameters, scope.slots, out.finish(), span, subject=domain)

    def _offer(
        self, statements: Statements, node: t.During, offer: t.Offer, seat: int
    ) -> tuple[i.Offer, dict[str, Variable]]:
        with self.scope.block():
            if node.player is not None:
                self.scope.names[node.player.text] = Variable(node.player.text, seat, PLAYER, node.player.span, True)
            condition = None
            if node.condition is not None:
                condition = statements.expressions.condition(node.condition)
            made, (names, _) = statements.choices.offer(offer)
        if condition is not None:
            both = condition if made.condition is None else x.Op(FLAG, offer.span, "and", (condition, made.condition))
            made = evolve(made, condition=both)
        return made, names
