"""Loops that only gather items: what they come to is remembered where whole games are played."""

from __future__ import annotations

from typing import Any

import pytest

from rulelang.engine.compiler.module import Module
from tests.engine.compiler.twins import Twins, running_ahead, same_game
from tests.engine.helper import game

PLAY = """state
  limit: 0 to 3 = 0
  kept: row of Card
rule play
  repeat while size(trail) < 12
    choose k from Card by players[1] "Which?"
    roll r from d6
    limit = min(r, 3)
    gathered k r
"""
REMEMBERED = {
    "a parameter and the state": """  let found = []
  for x in Card where x.number > limit
    if x.number + size(found) < k.number + 1: found += [x.number]
""",
    "what the list holds so far": """  let found = [k.number]
  for x in Card
    if size(found) < x.number + limit: found += [x.number]
    else
      if size(found) > 1: found += [0]
""",
    "nothing of the state": """  let found = []
  for x in reversed(Card)
    if x.number > k.number: found += [x.number]
""",
}
WORKED_OUT = {
    "a list that might grow long": """  let found = []
  repeat while size(trail) < 30
    found = [limit]
    for x in Card
      if x.number > k.number: found += [x.number]
    trail += [size(found)]
""",
    "a zone": """  let found = []
  for x in Card
    if not (kept has x) and x.number > limit: found += [x.number]
  if not (kept has k): move k to right(kept)
""",
    "a list from before": """  let found = trail
  for x in Card
    if x.number > limit: found += [x.number]
""",
    "something else is done": """  let found = []
  for x in Card
    if x.number > k.number
      found += [x.number]
      trail += [9]
""",
    "the rule goes on from inside": """  let found = []
  for x in Card
    if x.number > limit: found += [x.number]
    if x.number > k.number: return
""",
}


def compared(body: str) -> Module:
    """The rules compiled, after games of both engines that were all alike."""
    toy = game(
        f"{PLAY}rule gathered(k: Card, r: number)\n{body}  trail += [sum(n in found: n), r]\n"
    )
    made = toy.prepared(toy.configure("alone", 1, None, None))
    for seed in range(30):
        assert same_game(made, seed, "random")["fault"] is None
    for seed in range(5):
        with running_ahead():
            twins = Twins(toy, mode="alone", seed=seed)
        assert twins.both is not None
        for answer in (0, 3, 1, 2, 0):
            if not twins.both[0].over:
                twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
                twins.agree(whole=True)
        twins.look_at_third()
    return made.playing("random")


def memories(module: Module) -> list[Any]:
    """Those that loops fill."""
    return [value for name, value in module.names.items() if name[0] == "D" and name[1:].isdigit()]


@pytest.mark.parametrize("name", REMEMBERED)
def test_what_depends_on_few_values_is_remembered(name: str) -> None:
    (memory,) = memories(compared(REMEMBERED[name]))
    assert len(memory) > 1


@pytest.mark.parametrize("name", WORKED_OUT)
def test_what_depends_on_more_or_does_more_is_worked_out(name: str) -> None:
    assert memories(compared(WORKED_OUT[name])) == []


def test_what_is_charged_for_is_charged_for_each_time() -> None:
    costly = """  let found = []
  for x in Card
    if sum(y in numbers(1, 3000 * k.number): y) > 9 * x.number: found += [x.number]
"""
    (memory,) = memories(compared(costly))
    assert len(memory) == 0
