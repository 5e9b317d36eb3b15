"""Hypothesis strategies for content, in the JSON form of `Game.export`.

`contents` makes entries for the kinds of a game, so that its rules can be tested on content that
nobody has written yet; `games` makes whole small games::

    game = rulelang.load("my_game")

    @given(strategies.contents(game.program))
    def test_any_content_can_be_played(entries):
        made = rulelang.from_json({**game.export(), "entries": entries})
        ...

They need hypothesis, which ``pip install rulelang[test]`` brings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from rulelang.checker.context import plain
from rulelang.content.shapes import (
    CITES,
    COMMENTS,
    DO,
    KEY,
    OF,
    VARIANT,
    Json,
    alternatives,
    can_be_said,
    in_every_mode,
    inner_kind,
    instructions,
    is_tagged,
    key_of,
    subject_of,
)
from rulelang.program.boards import ENDS
from rulelang.program.program import PLACE, Kind, KindField, Program, Signature
from rulelang.program.types import (
    EFFECT,
    FLAG,
    NONE,
    SCRIPT,
    TEXT,
    Either,
    Many,
    Named,
    Num,
    Table,
    Type,
    members,
)
from rulelang.program.values import Entry
from rulelang.testing import edges
from rulelang.testing.games import games
from rulelang.testing.scripts import steps

Keys = Mapping[str, Sequence[Json]]
"""The keys that values may name, by domain, in canonical order."""
WIDE = 50
"""Numbers without a bound are at most so far from the other one, or from 0."""


def texts() -> SearchStrategy[str]:
    """Lines of text that content can hold."""
    letters = st.characters(exclude_categories=["Cs"], exclude_characters="\n")
    return st.text(letters, max_size=12).filter(_can_be_held)


def _can_be_held(text: str) -> bool:
    return not ('"' in text and "”" in text) and text != "none"


def comments() -> SearchStrategy[str]:
    """Comments of an author."""
    return texts().map(str.strip).filter(bool)


def keys_of(program: Program) -> dict[str, list[Json]]:
    """The keys that a game has, by domain."""
    domains = program.domains.items()
    return {name: [key_of(entry.key) for entry in domain.entries] for name, domain in domains}


def values(
    program: Program, kind: Type, keys: Keys, subject: Type | None = None
) -> SearchStrategy[Json]:
    """Values of a type that stand by themselves; ``subject`` is whom instructions are done to."""
    return _Values(program, keys, subject).of(kind)


def scripts(program: Program, keys: Keys, subject: Type | None = None) -> SearchStrategy[Json]:
    """Scripts for a subject, with conditions, choices, rolls and outcomes."""

    def given(parameters: Sequence[tuple[str, Type]]) -> SearchStrategy[dict[str, Json]]:
        return _Values(program, keys, subject).arguments(parameters)

    return steps(program, subject, given, texts().filter(plain))


def entries(
    program: Program, kind: str, keys: Keys | None = None
) -> SearchStrategy[dict[str, Json]]:
    """Entries of a kind, without their keys; they name what ``keys`` has, or else the game."""
    known = keys_of(program) if keys is None else keys
    return _entry(program, program.kinds[kind], known)


@st.composite
def contents(draw: DrawFn, program: Program, max_size: int = 6) -> dict[str, list[Json]]:
    """Lists of entries for all kinds of a game, in canonical order."""
    keys: dict[str, list[Json]] = keys_of(program)
    kinds = [kind for kind in program.kinds.values() if kind.key and kind.key != ENDS]
    joining = [kind for kind in program.kinds.values() if kind.key == ENDS]
    nodes: dict[str, list[Entry]] = {}
    for kind in kinds:
        keys[kind.name] = draw(_own_keys(kind, max_size))
        which = [draw(st.sampled_from(kind.variants or ("",))) for _ in keys[kind.name]]
        nodes[kind.name] = edges.nodes(kind, keys[kind.name], which)
    joined = {kind.name: draw(edges.joins(program, kind, nodes, max_size)) for kind in joining}
    for name, pairs in joined.items():
        keys[name] = list(map(edges.label_of, pairs))
    made: dict[str, list[dict[str, Json]]] = {}
    for kind in kinds:
        made[kind.name] = [
            {kind.key: key, **draw(_entry(program, kind, keys, node.variant))}
            for key, node in zip(keys[kind.name], nodes[kind.name], strict=True)
        ]
    for kind in joining:
        made[kind.name] = [
            {ENDS: edges.said(kind, ends, keys), **draw(_entry(program, kind, keys))}
            for ends in joined[kind.name]
        ]
    return made


def _own_keys(kind: Kind, max_size: int) -> SearchStrategy[list[Json]]:
    if kind.base is not None and kind.key == "number":
        low, high = kind.base
        tops = st.integers(low, low + max_size) if high is None else st.just(high)
        return tops.map(lambda top: list(range(low, top + 1)))
    whole = st.lists(st.integers(0, 99), min_size=1, max_size=max_size, unique=True).map(sorted)
    if kind.key == "number":
        return whole
    return whole.map(lambda numbers: [f"{kind.name.lower()}{number:02}" for number in numbers])


# ---------------------------------------------------------------- entries


@st.composite
def _entry(
    draw: DrawFn, program: Program, kind: Kind, keys: Keys, variant: str = ""
) -> dict[str, Json]:
    made: dict[str, Json] = {}
    if kind.variants:
        made[VARIANT] = variant or draw(st.sampled_from(kind.variants))
    for field in kind.fields:
        if field.name != ENDS and not (kind.numbered and field.name == PLACE):
            made[field.name] = draw(_field(program, kind, field, keys))
    clauses = sorted(program.clauses)
    cites = draw(st.lists(st.sampled_from(clauses), max_size=2)) if clauses else []
    said = draw(st.lists(comments(), max_size=2)) if kind.key else []
    made |= {CITES: cites} if cites else {}
    return made | ({COMMENTS: said} if said else {})


def _field(program: Program, kind: Kind, field: KindField, keys: Keys) -> SearchStrategy[Json]:
    inner = inner_kind(program, field.type)
    if inner is not None:
        found = st.lists(_entry(program, inner, keys), max_size=3)
        return found.map(_numbered) if inner.numbered else found
    if field.type == SCRIPT:
        return scripts(program, keys, subject_of(kind))
    return values(program, field.type, keys, subject_of(kind))


def _numbered(entries: list[dict[str, Json]]) -> list[dict[str, Json]]:
    return [{**entry, PLACE: number} for number, entry in enumerate(entries, 1)]


class _Values:
    def __init__(self, program: Program, keys: Keys, subject: Type | None) -> None:
        self.program = program
        self.keys = keys
        self.subject = subject

    def of(self, kind: Type, *, argument: bool = False, largest: int = 3) -> SearchStrategy[Json]:
        """Values of a type; ``largest`` is how many a list may hold."""
        match kind:
            case Either():
                said = alternatives(kind, argument=argument)
                return st.one_of([self._member(member, kind) for member in said])
            case Named():
                return st.sampled_from(self.keys[kind.domain]) if self._has(kind) else st.nothing()
            case Num():
                return st.integers(*_bounds(kind))
            case Many():
                return self._list(kind, largest)
            case Table():
                return self._map(kind, largest)
        if kind == EFFECT:
            rules = instructions(self.program, self.subject)
            known = [rule for rule in rules if in_every_mode(self.program, rule.name)]
            return st.one_of([self._instruction(rule) for rule in known])
        # Beside a name a text without a letter would vanish.
        text = texts().filter(plain) if argument or largest == 1 else texts()
        simple: dict[Type, SearchStrategy[Json]] = {
            TEXT: text,
            FLAG: st.booleans(),
            NONE: st.none(),
        }
        return simple.get(kind, st.nothing())

    def _has(self, kind: Named) -> bool:
        return can_be_said(self.program, kind) and bool(self.keys.get(kind.domain))

    def _member(self, member: Type, kind: Either) -> SearchStrategy[Json]:
        said = self.of(member)
        if isinstance(member, Named) and is_tagged(kind):
            return said.map(lambda key: {OF: member.domain, KEY: key})
        return said

    def _list(self, kind: Many, largest: int) -> SearchStrategy[Json]:
        items = self.of(kind.item, largest=1)
        if kind.form != "set" or not isinstance(kind.item, Named):
            return st.lists(items, min_size=largest == 1, max_size=largest)
        order = list(self.keys.get(kind.item.domain, ()))
        return st.lists(items, max_size=largest, unique=True).map(
            lambda found: sorted(found, key=order.index)
        )

    def _map(self, kind: Table, largest: int) -> SearchStrategy[Json]:
        known = [str(key) for key in self.keys[kind.key.domain]]
        if not known:
            return st.just({})
        given = self.of(kind.value, largest=1)
        if NONE not in members(kind.value):
            return st.fixed_dictionaries(dict.fromkeys(known, given))
        said = given.filter(lambda value: value is not None)
        return st.dictionaries(
            st.sampled_from(known), said, min_size=largest == 1, max_size=largest
        )

    def _instruction(self, rule: Signature) -> SearchStrategy[Json]:
        return self.arguments(rule.parameters).map(lambda given: {DO: rule.name, **given})

    def arguments(self, parameters: Sequence[tuple[str, Type]]) -> SearchStrategy[dict[str, Json]]:
        """Values for parameters, by name."""
        given = {name: self.of(kind, argument=True) for name, kind in parameters}
        return st.fixed_dictionaries(given)


def _bounds(kind: Num) -> tuple[int, int]:
    low, high = kind.low, kind.high
    if low is None:
        low = -WIDE if high is None else high - WIDE
    return low, low + WIDE if high is None else high


__all__ = ["comments", "contents", "entries", "games", "keys_of", "scripts", "texts", "values"]
