"""A small game with every sort of field, written by hand, and what its entries are in JSON."""

from __future__ import annotations

from rulelang.analysis import analyse_sources
from rulelang.game import Game
from rulelang.loader import Sources

RULES = """\
game river "River"
  clauses "clauses.toml"
  mode alone "Alone" players 1

names Tool: rope, lamp, "wide net"
names Coin: silver, gold
names Beast: heron, pike
names Result: win, lose
die d6: 1 to 6
die wind: calm, calm, storm

ending done "Done"

# What the river is made of.
kind Bend by number, for you: Player
  title: text
  depth: 0 to 9 = 3
  steep: flag
  need:  Tool or none
  pay:   Coin or Tool
  next:  list of Bend
  costs: map of Tool to 1 to 9
  story: text = ""
  parts: list of Shoal

kind Shoal for you: Player
  one of calm, rough
  effects: list of effect
  width:   number = 1

kind Inn by name, for you: Player
  motto: text
  title: text
  seats: number

kind Pool by letter, for you: Player
  body: script

define with(t: Tool) for p: Player = t is rope
define rich(n: 0 to 9) for p: Player = n > 2

rule score(n: 0 or more) for p: Player: nothing
rule take(what: Coin or Tool) for p: Player: nothing
rule go(b: Bend) for p: Player: nothing
rule wade: nothing
rule fight(b: Beast) for p: Player gives Result: return win
rule play: end done
"""

ENTRIES = """\
# The upper river.

# Mind the stones.
bend 1 "Ford" steep  cites RIV-1
  depth: 2
  pay: silver
  next: bend 2, bend 2.5       # the side arm
  costs: Rope 2, Wide Net 1
  story: Water runs
    over stones.
  calm: score 3, take gold
  rough  cites RIV-2
    effects: go bend 2.5, wade
    width: -4

bend 2
  title: "Falls"
  need: lamp
  pay: wide net
  costs: lamp 9
bend 2.5 "Arm" rope
  pay: gold
  costs: lamp 1

names Empty: nobody

inns
  name      | motto           | title      | seats
  swan      | "Come in"       | "The Swan" | 4
  # It burnt down once.
  "Old Oak" | “Stay "here" ”  | "The Oak"  | -2  cites RIV-2

bend 3
  pay: lamp
  todo: measure "the depth"

pools
  letter   | body
  Deep end | wade, score 9
  Shallows |

pool A: score 1, wade
pool B
  score 2
  with Wide Net: score 1
  else
    roll d6
      1 to 2, 4: nothing
      else: wade
  todo
  # Nobody comes back from here.

pool C
  with Lamp: score 1
  without Rope
    take rope
  if rich 4: wade
  else: score 0
  without lamp: wade
  fight pike
    win: take silver
    lose
      roll wind
        calm: nothing
        storm: score 2
  choose
    "Go on": go bend 2.5
    "Stay": nothing
"""
CLAUSES = """\
[[clause]]
id = "RIV-1"
section = "1"
kind = "rule"
text = "Rivers bend."

[[clause]]
id = "RIV-2"
section = "2"
kind = "rule"
text = "Shoals are shallow."
"""


def game(rules: str = RULES, entries: str = ENTRIES, more: dict[str, str] | None = None) -> Game:
    """The game of these texts."""
    texts = {"bends.rules": entries, "river.rules": rules, **(more or {})}
    analysis = analyse_sources(Sources("river", texts, {"clauses.toml": CLAUSES}))
    assert analysis.program is not None, [str(each) for each in analysis.diagnostics]
    return Game(analysis.program, texts, None, {"clauses.toml": CLAUSES})
