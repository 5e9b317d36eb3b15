"""How the whole check answers a slip: one wrong word or sign, in a game that was right.

Few diagnostics, and the first on the line that was edited. The figures are asserted with room to
spare; ``python -m pytest tests/check/test_single_edits.py -s`` prints them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random
from statistics import mean

import pytest

from rulelang import analysis
from rulelang.diagnostic import Diagnostic
from rulelang.loader import Sources, read
from rulelang.syntax.parser import Parsed, parse

EDITS = 90
TOKEN = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')
SOURCES = read("lost_expedition")
FILES = sorted(name for name in SOURCES.rules if not name.startswith("scenarios/"))

remembered = cache(parse)


def edits(random: Random) -> Iterator[tuple[str, int, str]]:
    """A file, the line of the edit, and the text with one token deleted, doubled or replaced."""
    while True:
        name = random.choice(FILES)
        text = SOURCES.rules[name]
        tokens = [t for t in TOKEN.finditer(text) if "#" not in _line_before(text, t.start())]
        token, other = random.choice(tokens), random.choice(tokens)
        new = random.choice(("", f"{token.group()} {token.group()}", other.group()))
        if new != token.group():
            line = text.count("\n", 0, token.start()) + 1
            yield name, line, text[: token.start()] + new + text[token.end() :]


def _line_before(text: str, place: int) -> str:
    return text[text.rfind("\n", 0, place) + 1 : place]


def found(name: str, text: str) -> list[Diagnostic]:
    """The errors, but for the game's own checks, which notice what is right but other."""
    sources = Sources(SOURCES.root, {**SOURCES.rules, name: text}, SOURCES.catalogues)
    errors = analysis.analyse_sources(sources).errors
    return [error for error in errors if error.code != "C505"]


def test_a_slip_gives_few_diagnostics_and_the_first_where_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def parse_once(text: str, name: str = "<text>") -> Parsed:
        return remembered(text, name) if text == SOURCES.rules.get(name) else parse(text, name)

    monkeypatch.setattr(analysis, "parse", parse_once)
    counts: list[int] = []
    placed: list[bool] = []
    for (name, line, text), _ in zip(edits(Random(20)), range(EDITS), strict=False):
        errors = found(name, text)
        if errors:
            counts.append(len(errors))
            placed.append((errors[0].file, errors[0].line) == (name, line))
    share = sum(placed) / len(placed)
    print(f"{len(counts)} slips found, {mean(counts):.2f} diagnostics each, {share:.0%} in place")
    assert len(counts) > EDITS / 2
    assert mean(counts) <= 1.5
    assert sorted(counts)[int(len(counts) * 0.95)] <= 4
    assert share >= 0.85
