"""What generated code refers to by name: constants, helper functions, memories."""

from __future__ import annotations

import re
from typing import Any

from rulelang.program.values import Entry, Value


class Pool:
    """The global names of generated code, and what they stand for."""

    def __init__(self, given: dict[str, Any]) -> None:
        self.names: dict[str, Any] = dict(given)
        self._known: dict[int, str] = {}
        self._kept: list[Any] = []
        """What is known by its identity is kept, so that no other comes to have the same."""
        self._count = 0

    def fresh(self, kind: str) -> str:
        """A name that is not used yet."""
        self._count += 1
        return f"{kind}{self._count}"

    def put(self, value: Any, kind: str) -> str:
        """The name of an object; the same object has one name."""
        if id(value) not in self._known:
            name = self.fresh(kind)
            self.names[name] = value
            self._known[id(value)] = name
            self._kept.append(value)
        return self._known[id(value)]

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
            self.names[name] = entry
            self._known[id(entry)] = name
            self._kept.append(entry)
        return self._known[id(entry)]


def plain_name(words: str) -> str:
    """A text as a part of a Python name."""
    return re.sub(r"\W", "_", words, flags=re.ASCII)
