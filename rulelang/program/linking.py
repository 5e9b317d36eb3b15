"""A program made ready for one game: a mode, a number of players, settings.

Rules are resolved to their versions for the mode, calls of rules with hooks go through the hooks,
and every field of the state gets a place in a flat list of slots.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from graphlib import CycleError, TopologicalSorter

from attrs import Factory, define, evolve

from rulelang.program import instructions as i
from rulelang.program.expressions import Local
from rulelang.program.program import Hook, Program, StateField
from rulelang.program.types import BAD, Many
from rulelang.program.values import Entry

MARKS, ENDINGS, WORK = 0, 1, 2
"""Slots that every state has: who was shown what, the endings that have come, and how much
may still be worked out before the next decision."""


@define(eq=False)
class Linked:
    """A program for one mode, number of players and set of options."""

    program: Program
    mode: str
    players: tuple[Entry, ...]
    options: dict[str, Entry]
    codes: dict[str, i.Code] = Factory(dict)
    bases: dict[str, int] = Factory(dict)
    """The slot of a field, or the first of its slots."""
    sizes: dict[str, int] = Factory(dict)
    slots: int = 3

    def owners(self, field: StateField) -> tuple[Entry, ...]:
        """For whom a field is kept; empty for a field of the game itself."""
        if field.per == "Player":
            return self.players
        return self.program.domains[field.per].entries if field.per else ()

    def fields(self) -> list[StateField]:
        """The fields that this mode has, in canonical order."""
        fields = (self.program.state[key] for key in sorted(self.program.state))
        return [field for field in fields if not field.modes or self.mode in field.modes]

    def zones(self, domain: str) -> list[tuple[int, str]]:
        """All slots in which values of a domain may lie, each with its form."""
        found = []
        for field in self.fields():
            kind = field.type
            if (
                isinstance(kind, Many)
                and kind.form in ("set", "row", "pile")
                and str(kind.item) == domain
            ):
                base = self.bases[field.key]
                found += [(base + n, kind.form) for n in range(self.sizes[field.key])]
        return found


def link(program: Program, mode: str, players: int, options: dict[str, Entry]) -> Linked:
    """Resolve everything that depends on the mode and the number of players."""
    linked = Linked(program, mode, program.domains["Player"].entries[:players], options)
    for field in linked.fields():
        linked.bases[field.key] = linked.slots
        linked.sizes[field.key] = len(linked.owners(field)) if field.per else 1
        linked.slots += linked.sizes[field.key]
    for name in program.rules:
        version = program.rule(name, mode)
        if version is not None:
            hooks = [h for h in program.hooks.get(name, ()) if not h.modes or mode in h.modes]
            _add(linked, version.code, hooks, gives=version.gives)
    return linked


def _add(linked: Linked, code: i.Code, hooks: list[Hook], *, gives: bool) -> None:
    if not hooks:
        linked.codes[code.name] = code
        return
    body = f"{code.name}:body"
    linked.codes[body] = evolve(code, name=body, hook_of=code.name, turn=False)
    for hook in hooks:
        linked.codes[hook.code.name] = evolve(hook.code, hook_of=code.name)
    instead = _ordered([hook for hook in hooks if hook.moment == "instead"])
    before = _ordered([hook for hook in hooks if hook.moment == "before"])
    after = _ordered([hook for hook in hooks if hook.moment == "after"])
    linked.codes[code.name] = _Wrapper(code, gives).around(code.name, instead, before, after)
    for place, hook in enumerate(instead):
        name = f"{hook.code.name}:proceed"
        linked.codes[name] = _Wrapper(code, gives).around(name, instead[place + 1 :], [], [])


def _ordered(hooks: list[Hook]) -> list[Hook]:
    """The hooks in their declared order; names break what is left open.

    The checker reports hooks that are each ahead of the other; they are taken by name here.
    """
    sorter: TopologicalSorter[str] = TopologicalSorter()
    by_name = {hook.name: hook for hook in hooks}
    for hook in sorted(hooks, key=lambda h: h.name):
        sorter.add(hook.name)
        for later in hook.ahead_of:
            if later in by_name:
                sorter.add(later, hook.name)
    try:
        return [by_name[name] for name in sorter.static_order()]
    except CycleError:
        return [by_name[name] for name in sorted(by_name)]


class _Wrapper:
    """What a call of a rule with hooks does: replacements, then before, body, after."""

    def __init__(self, code: i.Code, gives: bool) -> None:
        self.code = code
        self.span = code.span
        self.count = len(code.parameters)
        self.arguments = tuple(
            Local(BAD, self.span, n, name) for n, name in enumerate(code.parameters)
        )
        self.result = self.count if gives else None
        self.out: list[i.Instruction] = []

    def around(
        self, name: str, instead: list[Hook], before: list[Hook], after: list[Hook]
    ) -> i.Code:
        """The code of a call that meets these hooks, under this name."""
        for hook in instead:
            with self._where(hook):
                self._perform(hook.code.name, slot=self.result)
                self._give()
        for hook in before:
            with self._where(hook):
                self._perform(hook.code.name, slot=None)
        self._perform(f"{self.code.name}:body", slot=self.result)
        for hook in after:
            with self._where(hook):
                self._perform(hook.code.name, slot=self.result, result=True)
        self._give()
        wanted = [hook.condition_slots for hook in (*instead, *before, *after)]
        whole = name == self.code.name
        return evolve(
            self.code,
            name=name,
            slots=max(self.code.slots, self.count + 1, *wanted),
            instructions=tuple(self.out),
            statement_cites=(),
            hook_of="" if whole else self.code.name,
            turn=self.code.turn and whole,
        )

    @contextmanager
    def _where(self, hook: Hook) -> Iterator[None]:
        """What is emitted inside happens only where the hook's condition holds."""
        if hook.condition is None:
            yield
            return
        place = len(self.out)
        self.out.append(i.Branch(self.span, hook.condition, -1))
        yield
        self.out[place] = i.Branch(self.span, hook.condition, len(self.out))

    def _perform(self, rule: str, *, slot: int | None, result: bool = False) -> None:
        arguments = self.arguments
        if result and self.result is not None:
            arguments += (Local(BAD, self.span, self.result, "result"),)
        self.out.append(i.Perform(self.span, rule, arguments, slot))

    def _give(self) -> None:
        value = None
        if self.result is not None:
            value = Local(BAD, self.span, self.result, "result")
        self.out.append(i.Give(self.span, value))
