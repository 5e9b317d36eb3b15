"""Does the language read entries as the JSON means them? Names may run into what follows them."""

from __future__ import annotations

import json

from rulelang.content.encode import Encoder
from rulelang.content.pieces import Slip
from rulelang.content.shapes import Json, pointer

_HELP = "Change the name or text, or what stands beside it."


def misread(data: Json, encoder: Encoder) -> list[Slip]:
    """What the game that was made of ``data`` says otherwise; ``encoder`` reads its entries."""
    program = encoder.program
    if data["game"] != program.name:
        return [Slip("/game", f"the rules are those of {program.name}")]
    slips = []
    for name, entries in data["entries"].items():
        kind = program.kinds[name]
        read = {entry[kind.key]: entry for entry in encoder.entries(kind)}
        for place, entry in enumerate(entries):
            at = pointer("/entries", name, place)
            wrong = _difference(entry, read.get(entry[kind.key]), at)
            if wrong is not None:
                message = "content cannot say this so that it is read as meant"
                slips.append(Slip(wrong, message, help=_HELP))
    return slips


def _difference(given: Json, read: Json, at: str) -> str | None:
    """The first place where something else was read than given; what is left out does not count."""
    if isinstance(given, dict) and isinstance(read, dict):
        for key, item in given.items():
            if key in read or item:
                wrong = _difference(item, read.get(key), pointer(at, key))
                if wrong is not None:
                    return wrong
        return None
    if isinstance(given, list) and isinstance(read, list):
        if len(given) == len(read):
            pairs = enumerate(zip(given, read, strict=True))
            found = [_difference(one, two, pointer(at, place)) for place, (one, two) in pairs]
            wrong = next((each for each in found if each is not None), None)
            return wrong if wrong is None or not _same_set(given, read) else None
        return at
    same = given == read and isinstance(given, bool) == isinstance(read, bool)
    return None if same else at


def _same_set(one: list[Json], two: list[Json]) -> bool:
    """Do lists of names hold the same? Where order does not count, they are read in order."""
    names = all(isinstance(item, str | int) for item in [*one, *two])
    return names and sorted(map(json.dumps, one)) == sorted(map(json.dumps, two))
