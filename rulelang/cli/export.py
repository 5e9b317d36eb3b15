"""``rulelang export``: a game's content as JSON."""

from __future__ import annotations

from argparse import Namespace

from rulelang.cli.loading import load
from rulelang.cli.output import check_output, write_json
from rulelang.cli.status import Status
from rulelang.cli.targets import one_target


def run(arguments: Namespace) -> Status:
    """Print the content, or write it to a file."""
    check_output(arguments.output)
    game = load(one_target(arguments.game))
    if game is None:
        return Status.FINDINGS
    write_json(game.export(), arguments.output)
    return Status.FINE
