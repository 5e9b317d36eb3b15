"""The small games written out by hand: what each of them costs without a language.

They are yardsticks for speed, and oracles: decisions, chance events and their options come in the
order in which the rule files ask for them, so that a seed makes the same game.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from typing import NamedTuple

from tests.bench.solo_by_hand import words

Pick = Callable[[int, int], int]
"""Answers a decision: the seat, and how many options it has."""
Chance = Callable[[str, int], int]
"""Answers for chance: its source, and how many outcomes are equally likely."""


class Result(NamedTuple):
    """Who has won, and everybody's score, where the game keeps scores."""

    winners: tuple[int, ...]
    scores: tuple[int, ...] = ()


# ------------------------------------------------------------------ without cards and boards


def pig(pick: Pick, chance: Chance) -> Result:
    scores = [0, 0]
    while True:
        for seat in (0, 1):
            pot = 0
            while scores[seat] + pot < 100 and pick(seat, 2) == 0:
                face = chance("die:d6", 6) + 1
                if face == 1:
                    pot = 0
                    break
                pot += face
            scores[seat] += pot
            if scores[seat] >= 100:
                return Result((seat,), tuple(scores))


SLIDES = {1: 38, 4: 14, 9: 31, 21: 42, 28: 84, 36: 44, 51: 67, 71: 91, 80: 100}
SLIDES |= {16: 6, 47: 26, 49: 11, 56: 53, 62: 19, 64: 60, 87: 24, 93: 73, 95: 75, 98: 78}


def snakes_and_ladders(pick: Pick, chance: Chance) -> Result:
    square = 0
    while square != 100:
        there = square + chance("die:spinner", 6) + 1
        if there <= 100:
            square = SLIDES.get(there, there)
    return Result((0,), (100,))


LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def tic_tac_toe(pick: Pick, chance: Chance) -> Result:
    free, marks = list(range(9)), [-1] * 9
    seat = 0
    while free:
        marks[free.pop(pick(seat, len(free)))] = seat
        for a, b, c in LINES:
            if marks[a] == marks[b] == marks[c] == seat:
                return Result((seat,))
        seat = 1 - seat
    return Result(())


# ------------------------------------------------------------------ cards


def kuhn_poker(pick: Pick, chance: Chance) -> Result:
    deck = [1, 2, 3]
    hands = [deck.pop(chance("pile:deck", len(deck))) for _ in (0, 1)]
    for seat in (0, 1):
        if pick(seat, 2):
            if pick(1 - seat, 2):
                return won(seat, 1)
            return won(int(hands[1] > hands[0]), 2)
    return won(int(hands[1] > hands[0]), 1)


def won(seat: int, chips: int) -> Result:
    return Result((seat,), (chips, -chips) if seat == 0 else (-chips, chips))


def leduc_poker(pick: Pick, chance: Chance) -> Result:
    deck = [1, 2, 3, 4, 5, 6]
    hands = [(deck.pop(chance("pile:deck", len(deck))) + 1) // 2 for _ in (0, 1)]
    paid = [1, 1]
    winner = bet(pick, paid, 2)
    if winner is None:
        table = (deck.pop(chance("pile:deck", len(deck))) + 1) // 2
        winner = bet(pick, paid, 4)
        if winner is None:
            near, far = (rank + 3 * (rank == table) for rank in hands)
            if near == far:
                return Result((), (0, 0))
            winner = int(far > near)
    return won(winner, paid[1 - winner])


def bet(pick: Pick, paid: list[int], step: int) -> int | None:
    """A round of betting; who has won if the other folds."""
    seat, raises, begun = 0, 0, False
    while True:
        behind, other = paid[seat] < paid[1 - seat], paid[1 - seat]
        answer = pick(seat, 1 + behind + (raises < 2)) + (not behind)
        if answer == 0:
            return 1 - seat
        paid[seat] = other
        if answer == 2:
            paid[seat] += step
            raises += 1
        elif begun:
            return None
        begun, seat = True, 1 - seat


def goofspiel(pick: Pick, chance: Chance) -> Result:
    prizes, near, far = (list(range(1, 14)) for _ in range(3))
    taken = [0, 0]
    while prizes:
        prize = prizes.pop(chance("pile:prizes", len(prizes)))
        mine, other = near.pop(pick(0, len(near))), far.pop(pick(1, len(far)))
        if mine != other:
            taken[other > mine] += prize
    if taken[0] == taken[1]:
        return Result((), tuple(taken))
    return Result((int(taken[1] > taken[0]),), tuple(taken))


# ------------------------------------------------------------------ the Royal Game of Ur

MARKS = (0, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4)
ROSETTES = (4, 8, 14)
SHARED = range(5, 13)
OFF = 15


def royal_game_of_ur(pick: Pick, chance: Chance) -> Result:
    lanes: tuple[list[int], list[int]] = ([], [])  # in order: the squares of each one's pieces
    waiting, home = [7, 7], [0, 0]
    seat = 0
    while True:
        marks = MARKS[chance("die:marks", 16)]
        mine, other = lanes[seat], lanes[1 - seat]
        starts = ur_moves(mine, other, marks, waiting[seat]) if marks else []
        again = False
        if starts:
            start = starts[pick(seat, len(starts))]
            if start:
                mine.remove(start)
            else:
                waiting[seat] -= 1
            there = start + marks
            if there == OFF:
                home[seat] += 1
                if home[seat] == 7:
                    return Result((seat,), tuple(home))
            else:
                insort(mine, there)
                if there in SHARED and there in other:
                    other.remove(there)
                    waiting[1 - seat] += 1
                again = there in ROSETTES
        if not again:
            seat = 1 - seat


def ur_moves(mine: list[int], other: list[int], marks: int, waiting: int) -> list[int]:
    """The squares from which a piece may go; 0 is beside the board."""
    found = []
    for start in ([0] if waiting else []) + mine:
        there = start + marks
        safe = there == 8 and 8 in other
        if there <= OFF and there not in mine and not safe:
            found.append(start)
    return found


# ------------------------------------------------------------------ backgammon

BAR = 25
MEN = (0, 0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0)
"""By how far a point is from home; those that are home are not counted."""


def bg_can(k: int, d: int, men: list[int], other: list[int]) -> bool:
    if not men[k] or (k < BAR and men[BAR]):
        return False
    if k > d:
        return other[BAR - k + d] < 2
    return not any(men[7:]) and (k == d or not any(men[k + 1 :]))


def bg_move(k: int, d: int, men: list[int], other: list[int]) -> None:
    men[k] -= 1
    if k > d:
        men[k - d] += 1
        if other[BAR - k + d] == 1:
            other[BAR - k + d] = 0
            other[BAR] += 1


def bg_plays(d: int, men: list[int], other: list[int]) -> list[int]:
    return [k for k in range(1, 26) if men[k] and bg_can(k, d, men, other)]


def bg_leading(d: int, e: int, men: list[int], other: list[int]) -> list[int]:
    """The points from which ``d`` may be played so that ``e`` can be played then."""
    found = []
    for k in bg_plays(d, men, other):
        later = men.copy()
        later[k] -= 1
        if k > d:
            later[k - d] += 1
        if any(later[n] and bg_can(n, e, later, other) for n in range(1, 26)):
            found.append(k)
    return found


def backgammon(pick: Pick, chance: Chance) -> Result:
    sides = (list(MEN), list(MEN))
    a = b = 1
    while a == b:
        a, b = chance("die:d6", 6) + 1, chance("die:d6", 6) + 1
    seat = 0 if a > b else 1
    while True:
        men, other = sides[seat], sides[1 - seat]
        if bg_turn(pick, seat, a, b, men, other):
            return won(seat, bg_worth(other))
        seat = 1 - seat
        a, b = chance("die:d6", 6) + 1, chance("die:d6", 6) + 1


def bg_turn(pick: Pick, seat: int, a: int, b: int, men: list[int], other: list[int]) -> bool:
    """Use the dice; is the last man home then?"""

    def step(d: int) -> bool:
        plays = bg_plays(d, men, other)
        if plays:
            bg_move(plays[pick(seat, len(plays))], d, men, other)
        return not any(men)

    if a == b:
        return any(step(a) for _ in range(4))
    by_a, by_b = bg_leading(a, b, men, other), bg_leading(b, a, men, other)
    if not by_a and not by_b:
        high, low = max(a, b), min(a, b)
        return step(high if bg_plays(high, men, other) else low)
    answer = pick(seat, len(by_a) + len(by_b))
    first = answer < len(by_a)
    k = by_a[answer] if first else by_b[answer - len(by_a)]
    bg_move(k, a if first else b, men, other)
    return not any(men) or step(b if first else a)


def bg_worth(lost: list[int]) -> int:
    if sum(lost) < 15:
        return 1
    return 3 if any(lost[19:]) else 2


# ------------------------------------------------------------------ random play

GAMES: dict[str, Callable[[Pick, Chance], Result]] = {
    "pig": pig,
    "tic_tac_toe": tic_tac_toe,
    "kuhn_poker": kuhn_poker,
    "leduc_poker": leduc_poker,
    "goofspiel": goofspiel,
    "snakes_and_ladders": snakes_and_ladders,
    "royal_game_of_ur": royal_game_of_ur,
    "backgammon": backgammon,
}


def play_random(name: str, seed: int) -> Result:
    """One game in which the seed's words answer; a decision with one option takes no word."""
    sources: dict[str, Callable[[], int]] = {}

    def word(source: str) -> int:
        if source not in sources:
            sources[source] = words(seed, source)
        return sources[source]()

    def pick(seat: int, n: int) -> int:
        return word(f"policy:{seat}") * n >> 32 if n > 1 else 0

    def chance(source: str, n: int) -> int:
        return word(source) * n >> 32

    return GAMES[name](pick, chance)
