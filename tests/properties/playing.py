"""Random playthroughs of the shipped game: how they are begun, and how they go on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

import rulelang
from rulelang.engine.machine import Machine
from rulelang.game import Game
from rulelang.session import Session

CARDS = 56


@cache
def expedition() -> Game:
    """The game, loaded once."""
    return rulelang.load("lost_expedition")


def readings(ruling: bool) -> dict[str, list[str]]:
    """All settings, or rulings, with their readings."""
    program = expedition().program
    return {
        name: [str(entry.key) for entry in program.domains[setting.domain].entries]
        for name, setting in program.settings.items()
        if setting.ruling == ruling
    }


@st.composite
def starts(draw: st.DrawFn, chance: str | None = "sample") -> dict[str, Any]:
    """How a game is started: mode, seats, seed, settings and rulings."""
    players = draw(st.integers(1, 5))
    modes = [m.name for m in expedition().modes.values() if m.low <= players <= m.high]
    mode = draw(st.sampled_from(modes))
    known = expedition().program.settings
    options: dict[str, dict[str, str]] = {"settings": {}, "rulings": {}}
    for part, ruling in (("settings", False), ("rulings", True)):
        for name, values in readings(ruling).items():
            if not known[name].modes or mode in known[name].modes:
                options[part][name] = draw(st.sampled_from(values))
    return {
        "mode": mode,
        "players": players,
        "seed": draw(st.integers(0, 2**32)),
        "chance": chance or draw(st.sampled_from(["sample", "explicit"])),
        **options,
    }


def begin(start: dict[str, Any]) -> Session:
    """A session as described."""
    return expedition().start(**start)


def walk(session: Session, answers: Random, steps: int = 10_000) -> Iterator[Session]:
    """The session at each of its decisions, and at the end; it is played on in between."""
    yield session
    while not session.over and steps:
        session.choose(answers.randrange(len(session.legal)))
        steps -= 1
        yield session


def played(start: dict[str, Any], answers: int, steps: int = 10_000) -> Session:
    """The session after some random steps."""
    session = begin(start)
    for _ in walk(session, Random(answers), steps):
        pass
    return session


def machine_of(session: Session) -> Machine:
    """A fresh machine for the same game, without a state worth speaking of."""
    made = session.prepared
    return Machine(made.linked, made.ready, made.initial(), None)
