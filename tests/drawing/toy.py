"""Small games with boards for the tests of pictures, and pictures that are read again."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

from rulelang.analysis import analyse_sources
from rulelang.drawing import svg
from rulelang.game import Game
from rulelang.loader import Sources

SVG = "{http://www.w3.org/2000/svg}"
HARBOUR = """\
game harbour "The Harbour"
  mode alone "Alone" players 1
  mode crew "Together" players 2

names Boat: ada, bert, cleo
names Gull: 1 to 7

kind Spot by name
  one of buoy, quay
  title: text = ""

kind Mark by number
  x: number = 0
  y: number = 0

kind Order by number, for p: Player
  title: text
  story: text = ""
  body: script

edge Lane between buoy and buoy or quay
edge Chute from quay to buoy
edge Ferry between quay and quay
  fare: 0 to 9

buoy b1
buoy b2
quay pier "The Old Pier"
quay stairs
quay long_lonely_harbour
lanes: b1 - b2 - pier, b1 - stairs
chutes
  pier > b1
  stairs > b2
ferry pier - stairs
  fare: 7
ferry long_lonely_harbour - stairs
  fare: 0

marks
  number | x   | y
  1      | 0   | 300
  2      | 50  | 300
  3      | 100 | 300

order 1 "Full ahead"
  story: Nobody is looking.
  wait
order 2 "Astern"
  wait

state
  beacon: Spot = b2
  tide: Mark = 1
  storm: set of Spot
state per b: Boat
  berth: Spot or none = pier
state per g: Gull
  nest: Spot or none = b1
state per s: Spot
  fog: 0 to 3
  lit: flag = s is quay
state per p: Player
  coins: 0 to 9
  goal: Spot, seen by p = stairs

rule wait for p: Player: p.coins += 1
rule sail(s: Spot)
  ada.berth = s
  s.fog = 2
  move s to storm
  bert.berth = none

rule play
  choose s from Spot by first(players) "Where to?"
  sail s
  choose t from Spot by first(players) "And then?"
  tide = 2
  choose again from Spot by first(players) "And at last?"
  end done
ending done "Done"
outcome
  else: lost by players
"""


def game(text: str = HARBOUR) -> Game:
    """The game of a text."""
    analysis = analyse_sources(Sources(".", {"game.rules": text}, {}))
    found = [str(each) for each in analysis.diagnostics if each.severity == "error"]
    assert analysis.program is not None, found
    return Game(analysis.program, {})


def board(
    names: Sequence[str],
    edges: Sequence[tuple[int, int]] = (),
    at: Sequence[tuple[int, int] | None] = (),
    title: str = "Toy",
) -> Game:
    """A game with these titles on its places, edges between them, and positions for some."""
    lines = [
        f'game toy "{title}"', '  mode alone "Alone" players 1', "kind Spot by number",
        '  title: text = ""', "  x: number or none = none", "  y: number or none = none",
        "edge Lane between Spot and Spot", "state per g: Gull", "  nest: Spot or none = 1",
        "names Gull: 1 to 3", "rule play: end done", 'ending done "Done"', "outcome",
        "  else: lost by players",
    ]  # fmt: skip
    for n, name in enumerate(names):
        lines.append(f'spot {n + 1} "{name}"')
        if n < len(at) and (place := at[n]) is not None:
            lines += [f"  x: {place[0]}", f"  y: {place[1]}"]
    pairs = dict.fromkeys((min(pair), max(pair)) for pair in edges if pair[0] != pair[1])
    if pairs:
        lines.append("lanes: " + ", ".join(f"{a + 1} - {b + 1}" for a, b in pairs))
    return game("\n".join(lines) + "\n")


class Picture:
    """A picture, read again."""

    def __init__(self, text: str) -> None:
        self.root = ElementTree.fromstring(text)
        left, top, width, height = map(float, self.root.attrib["viewBox"].split())
        self.box = (left, top, left + width, top + height)

    def groups(self, style: str) -> dict[str, list[ElementTree.Element]]:
        """The groups that hold a shape of a class, by their text alternatives."""
        found: dict[str, list[ElementTree.Element]] = {}
        for group in self.root.iter(f"{SVG}g"):
            if any(style in each.get("class", "").split() for each in group):
                title = group.find(f"{SVG}title")
                assert title is not None
                assert title.text
                found.setdefault(title.text, []).append(group)
        return found

    def all(self, style: str) -> list[ElementTree.Element]:
        """All shapes of a class."""
        return [each for each in self.root.iter() if style in each.get("class", "").split()]

    def words(self) -> list[str]:
        """All texts that are drawn."""
        return [each.text or "" for each in self.root.iter(f"{SVG}text")]

    def outside(self) -> list[str]:
        """The texts that do not lie within the picture."""
        left, top, right, bottom = self.box
        found = []
        for each in self.root.iter(f"{SVG}text"):
            x, y, size = (float(each.attrib[name]) for name in ("x", "y", "font-size"))
            said = each.text or ""
            wide = svg.width(said, size)
            start = x if each.get("text-anchor") == "start" else x - wide / 2
            if not (left - 0.1 <= start and start + wide <= right + 0.1 and top <= y <= bottom):
                found.append(said)
        return found


def centre(group: ElementTree.Element) -> tuple[float, float]:
    """Where the circle of a group is."""
    circle = group.find(f"{SVG}circle")
    assert circle is not None
    return float(circle.attrib["cx"]), float(circle.attrib["cy"])
