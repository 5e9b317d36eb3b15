"""A game for the commands that run it; what keeps it from running is told on standard error."""

from __future__ import annotations

import sys

from rulelang.analysis import analyse_sources
from rulelang.cli.streams import say, use_color
from rulelang.cli.targets import Target
from rulelang.game import Game
from rulelang.report import render_full, summary


def load(target: Target, *, unproved: bool = False) -> Game | None:
    """The game, or None once its errors are told; ``unproved``: even if its own checks fail."""
    analysis = analyse_sources(target.sources)
    if analysis.program is not None and (unproved or not analysis.errors):
        if analysis.errors:
            say(f"{summary(analysis.errors)}: the game's own checks; `rulelang check` shows them")
        where = None if target.where is None else str(target.where.resolve())
        sources = analysis.sources
        return Game(analysis.program, sources.rules, where, sources.catalogues)
    errors = [target.placed(each) for each in analysis.errors]
    say(render_full(errors, target.texts(), use_color(sys.stderr)))
    say(summary(errors))
    return None
