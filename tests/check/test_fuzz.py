"""Edits of a shipped game: checking never raises, and what is accepted can be played.

What the checker accepts never stops at a name, a type or a number of arguments: a run may overstep
a bound or ask for the first of nothing, and that is all.
"""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulelang import analysis
from rulelang.analysis import analyse_sources
from rulelang.errors import GameFault
from rulelang.game import Game
from rulelang.loader import Sources, read
from rulelang.syntax.parser import parse

SOURCES: Final = read("lost_expedition")
PLAYED: Final = {name: text for name, text in SOURCES.rules.items() if "scenarios/" not in name}
"""The files of the game; its scenarios say nothing of how it is played."""
TOKEN: Final = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')
WORDS: Final = sorted({word for text in PLAYED.values() for word in TOKEN.findall(text)})
OTHERS: Final = (
    *("none", "yes", "no", "players", "mode", "[]", "0", "-1", "1.5", "empty", "any", "Player"),
    *("first(", ")", "(", "not", "is", "is not", ".health", ".team", "+ 1", "for t", "text"),
    *("pile of Card", "list of number", "or none", "else nothing", "nothing", "Card[1]", "\n  "),
)
TYPE_FAULTS: Final = ("does not exist", "needed here is none", "nobody is named", "worked out")
"""What a fault says that the checker should have foreseen."""
MOST_CHOICES: Final = 60


@pytest.fixture(autouse=True, scope="module")
def _parsed_once() -> object:
    """Files that no edit touches are parsed once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "parse", lru_cache(maxsize=400)(parse))
        yield


@st.composite
def edited(draw: st.DrawFn) -> dict[str, str]:
    """The texts of the game with one word or sign taken out, doubled, replaced or put in."""
    name = draw(st.sampled_from(sorted(PLAYED)))
    text = PLAYED[name]
    tokens = list(TOKEN.finditer(text))
    token = draw(st.sampled_from(tokens))
    word = draw(st.one_of(st.sampled_from(WORDS), st.sampled_from(OTHERS)))
    new = draw(st.sampled_from(("", word, f"{token.group()} {word}", f"{token.group()} " * 2)))
    return {**PLAYED, name: text[: token.start()] + new + text[token.end() :]}


def play(game: Game, mode: str, seed: int) -> None:
    """A short random playthrough. A fault must be none that the checker should have foreseen."""
    random = Random(seed)
    try:
        session = game.start(mode=mode, seed=seed)
        for _ in range(MOST_CHOICES):
            if session.over:
                return
            session.choose(random.choice(session.legal))
    except GameFault as fault:
        assert not any(words in str(fault) for words in TYPE_FAULTS), fault


@settings(max_examples=90, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules=edited())
def test_an_edit_is_refused_or_can_be_played(rules: dict[str, str]) -> None:
    found = analyse_sources(Sources(SOURCES.root, rules, SOURCES.catalogues))
    if found.program is None:
        assert found.errors
        return
    game = Game(found.program, rules)
    for seed, mode in enumerate((*game.modes, *game.modes)[:3]):
        play(game, mode, seed)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(pieces=st.lists(st.sampled_from([*WORDS, *OTHERS, "\n", "\n  ", "\n    "]), max_size=30))
def test_any_words_are_checked_without_a_crash(pieces: list[str]) -> None:
    texts = {**PLAYED, "more.rules": " ".join(pieces)}
    analyse_sources(Sources(SOURCES.root, texts, SOURCES.catalogues))
    analyse_sources(Sources(SOURCES.root, {"more.rules": " ".join(pieces)}, {}))
