"""What authors mistype, and the words that they are told."""

from __future__ import annotations

import pytest

from rulelang.diagnostic import Diagnostic
from tests.check.helper import FILE, analyse, found

LANE = 'lane west "West"\n'
POT = "kind Pot by name\n  cost: 1 to 5\nafter sell\n  for c in Pot where c.cost > 1: nothing\n"


def only(text: str) -> Diagnostic:
    """The one diagnostic that the lines give."""
    (diagnostic,) = analyse(text).diagnostics
    return diagnostic


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        (LANE + "  take Bassket\n", "there is no Tool `Bassket`", "did you mean basket?"),
        (
            LANE + "  take Machete\n",
            "there is no Tool `Machete`",
            "One of: ladder, basket, Pruning Saw.",
        ),
        (LANE + "  earn two\n", "`two` is no whole number", "Write a figure: 2."),
        (LANE + "  earn 2 steal\n", "two instructions and no comma", "Write `earn 2, steal`."),
        (
            LANE + "  with Basket earn 1\n",
            "a colon is missing after `Basket`",
            "What follows on the same line stands behind `:`.",
        ),
        (LANE + "  with Basket:\n", "nothing stands under `with Basket:`", "or `nothing`"),
        (LANE + "  without: earn 1\n", "this `without` has no `with`", "the same indentation"),
        (
            LANE + "  close, earn 2\nrule close: end sold\n",
            "nothing after `close` happens",
            "Put `earn 2` before `close`, or take it away.",
        ),
        (
            LANE + "  judge apple\n    ripe: earn 1\n",
            "nothing is said for `rotten`",
            "Add `rotten: …`",
        ),
        (LANE + "  roll d6\n    1 to 2: steal\n    4 to 6: steal\n", "there is no line for 3", ""),
        (
            LANE + "  roll d6\n    1 to 3: steal\n    3 to 6: steal\n",
            "3 stands on two lines",
            "",
        ),
        (LANE + "  -> north\n", "`->` has no meaning", "Nothing jumps with an arrow"),
        (LANE + "  // later\n", "`//` has no meaning", "Notes begin with `#`."),
        (
            LANE + "  coins = coins + 1\n",
            "content does not calculate",
            "Call a rule that changes the value: `earn <1 to 4>`.",
        ),
        ('tree 1 "Again" apple\n  yield: steal\n', "tree 1 stands here twice", "Change one"),
        ("after sell: open markt\n".replace("markt", "fair"), "there is no moment `fair`", ""),
        ("pots\n  name | cost\n  clay | 7\n" + POT, "7 is above 5", "It may be 1 to 5."),
        (
            "pots\n  name | cost\n  clay\n" + POT,
            "this row has 1 cell, and the heading has 2",
            "",
        ),
        ("after sell: earnn 1 for players[1]\n", "no rule `earnn`", "did you mean earn?"),
        (
            "after sell: noted += [owner.coins]\n",
            "`coins` is asked of a Player or none",
            "It may be none: ask `owner is not none` first.",
        ),
        (
            "after pick for p\n  may choose c from p.hand by p\n  move c to heap\n",
            "a Tree or none cannot be moved",
            "It may be none: ask `c is not none` first.",
        ),
        ("after sell: noted += 3\n", "a list of number is needed here", ""),
        ("after sell: owner = p_1\n", "there is no value `p_1`", ""),
        ("after sell: owner = 1\n", "and this is the number 1", "`players[1]` is the first seat."),
    ],
)
def test_a_mistake_is_explained(text: str, message: str, help: str) -> None:
    diagnostic = only(text)
    assert message in diagnostic.message
    assert help in (diagnostic.help or "")


@pytest.mark.parametrize(
    "text",
    [
        LANE + "  take pruning-saw\n",
        LANE + "  take PRUNING_SAW\n",
        LANE + "  take Pruning Saw\n",
        "lane west “West”\n  take “Pruning Saw”\n",
        "Lane west “West”\n  Gather Pear\n",
    ],
)
def test_names_are_taken_as_printed(text: str) -> None:
    assert found(text) == []


def test_a_missing_number_is_shown_between_its_neighbours() -> None:
    kind = "kind Pot by number, base 1 to 3\n  cost: number\n"
    pots = "pot 1\n  cost: 1\npot 3\n  cost: 1\n"
    diagnostic = only(kind + pots + "after sell\n  for c in Pot where c.cost > 1: nothing\n")
    assert diagnostic.message == "there is no pot 2"
    assert (diagnostic.line, [note.span.line for note in diagnostic.notes]) == (3, [5])


def test_an_entry_that_stands_twice_points_to_the_first() -> None:
    diagnostic = only('lane north "Again"\n  steal\n')
    assert diagnostic.file == FILE
    assert [note.span.file for note in diagnostic.notes] == ["head.rules"]


def test_a_name_misspelt_often_is_reported_once_with_places() -> None:
    diagnostic = only(LANE + "  take Bassket\n" * 16)
    assert [note.span.line for note in diagnostic.notes] == [3, 4, 5]


def test_a_close_name_can_be_put_in_by_a_fix() -> None:
    fix = only(LANE + "  take Bassket\n").fix
    assert fix is not None
    assert [(edit.span.line, edit.span.column, edit.text) for edit in fix.edits] == [
        (2, 8, "basket")
    ]


def test_a_missing_colon_can_be_put_in_by_a_fix() -> None:
    fix = only(LANE + "  with Basket earn 1\n").fix
    assert fix is not None
    assert [(edit.span.column, edit.text) for edit in fix.edits] == [(14, ":")]
