"""A small game with every sort of field, and what its entries are, said again."""

from __future__ import annotations

from rulelang.analysis import analyse_sources
from rulelang.game import Game
from rulelang.loader import Sources

RULES = """\
game orchard "Orchard"
  mode crew "Together" players 2 to 4
  mode alone "Alone" players 1

names Tool: rope, "wide net", long_ladder
names Result: win, lose
die d6: 1 to 6
die wind: calm, calm, storm
ending done "Done"

kind Tree by number, for you: Player
  title:  text
  height: 1 to 9 = 2
  steep:  flag
  need:   Tool or none
  near:   list of Tree
  costs:  map of Tool to 1 to 9
  motto:  text = ""
  boxes:  list of Fruit_box

kind Fruit_box for you: Player
  one of yield, late_blight
  deeds: list of effect
  width: number = 1

kind HillPath by name, for you: Player
  title: text
  story: text = ""
  walk:  script

kind Tale by number, for you: Player
  title: text
  cost:  list of effect
  gain:  list of effect
  last:  effect

kind Crow by name
  title: text

define with(t: Tool) "with a {t}" for p: Player = t is rope
define rich(n: 0 to 9) "if you have {n|coin|coins} or more" for p: Player = n > 2
define up_early for p: Player = p is first(players)

rule earn(n: 0 to 9) "gain {n|point|points}" for p: Player: nothing
rule take(t: Tool) "take the {t} {{and keep it}}" for p: Player: nothing
rule look_round for p: Player: nothing
rule sleep_in(n: 1 to 3, t: Tool or none) for p: Player: nothing
rule wade in alone: nothing
rule wade "wade for the crew" in crew: nothing
rule rest "rest alone" in alone: nothing
rule rest "rest together" in crew: nothing
rule fight(t: Tree) "fight at {t}" for p: Player gives Result: return win
rule play: end done
"""

ENTRIES = """\
tree 1 "Old Crow!" steep
  height: 3
  need: wide net
  near: tree 2, tree 2.5
  costs: Rope 2, Long Ladder 1
  motto: "Come in"
  yield: earn 2, look round, take Long Ladder
  late_blight: nothing
  yield
    deeds: earn 1
    width: -4
tree 2 "Twin"
  height: 2
  yield: sleep in 2 none
tree 2.5
  title: "Sprig"
  need: none
tree 3 "To come"

hillpath north "North Path"
  story: Mud, and more mud
    as far as one sees.
  earn 1, wade
  with Wide Net: earn 2
  without: nothing
  without rope
    look round
    roll d6
      1, 2: earn 1
      3 to 5: nothing
      else
        if up early: rest
  if rich 1: earn 1
  else
    choose
      "Go on": earn 2, look round, wade
      "Stay!": nothing
  fight Twin
    win: earn 3
    lose
      roll wind
        calm: nothing
        storm: rest
  wade
hillpath south
  title: "south"
  with rope: fight "Old Crow!"
    win: nothing
    lose: rest
hillpath "east_gate" "East Gate": nothing

tale 1 "The Gate"
  cost: earn 1
  gain: earn 2, earn 3
  last: wade
crow ada "Old Ada"
crow finn "Finn"
"""

SAID = """\
Tree 1, Old Crow!
  Height 3.
  Steep.
  Need wide net.
  Near: Twin and tree 2.5.
  Costs: rope 2, long ladder 1.
  Motto: “Come in”.
  Yield: gain 2 points, look round, then take the long ladder {and keep it}.
  Late blight: nothing.
  Yield:
    Gain 1 point.
    Width -4.

Tree 2, Twin
  Yield: sleep in 2 none.

Tree 2.5
  Title: “Sprig”.

Hill path East Gate
  Nothing happens.

Hill path north, North Path
  Mud, and more mud as far as one sees.
  Gain 1 point, then wade for the crew.
  With a wide net: gain 2 points. Without: nothing.
  Without a rope:
    Look round.
    Roll d6:
      On 1 or 2: gain 1 point.
      On 3 to 5: nothing.
      Otherwise:
        If up early: rest together.
  If you have 1 coin or more: gain 1 point.
  Otherwise:
    Choose:
      “Go on”: gain 2 points, look round, then wade for the crew.
      “Stay!”: nothing.
  Fight at Twin:
    Win: gain 3 points.
    Lose:
      Roll wind:
        On calm: nothing.
        On storm: rest together.
  Wade for the crew.

Hill path south
  With a rope: fight at Old Crow!
    Win: nothing.
    Lose: rest together.

Tale 1, The Gate
  Cost: gain 1 point.
  Gain: gain 2 points, then gain 3 points.
  Last: wade for the crew.

Crow ada, Old Ada

Crow Finn"""


def game(rules: str = RULES, entries: str = ENTRIES) -> Game:
    """The game of these texts."""
    texts = {"entries.rules": entries, "orchard.rules": rules}
    analysis = analyse_sources(Sources("orchard", texts, {}))
    assert analysis.program is not None, [str(each) for each in analysis.diagnostics]
    return Game(analysis.program, texts, None, {})
