"""The tables of the grammar: what the parser does in each state, for each thing that comes.

Working them out takes longer than reading a game. They are kept beside the grammar, in
`tables.json`, with the hash of the grammar that they belong to; those of a grammar that has been
changed since are worked out anew at each start, until `python -m rulelang.syntax.lalr` is run.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

from attrs import frozen

GRAMMAR = "rules.lark"
TABLES = "tables.json"


@frozen
class Terminal:
    """A kind of token: its pattern, or the word that it is."""

    name: str
    pattern: str
    is_word: bool


@frozen
class Rule:
    """A rule of the grammar as it is applied."""

    name: str
    size: int
    """Of how many things it consists."""
    type: str
    """Of the trees that it makes."""
    single: bool
    """Does a thing that is alone take the place of the tree?"""
    kept: tuple[tuple[int, bool], ...] | None
    """What the tree keeps: the places, and whether it takes over the children of what is there;
    None: everything as it is."""


@frozen
class Tables:
    """The LALR tables, with the terminals and rules that they are about."""

    terminals: tuple[Terminal, ...]
    rules: tuple[Rule, ...]
    states: tuple[dict[str, int], ...]
    """For each state and symbol the state to go to, or the rule to be applied, as `~` its place."""
    start: int
    end: int


def load() -> Tables:
    """The tables of the grammar."""
    grammar = read(GRAMMAR)
    try:
        data = json.loads(read(TABLES))
        if data["grammar"] == hash_of(grammar):
            return from_json(data)
    except (OSError, ValueError, KeyError, TypeError):
        pass  # they are worked out like those of a changed grammar
    from rulelang.syntax.lalr import make

    return make(grammar)


def read(name: str) -> str:
    """The text of a file beside this module, which may lie in an archive. Raises OSError."""
    path = str(Path(__file__).with_name(name))
    data: bytes = __spec__.loader.get_data(path)  # type: ignore[union-attr]
    return data.decode().replace("\r\n", "\n")


def hash_of(grammar: str) -> str:
    """The hash that says which grammar some tables belong to."""
    return blake2b(grammar.encode(), digest_size=16).hexdigest()


def to_json(tables: Tables, grammar: str) -> dict[str, Any]:
    """The tables as a JSON-able object: symbols, and sets of them, stand in it once."""
    symbols = sorted({symbol for state in tables.states for symbol in state})
    number = {symbol: place for place, symbol in enumerate(symbols)}
    sets: dict[tuple[int, ...], int] = {}
    states = []
    for state in tables.states:
        shifts = [n for s, to in state.items() if to >= 0 for n in (number[s], to)]
        applied: dict[int, list[int]] = {}
        for symbol, action in state.items():
            if action < 0:
                applied.setdefault(~action, []).append(number[symbol])
        reductions: list[int] = []
        for rule, where in applied.items():
            reductions += (rule, sets.setdefault(tuple(where), len(sets)))
        states.append([shifts, reductions])
    return {
        "grammar": hash_of(grammar),
        "terminals": [[t.name, t.pattern, t.is_word] for t in tables.terminals],
        "rules": [[r.name, r.size, r.type, r.single, r.kept] for r in tables.rules],
        "symbols": symbols,
        "sets": [list(each) for each in sets],
        "states": states,
        "start": tables.start,
        "end": tables.end,
    }


def from_json(data: dict[str, Any]) -> Tables:
    """The tables that `to_json` gave."""
    symbols = data["symbols"]
    sets = [[symbols[s] for s in each] for each in data["sets"]]
    states = []
    for shifts, reductions in data["states"]:
        state = {symbols[s]: to for s, to in zip(shifts[::2], shifts[1::2], strict=True)}
        for rule, place in zip(reductions[::2], reductions[1::2], strict=True):
            state.update(dict.fromkeys(sets[place], ~rule))
        states.append(state)
    rules = [
        Rule(name, size, type, single, None if kept is None else tuple(map(tuple, kept)))
        for name, size, type, single, kept in data["rules"]
    ]
    terminals = [Terminal(*each) for each in data["terminals"]]
    return Tables(tuple(terminals), tuple(rules), tuple(states), data["start"], data["end"])
