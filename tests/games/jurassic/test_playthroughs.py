"""What holds in every playthrough: of pawns, of Raptors, and of each way that is offered."""

from __future__ import annotations

import random
from pathlib import Path

from attrs import Factory, define
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang import Game, Session, load
from tests.games.jurassic.boards import Board, board_of, crowded, pawns, raptors, ways_offered

GAME = load(Path(__file__).parent / "shown_ways")
BOARD = board_of(GAME)
MOST = 20_000
"""Decisions of one playthrough; random ones have a few hundred."""

READINGS = st.fixed_dictionaries(
    {
        "indoors": st.sampled_from(["eaten_there", "spared"]),
        "coming_out": st.sampled_from(["must", "optional"]),
        "burst_held": st.sampled_from(["free", "held"]),
        "trex_start": st.sampled_from(["first_track", "before_track"]),
    }
)
FACES = st.fixed_dictionaries(
    {
        "lone_side": st.sampled_from(["humans_alone", "dinosaurs_alone"]),
        "white_faces": st.sampled_from(["even", "short", "shorter", "leaping"]),
        "black_faces": st.sampled_from(["thirds", "slow", "fast"]),
        "red_faces": st.sampled_from(["third", "half", "two_thirds"]),
    }
)


@define
class Watch:
    """Looks at a playthrough at each of its decisions."""

    session: Session
    board: Board
    readings: dict[str, str]
    before: dict[str, str | None] = Factory(dict)
    """Where the pawns were at the last decision."""
    start: str = ""
    """Where the pawn or Raptor is that was chosen last."""

    def look(self) -> None:
        """What holds at any time, and what is offered now."""
        now = pawns(self.session)
        self._pawns(now)
        self._raptors()
        decision = self.session.decision
        if decision is not None and decision.prompt == "Which way on foot?":
            self._walks(now)
        elif decision is not None and decision.prompt == "Which way?":
            self._runs()
        self.before = now

    def _pawns(self, now: dict[str, str | None]) -> None:
        places = list(now.values())
        saved, eaten = places.count("H"), places.count(None)
        assert saved + eaten + sum(place not in (None, "H") for place in places) == 12
        assert all(self.board.kind[p] != "circle" for p in crowded(places))
        assert all(place is None or self.board.kind[place] != "area" for place in places)
        if self.before and set(places) != {"MAIN"}:  # all of them: the second game begins
            for name, was in self.before.items():
                assert was is not None or now[name] is None
                assert was != "H" or now[name] == "H"
                assert was == "MAIN" or now[name] != "MAIN"

    def _raptors(self) -> None:
        lairs = list(raptors(self.session).values())
        assert not crowded(lairs)
        assert not {"MAIN", "H", "SAFE"} & set(lairs)
        assert all(self.board.kind[lair] in ("area", "building") for lair in lairs)
        if self.readings["burst_held"] == "held":
            assert not {self.board.mouth.get(lair) for lair in lairs} & set(lairs)

    def _walks(self, now: dict[str, str | None]) -> None:
        count = int(next(face for face in reversed(self.session.ledger) if face in ("2", "3", "4")))
        standing = [place for place in now.values() if place is not None]
        offered = ways_offered(self.session)
        self._each_is_a_way(offered)
        assert sorted(offered) == sorted(self.board.walks(self.start, count, standing))

    def _runs(self) -> None:
        count = int(next(face for face in reversed(self.session.ledger) if face in ("1", "2")))
        lairs = list(raptors(self.session).values())
        lairs.remove(self.start)
        offered = ways_offered(self.session)
        self._each_is_a_way(offered)
        held = self.readings["burst_held"] == "held"
        assert sorted(offered) == sorted(self.board.raptor_ways(self.start, count, lairs, held))

    def _each_is_a_way(self, offered: list[tuple[str, ...]]) -> None:
        for way in offered:
            places = (self.start, *way)
            assert len(set(places)) == len(places)
            joined = [self.board.steps[a] | self.board.runs[a] for a in places]
            assert all(b in near for near, b in zip(joined, places[1:], strict=False))

    def choose(self, label: str) -> None:
        """Take an option, and remember whom it moves."""
        decision = self.session.decision
        assert decision is not None
        if decision.prompt == "Move a pawn from where?":
            self.start = label
        elif decision.prompt == "Move which Raptor?" and label.startswith("raptor"):
            self.start = raptors(self.session)[label.rpartition(" ")[2]]
        self.session.choose(label)


def watched(game: Game, seed: int, mode: str, readings: dict[str, str], **more: object) -> Session:
    """A random playthrough to its end, looked at all the time."""
    session = game.start(mode=mode, seed=seed, rulings=readings, **more)  # type: ignore[arg-type]
    watch, chance = Watch(session, BOARD, readings), random.Random(seed)
    watch.look()
    for _ in range(MOST):
        if session.over:
            return session
        watch.choose(chance.choice(session.legal))
        watch.look()
    raise AssertionError(f"{MOST} decisions, and no end")


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4), readings=READINGS, faces=FACES)
def test_one_game(seed: int, players: int, readings: dict[str, str], faces: dict[str, str]) -> None:
    session = watched(GAME, seed, "standard", readings, players=players, settings=faces)
    places = list(pawns(session).values())
    outcome = session.outcome
    assert outcome is not None
    assert outcome.reason in ("rescued", "devoured")
    assert (places.count("H") == 3) == (outcome.reason == "rescued")
    assert (places.count(None) >= 10) == (outcome.reason == "devoured")
    assert sorted((*outcome.winners, *outcome.losers)) == list(range(players))


@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.integers(2, 4), readings=READINGS)
def test_two_games(seed: int, players: int, readings: dict[str, str]) -> None:
    session = watched(GAME, seed, "double", readings, players=players)
    places, outcome = list(pawns(session).values()), session.outcome
    assert outcome is not None
    assert outcome.reason == "settled"
    assert set(places) <= {None, "H"}
    scores = set(outcome.scores.values())
    assert scores == {session.state["first_saved"], places.count("H")}
    assert bool(outcome.winners) == (len(scores) == 2)
