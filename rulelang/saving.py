"""Saves: all of a session as data, and a session from what was saved.

A save is rebuilt by replaying its ledger, so that it can be undone to its start. Of a game that
means the same it must then be the state that was saved; of a game that has changed the ledger must
be legal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rulelang import __version__
from rulelang.codec import snapshot
from rulelang.engine.machine import Machine
from rulelang.errors import ChoiceError, GameFault, SaveError, UsageError, shown
from rulelang.hashing import hashed

if TYPE_CHECKING:
    from rulelang.game import Game
    from rulelang.session import Session

FORMAT = 1
"""The version of the form of saves."""


def save(session: Session, machine: Machine, counters: Mapping[str, int]) -> dict[str, Any]:
    """The session as JSON-able data, sealed."""
    program, mode = session.game.program, session.mode
    options = {
        name: entry
        for name, entry in session.linked.options.items()
        if not program.settings[name].modes or mode in program.settings[name].modes
    }
    data = {
        "format": FORMAT,
        "rulelang": __version__,
        "game": session.game.name,
        "packs": [pack.name for pack in program.packs],
        "meaning": program.meaning,
        "mode": mode,
        "players": session.players,
        "settings": {n: e.key for n, e in options.items() if not program.settings[n].ruling},
        "rulings": {n: e.key for n, e in options.items() if program.settings[n].ruling},
        "seed": session.seed,
        "chance": session.chance,
        "counters": dict(counters),
        "ledger": [list(pair) for pair in zip(session.asked, session.ledger, strict=True)],
        "snapshot": snapshot(machine),
        "digest": session.digest(),
    }
    return {**data, "seal": hashed(data)}


def resume(game: Game, saved: Mapping[str, Any]) -> Session:
    """The session that was saved. Raises SaveError, which says where and why, and nothing else."""
    data = _checked(game, saved)
    _check_packs(game, data)
    try:
        session = game.rebuild(data)
    except (UsageError, ChoiceError, GameFault) as error:
        raise SaveError(f"the save does not fit this game: {error}") from None
    if data["meaning"] == game.program.meaning:
        again = session.save()
        for part in data:
            if part not in ("rulelang", "packs") and hashed(again[part]) != hashed(data[part]):
                raise SaveError(f"the save is damaged: its ledger does not lead to its {part}")
    return session


_FORM: dict[str, type] = {
    "format": int,
    "rulelang": str,
    "game": str,
    "packs": list,
    "meaning": str,
    "mode": str,
    "players": int,
    "settings": dict,
    "rulings": dict,
    "seed": int,
    "chance": str,
    "counters": dict,
    "ledger": list,
    "snapshot": dict,
    "digest": str,
    "seal": str,
}


def _checked(game: Game, saved: Mapping[str, Any]) -> dict[str, Any]:
    """The save as a dictionary, its form and seal verified. Raises SaveError."""
    if not isinstance(saved, Mapping):
        raise SaveError("this is no save: it is not an object")
    data = dict(saved)
    for name, kind in _FORM.items():
        value = data.get(name)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise SaveError(f"this is no save: `{name}` is missing or of the wrong form")
    if data["format"] != FORMAT:
        raise SaveError(
            f"the save has format {shown(data['format'])}, and this version reads {FORMAT}"
        )
    if data["game"] != game.name:
        raise SaveError(f"this is a save of {data['game']!r}, not of {game.name!r}")
    odd = [str(name) for name in data if name not in _FORM]
    if odd:
        raise SaveError(f"the save is damaged: `{odd[0]}` is no part of a save")
    _check_seal(data)
    if not all(isinstance(pack, str) for pack in data["packs"]):
        raise SaveError("the save is damaged: its packs are no list of texts")
    for pair in data["ledger"]:
        if not (
            isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) for x in pair)
        ):
            raise SaveError("the save is damaged: its ledger is no list of pairs of texts")
    return data


def _check_packs(game: Game, data: Mapping[str, Any]) -> None:
    """A save is of the game with its packs; one that changes nothing in play does not count."""
    here = [pack.name for pack in game.program.packs]
    if data["meaning"] != game.program.meaning and data["packs"] != here:
        raise SaveError(
            f"this is a save of {data['game']!r} {_with(data['packs'])}, not {_with(here)}"
        )


def _with(packs: list[str]) -> str:
    if not packs:
        return "without packs"
    return f"with the pack{'s' * (len(packs) > 1)} {', '.join(map(shown, packs))}"


def _check_seal(data: dict[str, Any]) -> None:
    seal = data.pop("seal")
    try:
        sealed = hashed(data)
    except (TypeError, ValueError, RecursionError):
        raise SaveError("the save is damaged: it holds what JSON does not have") from None
    if seal != sealed:
        raise SaveError("the save is damaged: its contents do not match its seal")
