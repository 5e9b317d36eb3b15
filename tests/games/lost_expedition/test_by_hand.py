"""The solo game in the interpreter and the one written by hand: the same answers, the same game.

Random answers starve early, so others are bred: answers are changed as long as the game that they
make becomes no worse by some measure. Measured by how far the pawn gets, games are won; measured by
how many cards are drawn, the deck is shuffled again and gives out.
"""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from rulelang import CHANCE
from rulelang.game import Game, load
from tests.bench import solo_by_hand as solo

FOLDER = Path(__file__).parents[3] / "games" / "lost_expedition"
MOST_EVENTS = 1500  # of one kind, in one game

Ledger = list[tuple[str, int, int]]
"""For each event its kind, the number of its options, and the index of the answer."""


@pytest.fixture(scope="module")
def game() -> Game:
    return load(FOLDER)


# ------------------------------------------------------------------ by hand


class Shares(NamedTuple):
    """Answers, each as a share of the options that there are."""

    picks: list[float]
    draws: list[float]


class Played(NamedTuple):
    """A game by hand: its ledger, its result and its last state."""

    ledger: Ledger
    result: solo.Result
    state: solo.Game


def by_hand(shares: Shares) -> Played:
    ledger: Ledger = []

    def answering(kind: str, answers: list[float]) -> Callable[[int], int]:
        stream = iter(answers)

        def answer(n: int) -> int:
            index = int(next(stream) * n)
            ledger.append((kind, n, index))
            return index

        return answer

    state = solo.Game(answering("pick", shares.picks), answering("chance", shares.draws))
    try:
        solo.run(state)
    except solo.End as end:
        result = solo.finish(state, end.args[0])
    return Played(ledger, result, state)


def random_shares(random: Random) -> Shares:
    return Shares(
        [random.random() for _ in range(MOST_EVENTS)], [random.random() for _ in range(MOST_EVENTS)]
    )


def changed(shares: Shares, played: solo.Result, random: Random) -> Shares:
    """A copy with a few other answers, mostly late ones: early ones change all that follows."""
    trial = Shares(shares.picks.copy(), shares.draws.copy())
    for answers, used, late in (
        (trial.picks, played.decisions, 25),
        (trial.draws, played.chances, 8),
    ):
        for _ in range(1 + int(random.random() * 3)):
            low = 0 if random.random() < 0.3 else max(0, used - late)
            answers[low + int(random.random() * (used - low))] = random.random()
        if random.random() < 0.6:
            break
    return trial


def bred(seed: int, worth: Callable[[solo.Result], Any], steps: int) -> Shares:
    random = Random(seed)
    best = random_shares(random)
    result = by_hand(best).result
    for _ in range(steps):
        trial = changed(best, result, random)
        outcome = by_hand(trial).result
        if worth(outcome) >= worth(result):
            best, result = trial, outcome
    return best


# ------------------------------------------------------------------ both


def assert_same(game: Game, played: Played) -> None:
    """Play the ledger in the interpreter; every event, the result and the last state must agree."""
    session = game.start(mode="solo", chance="explicit")
    for place, (kind, count, index) in enumerate(played.ledger):
        decision = session.decision
        assert decision is not None, f"over before event {place}"
        open_event = "chance" if decision.player == CHANCE else "pick", len(decision.options)
        assert open_event == (kind, count), f"event {place}: {decision.prompt}"
        session.choose(index)
    outcome, result = session.outcome, played.result
    assert outcome is not None, "still going on"
    assert outcome.reason == result.reason
    assert outcome.winners == ((0,) if result.won else ())
    assert outcome.scores == {0: result.score}
    assert last_state(session.state) == by_hand_state(played)


def numbers(cards: Any) -> list[int]:
    """The numbers of all cards in a zone as it is saved, in order."""
    if isinstance(cards, dict) and "key" in cards:
        return [cards["key"]]
    parts = cards.values() if isinstance(cards, dict) else cards
    return [number for part in parts for number in numbers(part)]


def last_state(state: dict[str, Any]) -> dict[str, Any]:
    red = {name: state[f"Team.{name}"]["red"] for name in ("food", "ammo", "place", "kept", "path")}
    cards = {name: numbers(red.pop(name)) for name in ("kept", "path")}
    return {
        **red,
        **cards,
        "hand": numbers(state["Player.hand"]["0"]),
        "health": {name: state["Explorer.health"][name] for name in solo.TEAM},
        "reshuffled": state["reshuffled"],
        "deck": sorted(numbers(state["deck"])),
        "discard": sorted(numbers(state["discard"])),
    }


def by_hand_state(played: Played) -> dict[str, Any]:
    g, result = played.state, played.result
    return {
        "food": result.food,
        "ammo": result.ammo,
        "place": result.place,
        "kept": g.kept,
        "path": g.path,
        "hand": g.hand,
        "health": dict(zip(solo.TEAM, g.health, strict=True)),
        "reshuffled": g.reshuffled,
        "deck": g.deck,
        "discard": sorted(g.discard),
    }


@pytest.mark.parametrize("seed", range(10))
def test_random_games(game: Game, seed: int) -> None:
    random = Random(seed)
    for _ in range(40):
        assert_same(game, by_hand(random_shares(random)))


def farthest(result: solo.Result) -> Any:
    return result.place, result.score


def longest(result: solo.Result) -> Any:
    return result.reason == "out_of_time", not result.won, result.chances, result.food + result.ammo


def around(shares: Shares, seed: int, count: int) -> list[Played]:
    """The game that these shares make, and others that differ a little."""
    random = Random(seed)
    first = by_hand(shares)
    return [first, *(by_hand(changed(shares, first.result, random)) for _ in range(count))]


def test_games_that_get_far(game: Game) -> None:
    seen: Counter[str] = Counter()
    for seed in range(6):
        for played in around(bred(seed, farthest, 1200), seed, 8):
            assert_same(game, played)
            seen[played.result.reason] += 1
    assert seen["arrival"] >= 6
    assert seen["wiped_out"] >= 1


def test_games_that_last_long(game: Game) -> None:
    seen: Counter[str] = Counter()
    reshuffled = 0
    for seed in range(6):
        for played in around(bred(seed, longest, 2500), seed, 8):
            assert_same(game, played)
            seen[played.result.reason] += 1
            reshuffled += played.state.reshuffled
    assert reshuffled >= 10
    assert seen["wiped_out"] >= 10


def test_games_whose_deck_gives_out(game: Game) -> None:
    for seed in range(40):
        shares = bred(seed, longest, 6000)
        if by_hand(shares).result.reason == "out_of_time":
            break
    games = around(shares, seed, 20)
    assert games[0].result.reason == "out_of_time"
    for played in games:
        assert_same(game, played)
    assert sum(played.state.reshuffled for played in games) >= 10
