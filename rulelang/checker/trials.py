"""Trials: a table for each kind on which one of its entries is tried by itself.

A trial is lowered to one rule: what is given, then what is done. The rule takes the entry, and for
each `given x: T` the list of the items that are given more.
"""

from __future__ import annotations

from attrs import define, field

from rulelang.checker.context import Context, overlap
from rulelang.checker.facts import changes_in
from rulelang.checker.givens import Givens
from rulelang.checker.scope import Scope
from rulelang.checker.statements import Statements
from rulelang.checker.typing import resolve
from rulelang.checker.wording import describe
from rulelang.diagnostic import Note, Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program import program as p
from rulelang.program.boards import ENDS
from rulelang.program.instructions import Code
from rulelang.program.types import BAD, Many, Named, Type, members
from rulelang.syntax import tree as t

_USAGE = "Write `when`, and the rule that is tried."


def trials(context: Context, nodes: list[t.Trial]) -> None:
    """All trials of the game; one of a kind for each mode at most."""
    known: list[tuple[str, tuple[str, ...], Span]] = []
    for node in nodes:
        made = _Trial(context, node)
        kind = made.kind
        if kind is None:
            continue
        span, modes = node.entry.span, tuple(mode.text for mode in node.modes)
        first = next((s for k, m, s in known if k == kind and overlap(m, modes)), None)
        if first is not None:
            context.report(
                "N202",
                f"two trials of {kind} are for one mode",
                span,
                notes=[Note(first, "the first one")],
                help="Trials of one kind are for modes of their own: `trial … in solo`.",
            )
        known.append((kind, modes, span))
        made.read(kind)


@define
class _Trial:
    context: Context
    node: t.Trial
    scope: Scope = field(init=False)
    statements: Statements = field(init=False)
    givens: Givens = field(init=False)
    kind: str | None = field(init=False)
    """The kind of the entries; None if it was reported."""
    items: list[Type] = field(factory=list)
    lists: dict[Span, int] = field(factory=dict)
    """The slots of the lists of items, by where their lines stand."""

    def __attrs_post_init__(self) -> None:
        self.scope = Scope(self.context)
        entry = self.node.entry
        self.kind = self._kind(resolve(self.context, entry.type))
        name = f"trial of {self.kind}"
        self.statements = Statements(self.context, self.scope, None, "trial", name)
        self.statements.expressions.referee = True
        self.givens = Givens(self.context, self.statements, None)

    def _kind(self, kind: Type) -> str | None:
        kinds = self.context.program.kinds
        keyed = [name for name in kinds if kinds[name].key not in ("", ENDS)]
        if isinstance(kind, Named) and kind.domain in keyed:
            return kind.domain
        if kind != BAD:
            message = f"entries of one kind are tried, and this is {describe(kind)}"
            help = f"One of: {', '.join(keyed)}." if keyed else None
            self.context.report("T301", message, self.node.entry.type.span, help=help)
        return None

    def read(self, kind: str) -> None:
        """Check the trial and enter it into the program."""
        context, node = self.context, self.node
        cites = context.cite(node.cites, "trial", kind)
        modes = context.modes(node.modes)
        self.scope.bind(node.entry.name, Named(kind), wanted=True)
        kits = [step for step in node.steps if isinstance(step, t.Kit)]
        for kit in kits:
            self.lists[kit.span] = self.scope.slot()
        given = self._steps()
        self.scope.report_unused()
        for mode in modes or context.program.modes:
            self.givens.check_start(mode, node.entry.span)
        out = self.statements.out
        out.emit(i.Give(node.span, None))
        names = (node.entry.name.text, *(f"{kit.item.name.text}#" for kit in kits))
        code = Code(
            self.statements.name, names, self.scope.slots, out.finish(), node.entry.span, cites,
            tuple(out.cites),
        )  # fmt: skip
        context.program.trials.append(
            p.Trial(
                kind,
                modes,
                self.givens.players,
                self.givens.options,
                tuple(self.items),
                code,
                len(out.instructions) - 1 if given is None else given,
                node.entry.span,
                cites,
            )
        )

    def _steps(self) -> int | None:
        """Check all lines; how many instructions set the table up, None if nothing is done."""
        given = None
        for step in self.node.steps:
            if isinstance(step, t.Begin):
                given = len(self.statements.out.instructions) if given is None else given
                self.statements.statement(step.perform)
                continue
            if given is not None:
                message = "the table is set up before anything is done"
                help = "Move this `given` above the first `when`."
                self.context.report("C508", message, step.span, help=help)
            if isinstance(step, t.Given):
                self.givens.facts(step)
            else:
                self._kit(step)
            self.scope.facts.clear()  # what is given later may change it
        if given is None:
            span = self.node.entry.span
            self.context.report("C508", "nothing is done in this trial", span, help=_USAGE)
        return given

    # ------------------------------------------------------------ items that are given more

    def _kit(self, node: t.Kit) -> None:
        """``given x: T: …`` is a loop over the items that are given more."""
        kind = self._item_type(node)
        self.items.append(kind)
        for inner in t.walk(node.body):
            if isinstance(inner, t.Return):
                self.context.report("R406", "`return` stands outside of any rule", inner.span)
        statements, out, span = self.statements, self.statements.out, node.item.span
        again, end, listed = out.label(), out.label(), Many("list", kind)
        statements.prepare(node.body)
        with self.scope.block():
            slot = self.scope.bind(node.item.name, kind, wanted=True)
            rest = self.scope.slot()
            items = x.Local(listed, span, self.lists[node.span], node.item.name.text)
            out.emit(i.Set(span, rest, items))
            out.mark(again)
            out.emit(i.Iterate(span, rest, slot, end))
            self.scope.forget(changes_in([node.body]))
            if statements.body(node.body):
                out.emit(i.Jump(span, again, loop=True))
        out.mark(end)

    def _item_type(self, node: t.Kit) -> Type:
        """The type of the items, which must be known by names of their own."""
        kind = resolve(self.context, node.item.type)
        for member in members(kind):
            if member == BAD:
                return BAD
            if not isinstance(member, Named) or not self._has_names(member.domain):
                message = f"what is given more has a name, and {describe(member)} has none"
                help = "Use a kind with keys, or a type declared by `names`."
                self.context.report("T301", message, node.item.type.span, help=help)
                return BAD
            if any(member in members(known) for known in self.items):
                message = f"this trial says twice what is done with {describe(member)}"
                self.context.report("N202", message, node.item.span)
        return kind

    def _has_names(self, domain: str) -> bool:
        kind = self.context.program.kinds.get(domain)
        return kind is None or kind.key not in ("", ENDS)
