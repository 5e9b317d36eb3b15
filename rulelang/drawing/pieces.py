"""What stands on the places of a board: pieces and marks, read from a state as data.

A *piece* is a field of the state that holds a place: the game's own field, or one for each owner.
A *mark* is what the state says of a place itself: a field that is kept for each place, or a place
that is one of several in a field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from attrs import define, field, frozen

from rulelang.drawing.places import holds_a_place, holds_places, place_kinds
from rulelang.program.program import Program, StateField
from rulelang.program.values import Entry

_NAMED = 3
"""So many things that lie on a place are named; more are counted."""


@frozen
class Piece:
    """A piece: its name, a short one to write on it, and what sort it is of."""

    name: str
    short: str
    sort: str


@frozen
class Mark:
    """What is said of a place, and the field that says it."""

    said: str
    sort: str


@define
class Standing:
    """What stands where."""

    pieces: dict[Entry, list[Piece]] = field(factory=dict)
    marks: dict[Entry, list[Mark]] = field(factory=dict)


def piece_fields(program: Program) -> list[StateField]:
    """The fields whose values are pieces, in the order in which the game declares them."""
    kinds = place_kinds(program)
    return [each for each in program.state.values() if holds_a_place(each.type, kinds)]


def sort_of_piece(known: StateField) -> str:
    """What the pieces of a field are called together: after their owners."""
    return known.per or known.name


def standing(program: Program, state: Mapping[str, Any]) -> Standing:
    """Where everything stands. What a state hides, or does not have, is passed over."""
    kinds = place_kinds(program)
    found = Standing()
    for known in program.state.values():
        if known.key not in state:
            continue
        if holds_a_place(known.type, kinds):
            _put_pieces(program, known, state[known.key], found)
        elif known.per in kinds:
            _put_own_marks(program, known, state[known.key], found)
        elif holds_places(known.type, kinds):
            _put_marks(program, known, state[known.key], found)
    return found


def _put_pieces(program: Program, known: StateField, data: Any, found: Standing) -> None:
    own = _owners(program, known, data)
    names = [name for name, _ in own]
    sort = sort_of_piece(known)
    for (name, value), short in zip(own, shortened(names), strict=True):
        place = _place(program, value)
        if place is not None:
            found.pieces.setdefault(place, []).append(Piece(name, short, sort))


def _put_own_marks(program: Program, known: StateField, data: Any, found: Standing) -> None:
    """Of a field for each place."""
    entries = {_key(entry): entry for entry in program.domains[known.per].entries}
    for key, value in data.items():
        said = _said(program, _words(known.name), value)
        if key in entries and said:
            found.marks.setdefault(entries[key], []).append(Mark(said, known.name))


def _put_marks(program: Program, known: StateField, data: Any, found: Standing) -> None:
    """Of a field that holds several places."""
    for name, value in _owners(program, known, data):
        said = f"{_words(known.name)}, {name}" if known.per else name
        for item in _lying(value):
            place = _place(program, item)
            if place is not None:
                found.marks.setdefault(place, []).append(Mark(said, known.name))


def _owners(program: Program, known: StateField, data: Any) -> list[tuple[str, Any]]:
    """The name and the value of each owner; the field's own name where it has none."""
    if not known.per:
        return [(_words(known.name), data)]
    domain = program.domains.get(known.per)
    entries = {} if domain is None else {_key(entry): entry for entry in domain.entries}
    return [(_owner(known.per, key, entries.get(key)), value) for key, value in data.items()]


def _owner(per: str, key: str, entry: Entry | None) -> str:
    text = _words(key) if entry is None else entry.text
    return f"{per} {text}" if text.isdigit() else text


def _key(entry: Entry) -> str:
    return str(entry.key)


def _place(program: Program, value: object) -> Entry | None:
    if not isinstance(value, dict) or set(value) != {"of", "key"}:
        return None
    if not isinstance(value["of"], str) or not isinstance(value["key"], str | int):
        return None
    domain = program.domains.get(value["of"])
    if domain is None:
        return None
    found = domain.by_key.get(value["key"])
    if found is None:  # a key that is no whole number is written as a text
        found = next((e for e in domain.entries if _key(e) == value["key"]), None)
    return found


def _lying(value: Any) -> list[Any]:
    """What lies in a place for entries; of a hidden one what is known."""
    match value:
        case list():
            return value
        case {"top": top, "pool": pool, "bottom": bottom}:
            return [*top, *pool, *bottom]
        case {"count": _, "known": known}:
            return list(known)
    return []


def _said(program: Program, name: str, value: Any) -> str:
    """A value in words, behind the field's name; nothing for what is empty."""
    match value:
        case None | False | 0 | "" | {"hidden": _}:
            return ""
        case True:
            return name
        case int() | str():
            return f"{name} {value}"
        case {"of": _, "key": key}:
            return f"{name}: {_title(program, value, key)}"
        case {"count": int(count)}:
            return f"{name}: {count}" if count else ""
    lying = _lying(value)
    if len(lying) > _NAMED:
        return f"{name}: {len(lying)}"
    titles = [_title(program, item, item) for item in lying]
    return f"{name}: {', '.join(titles)}" if titles else ""


def _title(program: Program, value: Any, other: object) -> str:
    entry = _place(program, value)
    return str(other) if entry is None else entry.text


def _words(name: str) -> str:
    return name.replace("_", " ")


def mark_fields(program: Program) -> list[StateField]:
    """The fields that put marks, in the order in which the game declares them."""
    kinds = place_kinds(program)
    return [
        each
        for each in program.state.values()
        if not holds_a_place(each.type, kinds)
        and (each.per in kinds or holds_places(each.type, kinds))
    ]


# ---------------------------------------------------------------- short names


def shortened(names: list[str]) -> list[str]:
    """Short names by which they are told apart: numbers, initials, or as many letters as needed."""
    rows = [list(_candidates(name)) for name in names]
    owners = Counter(each for row in rows for each in dict.fromkeys(row))
    return [next((each for each in row if owners[each] == 1), row[-1]) for row in rows]


def _candidates(name: str) -> Iterator[str]:
    words = name.split() or ["?"]
    if words[-1].isdigit():
        yield words[-1][-4:]
        return
    if len(words) > 1:
        yield "".join(word[0] for word in words)[:3].upper()
    whole = "".join(words)
    yield whole[0].upper()
    yield from (whole[:1].upper() + whole[1:count] for count in (2, 3, 4))
