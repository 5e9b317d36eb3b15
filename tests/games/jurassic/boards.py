"""The board in plain Python, and ways over it found without the language's search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from attrs import frozen

from rulelang import Game, Session

Near = dict[str, frozenset[str]]
Way = tuple[str, ...]


@frozen
class Board:
    """What joins what, by the names of places, and what each place is."""

    kind: dict[str, str]
    ground: dict[str, str | None]
    steps: Near
    """Where a pawn goes from each place."""
    runs: Near
    """Where a Raptor goes."""
    mouth: dict[str, str]
    """The Territory before each building."""

    def walks(self, start: str, count: int, pawns: Iterable[str]) -> list[Way]:
        """All ways of a pawn with this number, with pawns standing there."""
        taken = set(pawns)
        found = _ways(
            self.steps,
            start,
            count,
            enters=lambda place: place != "MAIN",
            stops=lambda place: self.kind[place] != "circle",
        )
        return [way for way in found if self.kind[way[-1]] != "circle" or way[-1] not in taken]

    def raptor_ways(self, start: str, count: int, others: Iterable[str], held: bool) -> list[Way]:
        """All ways of a Raptor; ``held``: those inside hold the Territory before their building."""
        taken = set(others)
        if held:
            taken |= {self.mouth[lair] for lair in taken if lair in self.mouth}
        return _ways(
            self.runs,
            start,
            count,
            enters=lambda place: self.kind[place] == "area" and place not in taken,
            stops=lambda place: False,
        )


def _ways(
    near: Near,
    start: str,
    count: int,
    *,
    enters: Callable[[str], bool],
    stops: Callable[[str], bool],
) -> list[Way]:
    """Ways grown a step at a time, all of them together."""
    found: list[Way] = []
    growing: list[Way] = [(start,)]
    for _ in range(count):
        longer = [
            (*way, place)
            for way in growing
            for place in near[way[-1]]
            if place not in way and enters(place)
        ]
        found += [way for way in longer if stops(way[-1])]
        growing = [way for way in longer if not stops(way[-1])]
    return [way[1:] for way in found + growing]


def board_of(game: Game) -> Board:
    """The board as the game's entries describe it."""
    places = game.entries("place")
    mouths = [_named(entry.joins) for entry in game.entries("burst")]
    return Board(
        {str(place.key): place.variant for place in places},
        {str(p.key): None if p.ground is None else str(p.ground.key) for p in places},
        _near(game, "path", "diamond"),
        _near(game, "border", "burst"),
        {building: area for area, building in mouths},
    )


def _near(game: Game, *kinds: str) -> Near:
    near: dict[str, set[str]] = {str(place.key): set() for place in game.entries("place")}
    for kind in kinds:
        for entry in game.entries(kind):
            one, other = _named(entry.joins)
            near[one].add(other)
            near[other].add(one)
    return {place: frozenset(others) for place, others in near.items()}


def _named(joined: Iterable[Any]) -> tuple[str, str]:
    one, other = (str(place.key) for place in joined)
    return one, other


# ------------------------------------------------------------------ a session, read from outside


def pawns(session: Session) -> dict[str, str | None]:
    """Where each pawn is; None: eaten."""
    return _placed(session.state["Pawn.spot"])


def raptors(session: Session) -> dict[str, str]:
    """Where each Raptor is."""
    return {name: place or "" for name, place in _placed(session.state["Raptor.lair"]).items()}


def _placed(field: Mapping[str, Any]) -> dict[str, str | None]:
    return {name: None if value is None else value["key"] for name, value in field.items()}


def ways_offered(session: Session) -> list[Way]:
    """The ways that may be chosen now."""
    return [tuple(label.strip("[]").split(", ")) for label in session.legal]


def crowded(places: Iterable[str | None]) -> set[str]:
    """The places that stand there twice or more."""
    return {p for p, count in Counter(places).items() if p is not None and count > 1}
