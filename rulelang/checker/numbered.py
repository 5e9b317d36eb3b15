"""Entries inside others that are numbered from 1 on, as the frames of a strip are: `by place`."""

from __future__ import annotations

from rulelang.checker.context import Context, plain
from rulelang.checker.wording import some
from rulelang.diagnostic import Note
from rulelang.program.program import PLACE, Kind
from rulelang.program.values import Entry


def in_order(
    context: Context, kind: Kind, outer: Entry, found: tuple[Entry, ...]
) -> tuple[Entry, ...]:
    """The entries by their numbers. Reports numbers that are missing, and those given twice."""
    by_place: dict[int, Entry] = {}
    for entry in found:
        number = entry.fields_by_name.get(PLACE)
        if not isinstance(number, int):
            return found  # it was reported
        known = by_place.setdefault(number, entry)
        if known is not entry and entry.span is not None and known.span is not None:
            context.report(
                "C502",
                f"{outer.text} has {plain(kind.name)} {number} twice",
                entry.span,
                notes=[Note(known.span, "the first one")],
                help="Change one of the two.",
            )
            return found
    if by_place:
        _gaps(context, kind, outer, by_place)
    return tuple(by_place[number] for number in sorted(by_place))


def _gaps(context: Context, kind: Kind, outer: Entry, by_place: dict[int, Entry]) -> None:
    missing = [n for n in range(1, max(by_place)) if n not in by_place]
    if not missing:
        return
    before = [by_place[n] for n in by_place if n < missing[0]]
    after = min(n for n in by_place if n > missing[0])
    near = [*before[-1:], by_place[after]]
    notes = [Note(e.span, f"{plain(kind.name)} {e.place} is here") for e in near if e.span]
    context.report(
        "C501",
        f"{outer.text} has no {plain(kind.name)} {some(missing)}",
        notes[-1].span,
        notes=notes[:-1],
        help=f"Write {plain(kind.name)} {missing[0]}, or give what is behind it other numbers.",
    )
