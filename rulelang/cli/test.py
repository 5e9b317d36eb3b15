"""``rulelang test``: the scenarios of games."""

from __future__ import annotations

import json
import sys
from argparse import Namespace

from attrs import evolve

from rulelang.cli.loading import load
from rulelang.cli.status import Status
from rulelang.cli.streams import complain, paint, show, use_color, write_bytes
from rulelang.cli.targets import targets
from rulelang.display import printable
from rulelang.report.junit import Case, render_cases
from rulelang.scenarios import ScenarioResult
from rulelang.scenarios import run as run_scenarios

BROKEN, HAS_ERRORS = "the game", "it has errors; `rulelang check` shows them"
"""What stands for a game that cannot be played, in the place of its scenarios."""


def run(arguments: Namespace) -> Status:
    """Run the scenarios, and print how each went."""
    results: list[ScenarioResult] = []
    broken: list[str] = []
    for target in targets(arguments.paths):
        game = load(target)
        if game is None:
            broken.append(target.prefix.rstrip("/") or ".")
            continue
        for result in run_scenarios(game, arguments.only):
            results.append(evolve(result, file=target.named(result.file)))
    if arguments.format == "json":
        show(json.dumps(_object(results, broken), indent=2))
    elif arguments.format == "junit":
        write_bytes(f"{_junit(results, broken)}\n".encode())
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


def _object(results: list[ScenarioResult], broken: list[str]) -> dict[str, object]:
    """The contract's object. A game that cannot be played is a failure, too."""
    passed = sum(result.ok for result in results)
    listed: list[dict[str, object]] = [
        {"name": BROKEN, "file": each, "line": 1, "ok": False, "message": HAS_ERRORS}
        for each in broken
    ]
    listed += [
        {
            "name": each.name,
            "file": each.file,
            "line": each.line,
            "ok": each.ok,
            "message": each.message,
        }
        for each in results
    ]
    return {"passed": passed, "failed": len(listed) - passed, "scenarios": listed}


def _junit(results: list[ScenarioResult], broken: list[str]) -> str:
    """A case for each scenario, and one for each game that cannot be played."""
    cases = [Case(each, BROKEN, problem=HAS_ERRORS, broken=True) for each in broken]
    for result in results:
        place = f"{result.file}:{result.failed_line}"
        details = "" if result.ok else f"{place}: {result.message}"
        problem = None if result.ok else result.message
        cases.append(Case(result.file, result.name, result.line, problem, "scenario", details))
    return render_cases(cases, "rulelang test")


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
