"""What has changed on the table between two looks of one seat, in a few plain lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rulelang.play.cells import Cell, Hidden
from rulelang.play.table import amount, in_order, is_blank, items, takes_part
from rulelang.play.words import name_of, unbroken
from rulelang.program.linking import Linked
from rulelang.program.types import FLAG
from rulelang.program.values import Entry, Pile, Value
from rulelang.wording import capital

Route = tuple[str, str]


def changes(linked: Linked, before: Sequence[Cell], after: Sequence[Cell], seat: int) -> list[str]:
    """Lines such as "Food 3 → 2" and "hand → path: Lantern (4)", in the order of the table."""
    pairs = [(old, new) for old, new in zip(before, after, strict=True) if old.value != new.value]
    namer = _Namer(linked, seat, takes_part([*before, *after]))
    open_zones = [p for p in pairs if p[1].zone and not _is_hidden(*p)]
    return [*_moves(open_zones, namer), *_orders(open_zones, namer), *_amounts(pairs, namer)]


class _Namer:
    """Says whose something is, where that is in question."""

    def __init__(self, linked: Linked, seat: int, present: set[Entry]) -> None:
        self.linked = linked
        self.seat = seat
        self.present = present

    def owner(self, cell: Cell) -> str:
        """ "You", a name, or nothing where there is only one owner."""
        owner = cell.owner
        if owner is None:
            return ""
        owners = self.linked.owners(cell.field)
        if sum(other in self.present for other in owners) <= 1 and owner in self.present:
            return ""
        if owner.domain == "Player" and owner.index == self.seat:
            return "you"
        return name_of(owner)

    def place(self, cell: Cell) -> str:
        """A place: "discard", "your hand", "Bo's hand"."""
        owner = self.owner(cell)
        if not owner:
            return cell.name
        return f"your {cell.name}" if owner == "you" else f"{owner}'s {cell.name}"


def _is_hidden(old: Cell, new: Cell) -> bool:
    return isinstance(old.value, Hidden) or isinstance(new.value, Hidden)


# ---------------------------------------------------------------- entries that moved


def _lying(value: Value) -> tuple[Entry, ...]:
    return value.all() if isinstance(value, Pile) else value


def _moves(pairs: list[tuple[Cell, Cell]], namer: _Namer) -> list[str]:
    left: dict[Entry, list[str]] = {}
    came: dict[Entry, list[str]] = {}
    for old, new in pairs:
        before, now = Counter(_lying(old.value)), Counter(_lying(new.value))
        for entry, count in (before - now).items():
            left.setdefault(entry, []).extend([namer.place(old)] * count)
        for entry, count in (now - before).items():
            came.setdefault(entry, []).extend([namer.place(new)] * count)
    routes: dict[Route, list[str]] = {}
    for entry in dict.fromkeys([*came, *left]):
        sources, targets = left.get(entry, []), came.get(entry, [])
        for n in range(max(len(sources), len(targets))):
            route = (sources[n] if n < len(sources) else "", targets[n] if n < len(targets) else "")
            routes.setdefault(route, []).append(unbroken(name_of(entry)))
    return [f"{_route(*route)}: {', '.join(names)}" for route, names in routes.items()]


def _route(source: str, target: str) -> str:
    if not source:
        return f"new in {target}"
    return f"{source} → {target}" if target else f"gone from {source}"


def _orders(pairs: list[tuple[Cell, Cell]], namer: _Namer) -> list[str]:
    """Rows to which something came, or that lie in another order."""
    lines = []
    for old, new in pairs:
        if in_order(new):
            kept = [e for e in old.value if e in new.value]
            came = len(new.value) > len(kept)
            if len(new.value) > 1 and (came or kept != [e for e in new.value if e in old.value]):
                lines.append(f"{namer.place(new)} is now {' › '.join(map(unbroken, items(new)))}")
    return lines


# ---------------------------------------------------------------- numbers and names


def _amounts(pairs: list[tuple[Cell, Cell]], namer: _Namer) -> list[str]:
    """What changed of each owner, on one line."""
    told: dict[str, list[str]] = {}
    for old, new in pairs:
        if not new.zone or _is_hidden(old, new):
            told.setdefault(namer.owner(new), []).append(_amount(old, new))
    return [
        capital(f"{owner}: {', '.join(texts)}" if owner else ", ".join(texts))
        for owner, texts in told.items()
    ]


def _amount(old: Cell, new: Cell) -> str:
    if new.field.type == FLAG and not _is_hidden(old, new):
        return f"now {new.name}" if new.value else f"no longer {new.name}"
    if new.keys and not _is_hidden(old, new):
        return _of_map(old, new)
    before, now = _short(old), _short(new)
    if isinstance(old.value, Hidden | Pile) and now.endswith(tail := before.lstrip("0123456789")):
        before = before.removesuffix(tail)  # "48 → 47 cards"
    if before == now:
        return f"{new.name}: other ones"
    return f"{new.name} {before} → {now}"


def _of_map(old: Cell, new: Cell) -> str:
    triples = zip(new.keys, old.value, new.value, strict=True)
    texts = [
        f"{name_of(key)} {name_of(before)} → {name_of(now)}"
        for key, before, now in triples
        if before != now
    ]
    return f"{new.name} {', '.join(texts)}"


def _short(cell: Cell) -> str:
    value = cell.value
    if isinstance(value, tuple):
        return ", ".join(items(cell)) or "none"
    if isinstance(value, Hidden):
        text = amount(cell)
        known = f" ({', '.join(items(cell))})" if value.known else ""
        return text + known
    return "none" if is_blank(value) and value != 0 else amount(cell)
