"""Cards that break what happens to be true of the base deck: the rules must not rely on it.

One set is made of cards that were published beside the game, the other of cards of ours that
combine what no printed card combines. Numbers need not be whole.
"""

import shutil
from pathlib import Path

import pytest

from rulelang.game import Game, load
from rulelang.scenarios import ScenarioResult, run
from rulelang.simulation import simulate

FOLDER = Path(__file__).parents[3] / "games" / "lost_expedition"

PUBLISHED = """
card 0.5 "Huge Nest!"
  event: spend health, gain food, gain food
  event: skip, skip, skip, skip

card 5.5 "Lair!"
  event: spend food
  choice: spend health, spend health, gain ammo, gain ammo, gain navigation
  choice: gain jungle

card 10.5 "Dino Attack!"
  event: spend health, spend health, swap, skip, remove
  option: spend ammo, spend ammo, gain food, gain food, gain jungle, gain camping

card 20.5 "Possessed!"
  event: death, gain health, gain health, gain food, gain food
  option: death, gain health, gain food, gain ammo, gain ammo, gain ammo

card 25.5 "Muiraquitã!"
  event: gain camping
  option: spend navigation, gain health, gain health

card 30.5 "Mapinguari!"
  choice: spend food, spend food, spend food, gain navigation, gain jungle, gain camping
  choice: spend camping, spend jungle

card 40.5 "Golden Idol!"
  event: spend food, gain navigation, gain camping, gain jungle
  option: spend food, spend food, gain health, gain health

card 50.5 "Clever Girls!"
  event: gain jungle
  choice: spend ammo, spend ammo
  choice: death, spend health
  choice: spend navigation, spend camping, spend ammo

card 99.5 "Ancient Trap!"
  event: add, add, add, swap
  choice: death, advance, advance, advance
  choice: advance
  choice: spend health, spend health, advance, advance
"""

OURS = """
card 57 "Two yellow boxes that cost Ammunition"
  event: spend ammo, gain food
  event: spend ammo, gain food, gain food

card 58 "Ammunition in a yellow box, spent in a red and a blue one"
  event: gain ammo
  choice: gain food, spend ammo
  choice: spend health
  option: spend ammo, gain food, gain food

card 59 "A lone red box"
  choice: spend health
  option: gain food

card 60 "Red boxes for Ammunition only"
  choice: spend ammo
  choice: spend ammo, spend ammo
  option: gain food

card 61 "An Expertise that is gained and then asked for"
  event: gain jungle
  option: spend jungle, gain food

card 62 "A Death and then a Health"
  event: spend health
  choice: gain ammo, death
  choice: death, death

card 63 "Ammunition within its own box"
  choice: gain ammo, spend ammo
  choice: gain food

card 64 "An Expertise in two boxes"
  event: gain jungle
  choice: gain camping
  choice: spend food
"""

SCENARIOS = """
scenario "one Ammunition pays one of two yellow boxes"
  given
    mode solo
    gather 3 for red
    red.ammo = 1
    red.table = [57]
  when resolve 57 for red
  then red.ammo == 0 and red.food == 1 and discard is [57]

scenario "without Ammunition a yellow box is passed over"
  given
    mode solo
    gather 3 for red
    red.table = [57]
  when resolve 57 for red
  then red.ammo == 0 and red.food == 0 and discard is [57]

scenario "Ammunition of an earlier box counts, once"
  given
    mode solo
    gather 3 for red
    red.table = [58]
  when resolve 58 for red
  answer "gain food, spend ammo"
  then red.ammo == 0 and red.food == 1

scenario "or for the blue box, if the red one leaves it"
  given
    mode solo
    gather 3 for red
    red.table = [58]
  when resolve 58 for red
  answer "spend health"
  answer "trigger spend ammo, gain food, gain food"
  answer roy
  then red.ammo == 0 and red.food == 2

scenario "a lone red box is forced"
  given
    mode solo
    gather 3 for red
    red.table = [59]
  when resolve 59 for red
  answer decline
  offers bessie, candido, roy
  answer roy
  then roy.health == 2

scenario "where no red box can be paid, the blue ones follow"
  given
    mode solo
    gather 3 for red
    red.table = [60]
  when resolve 60 for red
  answer "trigger gain food"
  then red.food == 1 and discard is [60]

scenario "two Ammunition in a box need two"
  given
    mode solo
    gather 3 for red
    red.ammo = 1
    red.table = [50.5]
  when resolve 50.5 for red
  offers "death, spend health", "spend navigation, spend camping, spend ammo"
  answer "spend navigation, spend camping, spend ammo"
  answer specialist candido
  answer specialist bessie
  then red.ammo == 0 and red.kept is [50.5]

scenario "a card does not pay for itself"
  given
    mode solo
    gather 3 for red
    red.table = [61]
  when resolve 61 for red
  answer "trigger spend jungle, gain food"
  offers "specialist roy", "other bessie", "other candido"
  answer specialist roy
  then red.kept is [61] and red.food == 1

scenario "who dies first cannot lose the Health of the same card"
  given
    mode solo
    gather 3 for red
    red.table = [62]
  when resolve 62 for red
  answer "gain ammo, death"
  answer roy
  offers bessie, candido
  answer bessie
  then bessie.health == 2 and red.ammo == 1

scenario "Ammunition of the same box does not count"
  given
    mode solo
    gather 3 for red
    red.table = [63]
  when resolve 63 for red
  then red.food == 1 and red.ammo == 0

scenario "two boxes with a gain keep the one card"
  given
    mode solo
    gather 3 for red
    red.table = [64]
  when resolve 64 for red
  answer "gain camping"
  then red.kept is [64] and discard is empty

scenario "both yellow boxes, in printed order"
  given
    mode solo
    gather 3 for red
    red.table = [0.5]
    red.path = [1, 2, 3, 4, 5]
  when resolve 0.5 for red
  answer roy
  then red.food == 2 and red.path is [5] and discard is [0.5, 1, 2, 3, 4]

scenario "a red box that kills twice"
  given
    mode solo
    gather 3 for red
    red.table = [62]
  when resolve 62 for red
  answer "death, death"
  answer roy
  answer bessie
  then living(red) is [candido] and candido.health == 2

scenario "three Advances do not go beyond the city"
  given
    mode solo
    gather 3 for red
    red.place = 8
    red.table = [99.5]
  when resolve 99.5 for red
  answer "spend health, spend health, advance, advance"
  then ended(arrival) and red.place == 9 and red.path is empty

scenario "a morning is sorted by numbers that are not whole"
  given
    mode solo
    leader.hand = [50, 51]
    deck = [0.5, 10, 10.5]
  when lay_path morning
  draw 10.5, 0.5
  answer 51
  then red.path is [0.5, 10, 10.5, 50, 51]
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """The game with both sets in its deck, and other scenarios; its checks still hold."""
    folder = tmp_path_factory.mktemp("games") / "lost_expedition"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("scenarios"))
    cards = folder / "cards.rules"
    cards.write_text(cards.read_text(encoding="utf-8") + PUBLISHED + OURS, encoding="utf-8")
    (folder / "scenarios").mkdir()
    (folder / "scenarios" / "other.rules").write_text(SCENARIOS, encoding="utf-8")
    return load(folder)


@pytest.fixture(scope="module")
def results(game: Game) -> dict[str, ScenarioResult]:
    return {result.name: result for result in run(game)}


NAMES = [line.split('"')[1] for line in SCENARIOS.splitlines() if line.startswith("scenario")]


@pytest.mark.parametrize("name", NAMES)
def test_scenario(results: dict[str, ScenarioResult], name: str) -> None:
    result = results[name]
    assert result.ok, f"line {result.failed_line}: {result.message}"


def test_all_the_cards_are_in_the_deck(game: Game) -> None:
    assert len(game.entries("Card")) == 56 + PUBLISHED.count("card ") + OURS.count("card ")


@pytest.mark.parametrize(
    ("mode", "players", "rulings"),
    [
        ("solo", 1, {}),
        ("solo", 1, {"announcing": "when_reached", "priority": "printed"}),
        ("solo", 1, {"empty_deck": "at_last_card", "priority": "box_first"}),
        ("coop", 2, {"short_payment": "allowed"}),
        ("coop", 5, {"announcing": "when_reached"}),
    ],
)
def test_random_games_run_without_a_fault(
    game: Game, mode: str, players: int, rulings: dict[str, str]
) -> None:
    report = simulate(game, mode=mode, players=players, rulings=rulings, games=200, seed=11)
    assert report.faults == []
    assert report.finished == 200
