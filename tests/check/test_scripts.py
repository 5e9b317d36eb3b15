"""Scripts: what an author may write below an entry, checked and played."""

from __future__ import annotations

import pytest

from rulelang.analysis import analyse_sources
from rulelang.game import Game
from rulelang.loader import Sources
from rulelang.session import Session

RULES = """
game river "River"
  mode alone "Alone" players 1

names Tool: rope, lamp
names Result: win, draw, lose
names Beast: heron, pike
die d6: 1 to 6
ending done "Done"

kind Bend by number, for you: Player
  title: text
  story: text = ""
  body:  script

state per p: Player
  points: 0 or more
  tools:  set of Tool

define with(t: Tool) for p: Player = p.tools has t
define rich for p: Player = p.points > 2

rule score(n: 1 to 9) for p: Player: p.points += n
rule wade for p: Player: nothing
rule fight(b: Beast) for p: Player gives Result
  roll n from d6
  if n > 4: return win
  if n > 2: return "draw"
  return lose
rule play
  for b in Bend: do b.body for first(players)
  end done
"""


def river(bends: str) -> Sources:
    return Sources("river", {"river.rules": RULES + bends}, {})


def problems(bends: str) -> list[str]:
    lines = RULES.count("\n")
    return [
        f"{d.code} @ {d.line - lines}"
        for d in analyse_sources(river(bends)).diagnostics
        if d.severity == "error"
    ]


def play(bends: str, script: tuple[str, ...] = ()) -> Session:
    analysis = analyse_sources(river(bends))
    assert analysis.program is not None, [str(d) for d in analysis.diagnostics]
    return Game(analysis.program, {}).start(script=script, chance="explicit")


def points(session: Session) -> int:
    found: int = session.state["Player.points"]["0"]
    return found


def test_instructions_run_in_order() -> None:
    assert points(play('bend 1 "Ford"\n  score 2, score 3\n  wade\n')) == 5


@pytest.mark.parametrize(("face", "expected"), [("6", 4), ("3", 0), ("1", 1)])
def test_the_outcome_of_a_fight_takes_its_branch(face: str, expected: int) -> None:
    outcomes = "    win: score 4\n    draw: nothing\n    lose\n      score 1\n"
    bend = 'bend 1 "Pool"\n  fight pike\n' + outcomes
    assert points(play(bend, (face,))) == expected


def test_without_is_taken_where_the_tool_is_missing() -> None:
    assert points(play('bend 1 "Gorge"\n  with Rope: score 5\n  without Rope: score 1\n')) == 1


def test_a_bare_without_belongs_to_the_with_above() -> None:
    assert points(play('bend 1 "Gorge"\n  with Lamp: score 5\n  without: score 2\n')) == 2


def test_if_asks_a_question_of_the_game() -> None:
    assert points(play('bend 1 "Inn"\n  score 3\n  if rich: score 1\n  else: score 9\n')) == 4


def test_options_are_texts_and_the_player_decides() -> None:
    session = play('bend 1 "Fork"\n  choose\n    "Go left": score 1\n    "Go right": score 2\n')
    assert session.legal == ("go_left", "go_right")
    session.choose("go_right")
    assert points(session) == 2


@pytest.mark.parametrize(("face", "expected"), [("1", 1), ("2", 1), ("3", 2), ("5", 2), ("6", 9)])
def test_a_roll_table_takes_the_line_of_the_number(face: str, expected: int) -> None:
    bend = (
        'bend 1 "Rapids"\n  roll d6\n    1 to 2: score 1\n    3, 4, 5: score 2\n    else: score 9\n'
    )
    assert points(play(bend, (face,))) == expected


@pytest.mark.parametrize(("face", "expected"), [("6", 4), ("3", 0), ("1", 1)])
def test_results_may_stand_below_a_branch(face: str, expected: int) -> None:
    results = "    win: score 4\n    draw: nothing\n    lose: score 1\n"
    bend = f'bend 1 "Pool"\n  without Rope: fight pike\n{results}'
    assert points(play(bend, (face,))) == expected


@pytest.mark.parametrize(
    ("bend", "expected"),
    [
        ('bend 1 "Pool"\n  fight pike\n    win: score 4\n    lose: score 1\n', ["T306 @ 2"]),
        (
            'bend 1 "Pool"\n  fight pike\n    win: wade\n    drow: wade\n    lose: wade\n',
            ["N201 @ 4"],
        ),
        ('bend 1 "Pool"\n  fight pikes\n    win: wade\n', ["N201 @ 2"]),
        ('bend 1 "Pool"\n  score 2 wade\n', ["C509 @ 2"]),
        ('bend 1 "Pool"\n  scor 2\n', ["N208 @ 2"]),
        ('bend 1 "Pool"\n  score two\n', ["T301 @ 2"]),
        ('bend 1 "Pool"\n  score 12\n', ["T303 @ 2"]),
        ('bend 1 "Pool"\n  with Rop: wade\n', ["N201 @ 2"]),
        ('bend 1 "Pool"\n  with Rope:\n', ["S109 @ 2"]),
        ('bend 1 "Pool"\n  without: wade\n', ["C510 @ 2"]),
        ('bend 1 "Pool"\n  if poor: wade\n', ["N201 @ 2"]),
        ('bend 1 "Pool"\n  roll d6\n    1 to 2: wade\n    4 to 6: wade\n', ["T306 @ 2"]),
        ('bend 1 "Pool"\n  roll d6\n    1 to 3: wade\n    3 to 6: wade\n', ["C506 @ 4"]),
        ('bend 1 "Pool"\n  roll d6\n    7: wade\n    else: wade\n', ["T303 @ 3"]),
        ('bend 1 "Pool"\n  choose\n    left: wade\n', ["C510 @ 3"]),
    ],
)
def test_slips_are_found_where_they_are(bend: str, expected: list[str]) -> None:
    assert sorted(problems(bend)) == sorted(expected)
