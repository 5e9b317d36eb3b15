"""What entries are when they are said again."""

from __future__ import annotations

import re

import pytest

import rulelang
from rulelang.errors import UsageError
from rulelang.meaning import meaning_of
from rulelang.reading import Reading
from tests.read.toy import ENTRIES, RULES, SAID, game

TOY = game()


def said(deeds: str, mode: str | None = None) -> str:
    """What the instructions of a box say, in another version of the rules."""
    made = game(entries=f'tree 1 "A"\n  yield: {deeds}\n')
    return made.read("tree 1", mode=mode).split("\n")[1].strip()


def test_every_sort_of_entry_is_said_again() -> None:
    assert TOY.read() == SAID


def test_an_entry_is_read_alone_and_a_kind_as_a_whole() -> None:
    assert TOY.read("crow") == "Crow ada, Old Ada\n\nCrow Finn"
    assert TOY.read(TOY.entry("crow finn")) == TOY.read("finn") == "Crow Finn"


def test_a_draft_is_left_out_unless_it_is_named() -> None:
    assert "To come" not in TOY.read()
    assert TOY.read("To come") == "Tree 3, To come\n  Nothing is written here yet."


def test_the_wording_is_that_of_the_mode() -> None:
    assert said("rest") == said("rest", "crew") == "Yield: rest together."
    assert said("rest", "alone") == "Yield: rest alone."


def test_the_wording_of_one_version_counts_for_all() -> None:
    assert said("wade", "alone") == "Yield: wade for the crew."


@pytest.mark.parametrize(
    ("deeds", "text"),
    [
        ("earn 1", "gain 1 point"),
        ("earn 0", "gain 0 points"),
        ("look round", "look round"),
        ("sleep in 1 rope", "sleep in 1 rope"),
        ("earn 1, wade", "gain 1 point, then wade for the crew"),
        ("nothing", "nothing"),
    ],
)
def test_instructions(deeds: str, text: str) -> None:
    assert said(deeds) == f"Yield: {text}."


@pytest.mark.parametrize(
    ("wording", "yes", "no"),
    [
        ("with a {t}", "With a rope: gain 1 point.", "Without a rope: gain 1 point."),
        ("if a {t} is there", "If a rope is there: gain 1 point.", "Unless a rope is there: "),
        ("when roped", "When roped: gain 1 point.", "Unless roped: gain 1 point."),
        ("the {t} in hand", "The rope in hand: gain 1 point.", "Unless the rope in hand: "),
        ("", "With rope: gain 1 point.", "Without rope: gain 1 point."),
    ],
)
def test_both_sides_of_a_condition(wording: str, yes: str, no: str) -> None:
    rules = RULES.replace('"with a {t}"', f'"{wording}"')
    paths = 'hillpath a "A"\n  with rope: earn 1\nhillpath b "B"\n  without rope: earn 1\n'
    made = game(rules, paths)
    assert made.read("a").split("\n")[1] == f"  {yes}"
    assert made.read("b").split("\n")[1].startswith(f"  {no}")


def test_slots_beyond_the_arguments_show_their_names() -> None:
    rules = RULES.replace(
        "define up_early for p: Player", 'define up_early(p: Player) "if {p} is up"'
    )
    assert "If p is up: rest together." in game(rules).read("north")


def test_words_do_not_change_the_meaning() -> None:
    bare = re.sub(r'(?<=[)\w]) "[^"]*"(?= (for|in) )', "", RULES)
    assert bare.count('"') < RULES.count('"') - 10
    assert meaning_of(game(bare).program) == meaning_of(TOY.program)
    assert meaning_of(
        game(RULES.replace("define rich(n: 0 to 9)", "define rich(n: 0 to 8)")).program
    )
    other = RULES.replace("gives Result: return win", "gives Result: return lose")
    assert meaning_of(game(other).program) != meaning_of(TOY.program)


def test_effects_have_a_description_in_the_schema() -> None:
    definitions = TOY.schema()["$defs"]
    assert definitions["do.earn"]["description"] == "Gain <n> points."
    assert definitions["do.fight"]["description"] == "Fight at <t>."
    assert "description" not in definitions["do.look_round"]


def test_what_comes_back_from_json_is_read_alike() -> None:
    finished = ENTRIES.replace('tree 3 "To come"\n', "").replace(
        'gate" "East Gate": nothing', 'gate" "East Gate": wade'
    )
    made = game(entries=finished)
    assert rulelang.from_json(made.export()).read() == made.read()


def test_shipped_cards_say_every_symbol() -> None:
    expedition = rulelang.load("lost_expedition")
    assert expedition.read("card 34") == (
        "Card 34, Lost\n"
        "  Choice: put a card of the deck at the end of the path, put a card of the deck at the end"
        " of the path, gain 1 camping, then discard the next card of the path.\n"
        "  Choice: give up 1 navigation, give up 1 navigation, then move one place on."
    )
    words = Reading(expedition.program, "solo").words
    effects = {s for card in expedition.entries("card") for box in card.boxes for s in box.symbols}
    assert [str(e) for e in effects if expedition.program.wording(e.rule, "solo") is None] == []
    assert len({words.effect(effect) for effect in effects}) == len(effects)


@pytest.mark.parametrize("wrong", ["tree 9", "", "Twim", "rope"])
def test_an_entry_that_is_not_there(wrong: str) -> None:
    with pytest.raises(UsageError, match="there is no entry"):
        TOY.read(wrong)
