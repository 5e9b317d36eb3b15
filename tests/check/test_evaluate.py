"""How good a position is (`evaluate`): bots go by nothing that their player may not see."""

import pytest

from rulelang.analysis import analyse_sources
from rulelang.loader import Sources

GAME = """game a "A"
  mode two "Two" players 2
kind Card by number
state
  deck: pile of Card, hidden = Card
state per p: Player
  hand: set of Card, seen by p
  coins: 0 or more
card 1
card 2
card 3
define riches for q: Player = q.coins + sum(c in q.hand: c.number)
rule play
  for p in players
    draw from deck to p.hand else return
    p.coins += 1
  do_more for players[1]
rule do_more for p: Player
  if riches(p) > 9: p.coins += 1
outcome
  else: won by players
  evaluate for p: Player = """


def found(expression: str) -> list[str]:
    sources = Sources("a", {"g.rules": f"{GAME}{expression}\n"}, {})
    return [
        f"{d.code} {d.line}:{d.column} {d.message}" for d in analyse_sources(sources).diagnostics
    ]


@pytest.mark.parametrize(
    "expression",
    ["riches(p)", "size(deck) + p.coins", "sum(q in players: q.coins) - size(players[2].hand)"],
)
def test_what_the_player_sees_counts(expression: str) -> None:
    assert found(expression) == []


@pytest.mark.parametrize(
    ("expression", "column"),
    [("sum(q in players: riches(q))", 46), ("sum(q in players: sum(c in q.hand: 1))", 55)],
)
def test_the_hands_of_others_do_not(expression: str, column: int) -> None:
    said = "a bot must not go by what its player may not see: Player's `hand`"
    assert found(expression) == [f"R409 22:{column} {said}"]


def test_an_evaluate_stands_once() -> None:
    said = found("1\n  evaluate for p: Player = 2")
    assert said == ["N202 23:3 how good a position is stands here twice"]


def test_what_a_mode_does_not_have_does_not_count() -> None:
    text = GAME.replace("kind Card", '  mode one_more "Three" players 3\nkind Card', 1).replace(
        "state\n", "state in one_more\n  bids: 0 or more\nstate\n", 1
    )
    lacking = Sources("a", {"g.rules": f"{text}bids\n"}, {})
    asked = Sources("a", {"g.rules": f"{text}if mode is one_more then bids else 0\n"}, {})
    said = [f"{d.code} {d.message}" for d in analyse_sources(lacking).diagnostics]
    assert said == ["N212 `bids` is used in `two`, and does not exist there"]
    assert analyse_sources(asked).diagnostics == ()
