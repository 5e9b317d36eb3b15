"""Games that are played through begin where the first of them differs from the others: what all do
before is done once. It must make no difference."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang import playing
from rulelang.engine.compiler import rollout
from rulelang.engine.compiler.kept import unmade
from rulelang.engine.compiler.module import Module
from rulelang.engine.compiler.rollout import Playthrough
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.operators import MAX_WORK
from rulelang.game import Game
from rulelang.playing import Batch, play_batch
from rulelang.prepared import Prepared
from rulelang.program.linking import WORK
from tests.engine.compiler.programs import wild_programs
from tests.engine.compiler.starts import KEPT, LARGE, SMALL, broken_off, loaded
from tests.engine.compiler.twins import same_game
from tests.engine.helper import game


def one_by_one(module: Module, seeds: range) -> Batch:
    """The games of some seeds, each from the very start."""
    batch = Batch()
    for seed in seeds:
        try:
            each = rollout.play(module, seed)
            each.slots[WORK] = MAX_WORK
            verdict = module.judged(each.slots)
        except (rollout.Doubt, Fault, *UNFORESEEN):
            batch.doubtful.append(seed)
            continue
        decisions, chances = each.events()
        batch.verdicts[verdict] = batch.verdicts.get(verdict, 0) + 1
        batch.decisions += decisions
        batch.chances += chances
        batch.turns += each.turns
    return batch


def first_mode(toy: Game) -> Prepared:
    mode = next(iter(toy.program.modes.values()))
    return toy.prepared(toy.configure(mode.name, mode.low, None, None))


def check(made: Prepared, seeds: range) -> Module:
    """Games of a batch, and the same one by one; the module that plays them."""
    batch = Batch()
    play_batch(made, seeds, "random", batch)
    assert batch == one_by_one(made.playing("random"), seeds)  # with the same ones in doubt
    return made.playing_many("random")


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch of few games begins late, too."""
    monkeypatch.setattr(playing, "MANY", 1)
    monkeypatch.setattr(playing, "FIRST", 2)
    broken_off(monkeypatch)


@pytest.mark.parametrize("name", [*LARGE, *SMALL, *KEPT], ids=lambda name: name.rpartition("/")[2])
def test_many_games_are_the_same_as_each_alone(name: str) -> None:
    module = check(first_mode(loaded(name)), range(5 if name in LARGE else 20))
    assert module.course is not None or name not in LARGE
    assert not unmade(module)  # else it would not be kept on disk


@settings(max_examples=12, deadline=None)
@given(wild_programs(), st.integers(0, 2**32))
def test_many_games_written_at_random_are_too(toy: Game, seed: int) -> None:
    check(first_mode(toy), range(seed, seed + 4))


def begun(text: str) -> tuple[Module, list[Any]]:
    """The module that plays a small game, and what comes of some games by the interpreter."""
    made = first_mode(game(text))
    module = check(made, range(6))
    return module, [same_game(made, seed, "random") for seed in range(6)]


SET_UP = """state
  deck: pile of Card
  shown: row of Card
  points: 0 to 100
rule play
  for c in Card where c.number < 4: move c to deck
  points = 7
  {}
  draw from deck to right(shown)
  choose d from Colour by first(players) "Which?"
  trail = [points]
  end done
"""


def test_set_up_is_done_once() -> None:
    module, found = begun(SET_UP.format("points += 1"))
    assert module.course is not None
    assert [each["fault"] for each in found] == [None] * 6
    slots: list[Any] = []
    module.opening.begin(Playthrough(module, module.opening), slots)
    base = module.linked.bases
    assert slots[base["points"]] == 8
    assert [card.key for card in slots[base["deck"]]] == [1, 2, 3]


def test_what_goes_on_later_keeps_its_locals() -> None:
    both = "let later = points + 1\n  roll n from d6\n  points += later + n"
    module, _ = begun(SET_UP.format(both))
    assert module.course is not None
    assert [8 in way.locals for way in module.course.ways] == [True]


SETTLED = """state
  points: 0 to 999
  rate: 0 to 9
  luck: 0 to 9
  told: flag
state per c: Card
  worth: 0 to 9
  owner: Player or none
state per k: Colour
  used: flag
kind Sign by number
  deed: effect
sign 1
  deed: be_lucky
rule be_lucky: luck = 5
rule set_up
  rate = 3
  luck = 2
  for c in Card: c.worth = c.number
  for c in Card where c.number < 3: c.owner = first(players)
  red.used = yes
{}
rule play
  set_up
  for c in Card where c.worth > 1
    let weight = c.worth
    choose d from Colour by first(players) "Which?"
    points += weight * rate + luck + count(e in Card where e.owner is first(players))
    d.used = not d.used
    do Sign[1].deed
    trail = [points, luck]
  end done
"""


def test_what_no_rule_writes_any_more_is_known() -> None:
    module, found = begun(SETTLED.format(""))
    assert module.course is not None
    assert {each["fault"] for each in found} == {None}
    settled = module.course.settled
    assert settled["rate"] == (3,)
    assert settled["Card.worth"] == (1, 2, 3, 4)
    assert [owner is None for owner in settled["Card.owner"]] == [False, False, True, True]
    assert settled.keys().isdisjoint({"points", "luck", "Colour.used", "trail"})
    behind, _, whole = module.sources["r_play"][0].partition("def r_play(m, s):")
    rate = f"s[{module.linked.bases['rate']}]"
    assert rate in whole
    assert rate not in behind


def test_set_up_that_asks_half_way_settles_what_lies_behind_it() -> None:
    """The rest of set-up and its locals go on where the first decision comes."""
    asks = """  let twice = rate * 2
  choose k from Colour by first(players) "Twice?"
  for c in Card
    if k is red: rate = twice
    else: c.worth = twice
"""
    module, found = begun(SETTLED.format(asks))
    assert module.course is not None
    assert [way.root.kind for way in module.course.ways] == ["here", "after"]
    assert {each["fault"] for each in found} == {None}
    assert "Card.owner" in module.course.settled
    assert module.course.settled.keys().isdisjoint({"rate", "Card.worth"})


def test_games_do_not_begin_within_a_loop() -> None:
    """It could not be written as one any more."""
    loop = """rule play
  trail = [0]
  repeat
    for p in players
      roll n from d6
      trail = [n]
      if n == 6: end done
"""
    module, _ = begun(loop)
    assert module.course is not None
    assert [(way.root.kind, way.root.place) for way in module.course.ways] == [("here", 1)]
    assert "pc = " not in module.sources["r_play"][0]


SHOWN = """state per p: Player
  hand: set of Card, seen by p
outcome
  else: tied
  scores for p: Player = size(trail)
rule play
  for c in Card: move c to last(players).hand
  reveal last(players).hand to first(players)
  choose d from Colour by first(players) "Which?"
  choose c from last(players).hand where c.number > 2 by first(players) "Take?" else return
  trail += [c.number]
  end done
"""


def test_who_was_shown_what_in_set_up_is_known_behind_it() -> None:
    made = game(SHOWN)
    ready = made.prepared(made.configure("party", 2, None, None))
    batch = Batch()
    play_batch(ready, range(6), "random", batch)
    assert ready.playing_many("random").course is not None
    assert ready.playing_many("random").marks
    assert batch.doubtful == []
    assert batch == one_by_one(ready.playing("random"), range(6))


def test_cards_change_places_where_it_is_noted_who_knows_them() -> None:
    path = "  for e in Card: move e to right(path)\n  exchange first(path) c\n  trail +="
    toy = game("state\n  path: row of Card\n" + SHOWN.replace("  trail +=", path))
    module = toy.prepared(toy.configure("party", 2, None, None)).playing("random")
    assert module.marks
    assert one_by_one(module, range(6)).doubtful == []


def test_a_rule_may_be_under_way_twice() -> None:
    module, found = begun("""rule set_up
  trail += [1]
  if size(trail) < 3: set_up
  choose d from Colour by first(players) "Which?"
  if d is red: trail += [2]
rule play
  set_up
  end done
""")
    assert module.course is not None
    assert [way.rule for way in module.course.ways] == ["set_up"] * 3 + ["play"]
    assert {each["decisions"] for each in found} == {3}


def test_set_up_that_takes_long_is_not_done_beforehand() -> None:
    """There would be too little fuel left."""
    long = "let n = 0\n  repeat while n < 34000: n += 1\n  points = 1"
    module, _ = begun(SET_UP.format(long))
    assert module.course is None
    made = first_mode(game(SET_UP.format(long)))
    batch = Batch()
    play_batch(made, range(3), "random", batch)
    assert batch.doubtful == []


@pytest.mark.parametrize("begins", ["end done", "points -= 8"])
def test_games_that_end_or_fail_at_once(begins: str) -> None:
    module = check(first_mode(game(SET_UP.format(begins))), range(3))
    assert module.course is None


def test_a_game_that_is_interrupted_is_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    made, seeds = first_mode(loaded("pig")), range(30)
    batch, asked = Batch(), 0
    more = rollout.Playthrough.more

    def interrupted(self: rollout.Playthrough, source: int) -> list[int]:
        nonlocal asked
        asked += 1
        if asked == 40:
            raise KeyboardInterrupt
        return more(self, source)

    with monkeypatch.context() as patched:
        patched.setattr(rollout.Playthrough, "more", interrupted)
        with pytest.raises(KeyboardInterrupt):
            play_batch(made, seeds, "random", batch)
    played = sum(batch.verdicts.values())
    assert 0 < played < 30
    assert batch == one_by_one(made.playing("random"), seeds[:played])


ENDLESS = """rule play
  let n = 0
  repeat while n >= 0
    choose d from Colour by first(players) "Which?"
    n += 1
    for x in Card
      choose by first(players) "Again?"
        offer again "Again": trail = [n]
"""


def test_an_endless_game_of_decisions_is_broken_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """No turn of its loops counts anything, as there is a decision in each."""
    monkeypatch.setattr(rollout, "MAX_BLOCKS", 5)
    made = first_mode(game(ENDLESS))
    batch = Batch()
    play_batch(made, range(2), "random", batch)
    assert batch.doubtful == [0, 1]
    assert "fuel" not in made.playing_many("random").sources["r_play"][0]
    found = same_game(made, 0, "random")
    assert (found["fault"], found["decisions"]) == (None, rollout.MAX_DECISIONS)


DEEP = """rule play
  deeper 60
  note
rule deeper(n: number)
  if n > 0: deeper (n - 1)
  else
    choose d from Colour by first(players) "Which?"
    further {further}
  note
rule further(n: number)
  if n > 0: further (n - 1)
  note
rule note: points = 0
"""


@pytest.mark.parametrize("more", [-8, -1, 0, 1, 40])
def test_rules_in_which_games_open_count_for_how_deep_they_are(more: int) -> None:
    made = first_mode(game(SET_UP.split("rule")[0] + DEEP.format(further=136 + more)))
    module, batch = made.playing_many("random"), Batch()
    play_batch(made, range(3), "random", batch)
    assert module.course is not None
    assert len(module.course.ways) > 60
    found = [same_game(made, seed, "random") for seed in range(3)]
    assert [each["fault"] is not None for each in found] == [more > 0] * 3
    assert batch.doubtful == list(range(3)) * (more > -8)
