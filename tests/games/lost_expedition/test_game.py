"""The shipped game as a whole: it checks without a word, and its scenarios pass and cover it."""

from pathlib import Path

import pytest

from rulelang.errors import UsageError
from rulelang.game import Game, check, load
from rulelang.scenarios import ScenarioResult, run
from rulelang.simulation import simulate
from rulelang.trace import Trace, trace

FOLDER = Path(__file__).parents[3] / "games" / "lost_expedition"
GAME = load(FOLDER)
RESULTS = run(GAME)


@pytest.fixture(scope="module")
def covered() -> Trace:
    return trace(GAME)


def test_it_checks_without_errors_and_warnings() -> None:
    assert [d for d in check(FOLDER) if d.severity in ("error", "warning")] == []


@pytest.mark.parametrize("result", RESULTS, ids=lambda r: f"{Path(r.file).stem}: {r.name}")
def test_scenario(result: ScenarioResult) -> None:
    assert result.ok, f"{result.file}:{result.failed_line}: {result.message}"


def test_every_scenario_cites_what_it_shows() -> None:
    assert [r.name for r in RESULTS if not r.cites] == []
    assert len(RESULTS) >= 250


def test_every_clause_is_cited(covered: Trace) -> None:
    assert covered.missing == ()
    assert covered.unknown == ()
    assert covered.cited == covered.clauses == 242


def test_clauses_are_shown_at_work(covered: Trace) -> None:
    # The player aids (TLE-10) do nothing, so nothing can show them.
    assert covered.not_exercised == ("TLE-10",)
    assert covered.exercised / covered.clauses >= 0.95


@pytest.mark.parametrize(
    ("ruling", "others"),
    [
        ("priority", {"box_first", "printed"}),
        ("announcing", {"when_reached"}),
        ("short_payment", {"allowed"}),
        ("empty_deck", {"at_last_card"}),
    ],
)
def test_every_reading_of_a_ruling_has_a_scenario(ruling: str, others: set[str]) -> None:
    tried = {s.options.get(ruling) for s in GAME.program.scenarios}
    assert tried == {None, *others}
    default = GAME.program.settings[ruling].default.key
    assert {str(e.key) for e in domain_of(GAME, ruling)} == {str(default), *others}


def domain_of(game: Game, ruling: str) -> tuple[object, ...]:
    return game.program.domains[game.program.settings[ruling].domain].entries


# ------------------------------------------------------------------ who may play


@pytest.mark.parametrize(("mode", "players"), [("coop", 1), ("coop", 6), ("solo", 2)])
def test_other_numbers_of_players_are_refused(mode: str, players: int) -> None:
    with pytest.raises(UsageError, match="players"):
        GAME.start(mode=mode, players=players)


def test_the_game_for_one_has_no_difficulty() -> None:
    with pytest.raises(UsageError, match="difficulty"):
        GAME.start(mode="solo", settings={"difficulty": "hard"})


# ------------------------------------------------------------------ random play

CONFIGURATIONS = [
    ("solo", 1, {}, {}),
    ("solo", 1, {}, {"priority": "box_first", "announcing": "when_reached"}),
    ("solo", 1, {}, {"priority": "printed", "short_payment": "allowed"}),
    ("solo", 1, {}, {"empty_deck": "at_last_card"}),
    ("coop", 2, {"difficulty": "easy"}, {}),
    ("coop", 3, {"difficulty": "hard"}, {"announcing": "when_reached"}),
    ("coop", 4, {"starter": "first_seat"}, {"empty_deck": "at_last_card"}),
    ("coop", 5, {}, {"priority": "printed"}),
]


@pytest.mark.parametrize(("mode", "players", "settings", "rulings"), CONFIGURATIONS)
def test_random_games_come_to_an_end(
    mode: str, players: int, settings: dict[str, str], rulings: dict[str, str]
) -> None:
    report = simulate(
        GAME, mode=mode, players=players, settings=settings, rulings=rulings, games=60, seed=7
    )
    assert report.faults == []
    assert report.finished == 60
    assert set(report.outcomes) <= {"arrival", "wiped_out", "out_of_time"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_a_player_is_shown_no_other_hand(players: int) -> None:
    session = GAME.start(mode="coop", players=players, seed=players)
    hands = session.state["Player.hand"]
    for seat in range(players):
        shown = session.view(seat)["state"]["Player.hand"]
        assert shown[str(seat)] == hands[str(seat)]
        others = [shown[str(other)] for other in range(players) if other != seat]
        assert all(hand == {"count": 4 if players > 2 else 6, "known": []} for hand in others)
