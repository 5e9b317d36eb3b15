"""Whole trees of small games: every answer of every player, and all that chance may bring."""

from __future__ import annotations

import json
from collections.abc import Iterator

from rulelang import CHANCE
from rulelang.session import Session


def after(session: Session, *answers: int | str) -> Session:
    """A copy that went on with some answers."""
    later = session.clone()
    for answer in answers:
        later.choose(answer)
    return later


def nexts(session: Session) -> Iterator[Session]:
    """What may come of the open decision, by its options."""
    for number in range(len(session.legal)):
        yield after(session, number)


def walk(session: Session) -> Iterator[Session]:
    """This situation and every one that can come of it, as often as there are ways to it."""
    yield session
    for later in nexts(session):
        yield from walk(later)


def sight(session: Session) -> tuple[int, str] | None:
    """Who decides, and all that this seat may know; None where chance does, or nobody."""
    decision = session.decision
    if decision is None or decision.player == CHANCE:
        return None
    assert isinstance(decision.player, int)
    return decision.player, json.dumps(session.view(decision.player), sort_keys=True)
