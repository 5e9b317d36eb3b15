"""The listing of a rule's instructions."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.analysis import analyse_sources
from rulelang.loader import Sources
from rulelang.program.listing import list_rule, main
from rulelang.program.program import Program

FERRY = str(Path(__file__).parents[2] / "docs" / "examples" / "ferry")
GAME = """
game mill "The Mill"
  mode alone "Alone" players 1
names Grain: rye, oats
die d6: 1 to 6
kind Sack by number
  grain: Grain
  marks: list of effect
sack 1
  grain: rye
  marks: grind 2
sack 2
  grain: oats
state
  loft:  pile of Sack = Sack
  floor: row of Sack
  flour: 0 or more
  stock: map of Grain to 0 to 9
ending done "Done"
rule play
  haul
  end done
rule grind(n: 1 to 3): flour += n
"""


def program(rules: str) -> Program:
    analysis = analyse_sources(Sources("mill", {"mill.rules": GAME + rules}, {}))
    assert analysis.program is not None, [str(each) for each in analysis.diagnostics]
    return analysis.program


def listed(rules: str, rule: str = "haul") -> list[str]:
    return list_rule(program(rules), rule, "alone").split("\n")


def test_a_rule_is_its_name_its_slots_and_its_instructions() -> None:
    assert listed("rule haul: grind 1\n") == [
        "haul(), 0 slots",
        "   0  perform  grind(1)  [live: nothing]",
        "   1  give",
    ]


def test_live_slots_stand_where_a_frame_may_wait() -> None:
    rules = "rule haul\n  roll n from d6\n  roll k from d6\n  flour = n + k\n"
    assert [line.partition("  [")[2] for line in listed(rules) if "roll" in line] == [
        "live: nothing]",
        "live: #1]",
    ]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("flour += 1", "store    flour = (flour + 1)"),
        ("stock[rye] += 1", "store    stock[rye] = (stock[rye] + 1)"),
        ("move Sack[1] from loft to left(floor)", "move     sack 1 from loft to left(floor)"),
        ("mix floor into loft", "mix      floor into loft"),
        ("sort floor", "sort     floor"),
        ("reveal floor to players", "reveal   floor to players"),
        ("end done", "finish   done"),
        ("do Sack[1].marks[1]", "apply    item(sack 1.marks, 1)  [live: nothing]"),
        (
            "flour = count(s in floor where s.marks is not empty)",
            "store    flour = count(#0 in floor where not(empty(s#0.marks)))",
        ),
        (
            "flour = count(s in Sack where some(e in s.marks where e is grind(2)))",
            "store    flour = count(#0 in Sack where some(#1 in s#0.marks where e#1 is grind(2)))",
        ),
        (
            "flour = sum(s in best(t in floor by most t.number): s.number)",
            "store    flour = sum(#1 in best(#0 in floor by most t#0.number): s#1.number)",
        ),
        (
            "flour = if flour > 2 then 1 else 0",
            "store    flour = (if (flour > 2) then 1 else 0)",
        ),
    ],
)
def test_an_instruction_reads_much_as_it_was_written(body: str, expected: str) -> None:
    assert listed(f"rule haul: {body}\n")[1] == f"   0  {expected}"


def test_a_decision_names_its_offers_and_where_they_go_on() -> None:
    rules = (
        "rule haul\n"
        '  may choose by first(players) "What now?"\n'
        '    offer lift "Lift" for s in floor when flour > 1: grind 1\n'
        '    offer rest "Rest": nothing\n'
    )
    assert listed(rules)[1] == (
        "   0  choose   by first(players): lift #0 from floor when (flour > 1) to 1; rest to 3;"
        " decline: to 4; nothing to choose: to 4  [live: nothing]"
    )


def test_scopes_and_draws_say_where_they_end() -> None:
    rules = (
        "rule haul\n"
        "  scope lot(flour)\n"
        "    draw s from loft to right(floor) else return\n"
        "    leave lot(s.number)\n"
    )
    steps = [line[6:].partition("  [")[0] for line in listed(rules)[1:]]
    assert steps[0] == "enter    lot(flour) in #0, ends at 5"
    assert "draw     #1 from loft to right(floor), nothing there: to 3" in steps
    assert "leave    lot(s#1.number)" in steps
    assert "exit     lot in #0" in steps


def test_a_rule_with_hooks_is_its_call_its_body_and_its_hooks() -> None:
    rules = "rule haul: grind 1\ninstead of haul when flour > 3: proceed\nafter haul: flour = 0\n"
    heads = [line for line in listed(rules) if line.endswith("slots")]
    assert heads == [
        "haul(), 1 slots",
        "haul:body(), 0 slots",
        "instead haul 1(), 0 slots",
        "after haul 2(), 0 slots",
        "instead haul 1:proceed(), 1 slots",
    ]


def test_the_command_prints_a_rule(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([FERRY, "hire"]) == 0
    assert capsys.readouterr().out.startswith("hire(s#0, p#1), 2 slots\n")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([FERRY], "usage"),
        ([FERRY, "hiire"], "no rule 'hiire'"),
        ([FERRY, "hire", "many"], "in a mode 'many'"),
        ([FERRY + "s", "hire"], "no folder"),
    ],
)
def test_the_command_says_what_is_missing(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert said in capsys.readouterr().err
