import io
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rulelang.play import run

MARKET = str(Path(__file__).parent / "market")
"""A small game with secrets, for one or two players."""

Player = Callable[..., tuple[int, str]]


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")


@pytest.fixture
def play() -> Player:
    """Play with typed lines; gives the exit status and all that was written."""

    def play(
        *typed: str,
        game: str = MARKET,
        stdin: io.StringIO | None = None,
        stdout: io.StringIO | None = None,
        **flags: Any,
    ) -> tuple[int, str]:
        given: dict[str, Any] = {
            "game": game, "mode": "alone", "players": None, "seed": 7, "set": [], "ruling": [],
            "bot": [], "save": None, "resume": None,
        }  # fmt: skip
        given.update(flags)
        lines = io.StringIO("".join(f"{line}\n" for line in typed)) if stdin is None else stdin
        written = io.StringIO() if stdout is None else stdout
        status = run(Namespace(**given), stdin=lines, stdout=written)
        return status, written.getvalue()

    return play
