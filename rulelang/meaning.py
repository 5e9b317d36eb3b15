"""A hash of what a program means: everything but texts, notes, layout and places in files.

Texts of entries that a rule reads belong to the meaning, since rules may compare them.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from hashlib import blake2b
from typing import Any

from attrs import fields, has

from rulelang.diagnostic import Span
from rulelang.program.expressions import FieldOf, Local
from rulelang.program.program import Program
from rulelang.program.types import Named
from rulelang.program.values import Domain, Effect, Entry, Script, Value

_WORDS = ("span", "text", "texts", "wording", "prompt", "cites", "statement_cites", "citations")
_TOOLS = ("clauses", "checks", "scenarios", "trials", "packs", "drafts", "maps", "meaning", "worth")
_LEFT_OUT = frozenset((*_WORDS, *_TOOLS, "parameters"))
"""Attributes that a game plays alike without; of parameters only the number of slots counts."""


def meaning_of(program: Program) -> str:
    """The hash, as 32 hexadecimal digits: equal for games that play alike."""
    read: set[tuple[str, int]] = set()
    _note_fields_read(program, read)
    feeder = _Feeder(read)
    feeder.feed(program)
    said = "".join(f"{part}," for part in feeder.parts)
    return blake2b(said.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()


@cache
def _attributes(kind: type[Any]) -> tuple[str, ...]:
    """The attributes of objects of a type that their meaning depends on."""
    if not has(kind):
        raise AssertionError(kind)
    return tuple(a.name for a in fields(kind) if a.name not in _LEFT_OUT)


def _note_fields_read(value: Any, read: set[tuple[str, int]]) -> None:
    """Note the fields of entries that rules read: domain and place."""
    todo = [value]
    while todo:
        value = todo.pop()
        kind = value.__class__
        if kind in _LEAVES:
            continue
        if kind in _LISTS:
            todo += value
        elif kind is dict:
            todo += value.values()
        else:
            if kind is FieldOf and isinstance(value.value.type, Named):
                read.add((value.value.type.domain, value.place))
            todo += [getattr(value, name) for name in _attributes(kind)]


_PLAIN = frozenset((type(None), str, int, bool, Fraction))
"""What is said as Python shows it."""
_LEAVES = _PLAIN | {Entry, Domain, Span}
"""What holds no expression."""
_LISTS = frozenset((tuple, list))


class _Feeder:
    """Says what a program means, each part in one way only."""

    def __init__(self, read: set[tuple[str, int]]) -> None:
        self.parts: list[str] = []
        self.read = read

    def feed(self, value: Any) -> None:
        kind = value.__class__
        if kind in _PLAIN:
            self.parts.append(repr(value))
            return
        if kind in _LISTS:
            self.parts.append("(")
            for item in value:
                self.feed(item)
            self.parts.append(")")
            return
        match value:
            case Entry():
                self.parts.append(f"<{value.domain}:{value.key!r}>")
            case Local():
                self.parts.append(f"local {value.slot}")
            case Effect():
                self.parts.append(f"effect {value.rule}")
                self.feed(value.arguments)
            case dict():
                for key in sorted(value):
                    self.parts.append(f"{key}=")
                    self.feed(value[key])
            case Domain():
                self._domain(value)
            case Script():
                self.parts.append(f"script {value.rule}")
            case _:
                self.parts.append(kind.__name__)
                for name in _attributes(kind):
                    self.feed(getattr(value, name))

    def _domain(self, domain: Domain) -> None:
        self.parts.append(f"domain {domain.name}")
        for entry in domain.entries:
            self.feed(entry)
            self.parts.append(entry.variant)
            for place, value in enumerate(entry.fields):
                whole = (domain.name, place) in self.read
                self.feed(value if whole else _without_texts(value))


def _without_texts(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(_without_texts(item) for item in value)
    return "" if isinstance(value, str) else value
