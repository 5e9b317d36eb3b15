"""The checked program of some texts: as it was kept by an earlier start, or worked out now.

Keeping it takes a sixth of the time that checking does, and nobody should wait for that: it is done
when the process ends, or when the next game is asked for.
"""

from __future__ import annotations

import atexit
from contextlib import suppress
from itertools import chain
from pathlib import Path

from rulelang import cache
from rulelang.diagnostic import Diagnostic
from rulelang.freezing import Unfit, freeze_apart, thaw_apart
from rulelang.loader import Sources
from rulelang.program.program import Program

HARDLY_READ = ("checks", "scenarios", "trials", "citations")
"""Fields of a program that who plays does not need: two thirds of all that it holds."""


def checked(sources: Sources, key: str | None) -> tuple[Program | None, tuple[Diagnostic, ...]]:
    """The program, if it can be played, and what the check found; ``key`` is that of the texts.

    Only programs without errors are kept, and warnings are not kept with them: those who play a
    game are told none. `rulelang.analysis` always checks.
    """
    keep_last()
    program = _kept(key)
    if program is not None:
        return program, ()
    from rulelang.analysis import analyse_sources

    analysis = analyse_sources(sources)
    if analysis.program is not None and not analysis.errors and key is not None:
        _last.append((key, analysis.program, cache.folder(make=True)))
    return analysis.program, analysis.diagnostics


_last: list[tuple[str, Program, Path | None]] = []
"""The program that was checked last, if it is still to be kept: its key, and in which folder."""


@atexit.register
def keep_last() -> None:
    """Keep the program that was checked last, if that was not done yet."""
    with suppress(IndexError, Unfit, RecursionError):
        key, program, folder = _last.pop()  # at once: so that of several threads one does it
        if folder is not None and folder == cache.folder():
            cache.keep(key, freeze_apart(program, HARDLY_READ))


def key_of(sources: Sources) -> str | None:
    """The key of a game: its files by name, and which of them are whose. None: it is not kept."""
    if sources.diagnostics:
        return None
    packs = (f"{pack.name}\n{len(pack.files)}" for pack in sources.packs)
    files = (name for pack in sources.packs for name in pack.files)
    rules, catalogues = sources.rules, sources.catalogues
    counts = f"{len(sources.packs)} {len(rules)} {len(catalogues)}"
    texts = chain.from_iterable((*rules.items(), *catalogues.items()))
    return cache.key_of("program", counts, *packs, *files, *texts)


def _kept(key: str | None) -> Program | None:
    data = cache.fetch(key)
    if data is None:
        return None
    try:
        program = thaw_apart(data)
    except Exception:  # whatever lies there, it is not what this version keeps
        return None
    return program if isinstance(program, Program) else None
