"""``python -m rulelang.testing.faults GAME``: how well are mistakes in a game found?"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence

from rulelang.errors import UsageError
from rulelang.testing.faults.kinds import KINDS
from rulelang.testing.faults.measure import measure
from rulelang.testing.faults.tally import as_json, as_markdown, as_text, listed


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 0, or 2 if there is no such game or it is not sound."""
    given = _parser().parse_args(arguments)
    kinds = [kind for kind in KINDS if given.only.casefold() in f"{kind.group} {kind.title}"]
    try:
        findings = measure(
            given.game, seed=given.seed, per_kind=given.per_kind, jobs=given.jobs, kinds=kinds
        )
    except UsageError as error:
        print(error, file=sys.stderr)
        return 2
    match given.format:
        case "json":
            print(json.dumps(as_json(findings), indent=2, ensure_ascii=False))
        case "markdown":
            print(as_markdown(findings))
        case _:
            print(as_text(findings))
    if given.survivors and given.format != "json":
        print(f"\n{listed(findings)}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m rulelang.testing.faults",
        description="Seed single faults into a sound game, and tell how many of them are found by "
        "its check and by its scenarios.",
    )
    parser.add_argument("game", metavar="GAME", help="a shipped game, or a folder")
    parser.add_argument("--seed", type=int, default=0, help="which faults are drawn (default 0)")
    parser.add_argument(
        "--per-kind", type=int, default=20, metavar="N", help="faults of each kind (default 20)"
    )
    parser.add_argument("--only", default="", metavar="WORDS", help="kinds with these words")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="processes (default 1)")
    parser.add_argument("--format", choices=("text", "json", "markdown"), default="text")
    parser.add_argument("--survivors", action="store_true", help="list what nothing finds")
    return parser


if __name__ == "__main__":
    raise SystemExit(main())
