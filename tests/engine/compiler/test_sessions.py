"""What can be done with a session besides choosing by number: alike on both engines."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from rulelang.compiled import CompiledSession
from rulelang.engine.compiler.handing import to_compiled, to_reference
from rulelang.errors import ChoiceError, GameFault, UsageError
from rulelang.game import Game
from rulelang.session import Session
from tests.engine.compiler.starts import loaded, start_of
from tests.engine.compiler.twins import DEEDS, Manner, Twins, counted_doubts, future, play
from tests.engine.helper import game

RISKY = """
state per p: Player
  coins: 0 to 3
  hand: set of Card, seen by p
rule play
  repeat while size(trail) < 6
    for p in players
      choose by p "What now?"
        offer take "Take": p.coins += 2
        offer give "Give": p.coins -= 1
        offer halve "Halve": trail += [6 / p.coins]
        offer deal "Deal" for c in Card where not p.hand has c: move c to p.hand
        offer swap "Swap": move first(p.hand) from p.hand to players[1].hand
        offer none_left "Shed"
          scope shed
            lose for p
            trail += [9]
  end done
rule lose for p: Player
  if p.coins == 0: leave shed
  p.coins -= 1
  trail += [drop(p.coins, [1, 2])[1]]
"""


@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("chance", ["sample", "explicit"])
def test_each_deed_at_each_step(deed: str, chance: str) -> None:
    ferry = loaded("lost_expedition")
    answers = Random(f"{deed} {chance}")
    twins = Twins(ferry, **{**start_of(ferry, answers), "chance": chance})
    assert twins.both is not None
    for _ in range(25):
        DEEDS[deed](twins, answers)
        twins.agree(whole=True)
        if twins.both[0].over:
            break
        twins.do(lambda s: s.choose(len(s.legal) - 1))
        twins.agree(whole=True)
    twins.look()


@pytest.mark.parametrize("seed", range(6))
def test_faults_are_the_same_and_change_nothing(seed: int) -> None:
    toy = game(RISKY)
    start = {"mode": "party", "players": 3, "seed": seed}
    report = play(toy, start, Random(seed), Manner(steps=60))
    assert report.faults > 2


def test_a_fault_says_where_and_leaves_the_session_at_its_decision() -> None:
    twins = Twins(game(RISKY), mode="party", players=2)
    assert twins.both is not None
    before = [session.digest() for session in twins.both]
    for answer in ("give", "halve", "swap"):
        found = twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
        assert found[0] == GameFault.__name__
        assert found[2:4] == ("play", "toy.rules")
        assert [session.digest() for session in twins.both] == before
        twins.look()
    twins.do(lambda s: s.choose("take"))
    twins.agree(whole=True)


def test_a_game_that_cannot_begin_says_the_same() -> None:
    for text in (
        "state\n  count: 0 to 3 = size(Card)\nrule play: nothing\n",
        "rule play: trail = [1 / size(trail)]\n",
    ):
        assert Twins(game(text)).both is None


def test_an_outcome_that_cannot_be_worked_out_says_the_same() -> None:
    for verdict in (
        "when 1 / size(trail) > 0: won by players",
        "scores for p: Player = 1 / size(trail)",
    ):
        twins = Twins(game(f"outcome\n  {verdict}\nrule play: nothing\n"))
        found = twins.do(lambda s: s.outcome)
        assert found[:3] == (GameFault.__name__, "a division by zero", "outcome")


def test_a_game_that_is_over_can_only_be_undone() -> None:
    text = 'rule play\n  choose c from Colour by players[1] "Which?"\n  if c is red: end done\n'
    twins = Twins(game(text))
    for answer in (0, "red", None):
        twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
        twins.agree(whole=True)
    assert twins.do(lambda s: s.over)
    assert twins.do(lambda s: s.decision) is None
    assert twins.do(lambda s: s.shortlist("random")) == ()
    twins.do(lambda s: s.undo())
    twins.agree(whole=True)
    assert twins.do(lambda s: s.undo())[0] == ChoiceError.__name__


@pytest.mark.parametrize("seat", [-1, 2, 7, True, "0", None])
def test_a_seat_that_is_not_there_has_no_view(seat: Any) -> None:
    twins = Twins(game(RISKY), mode="party", players=2)
    assert twins.do(lambda s: s.view(seat))[0] == UsageError.__name__


def test_a_save_of_either_is_resumed() -> None:
    ferry = loaded("lost_expedition")
    answers = Random(3)
    twins = Twins(ferry, **start_of(ferry, answers))
    for _ in range(12):
        twins.do(lambda s: s.choose(0))
    assert twins.both is not None
    saved = [session.save() for session in twins.both]
    assert saved[0] == saved[1]
    assert ferry.resume(saved[1]).digest() == twins.both[1].digest()


NAMES = """
rule play
  grüße
  grßüe
  verb
  verb_body
  go
  go_0answer 5 6
define größe = size(trail)
define grüöe = 7
define both = 7 * size(trail) + 9 / 2
rule grüße: trail += [größe]
rule grßüe
  trail += [grüöe, both]
  choose c from Colour by players[1] "Which?"
  trail += [if c is red then 3 else 4]
before verb as x: trail += [10]
rule verb: trail += [11]
rule verb_body: trail += [12]
rule go
  choose c from Colour by players[1] "Which?"
  trail += [if c is red then 1 else 2]
rule go_0answer(a: number, b: number)
  choose c from Colour by players[1] "Which?"
  trail += [if c is red then a else b]
"""


def test_names_that_are_alike_in_python_are_told_apart() -> None:
    twins = Twins(game(NAMES))
    with counted_doubts() as doubts:
        for answer in (0, 1, 0):
            twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
            twins.agree(whole=True)
    assert not doubts
    assert twins.do(lambda s: s.state["trail"]) == [0, 7, 11, 3, 10, 11, 12, 2, 5]


def handed_over(session: Session, toy: Game) -> Session:
    """The same playthrough, compiled, from what another engine hands over."""
    made = session.prepared
    other = toy.start(mode=session.mode, players=session.players, chance="explicit")
    assert isinstance(other, CompiledSession)
    other._stepper = to_compiled(session.machine, made.stepping)
    return other


def test_hands_are_changed_at_every_step_and_nothing_is_lost() -> None:
    toy = game(RISKY)
    session = toy.start(mode="party", players=2, chance="explicit", engine="reference")
    answers = Random(8)
    for _ in range(40):
        if session.over:
            break
        other = handed_over(session, toy)
        assert future(other.machine) == future(session.machine)
        again = to_compiled(to_reference(other._stepper), other.prepared.stepping)  # type: ignore[attr-defined]
        assert future(to_reference(again)) == future(session.machine)
        index = answers.randrange(len(session.legal))
        try:
            session.choose(index)
        except GameFault:
            continue
        other._stepper.step(index)  # type: ignore[attr-defined]
        assert future(other.machine) == future(session.machine)


def test_playthroughs_of_one_game_have_nothing_in_common() -> None:
    ferry = loaded("lost_expedition")
    pairs = []
    for seed in range(4):
        answers = Random(seed)
        start = {**start_of(ferry, Random("same")), "seed": seed}
        pairs.append((Twins(ferry, **start), answers))
    for _ in range(20):
        for twins, answers in pairs:
            assert twins.both is not None
            if not twins.both[0].over:
                index = answers.randrange(len(twins.both[0].legal))
                twins.do(lambda s, index=index: s.choose(index))  # type: ignore[misc]
            twins.agree(whole=False)
    for twins, _ in pairs:
        twins.look()
