"""A new entry in the shape of one that is there: with a key that is free and a title of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import ascii_uppercase

from attrs import frozen

from rulelang.content.encode import Encoder
from rulelang.content.shapes import CITES, COMMENTS, SHOWN_AS, TO_DO, Json, first_text
from rulelang.content.source import cut
from rulelang.content.write_entries import EntryWriter
from rulelang.diagnostic import suggest
from rulelang.errors import Error, UsageError
from rulelang.game import Game
from rulelang.program.boards import ENDS
from rulelang.program.expressions import Const
from rulelang.program.program import Kind, Program
from rulelang.program.values import Entry, plain
from rulelang.syntax.formatter import format_text

STORY = "What players read here is still to be written."
_SHAPES = 4
"""Entries of a kind whose shape is tried."""


@frozen
class Copy:
    """A new entry as text, what it is called there, and the entry whose shape it has, if any."""

    text: str
    name: str
    like: Entry | None
    kind: Kind


def kinds(program: Program) -> list[Kind]:
    """The kinds that entries can be copied of: those first that say which numbers they begin with.

    To these a pack may add, whatever the game's own checks count.
    """
    found = [
        kind
        for kind in program.kinds.values()
        if kind.key not in ("", ENDS) and program.domains[kind.name].entries
    ]
    return sorted(found, key=lambda kind: kind.base is None)


def kind_of(program: Program, word: str) -> Kind:
    """The kind that a word names. `UsageError`, with the kinds that there are, if it names none."""
    known = kinds(program)
    for kind in known:
        if plain(kind.name) == plain(word):
            return kind
    names = [kind.name.lower() for kind in known]
    there = f"; there are {', '.join(names)}" if names else ""
    near = suggest(word, names)
    raise UsageError(f"the game has no kind {word!r} with entries{'' if near else there}", near)


def copies(game: Game, kind: Kind, title: str) -> Iterator[Copy]:
    """New entries of a kind, each in another shape."""
    program = game.program
    encoder = Encoder(program, cut(game.sources, program))
    key = free_key(program, kind, title)
    if key is None:
        return
    for entry in program.domains[kind.name].entries[:_SHAPES]:
        if entry.span is None or entry.span not in encoder.cut.lines:
            continue
        data = _renamed(encoder.entry(entry, kind), entry, kind, key, title)
        writer = EntryWriter(program, {kind.name: [data]})
        try:
            writer.write()
            if writer.slips:
                continue
            text = format_text(writer.page.text())
        except Error:  # it says something that JSON cannot
            continue
        yield Copy(text, f"{plain(kind.name)} {written(key)}", entry, kind)


def _renamed(data: Json, entry: Entry, kind: Kind, key: str | int, title: str) -> Json:
    """The entry with another key and title, without what need not be said."""
    unsaid = {CITES, COMMENTS, SHOWN_AS, TO_DO}
    for field, value in zip(kind.fields, entry.fields, strict=True):
        usual = isinstance(field.default, Const) and field.default.value == value
        if usual or value is None:
            unsaid.add(field.name)
    left = {name: value for name, value in data.items() if name not in unsaid}
    left[kind.key] = key
    text = first_text(kind)
    if text is not None and text.name != "story":
        left[text.name] = title
    if isinstance(left.get("story"), str) and left["story"]:
        left["story"] = STORY
    return left


def written(key: str | int) -> str | int:
    """A key as an entry's head has it."""
    return f'"{key}"' if isinstance(key, str) and not key.isidentifier() else key


def free_key(program: Program, kind: Kind, title: str) -> str | int | None:
    """A key that no entry of the kind has; None if there is none."""
    taken = {entry.key for entry in program.domains[kind.name].entries}
    if kind.key == "number":
        whole = [int(key) for key in taken if not isinstance(key, str)]
        return max([*whole, kind.base[1] or 0 if kind.base is not None else 0]) + 1
    if kind.key == "letter":
        return next((letter for letter in ascii_uppercase if letter not in taken), None)
    names = {plain(str(entry.key)) for entry in program.domains[kind.name].entries}
    own = re.sub(r"\W", "", plain(title)) or "new"
    return own if own not in names and own[0].isalpha() else f"new_{own}"
