"""Keeping a game in a file, and reading it again."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any, TextIO

from rulelang.errors import Error, SaveError
from rulelang.game import Game
from rulelang.session import CHANCE, Session

Past = list[tuple[int | str, bool]]
"""Who has chosen, and whether there was more than one option."""


class Keeper:
    """Saves one game. ``path`` is None as long as nobody has named a file."""

    def __init__(self, path: Path | None, *, ours: bool) -> None:
        self.path = path
        self._ours = ours
        self.problem = ""
        """Why the last save did not succeed."""
        self.kept = ""
        """Where another game went that the file held."""

    def save(self, session: Session) -> bool:
        """Write the game; False if that is not possible. The file is whole at every moment."""
        if self.path is None:
            return False
        try:
            self._make_room()
            write(self.path, session.save())
        except OSError as error:
            self.problem = f"{self.path} cannot be written: {error.strerror or error}"
            return False
        self.problem = ""
        return True

    def move_to(self, path: Path) -> None:
        """Save to another file from now on."""
        if path != self.path:
            self.path, self._ours, self.kept = path, False, ""

    def give_up(self) -> None:
        """Forget the file: it cannot be written."""
        self.path, self.problem = None, ""

    def _make_room(self) -> None:
        """Another game's save is put aside, not written over."""
        assert self.path is not None
        if not self._ours and self.path.is_file() and self.path.stat().st_size:
            aside = self.path.with_name(self.path.name + "~")
            os.replace(self.path, aside)
            self.kept = str(aside)
        self._ours = True


def write(path: Path, data: dict[str, Any]) -> None:
    """Write a save so that the file is either the old or the new one. Raises OSError."""
    write_text(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a text so that the file is either the old or the new one. Raises OSError."""
    if path.is_dir():
        raise IsADirectoryError(21, "it is a folder")
    if path.exists() and not path.is_file():
        raise OSError(22, "it is a pipe or a device, not a file")
    path = path.resolve()  # a link stays a link
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise


def read(name: str, stdin: TextIO) -> dict[str, Any]:
    """The save in a file, ``-`` for the input. Raises SaveError if there is none."""
    try:
        text = stdin.read() if name == "-" else Path(name).read_bytes().decode("utf-8")
        data = json.loads(text)
    except FileNotFoundError:
        raise SaveError(f"{name}: there is no such file") from None
    except OSError as error:
        raise SaveError(f"{name} cannot be read: {error.strerror or error}") from None
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise SaveError(f"{name} is no save: it is not JSON ({error.msg} at {place})") from None
    except (ValueError, RecursionError):
        raise SaveError(f"{name} is no save: it is not JSON in UTF-8") from None
    if not isinstance(data, dict):
        raise SaveError(f"{name} is no save: it holds no JSON object")
    return data


def resumed(game: Game, name: str, data: dict[str, Any]) -> tuple[Session, Past, bool]:
    """The saved session, its past, and whether that was gone through again and can be undone."""
    try:
        session = game.resume(data)
    except SaveError as error:
        raise SaveError(f"{name}: {error}") from None
    again = _gone_through(game, session, data)
    if again is not None:
        return (*again, True)
    explicit = session.chance == "explicit"
    askers = [asker for asker, _ in data["ledger"] if explicit or asker != CHANCE]
    return session, [(asker if asker == CHANCE else int(asker), True) for asker in askers], False


def _gone_through(
    game: Game, session: Session, data: dict[str, Any]
) -> tuple[Session, Past] | None:
    """The same session by the same choices; None if chance was not only drawn with the seed."""
    past: Past = []
    try:
        again = game.start(
            mode=session.mode, players=session.players, seed=session.seed, chance=session.chance,
            settings=data["settings"], rulings=data["rulings"],
        )  # fmt: skip
        for asker, label in data["ledger"]:
            decision = again.decision
            if decision is not None and (asker != CHANCE or session.chance == "explicit"):
                past.append((decision.player, len(decision.options) > 1))
                again.choose(label)
    except Error:
        return None
    same = again.ledger == session.ledger and again.digest() == session.digest()
    return (again, past) if same else None
