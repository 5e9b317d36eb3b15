"""Compiled rules that are kept: what a later process plays on them is the same, and is not written
again; and whatever is wrong with a file, or with the folder, nobody notices."""

from __future__ import annotations

import gc
import marshal
import os
import random
import subprocess
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulelang import cache, checked, keeping
from rulelang.engine.compiler import kept
from rulelang.engine.compiler.module import Module
from rulelang.engine.compiler.places import place_of
from rulelang.engine.compiler.rule import Rule
from rulelang.errors import GameFault
from rulelang.game import Game, load
from rulelang.prepared import Prepared
from rulelang.session import Session
from rulelang.simulation import Report, simulate
from tests.cli.toy import write_toy
from tests.engine.compiler.starts import FERRY

ROOT = Path(__file__).resolve().parents[3]
GAMES = ("leduc_poker", "royal_game_of_ur", str(FERRY))
FAULTY = """
rule play
  repeat
    choose left, right by first(players) "Which way?"
      when left: walked += 1
      when right: stubbed += 4
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the cache, and a version of rulelang that nobody edits meanwhile."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_made_by", lambda: "this version")
    monkeypatch.setattr(keeping, "_keepers", type(keeping._keepers)())
    monkeypatch.setattr(keeping, "_recent", type(keeping._recent)())
    return tmp_path / "cache"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    write_toy(tmp_path / "toy")
    return tmp_path / "toy"


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The versions whose source was written."""
    found: list[str] = []
    real = Rule.function

    def function(self: Rule, root: Any) -> Any:
        found.append(self.version.name)
        return real(self, root)

    monkeypatch.setattr(Rule, "function", function)
    return found


def modules(game: Game) -> list[Module]:
    return [m for made in game._prepared.values() for m in made._playing.values()]


def made(game: Game) -> Prepared:
    return next(iter(game._prepared.values()))


def played(game: Game, seed: int = 0, games: int = 30, **how: Any) -> dict[str, Any]:
    report: Report = simulate(game, seed=seed, games=games, **how)
    found = report.as_json()
    return {name: found[name] for name in found if "second" not in name}


def stepped(game: Game, seed: int, **how: Any) -> tuple[list[str], dict[str, Any]]:
    """The digests of a playthrough, and its save; some answers are taken back."""
    session = game.start(seed=seed, **how)
    answers = random.Random(seed)
    digests = [session.digest()]
    while not session.over and len(digests) < 60:
        session.choose(answers.randrange(len(session.legal)))
        digests.append(session.digest())
        if answers.random() < 0.1:
            session.undo()
    return digests, session.save()


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.glob("*.kept")}


# ---------------------------------------------------------------- the same, and not written again


@pytest.mark.parametrize("where", GAMES)
def test_whole_games(where: str, written: list[str]) -> None:
    first = played(load(where))
    assert written
    written.clear()
    again = load(where)
    assert played(again) == first
    assert not written
    assert played(again, engine="reference") == first


@pytest.mark.parametrize("where", GAMES)
def test_whole_games_that_are_counted(where: str, written: list[str]) -> None:
    first = played(load(where), policy="first", count=["play"], games=3)
    written.clear()
    assert played(load(where), policy="first", count=["play"], games=3) == first
    assert not written


@pytest.mark.parametrize("where", GAMES)
def test_step_by_step(where: str, written: list[str]) -> None:
    game = load(where)
    first = [stepped(game, seed) for seed in range(2)]
    keeping.keep_all()
    written.clear()
    again = load(where)
    assert [stepped(again, seed) for seed in range(2)] == first
    assert not written
    assert [stepped(again, seed, engine="reference") for seed in range(2)] == first


@pytest.mark.parametrize("where", GAMES)
def test_what_lacks_is_written_as_ever(where: str, written: list[str]) -> None:
    """The first process has met little: the next one goes on from there, and the one after that."""
    played(load(where), games=1)
    stepped(load(where), 0)
    keeping.keep_all()
    for seed in range(1, 4):
        game = load(where)
        whole, steps = played(game, seed, 10), stepped(game, seed)
        keeping.keep_all()
        other = load(where)
        assert (played(other, seed, 10, engine="reference")) == whole
        assert stepped(other, seed, engine="reference") == steps


def test_each_thing_has_a_file_of_its_own(folder: Path, toy: Path, written: list[str]) -> None:
    for _ in range(2):
        written.clear()
        game = load(toy)
        played(game)
        played(game, policy="first")
        played(game, settings={"length": "long"})
        stepped(game, 1)
        stepped(game, 1, rulings={"limp": "only_twice"})
        keeping.keep_all()
    assert not written
    assert len(modules(game)) == 5


def test_everything_that_is_named_has_a_recipe() -> None:
    """Else nothing is kept of a game. Whoever writes a name for an object says how it is made."""
    for where in (*GAMES, "lost_expedition"):
        game = load(where)
        played(game, games=5)
        played(game, games=1, count=["play"])
        stepped(game, 1)
        for module in modules(game):
            assert not kept.unmade(module)
            assert len(kept.written(module)) > 100


def test_handing_over(toy: Path) -> None:
    stepped(load(toy), 3)
    keeping.keep_all()
    game = load(toy)
    session = game.start(seed=3)
    session.choose(0)
    saved = session.save()
    assert game.resume(saved).digest() == session.digest()
    assert session.clone().digest() == session.digest()


# ---------------------------------------------------------------- doubts


def test_a_fault_is_the_same(toy: Path, written: list[str]) -> None:
    rules = toy / "game.rules"
    rules.write_text(rules.read_text().replace("stubbed += 1", "stubbed += 9"))

    def told(session: Session) -> list[str]:
        found = []
        for answer in range(6):
            try:
                session.choose(answer % 2)
            except GameFault as fault:
                found.append(str(fault))
            found.append(session.digest())
            if session.over:
                break
        return found

    game = load(toy, unproved=True)
    first = [told(game.start(seed=seed)) for seed in range(8)]
    whole = played(load(toy, unproved=True))
    keeping.keep_all()
    written.clear()
    game = load(toy, unproved=True)
    assert [told(game.start(seed=seed)) for seed in range(8)] == first
    assert played(game) == whole
    assert not written


def test_where_kept_code_went_wrong(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    played(load(toy))

    def broken(*arguments: Any) -> None:
        raise AssertionError("there are no words any more")

    monkeypatch.setattr("rulelang.engine.compiler.rollout.Playthrough.more", broken)
    game = load(toy)
    with pytest.raises(AssertionError) as caught:
        played(game)
    (module,) = modules(game)
    assert not module._rules
    shown = "".join(traceback.format_exception(caught.value))
    assert "m.more(" in shown
    place = place_of(caught.value.__traceback__, module)
    assert place is not None
    assert place.file == "game.rules"


# ---------------------------------------------------------------- files that are no good


def spoilt(data: bytes) -> Iterator[bytes]:
    """What may lie there instead."""
    yield b""
    yield data[:40]
    yield data[: len(data) // 2]
    yield data[:-1]
    for place in {0, 20, min(40, len(data) - 1), len(data) // 2, len(data) - 1}:
        yield data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]


def test_damaged_files(folder: Path, toy: Path) -> None:
    first = played(load(toy)), stepped(load(toy), 1)
    checked.keep_last()
    keeping.keep_all()
    whole = files(folder)
    for name, data in whole.items():
        for other in spoilt(data):
            (folder / name).write_bytes(other)
            game = load(toy)
            assert (played(game), stepped(game, 1)) == first
            checked.keep_last()
            keeping.keep_all()
            assert cache.fetch(name.removesuffix(".kept")) is not None


@pytest.mark.parametrize(
    "data", [b"", b"abc", marshal.dumps(()), marshal.dumps(([], b"", (), b"")), marshal.dumps(7)]
)
def test_whole_files_of_something_else(folder: Path, toy: Path, data: bytes) -> None:
    first = played(load(toy)), stepped(load(toy), 1)
    keeping.keep_all()
    for name in files(folder):
        cache.keep(name.removesuffix(".kept"), data)
    game = load(toy)
    assert (played(game), stepped(game, 1)) == first
    keeping.keep_all()
    game = load(toy)
    assert (played(game), stepped(game, 1)) == first


def test_a_file_in_the_place_of_another(folder: Path, toy: Path) -> None:
    first = played(load(toy)), stepped(load(toy), 1)
    keeping.keep_all()
    whole = files(folder)
    for name in whole:
        for other in whole.values():
            (folder / name).write_bytes(other)
            game = load(toy)
            assert (played(game), stepped(game, 1)) == first
        (folder / name).write_bytes(whole[name])


def test_another_version(toy: Path, written: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    played(load(toy))
    written.clear()
    monkeypatch.setattr(cache, "_made_by", lambda: "another version")
    played(load(toy))
    assert written


def test_another_text(toy: Path, written: list[str]) -> None:
    played(load(toy))
    written.clear()
    rules = toy / "game.rules"
    rules.write_text(rules.read_text() + "\n")
    played(load(toy))
    assert written


@pytest.mark.parametrize("off", ["off", "OFF", "Off"])
def test_off(
    folder: Path, toy: Path, off: str, written: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULELANG_CACHE", off)
    monkeypatch.chdir(toy)
    for _ in range(2):
        written.clear()
        game = load(toy)
        played(game)
        stepped(game, 1)
        keeping.keep_all()
        assert written
    assert not folder.exists()
    assert not (toy / off).exists()


@pytest.mark.parametrize("called", ["os.open", "os.replace", "pathlib.Path.mkdir", "os.scandir"])
def test_a_folder_that_cannot_be_written(
    toy: Path, called: str, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def refuse(*arguments: Any, **options: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(called, refuse)
    game = load(toy)
    first = played(game), stepped(game, 1)
    keeping.keep_all()
    monkeypatch.undo()
    assert (played(load(toy)), stepped(load(toy), 1)) == first
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name != "posix", reason="owners and modes")
def test_code_that_others_could_have_written(folder: Path, toy: Path, written: list[str]) -> None:
    played(load(toy))
    for path in folder.glob("*.kept"):
        assert path.stat().st_mode & 0o777 == 0o600
        path.chmod(0o620)
    written.clear()
    played(load(toy))
    assert written


# ---------------------------------------------------------------- several processes


def versions(game: Game, name: str = "stepping") -> set[str]:
    """The names of the versions that are kept of a game."""
    (module,) = modules(game)
    return set(module.codes)


def test_what_another_has_written_meanwhile_stays(written: list[str]) -> None:
    where = "royal_game_of_ur"
    one, other = load(where), load(where)
    stepped(one, 1)
    session = other.start(seed=2)
    for _ in range(3):
        session.choose(0)
    keeping.keep(modules(one)[0])
    met = versions(one) | versions(other)
    keeping.keep_all()
    last = load(where)
    last.start(seed=1)
    assert versions(last) >= met
    written.clear()
    stepped(last, 1)
    assert not written


def test_two_at_once(folder: Path) -> None:
    code = """
import sys
from rulelang import cache
cache._made_by = lambda: "this version"
from rulelang.game import load
from rulelang.simulation import simulate
report = simulate(load("leduc_poker"), seed=int(sys.argv[1]), games=40)
print(report.decisions)
"""
    env = {**os.environ, "PYTHONPATH": str(ROOT)}

    def begun(seed: int) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-c", code, str(seed)], env=env, stdout=-1, stderr=-1
        )

    def told(*ran: subprocess.Popen[bytes]) -> list[bytes]:
        said = [each.communicate(timeout=120) for each in ran]
        assert [errors for _, errors in said] == [b""] * len(said)
        return [out for out, _ in said]

    first = told(*(begun(seed) for seed in (1, 2, 3)))
    assert told(*(begun(seed) for seed in (1, 2, 3))) == first
    assert not list(folder.glob(".*"))


def test_whoever_comes_while_another_writes(folder: Path, toy: Path) -> None:
    key = "0" * 40
    with cache.alone(key) as free:
        assert free
        with cache.alone(key) as second:
            assert not second
    with cache.alone(key) as again:
        assert again
    (left,) = [folder / f".{key}.kept.0"]
    left.write_bytes(b"")
    os.utime(left, (1_000_000_000, 1_000_000_000))  # of a process that was killed
    with cache.alone(key) as free:
        assert free
    assert not left.exists()
    with cache.alone(None) as free:
        assert not free


def test_what_games_have_met_that_nobody_has_any_more(toy: Path, written: list[str]) -> None:
    for number in range(keeping.RECENT + 3):
        stepped(load(toy), 1, settings={"length": ("short", "long")[number % 2]})
        gc.collect()
        assert len(keeping._keepers) <= keeping.RECENT
    keeping.keep_all()
    written.clear()
    for length in ("short", "long"):
        stepped(load(toy), 1, settings={"length": length})
    assert not written


def test_a_game_that_nobody_has_any_more_is_gone(toy: Path) -> None:
    for _ in range(2):
        game = load(toy)
        played(game)
        stepped(game, 1)
        keeping.keep_all()
        assert len(keeping._keepers) == 2
        del game
        gc.collect()
        assert len(keeping._keepers) == 0
