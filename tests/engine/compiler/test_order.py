"""What is worked out when, what may go wrong on the way, and what it costs: small programs of which
compiled rules once made something else than the interpreter."""

from __future__ import annotations

import pytest

from rulelang.engine.compiler.rollout import play
from tests.engine.compiler.twins import Twins, same_game
from tests.engine.helper import HEAD, game

STATE = """  acc: number
  y: number = 5
  m: number = 1000000000000000
  xs: list of number = [5, 6, 7]
  deck: row of Card = Card
  gone: row of Card
state per p: Player
  hand: row of Card
state per c: Card
  bag: row of Card
outcome
  else: won by players
  scores for p: Player = sum(n in trail: n) + acc + sum(c in p.hand: c.number * (p.hand has c) * 7)
"""
STATE = STATE.replace(" * (p.hand has c) * 7", " * 7")
DEALT = "  for p in players\n    for c in p.hand: trail += [c.number]\n"
GOAL = "right(players[1 + size(deck) - size(deck) / size(players) * size(players)].hand)"
LONG = "  xs = numbers(1, 60000)\n  let r = 0\n  repeat while r < 5000\n    r += 1\n"
PADDING = "    if k > n: acc = 1\n    else: acc = 2\n" * 8
ASKED = """rule play
  roll n from d6
  choose k from [1, 2] by players[1] "k"
  choose j from [-1, -2] by players[1] "j"
  look k j
rule look(k: number, j: number)"""
PROGRAMS = {
    "a card goes to an owner who depends on where cards lie": f"""rule play
  for c in deck: move c to {GOAL}
{DEALT}""",
    "so do several": f"""rule play
  move take(3, deck) to {GOAL}
  move first(deck) to {GOAL}
{DEALT}""",
    "and one that is named with its zone": f"""rule play
  for c in deck: move c from deck to {GOAL}
{DEALT}""",
    "a card is looked up in its own zone, and has another": """rule play
  move Card[2] to right(Card[1].bag)
  move Card[4] to right(Card[2].bag)
  let c = Card[1]
  if acc > 9: c = Card[3]
  if c.bag is not empty
    c = first(c.bag)
    move c to right(gone)
  for d in Card: trail += [size(d.bag) * d.number]
""",
    "the item at no place": """rule play
  for c in Card: move c to right(gone)
  acc += xs[size(deck)]
""",
    "the item at a place that is counted": """rule play
  acc += xs[count(c in deck where c.number > 9)]
""",
    "what is supposed of one number is not taken for another: items before a place": f"""{ASKED}
  if k > 0: acc = 1
  if k > 0 and size(reversed(take(j, Colour))) > 1: acc = 2
""",
    "nor items behind a place": f"""{ASKED}
  if k >= 1 and size(reversed(drop(j, Card))) > 2: acc = 2
""",
    "nor an item, in a question": f"""define there(k: number, j: number) =
    k > 0 and some(c in [reversed(Card)[j]]: c.number == 2)
{ASKED}
  if there(k, j): acc = 2
""",
    "nor a field that is part of a key": f"""{ASKED}
  acc = j
  if k > 0 and size(reversed(take(acc, Card))) > 1: y = 2
""",
    "nobody asks for what is given": """rule lend(n: 1 to 4) gives 0 to 3: return n + acc
rule play
  acc = 3
  roll x from d6
  if x > 2: lend 2
  trail += [x]
""",
    "nobody asks for what is not there": """rule top gives Card: return first(gone)
rule play
  roll x from d6
  if x > 2: top
  trail += [x]
""",
    "scopes in rules that are written into others": """rule inner
  acc += 1
  scope b
    if y > 8: leave b
    acc += 1
  trail += [5]
rule inner2
  scope d
    if y > 8: leave d
    acc += 1
  trail += [5]
rule play
  acc += 1
  acc += 1
  scope c
    inner2
    scope a
      inner
      if y > 3: leave a
      if y > 7: leave c
      acc += 10
    trail += [3]
  trail += [4]
""",
    "a board that is reached far and often": """rule play
  let r = 0
  repeat while r < 3000
    r += 1
    for s in reach(Spot[1], 60, Lane)
      if s.number > 500: acc += 1
""",
    "looking through a long list": f"""rule play
{LONG}    if xs has 1: acc += 1
  acc += r
""",
    "long lists that are joined": f"""rule play
{LONG}    let z = xs + [r]
    acc = first(z)
""",
    "long lists that are joined in the state": f"""rule play
{LONG}    trail = xs + [r]
""",
    "the size of long lists that are joined": f"""rule play
{LONG}    if size(xs + [r]) < 5: acc += 1
""",
    "loops in rules in loops": f"""rule c(k: number)
  for n in numbers(1, 2000)
{PADDING}rule b(k: number)
  for n in numbers(1, 2000)
    c n
{PADDING}rule a(k: number)
  for n in numbers(1, 2000)
    b n
{PADDING}rule play
  a 1
  b 1
  c 3
  a 2
""",
    "a local beyond the greatest number": """rule play
  let n = m + 1
  if n > 0: acc = 5
""",
    "a field beyond the greatest number": """rule play
  m = m + 1
  acc = 5
""",
    "a field below the least number": """rule play
  acc = 0 - m
  acc = acc - 1
  acc = 5
""",
}
SPOTS = "".join(f"spot {n}\n" for n in range(1, 61))
BOARD = f"""kind Spot by number, base 1 to 60
  note: number = 0
edge Lane between Spot and Spot
{SPOTS}lanes: {" - ".join(map(str, range(1, 61)))}
"""


RIGHT = ("a card goes", "so do", "and one", "a card is looked up", "scopes")
"""How those begin in which nothing goes wrong."""


@pytest.mark.parametrize("what", PROGRAMS)
def test_both_engines_do_the_same(what: str) -> None:
    board = BOARD if "reach(" in PROGRAMS[what] else ""
    toy = game(PROGRAMS[what] + board, HEAD + STATE)
    made = toy.prepared(toy.configure("party", 3, None, None))
    faults = []
    for seed in range(3 if "roll" in PROGRAMS[what] else 1):
        faults.append(same_game(made, seed, "random")["fault"])
        twins = Twins(toy, mode="party", players=3, seed=seed)
        if twins.both is not None:
            twins.agree(whole=True)
            twins.look()
    assert any(faults) != what.startswith(RIGHT)


def test_what_depends_on_a_flag_is_not_what_depends_on_a_number() -> None:
    """Of two questions with the same text one takes a number: 1 is another answer than yes."""
    toy = game(
        """
state
  odd: flag or 0 to 9 = 0
rule play
  repeat while size(trail) < 12
    choose k from Card by players[1] "Which?"
    trail += numbered(k.number - 1)
    odd = first(flagged(k.number > 1))
    if odd is yes: trail += [7]
define numbered(n: number) = list(c in Card where c.number > 2: n)
define flagged(n: flag) = list(c in Card where c.number > 2: n)
"""
    )
    twins = Twins(toy, mode="alone")
    for answer in (1, 0, 1, 1):
        twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
        twins.agree(whole=True)
    made = toy.prepared(toy.configure("alone", 1, None, None))
    assert same_game(made, 0, "random")["fault"] is None


def test_a_field_of_nobody_is_no_part_of_a_key() -> None:
    toy = game(
        """
state per p: Player
  coins: 0 to 9 = 2
state per k: Card
  owner: Player or none
rule play
  repeat while size(trail) < 12
    choose k from Card by players[1] "Which?"
    let who = k.owner
    let found = []
    for x in Card
      if who is none or x.number > who.coins: found += [x.number]
    trail += found
    trail += [size(list(x in Card where who is none or x.number > who.coins))]
    k.owner = players[1]
"""
    )
    made = toy.prepared(toy.configure("alone", 1, None, None))
    for seed in range(9):
        assert same_game(made, seed, "random")["fault"] is None
        play(made.playing("random"), seed)  # without a doubt
