"""Sessions: scripts and ledgers, clones, undo."""

from __future__ import annotations

import copy

import pytest

from rulelang.errors import ChoiceError, UsageError
from tests.engine.helper import game, play

GAME = """
setting pace "How fast?" = slow
  slow, fast
ruling ties "Who wins?" in party = nobody
  nobody, first_one
state
  deck: pile of Card, hidden = Card
  hand: set of Card
rule play
  repeat while size(trail) < 4
    draw from deck to hand else return
    choose c from Colour by players[1] "Which?" else return
    roll n from d6
    trail += [n]
"""


def test_a_script_may_answer_everything() -> None:
    script = ["card 2", "red", "6", "card 1", "blue", "5", "card 3"]
    session = play(GAME, script=script)
    assert session.ledger == tuple(script)


def test_a_script_may_answer_decisions_only() -> None:
    session = play(GAME, script=["red", "blue"], seed=1)
    assert [label for label in session.ledger if label in ("red", "green", "blue")] == [
        "red",
        "blue",
    ]
    assert len(session.ledger) == 7


def test_a_script_may_answer_chance_only() -> None:
    session = play(GAME, "red", "green", script=["card 4", "6", "card 1", "2"])
    assert session.ledger[:6] == ("card 4", "red", "6", "card 1", "green", "2")


@pytest.mark.parametrize(
    "script", [["purple"], ["red", "card 9"], ["card 2", "red", "6", "purple"]]
)
def test_a_label_that_is_not_possible_is_refused(script: list[str]) -> None:
    with pytest.raises(ChoiceError, match=f"number {len(script)} of the script, '{script[-1]}'"):
        play(GAME, script=script)


def test_explicit_chance_leaves_no_label_out() -> None:
    with pytest.raises(ChoiceError, match="number 1 of the script"):
        play(GAME, script=["red"], chance="explicit")


def test_labels_left_when_the_game_is_over_are_refused() -> None:
    full = [label for n in range(1, 5) for label in (f"card {n}", "red", "1")]
    assert play(GAME, script=full).over
    with pytest.raises(ChoiceError, match="1 outcomes of the script are left"):
        play(GAME, script=[*full, "card 1"])


def test_a_ledger_leads_to_the_same_state_whatever_the_seed() -> None:
    session = play(GAME, "red", "blue", seed=3)
    again = session.game.replay(session.ledger, mode="alone", seed=99)
    assert (again.digest(), again.ledger, again.log) == (
        session.digest(),
        session.ledger,
        session.log,
    )


def test_a_ledger_must_have_every_outcome() -> None:
    with pytest.raises(ChoiceError, match="number 1"):
        game(GAME).replay(["red"], mode="alone")


def test_a_ledger_of_explicit_chance_is_one_of_sampled_chance_too() -> None:
    session = play(GAME, "card 2", "red", "6", "card 3", chance="explicit")
    assert session.game.replay(session.ledger).digest() == session.digest()


@pytest.mark.parametrize("script", ["red", 5, [1], None])
def test_a_script_is_a_list_of_labels(script: object) -> None:
    with pytest.raises(UsageError, match="list of labels"):
        game(GAME).start(script=script)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "options",
    [
        {"mode": "chess"},
        {"mode": ["alone"]},
        {"players": 9},
        {"players": True},
        {"players": "2"},
        {"mode": "alone", "players": 2},
        {"seed": "x"},
        {"seed": 1.5},
        {"seed": True},
        {"chance": "rigged"},
        {"settings": {"pace": "medium"}},
        {"settings": {"pace": ["slow"]}},
        {"settings": {"ties": "nobody"}},
        {"settings": {1: "slow"}},
        {"settings": ["slow"]},
        {"rulings": {"pace": "slow"}},
        {"mode": "alone", "rulings": {"ties": "nobody"}},
    ],
    ids=str,
)
def test_what_the_game_does_not_have_is_a_usage_error(options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        game(GAME).start(**options)  # type: ignore[arg-type]


# ---------------------------------------------------------------- clones


def test_a_clone_is_equal_in_every_respect() -> None:
    session = play(GAME, "red", "blue", seed=3)
    copy = session.clone()
    assert copy.save() == session.save()
    assert (copy.log, copy.view(0), copy.legal) == (session.log, session.view(0), session.legal)


def test_a_clone_goes_its_own_way() -> None:
    session = play(GAME, "red", seed=3)
    before, copy = session.save(), session.clone()
    copy.choose("green")
    copy.undo()
    copy.undo()
    assert session.save() == before
    session.choose("blue")
    assert (len(copy.ledger), copy.legal) == (1, ("red", "green", "blue"))


def test_a_clone_meets_the_same_chance() -> None:
    session = play(GAME, "red", seed=3)
    copy = session.clone()
    for each in (session, copy):
        each.choose("green")
    assert session.ledger == copy.ledger


def test_a_clone_of_an_open_chance_event_is_independent() -> None:
    session = play(GAME, chance="explicit")
    copy = session.clone()
    copy.choose("card 2")
    assert session.legal == ("card 1", "card 2", "card 3", "card 4")
    session.choose("card 3")
    assert (copy.ledger, session.ledger) == (("card 2",), ("card 3",))


# ---------------------------------------------------------------- undo


def test_undo_returns_to_before_the_last_answer() -> None:
    session = play(GAME, "red", seed=3)
    before = session.save()
    session.choose("green")
    session.undo()
    assert session.save() == before


def test_undo_to_the_start_and_no_further() -> None:
    session = play(GAME, seed=3)
    start = session.save()
    for answer in ("red", "green", "blue"):
        session.choose(answer)
    for _ in range(3):
        session.undo()
    assert session.save() == start
    with pytest.raises(ChoiceError, match="nothing was chosen yet"):
        session.undo()


@pytest.mark.parametrize("engine", ["compiled", "reference"])
def test_a_copy_by_pythons_own_means_is_a_clone(engine: str) -> None:
    session = game(GAME).start(mode="alone", engine=engine)
    before = session.ledger
    other = copy.copy(session)
    other.choose(0)
    assert session.ledger == before
    assert other.ledger != before


def test_an_explicit_outcome_of_chance_is_undone_like_a_choice() -> None:
    session = play(GAME, "card 2", "red", chance="explicit")
    session.undo()
    assert session.ledger == ("card 2",)
    session.undo()
    assert session.legal == ("card 1", "card 2", "card 3", "card 4")


def test_a_game_that_is_over_can_be_undone() -> None:
    session = play(GAME, "red", "red", "red", "red")
    assert session.over
    session.undo()
    assert (session.over, session.legal) == (False, ("red", "green", "blue"))


def test_scripted_decisions_are_undone_one_by_one() -> None:
    script = ["card 2", "red", "6", "card 1", "blue", "5", "card 3"]
    session = play(GAME, script=script)
    session.undo()
    assert session.ledger == ("card 2", "red", "6", "card 1")
    session.undo()
    assert session.ledger == ("card 2",)
    with pytest.raises(ChoiceError):
        session.undo()


def test_after_an_undo_the_script_answers_chance_but_not_decisions() -> None:
    script = ["card 2", "red", "6", "card 1", "blue", "5", "card 3"]
    session = play(GAME, script=script)
    session.undo()
    session.undo()
    session.choose("red")
    assert session.ledger == ("card 2", "red", "6", "card 1")
    session.choose("blue")
    assert session.ledger == tuple(script)


def test_another_answer_than_the_script_s_makes_the_rest_void() -> None:
    session = play(GAME, script=["card 2", "red", "6", "card 1"], seed=5)
    session.undo()
    session.choose("green")
    plain = play(GAME, "green", script=["card 2"], seed=5)
    assert session.ledger == plain.ledger


def test_a_resumed_session_can_be_undone_to_its_start() -> None:
    session = play(GAME, "red", "green", seed=3)
    again = session.game.resume(session.save())
    while True:
        assert again.save() == session.save()
        try:
            again.undo()
        except ChoiceError:
            break
        session.undo()
    assert len(session.ledger) == 1


def test_a_resumed_session_meets_the_same_chance() -> None:
    session = play(GAME, "red", "green", seed=3)
    again = session.game.resume(session.save())
    for each in (session, again):
        each.undo()
        each.choose("blue")
        each.choose("blue")
    assert again.save() == session.save()


TWINS = """
rule play
  for x in numbers(1, 3)
    roll n from d6
    choose k from numbers(1, 6) by players[1] "Which?"
    trail += [n, k]
"""


@pytest.mark.parametrize("seed", range(5))
def test_a_script_of_decisions_may_have_labels_that_chance_has_too(seed: int) -> None:
    session = play(TWINS, seed=seed, script=["1", "2", "3"])
    again = play(TWINS, "1", "2", "3", seed=seed)
    assert session.over
    assert session.ledger == again.ledger


def test_a_script_of_all_events_is_read_as_such() -> None:
    ledger = ("5", "1", "5", "2", "5", "3")
    assert play(TWINS, script=ledger).ledger == ledger
