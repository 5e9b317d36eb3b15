"""What a player may see. It is built up from what is open to them, never by hiding parts of the whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.codec import encode
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.events import Question
from rulelang.engine.machine import LogEntry, Machine
from rulelang.program.linking import MARKS
from rulelang.program.program import StateField
from rulelang.program.types import Many
from rulelang.program.values import Entry, Pile, Value, label_of

if TYPE_CHECKING:
    from rulelang.session import Session


def view(session: Session, machine: Machine, log: list[LogEntry], player: int) -> dict[str, Any]:
    """The view of one seat."""
    seat = machine.linked.players[player]
    event = machine.event
    decision = None
    if isinstance(event, Question) and event.player is seat:
        open_ = session.decision
        assert open_ is not None
        decision = {
            "prompt": open_.prompt,
            "rule": open_.rule,
            "cites": list(open_.cites),
            "options": [{"label": o.label, "text": o.text, "value": o.value} for o in open_.options],
        }
    return {
        "game": session.game.name,
        "mode": machine.linked.mode,
        "players": len(machine.linked.players),
        "player": player,
        "over": machine.over,
        "state": _state(machine, seat),
        "decision": decision,
        "log": [_line(entry, seat) for entry in log if _public(entry) or _own(entry, seat)],
    }


def _state(machine: Machine, seat: Entry) -> dict[str, Any]:
    linked = machine.linked
    evaluators = Evaluators(linked)
    shown: dict[str, Any] = {}
    for field in linked.fields():
        base = linked.bases[field.key]
        if not field.per:
            shown[field.key] = _seen(machine, evaluators, field, None, machine.slots[base], seat)
        else:
            shown[field.key] = {
                str(owner.key): _seen(machine, evaluators, field, owner, machine.slots[base + n], seat)
                for n, owner in enumerate(linked.owners(field))
            }
    return shown


def _seen(
    machine: Machine, evaluators: Evaluators, field: StateField, owner: Entry | None, value: Value, seat: Entry
) -> Any:
    """A value that is open to the seat; otherwise how many cards lie there, and those it knows."""
    if _may_see(machine, evaluators, field, owner, seat):
        return encode(value)
    if not isinstance(field.type, Many):
        return {"hidden": True}
    known = {card for card, whom in machine.slots[MARKS] if whom is seat}
    cards = value.all() if isinstance(value, Pile) else value
    return {"count": len(cards), "known": [encode(card) for card in cards if card in known]}


def _may_see(machine: Machine, evaluators: Evaluators, field: StateField, owner: Entry | None, seat: Entry) -> bool:
    if field.hidden:
        return False
    if field.seen_by is None:
        return True
    value = evaluators.prepare(field.seen_by)(machine.slots, [owner, *[None] * 64])
    return seat is value or (isinstance(value, tuple) and seat in value)


def _public(entry: LogEntry) -> bool:
    return entry.what != "chance" and not (entry.what == "choice")


def _own(entry: LogEntry, seat: Entry) -> bool:
    return entry.what == "choice" and entry.player == seat.index


def _line(entry: LogEntry, seat: Entry) -> dict[str, Any]:
    """A line of the log. Of what a rule was done with, only names that everybody knows are shown."""
    own = _own(entry, seat)
    arguments = [label_of(a) for a in entry.arguments if own or not _may_be_secret(a)]
    return {"what": entry.what, "rule": entry.rule, "arguments": arguments, "clauses": list(entry.clauses), "depth": entry.depth}


def _may_be_secret(value: Value) -> bool:
    """Entries may be cards that lie face down for this player; seats and plain names are not."""
    if isinstance(value, Entry):
        return bool(value.fields)
    return isinstance(value, tuple)
