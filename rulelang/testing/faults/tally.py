"""The figures of a measurement, as a table for people and as data."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import mean
from typing import Any

from attrs import frozen

from rulelang.testing.faults.kinds import GROUPS, UNSEEN
from rulelang.testing.faults.measure import Finding

COLUMNS = (
    *("seeded", "check", "in place", "reports", "p95", "with scenarios", "by claims", "same"),
)
LEGEND = """\
seeded: faults that change what the files say; check: how many `check` finds; in place: how many of
those it reports where they are; reports: errors and warnings for each, the mean and the 95th of
100; with scenarios: how many `check` or `test` finds; by claims: how many `check` finds only
because a check of the game fails or a scenario cannot come about, which are in no place; same:
changes that left the game as it was, not counted."""


@frozen
class Row:
    """The figures of a kind, of a group or of all."""

    title: str
    seeded: int
    by_check: int
    placed: int
    placeable: int
    reports: float
    p95: int
    found: int
    claims: int
    same: int

    @classmethod
    def of(cls, title: str, findings: Sequence[Finding]) -> Row:
        """The figures of some findings."""
        real = [finding for finding in findings if not finding.same]
        counts = sorted(finding.diagnostics for finding in real if finding.by_check)
        return cls(
            title,
            len(real),
            len(counts),
            sum(finding.placed for finding in real if not finding.claims),
            sum(finding.by_check and not finding.claims for finding in real),
            mean(counts) if counts else 0.0,
            counts[min(len(counts) - 1, int(len(counts) * 0.95))] if counts else 0,
            sum(finding.found for finding in real),
            sum(finding.claims for finding in real),
            len(findings) - len(real),
        )

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as it is shown."""
        return (
            self.title,
            f"{self.seeded:,}",
            percent(self.by_check, self.seeded),
            percent(self.placed, self.placeable),
            f"{self.reports:.2f}" if self.by_check else "",
            str(self.p95) if self.by_check else "",
            percent(self.found, self.seeded),
            str(self.claims or ""),
            str(self.same or ""),
        )

    def as_json(self) -> dict[str, Any]:
        """The figures as a JSON-able object."""
        return {
            "title": self.title,
            "seeded": self.seeded,
            "found_by_check": self.by_check,
            "in_place": self.placed,
            "with_a_place": self.placeable,
            "diagnostics_mean": round(self.reports, 3),
            "diagnostics_p95": self.p95,
            "found_by_check_or_scenarios": self.found,
            "only_by_claims": self.claims,
            "same_program": self.same,
        }


def percent(part: int, whole: int) -> str:
    """A share for people: 100 % is all of them, and 0 % is none."""
    if not whole:
        return ""
    share = round(100 * part / whole)
    if part < whole:
        share = min(share, 99)
    if part:
        share = max(share, 1)
    return f"{share} %"


def rows(findings: Sequence[Finding]) -> list[tuple[str, list[Row]]]:
    """For each group that was seeded, its kinds and then the group as a whole."""
    made = []
    for group in GROUPS:
        inside = [finding for finding in findings if finding.group == group]
        titles = list(dict.fromkeys(finding.kind for finding in inside))
        kinds = [Row.of(title, [f for f in inside if f.kind == title]) for title in titles]
        if inside:
            made.append((group, [*kinds, Row.of(f"all {group}", inside)]))
    return made


def overall(findings: Sequence[Finding]) -> Row:
    """The figures of all but what nothing can see."""
    return Row.of("all that can be seen", [f for f in findings if f.group != UNSEEN])


def as_text(findings: Sequence[Finding]) -> str:
    """The table in columns."""
    table: list[tuple[str, ...]] = [("kind of fault", *COLUMNS)]
    for _, made in rows(findings):
        table += [row.cells for row in made]
        table.append(())
    table.append(overall(findings).cells)
    widths = [max(len(cells[place]) for cells in table if cells) for place in range(len(table[0]))]
    lines = [
        "  ".join(
            cell.rjust(width) if place else cell.ljust(width)
            for place, (cell, width) in enumerate(zip(cells, widths, strict=bool(cells)))
        ).rstrip()
        for cells in table
    ]
    return "\n".join([*lines, "", LEGEND])


def as_markdown(findings: Sequence[Finding]) -> str:
    """The table as Markdown, groups in bold."""
    lines = [_line(("kind of fault", *COLUMNS)), _line(("---", *("--:" for _ in COLUMNS)))]
    for _, made in rows(findings):
        lines += [_line(row.cells) for row in made[:-1]]
        lines.append(_line(tuple(f"**{cell}**" if cell else "" for cell in made[-1].cells)))
    total = overall(findings).cells
    lines.append(_line(tuple(f"**{cell}**" if cell else "" for cell in total)))
    return "\n".join(lines)


def _line(cells: tuple[str, ...]) -> str:
    return f"| {' | '.join(cells)} |"


def as_json(findings: Sequence[Finding]) -> dict[str, Any]:
    """The figures, and each fault that was not found."""
    return {
        "groups": [
            {"group": group, "kinds": [r.as_json() for r in made[:-1]], "all": made[-1].as_json()}
            for group, made in rows(findings)
        ],
        "all": overall(findings).as_json(),
        "survivors": [
            {
                "kind": finding.kind,
                "file": finding.file,
                "line": finding.line,
                "before": finding.before,
                "after": finding.after,
            }
            for finding in survivors(findings)
        ],
    }


def survivors(findings: Sequence[Finding]) -> list[Finding]:
    """The faults that nothing finds."""
    return [finding for finding in findings if not finding.same and not finding.found]


def listed(findings: Sequence[Finding]) -> str:
    """The faults that nothing finds, for people, by kind."""
    lines = []
    for title in dict.fromkeys(finding.kind for finding in findings):
        left = [finding for finding in survivors(findings) if finding.kind == title]
        if left:
            lines += ["", f"{title} ({left[0].group}): {len(left)} not found"]
        for each in left:
            lines += [f"  {each.file}:{each.line}: {each.before}", f"    -> {each.after}"]
    return "\n".join(lines).lstrip("\n") or "everything was found"
