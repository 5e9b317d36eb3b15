"""Entries inside others: in which fields of a kind they stand, and which lines begin them."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.checker.context import Context, plain
from rulelang.program.program import Kind, KindField
from rulelang.program.types import Many, Named
from rulelang.syntax import tree as t

Inner = tuple[KindField, Kind, str]
"""The field that an entry goes to, its kind and its variant."""


def inner_kinds(context: Context, kind: Kind) -> list[tuple[KindField, Kind]]:
    """The fields of a kind that hold entries which stand inside its own."""
    found = []
    for field in kind.fields:
        if isinstance(field.type, Many) and isinstance(field.type.item, Named):
            inner = context.program.kinds.get(field.type.item.domain)
            if inner is not None and not inner.key:
                found.append((field, inner))
    return found


def inner_of(context: Context, kind: Kind, head: Sequence[t.Word]) -> Inner | None:
    """Do the words begin an entry that stands inside one of a kind?"""
    if not head or head[0].kind != "name":
        return None
    word = plain(head[0].text)
    for field, inner in inner_kinds(context, kind):
        variant = next((v for v in inner.variants if plain(v) == word), None)
        if variant is not None:
            return field, inner, variant
        if not inner.variants and word == plain(inner.name):
            return field, inner, ""
    return None
