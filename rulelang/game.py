"""A loaded game: its content, and the way to start, resume and replay playthroughs."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from rulelang.checked import checked, key_of
from rulelang.collecting import uncollected
from rulelang.diagnostic import Diagnostic, Span, make, suggest
from rulelang.engines import check_engine
from rulelang.errors import ChoiceError, GameFault, RuleError, UsageError, shown
from rulelang.loader import read
from rulelang.program.linking import Linked, link
from rulelang.program.program import Citation, Clause, Kind, Mode, Program
from rulelang.program.values import Entry, figures, plain
from rulelang.scripting import Script

if TYPE_CHECKING:  # the engine is loaded when a game is started, not when it is only read
    from rulelang.compiled import CompiledSession
    from rulelang.engine.machine import Ready
    from rulelang.prepared import Prepared
    from rulelang.session import Opening, Session

Options = Mapping[str, str]
MAX_SEED_BITS = 996
"""About 300 digits."""


def load(where: str | Path, *, unproved: bool = False) -> Game:
    """Load a shipped game by name, or the game in a folder.

    Raises `RuleError` with all diagnostics if the content is wrong, `UsageError` if nothing is
    there. ``unproved`` accepts a game whose own checks fail, as long as nothing else is wrong: a
    variant may be tried before its checks are brought in line.
    """
    sources = read(_place(where))
    key = key_of(sources)
    with uncollected():
        program, found = checked(sources, key)
    if program is None or (not unproved and any(d.severity == "error" for d in found)):
        raise RuleError(found)
    return Game(program, sources.rules, str(where), sources.catalogues, key=key)


def check(where: str | Path) -> tuple[Diagnostic, ...]:
    """All diagnostics of the game at a path or of a name; empty if there is nothing to say.

    Never raises on bad content, whatever the bytes are; `UsageError` if nothing is there.
    """
    from rulelang.analysis import analyse

    return analyse(_place(where)).diagnostics


def _place(where: object) -> str | Path:
    if isinstance(where, str | Path):
        return where
    raise UsageError(f"a game is named by its name or a path, not by {shown(where)}")


class Game:
    """A checked game. Immutable; any number of sessions may be started from it."""

    def __init__(
        self,
        program: Program,
        sources: Mapping[str, str],
        where: str | None = None,
        catalogues: Mapping[str, str] | None = None,
        *,
        key: str | None = None,
    ) -> None:
        self.program = program
        self.sources = dict(sources)
        self.catalogues = dict(catalogues or {})
        """The texts of its TOML files, by name."""
        self.where = where
        """The name or path that it was loaded from."""
        self._key = key
        """What tells its texts from all others: by it, compiled rules are kept."""
        self._prepared: dict[tuple[object, ...], Prepared] = {}
        self._usual: dict[tuple[str | None, int | None], Prepared] = {}
        """Those without settings and rulings, by mode and players as they were asked for."""

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
        return {
            name: (clause, tuple(cited.get(name, ())))
            for name, clause in self.program.clauses.items()
        }

    def entries(self, kind: str) -> tuple[Entry, ...]:
        """All entries of a kind, in canonical order. UsageError if there is no such kind."""
        if not isinstance(kind, str):
            raise UsageError(f"a kind is named by a text, not by {shown(kind)}")
        for name in self.program.kinds:
            if plain(name) == plain(kind):
                return self.program.domains[name].entries
        raise UsageError(f"there is no kind {kind!r}", suggest(kind, self.program.kinds))

    def entry(self, words: str) -> Entry:
        """The entry that is written as in the files: ``"card 34"``. UsageError if there is none."""
        if not isinstance(words, str):
            raise UsageError(f"an entry is named by a text, not by {shown(words)}")
        kind, _, key = words.strip().partition(" ")
        key = key.strip().strip('"')
        for entry in self.entries(kind):
            if (
                figures(entry.key) == key
                or plain(figures(entry.key)) == plain(key)
                or plain(entry.text) == plain(key)
            ):
                return entry
        near = suggest(key, [figures(e.key) for e in self.entries(kind)])
        raise UsageError(f"there is no {kind} {key!r}", near)

    def schema(self) -> dict[str, Any]:
        """The JSON Schema (2020-12) of what `export` gives: this game's kinds, names and rules."""
        from rulelang.content.schema import schema

        return schema(self.program)

    def export(self) -> dict[str, Any]:
        """The whole content as a JSON-able object; `rulelang.from_json` makes the same game of it.

        `UsageError` if the game was made without its texts.
        """
        from rulelang.content.export import export

        return export(self)

    def read(self, entry: str | Entry | None = None, *, mode: str | None = None) -> str:
        """Entries said again in a player's words: one, all of a kind, or all that are begun.

        ``entry`` is one, or names it (``"parcel 3"``, ``"Sea Chest"``) or a kind (``"parcel"``).
        Rules are said as in ``mode``, by default the first. An empty line stands between two
        entries. `UsageError` for a name that no entry has.
        """
        from rulelang.finding import Finder
        from rulelang.reading import Reading

        reading = Reading(self.program, self.mode_for(mode).name)
        if isinstance(entry, Entry):
            entries = [entry]
        elif entry is None:
            entries = [e for e in Finder(self.program).everything if not reading.is_draft(e)]
        elif isinstance(entry, str):
            entries = Finder(self.program).find(entry)
        else:
            raise UsageError(f"an entry is named by a text, not by {shown(entry)}")
        return "\n\n".join(str(reading.passage(each)) for each in entries)

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
        engine: str = "compiled",
    ) -> Session:
        """Begin a playthrough.

        ``mode`` defaults to the first one that fits, ``players`` to the fewest. ``chance`` is
        "sample" (drawn with ``seed``) or "explicit" (decisions of `CHANCE`). ``script`` has labels
        that answer the first events, in order: all of them; or only the decisions, where chance is
        drawn; or only chance, and then a decision that does not have the next label is left open.
        Of the readings that use up all the labels one that ends the game is taken, else the first.
        ``engine`` is "compiled", or "reference" for the interpreter, which plays what has a script.
        Raises `UsageError` for what the game does not have, `ChoiceError` for a label that is not
        possible where it comes and for labels left when the game is over, `GameFault` if a rule
        goes wrong before the first decision.
        """
        made = self._configured(mode, players, settings, rulings)
        labels = _labels(script, "a script")
        if check_engine(engine) == "compiled" and not labels:
            return self._compiled(made, seed, chance)
        readings = [Script(labels)]
        if labels and chance == "sample":
            readings = [Script(labels, strict=True), Script(labels, decisions=True), *readings]
        fitting = []
        for reading in readings[:-1]:
            with suppress(ChoiceError, GameFault):
                session = self._begin(made, seed, chance, reading)
                if session.script_left == 0:
                    fitting.append(session)
        if fitting:
            return next((session for session in fitting if session.over), fitting[0])
        return self._begin(made, seed, chance, readings[-1])

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

        Raises `ChoiceError` at the first outcome that is not possible, and where some are left
        over.
        """
        made = self._configured(mode, players, settings, rulings)
        return self._begin(made, seed, chance, Script(_labels(ledger, "a ledger"), strict=True))

    def trial(
        self,
        entry: str | Entry,
        with_: Sequence[str] = (),
        *,
        mode: str | None = None,
        players: int | None = None,
        seed: int = 0,
        settings: Options | None = None,
        rulings: Options | None = None,
        chance: str = "sample",
    ) -> Session:
        """One entry, such as ``"card 34"``, on the table that the game's `trial` of its kind gives.

        ``with_`` names what is given more. ``mode`` defaults to the first that has such a trial,
        ``players`` and the options to those of the trial. The session is over when the entry is
        done; it cannot be saved. Raises `UsageError` for what the game does not have, `GameFault`
        if a rule goes wrong before the first decision.
        """
        from rulelang.trials import entry_of, table

        found = entry if isinstance(entry, Entry) else entry_of(self, entry)
        made = table(
            self, found, with_, mode=mode, players=players, settings=settings, rulings=rulings
        )
        return self._begin(made.prepared, seed, chance, Script(), made.whole)

    def resume(self, saved: Mapping[str, Any]) -> Session:
        """The session that `Session.save` saved.

        Raises `SaveError` if it does not fit or is damaged.
        """
        from rulelang.saving import resume

        return resume(self, saved)

    def rebuild(self, saved: Mapping[str, Any]) -> Session:
        """The session of a save whose form was checked.

        Its ledger is replayed, with those who were asked. Raises `UsageError`, `ChoiceError` and
        `GameFault`.
        """
        made = self._configured(*(saved[n] for n in ("mode", "players", "settings", "rulings")))
        askers, labels = (
            [pair[0] for pair in saved["ledger"]],
            [pair[1] for pair in saved["ledger"]],
        )
        script = Script(labels, strict=True, askers=askers)
        return self._begin(made, saved["seed"], saved["chance"], script)

    def _begin(
        self,
        made: Prepared,
        seed: int,
        chance: str,
        script: Script,
        opening: Opening | None = None,
    ) -> Session:
        from rulelang.session import Session

        _check_chance(seed, chance)
        session = Session(self, made, seed=seed, chance=chance, script=script, opening=opening)
        session.begin()
        return session

    def _compiled(self, made: Prepared, seed: int, chance: str) -> Session:
        _check_chance(seed, chance)
        made.keep()  # what earlier sessions have met
        session = _compiled_session()(self, made, seed=seed, chance=chance)
        session.begin()
        return session

    # ------------------------------------------------------------ what is fixed at the start

    def configure(
        self,
        mode: str | None,
        players: int | None,
        settings: Options | None,
        rulings: Options | None,
    ) -> Linked:
        """The program linked for a mode, players and options; `UsageError` if they do not fit."""
        return self._configured(mode, players, settings, rulings).linked

    def _configured(
        self,
        mode: str | None,
        players: int | None,
        settings: Options | None,
        rulings: Options | None,
    ) -> Prepared:
        if settings is not None or rulings is not None:
            return self._looked_up(mode, players, settings, rulings)
        key = mode, players
        known = self._usual.get(key) if {type(mode), type(players)} <= _ASKED else None
        if known is None:
            known = self._looked_up(mode, players, None, None)
            self._usual[key] = known
        return known

    def _looked_up(
        self,
        mode: str | None,
        players: int | None,
        settings: Options | None,
        rulings: Options | None,
    ) -> Prepared:
        chosen = self.mode_for(mode, players)
        count = chosen.low if players is None else players
        if not _is_number(count) or not chosen.low <= count <= chosen.high:
            span = (
                str(chosen.low) if chosen.low == chosen.high else f"{chosen.low} to {chosen.high}"
            )
            raise UsageError(f"mode {chosen.name!r} is for {span} players, not {shown(count)}")
        options = {name: setting.default for name, setting in self.program.settings.items()}
        options.update(self._options(settings, chosen.name, ruling=False))
        options.update(self._options(rulings, chosen.name, ruling=True))
        key = (chosen.name, count, *(entry.key for entry in options.values()))
        if key not in self._prepared:
            from rulelang.prepared import prepared

            try:
                linked = link(self.program, chosen.name, count, options)
                made = prepared(linked, self._key)
                self._prepared.setdefault(key, made)  # another thread may have been faster
            except RecursionError:
                file = next(iter(self.sources), "")
                problem = "the questions of this game are nested too deeply to be played"
                raise RuleError([make("S108", problem, Span(file, 1, 1, 1, 1))]) from None
        return self._prepared[key]

    def prepared(self, linked: Linked) -> Prepared:
        """All that playing a program needs that `configure` has linked."""
        return next(made for made in tuple(self._prepared.values()) if made.linked is linked)

    def ready(self, linked: Linked) -> dict[str, Ready]:
        """The rules of a linked program, ready to run."""
        return self.prepared(linked).ready

    def mode_for(self, name: str | None, players: int | None = None) -> Mode:
        """The mode of a name, or the first that fits; `UsageError` if there is none."""
        if name is not None:
            if not _is_name(name, self.program.modes):
                near = suggest(_text(name), self.program.modes) or list(self.program.modes)
                raise UsageError(f"there is no mode {shown(name)}", near)
            return self.program.modes[name]
        if players is not None and not _is_number(players):
            raise UsageError(f"a number of players is needed, not {shown(players)}")
        fitting = [
            m for m in self.program.modes.values() if players is None or m.low <= players <= m.high
        ]
        if not fitting:
            raise UsageError(f"no mode is for {shown(players)} players")
        return fitting[0]

    def _options(self, given: Options | None, mode: str, *, ruling: bool) -> dict[str, Entry]:
        what = "ruling" if ruling else "setting"
        found = {}
        for name, value in _mapping(given, what).items():
            setting = self.program.settings.get(name)
            if setting is None or setting.ruling != ruling:
                names = [n for n, s in self.program.settings.items() if s.ruling == ruling]
                if setting is not None:
                    raise UsageError(
                        f"{name!r} is a {'ruling' if setting.ruling else 'setting'}, not a {what}"
                    )
                raise UsageError(f"there is no {what} {name!r}", suggest(str(name), names) or names)
            if setting.modes and mode not in setting.modes:
                raise UsageError(f"{what} {name!r} is not for mode {mode!r}")
            values = self.program.domains[setting.domain].by_key
            if not _is_name(value, values):
                names = [str(key) for key in values]
                near = suggest(_text(value), names) or names
                raise UsageError(f"{what} {name!r} cannot be {shown(value)}", near)
            found[name] = values[value]
        return found


_ASKED = frozenset((str, int, type(None)))
"""The types of a mode and a number of players."""


@cache
def _compiled_session() -> type[CompiledSession]:
    from rulelang.compiled import CompiledSession  # which only those need who play

    return CompiledSession


def _check_chance(seed: object, chance: object) -> None:
    if chance not in ("sample", "explicit"):
        raise UsageError(f"chance is 'sample' or 'explicit', not {shown(chance)}")
    if not _is_number(seed) or seed.bit_length() > MAX_SEED_BITS:
        raise UsageError(f"a seed is a whole number of 300 digits at most, not {shown(seed)}")


def _text(given: object) -> str:
    """A name as it was given, to look for those that are like it."""
    return given if isinstance(given, str) else ""


def _is_number(value: object) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_name(value: object, names: Container[object]) -> bool:
    return isinstance(value, str) and value in names


def _mapping(given: object, what: str) -> dict[str, str]:
    """Settings or rulings as they were given."""
    if given is None:
        return {}
    if not isinstance(given, Mapping) or not all(isinstance(name, str) for name in given):
        raise UsageError(f"{what}s are given as a mapping of names to readings, not {shown(given)}")
    return dict(given)


def _labels(given: object, what: str) -> tuple[str, ...]:
    if type(given) is tuple and not given:
        return ()
    if isinstance(given, Iterable) and not isinstance(given, str):
        labels = tuple(given)
        if all(isinstance(label, str) for label in labels):
            return labels
    raise UsageError(f"{what} is a list of labels, not {shown(given)}")
