"""What an author of a chart hears of a slip: the message, its line, and what to write instead."""

from __future__ import annotations

import functools

import pytest
from attrs import evolve

from rulelang.analysis import analyse_sources
from rulelang.diagnostic import Diagnostic
from rulelang.loader import Sources, read
from rulelang.program.program import Pack
from rulelang.syntax.parser import parse

CHART = "charts/m.rules"
PACK = "my_chart.rules"

parse_once = functools.cache(parse)


@functools.cache
def game() -> Sources:
    return read("dinosaurs")


def found(text: str, file: str = CHART) -> tuple[Diagnostic, ...]:
    """What is said of the game with another text of a file; of a pack if it is not there yet."""
    sources = game()
    packs = () if file in sources.rules else (Pack("my_chart", (file,)),)
    changed = evolve(sources, rules={**sources.rules, file: text}, packs=packs)
    return analyse_sources(changed, parse_once).diagnostics


def slip(old: str, new: str) -> tuple[str, tuple[Diagnostic, ...]]:
    """The chart with a slip in it, and what is said of it."""
    whole = game().rules[CHART]
    assert whole.count(old) == 1, old
    text = whole.replace(old, new)
    return text, found(text)


SLIPS = {
    "a name that is nearly right": (
        "cards: Machete 2", "cards: Machette 2",
        "cards: Machette 2, Shovel 1", "N201", "there is no Tool `Machette`",
        "did you mean machete?",
    ),
    "the same in a condition": (
        "with Machete: score 1", "with Machette: score 1",
        "with Machette: score 1", "N201", "there is no Tool `Machette`", "did you mean machete?",
    ),
    "no colon behind a condition": (
        "with Camera: score 1", "with Camera score 1",
        "with Camera score 1", "S107", "a colon is missing after `Camera`",
        "What follows on the same line stands behind `:`.",
    ),
    "no colon before nothing": (
        "with Pole: score 1", "with Pole nothing",
        "with Pole nothing", "S107", "a colon is missing after `Pole`",
        "What follows on the same line stands behind `:`.",
    ),
    "the other side of no condition": (
        "    with Camera: score 1\n", "",
        "without: next move goes back", "C510", "this `without` has no `with` or `if` above it",
        "It must follow the condition, at the same indentation.",
    ),
    "nothing under a condition": (
        "with Camera: score 1", "with Camera:",
        "with Camera:", "S109", "nothing stands under `with Camera:`",
        "Write what happens, or `nothing`; what belongs under it is indented deeper.",
    ),
    "no comma": (
        "score 2, complete", "score 2 complete",
        "score 2 complete", "C509", "two instructions and no comma between them",
        "Write `score 2, complete`.",
    ),
    "a number in words": (
        "score 2, complete", "score two, complete",
        "score two, complete", "T301",
        "`two` is no whole number; a number (1 to 8) is needed", "Write a figure: 2.",
    ),
    "a number that is missing": (
        '"Come down, and be careful what is said": gain 1 experience',
        '"Come down, and be careful what is said": gain experience',
        '"Come down, and be careful what is said": gain experience', "T301",
        "`experience` is no whole number; a number (1 to 3) is needed",
        "It is written `gain <1 to 3> <Thing>`.",
    ),
    "points behind the exit": (
        "score 2, complete", "exit, score 2",
        "exit, score 2", "R401", "nothing after `exit` happens",
        "Put `score 2` before `exit`, or take it away.",
    ),
    "points behind the end": (
        "score 2, complete", "complete, score 2",
        "complete, score 2", "R401", "nothing after `complete` happens",
        "Put `score 2` before `complete`, or take it away.",
    ),
    "a number left out": (
        'frame 15 "Money', 'frame 16 "Money',
        'frame 16 "Money from the sky" final', "C501",
        "Forty Paces from the Tallest has no frame 15",
        "Write frame 15, or give what is behind it other numbers.",
    ),
    "a number twice": (
        'frame 6 "Whose', 'frame 7 "Whose',
        'frame 7 "More hole than ground"', "C502", "Forty Paces from the Tallest has frame 7 twice",
        "Change one of the two.",
    ),
    "how far it goes back": (
        '"Go round": next move goes back', '"Go round": next move goes back 3',
        '"Go round": next move goes back 3', "T302", "`3` is too much for `next move goes back`",
        "It is written `next move goes back`.",
    ),
    "a fight with two ends": (
        "      victory: score 1\n      standoff: nothing\n      defeat: lose 1 tool\n",
        "      victory: score 1\n      defeat: lose 1 tool\n",
        "fight Phorusrhacos", "T306", "nothing is said for `standoff`",
        "Add `standoff: …`, or `standoff: nothing`.",
    ),
    "an end of a fight that is none": (
        "      victory: score 1\n      standoff: nothing\n      defeat: lose 1 tool\n",
        "      won: score 1\n      standoff: nothing\n      defeat: lose 1 tool\n",
        "won: score 1", "N201", "there is no Result `won`",
        "One of: victory, standoff, defeat.",
    ),
    "a gap in a table": (
        "2, 3: next move goes back", "2: next move goes back",
        "roll d6", "T306", "there is no line for 3",
        "Add `3: …`, or `else: …` for all that is left.",
    ),
    "an overlap in a table": (
        "2, 3: next move goes back", "2 to 4: next move goes back",
        "4 to 6: gain 1 experience", "C506", "4 stands on two lines",
        "Take it out of one of the two.",
    ),
    "an arrow": (
        "    draw an event\n", "    -> frame 4\n",
        "-> frame 4", "C510", "`->` has no meaning in an instruction",
        "Nothing jumps with an arrow; call a rule by its name.",
    ),
    "a jump": (
        "    draw an event\n", "    go to frame 4\n",
        "go to frame 4", "N208", "there is no instruction `go`", "did you mean go to camp?",
    ),
    "a note": (
        "    draw an event\n", "    draw an event // and wait\n",
        "draw an event // and wait", "C510", "`//` has no meaning here", "Notes begin with `#`.",
    ),
    "a calculation": (
        "    draw an event\n", "    food = food + 1\n",
        "food = food + 1", "C510",
        "`=` has no meaning in an instruction: content does not calculate",
        "Call a rule that changes the value: `gain <1 to 3> <Thing>`, `lose <1 to 3> <Thing>` or "
        "`score <1 to 8>`.",
    ),
    "a title that is not closed": (
        'frame 14 "Look up"', 'frame 14 "Look up',
        'frame 14 "Look up', "S102", "this text has no closing quote", 'Close it with `"`.',
    ),
    "a tab": (
        "    draw an event\n", "\tdraw an event\n",
        "\tdraw an event", "F701", "this line is indented by a tab", "`rulelang fmt` mends this.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_is_said_once_at_its_line(name: str) -> None:
    old, new, line, code, message, help = SLIPS[name]
    text, said = slip(old, new)
    assert [(each.code, each.message, each.help) for each in said] == [(code, message, help)]
    assert said[0].span.file == CHART
    place = said[0].span.line - 1
    assert text.split("\n")[place].strip(" ") == line.strip(" ")


def test_a_gap_and_a_double_show_both_places() -> None:
    text, (said,) = slip('frame 6 "Whose', 'frame 7 "Whose')
    lines = text.split("\n")
    assert [lines[note.span.line - 1].strip() for note in said.notes] == ['frame 7 "Whose paces"']
    text, (said,) = slip('frame 15 "Money', 'frame 16 "Money')
    assert [note.label for note in said.notes] == ["frame 14 is here"]


def test_a_frame_without_instructions_is_a_draft() -> None:
    text, said = slip("    draw an event\n", "")
    assert [(each.severity, each.message) for each in said] == [
        ("info", "nothing stands in this frame yet")
    ]
    assert text.split("\n")[said[0].span.line - 1] == '  frame 10 "Brown snow"'
    _, said = slip("    draw an event\n", "    todo\n")
    assert [(each.severity, each.message) for each in said] == [
        ("info", "to do: something here")
    ]  # fmt: skip


# ---------------------------------------------------------------- what the game itself asks


def failing(old: str, new: str) -> dict[str, tuple[str, list[str]]]:
    """The game's checks that fail: what they found, and the lines that the notes show."""
    text, said = slip(old, new)
    assert {each.code for each in said} == {"C505"}
    lines = text.split("\n")
    return {
        each.message.removeprefix("this check fails: "): (
            each.label,
            [lines[n.span.line - 1].strip() for n in each.notes if n.span.file == CHART],
        )
        for each in said
    }


def test_the_last_frame_only_scores() -> None:
    assert failing("score 2, complete", "score 2") == {
        "every Adventure ends: its last Frame says that it is completed, or to exit": (
            "it does not hold for M frame 15",
            ['frame 15 "Money from the sky" final'],
        )
    }


def test_the_cards_of_a_tool_are_those_of_the_tool_list() -> None:
    said = failing("Shovel 1\n", "Shovel 1, Pole 1\n")
    assert said["a Tool brings the cards that the Tool List promises, and no others"] == (
        "it does not hold for chart M and pole: 1 is not 0",
        ['chart M "Forty Paces from the Tallest"'],
    )
    assert list(said)[1:] == ["the Pole"]


def test_a_tool_helps_in_as_many_frames_as_the_tool_list_says() -> None:
    said = failing("with Pole: score 1", "with Net: score 1")
    check = "a Tool is of use in as many Frames as the Tool List promises"
    assert said[check][0] == "it does not hold for chart M and net (1 is not 0), and for 1 more"
    assert list(said)[1:] == ["the Net", "the Pole"]


def test_the_last_frame_is_marked() -> None:
    said = failing('frame 15 "Money from the sky" final', 'frame 15 "Money from the sky"')
    assert list(said) == ["the last Frame, and no other, is marked as final"]


# ---------------------------------------------------------------- a chart in a pack


OWN = """\
extends dinosaurs

site tidal_cave "The Tidal Cave"
  star: red
  points: 1
tile 31 "The Tidal Cave"
  site: tidal_cave

"""


def test_a_letter_that_is_taken() -> None:
    (said,) = found(OWN + 'chart M "Another"\n  site: tidal_cave\n', PACK)[:1]
    assert (said.code, said.message) == ("C502", "the game has chart M already")
    assert (said.span.file, said.span.line) == (PACK, 9)
    assert said.help == "To replace it, write `replaces chart M …`."
    assert [note.span.file for note in said.notes] == [CHART]


def test_a_chart_may_be_replaced() -> None:
    text = game().rules[CHART]
    chart = text[text.index("chart M") :].replace("Forty Paces", "Fifty Paces")
    assert found(f"extends dinosaurs\n\nreplaces {chart}", PACK) == ()


def test_a_landmark_has_one_chart() -> None:
    text = game().rules[CHART]
    chart = text[text.index("chart M") :].replace("chart M", "chart P", 1)
    said = found(f"extends dinosaurs\n\n{chart}", PACK)
    assert "this check fails: one Chart for a Landmark with a red star" in [
        each.message for each in said
    ]


def test_every_kept_card_has_a_moment() -> None:
    file = "content/events.rules"
    text = game().rules[file].replace('event 1 "Rain for a Night"', 'event 1 "Rain" kept')
    assert found(text, file) == ()
    wrong = text.replace(" kept\n", " kept\n  play_when: in a chase\n", 1)
    (said,) = found(wrong, file)
    assert (said.code, said.message) == ("N201", "there is no When `in a chase`")
    assert said.help == "One of: own turn, rolled in a chase."
