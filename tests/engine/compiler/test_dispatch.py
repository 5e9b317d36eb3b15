"""All rules written as numbered blocks, as else only those are whose flow has no other form."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.engine.compiler import rule
from rulelang.engine.compiler.dispatch import Dispatch
from rulelang.game import Game
from tests.engine.compiler.programs import wild_programs
from tests.engine.compiler.starts import (
    KEPT,
    LARGE,
    SMALL,
    fresh,
    loaded,
    play_often,
    prepared,
    start_of,
)
from tests.engine.compiler.twins import Manner, Report, Twins, compile_all, countable, same_game
from tests.engine.helper import game as toy_game


@contextmanager
def dispatched() -> Iterator[None]:
    """No flow can be written with `if` and `while`."""
    flow = rule.Flow
    rule.Flow = Dispatch  # type: ignore[misc]
    try:
        yield
    finally:
        rule.Flow = flow  # type: ignore[misc]


def played(game: Game, seeds: range, manner: Manner, configurations: int) -> Report:
    """Playthroughs of a game of which nothing was compiled before."""
    with dispatched():
        return play_often(fresh(game), seeds, manner, configurations)


@pytest.mark.parametrize("name", [*LARGE, *SMALL, *KEPT], ids=lambda name: name.rpartition("/")[2])
def test_a_game_is_the_same(name: str) -> None:
    seeds = range(2 if name in LARGE else 6)
    report = played(loaded(name), seeds, Manner(steps=60, digests=3), 2)
    assert (report.played, report.faults, report.doubts) == (len(seeds), 0, 0)


@settings(max_examples=4, deadline=None)
@given(wild_programs(), st.integers(0, 2**32))
def test_games_written_at_random_are_the_same(game: Game, seed: int) -> None:
    report = played(game, range(seed, seed + 3), Manner(steps=100), 3)
    assert (report.played, report.doubts) == (3, 0)


@settings(max_examples=4, deadline=None)
@given(wild_programs(), st.integers(0, 2**32))
def test_games_by_bots_are_the_same(game: Game, seed: int) -> None:
    with dispatched():
        made = prepared(game, start_of(game, Random(f"start {seed}")))
        compile_all(made.playing("random"))
        for policy in ("random", "first"):
            same_game(made, seed, policy, countable(made))


def test_it_is_the_blocks_that_are_played() -> None:
    game = fresh(loaded("pig"))
    with dispatched():
        made = prepared(game, start_of(game, Random("start")))
        compile_all(made.stepping)
    texts = [source for source, _ in made.stepping.sources.values()]
    assert texts
    assert all("pc = " in text for text in texts)


SOMETIMES = """rule play
  let n = 0
  repeat while n < 3
    n += 1
    if n == 2
      choose d from Colour by first(players) "Which?"
      trail = [n]
  end done
"""


def test_numbered_blocks_count_their_turns() -> None:
    """That there is a decision in each turn of a loop is not known of them."""
    toy = fresh(toy_game(SOMETIMES))
    module = toy.prepared(toy.configure("alone", 1, None, None)).playing("random")
    with dispatched():
        compile_all(module)
    assert "m.fuel -= " in module.sources["r_play"][0]


LEFT = """outcome
  else: tied
rule play
  choose d from Colour by first(players) "Which?"
  scope outer(d)
    trail += [1]
    leave outer
    choose e from Colour by first(players) "Never asked" else return
    trail += [2]
  trail += [3]
  choose f from Colour by first(players) "And now?"
    trail += [4]
  end done
"""


def test_a_scope_that_is_always_left_has_an_end() -> None:
    """No other way leads there."""
    with dispatched():
        toy = toy_game(LEFT)
        made = toy.prepared(toy.configure("alone", 1, None, None))
        found = same_game(made, 0, "random")
        twins = Twins(toy, mode="alone", seed=0)
        for _ in range(2):
            twins.do(lambda session: session.choose(0))
            twins.agree(whole=True)
    assert (found["fault"], found["decisions"]) == (None, 2)
    assert twins.both is not None
    assert twins.both[1].over
