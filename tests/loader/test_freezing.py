"""Programs as bytes and back: what is one object stays one, and nothing else comes of it."""

from __future__ import annotations

import gc
import marshal
import threading
from fractions import Fraction
from typing import Any

import attrs
import pytest
from attrs import evolve

from rulelang.analysis import analyse
from rulelang.checked import HARDLY_READ
from rulelang.collecting import uncollected
from rulelang.content.export import export
from rulelang.diagnostic import Span
from rulelang.drawing import draw
from rulelang.errors import UsageError
from rulelang.freezing import Unfit, freeze, freeze_apart, thaw, thaw_apart
from rulelang.game import Game
from rulelang.loader import shipped
from rulelang.meaning import meaning_of
from rulelang.program.program import Ending, Pack, Program
from rulelang.program.types import Named, Num
from rulelang.program.values import Domain, Effect, Entry, Script
from rulelang.scenarios import run
from rulelang.session import Session

STEPS = 80


def again(value: Any) -> Any:
    return thaw(freeze(value))


def apart(value: Any, names: tuple[str, ...]) -> Any:
    return thaw_apart(freeze_apart(value, names))


@pytest.mark.parametrize(
    "value",
    [
        None, True, 0, 1, -1, 2**31, 2**200, "", "ä", "\ud800", (), [], {},
        (1, True, 0, False), (("a",), (("a",), ())), [[1], []], {"a": {}, 1: [None]},
        Fraction(1, 3), {Fraction(5, 2): "x"}, Num(-3, None), Num(0, 2**40),
        Effect("go", (1, ("x", Num(1, 2)))),
    ],
)  # fmt: skip
def test_values_come_back(value: Any) -> None:
    found = again(value)
    assert found == value
    assert repr(found) == repr(value)  # yes and 1 are equal


def test_one_object_stays_one() -> None:
    shared = Named("Card")
    inner = (shared,)
    found = again([shared, inner, {"a": inner}, (inner, inner)])
    assert found[0] is found[1][0]
    assert found[1] is found[2]["a"] is found[3][0] is found[3][1]


def test_what_is_equal_stays_apart() -> None:
    found = again([Named("Card"), Named("Card")])
    assert found[0] is not found[1]


def test_circles() -> None:
    domain = Domain("Card")
    entry = Entry("Card", 0, 1, "card 1", "One")
    domain.entries = (entry,)
    domain.by_key = {1: entry}
    entry.fields_by_name["all"] = domain.entries
    object.__setattr__(entry, "fields", (domain.entries, (domain.entries,)))
    found = again(domain)
    assert found.by_key[1] is found.entries[0]
    assert found.entries[0].fields_by_name["all"] is found.entries
    assert found.entries[0].fields == (found.entries, (found.entries,))


def test_lists_and_dicts_that_hold_themselves() -> None:
    loop: list[Any] = [1]
    loop += [loop, {"loop": loop}]
    found = again(loop)
    assert found[1] is found[2]["loop"] is found


def test_entries_are_keys_of_dicts() -> None:
    one, two = (Entry("Card", n, n, f"card {n}", "") for n in range(2))
    found = again([{one: "a", two: "b"}, one, two])
    assert [found[0][entry] for entry in found[1:]] == ["a", "b"]


def test_what_compares_nothing_is_kept_too() -> None:
    script = again(Script("script 1", "A text", ()))
    assert (script.rule, script.text, script.steps) == ("script 1", "A text", ())


@attrs.define(slots=False)
class Foreign:
    number: int = 1


@pytest.mark.parametrize("value", [Foreign(), 1.5, b"a", {1}, frozenset(), object(), len, Num])
def test_what_cannot_be_frozen(value: Any) -> None:
    with pytest.raises(Unfit):
        freeze([value])


def test_classes_of_others_are_not_made() -> None:
    nothing = (b"", b"")
    data = ([], [], [("subprocess", "Popen", 1, [])], nothing, nothing, b"", [], 0)
    with pytest.raises(Unfit):
        thaw(marshal.dumps(data))


# ---------------------------------------------------------------- fields that are read later

SHARED = Named("Card")
PARTS = Effect("go", (SHARED, "a", 1))


def halves() -> Domain:
    """An object whose fields share others."""
    entry = Entry("Card", 0, 1, "card 1", "One", fields=(PARTS, SHARED))
    return Domain("Card", (entry,), {1: entry, "shared": SHARED})  # type: ignore[dict-item]


@pytest.mark.parametrize("names", [("by_key",), ("entries", "by_key"), ("name",)])
def test_fields_that_are_read_later(names: tuple[str, ...]) -> None:
    found = apart(halves(), names)
    assert type(found) is not Domain
    assert isinstance(found, Domain)
    assert found.entries[0] is found.by_key[1]
    assert found.entries[0].fields[1] is found.by_key["shared"]
    assert found.name == "Card"
    assert type(found) is Domain
    assert repr(found) == repr(halves())


def test_the_others_are_there_at_once() -> None:
    found = apart(halves(), ("by_key",))
    assert found.entries[0].fields == (PARTS, SHARED)
    assert type(found) is not Domain
    assert type(found).__name__ == type(found).__qualname__ == "Domain"
    assert freeze(found) == freeze(halves())


def test_a_program_is_equal_before_it_was_read() -> None:
    one = Program("a", endings={"e": Ending("e", "", "game", (), Span("f", 1, 1, 1, 1))})
    assert apart(one, HARDLY_READ) == one
    assert one == apart(one, HARDLY_READ)
    assert not apart(one, HARDLY_READ) != apart(one, HARDLY_READ)  # noqa: SIM202
    assert evolve(apart(one, HARDLY_READ), name="b") == evolve(one, name="b")


def test_a_field_that_is_set_before_it_was_read() -> None:
    found = apart(Program("a", packs=(Pack("p", ()),)), ("packs", "text"))
    found.packs = ()
    assert (found.packs, found.text, type(found)) == ((), "", Program)


def test_threads_that_read_at_once() -> None:
    for _ in range(20):
        found = apart(halves(), ("entries", "by_key"))
        seen: list[Any] = []
        threads = [
            threading.Thread(
                target=lambda name, f=found, s=seen: s.append(getattr(f, name)), args=(n,)
            )
            for n in ("entries", "by_key")
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert found.by_key[1] is found.entries[0]
        assert found.entries in seen
        assert found.by_key in seen


# ---------------------------------------------------------------- games


@pytest.fixture(scope="module", params=shipped())
def games(request: pytest.FixtureRequest) -> tuple[Game, Game]:
    """A game as it was checked, and as it comes back."""
    analysis = analyse(request.param)
    assert analysis.program is not None
    sources = analysis.sources
    return tuple(  # type: ignore[return-value]
        Game(program, sources.rules, request.param, sources.catalogues)
        for program in (analysis.program, apart(analysis.program, HARDLY_READ))
    )


def test_the_same_program(games: tuple[Game, Game]) -> None:
    one, other = games
    assert meaning_of(other.program) == one.program.meaning == other.program.meaning
    assert freeze(other.program) == freeze(one.program)
    assert repr(other.program) == repr(one.program)


def test_the_same_content(games: tuple[Game, Game]) -> None:
    one, other = games
    assert export(one) == export(other)
    assert one.schema() == other.schema()
    assert one.read() == other.read()


def test_the_scenarios_hold(games: tuple[Game, Game]) -> None:
    assert all(result.ok for result in run(games[1]))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_playthroughs(games: tuple[Game, Game], seed: int) -> None:
    one, other = games
    (first, offered), (second, offered_too) = (played(game, seed, "reference") for game in games)
    assert offered == offered_too
    assert first.digest() == second.digest()
    assert first.ledger == second.ledger
    assert first.log == second.log
    assert first.state == second.state
    assert pictured(one, first) == pictured(other, second)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_playthroughs_on_compiled_rules(games: tuple[Game, Game], seed: int) -> None:
    (first, offered), (second, offered_too) = (played(game, seed, "compiled") for game in games)
    assert offered == offered_too
    assert first.digest() == second.digest()


def played(game: Game, seed: int, engine: str) -> tuple[Session, list[tuple[str, ...]]]:
    """Some steps of a playthrough, and what could be chosen each time."""
    modes = list(game.modes)
    session = game.start(mode=modes[seed % len(modes)], seed=seed, engine=engine)
    offered = []
    number = seed
    for _ in range(STEPS):
        if session.over:
            break
        offered.append(session.legal)
        number = (number * 1_103_515_245 + 12_345) % (1 << 31)
        session.choose((number >> 8) % len(session.legal))
    return session, offered


def pictured(game: Game, session: Session) -> str | None:
    try:
        return draw(game, session)
    except UsageError:
        return None


# ---------------------------------------------------------------- the collector


def test_the_collector_goes_on_when_the_last_has_finished() -> None:
    assert gc.isenabled()
    with uncollected():
        assert not gc.isenabled()
        with pytest.raises(KeyError), uncollected():
            raise KeyError
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_two_threads_hold_it_off() -> None:
    inside, leave = threading.Event(), threading.Event()

    def hold() -> None:
        with uncollected():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=hold)
    with uncollected():
        thread.start()
        inside.wait(10)
    assert not gc.isenabled()
    leave.set()
    thread.join()
    assert gc.isenabled()
