"""What a player is shown does not depend on what that player may not see."""

from __future__ import annotations

import copy
import json
from random import Random
from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rulelang.codec import restore, snapshot
from rulelang.session import Session
from tests.properties.playing import machine_of, played, starts

few = settings(max_examples=25, deadline=None)
SEEDS = st.integers(0, 2**32)


def with_state(session: Session, state: dict[str, Any]) -> Session:
    """The session, which is the reference interpreter's, with another state at the same place."""
    data = json.loads(json.dumps(snapshot(session.machine)))
    machine = machine_of(session)
    restore(machine, {**data, "state": state})
    other = session.clone()
    other._machine = machine
    other._attach_log()
    machine.run()
    other._decision = None
    return other


def hidden_places(state: dict[str, Any], seat: int) -> list[list[dict[str, Any]]]:
    """The lists of cards that a seat may not see: the deck, and the hands of others."""
    hands = [hand for owner, hand in state["Player.hand"].items() if owner != str(seat)]
    return [state["deck"]["pool"], *hands]


def shuffled(state: dict[str, Any], seat: int, random: Random) -> dict[str, Any]:
    """The state with the cards that a seat may not see dealt anew, as many to each place."""
    changed = copy.deepcopy(state)
    places = hidden_places(changed, seat)
    cards = [card for place in places for card in place]
    random.shuffle(cards)
    for place in places:
        place[:] = sorted((cards.pop() for _ in range(len(place))), key=lambda card: card["key"])
    return changed


@few
@given(starts(), SEEDS, st.integers(0, 40), SEEDS)
def test_two_states_that_look_alike_to_a_seat_look_alike(
    start: dict[str, Any], answers: int, steps: int, deal: int
) -> None:
    begun = {**start, "engine": "reference"}
    if start["players"] > 1:
        begun |= {"mode": "coop", "players": max(2, start["players"])}
    session = played(begun, answers, steps)
    assume(not session.over)
    assert session.decision is not None
    for seat in range(session.players):
        other = with_state(session, shuffled(session.state, seat, Random(deal)))
        assert other.view(seat) == session.view(seat)
        if session.decision.player == seat:
            assert other.legal == session.legal


@few
@given(starts(), SEEDS, st.integers(0, 40))
def test_a_view_has_no_card_that_the_seat_may_not_see(
    start: dict[str, Any], answers: int, steps: int
) -> None:
    session = played(start, answers, steps)
    for seat in range(session.players):
        view = session.view(seat)
        text = json.dumps(view["state"])
        for place in hidden_places(session.state, seat):
            for card in place:
                assert json.dumps(card) not in text
        assert view["state"]["deck"] == {
            "count": len(hidden_places(session.state, seat)[0]),
            "known": [],
        }
        for word in ("seed", "ledger", "digest", "counters"):
            assert f'"{word}"' not in json.dumps(view)


@few
@given(starts(), SEEDS, st.integers(0, 40))
def test_the_log_of_a_view_names_no_card_still_unseen(
    start: dict[str, Any], answers: int, steps: int
) -> None:
    session = played(start, answers, steps)
    for seat in range(session.players):
        cards = [card["key"] for place in hidden_places(session.state, seat) for card in place]
        # A card that was in the open may have gone back to the deck when it was mixed anew.
        if session.state["reshuffled"]:
            continue
        said = {label for line in session.view(seat)["log"] for label in line["arguments"]}
        assert said.isdisjoint(f"card {number}" for number in cards)


@few
@given(starts(), SEEDS, st.integers(0, 40))
def test_only_the_one_who_decides_sees_the_decision(
    start: dict[str, Any], answers: int, steps: int
) -> None:
    session = played(start, answers, steps)
    for seat in range(session.players):
        shown = session.view(seat)["decision"]
        own = session.decision is not None and session.decision.player == seat
        assert (shown is not None) == own
