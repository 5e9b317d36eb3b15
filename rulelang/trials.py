"""Trials: a session that begins in the middle, with one entry on a table that the game sets up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import evolve, frozen

from rulelang.diagnostic import suggest
from rulelang.engine.machine import Ready
from rulelang.engine.operations import Maker, ready_for
from rulelang.errors import UsageError, shown
from rulelang.finding import Finder
from rulelang.game import Game
from rulelang.prepared import Prepared
from rulelang.program.instructions import Code, Give
from rulelang.program.program import Program, Signature, Trial
from rulelang.program.types import Named, members
from rulelang.program.values import Entry, Value, figures, plain
from rulelang.scripting import Script
from rulelang.session import Opening, Session

Options = Mapping[str, str] | None
_SHOWN = 12


class NoTrial(UsageError):
    """The game does not say how entries of a kind are tried; `example` has lines that would."""

    def __init__(self, kind: str, mode: str | None, example: str) -> None:
        where = "" if mode is None else f" in mode {mode}"
        super().__init__(f"there is no `trial` of {kind}{where}")
        self.args = (kind, mode, example)
        self.example = example


def entry_of(game: Game, words: str) -> Entry:
    """The one entry that some words name. `UsageError` if they name none, or several."""
    if not isinstance(words, str):
        raise UsageError(f"an entry is named by a text, not by {shown(words)}")
    found = Finder(game.program).find(words)
    if len(found) == 1:
        return found[0]
    raise UsageError(f"{words!r} names {len(found)} entries", [e.label for e in found[:3]])


@frozen
class Table:
    """A trial made ready: what it begins with, and that without what is done then."""

    trial: Trial
    prepared: Prepared
    whole: Opening
    given: Opening


def table(
    game: Game,
    entry: Entry,
    with_: Sequence[str] = (),
    *,
    mode: str | None = None,
    players: int | None = None,
    settings: Options = None,
    rulings: Options = None,
) -> Table:
    """The table on which an entry is tried.

    What the trial gives counts unless something else is asked for here. Raises `UsageError` for
    what the game or the trial does not have, `NoTrial` if there is no trial.
    """
    trial, mode = _trial(game, entry, mode, players)
    settings, rulings = _options(game.program, trial, mode, settings, rulings)
    linked = game.configure(mode, players or trial.players or None, settings, rulings)
    made = game.prepared(linked)
    items = _items(game.program, trial, with_)
    short = evolve(
        trial.code, instructions=(*trial.code.instructions[: trial.given], Give(trial.span, None))
    )
    whole, given = (_opening(made, code, (entry, *items)) for code in (trial.code, short))
    return Table(trial, made, whole, given)


def given(game: Game, made: Table, seed: int) -> Session:
    """The same table before anything is done: over at once, unless what is given asks somebody."""
    session = Session(
        game, made.prepared, seed=seed, chance="sample", script=Script(), opening=made.given
    )
    session.begin()
    return session


def _opening(made: Prepared, code: Code, arguments: tuple[Value, ...]) -> Opening:
    ready: Ready = ready_for(code)
    maker = Maker(made.linked, made.evaluators, made.ready, made.knowledge)
    ready.operations = maker.operations(code)
    return Opening(ready, arguments)


def _trial(game: Game, entry: Entry, mode: str | None, players: int | None) -> tuple[Trial, str]:
    """The trial for a mode; without one, the first that is for so many players, and its mode."""
    program = game.program
    if mode is not None:
        game.configure(mode, players, None, None)  # says what is wrong with them
        names = [mode]
    else:
        names = [
            m.name for m in game.modes.values() if players is None or m.low <= players <= m.high
        ]
    for name in names:
        found = program.trial(entry.domain, name)
        if found is not None:
            return found, name
    raise NoTrial(entry.domain, mode, example(program, entry.domain, mode))


def _options(
    program: Program, trial: Trial, mode: str, settings: Options, rulings: Options
) -> tuple[Options, Options]:
    """The settings and rulings that the trial gives, less those that are asked for."""
    mine: tuple[dict[str, str], dict[str, str]] = ({}, {})
    for name, value in trial.options.items():
        setting = program.settings[name]
        if not setting.modes or mode in setting.modes:
            mine[setting.ruling][name] = value
    return {**mine[False], **(settings or {})}, {**mine[True], **(rulings or {})}


# ---------------------------------------------------------------- items that are given more


def _items(program: Program, trial: Trial, with_: Sequence[str]) -> tuple[tuple[Entry, ...], ...]:
    """The items by the trial's types, each in the order in which they are named."""
    if isinstance(with_, str) or not all(isinstance(word, str) for word in with_):
        raise UsageError(f"what is given more is a list of names, not {shown(with_)}")
    if with_ and not trial.items:
        raise UsageError(
            f"the trial of {trial.kind} does not say what else may be given; "
            "a line `given x: …` would, with the type of x and what is done with it"
        )
    found = [_item(program, trial, word) for word in with_]
    domains = [[m.domain for m in members(k) if isinstance(m, Named)] for k in trial.items]
    return tuple(tuple(item for item in found if item.domain in own) for own in domains)


def _item(program: Program, trial: Trial, word: str) -> Entry:
    domains = [m.domain for k in trial.items for m in members(k) if isinstance(m, Named)]
    found: list[Entry] = []
    for domain in domains:
        item = _names(program, domain).get(plain(word))
        found += [item] if item is not None else []
    if len(found) == 1:
        return found[0]
    if found:
        names = " or ".join(f"`{_full(item)}`" for item in found)
        raise UsageError(f"{word!r} may be several things; write {names}")
    entries = [e for domain in domains for e in program.domains[domain].entries]
    near = suggest(word, [name for e in entries for name in (e.text, e.label)])
    listed = [_short(e) for e in entries]
    more = f" and {len(listed) - _SHOWN:,} more" if len(listed) > _SHOWN else ""
    kinds = " or ".join(domains)
    hint = "" if near else f"; there are {', '.join(listed[:_SHOWN])}{more}"
    raise UsageError(f"there is no {kinds} {word!r}{hint}", near)


def _names(program: Program, domain: str) -> dict[str, Entry]:
    """The entries of a domain by all that they may be called; keys go before titles."""
    names: dict[str, Entry] = {}
    for entry in program.domains[domain].entries:
        for name in (_full(entry), entry.label, entry.text):
            names.setdefault(plain(name), entry)
    for entry in program.domains[domain].entries:
        names[plain(figures(entry.key))] = entry
    return names


def _full(entry: Entry) -> str:
    return f"{entry.domain.lower()} {figures(entry.key)}"


def _short(entry: Entry) -> str:
    return entry.label if isinstance(entry.key, str) else _full(entry)


# ---------------------------------------------------------------- how one would be written


def example(program: Program, kind: str, mode: str | None) -> str:
    """Lines that would try entries of a kind, as far as the game's rules let one guess."""
    name = "e" if program.state.get("e") is None else "entry"
    modes = "" if mode is None else f" in {mode}"
    done = _done(program, kind, name)
    return f"trial {name}: {kind}{modes}\n  when {done}\n"


def _done(program: Program, kind: str, name: str) -> str:
    """What is done with an entry: the first rule that takes one, or what it holds itself."""
    for signature in program.signatures.values():
        types = [type_ for _, type_ in signature.parameters]
        if types == [Named(kind)] and " " not in signature.name:
            return f"{signature.name} {name}{_whom(program, signature)}"
    holding = [f for f in program.kinds[kind].fields if str(f.type) in ("script", "effect")]
    subject = program.kinds[kind].subject
    if not holding:
        return f"… {name}"
    whom = "" if subject is None else f" for {_first(program, str(subject[1]))}"
    return f"do {name}.{holding[0].name}{whom}"


def _whom(program: Program, signature: Signature) -> str:
    if signature.subject is None:
        return ""
    return f" for {_first(program, str(signature.subject[1]))}"


def _first(program: Program, domain: str) -> str:
    """How the first value of a domain is written in a rule."""
    entries = program.domains[domain].entries if domain in program.domains else ()
    if domain == "Player" or not entries or not isinstance(entries[0].key, str):
        return f"{domain}[0]" if domain == "Player" else "…"
    return str(entries[0].key)
