"""The same playthroughs of games that are written at random by both engines."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.engine.compiler.parts import expressions_of
from rulelang.engine.operators import OPERATORS
from rulelang.game import Game
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from tests.engine.compiler.programs import wild, wild_programs
from tests.engine.compiler.starts import play_often
from tests.engine.compiler.twins import Manner
from tests.properties.programs import made, programs

SEEDS = st.integers(0, 2**32)
MANNER = Manner(steps=150)
EACH = 4
"""Playthroughs of each game."""


@settings(max_examples=10, deadline=None)
@given(wild_programs(), SEEDS)
def test_nearly_all_of_the_language_is_played_alike(game: Game, seed: int) -> None:
    report = play_often(game, range(seed, seed + EACH), MANNER)
    assert report.played == EACH
    assert report.doubts == 0


@settings(max_examples=5, deadline=None)
@given(programs(), SEEDS)
def test_other_games_written_at_random_are_played_alike(game: Game, seed: int) -> None:
    report = play_often(game, range(seed, seed + EACH), MANNER)
    assert report.played == EACH
    assert report.doubts == 0


def parts_of(game: Game) -> Iterator[object]:
    """The instructions and expressions of all rules, and the expressions of all questions."""
    linked = game.configure("party", 3, None, None)
    for code in linked.codes.values():
        yield from code.instructions
        for n in code.instructions:
            yield from expressions_of(n)
    for question in linked.program.questions.values():
        yield from x.walk(question.branches)


def test_they_have_every_instruction_and_nearly_every_operator() -> None:
    found = [part for seed in range(24) for part in parts_of(made(wild(seed)))]
    # The other one stands in scenarios alone.
    assert {*i.Instruction.__subclasses__()} - {type(part) for part in found} == {i.Arrange}
    assert {*x.Expr.__subclasses__()} <= {type(part) for part in found}
    assert {*OPERATORS} <= {part.name for part in found if isinstance(part, x.Op)}
    each = {part.name for part in found if isinstance(part, x.Each)}
    assert each == {"list", "count", "sum", "some", "every", "join", "best"}
