"""Does the language read entries as the JSON means them? Names may run into what follows them."""

from __future__ import annotations

import json

from rulelang.content.encode import Encoder
from rulelang.content.pieces import Slip
from rulelang.content.shapes import OF, Json, pointer

_HELP = "Change the name or text, or what stands beside it."


def misread(data: Json, encoder: Encoder) -> list[Slip]:
    """What the game that was made of ``data`` says otherwise; ``encoder`` reads its entries."""
    program = encoder.program
    if data["game"] != program.name:
        return [Slip("/game", f"the rules are those of {program.name}")]
    slips = []
    for name, entries in data["entries"].items():
        kind = program.kinds[name]
        both_ways = name in program.edges and not program.edges[name].one_way
        read = {_key(entry[kind.key], both_ways): entry for entry in encoder.entries(kind)}
        for place, entry in enumerate(entries):
            at = pointer("/entries", name, place)
            wrong = _difference(entry, read.get(_key(entry[kind.key], both_ways)), at)
            if wrong is not None:
                message = "content cannot say this so that it is read as meant"
                slips.append(Slip(wrong, message, help=_HELP))
    return slips


def _key(key: Json, both_ways: bool) -> object:
    """What an entry is known by; of an edge the two places, in order where that counts."""
    if not isinstance(key, list):
        return key
    ends = list(map(_said, key))
    return tuple(sorted(ends) if both_ways else ends)


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
    names = all(
        isinstance(item, str | int) or (isinstance(item, dict) and OF in item)
        for item in [*one, *two]
    )
    return names and sorted(map(_said, one)) == sorted(map(_said, two))


def _said(item: Json) -> str:
    """A name, or the key of an entry, so that equal ones are told by it."""
    if isinstance(item, dict):
        return str({key: _said(item[key]) for key in sorted(item)})
    return json.dumps(int(item) if isinstance(item, float) else item)
