"""What only a scenario may claim: who wins, the score, what a seat sees; and how lines fail."""

from pathlib import Path

import pytest

from rulelang.game import check, load
from rulelang.scenarios import ScenarioResult, run

GAME = """
game market "A market"
  mode fair "At the fair" players 2
  mode alone "Alone" players 1

kind Ware by number
  title: text

state
  store: pile of Ware, hidden = Ware
  stall: row of Ware
state per p: Player
  basket: set of Ware, seen by p
  coins:  0 or more

ending closed "The market closes"

outcome in fair
  when ended(closed): won by first(players)
  else: lost by players
  scores for p: Player = p.coins * 2

rule play in fair
  end closed
rule play in alone
  end closed

rule buy for p: Player
  choose w from stall by p "Which ware?" else return
  move w to p.basket
"""
WARES = """
ware 1 "Salt"
ware 2.5 "Tea"
ware 3 "Silk"
"""


def market(folder: Path, scenario: str) -> Path:
    texts = {"game.rules": GAME, "wares.rules": WARES, "scenarios.rules": scenario}
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def outcome_of(folder: Path, lines: str, mode: str = "fair") -> ScenarioResult:
    steps = "".join(f"  {line}\n" for line in lines.splitlines())
    (result,) = run(load(market(folder, f'scenario "it" in {mode}\n{steps}')))
    return result


@pytest.mark.parametrize(
    "claim",
    [
        "wins(players[1]) and not wins(players[2])",
        "not loses(players[1]) and not loses(players[2])",
        "score(players[2]) == 6",
        "sees(players[1], stall) and sees(players[2], stall)",
        "sees(players[1], players[1].basket) and not sees(players[1], players[2].basket)",
        "not sees(players[1], store)",
    ],
)
def test_claims_that_hold(tmp_path: Path, claim: str) -> None:
    lines = f"given players[2].coins = 3\ngiven players[2].basket = [1]\nwhen play\nthen {claim}"
    assert outcome_of(tmp_path, lines).message == ""


def test_before_the_end_the_verdict_is_that_of_the_moment(tmp_path: Path) -> None:
    result = outcome_of(tmp_path, "given stall = [1]\nthen loses(players[1]) and loses(players[2])")
    assert result.ok


def test_what_was_shown_is_seen(tmp_path: Path) -> None:
    show = "rule show\n  reveal players[1].basket to players[2]\n"
    lines = "given players[1].basket = [1]\nwhen show\n"
    for claim, ok in (
        ("sees(players[2], players[1].basket)", True),
        ("sees(players[2], store)", False),
    ):
        steps = "".join(f"  {line}\n" for line in f"{lines}then {claim}".splitlines())
        (result,) = run(load(market(tmp_path, f'{show}scenario "it" in fair\n{steps}')))
        assert result.ok is ok, result.message


def test_a_claim_that_does_not_hold_fails_on_its_line(tmp_path: Path) -> None:
    result = outcome_of(tmp_path, "when play\nthen wins(players[2])")
    assert (result.ok, result.failed_line, result.message) == (False, 3, "this does not hold")


def test_a_mode_without_scores_has_none_to_claim(tmp_path: Path) -> None:
    result = outcome_of(tmp_path, "when play\nthen score(players[1]) == 0", "alone")
    assert "nobody has a score in mode alone" in result.message


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("then wins(players[1], players[2])", "T302"),
        ("then sees(players[1], 3)", "T301"),
        ("then score(stall) == 0", "T301"),
    ],
)
def test_claims_are_checked(tmp_path: Path, line: str, code: str) -> None:
    found = check(market(tmp_path, f'scenario "it" in fair\n  when play\n  {line}\n'))
    assert code in [d.code for d in found]


def test_rules_may_not_ask_for_the_verdict(tmp_path: Path) -> None:
    found = check(market(tmp_path, "define early(p: Player) = wins(p)\n"))
    assert "N201" in [d.code for d in found]


# ------------------------------------------------------------------ lines that fail

BUYING = "given stall = [1, 2.5, 3]\nwhen buy for players[1]\n"


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("offers 1, 3", "'ware 2.5' is offered too"),
        ("offers 1, 2.5, 3, salt", "'salt' is not offered"),
        ("answer player 1", "'player 1' is not legal"),
        ("answer 1 by players[2]", "player 0 decides here, not player 1"),
        ("draw 1", "'1' cannot come up now"),
        ("then stall is [1, 2.5, 3]", "this is still open"),
    ],
)
def test_what_does_not_fit_is_said(tmp_path: Path, line: str, part: str) -> None:
    result = outcome_of(tmp_path, BUYING + line)
    assert not result.ok
    assert part in result.message
    assert "Which ware?" in result.message or "decides here" in result.message


def test_numbers_that_are_not_whole_are_written_as_decimals(tmp_path: Path) -> None:
    result = outcome_of(tmp_path, f"{BUYING}answer 2.5\nthen players[1].basket is [2.5]")
    assert result.message == ""
