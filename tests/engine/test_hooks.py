"""Hooks: before, after, instead of; their order, their results, and `proceed`."""

from __future__ import annotations

from tests.engine.helper import play, trail

NOTE = """
rule note(n: number): trail += [n]
"""
ROUNDED = """
rule play
  let x from price 3
  trail += [x]
rule price(n: number) gives number
  trail += [100]
  return n
"""


def test_before_and_after_stand_around_the_body() -> None:
    text = "rule play: note 2\nbefore note(n): trail += [1]\nafter note(n): trail += [3]\n"
    assert trail(NOTE + text) == [1, 2, 3]


def test_a_hook_without_parameters_needs_none() -> None:
    assert trail(NOTE + "rule play: note 2\nafter note: trail += [9]\n") == [2, 9]


def test_a_hook_s_condition_sees_the_arguments() -> None:
    text = "rule play: note 1, note 2\nbefore note(n) when n == 2: trail += [0]\n"
    assert trail(NOTE + text) == [1, 0, 2]


def test_instead_replaces_body_before_and_after() -> None:
    text = """
rule play: note 1, note 2
instead of note(n) when n == 2: trail += [20]
before note(n): trail += [7]
after note(n): trail += [8]
"""
    assert trail(NOTE + text) == [7, 1, 8, 20]


def test_instead_is_tested_on_the_state_before_before() -> None:
    text = """
state
  armed: flag
rule play: note 1
before note(n): armed = yes
instead of note(n) when armed: trail += [20]
"""
    assert trail(NOTE + text) == [1]


def test_named_hooks_run_in_their_declared_order() -> None:
    text = """
rule play: note 1
after note(n) as alpha: trail += [3]
after note(n) as beta before alpha: trail += [2]
"""
    assert trail(NOTE + text) == [1, 2, 3]


def test_proceed_goes_on_to_the_next_replacement_and_then_to_the_body() -> None:
    text = """
rule play: note 1
instead of note(n) as outer before inner
  trail += [50]
  proceed
  trail += [51]
instead of note(n) as inner
  trail += [60]
  proceed
"""
    assert trail(NOTE + text) == [50, 60, 1, 51]


def test_proceed_with_new_arguments() -> None:
    text = "rule play: note 1\ninstead of note(n) when n < 5\n  proceed (n + 5)\n"
    assert trail(NOTE + text) == [6]


def test_proceed_runs_neither_before_nor_after() -> None:
    text = """
rule play: note 1
instead of note(n): proceed
before note(n): trail += [7]
after note(n): trail += [8]
"""
    assert trail(NOTE + text) == [1]


def test_another_call_of_the_rule_in_a_replacement_is_a_new_event() -> None:
    text = "rule play: note 1\ninstead of note(n) when n < 3: note (n + 1)\n"
    assert trail(NOTE + text) == [3]


def test_the_next_replacement_must_apply_to_the_new_arguments() -> None:
    text = """
rule play: note 1
instead of note(n) as outer before inner when n < 5: proceed (n + 5)
instead of note(n) as inner when n < 5: trail += [60]
"""
    assert trail(NOTE + text) == [6]


def test_after_may_change_the_result() -> None:
    text = "after price(n) gives paid: paid = paid + n\n"
    assert trail(ROUNDED + text) == [100, 6]


def test_after_leaves_the_result_as_it_is_unless_it_changes_it() -> None:
    assert trail(ROUNDED + "after price(n): trail += [200]\n") == [100, 200, 3]


def test_two_hooks_change_a_result_one_after_the_other() -> None:
    text = """
after price(n) gives paid as double before extra: paid = paid * 2
after price(n) gives paid as extra: paid = paid + 1
"""
    assert trail(ROUNDED + text) == [100, 7]


def test_after_may_ask_about_the_result() -> None:
    text = "after price(n) gives paid when paid == 3: paid = 0\n"
    assert trail(ROUNDED + text) == [100, 0]


def test_a_replacement_gives_the_result() -> None:
    assert trail(ROUNDED + "instead of price(n): return n * 7\n") == [21]


def test_a_replacement_takes_the_result_of_proceed() -> None:
    text = "instead of price(n)\n  let x from proceed\n  return x + 1\n"
    assert trail(ROUNDED + text) == [100, 4]


def test_a_hook_is_for_its_modes_only() -> None:
    text = "rule play: note 1\nbefore note(n) in party: trail += [0]\n"
    assert (trail(NOTE + text), trail(NOTE + text, players=2)) == ([1], [0, 1])


def test_a_hook_may_ask() -> None:
    text = """
rule play: note 1
before note(n)
  choose c from Colour by first(players) "Which?"
  trail += [5]
"""
    session = play(NOTE + text)
    assert session.legal == ("red", "green", "blue")
    session.choose("blue")
    assert session.state["trail"] == [5, 1]


def test_a_call_with_hooks_is_logged_once_and_its_turn_counts_once() -> None:
    text = (
        "rule play: round 1\nturn round(n: number): trail += [n]\nbefore round(n): trail += [0]\n"
    )
    session = play(text)
    assert [line.rule for line in session.log] == ["round"]
    assert session.turns == 1


def test_what_a_body_behind_hooks_calls_stands_one_deeper() -> None:
    text = "rule play: outer\nrule outer: note 1\nafter outer: trail += [2]\n"
    session = play(NOTE + text)
    assert [(line.rule, line.depth) for line in session.log] == [("outer", 1), ("note", 2)]
