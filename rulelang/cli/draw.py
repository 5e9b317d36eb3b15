"""``rulelang draw``: a board, a map, a strip or a card as a picture."""

from __future__ import annotations

import io
import sys
from argparse import Namespace

from rulelang.cli.loading import load
from rulelang.cli.output import check_output, write_text
from rulelang.cli.status import Status, Stop
from rulelang.cli.targets import one_target
from rulelang.drawing import draw, has_board
from rulelang.errors import SaveError, UsageError
from rulelang.game import Game
from rulelang.play.saving import read
from rulelang.session import Session


def run(arguments: Namespace) -> Status:
    """Print the picture, or write it to a file."""
    check_output(arguments.output, arguments.save)
    entry = " ".join(arguments.entry)
    if arguments.game == arguments.save == "-":
        raise UsageError("standard input cannot be both the game and the save; name a file")
    if entry and arguments.save is not None:
        raise UsageError(f"a save says nothing of {entry}; leave --save out, or the entry")
    game = load(one_target(arguments.game), unproved=True)
    if game is None:
        return Status.FINDINGS
    if not entry and not has_board(game.program):
        raise Stop(
            Status.NOTHING,
            "nothing there to draw: this game has no board (no entries that edges join, and none "
            "with `x` and `y` or with `outline`); name an entry to draw that",
        )
    picture = draw(game, _saved(game, arguments.save), entry or None)
    write_text(f"{picture}\n", arguments.output)
    return Status.FINE


def _saved(game: Game, name: str | None) -> Session | None:
    """The playthrough in a file, if one is named."""
    if name is None:
        return None
    data = read(name, sys.stdin or io.StringIO())
    try:
        return game.resume(data)
    except SaveError as error:
        raise SaveError(f"{name}: {error}") from None
