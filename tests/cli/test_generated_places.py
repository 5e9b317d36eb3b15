"""Where in the rules generated code went wrong, when that is nobody's fault but the library's."""

import pickle
import traceback
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rulelang import Game, load, simulate
from rulelang.engine.chance import Words
from rulelang.engine.compiler.module import Module
from rulelang.engine.compiler.places import note_place, place_of
from rulelang.engine.compiler.rollout import Playthrough, play
from tests.cli.conftest import Run
from tests.cli.toy import GAME, write_toy

ROLLED = GAME.split("\n").index("  roll stone from Stone") + 1
CHOSEN = GAME.split("\n").index('  choose f from Foot by first(players) "Which foot?"') + 1


class Broken:
    """A constant that is not what it should be, in a way that no game can bring about."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError("broken")

    def __getitem__(self, place: Any) -> Any:
        raise AssertionError("broken")


def broken(module: Module, name: str) -> None:
    """Spoil the constants of which a line of the rule `step` has the name, wherever it stands."""
    sources = [module.source(module.versions.general(rule))[0] for rule in ("play", "step")]
    used = [k for k in module.names if any(f"{k}[" in each for each in sources) and k[0] == name]
    assert used
    module.names.update(dict.fromkeys(used, Broken()))


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return load(write_toy(tmp_path))


def test_a_broken_constant_of_what_plays_whole_games(game: Game) -> None:
    made = game.prepared(game.configure(None, None, None, None))
    module = made.playing("random")
    broken(module, "K")
    with pytest.raises(AssertionError) as caught:
        play(module, 0)
    place = place_of(caught.value.__traceback__, module)
    assert place is not None
    assert (place.file, place.line) == ("game.rules", ROLLED)
    assert place_of(caught.value.__traceback__, made.stepping) is None
    note_place(caught.value)
    assert caught.value.__notes__ == [f"in code that was generated from game.rules:{ROLLED}"]


def test_a_broken_constant_of_what_plays_in_steps(game: Game) -> None:
    made = game.prepared(game.configure(None, None, None, None))
    stepper = made.opened.clone()
    stepper.sample(Words(0))
    broken(made.stepping, "K")
    with pytest.raises(AssertionError) as caught:
        stepper.step(0)
    place = place_of(caught.value.__traceback__, made.stepping)
    assert place is not None
    assert (place.file, place.line) == ("game.rules", ROLLED)


def test_an_error_from_elsewhere_has_no_place(game: Game) -> None:
    module = game.prepared(game.configure(None, None, None, None)).stepping
    with pytest.raises(ZeroDivisionError) as caught:
        _ = 1 // 0
    assert place_of(caught.value.__traceback__, module) is None
    assert place_of(None, module) is None
    note_place(caught.value)
    assert not hasattr(caught.value, "__notes__")


@pytest.fixture
def _broken_words(monkeypatch: pytest.MonkeyPatch) -> None:
    def more(*_: Any) -> None:
        raise AssertionError("there are no words any more")

    monkeypatch.setattr(Playthrough, "more", more)


NOTE = f"in code that was generated from game.rules:{CHOSEN}"


@pytest.mark.usefixtures("_broken_words")
def test_the_command_line_says_where(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    ran = run("simulate", str(tmp_path), "--games", "3")
    assert (ran.status, ran.out) == (4, "")
    assert "AssertionError: there are no words any more" in ran.err
    assert ran.err.count(f"  {NOTE}\n") == 1
    assert "Traceback" not in ran.err


@pytest.mark.usefixtures("_broken_words")
def test_whoever_works_for_others_says_where(game: Game) -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(AssertionError) as caught:
        simulate(game, games=300, executor=executor)
    sent = pickle.loads(pickle.dumps(caught.value))  # as it would be by another process
    assert sent.__notes__ == [NOTE]


@pytest.mark.usefixtures("_broken_words")
def test_a_traceback_shows_the_generated_line(game: Game) -> None:
    with pytest.raises(AssertionError) as caught:
        simulate(game, games=1)
    shown = "".join(traceback.format_exception(caught.value))
    assert "<rulelang toy solo r_" in shown
    assert "m.more(" in shown
