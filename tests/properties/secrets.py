"""Pairs of playthroughs that differ only in what a seat does not see.

From some step on two cards change their roles, which lay in the same unknown part of a pile, and
which the seat never saw from there on: where one was drawn in the first playthrough, the other is
drawn in the second, and who chose one chooses the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations
from random import Random
from typing import Any

from attrs import frozen

from rulelang.decisions import Decision
from rulelang.errors import GameFault
from rulelang.game import Game
from rulelang.program.instructions import Draw, Move
from rulelang.program.linking import MARKS
from rulelang.session import Session

CARD = re.compile(r"card (\d+)\b")


@frozen
class Seen:
    """What a seat is shown at one step, and whether it decides there."""

    view: dict[str, Any]
    decision: Decision | None
    """The open decision, if it is the seat's."""
    who: int | str | None


def shown(session: Session, seat: int) -> Seen:
    """What the seat is shown now."""
    decision = session.decision
    who = None if decision is None else decision.player
    return Seen(session.view(seat), decision if who == seat else None, who)


@frozen
class Record:
    """A playthrough: what a seat was shown at each step, the cards there, and what was answered."""

    session: Session
    seat: int
    seen: tuple[Seen, ...]
    tables: tuple[Table, ...]
    answers: tuple[str, ...]
    goals: tuple[frozenset[str], ...]
    """The fields that the rule which asked draws or moves cards to, at each answer."""


def record(session: Session, seat: int, random: Random, steps: int) -> Record:
    """Play some steps with random answers. It stops earlier if a rule goes wrong."""
    seen, tables = [shown(session, seat)], [table_of(session, seat)]
    answers, goals = [], []
    for _ in range(steps):
        if session.over:
            break
        label, targets = random.choice(session.legal), _targets(session)
        try:
            session.choose(label)
        except GameFault:
            break
        answers.append(label)
        goals.append(targets)
        seen.append(shown(session, seat))
        tables.append(table_of(session, seat))
    return Record(session, seat, tuple(seen), tuple(tables), tuple(answers), tuple(goals))


def _targets(session: Session) -> frozenset[str]:
    event = session.machine.event
    assert event is not None
    code, place = event.frame.ready.code, event.frame.place
    drawn = code.instructions[place]
    moves = [drawn] if isinstance(drawn, Draw) else code.instructions
    return frozenset(each.target.field for each in moves if isinstance(each, (Draw, Move)))


@frozen
class Table:
    """Where the cards lie, and which of them a seat may know of.

    This is said once more, by the declarations of the fields, so that a view that shows too much is
    found out.
    """

    places: dict[int, frozenset[str]]
    """The fields in which a card lies, by its number."""
    open: frozenset[int]
    pools: tuple[frozenset[int], ...]


def table_of(session: Session, seat: int) -> Table:
    """Where the cards lie now. What was revealed is known by the marks, where a game reveals."""
    places: dict[int, set[str]] = {}
    known: set[int] = set()
    pools = []
    for name, value in session.state.items():
        field = session.game.program.state[name]
        for card in _cards(value):
            places.setdefault(card, set()).add(name)
        if field.seen_by is not None and not field.hidden:
            known |= _cards(value[str(seat)])
        elif not field.hidden:
            known |= _cards(value)
        if isinstance(value, dict) and "pool" in value:
            pools.append(frozenset(_cards(value["pool"])))
    if any("reveal" in text for text in session.game.sources.values()):
        marks = session.machine.slots[MARKS]
        assert isinstance(marks, tuple)
        known |= {card.key for card, whom in marks if whom.index == seat}  # type: ignore[misc, union-attr]
    return Table({n: frozenset(at) for n, at in places.items()}, frozenset(known), tuple(pools))


@frozen
class Swap:
    """From a step on, two cards change their roles."""

    start: int
    one: int
    two: int

    def card(self, number: int) -> int:
        """The card that has the role of a card."""
        return {self.one: self.two, self.two: self.one}.get(number, number)

    def answer(self, label: str, legal: tuple[str, ...]) -> str | None:
        """The option that is the label's counterpart; None if there is none."""
        wanted = _shape(CARD.sub(lambda found: f"card {self.card(int(found[1]))}", label))
        return next((option for option in legal if _shape(option) == wanted), None)


def _shape(label: str) -> tuple[str, tuple[str, ...]]:
    """A label without its cards, and the cards: in a list their order depends on which they are."""
    return CARD.sub("card", label), tuple(sorted(CARD.findall(label)))


def swaps(made: Record, start: int) -> Iterator[Swap]:
    """All swaps that are possible from a step on."""
    known = _shown_in_passing(made, start).union(*(table.open for table in made.tables[start:]))
    for pool in made.tables[start].pools:
        cards = sorted(pool - known)
        alone = [card for card in cards if len(made.tables[start].places[card]) == 1]
        yield from (Swap(start, one, two) for one, two in combinations(alone, 2))


def _shown_in_passing(made: Record, start: int) -> set[int]:
    """The cards that were drawn or laid where they may not have stayed until the next step.

    Who saw that place may know of them, and of what was done with them there.
    """
    fields = made.session.game.program.state
    found = set()
    for number in range(start, len(made.answers)):
        goals = made.goals[number]
        openly = any(not fields[g].hidden and fields[g].seen_by is None for g in goals)
        for card in map(int, CARD.findall(made.answers[number])):
            after = made.tables[number + 1].places.get(card, frozenset())
            stays = after == goals if openly else after <= goals
            if goals and not stays:
                found.add(card)
    return found


def _cards(value: Any) -> set[int]:
    """The numbers of all cards in a value as JSON."""
    if isinstance(value, dict):
        if value.get("of") == "Card":
            return {int(value["key"])}
        return set().union(*map(_cards, value.values()))
    return set().union(*map(_cards, value)) if isinstance(value, list) else set()


def counterpart(made: Record, swap: Swap, session: Session) -> Iterator[tuple[int, Session]]:
    """The second playthrough at each step from the swap on, with the number of the step.

    It ends where somebody else has other options: what they see may differ.
    """
    for label in made.answers[: swap.start]:
        session.choose(label)
    yield swap.start, session
    for number, label in enumerate(made.answers[swap.start :], swap.start + 1):
        answer = swap.answer(label, session.legal)
        if answer is None:
            return
        session.choose(answer)
        yield number, session


@frozen
class Compared:
    """Two playthroughs that a seat could not tell apart, up to a step."""

    made: Record
    swap: Swap
    other: Session
    reached: int


def begun(game: Game, random: Random) -> Session:
    """A generated game with several players and explicit chance."""
    return game.start(mode="party", players=random.randint(2, 4), chance="explicit")


def compare(session: Session, again: Session, random: Random, steps: int) -> Compared | None:
    """Play a pair, which must be shown alike; None if nothing that is hidden can be swapped.

    ``session`` becomes the first playthrough and ``again`` the second; both are at the start.
    """
    made = record(session, random.randrange(session.players), random, steps)
    start = random.choice((0, random.randint(0, len(made.answers))))
    possible = [*swaps(made, start)] or [*swaps(made, 0)]
    if not possible:
        return None
    swap = random.choice(possible)
    reached = swap.start
    for reached, other in counterpart(made, swap, again):
        assert shown(other, made.seat) == made.seen[reached]
    return Compared(made, swap, again, reached)


def undone_and_answered_again(pair: Compared) -> None:
    """Undo the first playthrough and answer as before; then undo it and make it the second one."""
    made, swap = pair.made, pair.swap
    session = made.session
    for answers in (made.answers[swap.start :], pair.other.ledger[swap.start :]):
        for _ in range(len(session.ledger) - swap.start):
            session.undo()
        assert shown(session, made.seat) == made.seen[swap.start]
        for number, label in enumerate(answers, swap.start + 1):
            session.choose(label)
            assert shown(session, made.seat) == made.seen[number]
    assert session.save() == pair.other.save()
