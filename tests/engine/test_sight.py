"""Decisions of which only play shows that their options are another's secret."""

from __future__ import annotations

import pytest

from rulelang.errors import GameFault
from rulelang.session import Session
from tests.engine.helper import play

TABLE = """
state
  deck: pile of Card, hidden = Card
state per p: Player
  hand: set of Card, seen by p
define other(p: Player) = next(players, p)
define chooser = first(players)
define held(c: Card) for p: Player = p.hand has c
rule play
  for p in players
    draw from deck to p.hand else return
  {lines}
"""


def table(*lines: str, players: int = 2) -> Session:
    text = TABLE.format(lines="\n  ".join(lines))
    script = ("card 3", "card 1", "card 2")[:players]
    return play(text, players=players, script=script)


def labels(session: Session) -> list[str]:
    assert session.decision is not None
    return [option.label for option in session.decision.options]


def test_a_hand_may_be_chosen_from_by_whom_it_belongs_to() -> None:
    lines = "choose c from (first(players)).hand by chooser", "  move c to deck"
    assert labels(table(*lines)) == ["card 3"]


def test_the_hand_of_another_stops_the_rule() -> None:
    lines = "choose c from (other(chooser)).hand by chooser", "  move c to deck"
    with pytest.raises(GameFault, match="player 0 decides, and may not see player 1's hand"):
        table(*lines)


def test_a_condition_that_reads_it_through_a_question_stops_the_rule() -> None:
    lines = "choose c from Card where held(c, other(chooser)) by chooser", "  move c to deck"
    with pytest.raises(GameFault, match="may not see player 1's hand"):
        table(*lines)


def test_what_was_revealed_before_is_seen() -> None:
    lines = (
        "reveal (players[2]).hand to chooser",
        "choose c from (other(chooser)).hand by chooser",
        "  move c to deck",
    )
    assert labels(table(*lines)) == ["card 1"]


def test_a_card_that_came_later_is_not() -> None:
    lines = (
        "reveal (players[2]).hand to chooser",
        "draw from deck to (players[2]).hand else return",
        "choose c from (other(chooser)).hand by chooser",
        "  move c to deck",
    )
    with pytest.raises(GameFault, match="may not see player 1's hand"):
        table(*lines, players=2).choose("card 2")


def test_what_is_not_read_stops_nothing() -> None:
    lines = (
        "choose c from Card where c.number == 1 or held(c, other(chooser)) by chooser",
        "  move c to deck",
    )
    with pytest.raises(GameFault):
        table(*lines)
    lines = (lines[0].replace(" or ", " and "), lines[1])
    with pytest.raises(GameFault):
        table(*lines)
    lines = (lines[0].replace("c.number == 1 and", "no and"), lines[1], "else: nothing")
    assert table(*lines).over


def test_how_many_cards_another_holds_is_open() -> None:
    lines = (
        "choose p from players where size(p.hand) == 1 by chooser",
        "  draw from deck to p.hand else return",
    )
    assert labels(table(*lines)) == ["player 0", "player 1"]
