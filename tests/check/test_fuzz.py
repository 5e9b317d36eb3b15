"""Edits of a shipped game: checking never raises, and what is accepted can be played.

What the checker accepts never stops at a name, a type or a number of arguments: a run may overstep
a bound or ask for the first of nothing, and that is all.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
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
from tests.check.helper import CLAUSES, HEAD

SOURCES: Final = read("lost_expedition")
MARKET: Final = {
    "head.rules": HEAD,
    "market.rules": Path(__file__).with_name("market.rules").read_text(encoding="utf-8"),
}
"""A small game that uses most of what the language has."""
PLAYED: Final = {name: text for name, text in SOURCES.rules.items() if "scenarios/" not in name}
"""The files of the game; its scenarios say nothing of how it is played."""
TOKEN: Final = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')
OTHERS: Final = (
    *("none", "yes", "no", "players", "mode", "[]", "0", "-1", "1.5", "empty", "any", "Player"),
    *("first(", ")", "(", "not", "is", "is not", ".health", ".team", "+ 1", "for t", "text"),
    *("pile of Card", "list of number", "or none", "else nothing", "nothing", "Card[1]", "\n  "),
)
WORDS: Final = sorted({word for text in PLAYED.values() for word in TOKEN.findall(text)})
TYPE_FAULTS: Final = ("does not exist", "needed here is none", "nobody is named", "worked out")
"""What a fault says that the checker should have foreseen."""
MOST_CHOICES: Final = 60


@pytest.fixture(autouse=True, scope="module")
def _parsed_once() -> object:
    """Files that no edit touches are parsed once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(analysis, "parse", lru_cache(maxsize=400)(parse))
        yield


def shape(word: str) -> str:
    """Words of one shape can stand for each other: names, figures, texts, signs."""
    return "name" if word[0].isalpha() else "figure" if word[0].isdigit() else word[0]


@st.composite
def edited(draw: st.DrawFn, texts: dict[str, str]) -> dict[str, str]:
    """The texts with one word or sign taken out, doubled, replaced or put in."""
    name = draw(st.sampled_from(sorted(texts)))
    text = texts[name]
    token = draw(st.sampled_from(list(TOKEN.finditer(text))))
    old = token.group()
    known = sorted({word for each in texts.values() for word in TOKEN.findall(each)})
    alike = [word for word in known if shape(word) == shape(old)]
    word = draw(st.one_of(st.sampled_from(alike), st.sampled_from([*known, *OTHERS])))
    new = draw(st.sampled_from((word, word, "", f"{old} {word}", f"{old} {old}")))
    return {**texts, name: text[: token.start()] + new + text[token.end() :]}


def fault_of(game: Game, mode: str, seed: int) -> str:
    """What stops a short random playthrough; empty where nothing does."""
    random = Random(seed)
    try:
        session = game.start(mode=mode, seed=seed)
        for _ in range(MOST_CHOICES):
            if session.over:
                break
            session.choose(random.choice(session.legal))
    except GameFault as fault:
        return str(fault)
    return ""


def refuse_or_play(sources: Sources) -> None:
    """The sources have errors, or are a game that can be played."""
    found = analyse_sources(sources)
    if found.program is None:
        assert found.errors
        return
    game = Game(found.program, sources.rules)
    for seed, mode in enumerate((*game.modes, *game.modes)[:3]):
        fault = fault_of(game, mode, seed)
        assert not any(words in fault for words in TYPE_FAULTS), fault


@settings(max_examples=80, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules=edited(PLAYED))
def test_an_edit_of_a_shipped_game_is_refused_or_can_be_played(rules: dict[str, str]) -> None:
    refuse_or_play(Sources(SOURCES.root, rules, SOURCES.catalogues))


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(rules=edited(MARKET))
def test_an_edit_of_a_small_game_is_refused_or_can_be_played(rules: dict[str, str]) -> None:
    refuse_or_play(Sources("market", rules, {"clauses.toml": CLAUSES}))


def test_the_games_that_are_edited_can_be_played() -> None:
    for sources in (
        Sources(SOURCES.root, PLAYED, SOURCES.catalogues),
        Sources("market", MARKET, {"clauses.toml": CLAUSES}),
    ):
        assert analyse_sources(sources).errors == ()
        refuse_or_play(sources)


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(pieces=st.lists(st.sampled_from([*WORDS, *OTHERS, "\n", "\n  ", "\n    "]), max_size=30))
def test_any_words_are_checked_without_a_crash(pieces: list[str]) -> None:
    texts = {**PLAYED, "more.rules": " ".join(pieces)}
    analyse_sources(Sources(SOURCES.root, texts, SOURCES.catalogues))
    analyse_sources(Sources(SOURCES.root, {"more.rules": " ".join(pieces)}, {}))
