"""What generated code refers to by name: constants, helper functions, memories."""

from __future__ import annotations

import re
from typing import Any

from rulelang.program.values import Entry, Value

Recipe = tuple[Any, ...]
"""What an object is made of (see `kept.made`): plain values, behind the word for how it is made."""


class Pool:
    """The global names of generated code, and what they stand for."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.names: dict[str, Any] = dict(given)
        self.recipes: dict[str, Recipe] = {}
        """Of the names that were put here: how the same object is made in another process."""
        self._known: dict[int, str] = {}
        self._kept: list[Any] = []
        """What is known by its identity is kept, so that no other comes to have the same."""
        self.count = 0
        """How many names were numbered."""

    def fresh(self, kind: str) -> str:
        """A name that is not used yet."""
        self.count += 1
        return f"{kind}{self.count}"

    def put(self, value: Any, kind: str, *recipe: Any) -> str:
        """The name of an object; the same object has one name.

        Of what is no plain value the recipe is needed, if it is to be kept for another process.
        """
        if id(value) not in self._known:
            self.add(self.fresh(kind), value, recipe or _plain(value))
        return self._known[id(value)]

    def add(self, name: str, value: Any, recipe: Recipe) -> None:
        """Give an object a name that is not used yet."""
        self.names[name] = value
        self.recipes[name] = recipe
        self._known.setdefault(id(value), name)
        self._kept.append(value)

    def constant(self, value: Value) -> str:
        """A value as source: written out where it can be, else a name for it."""
        if value is None or isinstance(value, bool | int):
            return f"({value})" if isinstance(value, int) and value < 0 else str(value)
        if isinstance(value, str):
            return repr(value)
        if value == () and isinstance(value, tuple):
            return "()"
        if isinstance(value, Entry):
            return self.entry(value)
        return self.put(value, "K")

    def entry(self, entry: Entry) -> str:
        """The name of an entry, which says which one it is."""
        if id(entry) not in self._known:
            name = f"E_{plain_name(entry.domain)}_{plain_name(str(entry.key))}"
            while name in self.names:
                name = self.fresh(name + "_")
            self.add(name, entry, ("value", entry))
        return self._known[id(entry)]


def _plain(value: Any) -> Recipe:
    return ("set", tuple(value)) if isinstance(value, frozenset) else ("value", value)


def plain_name(words: str) -> str:
    """A text as a part of a Python name."""
    return re.sub(r"\W", "_", words, flags=re.ASCII)
