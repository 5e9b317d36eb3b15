"""Compiled rules of earlier processes, and for later ones.

A module takes over what was kept of it when it is made. What it compiles itself is written at the
end of a number of games, or when the process ends. Whatever another process has written meanwhile
stays: what that one lacks is compiled once more, on top of it.
"""

from __future__ import annotations

import atexit
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from hashlib import blake2b
from weakref import WeakKeyDictionary

from rulelang import cache
from rulelang.engine.compiler.judge import Judging
from rulelang.engine.compiler.kept import restore, restore_judging, written, written_judging
from rulelang.engine.compiler.module import Module
from rulelang.engine.evaluate import Evaluators
from rulelang.freezing import Unfit

SHARE = 8
"""A part of so many more makes it worth while to write what was compiled."""


class Keeper:
    """What is known of the file of a module."""

    def __init__(self, key: str, make: Callable[[], Module]) -> None:
        self.key = key
        self.make = make
        self.versions = 0
        """How many compiled versions the module had when it was last read or written."""
        self.digest = b""
        """Of what lies in the file, if the module has all that is in it."""

    def read(self) -> Module:
        """A module with what was kept."""
        data = cache.fetch(self.key)
        module = None if data is None else self._restored(data)
        if data is None or module is None:
            return self.make()
        self.versions, self.digest = len(module.codes), _digest(data)
        return module

    def _restored(self, data: bytes) -> Module | None:
        module = self.make()
        try:
            restore(module, data)
        except Exception:  # whatever lies there, it is not what this version keeps
            return None
        return module

    def write(self, module: Module) -> None:
        """Write what a module has compiled, if that can be and there is anything new."""
        with module.writing:
            versions = len(module.codes)
            if versions == self.versions:
                return
            # Whatever goes wrong, it is compiled once more the next time.
            with cache.alone(self.key) as free, suppress(Exception):
                if free:
                    self.versions = versions
                    self._replace(module)

    def _replace(self, module: Module) -> None:
        found = cache.fetch(self.key)
        other = None
        if found is not None and _digest(found) != self.digest:
            other = self._restored(found)
        if other is None:
            data = written(module)
            self.digest = _digest(data)
        else:
            before = len(other.codes)
            _compile_also(other, module)
            self.digest = b""
            if len(other.codes) == before:
                return
            data = written(other)
        cache.keep(self.key, data)


def _compile_also(module: Module, other: Module) -> None:
    """Compile what another module has."""
    for name in other.codes:
        version = other.versions.by_name[name]
        module.compiled(module.versions.special(version.code.name, version.given))


_keepers: WeakKeyDictionary[Module, Keeper] = WeakKeyDictionary()
"""Of all modules that have a file."""
_recent: deque[Module] = deque()
"""Those that were made last stay until they are written, if nobody else has them any more."""
RECENT = 4


def kept(key: str | None, make: Callable[[], Module]) -> Module:
    """A module with what was kept of it; what it compiles is kept from now on."""
    if key is None or cache.folder(make=True) is None:
        return make()
    keeper = Keeper(key, make)
    module = keeper.read()
    _keepers[module] = keeper
    _recent.append(module)
    while len(_recent) > RECENT:
        with suppress(IndexError):  # another thread may have taken it
            keep(_recent.popleft())
    return module


def keep(module: Module) -> None:
    """Keep what a module has compiled, if that has become much more."""
    keeper = _keepers.get(module)
    if keeper is not None and len(module.codes) - keeper.versions > keeper.versions // SHARE:
        keeper.write(module)


@atexit.register
def keep_all() -> None:
    """Keep what all modules have compiled."""
    for module, keeper in list(_keepers.items()):
        keeper.write(module)
    _recent.clear()


def judging(evaluators: Evaluators, *, key: str | None, in_place: bool = False) -> Judging:
    """What judges games, as it was kept or compiled now."""
    key = cache.key_in(key, "judge", str(in_place))
    data = cache.fetch(key)
    if data is not None:
        with suppress(Exception):  # whatever lies there, it is not what this version keeps
            return Judging(evaluators, lambda pool: restore_judging(evaluators, pool, data))
    made = Judging(evaluators, in_place=in_place)
    if key is not None:
        with suppress(Unfit, RecursionError):
            cache.keep(key, written_judging(made))
    return made


def _digest(data: bytes) -> bytes:
    return blake2b(data, digest_size=16).digest()
