"""Where cards lie: moves, mixing, sorting, exchanging."""

from __future__ import annotations

import pytest

from rulelang.errors import GameFault
from tests.engine.helper import keys, play

ZONES = """
state
  path: row of Card = [2, 1]
  shelf: set of Card
  deck: pile of Card
"""


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("move Card[3] to left(path)", [3, 2, 1]),
        ("move Card[3] to right(path)", [2, 1, 3]),
        ("move [Card[3], Card[4]] to right(path)", [2, 1, 3, 4]),
        ("move [Card[3], Card[4]] to left(path)", [3, 4, 2, 1]),
        ("move Card[2] to right(path)", [1, 2]),
        ("move path to left(path)", [2, 1]),
        ("sort path", [1, 2]),
        ("exchange Card[1] Card[2]", [1, 2]),
        ("exchange Card[1] Card[1]", [2, 1]),
    ],
)
def test_rows(line: str, path: list[int]) -> None:
    assert keys(play(ZONES + f"rule play: {line}\n"), "path") == path


@pytest.mark.parametrize(
    ("lines", "top", "pool", "bottom"),
    [
        ("move Card[3] to top(deck)", [3], [], []),
        ("move [Card[3], Card[4]] to top(deck)", [3, 4], [], []),
        ("move [Card[3], Card[4]] to bottom(deck)", [], [], [3, 4]),
        ("move [Card[4], Card[3]] to deck", [], [3, 4], []),
        ("move [Card[4], Card[3]] to top(deck)\n  mix deck", [], [3, 4], []),
        ("move [Card[4], Card[3]] to top(deck)\n  mix path into deck", [], [1, 2, 3, 4], []),
        ("move [Card[4], Card[3]] to bottom(deck)\n  move Card[4] to shelf", [], [], [3]),
        ("move [Card[4], Card[3]] to deck\n  mix deck into deck", [], [3, 4], []),
    ],
)
def test_piles(lines: str, top: list[int], pool: list[int], bottom: list[int]) -> None:
    deck = play(ZONES + f"rule play\n  {lines}\n").state["deck"]
    parts = [[entry["key"] for entry in deck[part]] for part in ("top", "pool", "bottom")]
    assert parts == [top, pool, bottom]


def test_a_set_is_kept_in_canonical_order() -> None:
    session = play(ZONES + "rule play\n  move Card[4] to shelf\n  move Card[3] to shelf\n")
    assert keys(session, "shelf") == [3, 4]


def test_a_card_leaves_where_it_lay() -> None:
    session = play(ZONES + "rule play: move Card[1] to shelf\n")
    assert (keys(session, "path"), keys(session, "shelf")) == ([2], [1])


def test_a_whole_zone_may_be_moved() -> None:
    session = play(ZONES + "rule play: move path to shelf\n")
    assert (keys(session, "path"), keys(session, "shelf")) == ([], [1, 2])


def test_cards_lie_at_home_in_the_beginning() -> None:
    text = "state per p: Player\n  hand: set of Card = [p.first_card]\n".replace(
        "p.first_card", "1"
    )
    assert keys(play(text + "rule play: nothing\n", players=2), "Player.hand", "1") == [1]


COPIES = """
state
  stock: pile of Card = [1, 1, 1]
state per p: Player
  hand: set of Card
rule play
  for p in players
    draw from stock to p.hand else return
  {}
"""


def test_from_says_which_copy_is_moved() -> None:
    text = COPIES.format("move Card[1] from players[2].hand to stock")
    session = play(text, players=2)
    held = [keys(session, "Player.hand", seat) for seat in "01"]
    assert (held, len(keys(session, "stock"))) == ([[1], []], 2)


def test_a_copy_that_could_be_any_of_several_needs_from() -> None:
    text = COPIES.replace("[1, 1, 1]", "[1, 1]").replace(
        "hand: set of Card", "hand: set of Card = []"
    )
    with pytest.raises(GameFault, match="several places"):
        play(text.format("move Card[1] to stock"), players=2)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("move Card[3] from path to shelf", "does not lie there"),
        ("exchange Card[3] Card[1]", "in no row"),
        ("exchange Card[1] Card[3]", "in one row"),
    ],
)
def test_a_card_must_lie_where_it_is_said_to(line: str, message: str) -> None:
    with pytest.raises(GameFault, match=message):
        play(ZONES + f"rule play: {line}\n")
