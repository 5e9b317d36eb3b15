"""The game written by hand: small facts worked out on paper, and what holds in every game."""

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b
from random import Random

import pytest

from tests.bench import solo_by_hand as solo
from tests.bench.solo_by_hand import Game, Result

BESSIE, CANDIDO, ROY = 0, 1, 2  # camping, navigation, jungle


class Script:
    """Answers from a list of (n, answer); it fails when n is another or the list runs out."""

    def __init__(self, *steps: tuple[int, int]) -> None:
        self.steps = list(steps)

    def __call__(self, n: int) -> int:
        expected, answer = self.steps.pop(0)
        assert n == expected
        return answer


def table(
    path: list[int],
    *picks: tuple[int, int],
    draws: tuple[tuple[int, int], ...] = (),
    deck: list[int] | None = None,
) -> Game:
    g = Game(Script(*picks), Script(*draws))
    g.path = path
    g.deck = [c for c in g.deck if c not in path] if deck is None else deck
    return g


def set_health(g: Game, *health: int) -> None:
    g.health = list(health)
    g.living = [e for e, tokens in enumerate(health) if tokens]


def used_up(answers: Callable[[int], int]) -> bool:
    assert isinstance(answers, Script)
    return not answers.steps


def ended(g: Game) -> str:
    with pytest.raises(solo.End) as caught:
        solo.run(g)
    return str(caught.value)


def everywhere(g: Game) -> list[int]:
    return [*g.deck, *g.hand, *g.path, *g.kept, *g.discard]


# ------------------------------------------------------------------ the cards


def test_all_cards_are_read() -> None:
    assert list(solo.CARDS) == list(range(1, 57))
    kinds = Counter(kind for boxes in solo.CARDS.values() for kind, _ in boxes)
    assert kinds == {"event": 31, "choice": 96, "option": 14}
    symbols = Counter(s for boxes in solo.CARDS.values() for _, box in boxes for s in box)
    assert sum(symbols.values()) == 281
    assert (symbols["advance"], symbols["death"], symbols["spend health"]) == (24, 6, 44)


def test_a_card_is_read_past_comments_and_citations() -> None:
    text = 'kind Card by number\n  title: text\ncard 7 "A # cites"  cites X-1  # note\n'
    text += "  event:  skip,  gain food  # printed small\n"
    assert solo.read_cards(text) == {7: (("event", ("skip", "gain food")),)}


@pytest.mark.parametrize(
    "text", ['card 1 "A"\n  when: skip\n', 'card 1 "A"\n  event: skip\ncard 1 "B"\n']
)
def test_a_file_that_is_not_understood_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"no box|twice"):
        solo.read_cards(text)


def test_the_first_explorer_of_each_expertise_joins() -> None:
    assert solo.TEAM == ["bessie", "candido", "roy"]
    assert solo.SPECIALIST == {"camping": BESSIE, "navigation": CANDIDO, "jungle": ROY}


# ------------------------------------------------------------------ single cards


def test_a_storm_skips_two_cards_and_then_asks_for_a_health() -> None:
    # The red box is picked before anything happens; then card 42 comes.
    g = table([35, 4, 16, 42], (2, 0), (3, 1), (3, 0))
    solo.walk(g)
    assert used_up(g.pick)
    assert g.discard == [4, 16, 35]
    assert g.kept == [42]
    assert g.health == [3, 2, 3]


def test_advance_goes_ahead_of_the_harm_printed_before_it() -> None:
    g = table([19], (2, 0))  # health, health, skip, advance
    set_health(g, 1, 0, 0)
    g.place = 8
    with pytest.raises(solo.End, match="arrival"):
        solo.walk(g)
    assert (g.health, used_up(g.pick)) == ([1, 0, 0], True)


def test_death_stays_ahead_of_an_advance_printed_after_it() -> None:
    g = table([22], (3, 2), (1, 0))
    set_health(g, 0, 4, 0)
    g.place = 8
    with pytest.raises(solo.End, match="wiped_out"):
        solo.walk(g)
    assert g.place == 8


def test_without_ammunition_a_red_box_that_costs_some_is_not_offered() -> None:
    g = table([12], (1, 0), (3, 0), (3, 0))
    g.ammo = 0
    solo.walk(g)
    assert (g.health, g.ammo, g.decisions) == ([1, 3, 3], 0, 3)


def test_a_blue_box_that_cannot_be_paid_is_not_asked_for() -> None:
    g = table([5], (2, 1), draws=((2, 1),), deck=[40, 55])
    g.ammo = 0
    solo.walk(g)  # adds card 55, which costs a Food
    assert (g.discard, g.food, g.ammo) == ([5, 55], 2, 0)


def test_both_blue_boxes_are_asked_for_in_printed_order() -> None:
    # The second is taken: Bessie pays as the specialist, then Candido gains a Health.
    g = table([4], (2, 1), (2, 0), (3, 0), (3, 1))
    solo.walk(g)
    assert (g.health, g.food, used_up(g.pick)) == ([2, 4, 3], 3, True)


def test_an_expertise_is_paid_with_a_card_a_specialist_or_another_in_this_order() -> None:
    for answer, (kept, health) in enumerate(
        [([11], [3, 1, 3]), ([3], [3, 1, 3]), ([3, 11], [3, 1, 2]), ([3, 11], [1, 1, 3])]
    ):
        g = table([], (4, answer))  # Candido has too little for another's Expertise
        g.kept = [3, 11]
        set_health(g, 3, 1, 3)
        solo.spend_expertise("jungle")(g)
        assert (g.kept, g.health, used_up(g.pick)) == (kept, health, True)
        assert sorted(g.kept + g.discard) == [3, 11]


def test_a_last_health_is_paid_where_nothing_can_be_paid_in_full() -> None:
    g = table([], (2, 1))
    set_health(g, 1, 1, 0)
    solo.spend_expertise("jungle")(g)
    assert (g.health, g.living) == ([1, 0, 0], [BESSIE])


def test_a_swap_may_be_declined_and_never_offers_the_card_itself() -> None:
    g = table([5, 7, 9], (4, 3), (4, 1), (2, 1))
    solo.swap(g)
    assert g.path == [5, 7, 9]
    solo.swap(g)
    assert g.path == [5, 9, 7]
    lonely = table([5])
    solo.swap(lonely)
    assert lonely.decisions == 0


def test_a_card_that_gains_an_expertise_is_kept_but_not_when_skipped() -> None:
    g = table([36, 3, 11], (3, 1))  # navigation by its specialist or two others; skip 3, remove 11
    solo.walk(g)
    assert (g.kept, g.discard, g.health) == ([36], [3, 11], [1, 3, 3])


def test_nobody_is_asked_who_gains_a_health_when_all_have_four() -> None:
    g = table([])
    set_health(g, 4, 0, 4)
    solo.gain_health(g)
    assert (g.health, g.decisions) == ([4, 0, 4], 0)


# ------------------------------------------------------------------ the deck


def test_an_empty_deck_costs_a_food_and_takes_the_discards_back_in_order() -> None:
    g = table([], draws=((3, 1),), deck=[])
    g.discard = [40, 7, 21]
    assert solo.draw(g) == 21
    assert (g.deck, g.discard, g.food, g.reshuffled) == ([7, 40], [], 2, True)


def test_the_second_time_the_deck_is_empty_is_the_end() -> None:
    g = table([], deck=[])
    g.discard, g.reshuffled = [40], True
    with pytest.raises(solo.End, match="out_of_time"):
        solo.draw(g)
    assert solo.finish(g, "out_of_time") == Result(False, "out_of_time", 18, 3, 3, 1, 0, 0)


def test_the_score_counts_stocks_kept_cards_and_the_bonus_for_each_who_lives() -> None:
    g = table([])
    g.kept, g.food, g.ammo = [1, 3], 2, 1
    set_health(g, 4, 0, 1)
    assert solo.finish(g, "arrival").score == (2 + 1 + 2 + 5) * 2


# ------------------------------------------------------------------ hikes


def test_a_morning_is_laid_in_ascending_order() -> None:
    g = table([], (6, 0), (5, 4), (4, 0), draws=((50, 49), (49, 0), (48, 0)))
    g.hand = [10, 20, 30, 40, 45, 50]
    g.deck = [c for c in g.deck if c not in g.hand]
    solo.lay_morning(g)
    assert g.path == [1, 2, 10, 20, 50, 56]
    assert g.hand == [30, 40, 45]


def test_an_evening_offers_the_hand_then_the_deck_three_times_at_most() -> None:
    deck = ((3, 2), (2, 0)), ((3, 2), (2, 1)), ((3, 2), (2, 0))
    picks = [(3, 1), *(step for turn in deck for step in turn), (2, 1), (2, 1), (1, 0), (2, 0)]
    g = table([], *picks, draws=((53, 0), (52, 0), (51, 0)))
    g.hand = [10, 20, 30]
    g.deck = [c for c in g.deck if c not in g.hand]
    solo.lay_evening(g)
    assert g.path == [10, 3, 1, 20, 2, 30]
    assert (g.hand, g.decisions, g.chances, used_up(g.pick)) == ([], 11, 3, True)


# ------------------------------------------------------------------ whole games


class Answers:
    """Always the same answers, each as a share of the options that there are."""

    def __init__(self, shares: list[float]) -> None:
        self.shares = shares
        self.used = 0

    def __call__(self, n: int) -> int:
        share = self.shares[self.used]
        self.used += 1
        return int(share * n)


def test_a_game_is_won_on_the_last_place() -> None:
    # Random play does not get there: answers are changed as long as the pawn gets no less far.
    random = Random(1)
    best = [[random.random() for _ in range(1000)] for _ in range(2)]
    result = solo.play(Answers(best[0]), Answers(best[1]))
    for _ in range(1500):
        trial = [list(shares) for shares in best]
        trial[0][random.randrange(result.decisions)] = random.random()
        trial[1][random.randrange(result.chances)] = random.random()
        outcome = solo.play(Answers(trial[0]), Answers(trial[1]))
        if outcome.place >= result.place:
            best, result = trial, outcome
    assert (result.won, result.reason, result.place) == (True, "arrival", solo.CITY)
    assert result.score > 0


def check_end(g: Game, reason: str, cards: list[int]) -> None:
    found = everywhere(g)
    assert len(found) == len(set(found))
    # At most the card that was being resolved is in none of these places.
    assert set(found) <= set(cards)
    assert len(set(cards) - set(found)) <= 1
    assert (reason == "wiped_out") == (not g.living)
    assert (reason == "arrival") == (g.place == solo.CITY)
    assert (g.deck, g.hand, g.kept) == (sorted(g.deck), sorted(g.hand), sorted(g.kept))
    assert min(g.ammo, g.food) >= 0
    assert all(0 <= tokens <= solo.MOST_HEALTH for tokens in g.health)
    assert g.living == [e for e, tokens in enumerate(g.health) if tokens]


@pytest.mark.parametrize(
    ("size", "reasons"), [(56, {"wiped_out"}), (14, {"wiped_out", "out_of_time"})]
)
def test_no_card_is_lost_or_doubled(size: int, reasons: set[str]) -> None:
    seen: Counter[str] = Counter()
    for seed in range(400):
        random = Random(seed)
        g = Game(random.randrange, random.randrange)
        g.deck = sorted(random.sample(solo.DECK, size))
        g.food = 30  # random play starves early
        cards = g.deck.copy()
        reason = ended(g)
        check_end(g, reason, cards)
        seen[reason] += 1
    assert set(seen) >= reasons


def test_a_score_is_nothing_without_a_survivor() -> None:
    for seed in range(200):
        result = solo.play_random(seed)
        assert (result.score == 0) == (result.reason == "wiped_out")
        assert result.won == (result.reason == "arrival")


# ------------------------------------------------------------------ random words


def test_words_are_read_from_the_digest_in_turn() -> None:
    draw = solo.words(7, "pile:deck")
    read = [draw() for _ in range(33)]
    for n in (0, 5, 15, 16, 31, 32):
        digest = blake2b(f"7:pile:deck:{n // 16}".encode()).digest()
        at = 4 * (n % 16)
        assert read[n] == int.from_bytes(digest[at : at + 4], "little")


def test_a_forced_decision_takes_no_word_but_a_draw_does() -> None:
    asked: list[int] = []
    decisions, draws = solo.words(3, "policy:0"), solo.words(3, "pile:deck")

    def pick(n: int) -> int:
        asked.append(n)
        return 0 if n == 1 else (decisions() * n) >> 32

    assert solo.play(pick, lambda n: (draws() * n) >> 32) == solo.play_random(3)
    assert 1 in asked


def test_a_seed_gives_the_same_game_again() -> None:
    assert solo.play_random(0) == solo.play_random(0)
    assert solo.play_random(0) == Result(False, "wiped_out", 0, 6, 3, 2, 28, 13)
    assert solo.play_random(2026) == Result(False, "wiped_out", 0, 3, 5, 3, 30, 13)
    assert len({solo.play_random(seed) for seed in range(50)}) > 40
