"""Decisions whose options depend on what the one who decides may not see.

Refused is what is certain from the text: the seat that decides is not the one that sees the field.
Where a question of the game says who decides, or where cards were revealed before, it is found out
when the game is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from attrs import define, evolve, field

from rulelang.checker.context import Context
from rulelang.checker.flow import in_mode, reachable
from rulelang.checker.known import Known, Walk, is_zone, locals_of
from rulelang.checker.lowered import Calls, names_in
from rulelang.checker.reveals import Reveals
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Mode
from rulelang.program.sight import SEEN, UNSEEN, Reading, Sight, is_open, key_of, seen

PLAYER = "#0;"
"""The key of the player that an `evaluate` is for."""
_NAMED = re.compile(r"#(\d+);|(\w+)\[\]")


def decisions(context: Context, calls: Calls) -> None:
    """Report options that read what the one who decides may not see: once a place."""
    program = context.program
    if all(map(is_open, program.state.values())):
        return
    reported: set[tuple[Span, str]] = set()
    reveals = Reveals(calls)
    for mode in program.modes.values():
        sight = Sight(program, partial(in_mode, program, mode.name))
        for code in codes_of(context, mode.name):
            if any(isinstance(n, i.Choose) for n in code.instructions):
                _Rule(context, mode, sight, reveals, code, reported).check()


def evaluations(context: Context) -> None:
    """Report an `evaluate` that reads what its player may not see: bots would play by it."""
    program = context.program
    for outcome in program.outcomes:
        if outcome.worth is None:
            continue
        expr = outcome.worth[0]
        for reading in Sight(program).readings(expr, {}, frozenset(), "evaluate"):
            state = program.state[reading.field]
            if seen(state, reading, PLAYER) == SEEN:
                continue
            whose = f"{state.per}'s " if state.per else ""
            context.report(
                "R409",
                f"a bot must not go by what its player may not see: {whose}`{state.name}`",
                reading.span,
                help="Read only what is open, and what the player that it is for sees.",
            )
            break


def codes_of(context: Context, mode: str) -> Iterator[i.Code]:
    """The rules and hooks of a mode."""
    program = context.program
    for name in program.rules:
        version = program.rule(name, mode)
        if version is not None:
            yield version.code
    for hooks in program.hooks.values():
        yield from (hook.code for hook in hooks if not hook.modes or mode in hook.modes)


@define(slots=False)
class _Rule:
    """The decisions of one rule in one mode."""

    context: Context
    mode: Mode
    sight: Sight
    reveals: Reveals
    code: i.Code
    reported: set[tuple[Span, str]]
    names: dict[int, str] = field(factory=dict)
    """How locals are called."""

    def check(self) -> None:
        """Look at every decision that may be reached."""
        walk = Walk(self.code, self.sight)
        places = walk.places()
        for place in reachable(self.context.program, self.code, self.mode.name):
            instruction = self.code.instructions[place]
            if isinstance(instruction, i.Choose) and place in places:
                for reading, local in self._read(walk, instruction, places[place]):
                    self._judge(walk, instruction, place, reading, local)

    def _read(
        self, walk: Walk, choose: i.Choose, known: Known
    ) -> Iterator[tuple[Reading, x.Local | None]]:
        """What the options read, and for what came of an earlier reading the local that has it."""
        for offer in choose.offers:
            parts = (offer.source, offer.condition)
            for part in parts:
                for reading in self.sight.readings(part, {}, known.facts, self.code.name):
                    yield reading, None
            for local in locals_of(tuple(part for part in parts if part is not None)):
                if local.slot != offer.slot:
                    for reading in known.origins.get(local.slot, ()):
                        yield evolve(reading, facts=reading.facts | known.facts), local

    def _judge(
        self, walk: Walk, choose: i.Choose, place: int, reading: Reading, local: x.Local | None
    ) -> None:
        state = self.context.program.state[reading.field]
        span = local.span if local is not None else reading.span
        if (span, reading.field) in self.reported or (self.mode.high == 1 and not state.hidden):
            return
        inner = reading.put(walk.names)
        if seen(state, reading, key_of(choose.by, {})) != UNSEEN:
            return
        if seen(state, inner, key_of(choose.by, walk.names)) != UNSEEN:
            return
        if not state.hidden and self.reveals.before(self.code, place, reading.field):
            return
        self.reported.add((span, reading.field))
        self._report(choose, reading, local, span)

    # ------------------------------------------------------------ words

    def _report(
        self, choose: i.Choose, reading: Reading, local: x.Local | None, span: Span
    ) -> None:
        self.names = names_in(self.code)
        state = self.context.program.state[reading.field]
        owner = self._called(reading.owner)
        what = f"`{owner}.{state.name}`" if owner else f"`{state.name}`"
        if reading.owner.startswith("*"):
            what = f"the {what} of every {state.per}"
        elif reading.owner and not owner:
            what = f"the {what} that is read here"
        behind = ""
        if local is not None:
            behind = f", from which `{local.name}` comes"
        elif reading.question:
            behind = f", which `{reading.question}` reads"
        if state.hidden:
            message = f"{what} is hidden{behind}: no option may depend on it"
            help = "Keep it where players see it, or take `hidden` away."
        else:
            by = self._called(key_of(choose.by, {}))
            who = f"`{by}` decides here, and" if by else "who decides here"
            message = f"{who} may not see {what}{behind}"
            help = self._help(owner, by, is_zone(self.sight, reading.field))
        self.context.report("R409", message, span, help=help)

    def _help(self, owner: str, by: str, zone: bool) -> str:
        shown = ", or `reveal` the cards first" if zone else ""
        if owner and by and owner != by:
            return f"Let `{owner}` decide, ask `if {owner} is {by}` around it{shown}."
        return f"Options may depend only on what the one who decides sees{shown}."

    def _called(self, key: str) -> str:
        """How an expression of this key is written, for short ones."""
        found = _NAMED.fullmatch(key)
        if found is None:
            return ""
        return found[2] or self.names.get(int(found[1]), "")
