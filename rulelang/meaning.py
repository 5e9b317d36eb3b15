"""A hash of what a program means: everything but texts, notes, layout and places in files.

Texts of entries that a rule reads belong to the meaning, since rules may compare them.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from hashlib import blake2b
from typing import Any

import attrs

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
    read = {place for place in _fields_read(program) if place is not None}
    digest = blake2b(digest_size=16)
    _Feeder(digest, read).feed(program)
    return digest.hexdigest()


def _attributes(value: object) -> Iterator[tuple[str, object]]:
    """The attributes of an object that its meaning depends on."""
    kind: Any = type(value)
    if not attrs.has(kind):
        raise AssertionError(value)
    for attribute in attrs.fields(kind):
        if attribute.name not in _LEFT_OUT:
            yield attribute.name, getattr(value, attribute.name)


def _fields_read(value: object) -> Iterator[tuple[str, int] | None]:
    """The fields of entries that rules read: domain and place."""
    if isinstance(value, FieldOf) and isinstance(value.value.type, Named):
        yield value.value.type.domain, value.place
    if isinstance(value, Entry | Domain | Span | str | int | Fraction) or value is None:
        return
    items: list[Any]
    if isinstance(value, dict):
        items = list(value.values())
    elif isinstance(value, tuple | list):
        items = list(value)
    else:
        items = [item for _, item in _attributes(value)]
    for item in items:
        yield from _fields_read(item)


class _Feeder:
    """Feeds a hash with a program, each part in one way only."""

    def __init__(self, digest: blake2b, read: set[tuple[str, int]]) -> None:
        self.digest = digest
        self.read = read

    def feed(self, value: object) -> None:
        match value:
            case Entry():
                self._write(f"<{value.domain}:{value.key!r}>")
            case Domain():
                self._domain(value)
            case Effect():
                self._write(f"effect {value.rule}")
                self.feed(value.arguments)
            case Script():
                self._write(f"script {value.rule}")
            case Local():
                self._write(f"local {value.slot}")
            case dict():
                for key in sorted(value):
                    self._write(f"{key}=")
                    self.feed(value[key])
            case tuple() | list():
                self._write("(")
                for item in value:
                    self.feed(item)
                self._write(")")
            case None | str() | int() | Fraction():
                self._write(repr(value))
            case _:
                self._write(type(value).__name__)
                for _, item in _attributes(value):
                    self.feed(item)

    def _write(self, text: str) -> None:
        self.digest.update(f"{text},".encode("utf-8", "surrogatepass"))

    def _domain(self, domain: Domain) -> None:
        self._write(f"domain {domain.name}")
        for entry in domain.entries:
            self.feed(entry)
            self._write(entry.variant)
            for place, value in enumerate(entry.fields):
                whole = (domain.name, place) in self.read
                self.feed(value if whole else _without_texts(value))


def _without_texts(value: Value) -> Value:
    if isinstance(value, tuple):
        return tuple(_without_texts(item) for item in value)
    return "" if isinstance(value, str) else value
