"""Python's collector of garbage, held off where many objects are made that all stay.

It walks every object each time some hundred have been added. While a game is read, or its rules
are compiled, they come by the ten thousand, and hardly any goes: up to a third of the time went by
with finding nothing.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_lock = Lock()
_holding = 0
_was_on = False


@contextmanager
def uncollected() -> Iterator[None]:
    """Hold the collector off; it goes on when the last of those who do has finished."""
    global _holding, _was_on
    with _lock:
        if not _holding:
            _was_on = gc.isenabled()
            gc.disable()
        _holding += 1
    try:
        yield
    finally:
        with _lock:
            _holding -= 1
            if not _holding and _was_on:
                gc.enable()
