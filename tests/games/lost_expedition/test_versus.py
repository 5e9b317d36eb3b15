"""Head-to-head playthroughs: the cards stay together, hands stay secret, and one player wins.

With the printed cards random answers starve the teams early, and hardly ever is a deck used up. So
there is a deck of gentle cards too, with which games end in all ways.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from rulelang.errors import UsageError
from rulelang.game import Game, load
from rulelang.session import Session
from rulelang.simulation import simulate

FOLDER = Path(__file__).parents[3] / "games" / "lost_expedition"
GAME = load(FOLDER)

MARKED = {1, 8, 17, 33, 41, 52}  # the cards with an exclamation mark
CITY = 7
CAPTAINS = {"red": 0, "blue": 1}
ENDINGS = {"arrival", "wiped_out", "out_of_time"}
PLACES = ("deck", "discard", "Lane.cards", "Player.hand", "Team.kept", "Team.path", "Team.table")

RULINGS: tuple[dict[str, str], ...] = (
    {},
    {"priority": "box_first", "announcing": "when_reached"},
    {"priority": "printed"},
    {"short_payment": "allowed"},
    {"empty_deck": "at_last_card"},
)

GENTLE = (
    "  choice: gain food, gain food\n  choice: add, add",
    "  event: add\n  choice: gain food\n  choice: gain health",
    "  event: add, add",
    "  option: spend health, advance",
    "  event: gain food, add\n  choice: spend food\n  choice: remove",
    "  choice: spend health\n  choice: gain food\n  choice: death, add",
)
"""The boxes of the gentle cards, in turn."""

Leaning = Callable[[str], int]
"""How much an option is liked, by its label."""


def none(label: str) -> int:
    """Nothing is liked better than anything else."""
    return 0


def forward(label: str) -> int:
    """To the city, and no Health spent for anything else."""
    return 4 * ("advance" in label) - label.count("spend health") - 3 * ("death" in label)


LEANINGS: dict[str, Leaning] = {"none": none, "forward": forward}


def answer(session: Session, leaning: Leaning, random: Random) -> int:
    """The place of an option that is liked best; now and then of any."""
    worth = [leaning(label) for label in session.legal]
    if random.random() < 0.15:
        return random.randrange(len(worth))
    return random.choice([place for place, each in enumerate(worth) if each == max(worth)])


@pytest.fixture(scope="module", params=["printed", "gentle"])
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game with its own cards, and with gentle ones."""
    if request.param == "printed":
        return GAME
    folder = tmp_path_factory.mktemp("gentle") / "game"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("scenarios", "checks.rules"))
    cards = (
        f'card {n} "Card {n}{"!" if n in MARKED else ""}"\n{GENTLE[n % len(GENTLE)]}\n'
        for n in range(1, 57)
    )
    (folder / "cards.rules").write_text("\n".join(cards), encoding="utf-8")
    return load(folder)


def playthrough(
    game: Game, seed: int, leanings: tuple[str, str] = ("none", "none"), **rulings: str
) -> Iterator[Session]:
    """The session at each decision, and at the end; each seat has a leaning."""
    session = game.start(mode="versus", players=2, seed=seed, rulings=rulings)
    random = Random(seed)
    yield session
    while session.decision is not None:
        seat = session.decision.player
        assert isinstance(seat, int)
        session.choose(answer(session, LEANINGS[leanings[seat]], random))
        yield session


def cards_in(zone: Any) -> list[int]:
    """The numbers of all cards in a field of the state as it is saved."""
    if isinstance(zone, dict) and "key" in zone:
        return [zone["key"]]
    parts = zone.values() if isinstance(zone, dict) else zone
    return [number for part in parts for number in cards_in(part)]


# ------------------------------------------------------------------ who may play


@pytest.mark.parametrize("players", [1, 3])
def test_it_is_for_two(players: int) -> None:
    with pytest.raises(UsageError, match="players"):
        GAME.start(mode="versus", players=players)


@pytest.mark.parametrize("setting", ["difficulty", "starter"])
def test_it_has_no_settings(setting: str) -> None:
    with pytest.raises(UsageError, match=setting):
        GAME.start(mode="versus", settings={setting: "hard"})


# ------------------------------------------------------------------ what holds all the time

PAIRS = [("none", "none"), ("forward", "none"), ("forward", "forward")]


@pytest.mark.parametrize("rulings", RULINGS, ids=lambda r: " ".join(r.values()) or "as shipped")
@pytest.mark.parametrize("leanings", PAIRS, ids="-".join)
def test_the_cards_stay_together(
    game: Game, leanings: tuple[str, str], rulings: dict[str, str]
) -> None:
    for session in playthrough(game, 11, leanings, **rulings):
        state = session.state
        assert set(cards_in(state["taken_out"])) == MARKED
        found = sorted(number for place in PLACES for number in cards_in(state[place]))
        assert found == sorted(set(range(1, 57)) - MARKED)
        assert len(found) == 50


@pytest.mark.parametrize("leanings", PAIRS, ids="-".join)
def test_a_hand_is_shown_to_its_player_alone(game: Game, leanings: tuple[str, str]) -> None:
    for session in playthrough(game, 12, leanings):
        hands = session.state["Player.hand"]
        for seat in (0, 1):
            view = session.view(seat)
            shown, rival = view["state"]["Player.hand"], str(1 - seat)
            assert shown[str(seat)] == hands[str(seat)]
            assert shown[rival] == {"count": len(hands[rival]), "known": []}


@pytest.mark.parametrize("leanings", PAIRS, ids="-".join)
def test_each_team_is_its_own_players(game: Game, leanings: tuple[str, str]) -> None:
    asked = set()
    for session in playthrough(game, 13, leanings):
        decision = session.decision
        if decision is not None and decision.team is not None:
            assert decision.player == CAPTAINS[decision.team]
            asked.add(decision.team)
    assert asked == set(CAPTAINS)


# ------------------------------------------------------------------ who wins


def living(state: dict[str, Any], team: str) -> int:
    """How many explorers of a team are alive."""
    member, health = {"of": "Team", "key": team}, state["Explorer.health"]
    return sum(own == member and health[name] > 0 for name, own in state["Explorer.team"].items())


def winner(state: dict[str, Any], reason: str) -> int:
    """The seat that wins, worked out again from the last state."""
    alive = {team: living(state, team) for team in CAPTAINS}
    place, path, began = state["Team.place"], state["Team.path"], state["first_leader"]["key"]
    home = [team for team in CAPTAINS if place[team] == CITY]
    lost = [team for team in CAPTAINS if not alive[team]]

    def order(team: str) -> tuple[int, ...]:
        second = CAPTAINS[team] != began
        if home:
            return place[team] == CITY, alive[team], len(path[team]), second
        if lost:
            return alive[team] > 0, place[team] if len(lost) == 2 else 0, second
        return place[team], alive[team], second

    expected = "arrival" if home else "wiped_out" if lost else "out_of_time"
    assert reason == expected
    return CAPTAINS[max(CAPTAINS, key=order)]


def stopped(state: dict[str, Any], team: str) -> bool:
    """Has a team walked all the way, or met an end on it?"""
    walked = not state["Team.path"][team] and not state["Team.table"][team]
    home = state["Team.place"][team] == CITY
    return walked or home or not living(state, team) or not cards_in(state["deck"])


@pytest.mark.parametrize("rulings", RULINGS, ids=lambda r: " ".join(r.values()) or "as shipped")
def test_every_game_has_one_winner(game: Game, rulings: dict[str, str]) -> None:
    reasons = set()
    for seed in range(60):
        *_, session = playthrough(game, seed, PAIRS[seed % len(PAIRS)], **rulings)
        outcome = session.outcome
        assert outcome is not None
        assert sorted([*outcome.winners, *outcome.losers]) == [0, 1]
        assert outcome.winners == (winner(session.state, outcome.reason),)
        assert all(stopped(session.state, team) for team in CAPTAINS)
        reasons.add(outcome.reason)
    assert reasons == (ENDINGS - {"out_of_time"} if game is GAME else ENDINGS)


def test_the_seats_are_about_even() -> None:
    report = simulate(GAME, mode="versus", players=2, games=400, seed=3)
    assert report.faults == []
    assert report.finished == report.winners.total() == 400
    # Four standard errors of a fair coin on either side.
    assert set(report.winners) == {"player 0", "player 1"}
    assert all(160 <= games <= 240 for games in report.winners.values())


@pytest.mark.parametrize("rulings", RULINGS[1:], ids=lambda r: " ".join(r.values()))
def test_random_games_run_without_a_fault(rulings: dict[str, str]) -> None:
    report = simulate(GAME, mode="versus", players=2, rulings=rulings, games=60, seed=7)
    assert report.faults == []
    assert report.finished == 60
    assert set(report.outcomes) <= ENDINGS


# ------------------------------------------------------------------ saves


def test_a_game_in_a_hike_can_be_saved_and_taken_up() -> None:
    rules = set()
    for session in playthrough(GAME, 5, ("forward", "none")):
        if session.decision is not None and session.decision.rule not in rules:
            rules.add(session.decision.rule)
            taken_up = GAME.resume(session.save())
            assert taken_up.digest() == session.digest()
            assert taken_up.legal == session.legal
    assert {"lay_path", "share_paths", "announce", "weaken"} <= rules
