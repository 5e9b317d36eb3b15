"""Effects and scripts as values, and rounds in which several act at once."""

from __future__ import annotations

import pytest

from tests.engine.helper import play, trail

DEALS = """
names Team: north, south
kind Deal by number, for t: Team
  effects: list of effect
deal 1
  effects: gain 2, lose 1, cheer
state per t: Team
  food: 0 or more = 5
rule gain(n: 1 to 9) for t: Team: t.food += n
rule lose(n: 1 to 9) for t: Team: t.food -= n
rule cheer: trail += [7]
"""


def test_effects_are_carried_out_for_their_subject() -> None:
    session = play(DEALS + "rule play\n  for s in Deal[1].effects: do s for south\n")
    assert session.state["Team.food"] == {"north": 5, "south": 6}
    assert session.state["trail"] == [7]


@pytest.mark.parametrize(
    ("pattern", "number"),
    [("gain", 1), ("gain(2)", 1), ("gain(3)", 0), ("gain(any)", 1), ("cheer", 1), ("lose(1)", 1)],
)
def test_effects_are_looked_at(pattern: str, number: int) -> None:
    text = f"rule play: trail += [count(s in Deal[1].effects where s is {pattern})]\n"
    assert trail(DEALS + text) == [number]


def test_effects_are_picked_out_and_put_in_another_order() -> None:
    text = """
rule play
  for s in reversed(list(s in Deal[1].effects where s is not cheer)): do s for north
"""
    session = play(DEALS + text)
    assert [line.rule for line in session.log] == ["play", "lose", "gain"][1:]


def test_an_effect_may_be_a_value_of_a_decision() -> None:
    text = """
rule play
  choose s from Deal[1].effects by players[1] "Which?" else return
  do s for north
"""
    session = play(DEALS + text)
    assert session.legal == ("gain 2", "lose 1", "cheer")
    assert session.decision is not None
    assert session.decision.options[0].value == {"effect": "gain", "arguments": [2]}
    session.choose("lose 1")
    assert session.state["Team.food"]["north"] == 4


def test_an_effect_passes_through_the_hooks_of_its_rule() -> None:
    text = "rule play: do Deal[1].effects[1] for north\nafter gain(n) for t: t.food += 10\n"
    assert play(DEALS + text).state["Team.food"]["north"] == 17


# ---------------------------------------------------------------- at once

VOTE = """
state per p: Player
  hand: set of Card, seen by p
  bid:  0 to 9
state
  highest: 0 to 9
  boxes: map of Colour to 0 to 9
rule play
  for p in players at once
    choose n from numbers(1, 3) by p "How much?"
    p.bid = n
    highest = max(highest, n + p.bid)
  for p in players: trail += [p.bid]
"""


def test_what_is_done_at_once_is_published_in_one_step() -> None:
    session = play(VOTE, "3", players=3)
    assert session.state["Player.bid"] == {"0": 0, "1": 0, "2": 0}
    session.choose("1")
    session.choose("2")
    assert session.state["trail"] == [3, 1, 2]


def test_all_are_asked_in_seat_order_on_the_state_before() -> None:
    session = play(VOTE, players=3)
    asked = []
    while not session.over:
        assert session.decision is not None
        asked.append((session.decision.player, session.state["highest"]))
        session.choose("3")
    assert asked == [(0, 0), (1, 0), (2, 0)]
    assert session.state["highest"] == 3  # nobody's bid was there yet to be added


def test_answers_stay_sealed_until_all_are_given() -> None:
    one, other = play(VOTE, "3", players=2), play(VOTE, "1", players=2)
    assert one.view(1) == other.view(1)
    assert one.digest() != other.digest()


def test_writes_to_different_keys_of_a_map_all_count() -> None:
    text = """
state
  boxes: map of Colour to 0 to 9
rule play
  for c in Colour at once
    boxes[c] = size(trail) + 1
"""
    assert play(text).state["boxes"] == [1, 1, 1]


def test_a_round_is_saved_in_its_midst() -> None:
    session = play(VOTE, "3", players=2)
    again = session.game.resume(session.save())
    again.choose("2")
    session.choose("2")
    assert again.state == session.state


def test_each_script_of_an_entry_is_carried_out_by_itself() -> None:
    rules = """
kind Deed by name, for p: Player
  done: script
  missed: script
deed one
  note 1
  missed
    note 2
    if open_now: note 3
    else: note 4
deed two
  missed: note 5, note 6
  done: note 7
deeds
  name  | done   | missed
  three | note 8 |
define open_now = trail is not empty
rule note(n: 1 to 9) for p: Player: trail += [n]
rule play
  for d in Deed
    do d.done for players[1]
    do d.missed for players[1]
"""
    # In canonical order: one, three, two.
    assert trail(rules) == [1, 2, 3, 8, 7, 5, 6]
