"""``rulelang read``: entries said again in a player's words."""

from __future__ import annotations

import textwrap
from argparse import Namespace
from typing import Any

from rulelang.cli.loading import load
from rulelang.cli.output import write_json
from rulelang.cli.status import Status, Stop
from rulelang.cli.streams import complain, show
from rulelang.cli.targets import Target, one_target
from rulelang.content.shapes import key_of
from rulelang.display import printable
from rulelang.finding import Finder
from rulelang.game import Game
from rulelang.reading import Passage, Reading

_WIDTH = 100


def run(arguments: Namespace) -> Status:
    """Print the entries that are named, or all of them."""
    target = one_target(arguments.game)
    game = load(target)
    if game is None:
        return Status.FINDINGS
    found = _passages(game, arguments.entries, arguments.mode)
    if arguments.format == "json":
        write_json([_as_json(passage, target) for passage in found], None)
    else:
        show("\n\n".join("\n".join(_wrapped(passage)) for passage in found))
    return Status.FINE


def _passages(game: Game, words: list[str], mode: str | None) -> list[Passage]:
    reading = Reading(game.program, game.mode_for(mode).name)
    finder = Finder(game.program)
    entries = finder.find_all(words) if words else finder.everything
    if not entries:
        raise Stop(Status.NOTHING, f"nothing there: no entries in {game.name} to be read")
    begun = [entry for entry in entries if words or not reading.is_draft(entry)]
    if len(begun) < len(entries):
        left_out = len(entries) - len(begun)
        drafts = "1 draft is" if left_out == 1 else f"{left_out} drafts are"
        complain(f"note: {drafts} left out, as nothing is written there yet")
    return [reading.passage(entry) for entry in begun]


def _as_json(passage: Passage, target: Target) -> dict[str, Any]:
    entry = passage.entry
    span = entry.span
    return {
        "kind": entry.domain,
        "key": key_of(entry.key),
        "title": entry.text,
        "text": str(passage),
        "file": target.named(span.file) if span is not None else None,
        "line": span.line if span is not None else None,
    }


def _wrapped(passage: Passage) -> list[str]:
    lines: list[str] = []
    for depth, text in passage.lines:
        indent = "  " * depth
        lines += textwrap.wrap(
            printable(text), _WIDTH, initial_indent=indent, subsequent_indent=indent + "  ",
            break_long_words=False, break_on_hyphens=False,
        )  # fmt: skip
    return lines
