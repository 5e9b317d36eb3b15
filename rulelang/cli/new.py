"""``rulelang new``: the folder of a game, a pack or one entry, which can be played at once."""

from __future__ import annotations

import os
import shutil
import tempfile
from argparse import Namespace
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

from rulelang.analysis import Analysis, analyse
from rulelang.cli.loading import load
from rulelang.cli.status import Status, Stop
from rulelang.cli.streams import say, show
from rulelang.cli.targets import Target, one_target
from rulelang.diagnostic import Diagnostic
from rulelang.display import printable
from rulelang.errors import UsageError
from rulelang.game import Game
from rulelang.loader import shipped, shipped_root
from rulelang.program.values import plain
from rulelang.skeletons import WORKFLOW, Named, game, named, readme, workflow
from rulelang.skeletons.copying import Copy, copies, kind_of, kinds
from rulelang.skeletons.outlines import outlined, outlines


def run(arguments: Namespace) -> Status:
    """Make the folder, all of it or nothing."""
    wanted = named(arguments.name)
    if arguments.what == "game":
        if arguments.game is not None:
            raise UsageError("a new game extends no other: leave --game out, or make a pack")
        return _new_game(arguments, wanted)
    if arguments.game is None:
        what = "pack" if arguments.what == "pack" else printable(arguments.what)
        raise UsageError(f"say with --game which game the new {what} is for")
    target = one_target(arguments.game)
    base = load(target, unproved=True)
    if base is None:
        return Status.FINDINGS
    return _new_pack(arguments, wanted, target, base)


def _new_game(arguments: Namespace, wanted: Named) -> Status:
    texts = game(wanted) | _workflow(arguments, tested=True)
    where = _destination(_folder(arguments.output or "."), wanted.folder)
    with _Building(where) as building:
        building.write(texts)
        found = analyse(building.path).diagnostics
        if found:
            raise UsageError(f"a game of this name would not be sound: {found[0].message}")
        building.keep()
    _made(where, texts)
    say(f"It can be played: rulelang play {_typed(where)}. README.md says what to do next.")
    return Status.FINE


def _workflow(arguments: Namespace, *, tested: bool) -> dict[str, str]:
    """The workflow, if it is asked for."""
    return {WORKFLOW: workflow(tested=tested)} if arguments.ci else {}


# ---------------------------------------------------------------- packs


def _new_pack(arguments: Namespace, wanted: Named, target: Target, base: Game) -> Status:
    wanted_kinds = (
        kinds(base.program) if arguments.what == "pack" else [kind_of(base.program, arguments.what)]
    )
    folder, extended = _beside(arguments.output, target)
    where = _destination(folder, wanted.folder)
    known = _Known(base)
    reason = "no entry can be copied"
    for kind in outlined(base, wanted_kinds):
        for copy in chain(outlines(base, kind, wanted.title), copies(base, kind, wanted.title)):
            # Scenarios of a game may count its entries, and one more is meant to be there.
            texts = _texts(wanted, base, extended, copy) | _workflow(arguments, tested=False)
            with _Building(where) as building:
                building.write(texts)
                analysis = analyse(building.path)
                problem = _problem(analysis, known)
                if problem is None:
                    building.keep()
                    _made(where, texts)
                    say(f"{_said(copy)}.")
                    return Status.FINE
            reason = problem
    what = "entry" if arguments.what == "pack" else wanted_kinds[0].name.lower()
    raise UsageError(f"no new {what} would be sound in {base.name}: {reason}")


def _texts(wanted: Named, base: Game, extended: str, copy: Copy) -> dict[str, str]:
    file = f"{plain(copy.kind.name)}s.rules"
    tried = any(trial.kind == copy.kind.name for trial in base.program.trials)
    values = {
        "title": wanted.title,
        "game": base.title,
        "folder": wanted.folder,
        "file": file,
        "entry": copy.name,
        "said": _said(copy),
        "try_line": f"    rulelang try {wanted.folder} {copy.name}\n" if tried else "",
    }
    head = f"# {wanted.title}, for {base.title}\n\nextends {extended}\n\n"
    return {file: head + copy.text, "README.md": readme(values)}


def _beside(output: str | None, target: Target) -> tuple[Path, str]:
    """Where a pack of the game must lie, and what it calls the game."""
    if target.where is None or not target.where.is_dir():
        raise UsageError("a pack extends a game that has a folder of its own")
    own = target.where.resolve()
    if own.parent == shipped_root().resolve():
        folder = _folder(output or ".")
        if (folder / own.name).is_dir() and (folder / own.name).resolve() != own:
            raise UsageError(
                f"{_typed(folder / own.name)} would be extended instead; name it with --game"
            )
        return folder, own.name
    if any(sign.isspace() or sign in '"#' for sign in own.name):
        raise UsageError(f"a pack cannot name the folder {own.name!r}; rename it first")
    folder = Path(_near(own.parent)) if output is None else _folder(output)
    if folder.resolve() != own.parent:
        raise UsageError(
            f"a pack lies beside the game that it extends, in {_typed(own.parent)}; "
            "leave --output out"
        )
    return folder, own.name


def _near(folder: Path) -> str:
    """The folder as it is called from here, if that is possible."""
    try:
        return os.path.relpath(folder)
    except ValueError:  # another drive
        return str(folder)


def _said(copy: Copy) -> str:
    """What the new entry is, until it is changed."""
    if copy.like is None:
        return "It is an outline, which can be played: all that it says is to be changed"
    return f"It says the same as {copy.like.label}, until you change it"


class _Known:
    """What is said of a game already, and not of a pack. It takes time, and is asked for rarely."""

    def __init__(self, base: Game) -> None:
        self._where = base.where
        self._said: set[tuple[str, str]] | None = None

    def has(self, found: Diagnostic) -> bool:
        """Is this said of the game itself?"""
        if self._said is None:
            assert self._where is not None
            self._said = {(each.code, each.message) for each in analyse(self._where).diagnostics}
        return (found.code, found.message) in self._said


def _problem(analysis: Analysis, known: _Known) -> str | None:
    """What is wrong with a pack that is not wrong with its game."""
    return next((each.message for each in analysis.diagnostics if not known.has(each)), None)


# ---------------------------------------------------------------- folders


def _folder(given: str) -> Path:
    path = Path(given)
    if not path.is_dir():
        raise UsageError(f"there is no folder {given!r} to make it in")
    return path


def _destination(folder: Path, name: str) -> Path:
    """The folder to make. `UsageError` if something is there that it cannot take the place of."""
    where = folder / name
    if name in shipped() and where.resolve().parent == shipped_root().resolve():
        raise UsageError(f"{name!r} is a game that is there already")
    if where.is_symlink() or (where.exists() and not where.is_dir()):
        raise UsageError(f"{_typed(where)} is there already, and is no folder")
    if where.is_dir() and any(where.iterdir()):
        raise UsageError(f"{_typed(where)} is there already, and not empty")
    return where


class _Building:
    """A folder in the making, beside where it will stand; it is gone unless it is kept."""

    def __init__(self, where: Path) -> None:
        self.where = where
        self.path = where

    def __enter__(self) -> _Building:
        try:
            self.path = Path(tempfile.mkdtemp(prefix=".new-", dir=self.where.parent))
        except OSError as error:
            raise Stop(
                Status.USAGE, f"{_typed(self.where)} cannot be made: {error.strerror or error}"
            ) from None
        return self

    def write(self, texts: Mapping[str, str]) -> None:
        """Write the files."""
        for name, text in texts.items():
            file = self.path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8", newline="\n")

    def keep(self) -> None:
        """Put the folder where it belongs."""
        os.chmod(self.path, 0o777 & ~_umask())
        try:
            if self.where.is_dir():
                self.where.rmdir()  # it is empty; some systems do not replace it
            os.rename(self.path, self.where)
        except OSError as error:
            raise Stop(
                Status.USAGE, f"{_typed(self.where)} cannot be made: {error.strerror or error}"
            ) from None

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.path, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _typed(path: Path) -> str:
    return printable(path.as_posix())


def _made(where: Path, texts: Mapping[str, str]) -> None:
    show(f"{_typed(where)}: {', '.join(sorted(texts))}")
