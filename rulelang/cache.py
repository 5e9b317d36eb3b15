"""What took long to work out, kept on disk for the next start: bytes by a key.

The folder is `RULELANG_CACHE` (or `off`, in any case), else the user's own for caches. Whatever
goes wrong with it, nothing is said: what is not found is worked out again. What was written there
is taken only from a folder that nobody else may write to, and only whole.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import time
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path

from rulelang import IMPORTED_AT, __version__

LIMIT = 64_000_000
"""How many bytes the files may take up together; the oldest go first."""
SUFFIX = ".kept"
_NAME = re.compile(rf"\.?[0-9a-f]{{40}}\{SUFFIX}(\.[0-9a-f]+)?")
_KEPT = b"rulelang kept 2\n"
_DIGEST = 16
_TURN = "0"
"""What the name of a file ends with that says that somebody writes."""
_DAY, _HOUR, _MINUTE = 86_400, 3_600, 60
_CLOCK = 2_000_000_000
"""Nanoseconds that a file system may be behind the clock."""


def key_of(kind: str, *parts: str) -> str | None:
    """The key of what this version of rulelang makes of some texts; None: it cannot be kept."""
    made_by = _made_by()
    if made_by is None:
        return None
    return key_in(made_by, kind, *parts)


def key_in(key: str | None, *parts: str) -> str | None:
    """The key of something that belongs to what has a key."""
    if key is None:
        return None
    digest = blake2b(key.encode(), digest_size=20)
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d\n" % len(data))
        digest.update(data)
    return digest.hexdigest()


def fetch(key: str | None) -> bytes | None:
    """What was kept under a key, if it is there and whole."""
    place = folder() if key is not None else None
    if key is None or place is None:
        return None
    path = place / f"{key}{SUFFIX}"
    try:
        if not path.is_file() or not _is_ours(path):  # nor what a reader would wait for
            return None
        kept = path.read_bytes()
        start = len(_KEPT) + _DIGEST
        data = kept[start:]
        if kept[:start] != _KEPT + _digest(key, data):
            return None
        if time.time() - path.stat().st_mtime > _DAY:
            os.utime(path)  # it is in use: older ones go before it
    except OSError:
        return None
    return data


def keep(key: str | None, data: bytes) -> None:
    """Keep some bytes under a key, if that is possible."""
    if key is None or len(data) > LIMIT // 4 or _made_by() is None:
        return  # rulelang may have been changed since the key was made
    place = folder(make=True)
    if place is None:
        return
    from rulelang.writing import write_files

    with contextlib.suppress(OSError, RuntimeError):  # which a loop of links is
        write_files({place / f"{key}{SUFFIX}": _KEPT + _digest(key, data) + data}, mode=0o600)
        _prune(place)


@contextlib.contextmanager
def alone(key: str | None) -> Iterator[bool]:
    """Is nobody else about to replace what lies under a key? Then nobody does inside."""
    place = folder(make=True) if key is not None else None
    path = None if place is None else place / f".{key}{SUFFIX}.{_TURN}"
    if path is None or not _taken(path):
        yield False
        return
    try:
        yield True
    finally:
        with contextlib.suppress(OSError):
            path.unlink()


def _taken(path: Path) -> bool:
    """Make a file that was not there; one of a process that was killed does not count."""
    with contextlib.suppress(OSError):
        if path.exists() and time.time() - path.stat().st_mtime > _MINUTE:
            path.unlink()
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        return True
    return False


def folder(*, make: bool = False) -> Path | None:
    """The folder, if it is there (or can be made) and is the user's alone; else None."""
    try:
        place = _place()
        if place is None:
            return None
        if make:
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
        return place if place.is_dir() and _is_ours(place) else None
    except (OSError, RuntimeError, ValueError):  # no home; no path
        return None


def _place() -> Path | None:
    """Where the folder lies, or is to be made."""
    wanted = os.environ.get("RULELANG_CACHE", "")
    if wanted.casefold() == "off":
        return None
    if wanted:
        return Path(os.path.abspath(wanted))
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or "")
        if not base.is_absolute():
            base = Path.home() / ".cache"
    return base / "rulelang" if base.is_absolute() else None


def _is_ours(place: Path) -> bool:
    """Is a file or folder the user's, and may nobody else write to it?"""
    if sys.platform == "win32":
        return True  # what lies in a user's profile is the user's
    found = place.stat()
    return found.st_uid == os.geteuid() and not found.st_mode & 0o022


def _digest(key: str, data: bytes) -> bytes:
    """What data under a key are known by: not even a whole file counts under another name."""
    return blake2b(data, digest_size=_DIGEST, key=key.encode()).digest()


def _files(place: Path) -> list[os.DirEntry[str]]:
    """The files that are kept, or were to be; whatever else lies there is not ours."""
    with contextlib.suppress(OSError), os.scandir(place) as entries:
        return [entry for entry in entries if _NAME.fullmatch(entry.name)]
    return []


def _prune(place: Path) -> None:
    """Remove what was written by halves, and the oldest files if there are too many."""
    found = []
    for entry in _files(place):
        with contextlib.suppress(OSError):  # another process may have removed it
            status = entry.stat(follow_symlinks=False)
            if entry.name.startswith(".") and time.time() - status.st_mtime > _HOUR:
                os.unlink(entry.path)
            else:
                found.append((status.st_mtime_ns, status.st_size, entry.path))
    size = sum(each for _, each, _ in found)
    for _, each, path in sorted(found):
        if size <= LIMIT:
            return
        with contextlib.suppress(OSError):
            os.unlink(path)
            size -= each


# ---------------------------------------------------------------- what made it


def _made_by() -> str | None:
    """Which rulelang runs, on which Python; None if that is not certain.

    Of its own files only sizes and times are looked at, which is what Python itself goes by. A file
    that was changed after the import, or right before, may lie there otherwise than it runs.
    """
    root = Path(__file__).parent
    try:
        files = sorted(_sources(str(root)))
    except OSError:
        return None  # it lies in an archive
    newest = max(changed for *_, changed in files)
    if newest >= IMPORTED_AT - _CLOCK:
        return None
    python = f"{sys.implementation.cache_tag} {sys.hexversion} {sys.byteorder} {sys.maxsize}"
    return f"{__version__} {python} {root} {files}"


def _sources(folder: str, below: str = "") -> Iterator[tuple[str, int, int, int]]:
    """The files that a package is made of: names, sizes, times, and when they were last changed."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{below}{entry.name}"
            if entry.is_dir():
                if entry.name != "__pycache__":
                    yield from _sources(entry.path, f"{name}/")
            elif name.endswith((".py", ".lark", ".json")):
                status = entry.stat()
                changed = max(status.st_mtime_ns, status.st_ctime_ns)
                yield name, status.st_size, status.st_mtime_ns, changed
