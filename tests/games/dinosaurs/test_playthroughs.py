"""What holds in every playthrough, whatever is chosen: of cards, tiles, markers and figures."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import pytest
from attrs import Factory, define
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang import Game, Session, load
from rulelang.judging import Outcome

MOST = 30_000
"""Decisions of one playthrough; random ones have a few thousand at the most."""
SIXTH_CARD = "Five cards are the most: put which one back?"
CREATURES = 12
NAMED = {"event 33": "tyrannosaurus"}
"""The Event card that calls one which cannot swim, wherever the pawn is."""


@cache
def game() -> Game:
    return load("dinosaurs")


def in_words(settings_too: bool, mode: str) -> st.SearchStrategy[dict[str, str]]:
    """The rulings of a mode, or its settings but the length of the game, in any readings."""
    program = game().program
    return st.fixed_dictionaries(
        {
            name: st.sampled_from([str(e.key) for e in program.domains[each.domain].entries])
            for name, each in program.settings.items()
            if each.ruling != settings_too and name != "rounds"
            if not each.modes or mode in each.modes
        }
    )


@define
class Board:
    """What is printed: where the Camp, the Lake and its shores and the Marsh are."""

    camp: int
    lake: int
    waters: set[int]
    swimmers: set[str]


@cache
def board() -> Board:
    program = game().program
    at = {
        h.fields_by_name["site"].key: h.key
        for h in game().entries("Hex")
        if h.fields_by_name["site"] is not None
    }
    joined = [edge.fields_by_name["joins"] for edge in program.domains["Step"].entries]
    shores = {b.key for a, b in joined if a.key == at["central_lake"]}
    swimmers = {c.key for c in game().entries("Creature") if c.fields_by_name["swims"]}
    waters = {at["central_lake"], at["marsh"], *shores}
    return Board(at["camp"], at["central_lake"], waters, swimmers)


# ---------------------------------------------------------------- looking


def keys(zone: Any) -> list[Any]:
    """The keys of what lies in a zone."""
    lists = zone.values() if isinstance(zone, dict) else [zone]
    return [item["key"] for items in lists for item in items]


def lying(state: dict[str, Any], *fields: str) -> list[Any]:
    """The keys of what lies in all zones of some fields."""
    found: list[Any] = []
    for field in fields:
        own = "." in field
        for zone in state[field].values() if own else [state[field]]:
            found += keys(zone)
    return sorted(found)


@define
class Watch:
    """Looks at a playthrough at each of its decisions."""

    session: Session
    spots: dict[str, int] = Factory(dict)
    """Where the pawns were at the last decision."""
    on_the_lake: set[str] = Factory(set)
    """The Creatures that were there at the last decision."""
    told: int = 0
    """How many outcomes there were until then."""

    def look(self) -> None:
        state = self.session.state
        self._nothing_is_lost(state)
        self._points_and_hands(state)
        self._pawns(state)
        self._creatures(state)
        self._figures(state)

    def _nothing_is_lost(self, state: dict[str, Any]) -> None:
        assert lying(state, "experience_deck", "Player.hand") == list(range(1, 27))
        events = lying(state, "event_deck", "met", "Player.kept_events", "Player.open_events")
        assert events == list(range(1, 35))
        tiles = lying(state, "tiles", "tiles_gone", "Hex.looked_at", "Hex.tile", "Player.finds")
        assert tiles == list(range(1, 31))
        markers = lying(state, "tool_pile", "tools_found")
        assert markers == sorted(tool.key for tool in game().entries("Tool"))

    def _points_and_hands(self, state: dict[str, Any]) -> None:
        assert all(points >= 0 for points in state["Player.vp"].values())
        decision = self.session.decision
        for seat, hand in state["Player.hand"].items():
            gives_back = decision is not None and decision.prompt == SIXTH_CARD
            sixth = gives_back and decision is not None and str(decision.player) == seat
            assert len(hand) == 6 if sixth else len(hand) <= 5
        for rifles in state["Player.rifles"].values():
            assert all(1 <= clips <= 5 for clips in rifles)
        for seat in state["Player.passed"].values():
            corners = keys(seat)
            assert len(set(corners)) == len(corners) <= 3

    def _pawns(self, state: dict[str, Any]) -> None:
        now = {seat: hex_["key"] for seat, hex_ in state["Player.spot"].items()}
        canoe = [tool.key for tool in game().entries("Tool")].index("canoe")
        for seat, spot in now.items():
            if spot == board().lake != self.spots.get(seat, spot):
                assert state["Player.tools"][seat][canoe] > 0
        self.spots = now
        for tile in state["Hex.tile"].values():
            assert len(tile) <= 1
        face_down = [h for h, down in state["Hex.face_down"].items() if down]
        assert not any(keys(state["Hex.tile"][h]) for h in face_down)

    def _creatures(self, state: dict[str, Any]) -> None:
        new = self.session.ledger[self.told :]
        here = set()
        for creature, spot in state["Creature.spot"].items():
            if spot is None:
                continue
            assert spot["key"] != board().camp
            if creature == "elasmosaurus":
                assert spot["key"] in board().waters
            if spot["key"] == board().lake:
                here.add(creature)
        # Who cannot swim comes only to a fight, and may stay after it.
        called = set(NAMED.values()) if NAMED.keys() & set(new) else set()
        assert here <= board().swimmers | self.on_the_lake | called
        self.on_the_lake, self.told = here, self.told + len(new)

    def _figures(self, state: dict[str, Any]) -> None:
        """One chase at a time, whose Creature is off the board."""
        assert len(state["Creature.spot"]) == CREATURES
        flees, follows = state["flight"], state["pursuit"]
        assert (flees is None) == (follows is None)
        if flees is not None:
            assert follows["key"] <= flees["key"]
            assert None in state["Creature.spot"].values()


def choices(session: Session, chance: random.Random) -> str:
    """A random choice; Adventures are liked, so that they are seen."""
    liked = [label for label in session.legal if label.startswith(("adventure", "accept"))]
    return chance.choice(liked if liked and chance.random() < 0.7 else session.legal)


def watched(seed: int, mode: str, **more: Any) -> Session:
    """A random playthrough to its end, looked at all the time."""
    session = game().start(mode=mode, seed=seed, **more)
    watch, chance = Watch(session), random.Random(seed)
    watch.look()
    for _ in range(MOST):
        if session.over:
            return session
        session.choose(choices(session, chance))
        watch.look()
    raise AssertionError(f"{MOST} decisions, and no end")


def ended(session: Session) -> Outcome:
    outcome = session.outcome
    assert outcome is not None
    points = {int(seat): n for seat, n in session.state["Player.vp"].items()}
    assert dict(outcome.scores) == points
    return outcome


@settings(max_examples=18, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32), players=st.integers(2, 4))
def test_several_expeditions(data: st.DataObject, seed: int, players: int) -> None:
    options = data.draw(in_words(True, "several")) | {"rounds": "sixty"}
    rulings = data.draw(in_words(False, "several"))
    session = watched(seed, "several", players=players, settings=options, rulings=rulings)
    outcome = ended(session)
    assert outcome.reason in ("escaped", "rounds_over")
    assert len(outcome.winners) == (outcome.reason == "escaped")


@settings(max_examples=40, deadline=None)
@given(data=st.data(), seed=st.integers(0, 2**32))
def test_alone(data: st.DataObject, seed: int) -> None:
    session = watched(seed, "solitaire", rulings=data.draw(in_words(False, "solitaire")))
    outcome = ended(session)
    assert outcome.reason in ("escaped", "tied_escape", "destroyed", "too_late", "died")
    assert bool(outcome.winners) == (outcome.reason == "escaped")
    assert session.state["Player.turns"]["0"] >= (40 if outcome.reason == "too_late" else 0)


# ---------------------------------------------------------------- many games


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["several", "solitaire"])
def test_two_thousand_games(mode: str) -> None:
    reasons = set()
    for seed in range(2_000):
        more: dict[str, Any] = {}
        if mode == "several":
            more = {"players": 2 + seed % 3, "settings": {"rounds": "sixty"}}
        reasons.add(ended(watched(seed, mode, **more)).reason)
    assert reasons >= ({"rounds_over"} if mode == "several" else {"too_late", "died"})
