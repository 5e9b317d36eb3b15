"""What holds at every step of every playthrough."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.codec import restore, snapshot
from rulelang.errors import ChoiceError
from rulelang.session import CHANCE, Session
from tests.properties.playing import CARDS, begin, expedition, machine_of, played, starts, walk

few = settings(max_examples=25, deadline=None)
SEEDS = st.integers(0, 2**32)


def cards_in(value: Any) -> list[int]:
    """The numbers of all cards in a part of the state."""
    if isinstance(value, dict):
        if value.get("of") == "Card":
            return [value["key"]]
        return [number for item in value.values() for number in cards_in(item)]
    return (
        [number for item in value for number in cards_in(item)] if isinstance(value, list) else []
    )


@few
@given(starts(chance=None), SEEDS)
def test_a_state_is_the_same_after_a_way_through_json(start: dict[str, Any], answers: int) -> None:
    session = begin({**start, "engine": "reference"})
    for _ in walk(session, Random(answers), 60):
        machine = machine_of(session)
        restore(machine, json.loads(json.dumps(snapshot(session.machine))))
        if not session.over:
            machine.run()
        copy = session.clone()
        copy._machine = machine
        assert copy.digest() == session.digest()
        assert copy.legal == session.legal
        assert snapshot(machine) == snapshot(session.machine)


@few
@given(starts(chance=None), SEEDS)
def test_a_restored_state_plays_on_alike(start: dict[str, Any], answers: int) -> None:
    session = played({**start, "engine": "reference"}, answers, 15)
    copy = session.clone()
    copy._machine = machine_of(session)
    restore(copy._machine, json.loads(json.dumps(snapshot(session.machine))))
    copy._machine.run()
    for one, other in zip(walk(session, Random(1), 20), walk(copy, Random(1), 20), strict=True):
        assert one.digest() == other.digest()


@few
@given(starts(chance=None), SEEDS)
def test_every_step_is_undone_to_the_start(start: dict[str, Any], answers: int) -> None:
    session = begin(start)
    saves = [session.save()]
    for _ in walk(session, Random(answers), 40):
        saves.append(session.save())
    for save in reversed(saves[1:-1]):
        session.undo()
        assert session.save() == save
    assert session.save() == saves[0]


@few
@given(starts(chance=None), SEEDS)
def test_clones_never_share(start: dict[str, Any], answers: int) -> None:
    session = begin(start)
    clones: list[tuple[Session, dict[str, Any]]] = []
    for _ in walk(session, Random(answers), 40):
        clones.append((session.clone(), session.save()))
    for clone, save in clones:
        assert clone.save() == save
    first = clones[0][0]
    for _ in walk(first, Random(answers + 1), 20):
        pass
    assert [clone.save() for clone, _ in clones[1:]] == [save for _, save in clones[1:]]
    assert session.save() == clones[-1][1]


@few
@given(starts(chance=None), SEEDS, st.integers(0, 50))
def test_a_save_is_resumed_in_the_midst_of_any_decision(
    start: dict[str, Any], answers: int, steps: int
) -> None:
    session = played(start, answers, steps)
    again = expedition().resume(json.loads(json.dumps(session.save())))
    assert again.digest() == session.digest()
    assert (again.decision, again.log, again.turns) == (
        session.decision,
        session.log,
        session.turns,
    )
    assert [again.view(p) for p in range(again.players)] == [
        session.view(p) for p in range(session.players)
    ]
    for one, other in zip(walk(session, Random(2), 10), walk(again, Random(2), 10), strict=True):
        assert one.digest() == other.digest()


@few
@given(starts(), SEEDS, st.integers(0, 200))
def test_a_ledger_is_replayed_without_the_seed(
    start: dict[str, Any], answers: int, steps: int
) -> None:
    session = played(start, answers, steps)
    again = expedition().replay(session.ledger, **{**start, "seed": start["seed"] + 1})
    assert (again.digest(), again.ledger) == (session.digest(), session.ledger)
    explicit = expedition().replay(session.ledger, **{**start, "chance": "explicit"})
    assert explicit.digest() == session.digest()


@few
@given(starts(chance="explicit"), SEEDS)
def test_the_probabilities_of_chance_sum_to_one(start: dict[str, Any], answers: int) -> None:
    seen = 0
    for session in walk(begin(start), Random(answers), 80):
        decision = session.decision
        if decision is not None and decision.player == CHANCE:
            seen += 1
            chances = [option.probability for option in decision.options]
            assert all(chance is not None and 0 < chance <= 1 for chance in chances)
            assert sum(chance for chance in chances if chance is not None) == 1
        elif decision is not None:
            assert all(option.probability is None for option in decision.options)
    assert seen > 0


@few
@given(starts(), SEEDS)
def test_no_card_is_lost_or_doubled_and_labels_are_unique(
    start: dict[str, Any], answers: int
) -> None:
    for session in walk(begin(start), Random(answers)):
        cards = cards_in(session.state)
        assert sorted(cards) == list(range(1, CARDS + 1))
        assert len(set(session.legal)) == len(session.legal)


@settings(max_examples=40, deadline=None)
@given(starts(), SEEDS)
def test_every_game_ends_with_a_verdict(start: dict[str, Any], answers: int) -> None:
    session = played(start, answers)
    assert session.over
    assert session.outcome is not None
    assert session.outcome.reason in ("arrival", "wiped_out", "out_of_time")
    seats = [*session.outcome.winners, *session.outcome.losers]
    assert sorted(seats) == list(range(session.players))
    assert session.decision is None


@few
@given(starts(), SEEDS)
def test_the_same_seed_gives_the_same_game(start: dict[str, Any], answers: int) -> None:
    one, other = played(start, answers), played(start, answers)
    assert one.save() == other.save()


@few
@given(starts(), SEEDS, st.integers(0, 40))
def test_an_illegal_answer_changes_nothing(start: dict[str, Any], answers: int, steps: int) -> None:
    session = played(start, answers, steps)
    save = session.save()
    for answer in ("no such label", len(session.legal), -1):
        try:
            session.choose(answer)
        except ChoiceError:
            continue
        raise AssertionError(answer)
    assert session.save() == save


@few
@given(starts(), SEEDS)
def test_no_explorer_and_no_pawn_is_lost(start: dict[str, Any], answers: int) -> None:
    session = begin(start)
    teams = session.state["Explorer.team"]
    places: dict[str, int] = {}
    for _ in walk(session, Random(answers)):
        state = session.state
        assert state["Explorer.team"] == teams
        assert all(0 <= health <= 4 for health in state["Explorer.health"].values())
        for team, place in state["Team.place"].items():
            assert places.get(team, 1) <= place <= 9
            places[team] = place
    assert sum(team is not None for team in teams.values()) == (
        6 if start["mode"] == "versus" else 3
    )
