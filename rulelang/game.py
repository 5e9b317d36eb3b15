"""A loaded game: its content, and the way to start, resume and replay playthroughs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

from rulelang.analysis import analyse
from rulelang.check.context import plain
from rulelang.diagnostic import Diagnostic, suggest
from rulelang.engine.machine import Ready
from rulelang.engine.operations import prepare
from rulelang.errors import RuleError, UsageError
from rulelang.program.linking import Linked, link
from rulelang.program.program import Citation, Clause, Kind, Mode, Program
from rulelang.program.values import Entry
from rulelang.session import Session, resume, start

Options = Mapping[str, str]


def load(where: str | Path) -> Game:
    """Load a shipped game by name, or the game in a folder.

    Raises `RuleError` with all diagnostics if the content is wrong, `UsageError` if nothing is there.
    """
    analysis = analyse(where)
    if analysis.program is None:
        raise RuleError(analysis.diagnostics)
    return Game(analysis.program, analysis.sources.rules, str(where))


def check(where: str | Path) -> tuple[Diagnostic, ...]:
    """All diagnostics of the game at a path or of a name; empty if there is nothing to say.

    Never raises on bad content, whatever the bytes are; `UsageError` if nothing is there.
    """
    return analyse(where).diagnostics


class Game:
    """A checked game. Immutable; any number of sessions may be started from it."""

    def __init__(self, program: Program, sources: Mapping[str, str], where: str | None = None) -> None:
        self.program = program
        self.sources = dict(sources)
        self.where = where
        """The name or path that it was loaded from."""
        self._linked: dict[tuple[object, ...], tuple[Linked, dict[str, Ready]]] = {}

    def __repr__(self) -> str:
        return f"<Game {self.name}>"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a Game is not pickled; load it where it is needed")

    @property
    def name(self) -> str:
        """The name that the game is declared with."""
        return self.program.name

    @property
    def title(self) -> str:
        """The game's title, for people."""
        return self.program.text

    @property
    def modes(self) -> dict[str, Mode]:
        """The modes by name: title and numbers of players."""
        return dict(self.program.modes)

    @property
    def kinds(self) -> dict[str, Kind]:
        """The schemas of the content, by name."""
        return dict(self.program.kinds)

    @property
    def clauses(self) -> dict[str, tuple[Clause, tuple[Citation, ...]]]:
        """The clauses of the rulebook by number, each with who cites it."""
        cited: dict[str, list[Citation]] = {}
        for citation in self.program.citations:
            cited.setdefault(citation.clause, []).append(citation)
        return {name: (clause, tuple(cited.get(name, ()))) for name, clause in self.program.clauses.items()}

    def entries(self, kind: str) -> tuple[Entry, ...]:
        """All entries of a kind, in canonical order. UsageError if there is no such kind."""
        for name in self.program.kinds:
            if plain(name) == plain(kind):
                return self.program.domains[name].entries
        raise UsageError(f"there is no kind {kind!r}", suggest(kind, self.program.kinds))

    def entry(self, words: str) -> Entry:
        """The entry that is written as in the files: ``"card 34"``. UsageError if there is none."""
        kind, _, key = words.strip().partition(" ")
        key = key.strip().strip('"')
        for entry in self.entries(kind):
            if str(entry.key) == key or plain(str(entry.key)) == plain(key) or plain(entry.text) == plain(key):
                return entry
        near = suggest(key, [str(e.key) for e in self.entries(kind)])
        raise UsageError(f"there is no {kind} {key!r}", near)

    # ------------------------------------------------------------ playing

    def start(
        self,
        *,
        mode: str | None = None,
        players: int | None = None,
        seed: int = 0,
        settings: Options | None = None,
        rulings: Options | None = None,
        chance: str = "sample",
        script: Sequence[str] = (),
    ) -> Session:
        """Begin a playthrough.

        ``mode`` defaults to the first one that fits, ``players`` to the fewest. ``chance`` is "sample"
        (drawn with ``seed``) or "explicit" (decisions of `CHANCE`). ``script`` answers the first events
        by label. Raises `UsageError` for what the game does not have, `ChoiceError` for a script that
        does not fit, `GameFault` if a rule goes wrong before the first decision.
        """
        configuration = self.configure(mode, players, settings, rulings)
        if chance not in ("sample", "explicit"):
            raise UsageError(f"chance is 'sample' or 'explicit', not {chance!r}")
        if not isinstance(seed, int):
            raise UsageError(f"a seed is a whole number, not {seed!r}")
        return start(self, configuration, seed=seed, chance=chance, script=script)

    def replay(
        self,
        ledger: Iterable[str],
        *,
        mode: str | None = None,
        players: int | None = None,
        settings: Options | None = None,
        rulings: Options | None = None,
        seed: int = 0,
        chance: str = "sample",
    ) -> Session:
        """The playthrough with these outcomes of decisions and chance; it may go on afterwards.

        Raises `ChoiceError` at the first outcome that is not possible, and where some are left over.
        """
        configuration = self.configure(mode, players, settings, rulings)
        return start(self, configuration, seed=seed, chance=chance, script=tuple(ledger), strict=True)

    def resume(self, saved: Mapping[str, Any]) -> Session:
        """The session that `Session.save` saved. Raises `SaveError` if it does not fit or is damaged."""
        return resume(self, saved)

    # ------------------------------------------------------------ what is fixed at the start

    def configure(
        self, mode: str | None, players: int | None, settings: Options | None, rulings: Options | None
    ) -> Linked:
        """The program linked for a mode, a number of players and options; `UsageError` if they do not fit."""
        chosen = self._mode(mode, players)
        count = chosen.low if players is None else players
        if not isinstance(count, int) or not chosen.low <= count <= chosen.high:
            span = str(chosen.low) if chosen.low == chosen.high else f"{chosen.low} to {chosen.high}"
            raise UsageError(f"mode {chosen.name!r} is for {span} players, not {count!r}")
        options = {name: setting.default for name, setting in self.program.settings.items()}
        options.update(self._options(settings or {}, chosen.name, ruling=False))
        options.update(self._options(rulings or {}, chosen.name, ruling=True))
        key = (chosen.name, count, *(entry.key for entry in options.values()))
        return self._linked_for(key, chosen.name, count, options)

    def _linked_for(self, key: tuple[object, ...], mode: str, players: int, options: dict[str, Entry]) -> Linked:
        if key not in self._linked:
            linked = link(self.program, mode, players, options)
            self._linked[key] = linked, prepare(linked)
        return self._linked[key][0]

    def ready(self, linked: Linked) -> dict[str, Ready]:
        """The rules of a linked program, ready to run."""
        return next(ready for known, ready in self._linked.values() if known is linked)

    def _mode(self, name: str | None, players: int | None) -> Mode:
        if name is not None:
            if name not in self.program.modes:
                near = suggest(str(name), self.program.modes) or list(self.program.modes)
                raise UsageError(f"there is no mode {name!r}", near)
            return self.program.modes[name]
        fitting = [m for m in self.program.modes.values() if players is None or m.low <= players <= m.high]
        if not fitting:
            raise UsageError(f"no mode is for {players!r} players")
        return fitting[0]

    def _options(self, given: Options, mode: str, *, ruling: bool) -> dict[str, Entry]:
        what = "ruling" if ruling else "setting"
        found = {}
        for name, value in given.items():
            setting = self.program.settings.get(name)
            if setting is None or setting.ruling != ruling:
                names = [n for n, s in self.program.settings.items() if s.ruling == ruling]
                if setting is not None:
                    raise UsageError(f"{name!r} is a {'ruling' if setting.ruling else 'setting'}, not a {what}")
                raise UsageError(f"there is no {what} {name!r}", suggest(str(name), names) or names)
            if setting.modes and mode not in setting.modes:
                raise UsageError(f"{what} {name!r} is not for mode {mode!r}")
            values = self.program.domains[setting.domain].by_key
            if value not in values:
                names = [str(key) for key in values]
                raise UsageError(f"{what} {name!r} cannot be {value!r}", suggest(str(value), names) or names)
            found[name] = values[value]
        return found


__all__ = ["Fraction", "Game", "check", "load"]
