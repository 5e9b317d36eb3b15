"""What only games that are played through do: zones that change in place, rules written into
others, fuel that is given in thirds, answers whose work is not charged for."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.engine import zones
from rulelang.engine.chance import pick
from rulelang.engine.compiler.heap import Heap
from rulelang.engine.compiler.support import LITTLE, Acts, Carried, Doubt, LightMemo, under_way
from rulelang.engine.machine import FUEL
from rulelang.program.linking import WORK
from rulelang.program.values import EMPTY_PILE, Entry, Pile
from tests.engine.compiler.test_limits import ASKED, turns
from tests.engine.compiler.twins import Twins, counted_doubts, same_game
from tests.engine.helper import HEAD, game

CARDS = tuple(Entry("Card", n, n, f"card {n}", "") for n in range(6))
CHANGES = st.lists(
    st.tuples(
        st.sampled_from(("", "top", "bottom", "take", "draw", "mix", "clear")),
        st.sampled_from(CARDS),
        st.integers(0, 2**32 - 1),
    ),
    max_size=30,
)


def changed(pile: Pile, how: str, card: Entry, word: int) -> Pile:
    """What the interpreter makes of a pile."""
    if how == "take":
        return zones.take(pile, card, "pile") if zones.holds(pile, card, "pile") else pile
    if how == "draw":
        cards = zones.on_top(pile)
        return zones.drawn(pile, cards[pick(word, len(cards))]) if cards else pile
    if how == "mix":
        return Pile((), tuple(sorted([*pile.all(), card], key=lambda c: c.index)), ())
    return EMPTY_PILE if how == "clear" else zones.put(pile, card, "pile", how)


def change(heap: Heap, how: str, card: Entry, word: int) -> None:
    """The same in place, as generated code does it."""
    if how == "take":
        if heap.holds(card):
            heap.take(card)
    elif how == "draw":
        if heap or (heap.odd and heap.size()):
            if heap.odd:
                heap.draw(word)
            else:
                heap.pop(word * len(heap) >> 32)
    elif how == "mix":
        heap.mix((card,))
    elif how == "clear":
        heap.clear()
    else:
        part = {"": heap.loose, "top": heap.top, "bottom": heap.bottom}[how]
        part.insert(0 if how == "top" else len(part), card)
        heap.odd = True


@settings(max_examples=300, deadline=None)
@given(CHANGES)
def test_a_heap_is_what_a_pile_is(changes: list[tuple[str, Entry, int]]) -> None:
    pile: Any = Pile((), CARDS[:3], ())
    heap = Heap.of(pile)
    for how, card, word in changes:
        pile = changed(pile, how, card, word)
        change(heap, how, card, word)
        assert heap.size() == len(pile)
        assert [heap.holds(c) for c in CARDS] == [zones.holds(pile, c, "pile") for c in CARDS]
    assert heap.all() == pile.all()
    assert Pile(tuple(heap.top), tuple(heap), tuple(heap.bottom)) == pile  # `all` has settled it


def test_what_does_not_lie_in_a_heap_is_in_doubt() -> None:
    with pytest.raises(Doubt):
        Heap.of(EMPTY_PILE).take(CARDS[0])


def rolled_out(text: str, seeds: int = 4) -> tuple[list[Any], int]:
    """What comes of some games by random bots, and how many were in doubt."""
    toy = game(text)
    made = toy.prepared(toy.configure("alone", 1, None, None))
    with counted_doubts() as doubts:
        found = [same_game(made, seed, "random") for seed in range(seeds)]
    return found, doubts["game"] - seeds  # each is played by the interpreter, too


AGAIN = f"rule play\n  let asked = 0\n  repeat while asked < 5\n    asked += 1\n  {ASKED}"


@pytest.mark.parametrize(("between", "doubtful"), [(FUEL // 20, 0), (FUEL - 100, 2)])
def test_a_decision_gives_new_fuel(between: int, doubtful: int) -> None:
    """Between two decisions there is as much as ever; only near the limit is there a doubt."""
    text = AGAIN + "".join(f"  {line}\n" for line in turns(between).splitlines())
    found, doubts = rolled_out(text, 2)
    assert [each["fault"] for each in found] == [None] * 2
    assert [each["decisions"] for each in found] == [5] * 2
    assert doubts == doubtful


def test_without_a_decision_there_is_none() -> None:
    found, doubts = rolled_out(f"rule play\n{ASKED}{turns(FUEL + 10)}")
    assert all("100,000 steps" in each["fault"][0] for each in found)
    assert doubts == 4


MUCH = """define much(c: Card) = sum(a in numbers(1, 2000): sum(b in numbers(1, 5): b)) + c.number
rule play
"""


@pytest.mark.parametrize(("times", "fails"), [(20, False), (600, True)])
def test_what_is_remembered_costs_what_it_took(times: int, *, fails: bool) -> None:
    counted = f"  let n = 0\n  repeat while n < {times}\n    n += 1\n"
    text = f"{MUCH}{ASKED}{counted}    for x in Card\n      let m = much(x)\n      trail = [m]\n"
    found, _ = rolled_out(text, 2)
    assert [each["fault"] is not None for each in found] == [fails] * 2


class Memory(dict[Any, tuple[Any, int]]):
    """A memory that says what was asked of it."""

    def __missing__(self, key: int) -> tuple[int, int]:
        self[key] = found = key + 1, key
        return found


def test_only_what_took_little_is_uncharged() -> None:
    memory: Any = Memory()
    light = LightMemo(memory)
    assert light[LITTLE] == LITTLE + 1
    assert list(light) == [LITTLE]
    under_way.slots = [None] * WORK + [LITTLE + 10]
    assert [light[LITTLE + 1], light[LITTLE]] == [LITTLE + 2, LITTLE + 1]
    assert under_way.slots[WORK] == 9
    assert list(light) == [LITTLE]
    with pytest.raises(Doubt):
        light[LITTLE + 1]


EARLY = """rule note(n: number) for c: Colour
  if c is red: return
  trail += [n]
rule sum_up(n: number) gives number
  if n > 2: return n + 1
  trail += [9]
  return n
rule first_above(n: number) gives number
  for m in [1, 2, 3, 4]
    if m > n: return m
  return 0
rule play
  let k = 0
  repeat while k < 5
    k += 1
    choose c from Colour by players[1] "Which?"
    note k for c
    let s from sum_up k
    let f from first_above s
    trail += [s, f]
  if size(trail) > 12: end done
outcome
  when ended(done): won by players
  else: lost by players
  scores for p: Player = sum(n in trail: n)
"""


CHARMS = """rule play
  let n = 3
  let m = 4
  for c in Card: move c to bag
  repeat while n > 0
    n -= 1
    for p in players: take_turn for p
rule take_turn for p: Player
  draw from bag to p.charms else return
  may choose c from p.charms by p "Use which?"
    trail += [c.number]
    move c to gone
"""


def test_a_card_is_looked_for_where_it_lay_for_its_owner() -> None:
    """In a rule that is written into another one its owner has another name."""
    fields = "  bag: pile of Card, hidden\n  gone: set of Card\n"
    head = f"{HEAD}{fields}state per p: Player\n  charms: set of Card, seen by p\n"
    toy = game(CHARMS, head)
    made = toy.prepared(toy.configure("party", 3, None, None))
    module = made.playing("random")
    source, _ = module.source(module.versions.general("play"))
    assert "r_take_turn" not in source
    with counted_doubts() as doubts:
        for seed in range(9):
            assert same_game(made, seed, "random")["fault"] is None
    assert doubts["game"] == 9  # those that the interpreter plays for comparison


def test_rules_that_end_early_are_written_into_others() -> None:
    toy = game(EARLY)
    made = toy.prepared(toy.configure("alone", 1, None, None))
    scores = {tuple(same_game(made, seed, "random")["outcome"].scores.items()) for seed in range(9)}
    assert len(scores) > 2
    module = made.playing("random")
    source, _ = module.source(module.versions.general("play"))
    assert "r_note" not in source
    assert "r_sum_up" not in source
    assert "r_first_above" in source  # it ends in the midst of a loop


DEEDS = """
kind Deal by number
  effects: list of effect
deal 1
  effects: note 1, note 2
deal 2
  effects: note 3, asks, note 4, note 5, note 6, note 7
deal 3
rule note(n: 1 to 9): trail += [n]
rule asks
  choose by players[1] "More?"
    offer yes "Yes": note 8
    offer no "No": nothing
rule play
  for n in [1, 2, 3]
    choose d from Deal by players[1] "Which?"
    for e in list(e in d.effects where e is not note(9)): do e
"""


def test_lists_of_effects_are_carried_out_one_by_one() -> None:
    """Short and long ones, before and after their functions are known."""
    toy = game(DEEDS)
    for _ in range(3):
        for first in (0, 1, 2):
            twins = Twins(toy, mode="alone")
            for answer in (first, 0, 0, 0, 0, 0):
                if twins.both is not None and not twins.both[0].over:
                    twins.do(lambda s, answer=answer: s.choose(answer))  # type: ignore[misc]
                    twins.agree(whole=True)
            twins.look_at_third()
    made = toy.prepared(toy.configure("alone", 1, None, None))
    for seed in range(40):
        same_game(made, seed, "random")
    source, _ = made.playing("random").sources["r_play"]
    assert "Carried(" in source


def test_functions_of_effects_are_kept_once_all_are_compiled() -> None:
    effects, acts = ("one", "two"), Acts()
    for effect in effects:
        acts[id(effect)] = effect.upper
    light: dict[Any, Any] = {"key": effects}
    carried = Carried(acts, light, most=2)
    assert [run() for run in carried.of("key", effects)] == ["ONE", "TWO"]
    assert not carried.quick
    acts.done.update(map(id, effects))
    carried.of("other", effects)
    assert not carried.quick  # its answer is not among those that took little
    carried.of("key", effects)
    assert list(carried.quick) == ["key"]
    long = Carried(acts, light, most=1)
    for _ in range(2):
        assert [run() for run in long.of("key", effects)] == ["ONE", "TWO"]
    assert (list(long.quick), list(long.long)) == ([], ["key"])
