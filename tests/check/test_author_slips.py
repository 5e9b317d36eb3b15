"""The likely mistakes of authors, each with the words that it is answered in and the line.

The game is `hollow.rules`: trails with frames as adventure charts have them, beasts to fight, cards
that are kept for a moment. A slip stands in a file of its own.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulelang.analysis import analyse_sources
from rulelang.diagnostic import Diagnostic
from rulelang.loader import Sources
from tests.check.helper import FILE

HOLLOW = (Path(__file__).parent / "hollow.rules").read_text(encoding="utf-8")
SECOND = 'trail 2 "Out"\n  frame: exit\n'
REST = 'trail 1 "In"\n  frame: score 1\n' + SECOND
BEASTS = "beasts\n  name | title | strength\n"
DEEPER = "Write what happens, or `nothing`; what belongs under it is indented deeper."
NO_WITH = "It must follow the condition, at the same indentation."
TECHNICAL = re.compile(r"\b(tokens?|expected one of|indent level|lexer|parser|terminal)\b", re.I)


def answers(text: str) -> list[Diagnostic]:
    """What is found in the lines, as a file beside the game."""
    rules = {"hollow.rules": HOLLOW, FILE: text}
    return list(analyse_sources(Sources("hollow", rules, {})).diagnostics)


def said(text: str) -> list[tuple[int, str, str, str | None]]:
    """Line, code, message and help of all that is found."""
    return [(d.line, d.code, d.message, d.help) for d in answers(text)]


def trail(*lines: str) -> str:
    """The first trail with these lines, and the second."""
    return "\n".join(('trail 1 "In"', *lines, SECOND))


def one(text: str, line: int, code: str, message: str, help: str | None) -> None:
    """Exactly this is found."""
    found = said(text)
    assert found == [(line, code, message, help)]
    assert not TECHNICAL.search(f"{message} {help}")


def test_the_game_of_the_mistakes_has_none() -> None:
    assert said(REST) == []


# ---------------------------------------------------------------- names, signs and layout


def test_a_tool_that_is_misspelt() -> None:
    text = trail("  frame: lose tool Machette")
    one(text, 2, "N201", "there is no Tool `Machette`", "did you mean machete?")


@pytest.mark.parametrize("name", ["Fish Tank", "fish-tank", "FISH_TANK", '"Fish Tank"'])
def test_a_name_may_be_written_as_printed_or_in_other_ways(name: str) -> None:
    assert said(trail(f"  frame: lose tool {name}")) == []


def test_what_a_word_processor_makes_of_quotes_dashes_and_blanks() -> None:
    text = REST.replace('"In"', "“In – and on”").replace("score 1", "score\u00a01")
    assert said(text) == []


def test_a_tab_among_blanks() -> None:
    text = trail("  frame", "    score 1", "\tscore 2")
    one(text, 4, "F701", "this line is indented by a tab", "`rulelang fmt` mends this.")


def test_a_quote_that_is_not_closed() -> None:
    text = REST.replace('"Out"', '"Out')
    one(text, 3, "S102", "this text has no closing quote", 'Close it with `"`.')


def test_a_colon_that_is_missing() -> None:
    text = trail("  frame", "    with Pole nothing", "    without: score 1")
    help = "What follows on the same line stands behind `:`."
    one(text, 3, "S107", "a colon is missing after `Pole`", help)


def test_a_line_that_is_not_indented_under_its_condition() -> None:
    text = trail("  frame", "    with Pole:", "    score 1")
    one(text, 3, "S109", "nothing stands under `with Pole:`", DEEPER)


def test_a_line_that_is_not_indented_under_its_frame() -> None:
    assert said(trail("  frame:", "  score 1")) == [
        (2, "S109", "nothing stands behind `frame:`", DEEPER),
        (
            3,
            "N206",
            "`score 1` stands under no label of a trail",
            "Indent it deeper, under what it belongs to.",
        ),
    ]


@pytest.mark.parametrize("above", ["    score 2", "    with Pole: nothing\n    score 2"])
def test_a_without_that_has_no_with_above_it(above: str) -> None:
    text = trail("  frame", above, "    without: score 1")
    line = text.split("\n").index("    without: score 1") + 1
    one(text, line, "C510", "this `without` has no `with` or `if` above it", NO_WITH)


# ---------------------------------------------------------------- instructions


def test_two_instructions_without_a_comma() -> None:
    text = trail("  frame: score 2 exit")
    one(text, 2, "C509", "two instructions and no comma between them", "Write `score 2, exit`.")


def test_a_number_in_letters() -> None:
    text = trail("  frame: score two")
    message = "`two` is no whole number; a number (1 to 6) is needed"
    one(text, 2, "T301", message, "Write a figure: 2.")


def test_an_instruction_behind_one_that_always_leaves() -> None:
    text = trail("  frame: exit, score 2")
    help = "Put `score 2` before `exit`, or take it away."
    one(text, 2, "R401", "nothing after `exit` happens", help)


def test_a_line_below_an_instruction_that_always_leaves() -> None:
    text = trail("  frame", "    exit", "    lose tool Pole")
    help = "Put `lose tool pole` before `exit`, or take it away."
    one(text, 4, "R401", "nothing after `exit` happens", help)


def test_an_argument_too_many() -> None:
    text = trail("  frame: go back 3")
    one(text, 2, "T302", "`3` is too much for `go back`", "It is written `go back`.")


# ---------------------------------------------------------------- what is missing, or there twice


def test_a_number_that_is_missing() -> None:
    text = 'trail 1 "In"\n  frame: score 1\n'
    one(text, 1, "C501", "there is no trail 2", "The game declares Trail 1 to 3.")


def test_a_number_that_stands_twice() -> None:
    text = REST + 'trail 2 "Again"\n  frame: exit\n'
    one(text, 5, "C502", "trail 2 stands here twice", "Change one of the two.")
    (found,) = answers(text)
    assert [note.span.line for note in found.notes] == [3]


def test_a_fight_of_which_one_outcome_is_not_said() -> None:
    text = trail("  frame", "    fight Moa", "      win: score 1", "      lose: go back")
    one(text, 3, "T306", "nothing is said for `draw`", "Add `draw: …`, or `draw: nothing`.")


def test_a_table_of_rolls_with_a_gap() -> None:
    text = trail("  frame", "    roll d6", "      1 to 2: score 1", "      4 to 6: nothing")
    help = "Add `3: …`, or `else: …` for all that is left."
    one(text, 3, "T306", "there is no line for 3", help)


def test_a_table_of_rolls_that_overlaps() -> None:
    text = trail("  frame", "    roll d6", "      1 to 3: score 1", "      3 to 6: nothing")
    one(text, 5, "C506", "3 stands on two lines", "Take it out of one of the two.")


def test_a_kept_card_that_never_says_when_is_found_by_a_check() -> None:
    (found,) = answers(REST + 'card 3 "Lamp" kept\n  deed: score 1\n')
    message = "this check fails: a kept card says when it may be played"
    assert (found.code, found.message) == ("C505", message)
    assert "card 3" in found.label


def test_a_chance_that_the_game_does_not_have() -> None:
    text = REST + 'card 3 "Lamp" kept\n  chance: in a chase\n  deed: score 1\n'
    help = "One of: chase rolled, move ends, turn starts."
    one(text, 6, "N201", "there is no Chance `in a chase`", help)


def test_a_moment_that_the_game_does_not_have() -> None:
    text = REST + 'during paus for q\n  offer rest "Rest": q.points += 1\n'
    one(text, 5, "N201", "there is no moment `paus`", "did you mean pause?")


# ---------------------------------------------------------------- tables, and other languages


def test_a_cell_that_is_too_high() -> None:
    text = REST + BEASTS + '  rex | "Rex" | 7\n'
    one(text, 7, "T303", "7 is above 6 in `strength` of rex", "It may be 1 to 6.")


def test_a_row_with_a_cell_too_few() -> None:
    text = REST + BEASTS + '  rex | "Rex"\n'
    help = "Each bar parts two cells; an empty cell needs its bar too."
    one(text, 7, "C504", "this row has 2 cells, and the heading has 3", help)


@pytest.mark.parametrize("line", ["  frame: -> trail 2", "  frame\n    -> trail 2"])
def test_an_arrow_to_another_frame(line: str) -> None:
    message = "`->` has no meaning in an instruction"
    help = "Nothing jumps with an arrow; call a rule by its name."
    one(trail(line), 2 + line.count("\n"), "C510", message, help)


@pytest.mark.parametrize(
    ("line", "where"),
    [
        ("  frame: score 1 // a note", " here"),
        ("  // a note\n  frame: score 1", " here"),
        ('  frame\n    score 1\n    // "a note"', " in an instruction"),
    ],
)
def test_a_note_with_slashes(line: str, where: str) -> None:
    at = [row for row, words in enumerate(line.split("\n"), 2) if "//" in words]
    one(trail(line), at[0], "C510", f"`//` has no meaning{where}", "Notes begin with `#`.")


@pytest.mark.parametrize("line", ["points = points + 1", "points += 1"])
def test_a_calculation(line: str) -> None:
    message = "`=` has no meaning in an instruction: content does not calculate"
    help = "Call a rule that changes the value: `score <1 to 6>`."
    one(trail(f"  frame: {line}"), 2, "C510", message, help)
