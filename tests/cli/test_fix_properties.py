"""Whatever is wrong with a game, mending it makes no file worse."""

from __future__ import annotations

import re
from typing import Final

from attrs import evolve
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulelang.analysis import Analysis, analyse_sources
from rulelang.diagnostic import Diagnostic, Edit, Fix, Span, make
from rulelang.fixing import Fixed, fix
from rulelang.loader import Sources
from rulelang.syntax.formatter import format_text
from rulelang.syntax.parser import parse
from tests.cli.toy import GAME, STONES

TOKEN: Final = re.compile(r'"[^"\n]*"|\w+|[^\w\s]')
HABITS: Final = (
    ("if stone is 1: stubbed += 1", "if stone is 1:\n    stubbed += 1"),
    ("  walked += 1", "  walked += 1;"),
    ("  last = f", "  // the last\n  last = f"),
    ("  last = f", "\tlast = f"),
    ("if walked == goal:", "if walked = goal:"),
    ("first(players)", "first (players)"),
    ('scenario "a stone"', "scenario 'a stone'"),
    ("if stubbed > allowed:", "if stubbed > allowed && walked > 0:"),
    ("if stubbed > allowed: end", "if stubbed > allowed end"),
    ("turn step\n", "turn step:\n"),
)
"""Slips of people who know other notations, each with what was meant first."""
ODD: Final = ("//", "&&", "||", ";", "'", "elif", "=", "(", ":", "{", "->", "\t", '"', "\n  ")


def checked(text: str) -> Analysis:
    return analyse_sources(Sources(".", {"game.rules": text, "stones.rules": STONES}, {}))


def mended(text: str, *, unsafe: bool = False) -> Fixed:
    analysis = checked(text)
    return fix(analysis, analysis.sources.rules, lambda _: True, unsafe=unsafe)


def unread(text: str) -> list[int]:
    """The lines with slips of the notation."""
    return [d.line for d in parse(text).diagnostics if d.severity == "error"]


@st.composite
def slips(draw: st.DrawFn) -> str:
    """The game with a few words or signs taken out, doubled, replaced or put in."""
    text = GAME
    for _ in range(draw(st.integers(1, 3))):
        token = draw(st.sampled_from(list(TOKEN.finditer(text))))
        odd = draw(st.sampled_from(ODD))
        old = token.group()
        new = draw(st.sampled_from(("", f"{old} {old}", odd, f"{odd} {old}", f"{old}{odd}")))
        text = text[: token.start()] + new + text[token.end() :]
    return text


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(text=slips(), unsafe=st.booleans())
def test_no_file_is_worse_for_being_mended(text: str, unsafe: bool) -> None:
    fixed = mended(text, unsafe=unsafe)
    after = fixed.texts.get("game.rules", text)
    assert (after != text) == bool(fixed.done)
    assert len(after.split("\n")) == len(text.split("\n"))
    if unread(text):
        assert not unread(after) or min(unread(after)) >= min(unread(text))
    else:
        assert not unread(after)
        assert len(fixed.analysis.errors) <= len(checked(text).errors)
    assert mended(after, unsafe=unsafe).texts == {}


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(chosen=st.sets(st.sampled_from(HABITS), min_size=1))
def test_habits_are_undone(chosen: set[tuple[str, str]]) -> None:
    text = GAME
    for right, wrong in HABITS:
        if (right, wrong) in chosen and right in text:
            text = text.replace(right, wrong)
    fixed = mended(text)
    assert fixed.analysis.errors == ()
    assert not unread(fixed.texts["game.rules"])
    assert format_text(fixed.texts["game.rules"])


# ---------------------------------------------------------------- any edits at all

PLACES: Final = st.integers(-1, 12)
EDITS: Final = st.builds(
    Edit,
    st.builds(Span, st.sampled_from(["game.rules", "gone"]), PLACES, PLACES, PLACES, PLACES),
    st.text("ab\n", max_size=3),
)


@settings(max_examples=100, deadline=None)
@given(edits=st.lists(st.lists(EDITS, max_size=3), max_size=4))
def test_edits_of_any_place_are_made_whole_or_not(edits: list[list[Edit]]) -> None:
    at = Span("game.rules", 1, 1, 1, 1)
    found: list[Diagnostic] = [
        make("C512", f"number {n}", at, fix=Fix("", tuple(each), safe=True))
        for n, each in enumerate(edits)
    ]
    analysis = evolve(checked(GAME), diagnostics=tuple(found))
    fixed = fix(analysis, analysis.sources.rules, lambda _: True)
    assert not unread(fixed.texts.get("game.rules", GAME))
    assert set(fixed.texts) <= {"game.rules"}
