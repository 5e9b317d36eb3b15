"""Noticing that the files of a game were saved anew, and loading it again."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from rulelang.analysis import analyse_sources
from rulelang.diagnostic import Diagnostic
from rulelang.errors import UsageError
from rulelang.game import Game
from rulelang.loader import read


@frozen
class News:
    """What was found: the files that changed, and the game that they make now.

    ``game`` is None if they do not make one; then ``diagnostics`` or ``problem`` say why.
    """

    files: tuple[str, ...]
    game: Game | None
    texts: Mapping[str, str]
    diagnostics: tuple[Diagnostic, ...] = ()
    problem: str = ""


class Watch:
    """Compares the files of a game with what was read last. Without a place there is no news."""

    def __init__(self, game: Game) -> None:
        self._where = game.where
        self._texts = {**game.catalogues, **game.sources}
        self._problem = ""

    def look(self) -> News | None:
        """What has changed since the last look; None if nothing has."""
        if self._where is None:
            return None
        try:
            sources = read(self._where)
        except (UsageError, OSError) as error:
            known, self._problem = self._problem, str(error)
            return None if known == self._problem else News((), None, {}, (), self._problem)
        self._problem = ""
        texts = {**sources.catalogues, **sources.rules}
        if texts == self._texts:
            return None
        names = sorted(texts.keys() | self._texts.keys())
        files = tuple(name for name in names if texts.get(name) != self._texts.get(name))
        self._texts = texts
        analysis = analyse_sources(sources)
        if analysis.program is None:
            return News(files, None, texts, analysis.errors)
        game = Game(analysis.program, sources.rules, self._where, sources.catalogues)
        return News(files, game, texts, analysis.errors)
