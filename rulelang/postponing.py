"""Fields of an object that are read when one of them is first asked for.

Until then the object is of a class made for it alone, below its own, in which something else stands
for these fields. Then they are filled, and it is an object of its own class like any other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any


def postpone(instance: object, names: Sequence[str], read: Callable[[], Sequence[Any]]) -> None:
    """Let an object have the values of some empty slots when one of them is wanted."""
    kind = type(instance)
    lock = RLock()

    def fill(instance: object) -> None:
        with lock:
            if type(instance) is kind:
                return  # another thread was faster
            for name, value in zip(names, read(), strict=True):
                getattr(kind, name).__set__(instance, value)
            object.__setattr__(instance, "__class__", kind)

    def equal(self: object, other: object) -> bool:
        fill(self)
        return self == other

    body: dict[str, Any] = {name: _Missing(name, fill) for name in names}
    body |= {"__slots__": (), "__eq__": equal, "__hash__": kind.__hash__}
    body |= {"__module__": kind.__module__, "__qualname__": kind.__qualname__}
    object.__setattr__(instance, "__class__", type(kind.__name__, (kind,), body))


def complete(instance: object) -> None:
    """Read what an object still lacks."""
    for each in tuple(type(instance).__dict__.values()):
        if isinstance(each, _Missing):
            each.fill(instance)


class _Missing:
    """What stands for a field that is still to be read."""

    __slots__ = ("fill", "name")

    def __init__(self, name: str, fill: Callable[[object], None]) -> None:
        self.name, self.fill = name, fill

    def __get__(self, instance: object, owner: type) -> Any:
        if instance is None:
            return self
        self.fill(instance)
        return getattr(instance, self.name)

    def __set__(self, instance: object, value: Any) -> None:
        self.fill(instance)
        setattr(instance, self.name, value)
