"""A hash of what a program means: everything but texts, notes, layout and places in files."""

from __future__ import annotations

from fractions import Fraction
from hashlib import blake2b

import attrs

from rulelang.diagnostic import Span
from rulelang.program.program import Program
from rulelang.program.values import Domain, Effect, Entry, Script

_TEXTS = frozenset("span text texts prompt cites statement_cites citations clauses checks scenarios meaning label".split())


def meaning_of(program: Program) -> str:
    """The hash, as hexadecimal digits: equal for games that play alike."""
    digest = blake2b(digest_size=16)
    _feed(digest, program, top=True)
    return digest.hexdigest()


def _feed(digest: blake2b, value: object, *, top: bool = False) -> None:
    if isinstance(value, Span):
        return
    if isinstance(value, Entry):
        digest.update(f"<{value.domain}:{value.key}>".encode())
        if top:
            digest.update(value.variant.encode())
            for item in value.fields:
                _feed(digest, "" if isinstance(item, str) else item)
    elif isinstance(value, Domain):
        digest.update(f"domain {value.name}".encode())
        for entry in value.entries:
            _feed(digest, entry, top=True)
    elif isinstance(value, Effect | Script):
        digest.update(value.rule.encode())
        _feed(digest, value.arguments if isinstance(value, Effect) else ())
    elif isinstance(value, dict):
        for key in sorted(value):
            digest.update(f"{key}=".encode())
            _feed(digest, value[key])
    elif isinstance(value, tuple | list):
        digest.update(b"(")
        for item in value:
            _feed(digest, item)
            digest.update(b",")
        digest.update(b")")
    elif attrs.has(type(value)):
        digest.update(type(value).__name__.encode())
        for attribute in attrs.fields(type(value)):
            if attribute.name not in _TEXTS:
                _feed(digest, getattr(value, attribute.name))
    elif value is None or isinstance(value, str | int | float | bool | Fraction):
        digest.update(repr(value).encode())
    else:
        raise AssertionError(value)
