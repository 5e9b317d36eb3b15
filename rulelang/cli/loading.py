"""A game for the commands that run it; what keeps it from running is told on standard error."""

from __future__ import annotations

import sys

from rulelang.checked import checked, key_of
from rulelang.cli.streams import say, use_color
from rulelang.cli.targets import Target
from rulelang.game import Game
from rulelang.report import render_full, summary


def load(target: Target, *, unproved: bool = False) -> Game | None:
    """The game, or None once its errors are told; ``unproved``: even if its own checks fail."""
    sources = target.sources
    key = key_of(sources)
    program, found = checked(sources, key)
    errors = [each for each in found if each.severity == "error"]
    if program is not None and (unproved or not errors):
        if errors:
            say(f"{summary(errors)}: the game's own checks; `rulelang check` shows them")
        where = None if target.where is None else str(target.where.resolve())
        return Game(program, sources.rules, where, sources.catalogues, key=key)
    errors = [target.placed(each) for each in errors]
    say(render_full(errors, target.texts(), use_color(sys.stderr)))
    say(summary(errors))
    return None
