"""Decisions: when one opens, what its options are, and where each leads."""

from __future__ import annotations

import pytest

from rulelang.errors import ChoiceError
from tests.engine.helper import keys, play

CHOOSE = """
rule play
  choose c from Colour{where} by players[1] "Which?"{rest}
"""


def choosing(where: str = "", rest: str = "\n    note 1\n") -> str:
    return CHOOSE.format(where=where, rest=rest) + "rule note(n: number): trail += [n]\n"


def test_options_come_in_canonical_order() -> None:
    assert play(choosing()).legal == ("red", "green", "blue")


def test_a_choice_opens_even_with_one_option() -> None:
    assert play(choosing(" where c is blue")).legal == ("blue",)


def test_where_a_choice_has_a_way_out_nobody_is_asked_without_candidates() -> None:
    session = play(choosing(" where size(trail) > 0", " else return\n  note 2\n"))
    assert (session.over, session.state["trail"]) == (True, [])


def test_an_else_block_stands_for_no_candidates() -> None:
    session = play(choosing(" where size(trail) > 0", "\n    note 1\n  else: note 2\n  note 3\n"))
    assert session.state["trail"] == [2, 3]


def test_an_else_block_is_passed_over_after_a_choice() -> None:
    session = play(choosing("", "\n    note 1\n  else: note 2\n  note 3\n"), "red")
    assert session.state["trail"] == [1, 3]


def test_may_adds_a_refusal_at_the_end() -> None:
    text = choosing().replace("  choose", "  may choose")
    assert play(text).legal == ("red", "green", "blue", "decline")
    assert play(text, "decline").state["trail"] == []
    assert play(text, "red").state["trail"] == [1]


def test_may_without_candidates_asks_nobody() -> None:
    text = choosing(" where size(trail) > 0").replace("  choose", "  may choose")
    assert play(text).over


def test_may_else_stands_for_a_refusal_and_for_no_candidates() -> None:
    rest = "\n    note 1\n  else: note 2\n"
    text = choosing("", rest).replace("  choose", "  may choose")
    assert play(text, "decline").state["trail"] == [2]
    none = choosing(" where size(trail) > 0", rest).replace("  choose", "  may choose")
    assert play(none).state["trail"] == [2]


def test_the_one_who_is_named_decides() -> None:
    session = play(choosing().replace("players[1]", "players[2]"), players=2)
    assert session.decision is not None
    assert (session.decision.player, session.decision.prompt) == (1, "Which?")


OFFERS = """
state
  purse: 0 or more = 3
  stock: set of Card = [1, 3]
rule play
  choose by players[1] "How is it paid?"
    offer coin "Two coins" when purse >= 2
      trail += [1]
    offer card "A card" for c in stock where c.number > 1
      trail += [10 + c.number]
    offer debt "A debt": trail += [3]
"""


def test_several_offers_are_one_decision_in_written_order() -> None:
    session = play(OFFERS)
    assert session.legal == ("coin", "card card 3", "debt")
    assert session.decision is not None
    assert [o.text for o in session.decision.options] == [
        "Two coins",
        "A card: Cedar (3)",
        "A debt",
    ]


@pytest.mark.parametrize(("label", "noted"), [("coin", 1), ("card card 3", 13), ("debt", 3)])
def test_each_offer_leads_to_its_own_lines(label: str, noted: int) -> None:
    assert play(OFFERS, label).state["trail"] == [noted]


def test_an_offer_whose_condition_fails_is_left_out() -> None:
    assert play(OFFERS.replace("= 3\n", "= 1\n", 1)).legal == ("card card 3", "debt")


def test_values_of_options_are_json() -> None:
    session = play(OFFERS)
    assert session.decision is not None
    values = [option.value for option in session.decision.options]
    assert values == [None, {"of": "Card", "key": 3}, None]


def test_equal_candidates_are_one_option() -> None:
    text = """
state
  bag: pile of Card = [1, 1, 2]
  shelf: set of Card
rule play
  choose c from bag by players[1] "Which?" else return
  move c to shelf
"""
    assert play(text).legal == ("card 1", "card 2")
    session = play(text, "card 1")
    assert (keys(session, "bag"), keys(session, "shelf")) == ([1, 2], [1])


def test_a_row_is_offered_in_its_order() -> None:
    text = """
state
  path: row of Card = [3, 1, 2]
rule play
  choose c from path by players[1] "Which?" else return
  trail += [c.number]
"""
    assert play(text).legal == ("card 3", "card 1", "card 2")


def test_a_choice_among_numbers_and_lists() -> None:
    text = """
rule play
  choose n from [3, 5, 3] by players[1] "How many?"
  choose s from subsets([1, 2], 1, 2) by players[1] "Which?" else return
  trail = [n]
  trail += s
"""
    session = play(text)
    assert session.legal == ("3", "5")
    session.choose("5")
    assert session.legal == ("[1]", "[2]", "[1, 2]")
    session.choose("[1, 2]")
    assert session.state["trail"] == [5, 1, 2]


def test_what_stands_inside_an_entry_is_called_by_what_it_says() -> None:
    text = """
kind Deal by number
  parts: list of Part
kind Part
  one of cheap, dear
  body: list of effect
deal 1
  cheap: note 1
  cheap: note 1
  dear: note 2, tint deep_red
names Paint: deep_red, pale
rule note(n: number): trail += [n]
rule tint(p: Paint)
  if p is deep_red: trail += [7]
rule play
  choose p from Deal[1].parts by players[1] "Which?" else return
  for s in p.body: do s
"""
    session = play(text)
    assert session.legal == ("note 1", "note 1 #2", "note 2, tint deep_red")
    session.choose("note 2, tint deep_red")
    assert session.state["trail"] == [2, 7]


def test_a_choice_may_be_made_by_index_label_or_option() -> None:
    session = play(choosing())
    assert session.decision is not None
    third = session.decision.options[2]
    for answer in (2, "blue", third):
        copy = session.clone()
        copy.choose(answer)
        assert copy.ledger == ("blue",)


@pytest.mark.parametrize("answer", ["purple", 3, -1, True, None, 1.0, ["red"]])
def test_another_answer_is_refused_and_changes_nothing(answer: object) -> None:
    session = play(choosing())
    before = session.save()
    with pytest.raises(ChoiceError) as caught:
        session.choose(answer)  # type: ignore[arg-type]
    assert caught.value.legal == ("red", "green", "blue")
    assert session.save() == before


def test_a_game_that_is_over_takes_no_choice() -> None:
    session = play(choosing(), "red")
    with pytest.raises(ChoiceError, match="over"):
        session.choose(0)
    assert session.legal == ()


def test_a_team_s_decision_names_the_team_and_the_seat() -> None:
    text = """
names Team: north, south
rule play: pick for south
rule pick for t: Team
  choose c from Colour by players[2] "Which?"
  if t is south and c is red: trail += [1]
"""
    session = play(text, players=2)
    assert session.decision is not None
    assert (session.decision.player, session.decision.team) == (1, "south")


def test_a_decision_cites_its_line_first() -> None:
    text = """
rule play  cites TOY-1
  trail += [1]  cites TOY-2
  choose c from Colour by players[1] "Which?"  cites TOY-3
    trail += [2]
"""
    session = play(text)
    assert session.decision is not None
    assert session.decision.cites == ("TOY-3", "TOY-1")
