"""Cards that break what happens to be true of the base deck: the rules must not rely on it.

One pack has cards that were published beside the game, with numbers that are not whole. The other
extends that pack by cards of ours, which combine what no printed card combines.
"""

import shutil
from pathlib import Path

import pytest

from rulelang.errors import SaveError
from rulelang.game import Game, check, load
from rulelang.scenarios import ScenarioResult, run
from rulelang.simulation import simulate

PROMO, ODD = (Path(__file__).parent / name for name in ("promo_pack", "odd_pack"))
NUMBERS = ["0.5", "5.5", "10.5", "20.5", "25.5", "30.5", "40.5", "50.5", "99.5"]


def scenarios(folder: Path) -> list[str]:
    text = (folder / "scenarios.rules").read_text(encoding="utf-8")
    return [line.split('"')[1] for line in text.splitlines() if line.startswith("scenario")]


@pytest.fixture(scope="module")
def game() -> Game:
    """The game with both packs."""
    return load(ODD)


@pytest.fixture(scope="module")
def results(game: Game) -> dict[str, ScenarioResult]:
    return {result.name: result for result in run(game)}


@pytest.mark.parametrize("folder", [PROMO, ODD], ids=lambda folder: folder.name)
def test_a_pack_checks_clean(folder: Path) -> None:
    assert check(folder) == ()


@pytest.mark.parametrize("name", [*scenarios(PROMO), *scenarios(ODD)])
def test_scenario(results: dict[str, ScenarioResult], name: str) -> None:
    result = results[name]
    assert result.ok, f"{result.file}:{result.failed_line}: {result.message}"


def test_all_the_cards_are_in_the_deck(game: Game) -> None:
    labels = [card.label for card in game.entries("Card")]
    assert [label for label in labels if "." in label] == [f"card {n}" for n in NUMBERS]
    assert len(labels) == 56 + len(NUMBERS) + 8


def test_a_save_of_the_plain_game_is_refused(game: Game) -> None:
    plain = load("lost_expedition")
    saved = plain.start(mode="solo", seed=5).save()
    assert plain.program.meaning != game.program.meaning
    with pytest.raises(SaveError) as caught:
        game.resume(saved)
    assert str(caught.value) == (
        "this is a save of 'lost_expedition' without packs, "
        "not with the packs 'promo_pack', 'odd_pack'"
    )


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


# ---------------------------------------------------------------- what an owner corrects

CORRECTED = """
extends promo_pack

# As on my copy.
replaces card 40.5 "Golden Idol!"
  event: spend food, gain camping, gain jungle, gain navigation
  option: spend food, spend food, gain health, gain health

scenario "the gains of the idol come as they are printed"
  given
    mode solo
    gather 3 for red
    red.food = 1
    red.table = [40.5]
  when resolve 40.5 for red
  answer "decline"
  then red.food == 0 and red.kept is [40.5]
"""


def corrected(tmp_path: Path, text: str) -> Path:
    shutil.copytree(PROMO, tmp_path / "promo_pack")
    folder = tmp_path / "my_copy"
    folder.mkdir()
    (folder / "my_copy.rules").write_text(text, encoding="utf-8")
    return folder


def test_an_owner_corrects_a_card(tmp_path: Path) -> None:
    folder = corrected(tmp_path, CORRECTED)
    assert check(folder) == ()
    game = load(folder)
    first = game.entry("card 40.5").boxes[0]
    assert first.text == "spend food, gain camping, gain jungle, gain navigation"
    (result,) = run(game, "the gains of the idol")
    assert result.ok, result.message


def test_a_card_of_the_game_that_is_corrected_is_proved_again(tmp_path: Path) -> None:
    """The game's checks are about its numbers, and so about what takes the place of a card."""
    text = 'extends promo_pack\nreplaces card 17 "Ambush!"\n  event: spend health\n'
    found = check(corrected(tmp_path, text))
    assert {d.code for d in found} == {"C505"}
    assert {d.file for d in found} == {"promo_pack/lost_expedition/checks.rules"}
    for problem in found:
        assert [(n.span.file, n.span.line, n.label) for n in problem.notes] == [
            ("my_copy.rules", 2, "a pack replaces card 17")
        ]


def test_a_card_of_the_game_is_not_written_again(tmp_path: Path) -> None:
    text = 'extends promo_pack\ncard 17 "Ambush!"\n  event: spend health\n'
    (problem,) = check(corrected(tmp_path, text))
    assert str(problem) == "my_copy.rules:2:6: error[C502] the game has card 17 already"
    assert problem.help == "To replace it, write `replaces card 17 …`."
