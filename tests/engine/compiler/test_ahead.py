"""Sessions that nobody looks into run ahead; whoever looks finds what the interpreter has."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest

from rulelang import Game, GameFault, load
from rulelang.compiled import UNSEEN, CompiledSession
from rulelang.engine.chance import Words
from rulelang.engine.compiler.ahead import Ahead
from tests.engine.compiler.twins import future, running_ahead, seen
from tests.engine.helper import game

LOOKS: dict[str, Callable[[Any], Any]] = {
    "decision": lambda s: s.decision,
    "legal": lambda s: s.legal,
    "state": lambda s: s.state,
    "turns": lambda s: s.turns,
    "digest": lambda s: s.digest(),
    "view": lambda s: s.view(0),
    "position": lambda s: s.position.turns,
    "clone": lambda s: s.clone().digest(),
    "shortlist": lambda s: s.shortlist("greedy"),
}
ENDS = """
rule play
  repeat while size(trail) < 9
    choose c from Colour by players[1] "Which?"
    roll r from d6
    trail += [r]
    if c is green and size(trail) > 1: return
    if c is blue: deeper 190
rule deeper(n: number)
  if n > 1: deeper (n - 1)
  if n > 190: trail = []
"""
"""Three options at each decision: go on, end it unless it is the first one, and be in doubt."""
COINS = "  coins: 0 to 3 = 0\n"
SOLO = {"mode": "solo", "seed": 11}


@pytest.fixture(scope="module")
def expedition() -> Game:
    return load("lost_expedition")


def begun(toy: Game, **start: Any) -> CompiledSession:
    """A session that runs ahead."""
    with running_ahead():
        session = toy.start(**start)
    assert isinstance(session, CompiledSession)
    assert is_ahead(session)
    return session


def is_ahead(session: CompiledSession) -> bool:
    """Does it run ahead, so that there is nothing to be looked at?"""
    return session._still is None and isinstance(session._ahead, Ahead)


def play_on(session: Any, steps: int, picks: Words) -> None:
    """So many answers at random, and no looks."""
    for _ in range(steps):
        if not session.over:
            session.choose(picks.pick("answers", session.count))


@pytest.mark.parametrize("look", LOOKS)
def test_whoever_looks_finds_the_game_where_it_stands(look: str, expedition: Game) -> None:
    session = begun(expedition, **SOLO)
    reference = expedition.start(**SOLO, engine="reference")
    one, other = Words(2), Words(2)
    play_on(session, 12, one)
    play_on(reference, 12, other)
    assert is_ahead(session)
    if look == "position":
        assert session.position.turns == reference.turns
    else:
        assert LOOKS[look](session) == LOOKS[look](reference)
    assert not is_ahead(session)
    play_on(session, 5, one)
    play_on(reference, 5, other)
    assert seen(session) == seen(reference)


def test_how_it_ended_is_known_without_a_look() -> None:
    noughts, winners = load("tic_tac_toe"), set()
    for seed in range(20):
        session = begun(noughts, seed=seed)
        reference = noughts.start(seed=seed, engine="reference")
        play_on(session, 10_000, Words(seed))
        play_on(reference, 10_000, Words(seed))
        assert session.over
        assert session.count == 0
        assert session.outcome == reference.outcome
        assert is_ahead(session)
        assert session.state == reference.state
        assert reference.outcome is not None
        winners.add(reference.outcome.winners)
    assert len(winners) > 1


def test_a_copy_goes_its_own_way(expedition: Game) -> None:
    session = begun(expedition, **SOLO)
    play_on(session, 8, Words(5))
    copy = session.clone()
    before = copy.digest()
    play_on(session, 4, Words(6))
    assert copy.digest() == before != session.digest()


def test_what_was_chosen_is_undone(expedition: Game) -> None:
    session = begun(expedition, **SOLO)
    reference = expedition.start(**SOLO, engine="reference")
    for each in (session, reference):
        play_on(each, 8, Words(5))
        each.undo()
        each.undo()
        play_on(each, 3, Words(7))
    assert seen(session) == seen(reference)


def test_sessions_run_ahead_once_nobody_has_looked_for_long() -> None:
    toy = game('rule play\n  choose c from Colour by players[1] "Which?"\n')
    unseen = toy.prepared(toy.configure("alone", None, None, None)).unseen
    for number in range(UNSEEN + 1):
        session = toy.start(mode="alone", seed=number)
        assert isinstance(session, CompiledSession)
        assert is_ahead(session) == (number == UNSEEN)
        session.choose(0)
        assert session.outcome is not None  # that is no look
    assert unseen.games == UNSEEN + 1
    assert session.legal == ()
    assert unseen.games == 0


def test_sessions_with_explicit_chance_never_do(expedition: Game) -> None:
    with running_ahead():
        session = expedition.start(**SOLO, chance="explicit")
    assert not is_ahead(session)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "rules",
    [
        "  trail = [1]\n",  # nobody ever is
        '  if coins > 0\n    choose c from Colour by players[1] "Which?"\n',
    ],
)
def test_a_game_in_which_nobody_is_asked(rules: str) -> None:
    toy = game(f"{COINS}rule play\n{rules}")
    with running_ahead():
        session = toy.start(mode="alone")
    assert not is_ahead(session)  # type: ignore[arg-type]
    assert session.over
    assert seen(session) == seen(toy.start(mode="alone", engine="reference"))


def test_a_game_that_cannot_begin_says_the_same() -> None:
    toy = game(f'{COINS}rule play\n  coins -= 1\n  choose c from Colour by players[1] "Which?"\n')
    with pytest.raises(GameFault) as wanted:
        toy.start(mode="alone", engine="reference")
    with running_ahead(), pytest.raises(GameFault) as found:
        toy.start(mode="alone")
    assert found.value.args == wanted.value.args


def test_a_fault_leaves_the_session_at_its_decision() -> None:
    toy = game(
        f"""{COINS}
rule play
  choose c from Colour by players[1] "Which?"
  choose by players[1] "Now?"
    offer go "Go": coins -= 1
    offer stay "Stay": trail = [1]
  choose d from Colour by players[1] "And?"
"""
    )
    session, reference = begun(toy, mode="alone"), toy.start(mode="alone", engine="reference")
    faults = []
    for each in (session, reference):
        each.choose(1)
        with pytest.raises(GameFault) as caught:
            each.choose(0)
        faults.append(caught.value.args)
        each.choose(1)
    assert faults[0] == faults[1]
    assert seen(session) == seen(reference)


def test_an_interrupt_loses_nothing(expedition: Game) -> None:
    session = begun(expedition, **SOLO)
    picks = Words(3)
    play_on(session, 9, picks)

    def interrupted(option: int) -> int:
        raise KeyboardInterrupt

    session._go = interrupted
    count = session.count
    with pytest.raises(KeyboardInterrupt):
        session.choose(0)
    assert (session.over, session.count) == (False, count)
    play_on(session, 1_000, picks)
    reference = expedition.start(**SOLO, engine="reference")
    play_on(reference, 1_000, Words(3))
    assert session.over
    assert seen(session) == seen(reference)


def test_a_look_while_the_rules_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """As from what handles a signal: it finds the decision that is being answered."""
    toy = game(ENDS)
    session = begun(toy, mode="alone", seed=2)
    reference = toy.start(mode="alone", seed=2, engine="reference")
    before = reference.legal, reference.turns, reference.digest()
    found: list[Any] = []
    more = Ahead.more

    def looked(self: Ahead, source: int) -> list[int]:
        found.append((session.legal, session.turns, session.clone().digest()))
        return more(self, source)

    monkeypatch.setattr(Ahead, "more", looked)
    for answers in (1, 0):
        for each in (session, reference):
            each.choose(answers)
        assert found == [before]
        assert is_ahead(session)
    assert seen(session) == seen(reference)


def test_what_is_called_like_rules_that_ask_is_gone_through_wherever_it_is_called() -> None:
    """An effect in which nobody decides, as others do: and it is called by its name, too."""
    toy = game(
        f"""{COINS}
kind Deal by number
  effects: list of effect
deal 1
  effects: note 1, asks
rule note(n: 1 to 9)
  if coins > 2
    coins = 0
  else
    coins += 1
  trail += [n]
  if size(trail) > 90
    trail = []
rule asks
  choose c from Colour by players[1] "Which?"
rule twice(n: 1 to 9)
  note n
  for c in Card where c.number > 2
    if c.number > n
      coins = 0
    else
      coins = 1
    note n
    if coins > 2
      coins = 1
  note n
rule play
  choose d from Colour by players[1] "First?"
  twice 3
  for e in Deal[1].effects: do e
  twice 4
"""
    )
    session, reference = begun(toy, mode="alone"), toy.start(mode="alone", engine="reference")
    for each in (session, reference):
        play_on(each, 9, Words(1))
    assert is_ahead(session)
    assert session.over
    assert session.state == reference.state
    assert seen(session) == seen(reference)


@contextmanager
def interrupted(place: int) -> Iterator[None]:
    """Break off where the so-manieth call begins or ends, as Ctrl-C may."""
    left = count(place, -1)

    def trace(*_: Any) -> None:
        if not next(left):
            raise KeyboardInterrupt

    sys.setprofile(trace)
    try:
        yield
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("answer", [0, 1, 2], ids=["a decision", "the end", "a doubt"])
@pytest.mark.parametrize("ahead", [False, True], ids=["as data", "ahead"])
@pytest.mark.parametrize("undone", [False, True], ids=["chosen", "undone"])
def test_whenever_it_is_interrupted_nothing_is_lost(answer: int, ahead: bool, undone: bool) -> None:
    toy, answers = game(ENDS), [1, answer, 1]
    wanted = []
    for many in range(1, 4):
        reference = toy.start(mode="alone", engine="reference")
        play_answers(reference, answers[:many])
        wanted.append(seen(reference))
    places = 0
    for place in sorted({int(1.25**power) for power in range(60)}):
        session = begun(toy, mode="alone") if ahead else toy.start(mode="alone")
        assert isinstance(session, CompiledSession)
        play_answers(session, answers[: 1 + undone])
        try:
            with interrupted(place):
                if undone:
                    session.undo()
                else:
                    session.choose(answer)
        except KeyboardInterrupt:
            places += 1
        else:
            break
        moved = len(session._answers) - 1
        assert session.over == (moved and answer == 1)
        assert session.count == 3 * (not session.over)
        if places % 2:
            assert seen(session) == wanted[moved]
        play_answers(session, answers[1 + moved :])
        assert seen(session) == wanted[2]
    else:
        pytest.fail("it was interrupted each time")
    assert places > 3


def test_a_look_at_any_moment_changes_nothing(expedition: Game) -> None:
    """As from what handles a signal, wherever a call begins or ends, also while it is undone."""
    wanted = [expedition.start(**SOLO, engine="reference")]
    for _ in range(4):
        wanted.append(wanted[-1].clone())
        wanted[-1].choose(0)
    for answers in (3, 2):
        session, looks = begun(expedition, **SOLO), 0
        play_answers(session, [0] * answers)

        def look(frame: Any, *_: Any) -> None:
            nonlocal looks
            if frame.f_code in WATCHED:
                sys.setprofile(None)
                looks += 1
                assert session.legal in (one.legal for one in wanted)  # noqa: B023
                sys.setprofile(look)

        sys.setprofile(look)
        session.choose(0)
        session.undo()
        session.choose(0)
        sys.setprofile(None)
        assert looks > 5
        assert seen(session) == seen(wanted[answers + 1])


_METHODS = (
    CompiledSession.choose, CompiledSession.undo, CompiledSession._replayed, Ahead.close,
)  # fmt: skip
WATCHED = {method.__code__ for method in _METHODS}


@pytest.mark.parametrize("look", ["legal", "turns", "state"])
def test_a_look_when_the_rules_have_gone_on(look: str, expedition: Game) -> None:
    """Just before the answer is noted: the next decision is there as if nobody had looked."""
    session, reference = begun(expedition, **SOLO), expedition.start(**SOLO, engine="reference")
    go = session._go

    def looked(option: int) -> int:
        count = go(option)
        assert getattr(session, look) == getattr(reference, look)
        return count

    session._go = looked
    session.choose(0)
    reference.choose(0)
    session._go = go
    assert is_ahead(session)
    for each in (session, reference):
        play_on(each, 500, Words(4))
    assert seen(session) == seen(reference)


def play_answers(session: Any, answers: list[int]) -> None:
    """Answer so long as there is something to be answered."""
    for answer in answers:
        if not session.over:
            session.choose(answer)


def test_games_under_way_at_once_have_nothing_in_common(expedition: Game) -> None:
    seeds = range(6)
    sessions = [begun(expedition, mode="coop", players=3, seed=seed) for seed in seeds]
    picks = [Words(seed) for seed in seeds]
    for _ in range(200):
        for session, words in zip(sessions, picks, strict=True):
            play_on(session, 1, words)
    for session, seed in zip(sessions, seeds, strict=True):
        reference = expedition.start(mode="coop", players=3, seed=seed, engine="reference")
        play_on(reference, 200, Words(seed))
        assert is_ahead(session)
        assert future(session.machine) == future(reference.machine)
