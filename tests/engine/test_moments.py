"""Moments: who is asked, in which order, and when a window closes."""

from __future__ import annotations

from rulelang.session import Session
from tests.engine.helper import play

TEXT = """
state per p: Player
  coins: 0 or more = 1
moment pause "Spend a coin?" for p: Player
rule play
  open pause for first(players)
  trail += [99]
during pause for q when q.coins > 0
  offer spend "Spend"
    q.coins -= 1
    trail += [1]
"""


def seat(session: Session) -> object:
    assert session.decision is not None
    return session.decision.player


def test_the_window_asks_from_the_active_seat_on() -> None:
    session = play(
        TEXT.replace("open pause for first(players)", "open pause for players[2]"), players=3
    )
    asked = [seat(session)]
    for _ in range(2):
        session.choose("decline")
        asked.append(seat(session))
    assert asked == [1, 2, 0]


def test_it_closes_when_all_have_declined_in_a_row() -> None:
    session = play(TEXT, "decline", "decline", "decline", players=3)
    assert (session.over, session.state["trail"]) == (True, [99])


def test_it_begins_anew_with_the_active_seat_after_each_play() -> None:
    session = play(TEXT, "decline", "spend", players=3)
    assert (seat(session), session.legal) == (0, ("spend", "decline"))


def test_who_has_nothing_to_play_is_not_asked() -> None:
    session = play(TEXT, "spend", players=3)
    assert seat(session) == 1


def test_where_nobody_can_play_nobody_is_asked() -> None:
    session = play(TEXT.replace("= 1\n", "\n", 1), players=3)
    assert (session.ledger, session.state["trail"]) == ((), [99])


def test_a_play_consumes_what_it_needs_until_nothing_is_left() -> None:
    session = play(TEXT, "spend", "spend", "spend", players=3)
    assert session.state["trail"] == [1, 1, 1, 99]


def test_the_prompt_is_the_moment_s() -> None:
    session = play(TEXT, players=2)
    assert session.decision is not None
    assert session.decision.prompt == "Spend a coin?"


def test_a_moment_of_nobody_begins_with_the_first_seat() -> None:
    text = TEXT.replace(" for p: Player\nrule", "\nrule").replace(
        "pause for first(players)", "pause"
    )
    assert seat(play(text, players=2)) == 0


def test_offers_of_several_declarations_stand_in_one_decision() -> None:
    more = 'during pause for q when q.coins > 0\n  offer wave "Wave"\n    q.coins -= 1\n'
    assert play(TEXT + more, players=2).legal == ("spend", "wave", "decline")


def test_a_window_opened_by_a_play_is_resolved_first() -> None:
    text = """
state per p: Player
  coins: 0 or more = 1
moment first_pause "First?"
moment second_pause "Second?"
rule play: open first_pause
during first_pause for q when q.coins > 0
  offer outer "Outer"
    q.coins -= 1
    open second_pause
    trail += [1]
during second_pause when trail is empty
  offer inner "Inner": trail += [2]
"""
    session = play(text, "outer", "inner", players=1)
    assert session.state["trail"] == [2, 1]


def test_a_declaration_is_for_its_modes_only() -> None:
    text = TEXT.replace(
        "during pause for q when q.coins > 0", "during pause for q when q.coins > 0 in alone"
    )
    assert play(text, players=1).legal == ("spend", "decline")
    assert play(text, players=2).over
