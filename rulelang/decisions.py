"""What a session waits for: the open event as a decision, with texts for people."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

from attrs import field, frozen

from rulelang.codec import encode
from rulelang.engine.events import Chance, Event, Question
from rulelang.program.instructions import Code
from rulelang.program.program import Program
from rulelang.program.values import Entry

CHANCE: Final = "chance"
"""Who decides a chance event that is made explicit."""


@frozen
class Option:
    """One possible answer.

    ``label`` is stable and unique in its decision; ``value`` is JSON-able.
    """

    label: str
    text: str
    value: Any
    probability: Fraction | None = None
    """The exact probability, where chance decides."""
    index: int = field(default=0, repr=False)


@frozen
class Decision:
    """What a session waits for."""

    player: int | str
    """The seat that decides, from 0, or `CHANCE`."""
    team: str | None
    """The team that the seat speaks for: whom the rule is done for, where that is no player."""
    prompt: str
    """One line for a person."""
    rule: str
    """The name of the rule that asks."""
    cites: tuple[str, ...]
    """The clauses that it cites, those of the asking line first."""
    options: tuple[Option, ...]
    """The legal answers, in canonical order."""


def describe(event: Event, program: Program, mode: str) -> Decision:
    """The decision that an open event is."""
    code, place = event.frame.ready.code, event.frame.place
    name, cites = rule_name(code), program.citing(_cites(code, place), mode)
    pairs = list(zip(event.labels(), event.texts(), strict=True))
    if isinstance(event, Question):
        values = [encode(value) for _, value in event.options()]
        options = tuple(
            Option(label, text, values[n], None, n) for n, (label, text) in enumerate(pairs)
        )
        prompt = event.instruction.prompt
        return Decision(seat_of(event), _team(event, program), prompt, name, cites, options)
    options = tuple(
        Option(label, text, encode(event.outcomes[n]), event.probability(n), n)
        for n, (label, text) in enumerate(pairs)
    )
    return Decision(CHANCE, None, _chance_prompt(event), name, cites, options)


def _chance_prompt(event: Chance) -> str:
    return "A card is drawn" if event.source.startswith("pile:") else "A die is rolled"


def seat_of(event: Question) -> int:
    """The seat that decides."""
    return event.player.index


def asker_of(event: Event) -> str:
    """Who answers an event, for the ledger: a seat as a figure, or `CHANCE`."""
    return str(seat_of(event)) if isinstance(event, Question) else CHANCE


def rule_name(code: Code) -> str:
    """The name of the rule (or hook) that a piece of code belongs to."""
    return code.name.removesuffix(":body").removesuffix(":proceed")


def _team(event: Question, program: Program) -> str | None:
    code = event.frame.ready.code
    if not code.subject or code.subject == "Player" or code.subject in program.kinds:
        return None
    given = event.frame.locals[: len(code.parameters)]
    teams = [v.label for v in given if isinstance(v, Entry) and v.domain == code.subject]
    return teams[-1] if teams else None


def _cites(code: Code, place: int) -> tuple[str, ...]:
    own = [clause for at, clauses in code.statement_cites if at == place for clause in clauses]
    return tuple(dict.fromkeys([*own, *code.cites]))
