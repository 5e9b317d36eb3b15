"""The local names of one rule or question: their slots, their types, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import Factory, define, frozen

from rulelang.checker.context import Context
from rulelang.checker.facts import Change, Fact, bare, facts_of
from rulelang.diagnostic import Note, Span
from rulelang.program.types import Type
from rulelang.syntax import tree as t

PATTERNS = ("empty", "any", "yes", "no")
"""Words that mean something wherever a value may stand."""


@frozen
class Variable:
    """A local name."""

    name: str
    slot: int
    type: Type
    span: Span
    fixed: bool
    """A parameter or a bound name, which cannot be assigned."""


@define
class Scope:
    """Local names by block. Slots are never used twice, so a slot has one type for a whole rule."""

    context: Context
    slots: int = 0
    names: dict[str, Variable] = Factory(dict)
    facts: list[Fact] = Factory(list)
    ended: set[Fact] = Factory(set)
    """Facts that hold no longer once the statement in which they ended is over."""
    later: set[Fact] = Factory(set)
    """Facts that ended on one of several paths; the others still have them."""
    used: set[int] = Factory(set)
    """The slots that are read."""
    wanted: list[Variable] = Factory(list)
    """Names that should be read: those that are there for nothing else."""

    def slot(self) -> int:
        """A new slot."""
        self.slots += 1
        return self.slots - 1

    def bind(self, name: t.Name, kind: Type, *, fixed: bool = True, wanted: bool = False) -> int:
        """Make a new local name; its slot. ``wanted`` names are reported if nothing reads them."""
        known = self.names.get(name.text)
        origin = self.context.origins.get(name.text)
        if known is None and origin is not None and self.context.is_later(origin, name.span):
            self.context.report_later(name, origin)
        elif known is not None or origin is not None or name.text in PATTERNS:
            place = known.span if known is not None else origin.span if origin is not None else None
            self.context.report(
                "N203",
                f"`{name.text}` already means something here",
                name.span,
                notes=[Note(place, "it is declared here")] if place is not None else (),
                help="Choose another name for the new one.",
            )
        slot = self.slot()
        variable = Variable(name.text, slot, kind, name.span, fixed)
        self.names[name.text] = variable
        if wanted:
            self.wanted.append(variable)
        return slot

    def find(self, name: str) -> Variable | None:
        """The local name, which counts as used from now on."""
        variable = self.names.get(name)
        if variable is not None:
            self.used.add(variable.slot)
        return variable

    def report_unused(self) -> None:
        """Warn of names that nothing reads."""
        for variable in self.wanted:
            if variable.slot not in self.used:
                message = f"nothing uses `{variable.name}`"
                self.context.report("N204", message, variable.span)

    @contextmanager
    def block(self) -> Iterator[None]:
        """Names and facts that hold inside a block only."""
        names, facts = dict(self.names), list(self.facts)
        yield
        self.names, self.facts = names, facts

    # ------------------------------------------------------------ what is known

    def learn(self, condition: t.Expr, holds: bool = True) -> None:
        """Remember what is known where the condition holds (or does not)."""
        self.facts.extend(f for f in facts_of(condition, holds) if not self._is_of_a_local(f))

    def _is_of_a_local(self, fact: Fact) -> bool:
        """Does the fact compare with a local name? It says nothing of what else is called so."""
        word, _, name = fact.what.partition(" ")
        return word in ("is", "not") and name in self.names

    def known(self, about: t.Expr, what: str) -> bool:
        """Is it known that ``about`` is ``what``: "none", "not none", "not empty"?"""
        about = bare(about)
        return any(fact.what == what and fact.about == about for fact in self.facts)

    def forget(self, change: Change) -> None:
        """Something was changed: what depends on it is known no longer."""
        if not self.facts:
            return
        over = {f for f in self.facts if change.ends(f, self._is_steady, self._asks)}
        self.ended |= over
        self.facts = [fact for fact in self.facts if fact not in over]

    @contextmanager
    def paths(self) -> Iterator[None]:
        """Several paths of which one is taken: behind them, what ended on any has ended."""
        outer, self.later = self.later, set()
        yield
        self.ended |= self.later
        self.later = outer

    @contextmanager
    def path(self) -> Iterator[list[bool]]:
        """One of these paths; the list that it gives says whether the path comes to its end."""
        before, stays = set(self.ended), [True]
        yield stays
        if stays[0]:
            self.later |= self.ended
        self.ended = before

    def settle(self) -> None:
        """A statement is over: what ended somewhere inside it has ended."""
        if self.ended:
            self.facts = [fact for fact in self.facts if fact not in self.ended]

    def _is_steady(self, name: str) -> bool:
        """Does the name stand for the same thing until it is assigned itself?"""
        state = self.context.program.state
        if name.startswith("."):
            return all(field.name != name[1:] for field in state.values() if field.per)
        return name in self.names or name not in state

    def _asks(self, name: str) -> bool:
        return name not in self.names and name in self.context.define_nodes
