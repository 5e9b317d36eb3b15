"""Trying case after case, until the time is up."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import count, cycle
from pathlib import Path
from unittest.mock import patch

from rulelang import analysis
from rulelang.syntax.parser import parse
from tests.fuzz.areas import AREAS, TURNS
from tests.fuzz.watch import Finding, tried

REPORT = 60.0
"""Seconds between two lines that say how far the run is."""


def run(seconds: float, first: int, folder: Path, turns: Iterable[str] = TURNS) -> list[Finding]:
    """Try cases for some seconds; findings, one for each thing that is wrong.

    Every finding is printed, and written down in the folder.
    """
    began = told = time.monotonic()
    counts: Counter[str] = Counter()
    found: dict[str, Finding] = {}
    # Files that no mutation touches are parsed once.
    with patch.object(analysis, "parse", lru_cache(maxsize=200)(parse)):
        for number, name in zip(count(first), cycle(turns)):
            now = time.monotonic()
            if now - began >= seconds:
                break
            if now - told >= REPORT:
                told = now
                print(f"{now - began:.0f} s: {_counted(counts)}; {len(found)} findings", flush=True)
            counts[name] += 1
            finding = tried(name, AREAS[name], number, folder, found)
            if finding is not None:
                found[finding.kind] = finding
                print(
                    f"{finding.area} {finding.number}: {finding.what}\n  {finding.folder}",
                    flush=True,
                )
    print(
        f"{time.monotonic() - began:.0f} s: {_counted(counts)}; {len(found)} findings", flush=True
    )
    return list(found.values())


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items()))
