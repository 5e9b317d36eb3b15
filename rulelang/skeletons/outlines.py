"""New entries as a game itself says that they begin: texts in its folder ``new``.

``new/isle.txt`` is what a new isle begins with. In it stand ``$title`` for the title that is wanted
and ``$key_isle`` for a key that is free; so for every other kind, if the entry needs company.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from string import Template

from rulelang.errors import UsageError
from rulelang.game import Game
from rulelang.loader import lineage, read_text
from rulelang.program.program import Kind
from rulelang.program.values import plain
from rulelang.skeletons.copying import Copy, free_key, written

FOLDER = "new"


def outlined(game: Game, kinds: Sequence[Kind]) -> list[Kind]:
    """The kinds, those first of which the game says how an entry begins."""
    return sorted(kinds, key=lambda kind: next(_files(game, kind), None) is None)


def outlines(game: Game, kind: Kind, title: str) -> Iterator[Copy]:
    """New entries of a kind, as the game and the packs that it is made of let them begin.

    Raises `UsageError` for a text that cannot be read or has a `$` too much.
    """
    for file in _files(game, kind):
        text, problem = read_text(file, file.name)
        if problem is not None:
            raise UsageError(f"{file} cannot be read: {problem.message}")
        keys = {name: _key(game, other, title) for name, other in _named(game)}
        try:
            filled = Template(text).substitute(keys, title=title)
        except KeyError as error:
            raise UsageError(f"{file} has ${error.args[0]}, which stands for nothing") from None
        except ValueError:
            raise UsageError(f"{file} has a $ by itself; write $$") from None
        key = free_key(game.program, kind, title)
        if key is not None:
            yield Copy(filled, f"{plain(kind.name)} {written(key)}", None, kind)


def _files(game: Game, kind: Kind) -> Iterator[Path]:
    """The texts for a kind, that of the pack before that of the game."""
    folders = [] if game.where is None else lineage(Path(game.where))
    for folder in folders:
        file = folder / FOLDER / f"{plain(kind.name)}.txt"
        if file.is_file():
            yield file


def _named(game: Game) -> Iterator[tuple[str, Kind]]:
    for kind in game.program.kinds.values():
        if kind.key in ("number", "letter", "name"):
            yield f"key_{plain(kind.name)}", kind


def _key(game: Game, kind: Kind, title: str) -> str | int:
    key = free_key(game.program, kind, title)
    return "" if key is None else written(key)
