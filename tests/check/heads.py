"""The small games to which the cases of boards, maps and numbered entries add their lines."""

from __future__ import annotations

from tests.check.helper import HEAD

BOARD = """
game shore "The Shore"
  mode solo "Alone" players 1
  mode crew "Together" players 2 to 4
ending landed "Landed"
outcome
  when ended(landed): won by players
  else: lost by players

kind Spot by name
  one of buoy, quay
  title: text = ""
  depth: 0 to 99 = 5
kind Boat by name
  title: text = ""

edge Lane between buoy and buoy or quay
edge Chute from quay to buoy
  toll: 0 to 9 = 1
edge Ferry between quay and quay
  fare: 0 to 9

buoy north
  depth: 8
buoy south
buoy east
quay pier "The Old Pier"
quay steps
boat gull "The Gull"

lanes: north - south - east - pier, north - steps
chutes: pier > north, steps > south
ferry pier - steps
  fare: 2

state
  spot: Spot or none = north
  home: Spot = pier
  flock: Boat = gull
state per p: Player
  berth: Spot or none = none

routes trips(n: 1 to 4) through x: Spot
  from spot
  along Lane, Chute
  steps 1 to n
  once
define near(x: Spot) = list(y in neighbours(x) where y is quay)

rule play
  choose x from ends_of(trips(2)) by first(players) "Where to?" else return
  spot = x
  home = first(Spot)
  for p in players: p.berth = spot
  if size(near(home)) > 1 and home.depth > 3 and home.title is "": end landed
  if some(e in Ferry where e.fare > 1) and some(e in Chute where e.toll > 1): end landed
  if flock.title is "": end landed
"""
"""Places in two variants, joined by edges of three kinds, and a question about ways."""

MAP = """
game plain "The Plain"
  mode solo "Alone" players 1
ending found "Found"
outcome
  when ended(found): won by players
  else: lost by players
kind Hex by number
  x: number = 0
  y: number = 0
  site: Site or none = none
  wooded: flag
kind Site by name
  title: text = ""
kind Town by name
  title: text = ""
edge Step from Hex to Hex
  way: 1 to 6
edge Rail between Hex and Hex
site tarn
site mill
town brook "The Brook"
state
  scout: Hex = 1
rule play
  choose h from neighbours(scout, Step) by first(players) "Where to?" else return
  scout = h
  if h.wooded and h.site is tarn and h.x + h.y > 3: end found
  if step(h, 2, Step) is none and distance(h, scout, Rail) is none and h.site is mill: end found
  for b in Town: greet b
rule greet(b: Town)
  if b.title is "": end found
"""
"""Hexes, which the cases draw: by itself the game lacks them."""

STRIPS = """
game strips "Strips"
  mode solo "Alone" players 1
ending found "Found"
outcome
  when ended(found): won by players
  else: lost by players
kind Story by name, for p: Player
  title: text = ""
  frames: list of Frame
kind Frame by place, for p: Player
  title: text = ""
  tells: list of effect
story one "One"
  frame 1 "First": earn 1
  frame 2 "Second": earn 2
state per p: Player
  coins: 0 to 9
rule earn(n: 1 to 3) for p: Player: p.coins += n
rule play
  for s in Story
    for f in s.frames where f.place > 1
      for e in f.tells: do e for first(players)
      if f.title is s.title: end found
"""
"""Strips whose frames are numbered."""

HEADS = {"alone": "", "boards": BOARD, "routes": BOARD, "maps": MAP, "places": STRIPS}
"""By the name of a file of cases; other files add to the game with trees."""


def head_of(name: str) -> str:
    """What the lines of a file of cases are added to."""
    return HEADS.get(name, HEAD)
