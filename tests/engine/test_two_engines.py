"""What users hold is the same with either engine: its type, what it says, what it refuses."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import rulelang
from rulelang import ChoiceError, Game, Session, UsageError, load

ENGINES = ("compiled", "reference")
PUBLIC = sorted(name for name in dir(Session) if not name.startswith("_"))


@pytest.fixture(scope="module")
def game() -> Game:
    return load("leduc_poker")


def started(game: Game, engine: str) -> Session:
    session = game.start(seed=3, engine=engine)
    for _ in range(3):
        session.choose(0)
    return session


@pytest.mark.parametrize("engine", ENGINES)
def test_a_session_is_a_session(game: Game, engine: str) -> None:
    session = started(game, engine)
    assert isinstance(session, rulelang.Session)
    assert isinstance(session.clone(), rulelang.Session)


@pytest.mark.parametrize("name", PUBLIC)
def test_all_that_is_public_is_there_and_says_the_same(game: Game, name: str) -> None:
    one, other = (getattr(started(game, engine), name) for engine in ENGINES)
    if callable(one) or name in ("game", "prepared", "machine"):
        return
    assert one == other


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("way", [pickle.dumps, copy.deepcopy])
def test_neither_is_pickled(game: Game, engine: str, way: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match="a Game is not pickled"):
        way(started(game, engine))


@pytest.mark.parametrize("option", [True, None, 9, -1, 1.0, "nothing", 10**50])
def test_both_refuse_the_same(game: Game, option: Any) -> None:
    said = []
    for engine in ENGINES:
        session = started(game, engine)
        before = session.digest()
        with pytest.raises(ChoiceError) as caught:
            session.choose(option)
        assert session.digest() == before
        said.append((str(caught.value), caught.value.legal))
    assert said[0] == said[1]


@pytest.mark.parametrize("engine", ["fast", None, ["compiled"], {}])
def test_no_other_engine(game: Game, engine: Any) -> None:
    with pytest.raises(UsageError, match="there is no engine"):
        game.start(engine=engine)
    with pytest.raises(UsageError, match="there is no engine"):
        rulelang.simulate(game, games=1, engine=engine)
