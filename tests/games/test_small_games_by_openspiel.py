"""The small games beside those of OpenSpiel: the same options, chances, seats and returns.

Skipped where OpenSpiel is not installed: `pip install -e '.[bench]'`.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import rulelang
from rulelang import CHANCE
from rulelang.session import Session
from tests.games.trees import after, nexts

pyspiel = pytest.importorskip("pyspiel")

WORDS = {
    "pig": ("throw", "keep"),
    "kuhn_poker": ("pass", "bet"),
    "leduc_poker": ("fold", "call", "raise"),
}
"""What its actions are called here, in its order."""
MEETING = {"fold": 0, "call": 1}
"""Kuhn's answers to a bet, which there are passing and betting once more."""


def action(name: str, label: str) -> int:
    """The number of an action, or of an outcome of chance, there."""
    if name == "tic_tac_toe":
        return 3 * (int(label[1]) - 1) + "abc".index(label[0])
    if name == "kuhn_poker" and label in MEETING:
        return MEETING[label]
    if label in WORDS.get(name, ()):
        return WORDS[name].index(label)
    return int(label.removeprefix("card ")) - 1  # a card, or a face of the die


def step(name: str, session: Session, state: Any, answer: int) -> None:
    """Go on in both with one answer, after comparing what is possible."""
    decision = session.decision
    assert decision is not None
    mapped = [action(name, label) for label in session.legal]
    if decision.player == CHANCE:
        there = dict(state.chance_outcomes())
        here = {mapped[o.index]: float(o.probability or 0) for o in decision.options}
        assert here == pytest.approx(there)
    else:
        assert decision.player == state.current_player()
        assert sorted(mapped) == state.legal_actions()
    session.choose(answer)
    state.apply_action(mapped[answer])


@pytest.mark.parametrize("name", ["pig", "tic_tac_toe", "kuhn_poker", "leduc_poker"])
def test_it_is_the_same_game(name: str) -> None:
    random, game = Random(1), rulelang.load(name)
    for _ in range(60):
        session = game.start(chance="explicit")
        state = pyspiel.load_game(name).new_initial_state()
        while not session.over:
            assert not state.is_terminal()
            step(name, session, state, random.randrange(len(session.legal)))
        assert state.is_terminal()
        assert [float(n) for n in returns(name, session)] == state.returns()


def returns(name: str, session: Session) -> list[int]:
    """What each player is paid there."""
    assert session.outcome is not None
    if "poker" in name:
        return [session.outcome.scores[seat] for seat in (0, 1)]
    won, lost = session.outcome.winners, session.outcome.losers
    return [(seat in won) - (seat in lost) for seat in (0, 1)]


def test_goofspiel_is_the_same_game() -> None:
    """There the last cards are played by themselves, and bids are given at one stroke."""
    random, game = Random(1), rulelang.load("goofspiel")
    for _ in range(60):
        session = game.start(chance="explicit")
        state = pyspiel.load_game("goofspiel").new_initial_state()
        while not state.is_terminal():
            step("goofspiel", session, state, random.randrange(len(session.legal)))
            bids = []
            for seat in (0, 1):
                cards = [action("goofspiel", label) for label in session.legal]
                assert cards == state.legal_actions(seat)
                bids.append(random.choice(cards))
                session.choose(f"card {bids[-1] + 1}")
            state.apply_actions(bids)
        while not session.over:
            session.choose(0)
        assert returns("goofspiel", session) == state.returns()


# ------------------------------------------------------------------ backgammon

Board = tuple[tuple[int, ...], ...]
BAR = 100
"""The number of the bar there."""


def board_here(session: Session) -> Board:
    return tuple(tuple(men) for men in session.state["Player.men"].values())


def board_there(state: Any) -> Board:
    points = [[state.board(seat, place) for place in range(24)] for seat in (0, 1)]
    near, far = points[0][::-1], points[1]
    return (*near, state.board(0, BAR)), (*far, state.board(1, BAR))


def ends_here(session: Session, seat: int, known: set[Board]) -> Iterator[tuple[Board, Session]]:
    """The positions at the end of a turn. What was gone on from with the same dice is left out."""
    decision = session.decision
    if decision is None or decision.player != seat:
        yield board_here(session), session
        return
    for later in nexts(session):
        key = (*board_here(later), session.legal, later.legal)
        if key not in known:
            known.add(key)
            yield from ends_here(later, seat, known)


def ends_there(state: Any, seat: int) -> Iterator[tuple[Board, Any]]:
    if state.is_terminal() or state.current_player() != seat:
        yield board_there(state), state
        return
    for number in state.legal_actions():
        yield from ends_there(state.child(number), seat)


@pytest.mark.parametrize("seed", range(4))
def test_backgammon_has_the_same_plays(seed: int) -> None:
    random, game = Random(seed), rulelang.load("backgammon")
    session = game.start(chance="explicit")
    state = pyspiel.load_game("backgammon").new_initial_state()
    beginning = True
    while not state.is_terminal():
        a, b = random.randint(1, 6), random.randint(1, 6)
        if beginning and a == b:
            continue
        session, state = rolled(session, state, a, b, beginning)
        seat, beginning = state.current_player(), False
        here = dict(ends_here(session, seat, set()))
        there = dict(ends_there(state, seat))
        assert set(here) == set(there), (board_there(state), a, b)
        chosen = random.choice(sorted(here))
        session, state = here[chosen], there[chosen]
    assert session.over
    assert returns("backgammon", session) == state.returns()


def rolled(session: Session, state: Any, a: int, b: int, first: bool) -> tuple[Session, Any]:
    """Both with these dice on the table. At first, who has the greater one begins."""
    if not first:
        wanted = f"roll: {min(a, b)}{max(a, b)}"
    else:
        wanted = f"{'X' if a > b else 'O'} starts, (roll: "
    for number, _ in state.chance_outcomes():
        said = state.action_to_string(number)
        digits = sorted(said.rstrip(")")[-2:])
        if wanted in said and digits == sorted(f"{a}{b}"):
            return after(session, str(a), str(b)), state.child(number)
    raise AssertionError(f"{wanted} is none of its throws")
