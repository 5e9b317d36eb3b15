"""``rulelang try``: one entry in the terminal, while its file is being written."""

from __future__ import annotations

from argparse import Namespace

from rulelang.cli.loading import load
from rulelang.cli.status import Status
from rulelang.cli.streams import complain, require, say
from rulelang.cli.targets import one_target
from rulelang.play.trying import Request
from rulelang.play.trying import run as run_trial
from rulelang.trials import NoTrial


def run(arguments: Namespace) -> int:
    """Try the entry; the exit status."""
    require()
    game = load(one_target(arguments.game), unproved=True)
    if game is None:
        return Status.FINDINGS
    words = [word.strip() for listed in arguments.with_ for word in listed.split(",")]
    request = Request(
        " ".join(arguments.entry),
        tuple(word for word in words if word),
        arguments.mode,
        arguments.players,
        arguments.settings,
        arguments.rulings,
        tuple(f"{seat}={name}" for seat, name in arguments.bots.items()),
    )
    try:
        return run_trial(request, game, arguments.seed)
    except NoTrial as problem:
        complain(f"{problem}; write one like this:")
        for line in problem.example.splitlines():
            say(f"  {line}")
        return Status.USAGE
