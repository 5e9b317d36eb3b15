"""How often things happened in games: calls of rules and hooks, and endings that came.

`asked` finds what is meant by some names. A `Tally` then gathers what one game adds to these
counts, from the log that an engine keeps of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from attrs import Factory, define, frozen

from rulelang.diagnostic import suggest
from rulelang.engine.machine import Machine
from rulelang.errors import UsageError, shown
from rulelang.program.linking import Linked
from rulelang.program.program import Program, Signature
from rulelang.program.types import FLAG, Named, Num, Type, members
from rulelang.program.values import Entry, Value, label_of, order_key, plain, text_of

_BY = " by "
Key = tuple[Any, ...]
"""What a value is told from others by, and put in order: see `order_key`."""


@define
class Row:
    """How often it happened with one value of an argument."""

    value: str
    """The stable label of the value."""
    title: str
    """The value for a person."""
    calls: int = 0
    games: int = 0
    """Games in which it happened."""


@define
class Count:
    """How often a rule or hook was called, or an ending came: in all, and by one argument."""

    name: str
    """As it was asked for, in the spelling of the files."""
    what: str
    """rule, hook or end, as in the log."""
    called: str
    """The name in the log."""
    by: str | None = None
    """The parameter whose values are told apart, if any is."""
    place: int | None = None
    """Its place among the arguments."""
    calls: int = 0
    games: int = 0
    """Games in which it happened."""
    rows: dict[Key, Row] = Factory(dict)
    """By value: every entry or name that there is, and of anything else what came."""

    @property
    def values(self) -> list[Row]:
        """The rows, in canonical order."""
        return [self.rows[key] for key in sorted(self.rows)]

    def add(self, other: Count) -> None:
        """Add what another number of games came to."""
        self.calls += other.calls
        self.games += other.games
        for key, row in other.rows.items():
            own = self.rows.setdefault(key, Row(row.value, row.title))
            own.calls += row.calls
            own.games += row.games

    def as_json(self) -> dict[str, Any]:
        """The count as JSON."""
        return {
            "what": self.what, "by": self.by, "calls": self.calls, "games": self.games,
            "values": [
                {"value": row.value, "title": row.title, "calls": row.calls, "games": row.games}
                for row in self.values
            ],
        }  # fmt: skip


Counts = dict[str, Count]
"""Counts by their names."""


def add(counts: Counts, others: Mapping[str, Count]) -> None:
    """Add to each count what other games came to."""
    for name, other in others.items():
        counts[name].add(other)


class Tally:
    """What one game adds to some counts. Nothing is added before `finish`."""

    def __init__(self, counts: Mapping[str, Count]) -> None:
        self._wanted: dict[tuple[str, str], list[Count]] = {}
        for count in counts.values():
            self._wanted.setdefault((count.what, count.called), []).append(count)
        self.wanted = frozenset(self._wanted)
        """What is counted: rule, hook or end, and the name of each."""
        self._came: dict[str, Counter[Key]] = {}
        self._values: dict[Key, Value] = {}

    def forget(self) -> None:
        """The game at hand is begun again."""
        self._came.clear()
        self._values.clear()

    def attach(self, machine: Machine) -> None:
        """Have a machine that is about to play keep what is read from it here."""
        if not self._wanted:
            return
        machine.log = []
        machine.log_hooks = any(what == "hook" for what, _ in self._wanted)
        # The log has what rules call; this one is called from outside.
        self.add("play", ())

    def take(self, machine: Machine) -> None:
        """Count what is new in the log, and empty it: copies of the machine copy the log."""
        if machine.log:
            for entry in machine.log:
                self.add(entry.rule, entry.arguments, entry.what)
            machine.log.clear()

    def add(self, name: str, arguments: tuple[Value, ...], what: str = "rule") -> None:
        """Note a call of a rule or hook, or an ending."""
        for count in self._wanted.get((what, name), ()):
            came = self._came.setdefault(count.name, Counter())
            came[()] += 1
            if count.place is not None:
                value = arguments[count.place]
                key = order_key(value)
                self._values[key] = value
                came[key] += 1

    def finish(self) -> None:
        """Add the game to the counts."""
        for counts in self._wanted.values():
            for count in counts:
                self._add_to(count)

    def _add_to(self, count: Count) -> None:
        came = self._came.get(count.name, Counter[Key]())
        count.calls += came[()]
        count.games += 1 if came[()] else 0
        for key, calls in came.items():
            if key:
                row = count.rows.setdefault(key, _row(self._values[key]))
                row.calls += calls
                row.games += 1


NOTHING_COUNTED = Tally({})
"""The tally of games in which nothing is counted."""


def _row(value: Value) -> Row:
    return Row(label_of(value), text_of(value))


# ------------------------------------------------------------------ what may be counted


@frozen
class _Countable:
    """A rule, a hook or an ending of a program."""

    what: str
    name: str
    modes: tuple[tuple[str, ...], ...]
    """The modes of each of its versions; none are all."""
    signature: Signature | None

    def is_in(self, mode: str) -> bool:
        """Does the mode have it?"""
        return any(not modes or mode in modes for modes in self.modes)

    def parameters(self) -> list[tuple[str, Type]]:
        """The parameters in the order of the arguments: the subject is the last one."""
        if self.signature is None:
            return []
        subject = self.signature.subject
        return [*self.signature.parameters, *([subject] if subject is not None else [])]


def asked(linked: Linked, names: object) -> Counts:
    """Empty counts of what some names mean, each as it was asked for.

    A name is that of a rule, hook or ending, with ``by`` and a parameter behind it or without.
    Raises `UsageError`.
    """
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise UsageError(f"what is counted is given as a list of names, not {shown(names)}")
    found = [_count(linked, name) for name in names]
    return {count.name: count for count in found}


def _count(linked: Linked, name: object) -> Count:
    if not isinstance(name, str):
        raise UsageError(f"what is counted is named by a text, not by {shown(name)}")
    known = _countable(linked.program)
    head, by = name, ""
    thing = _found(known, name)
    if thing is None and _BY in name:
        head, _, by = name.rpartition(_BY)
        thing = _found(known, head)
    if thing is None:
        raise UsageError(f"there is no rule, hook or ending {shown(head)}", _near(head, known))
    if not thing.is_in(linked.mode):
        word = "ending" if thing.what == "end" else thing.what
        raise UsageError(f"{word} {thing.name!r} is not for mode {linked.mode!r}")
    return _by_parameter(linked, thing, by.strip()) if by else _by_itself(linked, thing)


def _found(known: Mapping[str, _Countable], name: str) -> _Countable | None:
    """What has a name, as the rules or as entries write it."""
    if name in known:
        return known[name]
    return next((thing for each, thing in known.items() if plain(each) == plain(name)), None)


def _countable(program: Program) -> dict[str, _Countable]:
    """All that can be counted, by its names; of two of one name the first one is meant."""
    found: dict[str, _Countable] = {}
    for name, versions in program.rules.items():
        modes = tuple(version.modes for version in versions)
        found[name] = _Countable("rule", name, modes, program.signatures.get(name))
    for target, hooks in program.hooks.items():
        for hook in hooks:
            full = hook.code.name
            thing = _Countable("hook", full, (hook.modes,), program.signatures[target])
            found.setdefault(full, thing)
            found.setdefault(hook.name, thing)
    for name, ending in program.endings.items():
        found.setdefault(name, _Countable("end", name, (ending.modes,), None))
    return found


def _near(name: str, known: Mapping[str, _Countable]) -> list[str]:
    """Names that may have been meant; those that an author wrote go before those of scripts."""
    written = [each for each, thing in known.items() if " " not in each or thing.what == "hook"]
    return suggest(name, written) or suggest(name, known)


def _by_parameter(linked: Linked, thing: _Countable, by: str) -> Count:
    parameters = thing.parameters()
    for place, (name, kind) in enumerate(parameters):
        if plain(name) == plain(by):
            full = f"{thing.name}{_BY}{name}"
            return Count(full, thing.what, thing.name, name, place, rows=_rows(linked, kind))
    names = [name for name, _ in parameters]
    near = suggest(by, names) or names
    raise UsageError(f"{thing.name!r} has no parameter {shown(by)}", near)


def _by_itself(linked: Linked, thing: _Countable) -> Count:
    """By the first argument that has a name, else by the first number or flag, if there is one.

    Seats do not count here, nor what the rule is done for: they are seldom what one asks about.
    """
    parameters = thing.signature.parameters if thing.signature is not None else ()
    for is_wanted in (_is_named, _is_plain):
        for place, (name, kind) in enumerate(parameters):
            if is_wanted(kind):
                rows = _rows(linked, kind)
                return Count(thing.name, thing.what, thing.name, name, place, rows=rows)
    return Count(thing.name, thing.what, thing.name)


def _is_named(kind: Type) -> bool:
    """May it be an entry or one of some names?"""
    return any(isinstance(each, Named) and each.domain != "Player" for each in members(kind))


def _is_plain(kind: Type) -> bool:
    """Is it a number or a flag?"""
    return all(isinstance(each, Num) or each == FLAG for each in members(kind))


def _rows(linked: Linked, kind: Type) -> dict[Key, Row]:
    """A row for each entry, name or seat that a parameter may be, so that 0 is told too."""
    entries: list[Entry] = []
    for each in members(kind):
        if isinstance(each, Named):
            seats = each.domain == "Player"
            entries += linked.players if seats else linked.program.domains[each.domain].entries
    return {order_key(entry): _row(entry) for entry in entries}
