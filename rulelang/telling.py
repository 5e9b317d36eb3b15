"""What came of many games, as text for a person."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

from rulelang.counting import Row
from rulelang.display import printable
from rulelang.program.values import plain

if TYPE_CHECKING:
    from rulelang.simulation import Report

_SHOWN_FAULTS = 5


def wilson(count: int, total: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score; 0 to 1 of nothing."""
    if not total:
        return 0.0, 1.0
    z = 1.959964
    share, weight = count / total, z * z / total
    middle = share + weight / 2
    half = z * math.sqrt(share * (1 - share) / total + weight / (4 * total))
    return max(0.0, (middle - half) / (1 + weight)), min(1.0, (middle + half) / (1 + weight))


def lines_of(report: Report, where: str = "") -> list[str]:
    """The report for a person; ``where`` is what the game was called on the command line."""
    options = {**report.settings, **report.rulings}
    players = "1 player" if report.players == 1 else f"{report.players} players"
    game = report.game if where in ("", ".", report.game) else f"{report.game} ({where})"
    head = [f"{game}, mode {report.mode}, {players}, policy {report.policy}, seed {report.seed}"]
    if options:
        head.append("  " + ", ".join(f"{name}={value}" for name, value in options.items()))
    head.append(f"{report.played:,} games, {report.finished:,} finished")
    lines = [*head, "", *_table("outcome", report.outcomes, report.played)]
    if report.winners:
        lines += ["", *_table("winner", report.winners, report.finished)]
    lines += _counts(report)
    return [*lines, "", *_score(report), *_pace(report), *_faults(report)]


def _table(title: str, counts: Counter[str], total: int) -> list[str]:
    rows = sorted(counts.items(), key=lambda row: (-row[1], row[0]))
    width = max(len(name) for name in (title, *counts))
    lines = [f"{title:{width}}  {'games':>9}    share  95 % interval"]
    for name, count in rows:
        low, high = wilson(count, total)
        share = count / total if total else 0.0
        lines.append(f"{name:{width}}  {count:>9,}  {share:7.2%}  {low:.2%} to {high:.2%}")
    return lines


def _counts(report: Report) -> list[str]:
    """What was counted: all of it, and then by the values of an argument."""
    counts = report.counts.values()
    lines = _calls("counted", [(c.name, c.calls, c.games) for c in counts], report.played)
    for count in counts:
        if count.by is not None:
            rows = [(_value(row), row.calls, row.games) for row in count.values]
            lines += _calls(f"{count.called} by {count.by}", rows, report.played)
    return lines


def _value(row: Row) -> str:
    """The label of a value, and its title if that says more."""
    says_more = plain(row.title) != plain(row.value)
    return printable(f"{row.value}  {row.title}" if says_more else row.value)


def _calls(title: str, rows: list[tuple[str, int, int]], played: int) -> list[str]:
    """An empty line and a table, if there are rows."""
    if not rows:
        return []
    width = max(len(name) for name in (title, *(row[0] for row in rows)))
    lines = ["", f"{title:{width}}  {'calls':>9}  {'games':>9}  {'per game':>9}"]
    for name, calls, games in rows:
        rate = calls / played if played else 0.0
        lines.append(f"{name:{width}}  {calls:>9,}  {games:>9,}  {rate:>9,.2f}")
    return lines


def _score(report: Report) -> list[str]:
    if report.score_mean is None:
        return []
    interval = report.score_interval
    inner = ""
    if interval is not None:
        low, high = (round(end, 2) + 0.0 for end in interval)  # no -0.00
        inner = f" (95 % interval {low:.2f} to {high:.2f})"
    extent = f"from {report.score_min} to {report.score_max}"
    return [f"score      {report.score_mean:.2f} in the mean{inner}, {extent}"]


def _pace(report: Report) -> list[str]:
    if not report.played:
        return []
    decisions, turns = report.decisions / report.played, report.turns / report.played
    games, choices = report.games_per_second, report.decisions_per_second
    return [
        f"decisions  {decisions:,.1f} a game, turns {turns:,.1f} a game",
        f"speed      {games:,.0f} games/s, {choices:,.0f} decisions/s",
        f"time       {report.seconds:.2f} s",
    ]


def _faults(report: Report) -> list[str]:
    if not report.fault_count:
        return []
    lines = ["", f"{report.fault_count:,} games came to a fault:"]
    for fault in report.faults[:_SHOWN_FAULTS]:
        place = f"{fault['file']}:{fault['line']}"
        lines.append(
            printable(
                f"  seed {fault['seed']}: {place}: {fault['message']} (in rule {fault['rule']})"
            )
        )
    if report.fault_count > _SHOWN_FAULTS:
        lines.append(f"  and {report.fault_count - _SHOWN_FAULTS:,} more")
    return lines
