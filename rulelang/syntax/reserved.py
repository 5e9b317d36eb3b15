"""Names of the authoring book that rules could not write: words that are reserved there.

In content nearly every word is free, so that the scanner lets them through. Values and entries may
be called so: rules write them in quotes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from rulelang.diagnostic import Diagnostic, make
from rulelang.syntax import tree as t

_DECLARING = {"names": "a type", "die": "a die"}


def reserved_names(lines: Iterable[object], reserved: Collection[str]) -> list[Diagnostic]:
    """Report modes, types and dice whose names are reserved words."""
    return [
        make(
            "S106",
            f"`{name.text}` is a reserved word and cannot be used as the name of {what}",
            name.span,
            help=f"Choose another name, for instance `{name.text}_`, or two words joined by `_`.",
        )
        for line in lines
        if isinstance(line, t.Line)
        for name, what in _declared(line)
        if name.kind == "name" and name.text in reserved
    ]


def _declared(line: t.Line) -> Iterator[tuple[t.Word, str]]:
    """What a line of content declares that rules call by its name alone."""
    word = line.words[0].text
    if word in _DECLARING and len(line.words) > 2 and line.words[2].kind == "colon":
        yield line.words[1], _DECLARING[word]
    if word == "game":
        for item in line.block:
            if isinstance(item, t.Line) and len(item.words) > 1 and item.words[0].text == "mode":
                yield item.words[1], "a mode"
