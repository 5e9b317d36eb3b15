"""Checking a few lines that belong to a small game, and saying what must be found."""

from __future__ import annotations

from rulelang.analysis import Analysis, analyse_sources
from rulelang.loader import Sources
from rulelang.program.program import Pack

CLAUSES = """
[[clause]]
id = "ORC-1"
section = "Picking"
kind = "rule"
text = "Everybody picks once."
"""

HEAD = """
game orchard "The Orchard"
  clauses "clauses.toml"
  mode solo "Alone" players 1
  mode crew "Together" players 2 to 4

setting weather "What is the weather like?" = dry
  dry, wet

names Fruit: apple, pear, plum
names Tool: ladder, basket, "Pruning Saw"
names Season: spring, autumn
names Result: ripe, rotten
die d6: 1 to 6

kind Tree by number, base 1 to 3, for p: Player
  title:  text
  bears:  Fruit
  height: 1 to 9 = 2
  boxes:  list of Box

kind Box for p: Player
  one of yield, blight
  deeds: list of effect

kind Lane by name, for p: Player
  title: text
  walk:  script

state
  season: Season
  yard:   pile of Tree, hidden = Tree
  heap:   pile of Tree
  lane:   row of Tree
  noted:  list of number
  owner:  Player or none
  stock:  map of Fruit to 0 to 9

state per p: Player
  coins: 0 to 20, clamped
  hand:  set of Tree, seen by p
  tools: set of Tool

define rich for p: Player = p.coins > 5
define with(t: Tool) for p: Player = p.tools has t

ending sold "Everything is sold"
ending wasted "Nothing is left"

outcome
  when ended(sold): won by players
  else: lost by players

rule play
  season = if weather is wet then spring else autumn
  for f in Fruit: stock[f] += 1
  for p in players
    pick for p
    for x in Lane: do x.walk for p
  if noted is empty and owner is none: end wasted
  sell

rule sell: end sold

rule pick for p: Player
  owner = p
  draw from yard to p.hand else return
  roll n from d6
  noted += [n]
  for c in p.hand where c.bears is apple or c.height > 1
    move c to right(lane)
    for b in c.boxes where b is yield: carry b.deeds for p
    for b in c.boxes where b is blight: carry b.deeds for p
  for c in lane: move c to heap

rule carry(deeds: list of effect) for p: Player
  for s in deeds: do s for p

rule earn(n: 1 to 4) for p: Player: p.coins += n
rule take(t: Tool) for p: Player: p.tools += [t]
rule gather(what: Fruit or Tool) for p: Player: p.coins += 1
rule steal for p: Player: p.coins -= 1
rule judge(f: Fruit) for p: Player gives Result
  if stock[f] > 3: return ripe
  return rotten

tree 1 "Old Crow" apple
  yield: earn 2, gather pear
tree 2 "Twin" pear
  height: 3
  yield: take ladder
  blight: steal
tree 3 "Sprig" plum
  blight: steal, earn 1

lane north "North Lane"
  if rich: earn 1
  with Basket: earn 2
  without: take basket
  judge apple
    ripe: earn 3
    rotten: take Pruning Saw
"""
"""A game in which everything is used, so that every diagnostic is about the lines under test."""

FILE = "lines.rules"


def analyse(text: str, *, head: str = HEAD, pack: bool = False) -> Analysis:
    """The analysis of the lines as a file of that game, or as a pack that extends it.

    With ``head=""`` they stand alone.
    """
    rules = {"head.rules": head, FILE: text} if head else {FILE: text}
    packs = (Pack("lines", (FILE,)),) if pack else ()
    return analyse_sources(Sources("orchard", rules, {"clauses.toml": CLAUSES}, packs=packs))


def found(text: str, *, head: str = HEAD, pack: bool = False) -> list[str]:
    """What is found, each as ``CODE @ line:column``; places in the head begin with ``head``."""
    return [
        ("" if d.file == FILE else "head ") + f"{d.code} @ {d.line}:{d.column}"
        for d in analyse(text, head=head, pack=pack).diagnostics
    ]


def check(text: str, *expected: str, head: str = HEAD, pack: bool = False) -> None:
    """Exactly these diagnostics are found, in this order: ``CODE @ line:column``.

    Words behind the place must stand in the message or in the help.
    """
    diagnostics = analyse(text, head=head, pack=pack).diagnostics
    places = [" ".join(each.split(" ")[:3]) for each in expected]
    shown = "\n".join(f"{d}\n    help: {d.help}" for d in diagnostics)
    assert found(text, head=head, pack=pack) == places, shown
    for diagnostic, wanted in zip(diagnostics, expected, strict=True):
        words = " ".join(wanted.split(" ")[3:])
        assert words in f"{diagnostic.message} | {diagnostic.help}", shown
