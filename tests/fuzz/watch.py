"""One case at a time: bounded in time and memory, and written down if it fails.

A case is made by an area from a random generator, so that its number says all about it. A file with
the number of the case at hand lies in the folder of findings while it runs: if the process dies,
that file says of what.
"""

from __future__ import annotations

import faulthandler
import os
import random
import re
import resource
import signal
import sys
import traceback
from collections.abc import Callable, Container, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from attrs import frozen

SECONDS = 10
"""Seconds of processor time that a case may take."""
HANG = 300
"""Seconds after which a case that does not even use the processor ends the process."""
MEGABYTES = 2048
"""Memory that the process may have in all."""
GROWTH = 512
"""Megabytes by which a single case may raise the most memory that the process has had."""


@frozen
class Case:
    """Something to be tried.

    ``inputs`` are what a person needs to try it by hand, by the names of the files in which they
    are written down; ``run`` tries it, and raises what must not be raised.
    """

    inputs: Mapping[str, str | bytes]
    run: Callable[[], None]


Area = Callable[[random.Random], Case]


@frozen
class Finding:
    """A case that failed, why, and where it is written down."""

    area: str
    number: int
    what: str
    folder: Path

    @property
    def kind(self) -> str:
        """What is wrong, without what differs from case to case."""
        place = re.search(r"\([^()]*:\d+\)$", self.what)
        return self.what.partition(": ")[0] + (place.group() if place else "")


class TooLong(BaseException):
    """A case takes longer than it may. No code that expects an `Exception` stops it."""


def tried(
    name: str, area: Area, number: int, folder: Path, known: Container[str] = ()
) -> Finding | None:
    """Try the case of a number; what was found, unless that is of a known kind.

    It is then written down in the folder.
    """
    at_hand = folder / "at_hand.txt"
    at_hand.write_text(f"{name} {number}\n", encoding="ascii")
    inputs: Mapping[str, str | bytes] = {}
    before = _peak()
    try:
        with _bounded():
            case = area(random.Random(f"{name}:{number}"))
            inputs = case.inputs
            case.run()
            grown = _peak() - before
            assert grown <= GROWTH, f"{grown} megabytes more memory"
    except (Exception, TooLong) as error:
        finding = Finding(name, number, _what(error), folder / f"{name}-{number}")
        if finding.kind not in known:
            _write(finding.folder, error, inputs)
            return finding
    at_hand.unlink()
    return None


@contextmanager
def _bounded() -> Iterator[None]:
    old = signal.signal(signal.SIGPROF, _stop)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, hard))
    faulthandler.dump_traceback_later(HANG, exit=True, file=sys.__stderr__)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGPROF, old)


def _stop(number: int, frame: FrameType | None) -> None:
    raise TooLong(f"more than {SECONDS} seconds of processor time")


def _peak() -> int:
    """The most memory, in megabytes, that the process has had."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


def _what(error: BaseException) -> str:
    """What happened, and the line of the library where it did."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if f"{os.sep}rulelang{os.sep}" in f.filename] or frames
    where = f"{Path(own[-1].filename).name}:{own[-1].lineno}"
    return f"{type(error).__name__} at {where}: {str(error)[-200:]}"


def _write(folder: Path, error: BaseException, inputs: Mapping[str, str | bytes]) -> None:
    folder.mkdir(exist_ok=True)
    for file, content in inputs.items():
        data = (
            content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
        )
        (folder / re.sub(r"[^\w.]", "_", file)[-80:]).write_bytes(data)
    told = "".join(traceback.format_exception(error))
    (folder / "traceback.txt").write_text(told, encoding="utf-8", errors="backslashreplace")
