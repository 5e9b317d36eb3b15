"""Playing games that may be anything, with what may happen at a table: undoing, saving, copying."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from rulelang.errors import ChoiceError, GameFault
from rulelang.game import Game
from rulelang.session import CHANCE, Session

MOST_STEPS = 60
UNFORESEEN = ("does not exist", "needed here is none", "nobody is named", "worked out")
"""What a fault says that the checker should have foreseen."""


def options_of(random: Random, game: Game) -> dict[str, Any]:
    """How a game is started: mode, seats, settings, rulings, seed and chance."""
    mode = random.choice(list(game.modes.values()))
    options: dict[str, dict[str, str]] = {"settings": {}, "rulings": {}}
    for name, setting in game.program.settings.items():
        if (not setting.modes or mode.name in setting.modes) and random.random() < 0.5:
            entries = game.program.domains[setting.domain].entries
            part = "rulings" if setting.ruling else "settings"
            options[part][name] = str(random.choice(entries).key)
    return {
        "mode": mode.name,
        "players": random.randint(mode.low, mode.high),
        "seed": random.getrandbits(32),
        "chance": random.choice(("sample", "explicit")),
        **options,
    }


def play(
    random: Random, game: Game, options: dict[str, Any], steps: int = MOST_STEPS
) -> Session | None:
    """A playthrough with disturbances; None if a rule went wrong before the first decision."""
    try:
        session = game.start(**options)
    except GameFault as fault:
        _foreseen(fault)
        return None
    for _ in range(steps):
        if session.over:
            break
        _look(session)
        if random.random() < 0.15:
            session = _disturbed(random, session)
            continue
        if not _answered(random, session):
            break
    if session.over:
        _judged(session)
    return session


def _foreseen(fault: GameFault) -> None:
    assert not any(words in str(fault) for words in UNFORESEEN), str(fault)


def _judged(session: Session) -> None:
    try:
        outcome = session.outcome
    except GameFault as fault:
        _foreseen(fault)
        return
    assert outcome is not None
    assert session.decision is None
    assert set(outcome.winners) | set(outcome.losers) <= set(range(session.players))


def _look(session: Session) -> None:
    """Everything that may be looked at, which must not change anything."""
    before = session.digest()
    decision = session.decision
    assert decision is not None
    assert [option.label for option in decision.options] == list(session.legal)
    assert len(set(session.legal)) == len(session.legal) > 0
    if decision.player == CHANCE:
        assert sum(option.probability or 0 for option in decision.options) == 1
    for seat in range(session.players):
        try:
            json.dumps(session.view(seat))
        except GameFault as fault:
            _foreseen(fault)
    json.dumps([session.state, list(session.ledger)])
    assert session.digest() == before


def _answered(random: Random, session: Session) -> bool:
    """Answer at random; False if a rule goes wrong, which must leave the session as it was."""
    before = session.save()
    try:
        session.choose(random.choice(session.legal))
    except GameFault as fault:
        _foreseen(fault)
        assert session.save() == before
        return False
    return True


def _disturbed(random: Random, session: Session) -> Session:
    """The same state, some other way, or an earlier one."""
    before = session.save()
    match random.randrange(5):
        case 0:
            clone = session.clone()
            _answered(random, clone)
            assert session.save() == before
            return random.choice((session, session.clone()))
        case 1:
            again = session.game.resume(json.loads(json.dumps(before)))
            assert again.save() == before
            return again
        case 2:
            decided = session.chance == "explicit" or set(session.asked) != {CHANCE}
            if session.ledger and decided:
                label = session.ledger[-1]
                session.undo()
                if session.chance == "explicit":
                    session.choose(label)
                    assert session.save() == before
            return session
        case 3:
            options = {n: before[n] for n in ("mode", "players", "settings", "rulings", "seed")}
            again = session.game.replay(session.ledger, chance=session.chance, **options)
            assert again.save() == before
            return again
    for answer in (-1, len(session.legal), "no such label", None):
        try:
            session.choose(answer)  # type: ignore[arg-type]
        except ChoiceError:
            continue
        raise AssertionError(answer)
    assert session.save() == before
    return session
