"""A tiny game of two files for the tests of the command line, and ways of spoiling it."""

from pathlib import Path

GAME = """\
game toy "A Walk"
  mode solo "Alone" players 1

setting length "How long a walk?" = short
  short "three steps"
  long "five steps"

ruling limp "Does a stone end the walk?" = yes_it_does
  yes_it_does "yes"
  only_twice "only the second one"

names Foot: left, right

kind Stone by number, base 1 to 3
  title: text

state
  walked: 0 to 9
  stubbed: 0 to 9
  last: Foot = left

define goal = if length is short then 3 else 5
define allowed = if limp is only_twice then 1 else 0

ending done "All steps are made"
ending halted "A stone is in the way"

outcome
  when ended(done): won by players
  else: lost by players
  scores for p: Player = walked

rule play
  repeat
    step

turn step
  choose f from Foot by first(players) "Which foot?"
  last = f
  walked += 1
  roll stone from Stone
  if stone is 1: stubbed += 1
  if stubbed > allowed: end halted
  if walked == goal: end done

scenario "the last step" in solo
  given
    walked = 2
  when step
  answer "left"
  roll 2
  then ended(done)

scenario "a stone" in solo
  when step
  answer "right"
  roll 1
  then ended(halted)
"""

STONES = """\
stones
  number | title
  1      | "Granite"
  2      | "Chalk"
  3      | "Flint"
"""

UNKNOWN_NAME = "  if stone is 1: stubbed += 1", "  if stone is 1: stubed += 1"
"""Makes it N201."""
UNUSED = "define goal =", "define idle = 3\ndefine goal ="
"""Makes it N204, a warning."""
FAILING_CHECK = 'scenario "a stone"', 'check "wishful"\n  goal == 4\n\nscenario "a stone"'
"""Makes it C505."""
FAILING_SCENARIO = "  then ended(halted)", "  then ended(done)"
ENDLESS_STEPS = "  if walked == goal: end done", "  walked += 3"
"""Leaves the domain of a number at some step, unless a stone comes first."""
UNTIDY = '  short "three steps"', '  short    "three steps"'


def write_toy(folder: Path, *changes: tuple[str, str]) -> Path:
    """Write the game into a folder, with pieces of its text changed."""
    text = GAME
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.rules").write_text(text, encoding="utf-8")
    (folder / "cards").mkdir(exist_ok=True)
    (folder / "cards" / "stones.rules").write_text(STONES, encoding="utf-8")
    return folder
