"""The cache: what it keeps and when it does not, and that nobody notices what is wrong with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang import analysis, cache, checked
from rulelang.errors import RuleError
from rulelang.freezing import freeze, freeze_apart
from rulelang.game import Game, check, load
from rulelang.program.program import Program
from tests.cli.toy import write_toy

ROOT = Path(__file__).resolve().parents[2]
KEY = "0" * 40
OLD = 1_000_000_000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for the cache, and a version of rulelang that nobody edits meanwhile."""
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "_made_by", lambda: "this version")
    return tmp_path / "cache"


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    write_toy(tmp_path / "toy")
    (tmp_path / "toy" / "clauses.toml").write_text("")
    return tmp_path / "toy"


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The games that were really checked."""
    found: list[Any] = []
    real = analysis.analyse_sources

    def analyse_sources(sources: Any) -> analysis.Analysis:
        found.append(sources)
        return real(sources)

    monkeypatch.setattr(analysis, "analyse_sources", analyse_sources)
    return found


def kept(folder: Path) -> list[Path]:
    checked.keep_last()
    return sorted(folder.glob("*.kept"))


# ---------------------------------------------------------------- games


def test_a_game_is_checked_once(folder: Path, toy: Path, checks: list[Any]) -> None:
    first, second = load(toy), load(toy)
    assert len(checks) == 1
    assert len(kept(folder)) == 1
    assert second.program is not first.program
    assert repr(second.program) == repr(first.program)
    assert second.sources == first.sources
    assert second.catalogues == first.catalogues
    assert second.start(seed=1).digest() == first.start(seed=1).digest()


def test_where_it_lies_does_not_matter(
    folder: Path, toy: Path, tmp_path: Path, checks: list[Any]
) -> None:
    load(toy)
    shutil.copytree(toy, tmp_path / "other")
    assert load(tmp_path / "other").where == str(tmp_path / "other")
    assert len(checks) == 1


@pytest.mark.parametrize("change", ["rules", "catalogue", "name", "more", "version", "python"])
def test_whatever_changes_it_is_checked_again(
    folder: Path, toy: Path, checks: list[Any], change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(toy)
    path = next(toy.glob("*.rules"))
    if change == "rules":
        path.write_text(path.read_text() + " ")
    elif change == "catalogue":
        path = next(toy.glob("*.toml"))
        path.write_text(path.read_text() + "\n")
    elif change == "name":
        path.rename(path.with_name("renamed.rules"))
    elif change == "more":
        (toy / "more.rules").write_text("\n")
    else:
        monkeypatch.setattr(cache, "_made_by", lambda: "another version")
    load(toy)
    assert len(checks) == 2
    load(toy)
    assert len(checks) == 2


def test_a_pack(folder: Path, toy: Path, tmp_path: Path, checks: list[Any]) -> None:
    pack = tmp_path / "pack"
    pack.mkdir()
    rules = pack / "pack.rules"
    rules.write_text("extends toy\n")
    assert [each.name for each in load(pack).program.packs] == ["pack"]
    assert [each.name for each in load(pack).program.packs] == ["pack"]
    assert len(checks) == 1
    rules.write_text("extends toy\n\n")
    load(pack)
    assert len(checks) == 2
    base = next(toy.glob("*.rules"))
    base.write_text(base.read_text() + "\n")
    load(pack)
    assert len(checks) == 3
    pack.rename(tmp_path / "pack2")
    assert [each.name for each in load(tmp_path / "pack2").program.packs] == ["pack2"]
    assert len(checks) == 4


def test_files_that_only_join_differently(folder: Path) -> None:
    def key(**rules: str) -> str | None:
        return checked.key_of(rulelang.loader.Sources("x", rules, {}))

    keys = {key(a="bc"), key(ab="c"), key(a="b", c=""), key(a="", b="c"), key(abc=""), key()}
    assert len(keys) == 6
    assert None not in keys


def test_errors_are_found_each_time(folder: Path, toy: Path, checks: list[Any]) -> None:
    (toy / "wrong.rules").write_text("rule other\n  nothing_there\n")
    for _ in range(2):
        with pytest.raises(RuleError):
            load(toy)
    assert len(checks) == 2
    assert kept(folder) == []


def test_a_game_whose_checks_fail_is_not_kept(folder: Path, toy: Path, checks: list[Any]) -> None:
    (toy / "wrong.rules").write_text('check "one is two": 1 == 2\n')
    for _ in range(2):
        load(toy, unproved=True)
        with pytest.raises(RuleError):
            load(toy)
    assert len(checks) == 4
    assert kept(folder) == []


def test_check_never_asks_the_cache(folder: Path, toy: Path) -> None:
    (toy / "odd.rules").write_text("state\n  never_read: number\n")
    load(toy)
    load(toy)
    found = check(toy)
    assert [each.severity for each in found] == ["warning"]


def test_the_command_line_uses_it(folder: Path, toy: Path) -> None:
    run(folder, "from rulelang.cli import main; main(['export', sys.argv[1]])", str(toy))
    assert len(kept(folder)) == 1


# ---------------------------------------------------------------- what is damaged


@pytest.mark.parametrize("length", [0, 5, 16, 31, 32, 33, 500, -1])
def test_a_file_that_was_cut_off(folder: Path, toy: Path, checks: list[Any], length: int) -> None:
    load(toy)
    (path,) = kept(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[:length])
    load(toy)
    assert len(checks) == 2
    assert kept(folder) == [path]
    assert path.read_bytes() == whole


@pytest.mark.parametrize("place", [0, 15, 16, 31, 32, 400, -1])
def test_a_damaged_byte(folder: Path, toy: Path, checks: list[Any], place: int) -> None:
    load(toy)
    (path,) = kept(folder)
    whole = bytearray(path.read_bytes())
    whole[place] ^= 1
    path.write_bytes(whole)
    load(toy)
    assert len(checks) == 2


CUT_OFF = freeze_apart(Program(), ("checks",))[:-3]


@pytest.mark.parametrize("data", [b"", b"abc", freeze(["no program"]), CUT_OFF])
def test_something_else_that_is_whole(
    folder: Path, toy: Path, checks: list[Any], data: bytes
) -> None:
    load(toy)
    (path,) = kept(folder)
    cache.keep(path.stem, data)
    assert load(toy).program.name == "toy"
    assert len(checks) == 2


def test_a_folder_where_a_file_should_be(folder: Path, toy: Path, checks: list[Any]) -> None:
    load(toy)
    (path,) = kept(folder)
    path.unlink()
    (path / "inside").mkdir(parents=True)
    load(toy)
    assert len(checks) == 2


# ---------------------------------------------------------------- the store


def test_bytes_by_key(folder: Path) -> None:
    assert cache.fetch(KEY) is None
    cache.keep(KEY, b"some bytes")
    assert cache.fetch(KEY) == b"some bytes"
    cache.keep(KEY, b"")
    assert cache.fetch(KEY) == b""
    assert [path.name for path in folder.iterdir()] == [f"{KEY}.kept"]


def test_keys(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parts = [("a",), ("b",), ("a", ""), ("a", "b"), ("ab",), ("a\ud800",)]
    keys = {cache.key_of(*each) for each in parts}
    monkeypatch.setattr(cache, "_made_by", lambda: "another")
    assert len(keys | {cache.key_of("a")}) == 7
    assert all(key is not None and len(key) == 40 for key in keys)


def test_without_a_key(folder: Path) -> None:
    cache.keep(None, b"abc")
    assert cache.fetch(None) is None
    assert not folder.exists()


def test_the_folder_is_made_for_its_owner_alone(folder: Path) -> None:
    cache.keep(KEY, b"abc")
    if os.name == "posix":
        assert folder.stat().st_mode & 0o777 == 0o700


def test_off(folder: Path, toy: Path, checks: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULELANG_CACHE", "off")
    monkeypatch.setattr(Path, "home", lambda: folder)
    load(toy)
    load(toy)
    assert len(checks) == 2
    assert not folder.exists()
    assert not Path("off").exists()


def test_a_relative_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULELANG_CACHE", "here")
    assert cache.folder(make=True) == tmp_path / "here"


@pytest.mark.skipif(os.name != "posix", reason="owners and modes")
@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o720])
def test_a_folder_that_others_may_write_to(folder: Path, mode: int) -> None:
    cache.keep(KEY, b"abc")
    folder.chmod(mode)
    assert cache.fetch(KEY) is None
    cache.keep("1" * 40, b"abc")
    assert len(kept(folder)) == 1
    folder.chmod(0o755)
    assert cache.fetch(KEY) == b"abc"


@pytest.mark.skipif(os.name != "posix", reason="owners and modes")
def test_a_folder_of_somebody_else(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.keep(KEY, b"abc")
    me = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: me + 1)
    assert cache.fetch(KEY) is None
    cache.keep("1" * 40, b"abc")
    assert len(kept(folder)) == 1


def test_a_file_where_the_folder_should_be(
    folder: Path, toy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    folder.write_text("a file")
    load(toy)
    load(toy)
    assert folder.read_text() == "a file"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("called", ["os.open", "os.replace", "pathlib.Path.mkdir", "os.scandir"])
def test_what_cannot_be_written(
    folder: Path,
    toy: Path,
    called: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    def refuse(*arguments: Any, **options: Any) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(called, refuse)
    assert load(toy).name == "toy"
    monkeypatch.undo()
    assert capfd.readouterr() == ("", "")
    assert not list(folder.glob(".*"))


@pytest.mark.skipif(os.name != "posix", reason="where Unix has its folders")
def test_where_the_folder_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULELANG_CACHE", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.folder() is None
    assert cache.folder(make=True) == tmp_path / "xdg" / "rulelang"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.folder(make=True) == tmp_path / "home" / ".cache" / "rulelang"
    monkeypatch.setenv("HOME", "relative")
    assert cache.folder(make=True) is None


def test_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def home() -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("RULELANG_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", home)
    assert cache.folder(make=True) is None
    cache.keep(KEY, b"abc")
    assert cache.fetch(KEY) is None


@pytest.mark.parametrize("wanted", ["a\0b", "x" * 5_000])
def test_a_folder_that_cannot_be(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "environ", {"RULELANG_CACHE": wanted})
    cache.keep(KEY, b"abc")
    assert cache.fetch(KEY) is None


# ---------------------------------------------------------------- its size


def test_the_oldest_go_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LIMIT", 4_000)
    for n in range(6):
        cache.keep(f"{n}" * 40, b"x" * 950)
        for path in kept(folder):
            os.utime(path, (OLD + int(path.name[0]), OLD + int(path.name[0])))
    assert [path.name[0] for path in kept(folder)] == ["2", "3", "4", "5"]
    cache.keep("6" * 40, b"x" * 2_000)  # larger than one may be
    assert len(kept(folder)) == 4


def test_what_is_used_stays(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LIMIT", 2_200)
    cache.keep("a" * 40, b"x" * 500)
    cache.keep("b" * 40, b"x" * 500)
    for path in kept(folder):
        os.utime(path, (OLD, OLD))
    assert cache.fetch("a" * 40) is not None
    for key in ("c", "d"):
        cache.keep(key * 40, b"x" * 500)
    cache.keep("e" * 40, b"x" * 500)
    assert "b" not in [path.name[0] for path in kept(folder)]


def test_leavings_are_removed_and_other_files_are_not(folder: Path) -> None:
    cache.keep(KEY, b"abc")
    left, recent = (folder / f".{KEY}.kept.{end}" for end in ("0123abcd", "89abcdef"))
    other = folder / "notes.txt"
    for path in (left, recent, other):
        path.write_text("x")
    for path in (left, other):
        os.utime(path, (OLD, OLD))
    cache.keep("1" * 40, b"abc")
    assert not left.exists()
    assert recent.exists()
    assert other.exists()


# ---------------------------------------------------------------- whose work it is


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is taken for that of rulelang, with files of long ago."""
    (tmp_path / "package" / "inner").mkdir(parents=True)
    for name in ("cache.py", "inner/a.py", "inner/b.lark", "c.json"):
        (tmp_path / "package" / name).write_text("12345")
    (tmp_path / "package" / "notes.txt").write_text("12345")
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "package" / "cache.py"))
    monkeypatch.setattr(cache, "IMPORTED_AT", 1 << 62)
    return tmp_path / "package"


@pytest.mark.parametrize("name", ["cache.py", "inner/a.py", "inner/b.lark", "c.json"])
def test_its_own_files_count(package: Path, name: str) -> None:
    before = cache._made_by()
    assert before == cache._made_by()
    assert before is not None
    path = package / name
    times = path.stat()
    path.write_text("54321")
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))  # as some programs do
    if os.name == "posix":
        assert cache._made_by() != before
    path.write_text("123456")
    assert cache._made_by() != before


def test_other_files_do_not(package: Path) -> None:
    before = cache._made_by()
    (package / "notes.txt").write_text("other")
    assert cache._made_by() == before
    (package / "inner" / "more.py").write_text("")
    assert cache._made_by() != before


def test_the_version_and_the_python_count(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache._made_by()
    monkeypatch.setattr(cache, "__version__", "7")
    second = cache._made_by()
    monkeypatch.setattr(sys, "hexversion", 7)
    assert len({before, second, cache._made_by()}) == 3


def test_a_file_changed_after_the_import(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = (package / "cache.py").stat().st_mtime_ns
    monkeypatch.setattr(cache, "IMPORTED_AT", changed + 1)
    assert cache._made_by() is None
    assert cache.key_of("a") is None


def test_nothing_is_kept_if_it_changed_since(
    folder: Path, toy: Path, checks: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["this version", None])
    monkeypatch.setattr(cache, "_made_by", lambda: next(answers))
    load(toy)
    assert len(checks) == 1
    assert kept(folder) == []


def test_an_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "__file__", "/nowhere/at/all.zip/rulelang/cache.py")
    assert cache._made_by() is None


# ---------------------------------------------------------------- processes


def run(folder: Path, code: str, *arguments: str) -> str:
    """What a new process says, for which rulelang is the same version as here."""
    before = "import sys; from rulelang import cache; cache._made_by = lambda: 'this version'"
    ran = subprocess.run(
        [sys.executable, "-c", f"{before}\n{code}", *arguments],
        cwd=ROOT, env={**os.environ, "RULELANG_CACHE": str(folder)}, capture_output=True, text=True,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert ran.stderr == ""
    return ran.stdout


LOAD = "import rulelang; game = rulelang.load(sys.argv[1])"
LOADED = "print(*sorted(name for name in sys.modules if name.startswith(('lark', 'rulelang'))))"


def test_a_game_that_is_kept_needs_no_checker(folder: Path, toy: Path) -> None:
    first = run(folder, f"{LOAD}; {LOADED}", str(toy)).split()
    assert "rulelang.checker" in first
    assert "lark" not in first  # the tables of the grammar lie beside it
    second = run(folder, f"{LOAD}; {LOADED}", str(toy)).split()
    parts = {name.split(".")[1] for name in second if "." in name}
    assert parts.isdisjoint(("checker", "syntax", "analysis", "session", "report"))
    assert "rulelang.engine.machine" not in second


def test_what_another_process_kept_is_played_alike(folder: Path, toy: Path) -> None:
    said = f"{LOAD}; print(game.start(seed=5).digest(), game.program.meaning)"
    assert run(folder, said, str(toy)) == run(folder, said, str(toy))
    game: Game = load(toy)
    expected = f"{game.start(seed=5).digest()} {game.program.meaning}\n"
    assert run(folder, said, str(toy)) == expected


def test_many_at_once(folder: Path, toy: Path) -> None:
    code = (
        "import sys; from rulelang import cache; cache._made_by = lambda: 'this version'\n"
        "import rulelang\n"
        "for n in range(20):\n"
        "  rulelang.load(sys.argv[1])\n"
        "  cache.keep(f'{n % 3}' * 40, bytes(1000 * n))\n"
        "  for m in range(3):\n"
        "    found = cache.fetch(f'{m}' * 40)\n"
        "    assert found is None or found == bytes(len(found))"
    )
    env = {**os.environ, "RULELANG_CACHE": str(folder)}
    started = [
        subprocess.Popen([sys.executable, "-c", code, str(toy)], cwd=ROOT, env=env)
        for _ in range(3)
    ]
    assert [each.wait(120) for each in started] == [0, 0, 0]
    assert len(kept(folder)) == 4
    assert not list(folder.glob(".*"))


@pytest.mark.skipif(sys.platform == "win32", reason="links and pipes of other systems")
@pytest.mark.parametrize("odd", ["loop", "pipe"])
def test_no_file_in_the_place_of_one(folder: Path, odd: str) -> None:
    folder.mkdir(mode=0o700)
    path = folder / f"{KEY}{cache.SUFFIX}"
    if odd == "loop":
        path.symlink_to(path)
    else:
        os.mkfifo(path)
    assert cache.fetch(KEY) is None
    cache.keep(KEY, b"words")
    assert cache.fetch(KEY) in (None, b"words")


# ---------------------------------------------------------------- when it is kept


def test_it_is_kept_when_the_next_game_is_asked_for(
    folder: Path, toy: Path, tmp_path: Path
) -> None:
    load(toy)
    assert not list(folder.glob("*.kept"))
    write_toy(tmp_path / "other")
    load(tmp_path / "other")
    assert len(list(folder.glob("*.kept"))) == 1


def test_it_is_kept_when_the_process_ends(folder: Path, toy: Path) -> None:
    run(folder, LOAD, str(toy))
    assert len(list(folder.glob("*.kept"))) == 1


def test_it_is_not_kept_in_another_folder(
    folder: Path, toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(toy)
    monkeypatch.setenv("RULELANG_CACHE", str(tmp_path / "elsewhere"))
    checked.keep_last()
    assert not (tmp_path / "elsewhere").exists()
    monkeypatch.setenv("RULELANG_CACHE", str(folder))
    assert kept(folder) == []


def test_other_processes_find_it(folder: Path, toy: Path) -> None:
    rulelang.simulate(load(toy), games=4, jobs=2)
    assert len(list(folder.glob("*.kept"))) >= 1
