"""A small game with trials, for the tests of `rulelang try`."""

from pathlib import Path

GAME = """\
game lamps "Lamps"
  mode alone "Alone" players 1
  mode pair "In pairs" players 2

setting fog "Is there fog?" = thin
  thin, thick
ruling draught "Who minds the draught?" = all
  all, nobody

names Oil: fish, whale
die d6: 1 to 6

kind Lamp by number, for p: Player
  title: text
  burns: list of effect

kind Moth by name, for p: Player
  title: text
  lands: script

state
  shed: pile of Lamp, hidden = Lamp
  lit: row of Lamp

state per p: Player
  light: 0 to 9
  oil: set of Oil
  moths: set of Moth

ending dark "All is dark"

outcome
  when ended(dark): lost by players

rule play
  draw from shed to right(lit) else return
  for p in players: light_up 1 for p
  for m in Moth: do m.lands for first(players)

rule light_up(l: Lamp) for p: Player
  if fog is thick: p.light = 1
  for s in l.burns: do s for p

rule glow(n: 1 to 9) for p: Player
  choose by p "How?"
    offer brightly "Brightly": p.light += n
    offer dimly "Dimly": p.light += 1

rule gust for p: Player
  if draught is nobody or p.oil has whale: return
  roll n from d6
  if n <= p.light: p.light -= n
  else: end dark

rule fill(o: Oil) for p: Player: p.oil += [o]
rule catch(m: Moth) for p: Player: move m to p.moths

moth hawk "Hawk": glow 2
"""

LAMPS = """\
lamp 1 "Storm Lamp": glow 3, glow 2
lamp 2 "Candle": gust
lamp 3 "Beacon": glow 9, glow 9
lamp 4 "Wick": fill fish
"""

TRIALS = """\
trial l: Lamp
  given
    Player[0].light = 2
    lit = [l]
  given o: Oil: fill o for Player[0]
  given m: Moth: catch m for Player[0]
  when light_up l for Player[0]
  when light_up 4 for Player[0]
"""


def write_lamps(folder: Path, trials: str = TRIALS) -> Path:
    """Write the game into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("game", GAME), ("lamps", LAMPS), ("trials", trials)):
        (folder / f"{name}.rules").write_text(text, encoding="utf-8")
    return folder
