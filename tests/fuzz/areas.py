"""What is tried: each area makes a case from a random generator."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import rulelang
from rulelang.analysis import Analysis, analyse_sources
from rulelang.diagnostic import CODES
from rulelang.errors import ChoiceError, Error, GameFault, RuleError, SaveError, UsageError
from rulelang.game import Game
from rulelang.loader import Sources, decode
from rulelang.report import render_concise, render_full, render_json
from rulelang.scenarios import run as run_scenarios
from rulelang.syntax.formatter import format_text
from rulelang.syntax.parser import parse
from rulelang.trace import trace
from tests.fuzz.commands import commands
from tests.fuzz.corpus import game_of, games, pieces, small, sources
from tests.fuzz.mutation import alike_word, mutated_bytes, mutated_json, mutated_text
from tests.fuzz.playing import options_of, play
from tests.fuzz.watch import Area, Case
from tests.properties.programs import made, written
from tests.properties.secrets import begun, compare, undone_and_answered_again

MOST_EDITS = 5
"""Words that may change in a game that stays sound."""


def texts(random: Random) -> Case:
    """Mutated files of a game: parsed, checked, shown, formatted; played if all is well."""
    found = sources(random)
    name = random.choice(sorted(found.rules))
    others = list(found.rules.values())
    text = mutated_text(random, found.rules[name], others)
    if random.random() < 0.2:
        text, _ = decode(mutated_bytes(random, text.encode("utf-8", "ignore")), name)
    rules = {**found.rules, name: text}
    return _of_sources(random, Sources(found.root, rules, found.catalogues), [name])


def variants(random: Random) -> Case:
    """Games that stay sound while they are mutated, a word at a time; played in the end."""
    found = sources(random, small_only=True)
    chosen = random.getrandbits(32)

    def run() -> None:
        generator, rules = Random(chosen), dict(found.rules)
        for _ in range(MOST_EDITS):
            name = generator.choice(sorted(rules))
            text = alike_word(generator, rules[name], list(rules.values()))
            tried = Sources(found.root, {**rules, name: text}, found.catalogues)
            if analyse_sources(tried).program is not None:
                rules = tried.rules
        told.update(rules)
        _used(generator, game_of(Sources(found.root, rules, found.catalogues)))

    told: dict[str, str] = {}
    return Case(told, run)


def fragments(random: Random) -> Case:
    """Mutated pieces that stand alone or beside a small game."""
    text = mutated_text(random, random.choice(pieces()), pieces())
    beside = random.choice((None, *small()))
    rules = {"piece.rules": text} | (dict(beside.rules) if beside is not None else {})
    catalogues = {} if beside is None else beside.catalogues
    return _of_sources(random, Sources("piece", rules, catalogues), ["piece.rules"])


def catalogues(random: Random) -> Case:
    """Mutated catalogues of clauses."""
    found = random.choice([each for each in small() if each.catalogues])
    tables = {
        name: mutated_text(random, text, [text]).encode("utf-8", "ignore").decode()
        for name, text in found.catalogues.items()
    }
    return _of_sources(random, Sources(found.root, found.rules, tables), [])


def _of_sources(random: Random, found: Sources, changed: list[str]) -> Case:
    chosen = random.getrandbits(32)

    def run() -> None:
        for name in changed:
            _read(found.rules[name], name)
        analysis = analyse_sources(found)
        _told(analysis)
        if analysis.program is not None:
            game = Game(analysis.program, found.rules, None, found.catalogues)
            _used(Random(chosen), game)
        else:
            assert analysis.errors

    return Case({**found.rules, **found.catalogues}, run)


def _read(text: str, name: str) -> None:
    """Parse twice, and format if that is possible."""
    assert parse(text, name).diagnostics == parse(text, name).diagnostics
    try:
        formatted = format_text(text, name)
    except RuleError:
        return
    assert format_text(formatted, name) == formatted


def _told(analysis: Analysis) -> None:
    """Every diagnostic has a place in the files and can be shown."""
    files = {**analysis.sources.rules, **analysis.sources.catalogues}
    for found in analysis.diagnostics:
        assert found.code in CODES
        assert found.message
        lines = files[found.file].count("\n") + 1
        assert 1 <= found.line <= lines + 1, (found.line, lines)
        assert found.column >= 1
    render_full(analysis.diagnostics, files, True)
    render_concise(analysis.diagnostics)
    json.loads(render_json(analysis.diagnostics, len(files), analysis.entries))


def _used(random: Random, game: Game) -> None:
    """Play a game that was accepted, run its scenarios, export it and read that back."""
    for _ in range(2):
        try:
            play(random, game, options_of(random, game))
        except RuleError:  # nested too deeply to be linked
            return
    run_scenarios(game)
    trace(game)
    exported = game.export()
    assert rulelang.from_json(json.loads(json.dumps(exported))).export() == exported


# ---------------------------------------------------------------- data


def contents(random: Random) -> Case:
    """Mutated content as JSON."""
    game = random.choice(games() if random.random() < 0.1 else games()[1:])
    data = mutated_json(random, game.export())
    chosen = random.getrandbits(32)

    def run() -> None:
        try:
            made = rulelang.from_json(data)
        except RuleError as error:
            _told_by(error)
            return
        except Error as error:
            str(error)
            return
        play(Random(chosen), made, options_of(Random(chosen), made))
        exported = made.export()
        assert rulelang.from_json(exported).export() == exported

    return Case({"content.txt": _shown(data)}, run)


def _told_by(error: RuleError) -> None:
    assert any(each.severity == "error" for each in error.diagnostics)
    str(error)


def saves(random: Random) -> Case:
    """Mutated saves, with and without a seal that fits."""
    game = random.choice(games())
    session = play(random, game, options_of(random, game), random.randint(0, 30))
    saved = mutated_json(random, session.save() if session is not None else {})
    if isinstance(saved, dict) and random.random() < 0.7:
        _sealed(saved)
    chosen = random.getrandbits(32)

    def run() -> None:
        try:
            again = game.resume(saved)
        except SaveError as error:
            str(error)
            return
        _go_on(Random(chosen), again)

    return Case({"save.txt": _shown(saved)}, run)


def _sealed(saved: dict[Any, Any]) -> None:
    from rulelang.hashing import hashed

    try:
        saved["seal"] = hashed({n: v for n, v in saved.items() if n != "seal"})
    except (TypeError, ValueError, RecursionError):
        return


def ledgers(random: Random) -> Case:
    """Mutated ledgers, replayed and given as scripts, with mutated options."""
    game = random.choice(games())
    options = options_of(random, game)
    session = play(random, game, options, random.randint(0, 40))
    ledger = list(session.ledger) if session is not None else []
    if random.random() < 0.9:
        ledger = mutated_json(random, ledger)
    if random.random() < 0.3:
        options = mutated_json(random, options)
    chosen = random.getrandbits(32)
    start = random.random() < 0.5

    def run() -> None:
        try:
            if not isinstance(options, dict) or not all(isinstance(n, str) for n in options):
                return
            odd = set(options) - {"mode", "players", "settings", "rulings", "seed", "chance"}
            known = {name: value for name, value in options.items() if name not in odd}
            again = game.start(script=ledger, **known) if start else game.replay(ledger, **known)
        except (ChoiceError, UsageError, GameFault) as error:
            str(error)
            return
        _go_on(Random(chosen), again)

    return Case({"ledger.txt": f"{_shown(options)}\n{_shown(ledger)}"}, run)


def _go_on(random: Random, session: rulelang.Session) -> None:
    """A session that was accepted can be undone to its start and played on."""
    for _ in range(random.randint(0, 5)):
        if session.over:
            break
        try:
            session.choose(random.choice(session.legal))
        except (ChoiceError, GameFault):  # what is left of a script may not fit
            break
    while True:
        try:
            session.undo()
        except ChoiceError:
            break
    session.save()


def _shown(data: Any) -> str:
    try:
        return json.dumps(data, indent=1, default=repr)
    except (TypeError, ValueError, RecursionError):
        return f"this cannot be shown: {type(data).__name__}"


# ---------------------------------------------------------------- games


def programs(random: Random) -> Case:
    """Games that are written at random, played with random answers."""
    text = written(random.getrandbits(32), discreet=random.random() < 0.5)
    chosen = random.getrandbits(32)

    def run() -> None:
        game = game_of(Sources("toy", {"toy.rules": text}, {}))
        _read(text, "toy.rules")
        _used(Random(chosen), game)

    return Case({"toy.rules": text}, run)


def playthroughs(random: Random) -> Case:
    """The games as they are, played with disturbances."""
    game = random.choice(games())
    options = options_of(random, game)
    chosen = random.getrandbits(32)
    return Case(
        {"options.txt": f"{game.name} {_shown(options)} {chosen}"},
        lambda: play(Random(chosen), game, options, 300) and None,
    )


def secrets(random: Random) -> Case:
    """Pairs of playthroughs that differ only in what a seat does not see."""
    seed, chosen = random.getrandbits(32), random.getrandbits(32)
    text = written(seed, discreet=True)

    def run() -> None:
        generator = Random(chosen)
        session = begun(made(text), generator)
        pair = compare(session, session.clone(), generator, generator.randint(1, 80))
        if pair is not None:
            undone_and_answered_again(pair)

    return Case({"toy.rules": text}, run)


AREAS: dict[str, Area] = {
    area.__name__: area
    for area in (
        texts, variants, fragments, catalogues, contents, saves, ledgers, programs, secrets,
        playthroughs, commands,
    )
}  # fmt: skip
TURNS = ("texts", "texts", "variants", "fragments", *AREAS)
"""The areas in the order in which they have their turns, those with more to find more often."""
