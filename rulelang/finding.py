"""Entries by the words that a person names them with."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rulelang.diagnostic import suggest
from rulelang.errors import UsageError
from rulelang.program.program import Program
from rulelang.program.values import Entry, figures
from rulelang.wording import folded, noun

_QUOTES = re.compile('["“”„]')
_LONGEST = 16
"""Words of a command line that are tried as one name."""


class Finder:
    """The entries of a program by name: as files write them, by title, by number, all of a kind.

    ``parcel 3``, ``parcel 3 "Sea Chest"``, ``parcel "Sea Chest"`` and ``Sea Chest`` name one entry,
    and so does ``3`` where one kind has numbers; ``parcel`` names all of them. Capitals, accents,
    hyphens, underscores and quotes do not count.
    """

    def __init__(self, program: Program) -> None:
        self.everything: list[Entry] = []
        """All entries that stand by themselves, by kind and in canonical order."""
        self.kinds: dict[str, list[Entry]] = {}
        """The entries by each name that their kind, or their variant of it, may be called."""
        self._entries: dict[str, list[Entry]] = {}
        self._shown: dict[str, None] = {}
        numbered: dict[str, list[Entry]] = {}
        for kind in program.kinds.values():
            if not kind.key:
                continue
            entries = program.domains[kind.name].entries
            self.everything += entries
            for word in _called(kind.name):
                self.kinds.setdefault(word, []).extend(entries)
            for entry in entries:
                self._enter(entry)
                if kind.key == "number":
                    numbered.setdefault(figures(entry.key), []).append(entry)
        self.numbered = numbered

    def _enter(self, entry: Entry) -> None:
        key = figures(entry.key)
        whats = [entry.domain, noun(entry.domain)]
        if entry.variant:
            whats.append(entry.variant)
            for word in _called(entry.variant):
                self.kinds.setdefault(word, []).append(entry)
        own = [entry.text, entry.label, *([key] if isinstance(entry.key, str) else [])]
        behind = [key, entry.text, f"{key} {entry.text}"]
        names = [*own, *(f"{what} {name}" for what in whats for name in behind)]
        for name in dict.fromkeys(map(_bare, names)):
            self._entries.setdefault(name, []).append(entry)
        shown = [entry.label, entry.text, f"{whats[-1]} {key}", f"{whats[-1]} {entry.text}"]
        self._shown |= dict.fromkeys(shown)

    def find(self, words: str) -> list[Entry]:
        """The entries that some words name; `UsageError`, with names that are like it, if none."""
        found = self._named(words)
        if found is None:
            message = f"there is no entry {words!r}"
            raise UsageError(message, suggest(words, [*self._shown, *self.kinds]))
        return found

    def find_all(self, words: Sequence[str]) -> list[Entry]:
        """The entries that the words of a command line name, each once, in the order of the words.

        A name may be one word or several: the longest that fits is taken.
        """
        found: dict[Entry, None] = {}
        place = 0
        while place < len(words):
            for end in range(min(len(words), place + _LONGEST), place, -1):
                named = self._named(" ".join(words[place:end]))
                if named is not None:
                    break
            else:
                behind_kind = place > 0 and _bare(words[place - 1]) in self.kinds
                named = self.find(" ".join(words[place - behind_kind : place + 1]))
            found |= dict.fromkeys(named)
            place = end
        return list(found)

    def _named(self, words: str) -> list[Entry] | None:
        name = _bare(words)
        if name in self.kinds:
            return self.kinds[name]
        if name in self.numbered:
            entries = self.numbered[name]
            if len(entries) > 1:
                message = f"{name} is the number of several entries"
                raise UsageError(message, [entry.label for entry in entries])
            return entries
        return self._entries.get(name)


def _bare(words: str) -> str:
    return folded(_QUOTES.sub(" ", words))


def _called(name: str) -> list[str]:
    """The names of a kind, for one and for several."""
    return list(dict.fromkeys(_bare(n) + s for n in (name, noun(name)) for s in ("", "s")))
