"""Branches and loops, locals, and calls."""

from __future__ import annotations

import pytest

from tests.engine.helper import play, trail


@pytest.mark.parametrize(("n", "noted"), [(1, 10), (2, 20), (3, 30)])
def test_if_takes_the_first_branch_that_holds(n: int, noted: int) -> None:
    text = f"""
rule play
  let n = {n}
  if n == 1: trail += [10]
  else if n < 3: trail += [20]
  else: trail += [30]
"""
    assert trail(text) == [noted]


@pytest.mark.parametrize(("colour", "noted"), [("red", 1), ("green", 2), ("blue", 2)])
def test_match_takes_the_case_of_a_value_or_else(colour: str, noted: int) -> None:
    text = f"""
rule play: paint {colour}
rule paint(c: Colour)
  match c
    red: trail += [1]
    else: trail += [2]
"""
    assert trail(text) == [noted]


def test_a_case_may_name_several_values() -> None:
    text = """
rule play
  for c in Colour
    match c
      red, blue: trail += [1]
      green: trail += [2]
"""
    assert trail(text) == [1, 2, 1]


def test_for_goes_through_what_was_there_when_it_began() -> None:
    text = "rule play\n  trail = [1, 2]\n  for n in trail: trail += [n + 10]\n"
    assert trail(text) == [1, 2, 11, 12]


def test_the_filter_of_for_is_evaluated_once() -> None:
    text = """
rule play
  for n in numbers(1, 4) where n > size(trail)
    trail += [n]
"""
    assert trail(text) == [1, 2, 3, 4]


def test_repeat_while_looks_again_each_time() -> None:
    assert trail("rule play\n  repeat while size(trail) < 3: trail += [size(trail)]\n") == [0, 1, 2]


def test_break_leaves_the_innermost_loop() -> None:
    text = """
rule play
  for n in [1, 2]
    for m in [1, 2, 3]
      if m == 2: break
      trail += [n * 10 + m]
"""
    assert trail(text) == [11, 21]


def test_continue_goes_on_with_the_next() -> None:
    text = """
rule play
  for n in numbers(1, 4)
    if n == 2: continue
    trail += [n]
"""
    assert trail(text) == [1, 3, 4]


def test_continue_in_repeat_tests_the_condition_again() -> None:
    text = """
rule play
  let n = 0
  repeat while n < 4
    n += 1
    if n == 3: continue
    trail += [n]
"""
    assert trail(text) == [1, 2, 4]


def test_let_of_a_collection_is_a_snapshot() -> None:
    text = "rule play\n  let before_it = trail\n  trail += [1]\n  trail += [size(before_it)]\n"
    assert trail(text) == [1, 0]


def test_let_of_a_pile_is_a_snapshot() -> None:
    text = """
state
  discard: pile of Card = Card
  away: set of Card
rule play
  let all_of_it = discard
  move Card[2] to away
  for c in all_of_it: trail += [c.number]
"""
    assert trail(text) == [1, 2, 3, 4]


def test_return_gives_the_result_and_ends_the_rule() -> None:
    text = """
rule play
  let n from reply
  trail += [n]
rule reply gives number
  for n in [4, 5]: return n
  return 0
"""
    assert trail(text) == [4]


def test_several_calls_on_a_line_are_done_in_order() -> None:
    assert trail("rule play: note 1, note 2\nrule note(n: number): trail += [n]\n") == [1, 2]


def test_a_rule_may_call_itself() -> None:
    text = "rule play: count_down 3\nrule count_down(n: number)\n  trail += [n]\n"
    assert trail(text + "  if n > 1: count_down (n - 1)\n") == [3, 2, 1]


def test_arguments_are_evaluated_when_the_rule_is_called() -> None:
    text = "rule play\n  trail = [1]\n  grow (size(trail))\nrule grow(n: number)\n  trail += [0]\n"
    assert trail(text + "  trail += [n]\n") == [1, 0, 1]


def test_a_rule_has_a_version_for_each_mode() -> None:
    text = "rule play in alone: trail += [1]\nrule play in party: trail += [2]\n"
    assert (trail(text), trail(text, players=2)) == ([1], [2])


def test_settings_and_rulings_are_fixed_at_the_start() -> None:
    text = """
setting pace "How fast?" = slow
  slow, fast
ruling ties "Who wins?" = first_one
  first_one, nobody
rule play
  if pace is fast: trail += [1]
  if ties is nobody: trail += [2]
"""
    assert trail(text) == []
    assert trail(text, settings={"pace": "fast"}, rulings={"ties": "nobody"}) == [1, 2]


def test_turns_are_counted() -> None:
    session = play("rule play\n  for n in [1, 2]: go n\nturn go(n: number): trail += [n]\n")
    assert session.turns == 2
