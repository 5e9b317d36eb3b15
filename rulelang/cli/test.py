"""``rulelang test``: the scenarios of games."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from attrs import evolve

from rulelang.cli.loading import load
from rulelang.cli.status import Status
from rulelang.cli.streams import complain, paint, show, use_color
from rulelang.cli.targets import targets
from rulelang.display import printable
from rulelang.scenarios import ScenarioResult
from rulelang.scenarios import run as run_scenarios


def run(arguments: Namespace) -> Status:
    """Run the scenarios, and print how each went."""
    results: list[ScenarioResult] = []
    broken = False
    for target in targets(arguments.paths):
        game = load(target)
        if game is None:
            broken = True
            continue
        for result in run_scenarios(game, arguments.only):
            results.append(evolve(result, file=target.named(result.file)))
    if arguments.format == "json":
        show(json.dumps(_object(results), indent=2))
    elif results:
        _print(results)
    if broken or not all(result.ok for result in results):
        return Status.FINDINGS
    if not results:
        complain(
            "there are no scenarios"
            + (f" with {arguments.only!r} in their names" if arguments.only else "")
        )
        return Status.NOTHING
    return Status.FINE


def _object(results: list[ScenarioResult]) -> dict[str, object]:
    passed = sum(result.ok for result in results)
    listed = [
        {
            "name": each.name,
            "file": each.file,
            "line": each.line,
            "ok": each.ok,
            "message": each.message,
        }
        for each in results
    ]
    return {"passed": passed, "failed": len(results) - passed, "scenarios": listed}


def _print(results: list[ScenarioResult]) -> None:
    color = use_color(sys.stdout)
    for result in results:
        verdict = paint("ok    ", "32", color) if result.ok else paint("FAILED", "1;31", color)
        file = printable(result.file)
        show(f"{verdict}  {printable(result.name)}  ({file}:{result.line})")
        if not result.ok:
            show(f"        {file}:{result.failed_line}: {printable(result.message)}")
    passed = sum(result.ok for result in results)
    show(f"{passed:,} passed, {len(results) - passed:,} failed")
