"""``rulelang play``: a game in the terminal."""

from __future__ import annotations

from argparse import Namespace

from rulelang.cli.streams import require
from rulelang.play import run as run_play


def run(arguments: Namespace) -> int:
    """Play; the exit status."""
    require()
    texts = {
        "set": _texts(arguments.settings),
        "ruling": _texts(arguments.rulings),
        "bot": _texts(arguments.bots),
    }
    return run_play(Namespace(**{**vars(arguments), **texts}))


def _texts(pairs: dict[object, str]) -> list[str]:
    return [f"{key}={value}" for key, value in pairs.items()]
