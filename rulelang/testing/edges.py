"""Edges between entries that are themselves made at random."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from rulelang.checker.context import plain
from rulelang.content.encode import label_of_key
from rulelang.content.shapes import KEY, OF, Json, is_tagged
from rulelang.program.boards import ENDS
from rulelang.program.program import Kind, Program
from rulelang.program.types import Many
from rulelang.program.values import Entry, order_key

Ends = tuple[Entry, Entry]


def nodes(kind: Kind, keys: Sequence[Json], variants: Sequence[str]) -> list[Entry]:
    """Entries of a kind by keys in canonical order, of which nothing else is settled."""
    made = []
    for index, key in enumerate(keys):
        number = Fraction(key) if kind.key == "number" and isinstance(key, str) else key
        label = label_of_key(kind, plain(kind.name), number)
        made.append(Entry(kind.name, index, number, label, label, variants[index]))
    return made


def joins(
    program: Program, kind: Kind, known: Mapping[str, Sequence[Entry]], max_size: int
) -> SearchStrategy[list[Ends]]:
    """What some edges of a kind join, in canonical order."""
    edge = program.edges[kind.name]
    entries = [entry for domain in sorted(edge.kinds) for entry in known.get(domain, ())]
    found = (edge.joined(*pair) for pair in permutations(entries, 2))
    pairs = {ends for ends in found if ends is not None}
    if not pairs:
        return st.just([])
    in_order = sorted(pairs, key=_order)
    return st.lists(st.sampled_from(in_order), max_size=max_size, unique=True).map(
        lambda found: sorted(found, key=_order)
    )


def _order(ends: Ends) -> tuple[object, ...]:
    return tuple(map(order_key, ends))


def label_of(ends: Ends) -> str:
    """What an edge is known by."""
    return " - ".join(end.label for end in ends)


def said(kind: Kind, ends: Ends, keys: Mapping[str, Sequence[Json]]) -> list[Json]:
    """The ends of an edge in JSON."""
    joined = next(field.type for field in kind.fields if field.name == ENDS)
    assert isinstance(joined, Many)
    tagged = is_tagged(joined.item)
    given = [(end.domain, keys[end.domain][end.index]) for end in ends]
    return [{OF: domain, KEY: key} if tagged else key for domain, key in given]
