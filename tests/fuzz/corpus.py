"""What is mutated: the shipped game, the examples of the documentation, games of other tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

from rulelang.analysis import analyse_sources
from rulelang.game import Game
from rulelang.loader import Sources, read
from tests.check.helper import CLAUSES, HEAD
from tests.content import toy
from tests.docs.blocks import all_blocks, pages
from tests.properties.programs import written

ROOT = Path(__file__).parents[2]
EXAMPLES = ("ferry", "high_card")
WEIRD = (
    "\0", "\t", "\r", "\ufeff", "\u2028", "\u00a0", "“", "”", "—", "\U0001f600", "\u0301", "\u200b",
    "é", "\x1b[31m", "\\", "'", '"', "#", "|", ";", "…", "\u202e", "0x10", "1e9", "1.5", "٣", "²",
    "９", "İ", "ß", "\x0b", "\x0c", "\x85", "\x1c", "\ud800",
)  # fmt: skip
"""Pieces of text that look like something else, or that no keyboard has."""


@cache
def expedition() -> Sources:
    """The shipped game without its scenarios, which say nothing of how it is played."""
    found = read(ROOT / "games" / "lost_expedition")
    texts = {name: text for name, text in found.rules.items() if "scenarios/" not in name}
    return Sources("lost_expedition", texts, found.catalogues)


@cache
def small() -> tuple[Sources, ...]:
    """Small games, which are checked in no time."""
    market = (ROOT / "tests" / "check" / "market.rules").read_text(encoding="utf-8")
    orchard = {"head.rules": HEAD, "market.rules": market}
    river = {"river.rules": toy.RULES, "bends.rules": toy.ENTRIES}
    examples = [read(ROOT / "docs" / "examples" / name) for name in EXAMPLES]
    return (
        *(Sources(Path(each.root).name, each.rules, each.catalogues) for each in examples),
        Sources("orchard", orchard, {"clauses.toml": CLAUSES}),
        Sources("river", river, {"clauses.toml": toy.CLAUSES}),
    )


@cache
def pieces() -> tuple[str, ...]:
    """Texts that need not be whole games: blocks of the documentation, the corpus of the parser."""
    found = sorted((ROOT / "tests" / "syntax" / "corpus").glob("*.rules"))
    found += sorted((ROOT / "games" / "lost_expedition" / "scenarios").glob("*.rules"))
    texts = [path.read_text(encoding="utf-8") for path in found]
    texts += [
        block.text for page in pages() for block in all_blocks(page) if "rules" in block.language
    ]
    for page in sorted((ROOT / "docs" / "diagnostics").glob("?*.md")):
        parts = page.read_text(encoding="utf-8").split("```")
        texts += [part.partition("\n")[2] for part in parts[1::2]]
    return tuple(texts)


def sources(random: Random, *, small_only: bool = False) -> Sources:
    """A game to mutate; now and then one that nobody has written."""
    draw = random.random()
    if draw < 0.1 and not small_only:
        return expedition()
    if draw < 0.3:
        return Sources("toy", {"toy.rules": written(random.getrandbits(32), discreet=False)}, {})
    return random.choice(small())


@cache
def games() -> tuple[Game, ...]:
    """The games as they are, to be played, saved and exported."""
    return tuple(game_of(each) for each in (expedition(), *small()))


def game_of(found: Sources) -> Game:
    """The game of texts that have no errors."""
    analysis = analyse_sources(found)
    assert analysis.program is not None, [str(each) for each in analysis.errors]
    return Game(analysis.program, found.rules, None, found.catalogues)
