"""What holds at every step of every playthrough, also of games that are written at random."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

import rulelang
from rulelang.codec import restore, snapshot
from rulelang.errors import GameFault
from rulelang.game import Game
from rulelang.session import CHANCE, Session
from rulelang.syntax.formatter import format_text
from rulelang.syntax.parser import parse
from tests.properties.playing import machine_of
from tests.properties.programs import made, programs, written

some = settings(max_examples=12, deadline=None)
SEEDS = st.integers(0, 2**32)


def begun(game: Game, random: Random, engine: str = "compiled") -> Session:
    """A session in one of the game's modes, with chance sampled or explicit."""
    mode = random.choice(list(game.modes.values()))
    return game.start(
        mode=mode.name,
        players=random.randint(mode.low, mode.high),
        seed=random.getrandbits(32),
        chance=random.choice(("sample", "explicit")),
        settings={"pace": random.choice(("slow", "quick"))},
        rulings={"tie": random.choice(("older", "younger"))},
        engine=engine,
    )


def answered(session: Session, random: Random) -> bool:
    """Answer at random; False if the game is over or a rule goes wrong, which changes nothing."""
    if session.over:
        return False
    before = session.save()
    try:
        session.choose(random.choice(session.legal))
    except GameFault:
        assert session.save() == before
        return False
    return True


def keys(value: Any) -> list[int]:
    """The numbers of all cards in a value as JSON."""
    if isinstance(value, dict):
        if value.get("of") == "Card":
            return [value["key"]]
        return [number for item in value.values() for number in keys(item)]
    return [number for item in value for number in keys(item)] if isinstance(value, list) else []


@settings(some, max_examples=5)
@given(SEEDS, st.booleans())
def test_the_text_and_the_content_come_back_as_they_were(seed: int, discreet: bool) -> None:
    text = written(seed, discreet=discreet)
    formatted = format_text(text, "toy.rules")
    assert (
        parse(formatted, "toy.rules").file.declarations
        == parse(text, "toy.rules").file.declarations
    )
    assert format_text(formatted, "toy.rules") == formatted
    game = made(text)
    assert made(formatted).program.meaning == game.program.meaning
    exported = game.export()
    again = rulelang.from_json(json.loads(json.dumps(exported)))
    assert again.export() == exported
    assert again.program.meaning == game.program.meaning


@some
@given(programs(), SEEDS)
def test_a_state_is_the_same_after_a_way_through_json(game: Game, seed: int) -> None:
    random = Random(seed)
    session = begun(game, random, "reference")
    going = True
    while going:
        machine = machine_of(session)
        restore(machine, json.loads(json.dumps(snapshot(session.machine))))
        if not session.over:
            machine.run()
        copy = session.clone()
        copy._machine, copy._decision = machine, None
        assert copy.digest() == session.digest()
        assert copy.decision == session.decision
        assert snapshot(machine) == snapshot(session.machine)
        going = len(session.ledger) < 60 and answered(session, random)


@some
@given(programs(), SEEDS)
def test_every_step_is_undone_to_the_start_and_clones_never_share(game: Game, seed: int) -> None:
    random = Random(seed)
    session = begun(game, random)
    saves, clones = [session.save()], [session.clone()]
    while len(saves) < 40 and answered(session, random):
        saves.append(session.save())
        clones.append(session.clone())
    while answered(clones[0], random):
        pass
    assert [clone.save() for clone in clones[1:]] == saves[1:]
    assert session.save() == saves.pop()
    for save in reversed(saves):
        session.undo()
        assert session.save() == save


@some
@given(programs(), SEEDS)
def test_a_save_and_a_ledger_lead_to_the_same_state(game: Game, seed: int) -> None:
    random = Random(seed)
    session = begun(game, random)
    for _ in range(random.randint(0, 40)):
        if not answered(session, random):
            break
    save = session.save()
    options = {name: save[name] for name in ("mode", "players", "settings", "rulings", "seed")}
    again = game.resume(json.loads(json.dumps(save)))
    replayed = game.replay(session.ledger, chance=session.chance, **options)
    for other in (again, replayed):
        assert other.save() == save
        assert (other.decision, other.log) == (session.decision, session.log)
        seats = range(session.players)
        assert [other.view(p) for p in seats] == [session.view(p) for p in seats]


@some
@given(programs(), SEEDS)
def test_chances_sum_to_one_labels_are_unique_and_no_card_is_nowhere(game: Game, seed: int) -> None:
    random = Random(seed)
    session = begun(game, random)
    cards = [entry.key for entry in game.entries("Card")]
    going = True
    while going:
        assert set(keys(session.state)) == set(cards)
        assert len(set(session.legal)) == len(session.legal)
        decision = session.decision
        if decision is not None:
            chances = [option.probability for option in decision.options]
            if decision.player == CHANCE:
                assert sum(chance or 0 for chance in chances) == 1
                assert None not in chances
            else:
                assert set(chances) == {None}
                assert session.view(int(decision.player))["decision"] is not None
        going = answered(session, random)


@some
@given(programs(), SEEDS)
def test_every_game_ends_with_a_verdict_and_alike_for_its_seed(game: Game, seed: int) -> None:
    ends = []
    for _ in range(2):
        random = Random(seed)
        session = begun(game, random)
        while answered(session, random):
            pass
        ends.append(session.save())
        if session.over:
            assert session.outcome is not None
            assert session.outcome.reason in ("done", "rich_enough", "finished")
            assert set(session.outcome.scores) == set(range(session.players))
    assert ends[0] == ends[1]
