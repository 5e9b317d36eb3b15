"""What a seat may see: fields, marks, logs and decisions."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rulelang.errors import UsageError
from rulelang.session import Session
from tests.engine.helper import keys_of, play

TABLE = """
state
  deck:    pile of Card, hidden = Card
  discard: pile of Card
  path:    row of Card
  plan:    Colour, hidden
state per p: Player
  hand:  set of Card, seen by p
  coins: 0 or more, seen by list(q in players where q is not p)
rule play
  setup
  {lines}
  choose c from Colour by players[1] "Which?"
    plan = c
rule setup
  for p in players
    draw from deck to p.hand else return
"""


def table(*lines: str, script: tuple[str, ...] = ("card 3", "card 1"), **options: Any) -> Session:
    text = TABLE.format(lines="\n  ".join(lines) or "nothing")
    return play(text, players=2, script=script, **options)


def seen(session: Session, seat: int, field: str, owner: str | None = None) -> Any:
    value = session.view(seat)["state"][field]
    return value if owner is None else value[owner]


def test_what_everybody_sees_is_there_as_in_the_state() -> None:
    session = table("move Card[4] to right(path)")
    assert seen(session, 1, "path") == session.state["path"]


def test_a_hidden_pile_shows_its_size_only() -> None:
    assert seen(table(), 0, "deck") == {"count": 2, "known": []}


def test_a_hidden_value_shows_nothing() -> None:
    assert seen(table(), 0, "plan") == {"hidden": True}


def test_a_hand_is_seen_by_its_owner() -> None:
    session = table()
    assert keys_of(seen(session, 0, "Player.hand", "0")) == [3]
    assert seen(session, 1, "Player.hand", "0") == {"count": 1, "known": []}


def test_a_field_may_be_seen_by_all_but_its_owner() -> None:
    session = table()
    assert seen(session, 0, "Player.coins") == {"0": {"hidden": True}, "1": 0}


def test_nothing_of_the_referee_s_is_in_a_view() -> None:
    session = table(seed=123456789)
    text = json.dumps(session.view(1))
    for word in ("123456789", session.digest(), "ledger", "seed", "pool"):
        assert word not in text.replace('"pool": []', "")


def test_the_decision_is_in_the_view_of_who_decides() -> None:
    session = table()
    decision = session.view(0)["decision"]
    assert [option["label"] for option in decision["options"]] == ["red", "green", "blue"]
    assert session.view(1)["decision"] is None


def test_a_chance_event_is_nobody_s_decision() -> None:
    session = table(script=(), chance="explicit")
    assert [session.view(seat)["decision"] for seat in (0, 1)] == [None, None]


@pytest.mark.parametrize("seat", [2, -1, True, "0", None, 0.0])
def test_there_is_no_view_of_another_seat(seat: object) -> None:
    with pytest.raises(UsageError, match="seat"):
        table().view(seat)  # type: ignore[arg-type]


# ---------------------------------------------------------------- marks


def known(session: Session, seat: int, field: str, owner: str | None = None) -> list[Any]:
    return keys_of(seen(session, seat, field, owner)["known"])


def test_what_was_revealed_is_known() -> None:
    session = table("reveal players[1].hand to players[2]")
    assert known(session, 1, "Player.hand", "0") == [3]


def test_a_mark_moves_with_its_card() -> None:
    session = table("reveal players[1].hand to players[2]", "move Card[3] to top(deck)")
    assert known(session, 1, "deck") == [3]


def test_a_mark_moves_with_a_card_that_is_drawn_from_where_it_is_known() -> None:
    lines = ("reveal players[1].hand to players[2]", "move Card[3] to top(deck)")
    draw = "draw from deck to players[1].hand else return"
    session = table(*lines, draw, script=("card 3", "card 1", "card 3"))
    assert known(session, 1, "Player.hand", "0") == [3]


def test_mixing_clears_marks() -> None:
    lines = ("reveal players[1].hand to players[2]", "move Card[3] to top(deck)", "mix deck")
    assert known(table(*lines), 1, "deck") == []


def test_a_card_put_into_a_pile_without_order_is_mixed_in() -> None:
    session = table("reveal players[1].hand to players[2]", "move Card[3] to deck")
    assert (known(session, 1, "deck"), known(session, 0, "deck")) == ([], [])


def test_who_saw_where_a_card_came_from_knows_it_where_it_goes() -> None:
    session = table("move Card[3] to top(deck)")
    assert (known(session, 0, "deck"), known(session, 1, "deck")) == ([3], [])


def test_what_everybody_saw_everybody_knows() -> None:
    lines = ("move Card[3] to right(path)", "move Card[3] to players[2].hand")
    assert known(table(*lines), 0, "Player.hand", "1") == [3]


def test_of_several_copies_nobody_knows_which_one_it_is() -> None:
    text = """
state per p: Player
  hand: set of Card, seen by p = [1]
state
  secret: set of Card, hidden
rule play
  move Card[1] from players[1].hand to secret
  choose c from Colour by players[1] "Which?" else return
"""
    assert seen(play(text, players=2), 0, "secret") == {"count": 1, "known": []}


def test_marks_are_part_of_the_digest_and_of_saves() -> None:
    plain, marked = table("nothing"), table("reveal players[1].hand to players[2]")
    assert plain.state == marked.state
    assert plain.digest() != marked.digest()
    again = marked.game.resume(marked.save())
    assert again.view(1) == marked.view(1)


# ---------------------------------------------------------------- the log


def log(session: Session, seat: int) -> list[tuple[str, list[str]]]:
    return [(line["what"], line["arguments"]) for line in session.view(seat)["log"]]


def test_a_draw_shows_its_card_to_those_who_see_where_it_went() -> None:
    session = table()
    assert [a for what, a in log(session, 0) if what == "chance"] == [["card 3"], ["?"]]
    assert [a for what, a in log(session, 1) if what == "chance"] == [["?"], ["card 1"]]


def test_a_roll_is_seen_by_all() -> None:
    session = table("roll n from d6", "trail = [n]", script=("card 3", "card 1", "5"))
    assert ("chance", ["5"]) in log(session, 1)


def test_a_secret_roll_is_seen_by_nobody() -> None:
    text = """
state
  secret: 0 to 6, hidden
rule play
  roll secret from d6
  choose c from Colour by players[1] "Which?" else return
"""
    assert log(play(text, players=2), 0) == [("chance", ["?"])]


def test_a_choice_is_in_the_log_of_who_made_it() -> None:
    session = table()
    session.choose("green")
    assert ("choice", ["green"]) in log(session, 0)
    assert all(what != "choice" for what, _ in log(session, 1))


PASSED = """
state per p: Player
  hand: set of Card, seen by p
kind Chest by number
  body: list of Side
kind Side
  one of front, rear
  value: 0 to 9
chest 1
  front
    value: 3
state
  locked: set of Chest, hidden = Chest
rule play
  pass_on Card[2] players[2].hand Colour
  open_up Chest[1].body[1]
  choose c from Colour by players[1] "Which?" else return
rule pass_on(c: Card, held: list of Card, m: list of Colour)
  move c to players[2].hand
  pass_again [c] 3
rule pass_again(cs: list of Card, n: number): nothing
rule open_up(s: Side): nothing
"""


def test_arguments_are_shown_as_far_as_they_were_known_when_the_rule_was_called() -> None:
    session = play(PASSED, players=2)
    assert [a for _, a in log(session, 0)] == [
        ["?", "?", "[red, green, blue]"],
        ["?", "3"],
        ["?"],
    ]
    assert [a for _, a in log(session, 1)][1] == ["[card 2]", "3"]


def test_two_states_that_differ_in_what_a_seat_may_not_see_look_alike_to_it() -> None:
    one, other = table(script=("card 3", "card 1")), table(script=("card 4", "card 1"))
    assert one.view(1) == other.view(1)
    assert one.view(0) != other.view(0)


@pytest.mark.parametrize(
    ("argument", "shown"),
    [
        ("secret", "?"),
        ("(secret + 1)", "?"),
        ("hidden_sum", "?"),
        ("players[1].vote", "?"),
        ("size(players[2].hand)", "?"),
        ("3", "3"),
        ("known", "5"),
        ("(known + sum(q in players: 1))", "7"),
    ],
)
def test_numbers_that_may_come_of_hidden_things_are_not_in_the_log(
    argument: str, shown: str
) -> None:
    text = f"""
state
  secret: 0 to 9, hidden = 2
  known: 0 to 9 = 5
state per q: Player
  vote: 0 to 9, seen by q = 4
  hand: set of Card, seen by q
define hidden_sum = secret + 1
rule play
  note {argument}
  choose c from Colour by players[1] "Which?" else return
rule note(k: number): nothing
"""
    assert log(play(text, players=2), 1) == [("rule", [shown])]


@pytest.mark.parametrize(("hidden", "shown"), [(", hidden", "?"), ("", "2")])
def test_what_a_rule_was_given_may_come_from_anywhere(hidden: str, shown: str) -> None:
    text = f"""
state
  secret: 0 to 9{hidden} = 2
rule play
  let k = secret
  tally k for players[1]
  choose c from Colour by players[1] "Which?" else return
rule tally(k: number) for q: Player: nothing
"""
    assert log(play(text, players=2), 1) == [("rule", [shown, "player 0"])]
