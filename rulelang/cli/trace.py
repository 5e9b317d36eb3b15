"""``rulelang trace``: which clauses of the rulebook are cited and exercised."""

from __future__ import annotations

import json
import textwrap
from argparse import Namespace
from collections.abc import Sequence

from rulelang.cli.loading import load
from rulelang.cli.status import Status
from rulelang.cli.streams import show
from rulelang.cli.targets import one_target
from rulelang.trace import Trace, trace


def run(arguments: Namespace) -> Status:
    """Compare the game with its catalogue of clauses, and print what is missing."""
    game = load(one_target(arguments.game))
    if game is None:
        return Status.FINDINGS
    found = trace(game)
    if arguments.format == "json":
        show(json.dumps(found.as_json(), indent=2))
    else:
        show("\n".join(_lines(game.name, found)))
    return Status.FINDINGS if found.unknown else Status.FINE


def _lines(name: str, found: Trace) -> list[str]:
    others = f" ({found.other_modes:,} more are for other modes)" if found.other_modes else ""
    return [
        f"{name}: {found.clauses:,} clauses{others}",
        _share("cited", found.cited, found.clauses),
        _share("exercised", found.exercised, found.clauses),
        *_listed("missing", found.missing),
        *_listed("not exercised", found.not_exercised),
        *_listed("unknown", found.unknown),
    ]


def _share(word: str, number: int, total: int) -> str:
    share = f"{number / total:8.1%}" if total else ""
    return f"  {word:10}{number:>6,}{share}".rstrip()


def _listed(word: str, clauses: Sequence[str]) -> list[str]:
    if not clauses:
        return []
    return textwrap.wrap(
        f"{word} ({len(clauses):,}): {', '.join(clauses)}", 100, subsequent_indent="  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
