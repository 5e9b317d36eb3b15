"""The line that says how a game is played: its mode, players, options and seed."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.session import Session


def heading(session: Session, more: Sequence[str] = ()) -> str:
    """Such as "Alone · 1 player · seed 7"; ``more`` stands before the seed."""
    mode = session.game.modes[session.mode]
    count = "1 player" if session.players == 1 else f"{session.players} players"
    parts = [mode.text or mode.name, count, *_options(session), *more, f"seed {session.seed}"]
    return " · ".join(parts)


def _options(session: Session) -> list[str]:
    """Settings and rulings that are not as usual."""
    settings = session.game.program.settings
    return [
        f"{name.replace('_', ' ')} {entry.key}"
        for name, entry in session.linked.options.items()
        if entry is not settings[name].default
    ]
