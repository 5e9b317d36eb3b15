"""Policies: which options they hold for the best, and how one of these is picked."""

from __future__ import annotations

import pytest

import rulelang
from rulelang.errors import GameFault, UsageError
from tests.engine.helper import game, play

OUTCOME = """
outcome
  when ended(done): won by players
  else: lost by players
  evaluate for p: Player = sum(n in trail: n)
"""


def shortlist(rules: str, players: int = 1) -> list[str]:
    session = play(OUTCOME + rules, players=players)
    decision = session.decision
    assert decision is not None
    return [decision.options[index].label for index in session.shortlist("greedy")]


def test_the_greedy_one_takes_the_best_position() -> None:
    rules = 'rule play\n  choose n from [3, 5, 1] by players[1] "?"\n  trail += [n]\n'
    rules += '  choose m from [1, 2] by players[1] "?"\n  trail += [m]\n  roll x from d6\n'
    assert shortlist(rules) == ["5"]


def test_it_looks_through_its_own_next_choices() -> None:
    rules = """
rule play
  choose n from [3, 5] by players[1] "?"
  if n == 5: trail += [1]
  else
    choose m from [1, 9] by players[1] "?"
    trail += [m]
  roll x from d6
  trail += [x]
"""
    assert shortlist(rules) == ["3"]


def test_it_stops_before_chance_and_before_the_choice_of_another_seat() -> None:
    chance = """
rule play
  choose n from [3, 5] by players[1] "?"
  trail += [n]
  roll x from [0, 100]
  if n == 3: trail += [x]
"""
    assert shortlist(chance) == ["5"]
    other = """
rule play
  choose n from [3, 5] by players[1] "?"
  trail += [n]
  choose m from [0, 100] by players[2] "?"
  if n == 3: trail += [m]
"""
    assert shortlist(other, players=2) == ["5"]


def test_a_win_is_better_than_any_position_and_a_loss_worse() -> None:
    rules = """
rule play
  choose n from [1, 2, 3] by players[1] "?"
  if n == 1: trail += [1000]
  if n == 2: end done
  if n == 3
    trail += [2000]
    return
  choose m from [1, 2] by players[1] "?"
  trail += [m]
  roll x from d6
"""
    assert shortlist(rules) == ["2"]


def test_a_fault_counts_as_a_loss_and_equal_options_are_all_named() -> None:
    rules = """
rule play
  choose n from [1, 2, 3] by players[1] "?"
  if n == 1: trail += [first(trail)]
  trail += [7]
  roll x from d6
  trail += [x]
"""
    session = play(OUTCOME + rules)
    decision = session.decision
    assert decision is not None
    assert [decision.options[index].label for index in session.shortlist("greedy")] == ["2", "3"]


def test_the_others_and_what_is_no_choice() -> None:
    rules = (
        'rule play\n  choose n from [3, 5] by players[1] "?"\n  roll x from d6\n  trail += [n, x]\n'
    )
    session = play(OUTCOME + rules, chance="explicit")
    assert session.shortlist("first") == (0,)
    assert session.shortlist("random") == (0, 1)
    session.choose(0)
    assert session.shortlist("greedy") == ()


def test_policies_that_cannot_be_had() -> None:
    rules = 'rule play\n  choose n from [3, 5] by players[1] "?"\n  trail += [n]\n'
    session = play(OUTCOME.replace("  evaluate for p: Player = sum(n in trail: n)\n", "") + rules)
    with pytest.raises(UsageError, match="does not say how good a position is"):
        session.shortlist("greedy")
    with pytest.raises(UsageError, match="there is no policy 'greddy'"):
        session.shortlist("greddy")


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_a_game_that_cannot_say_how_good_a_position_is(engine: str) -> None:
    """That is the game's fault, and no option is worse for it."""
    rules = 'rule play\n  choose n from [3, 5] by players[1] "?"\n  roll x from d6\n  end done\n'
    made = game(OUTCOME.replace("sum(n in trail: n)", "first(trail)") + rules)
    report = rulelang.simulate(made, mode="alone", games=2, policy="greedy", engine=engine)
    assert [fault["seed"] for fault in report.faults] == [0, 1]
    assert "there is no first of nothing" in report.faults[0]["message"]
    session = made.start(mode="alone", engine=engine)
    with pytest.raises(GameFault, match="no first of nothing") as caught:
        session.shortlist("greedy")
    assert caught.value.rule == "evaluate"
    session.choose(0)
    assert session.over


def test_simulated_games_of_greedy_bots_are_settled_by_the_seed() -> None:
    rules = """
rule play
  repeat while size(trail) < 6
    choose n from [1, 2, 2, 3] by players[1] "?"
    if n == 3: trail += [2]
    else: trail += [n]
    roll x from d6
    trail += [x]
  end done
"""
    made = game(OUTCOME + rules)
    found = [
        rulelang.simulate(made, mode="alone", games=5, seed=4, policy="greedy") for _ in range(2)
    ]
    one, other = (
        {name: value for name, value in each.as_json().items() if "second" not in name}
        for each in found
    )
    assert one == other
    assert dict(found[0].outcomes) == {"done": 5}
