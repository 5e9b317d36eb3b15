"""Scopes that are left from below, and endings."""

from __future__ import annotations

import pytest

from rulelang.session import Session
from tests.engine.helper import game, play, trail

WALK = """
rule play
  walk red
  walk blue
  trail += [9]
rule walk(c: Colour)
  scope journey(c)
    trail += [1]
    stumble c
    trail += [2]
  trail += [3]
"""


def test_leave_goes_on_behind_the_scope() -> None:
    text = "rule stumble(c: Colour)\n  if c is red: leave journey(c)\n"
    assert trail(WALK + text) == [1, 3, 1, 2, 3, 9]


def test_leave_does_nothing_where_no_such_scope_is_open() -> None:
    text = "rule stumble(c: Colour): leave journey(green)\n"
    assert trail(WALK + text) == [1, 2, 3, 1, 2, 3, 9]


def test_leave_without_arguments_means_any_scope_of_the_name() -> None:
    assert trail(WALK + "rule stumble(c: Colour): leave journey\n") == [1, 3, 1, 3, 9]


def test_leave_outside_of_every_scope_goes_on() -> None:
    text = "rule play\n  fall\n  walk\nrule fall\n  leave yard\n  trail += [1]\n"
    assert trail(text + "rule walk\n  scope yard\n    trail += [2]\n") == [1, 2]


def test_the_arguments_say_which_of_two_nested_scopes_is_left() -> None:
    text = """
rule play
  scope yard(1)
    scope yard(2)
      out
      trail += [1]
    trail += [2]
  trail += [3]
rule out: leave yard({})
"""
    assert trail(text.format(1)) == [3]
    assert trail(text.format(2)) == [2, 3]


def test_leaving_runs_no_hooks() -> None:
    text = "rule stumble(c: Colour): leave journey(c)\nafter stumble(c): trail += [5]\n"
    assert trail(WALK + text) == [1, 3, 1, 3, 9]


def test_a_local_that_is_set_later_in_the_scope_has_its_old_value_behind_it() -> None:
    text = """
rule play
  let x = 1
  scope yard
    pause
    x = 2
  trail += [x]
rule pause
  choose c from Colour by first(players) "Which?"
  if c is red: leave yard
"""
    assert trail(text, "red") == [1]
    assert trail(text, "blue") == [2]


def test_a_scope_in_a_loop_may_be_left_in_every_round() -> None:
    text = """
rule play
  for c in Colour
    scope yard
      out c
      trail += [1]
    trail += [2]
rule out(c: Colour)
  if c is green: leave yard
"""
    assert trail(text) == [1, 2, 2, 1, 2]


# ---------------------------------------------------------------- endings

ENDINGS = """
ending ruin "Ruin"
ending last_round "The last round" completes round
rule whole_round
  scope round: nothing
outcome
  when ended(done): won by players
  when ended(ruin): lost by players
  else: won by first(players)
  scores for p: Player = 10 - size(trail)
"""


def reason(session: Session) -> str:
    assert session.outcome is not None
    return session.outcome.reason


def test_an_ending_comes_at_once() -> None:
    session = play(ENDINGS + "rule play\n  deep\n  trail += [1]\nrule deep: end done\n")
    assert (session.over, session.state["trail"], reason(session)) == (True, [], "done")


def test_nothing_runs_behind_an_ending_not_even_hooks() -> None:
    session = play(ENDINGS + "rule play: deep\nrule deep: end done\nafter deep: trail += [1]\n")
    assert session.state["trail"] == []


COMPLETED = """
rule play
  repeat
    scope round
      for n in numbers(1, 3)
        trail += [n]
        if n == 2: {}
    trail += [9]
"""


def test_an_ending_may_complete_a_scope_first() -> None:
    session = play(ENDINGS + COMPLETED.format("end last_round"))
    assert (session.state["trail"], reason(session)) == ([1, 2, 3], "last_round")


def test_an_ending_at_once_does_not_wait_for_one_that_completes() -> None:
    text = COMPLETED.format("end last_round") + "after nudge: end ruin\n"
    text = text.replace("        if", "        nudge\n        if") + "rule nudge: nothing\n"
    assert play(ENDINGS + text).state["trail"] == [1]


@pytest.mark.parametrize("way", ["return", "break", "continue"])
def test_what_leaves_a_completing_scope_early_ends_the_game(way: str) -> None:
    text = f"""
rule play
  step
  trail += [9]
rule step
  repeat while size(trail) < 5
    scope round
      trail += [1]
      end last_round
      {way}
"""
    assert play(ENDINGS + text).state["trail"] == [1]


def test_leaving_a_scope_around_the_completing_one_ends_the_game() -> None:
    text = """
rule play
  scope game_night
    scope round
      end last_round
      stop
      trail += [1]
  trail += [9]
rule stop: leave game_night
"""
    assert play(ENDINGS + text).state["trail"] == []


def test_an_ending_whose_scope_is_not_open_comes_at_once() -> None:
    assert play(ENDINGS + "rule play\n  end last_round\n  trail += [1]\n").state["trail"] == []


def test_a_game_whose_play_is_done_is_over() -> None:
    session = play(ENDINGS + "rule play: trail += [1]\n")
    assert reason(session) == "finished"
    assert session.outcome is not None
    assert session.outcome.winners == (0,)


def test_the_first_verdict_that_holds_counts() -> None:
    text = "rule play\n  scope round\n    end last_round\n    end ruin\n"
    session = play(ENDINGS + text, players=3)
    assert session.outcome is not None
    assert (session.outcome.losers, session.outcome.reason) == ((0, 1, 2), "ruin")


def test_scores_are_each_player_s() -> None:
    session = play(ENDINGS + "rule play\n  trail += [1]\n  end done\n", players=2)
    assert session.outcome is not None
    assert session.outcome.scores == {0: 9, 1: 9}


def test_an_ending_for_a_subject_is_recorded_with_it() -> None:
    text = "rule play: end ruin for players[2]\n"
    session = play(ENDINGS + text, players=2)
    assert session.log[-1].what == "end"
    assert session.log[-1].arguments == ("player 1",)


def test_a_game_without_outcome_has_neither_winners_nor_losers() -> None:
    session = play("rule play: end done\n")
    assert session.outcome is not None
    assert (session.outcome.winners, session.outcome.losers) == ((), ())


def test_there_is_no_outcome_before_the_end() -> None:
    text = 'rule play\n  choose c from Colour by first(players) "Which?"\n'
    assert play(ENDINGS + text).outcome is None


ASKED = """
rule play
  scope yard
    scope garden
      wander
      trail += [1]
    trail += [2]
    {}
    trail += [3]
  trail += [4]
  end done
rule wander
  choose c from Colour by first(players) "Which?"
  if c is red: leave garden
"""


@pytest.mark.parametrize("engine", ["compiled", "reference"])
@pytest.mark.parametrize(
    ("then", "noted"), [("end done", [2]), ("leave yard", [2, 4]), ("trail += [0]", [2, 0, 3, 4])]
)
def test_behind_a_scope_that_is_left_after_an_answer(
    then: str, noted: list[int], engine: str
) -> None:
    session = game(ASKED.format(then)).start(engine=engine)
    session.choose("red")
    assert session.over
    assert session.state["trail"] == noted
