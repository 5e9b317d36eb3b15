"""``rulelang check --fix`` and ``--diff``: from the fixes of diagnostics to files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from attrs import evolve, frozen

from rulelang.analysis import Analysis, analyse_sources
from rulelang.cli.fmt import diff
from rulelang.cli.streams import STDIN, complain, say, show, write_bytes
from rulelang.cli.targets import Target, existing, listing
from rulelang.diagnostic import Diagnostic
from rulelang.display import printable
from rulelang.errors import UsageError
from rulelang.fixing import fix
from rulelang.loader import decode
from rulelang.writing import check_writable, write_files

Wanted = Callable[[Diagnostic], bool]


@frozen
class _File:
    """A file that may change, as it was; ``path`` is None for standard input."""

    path: Path | None
    data: bytes


@frozen
class Mended:
    """A game with its fixes made, on the disk or not yet.

    ``done`` and ``refused`` are diagnostics, with their files called as in output.
    """

    target: Target
    """As it was."""
    before: Analysis
    after: Analysis
    files: dict[str, _File]
    changed: dict[str, bytes]
    """The new bytes of files, by their names in the game."""
    done: tuple[Diagnostic, ...]
    refused: tuple[Diagnostic, ...]

    @property
    def result(self) -> Target:
        """The game as it is with its fixes."""
        return evolve(self.target, sources=self.after.sources)


def check_fixable(paths: Sequence[str]) -> None:
    """UsageError if a game is named that is not the user's to change."""
    for word in paths:
        if word == "-":
            continue
        path = existing(word)
        if path is None:
            raise UsageError(f"{word} is a shipped game; name a folder to change it")
        if not (path.is_dir() or path.is_file()):
            raise UsageError(f"{word} cannot be changed: it is a pipe or a device, not a file")


def mend(games: Iterable[Target], wanted: Wanted, *, unsafe: bool) -> list[Mended]:
    """The games with their fixes made, in memory; each file in one of them only."""
    taken: set[Path] = set()
    return [_mended(game, wanted, unsafe, taken) for game in games]


def _mended(game: Target, wanted: Wanted, unsafe: bool, taken: set[Path]) -> Mended:
    before = analyse_sources(game.sources)
    files = _own_files(game, taken)
    texts = {name: file.data.decode("utf-8") for name, file in files.items()}
    fixed = fix(before, texts, wanted, unsafe=unsafe)
    return Mended(
        game,
        before,
        fixed.analysis,
        files,
        {name: text.encode("utf-8") for name, text in fixed.texts.items()},
        tuple(map(game.placed, fixed.done)),
        tuple(map(game.placed, fixed.refused)),
    )


def _own_files(game: Target, taken: set[Path]) -> dict[str, _File]:
    """The files of the game's own folder, and no others, as long as they are what was checked.

    The files of a game that a pack extends are somebody else's, and so is what links lead to.
    """
    if game.where is None:
        data = game.data or b""
        return {STDIN: _File(None, data)} if _same(data, game, STDIN) else {}
    root = game.where.resolve()
    files = {}
    for name, path in _named_files(game.where):
        place = path.resolve()
        if place in taken or not (place == root or root in place.parents):
            continue
        data = path.read_bytes()
        if _same(data, game, name):
            taken.add(place)
            files[name] = _File(path, data)
    return files


def _same(data: bytes, game: Target, name: str) -> bool:
    """Is this what was checked?"""
    text, problem = decode(data, name)
    return problem is None and text == game.sources.rules.get(name)


def _named_files(where: Path) -> Iterator[tuple[str, Path]]:
    if where.is_file():
        yield where.name, where
        return
    for path in _below(where):
        yield path.relative_to(where).as_posix(), path


def _below(folder: Path) -> Iterator[Path]:
    files, folders = listing(folder)
    yield from files
    for each in folders:
        yield from _below(each)


# ---------------------------------------------------------------- telling and writing


def write_fixes(games: Sequence[Mended]) -> None:
    """Change the files, and write standard input's text; UsageError if a file is read-only."""
    files: dict[Path, bytes] = {}
    for game in games:
        for name, data in game.changed.items():
            path = game.files[name].path
            if path is not None:
                check_writable(path, printable(game.target.named(name)))
                files[path] = data
    write_files(files)
    for game in games:
        for name in map(game.target.named, game.changed):
            if game.target.where is not None:
                number = sum(each.file == name for each in game.done)
                say(f"fixed {printable(name)} ({number})")
        if game.target.where is None and game.target.data is not None:
            write_bytes(game.changed.get(STDIN, game.target.data))


def show_diffs(games: Iterable[Mended]) -> None:
    """Print what would change."""
    for game in games:
        for name, data in game.changed.items():
            for line in diff(game.files[name].data, data, game.target.named(name)):
                show(line)


def tell(games: Sequence[Mended], wanted: Wanted, *, dry: bool, unsafe: bool) -> None:
    """Say what was mended, what was left alone, and what else could be had."""
    for game in games:
        for each in game.refused:
            place = f"{printable(each.file)}:{each.line}:{each.column}"
            complain(f"note: {place}: {each.code} is left, as its fix would bring new errors")
    done = sum(len(game.done) for game in games)
    files = sum(len(game.changed) for game in games)
    how = "would be fixed" if dry else "fixed"
    parts = [f"{_problems(done)} {how} in {files} file{'s' * (files != 1)}"]
    guesses = 0 if unsafe else _guesses(games, wanted)
    if guesses:
        parts.append(f"{guesses} more with --unsafe-fixes")
    say("; ".join(parts) if done or guesses else "there is nothing to fix")


def _guesses(games: Iterable[Mended], wanted: Wanted) -> int:
    """How many diagnostics that are left bring a fix of which nobody can be sure."""
    return sum(
        each.fix is not None and not each.fix.safe and each.file in game.files and wanted(each)
        for game in games
        for each in game.after.diagnostics
    )


def _problems(number: int) -> str:
    return f"{number:,} problem{'s' * (number != 1)}"
