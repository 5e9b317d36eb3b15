import os
import subprocess
import sys
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from attrs import frozen

from rulelang.cli import main

ROOT = Path(__file__).resolve().parent.parent.parent


@frozen
class Ran:
    status: int
    out: str
    err: str


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def _quiet_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "RULELANG_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / ".git").mkdir()  # so that nothing is looked for in the folders around
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process, with bytes as standard input."""

    def call(*words: str, stdin: bytes = b"") -> Ran:
        capfd.readouterr()
        monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(stdin)))
        status = main(words)
        return Ran(status, *capfd.readouterr())

    return call


@pytest.fixture
def command() -> Callable[..., subprocess.Popen[bytes]]:
    """Start a command in a process of its own, with pipes."""

    def start(*words: str, **environment: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "rulelang", *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        )

    return start
