"""A picture of the board that is kept in a file beside the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rulelang.drawing import draw
from rulelang.errors import UsageError
from rulelang.play.saving import write_text
from rulelang.program.program import Program
from rulelang.session import Session

_HIDDEN = {"hidden": True}


class Picture:
    """Draws the board into a file. UsageError if the file holds something that is no picture."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.problem = ""
        """Why it could not be written the last time."""
        self._drawn = ""
        if not _is_free(path):
            raise UsageError(f"{path} holds something else than a picture; name another file")

    def keep(self, session: Session, people: Sequence[int]) -> bool:
        """Draw what all these seats may see; False if that cannot be written.

        The file is a whole picture at every moment.
        """
        seats = people or range(session.players)
        states = [session.view(seat)["state"] for seat in seats]
        text = draw(session.game, in_common(session.game.program, states)) + "\n"
        if text == self._drawn:
            return True
        try:
            write_text(self.path, text)
        except OSError as error:
            self.problem = f"{self.path} cannot be written: {error.strerror or error}"
            return False
        self.problem, self._drawn = "", text
        return True


def _is_free(path: Path) -> bool:
    """Is nothing there yet, or a picture?"""
    try:
        with path.open("rb") as file:
            start = file.read(512).lstrip()
    except FileNotFoundError:
        return True
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    return not start or (start.startswith((b"<svg", b"<?xml")) and b"<svg" in start)


def in_common(program: Program, states: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """What is the same for all of some seats; everything else is hidden."""
    first, *others = states
    shared: dict[str, Any] = {}
    for key, value in first.items():
        alike = [other[key] for other in others]
        if program.state[key].per:
            shared[key] = {
                name: _shared(own, [each[name] for each in alike]) for name, own in value.items()
            }
        else:
            shared[key] = _shared(value, alike)
    return shared


def _shared(value: object, others: Sequence[object]) -> object:
    return value if all(other == value for other in others) else _HIDDEN
