"""From paths and names on the command line to the games that they mean."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence
from pathlib import Path, PurePath

from attrs import evolve, frozen

from rulelang.cli.status import Status, Stop
from rulelang.cli.streams import STDIN, complain, read_stdin
from rulelang.diagnostic import Diagnostic, Edit, Note, Span
from rulelang.errors import UsageError
from rulelang.files import MAX_FILE_SIZE, is_rules_file
from rulelang.loader import SKIPPED, Sources, decode, locate, read, read_text

# A pack is looked at like a game: with the files of the game that it extends.
_DECLARES_GAME = re.compile(rb"^(?:\xef\xbb\xbf)?(?:game|extends)[ \t]", re.MULTILINE)
_REPOSITORIES = (".git", ".hg", ".svn")
_MOST_BYTES = 4 * MAX_FILE_SIZE


@frozen
class Target:
    """One game: its texts, what stands before the names of its files in output, and where it is."""

    sources: Sources
    prefix: str
    where: Path | None
    data: bytes | None = None
    """What was read from standard input, if that is where the game is from."""

    def named(self, name: str) -> str:
        """A file of the game, as it is called in output."""
        return self.prefix + name

    def texts(self) -> dict[str, str]:
        """The texts of all its files, by what they are called in output."""
        both = {**self.sources.rules, **self.sources.catalogues}
        return {self.named(name): text for name, text in both.items()}

    def placed(self, diagnostic: Diagnostic) -> Diagnostic:
        """A diagnostic of the game, with its files called as in output."""
        if not self.prefix:
            return diagnostic
        notes = tuple(Note(self._span(note.span), note.label) for note in diagnostic.notes)
        fix = diagnostic.fix
        if fix is not None:
            fix = evolve(
                fix, edits=tuple(Edit(self._span(edit.span), edit.text) for edit in fix.edits)
            )
        return evolve(diagnostic, span=self._span(diagnostic.span), notes=notes, fix=fix)

    def _span(self, span: Span) -> Span:
        return evolve(span, file=self.named(span.file))


@frozen
class _Place:
    """A game that was named: where it is (None: standard input), and what its folder is called."""

    path: Path | None
    alone: str
    """Its folder's name in output if it is the only game."""
    among: str
    """Its folder's name in output beside other games."""


def targets(given: Sequence[str]) -> list[Target]:
    """The games that paths and names mean, each once; the current folder's if there are none.

    Raises Stop where there is nothing, `UsageError` for what is not there or cannot be read.
    """
    arguments = list(dict.fromkeys(given)) or ["."]
    places: dict[Path | None, _Place] = {}
    empty = []
    for argument in arguments:
        found = _places(argument)
        for place in found:
            places.setdefault(place.path and place.path.resolve(), place)
        if not found:
            empty.append(argument)
    if not places:
        raise Stop(Status.NOTHING, f"nothing there: no .rules files in {', '.join(empty)}")
    for argument in empty:
        complain(f"note: no .rules files in {argument}")
    return [_target(place, len(places) == 1) for place in places.values()]


def one_target(given: str) -> Target:
    """The one game that a path or name means. `UsageError` if it means several."""
    found = targets([given])
    if len(found) > 1:
        names = ", ".join(target.prefix.rstrip("/") for target in found[:8])
        raise UsageError(f"{given} holds {len(found)} games; name one of them ({names})")
    return found[0]


def _target(place: _Place, only: bool) -> Target:
    if place.path is None:
        return _from_stdin()
    folder = place.alone if only else place.among
    prefix = "" if folder in ("", ".") else folder.rstrip("/") + "/"
    if place.path.is_dir() or place.path.is_file():
        return Target(read(place.path), prefix, place.path)
    return Target(_from_pipe(place.path), prefix, None)


def _from_stdin() -> Target:
    data = read_stdin(_MOST_BYTES)
    if len(data) == _MOST_BYTES:
        from rulelang.syntax.messages import too_large

        problem = too_large(STDIN, len(data), MAX_FILE_SIZE)
        return Target(Sources(".", {STDIN: ""}, {}, (problem,)), "", None)
    text, unreadable = decode(data, STDIN)
    problems = () if unreadable is None else (unreadable,)
    return Target(Sources(".", {STDIN: text}, {}, problems), "", None, data)


def _from_pipe(path: Path) -> Sources:
    text, problem = read_text(path, path.name)
    return Sources(".", {path.name: text}, {}, () if problem is None else (problem,))


# ---------------------------------------------------------------- finding games


def _places(argument: str) -> list[_Place]:
    if argument == "-":
        return [_Place(None, "", "")]
    path = existing(argument)
    if path is None:
        if "/" in argument or os.sep in argument or argument.endswith(".rules"):
            raise UsageError(f"there is no file or folder {argument!r}")
        return [_Place(locate(argument), "", argument)]
    return _in_folder(path) if path.is_dir() else [_of_file(path)]


def existing(argument: str) -> Path | None:
    """The path, if something is there."""
    try:
        path = Path(argument)
        return path if path.exists() else None
    except (OSError, ValueError):
        return None


def _in_folder(folder: Path) -> list[_Place]:
    games, strays = _games_in(folder)
    if games:
        unreadable = [path for path in strays if not _is_text(path)]
        strays = [path for path in strays if path not in unreadable]
        if strays:
            names = ", ".join(path.as_posix() for path in strays[:3])
            more = " and others" if len(strays) > 3 else ""
            complain(f"note: left out, as it is in no game's folder: {names}{more}")
        return [
            _Place(game, game.relative_to(folder).as_posix(), game.as_posix()) for game in games
        ] + [_Place(path, "", path.parent.as_posix()) for path in unreadable]
    if not strays:
        return []
    above = _game_above(folder) if any(path.parent == folder for path in strays) else None
    return [
        _Place(folder, "", folder.as_posix()) if above is None else _Place(above, "", _shown(above))
    ]


def _games_in(folder: Path) -> tuple[list[Path], list[Path]]:
    """The games' folders at or below a folder, and the .rules files that are in none of them."""
    files, folders = listing(folder)
    if any(map(_declares_game, files)):
        return [folder], []
    games: list[Path] = []
    for below in folders:
        more_games, more_files = _games_in(below)
        games += more_games
        files += more_files
    return games, files


def listing(folder: Path) -> tuple[list[Path], list[Path]]:
    """The .rules files directly in a folder, and its folders that are looked into."""
    files, folders = [], []
    for path in sorted(folder.iterdir()):
        if left_out(path):
            continue
        if path.is_dir() and not path.is_symlink():
            folders.append(path)
        elif is_rules_file(path):
            files.append(path)
    return files, folders


def left_out(path: Path) -> bool:
    """Is this what no game looks into?"""
    return path.name in SKIPPED or path.name.startswith(".")


def _of_file(path: Path) -> _Place:
    if path.is_file() and path.suffix not in (".rules", ".toml"):
        raise UsageError(f"{path.as_posix()} is no .rules file")
    above = _game_above(path.parent) if path.is_file() else None
    if above is not None:
        return _Place(above, "", _shown(above))
    if path.suffix == ".toml":
        raise UsageError(f"{path.as_posix()} belongs to no game")
    return _Place(path, "", path.parent.as_posix())


def _game_above(folder: Path) -> Path | None:
    """The nearest folder, this one or one around it, with a file that declares a game or pack.

    The search goes up as long as each folder has .rules files of its own, and ends where a
    repository begins, or a folder that no game looks into or that holds all sorts of things: what
    lies farther up has nothing to do with the files here.
    """
    resolved = folder.resolve()
    for around in (resolved, *resolved.parents):
        try:
            if around != resolved and _is_common(around):
                return None
            files = listing(around)[0]
            if any(_declares_game(path) for path in files):
                return around
        except OSError:
            return None
        if not files and around != resolved:
            return None
        if left_out(around) or any((around / name).exists() for name in _REPOSITORIES):
            return None
    return None


def _is_common(folder: Path) -> bool:
    """Is this the top of the disk, somebody's home, or where everybody may put files?"""
    everybody = stat.S_ISVTX | stat.S_IWOTH
    shared = folder.stat().st_mode & everybody == everybody
    return shared or folder == folder.parent or folder == Path(os.path.expanduser("~")).resolve()


def _is_text(path: Path) -> bool:
    return read_text(path, path.name)[1] is None


def _declares_game(path: Path) -> bool:
    with path.open("rb") as file:
        return _DECLARES_GAME.search(file.read(_MOST_BYTES)) is not None


def _shown(folder: Path) -> str:
    try:
        return PurePath(os.path.relpath(folder)).as_posix()
    except ValueError:  # another drive
        return folder.as_posix()
