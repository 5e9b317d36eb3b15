"""Random words and chance events: published vectors, weights, exact probabilities."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from rulelang.engine.chance import MAX_WEIGHT, Words, block, merged, pick
from rulelang.engine.fault import Fault
from rulelang.session import CHANCE, Session
from tests.engine.helper import keys, play

VECTORS = json.loads(Path(__file__).with_name("vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "vector", VECTORS["words"], ids=lambda v: f"{v['seed']}:{v['source']}:{v['n']}"
)
def test_word(vector: dict[str, object]) -> None:
    seed, source, number = int(str(vector["seed"])), str(vector["source"]), int(str(vector["n"]))
    assert block(seed, source, number // 16)[number % 16] == vector["word"]


def test_words_follow_each_other_through_their_blocks() -> None:
    words = Words(7)
    drawn = [words.word("pile:deck") for _ in range(101)]
    expected = {v["n"]: v["word"] for v in VECTORS["words"] if v["source"] == "pile:deck"}
    assert {n: drawn[n] for n in expected} == expected


@pytest.mark.parametrize("vector", VECTORS["picks"], ids=lambda v: f"{v['word']}/{v['total']}")
def test_pick(vector: dict[str, int]) -> None:
    assert pick(vector["word"], vector["total"]) == vector["outcome"]


def test_a_copy_goes_on_at_the_same_place_and_shares_nothing() -> None:
    words = Words(3)
    words.word("die:d6")
    copy = words.copy()
    assert copy.word("die:d6") == words.word("die:d6")
    copy.word("die:d6")
    assert (words.counters, copy.counters) == ({"die:d6": 2}, {"die:d6": 3})


def test_a_word_that_is_passed_over_is_not_drawn() -> None:
    one, other = Words(3), Words(3)
    drawn = [one.word("die:d6") for _ in range(20)]
    for _ in range(16):
        other.skip("die:d6")
    assert other.peek("die:d6") == other.word("die:d6") == drawn[16]


def test_sources_do_not_depend_on_each_other() -> None:
    one, other = Words(3), Words(3)
    other.word("die:d8")
    assert one.word("die:d6") == other.word("die:d6")


def test_the_first_outcome_whose_cumulative_weight_is_greater_is_taken() -> None:
    session = play(
        "die coin: 0, 1, 1, 1\nrule play\n  roll n from coin\n  trail += [n]\n", chance="explicit"
    )
    event = session.machine.event
    assert event is not None
    assert [event.index_of(place) for place in range(4)] == [0, 1, 1, 1]  # type: ignore[union-attr]


def test_more_outcomes_than_a_word_can_tell_apart_are_a_fault() -> None:
    outcomes, weights = merged(range(MAX_WEIGHT))
    assert len(outcomes) == sum(weights) == MAX_WEIGHT
    with pytest.raises(Fault, match="65,536"):
        merged(range(MAX_WEIGHT + 1))


# ---------------------------------------------------------------- rolls


def outcomes(session: Session) -> dict[str, Fraction]:
    assert session.decision is not None
    assert session.decision.player == CHANCE
    found = {}
    for option in session.decision.options:
        assert option.probability is not None
        found[option.label] = option.probability
    return found


def test_a_roll_has_its_faces_with_exact_probabilities() -> None:
    session = play("rule play\n  roll n from d6\n  trail += [n]\n", chance="explicit")
    assert outcomes(session) == {str(n): Fraction(1, 6) for n in range(1, 7)}


def test_equal_faces_are_one_outcome() -> None:
    text = "die signal: go, go, 3, stop\nrule play\n  roll n from signal\n"
    text += "  if n is stop: trail += [1]\n"
    session = play(text, chance="explicit")
    third, half = Fraction(1, 4), Fraction(1, 2)
    assert outcomes(session) == {"3": third, "go": half, "stop": third}
    session.choose("stop")
    assert session.state["trail"] == [1]


def test_every_die_of_several_is_an_event() -> None:
    text = "rule play\n  roll ns from d6 times 3\n  trail = ns\n"
    session = play(text, "4", "1", "4", chance="explicit")
    assert session.state["trail"] == [4, 1, 4]


def test_dice_are_thrown_in_written_order() -> None:
    text = "die d4: 1 to 4\nrule play\n  roll a from d6, b from d4\n  trail = [a, b]\n"
    session = play(text, "6", chance="explicit")
    assert session.legal == ("1", "2", "3", "4")


def test_no_roll_for_no_times() -> None:
    assert play("rule play\n  roll ns from d6 times 0\n  trail = ns\n", chance="explicit").over


def test_a_roll_goes_to_the_state() -> None:
    text = "state\n  pips: 0 to 6\nrule play\n  roll pips from d6\n"
    assert play(text, "5", chance="explicit").state["pips"] == 5


def test_a_seat_may_be_drawn_by_lot() -> None:
    text = "state\n  leader: Player\nrule play\n  roll leader from players\n"
    session = play(text, players=3, chance="explicit")
    assert session.legal == ("player 0", "player 1", "player 2")


@pytest.mark.parametrize(("face", "noted"), [("1", 1), ("2", 2), ("3", 2), ("6", 3)])
def test_a_roll_table_takes_the_line_of_the_face(face: str, noted: int) -> None:
    text = """
rule play
  roll d6
    1: trail += [1]
    2, 3: trail += [2]
    else: trail += [3]
"""
    assert play(text, face, chance="explicit").state["trail"] == [noted]


# ---------------------------------------------------------------- draws

DRAW = """
state
  deck: pile of Card, hidden = {cards}
  shelf: row of Card
rule play
  {first}
  draw from deck to right(shelf) else return
  draw from deck to right(shelf) else return
"""


def draw(cards: str = "[1, 2, 3]", first: str = "nothing") -> str:
    return DRAW.format(cards=cards, first=first)


def test_a_mixed_pile_gives_each_of_its_cards() -> None:
    session = play(draw(), chance="explicit")
    assert outcomes(session) == {f"card {n}": Fraction(1, 3) for n in (1, 2, 3)}
    session.choose("card 2")
    assert session.legal == ("card 1", "card 3")
    session.choose("card 3")
    assert (keys(session, "shelf"), keys(session, "deck")) == ([2, 3], [1])


def test_copies_are_one_outcome_and_weigh_by_their_number() -> None:
    session = play(draw("[1, 1, 1, 2]"), "card 1", chance="explicit")
    assert outcomes(session) == {"card 1": Fraction(2, 3), "card 2": Fraction(1, 3)}


def test_a_card_on_top_is_certain_and_still_an_event() -> None:
    session = play(draw(first="move Card[4] to top(deck)"), chance="explicit")
    assert outcomes(session) == {"card 4": Fraction(1)}
    session.choose(0)
    assert len(session.legal) == 3


def test_the_copy_on_top_is_drawn_not_one_below() -> None:
    session = play(
        draw("[1, 1, 2]", "move Card[1] from shelf to top(deck)").replace(
            "shelf: row of Card", "shelf: row of Card = [1]"
        ),
        "card 1",
        chance="explicit",
    )
    assert session.state["deck"]["top"] == []
    assert keys(session, "deck") == [1, 1, 2]


def test_a_card_at_the_bottom_comes_last() -> None:
    session = play(draw("[1]", "move Card[4] to bottom(deck)"), chance="explicit")
    assert session.legal == ("card 1",)
    session.choose(0)
    assert session.legal == ("card 4",)


def test_an_empty_pile_gives_nothing() -> None:
    assert play(draw("[]"), chance="explicit").over


def test_mixing_makes_the_order_unknown() -> None:
    session = play(
        draw(first="move Card[4] to top(deck), mix deck".replace(", mix", "\n  mix")),
        chance="explicit",
    )
    assert len(session.legal) == 4


def test_a_draw_may_bind_what_it_has_drawn() -> None:
    text = """
state
  deck: pile of Card, hidden = [3]
  shelf: set of Card
rule play
  draw c from deck to shelf
    trail += [c.number]
  draw d from deck to shelf
    trail += [d.number]
  else: trail += [0]
"""
    assert play(text).state["trail"] == [3, 0]


# ---------------------------------------------------------------- ways of running

BOTH = """
state
  deck: pile of Card, hidden = Card
  hand: set of Card
rule play
  roll n from d6
  draw from deck to hand else return
  choose c from Colour by players[1] "Which?"
  roll m from d6
  trail = [n, m]
"""


def test_sampled_chance_follows_the_words() -> None:
    session = play(BOTH, seed=7)
    words = Words(7)
    face, card = pick(words.word("die:d6"), 6) + 1, pick(words.word("pile:deck"), 4) + 1
    assert session.ledger == (str(face), f"card {card}")


def test_the_same_seed_gives_the_same_chance() -> None:
    ledgers = {play(BOTH, "red", seed=seed).ledger for seed in (1, 1, 1)}
    assert len(ledgers) == 1
    assert len({play(BOTH, "red", seed=seed).ledger for seed in range(9)}) > 3


def test_chance_does_not_depend_on_who_answers() -> None:
    sampled = play(BOTH, "red", seed=5)
    explicit = play(BOTH, *sampled.ledger, chance="explicit")
    assert explicit.digest() == sampled.digest()


def test_undo_meets_the_same_chance() -> None:
    session = play(BOTH, "red", seed=5)
    ledger = session.ledger
    session.undo()
    session.choose("red")
    assert session.ledger == ledger


def test_an_event_that_a_script_answers_takes_its_word_all_the_same() -> None:
    sampled = play(BOTH, "red", seed=5)
    scripted = play(BOTH, seed=5, script=[sampled.ledger[0]])
    scripted.choose("red")
    assert scripted.ledger == sampled.ledger
