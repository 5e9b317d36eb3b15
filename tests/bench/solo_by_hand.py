"""The solo mode of The Lost Expedition written out by hand, for the default rulings.

It is the yardstick for the speed of the interpreter, and an oracle for it: decisions, chance
events and their options come in exactly the order in which the rule files ask for them, so that
the same answers must lead both to the same end.
"""

import re
import struct
from bisect import insort
from collections.abc import Callable, Mapping
from hashlib import blake2b
from itertools import chain, count, product
from pathlib import Path
from typing import NamedTuple, NoReturn, TypeAlias

CARDS_FILE = Path(__file__).parents[2] / "games" / "lost_expedition" / "cards.rules"

HAND_SIZE = 6
PATH_SIZE = 6  # of an evening; a morning's six cards are written out one by one
MOST_DRAWN = 3  # from the deck in one evening
FIRST_PLACE, CITY = 1, 9
START_HEALTH, MOST_HEALTH = 3, 4
START_FOOD, START_AMMO = 3, 3
UNSHUFFLED_BONUS = 5

EXPERTISE = ("jungle", "navigation", "camping")
EXPLORERS = {
    "bessie": "camping",
    "candido": "navigation",
    "isabelle": "navigation",
    "roy": "jungle",
    "teddy": "camping",
    "ynes": "jungle",
}
# The first explorer of each Expertise joins. Below, an explorer is the place in this team, which
# is in the order of the names.
TEAM = sorted(min(name for name, x in EXPLORERS.items() if x == want) for want in EXPERTISE)
SPECIALIST = {EXPLORERS[name]: place for place, name in enumerate(TEAM)}

Box: TypeAlias = tuple[str, tuple[str, ...]]
"""Its kind (event, choice or option) and its symbols as written, as ("event", ("skip",))."""


class Result(NamedTuple):
    """How a game ended, with what was left at that moment.

    `decisions` counts the calls of `pick`, `chances` those of `chance`.
    """

    won: bool
    reason: str
    score: int
    food: int
    ammo: int
    place: int
    decisions: int
    chances: int


# ------------------------------------------------------------------ the cards


def read_cards(text: str) -> dict[int, tuple[Box, ...]]:
    """The boxes of each card by number, from a rule file; what is no card is passed over.

    Raises ValueError, with the line, for a line under a card that is no box.
    """
    cards: dict[int, tuple[Box, ...]] = {}
    number: int | None = None
    for raw in text.splitlines():
        line = re.sub(r'"[^"]*"', '""', raw)  # a title may have any sign in it
        line = re.split(r"#|\bcites\b", line)[0].rstrip()
        if not line:
            continue
        if line[0] != " ":
            header = re.match(r"card (\d+)\b", line)
            number = int(header[1]) if header else None
            if number is not None:
                if number in cards:
                    raise ValueError(f"card {number} is there twice")
                cards[number] = ()
        elif number is not None:
            box = re.fullmatch(r"\s+(event|choice|option):\s*(.+)", line)
            if box is None:
                raise ValueError(f"no box: {raw.strip()}")
            symbols = tuple(" ".join(symbol.split()) for symbol in box[2].split(","))
            cards[number] += ((box[1], symbols),)
    return cards


CARDS = read_cards(CARDS_FILE.read_text(encoding="utf-8"))


# ------------------------------------------------------------------ the state


class End(Exception):
    """Carries the reason for which the game ends out of whatever is under way."""


class Game:
    """The whole state, with whoever answers. Decks, hands and kept cards are in ascending order."""

    # fmt: off
    __slots__ = (
        "ammo", "chance", "chances", "decisions", "deck", "discard", "food", "hand",
        "health", "kept", "living", "path", "pick", "place", "reshuffled",
    )
    # fmt: on

    def __init__(self, pick: Callable[[int], int], chance: Callable[[int], int]) -> None:
        self.pick = pick
        self.chance = chance
        self.decisions = 0
        self.chances = 0
        self.food = START_FOOD
        self.ammo = START_AMMO
        self.place = FIRST_PLACE
        self.reshuffled = False
        self.health = [START_HEALTH] * len(TEAM)
        self.living = list(range(len(TEAM)))
        self.deck = DECK.copy()
        self.hand: list[int] = []
        self.path: list[int] = []
        self.kept: list[int] = []
        self.discard: list[int] = []


Act: TypeAlias = Callable[[Game], None]


# ------------------------------------------------------------------ what the symbols do


def gain_food(g: Game) -> None:
    g.food += 1


def gain_ammo(g: Game) -> None:
    g.ammo += 1


def gain_health(g: Game) -> None:
    health = g.health
    hurt = [e for e in g.living if health[e] < MOST_HEALTH]
    if hurt:
        g.decisions += 1
        health[hurt[g.pick(len(hurt))]] += 1


def spend_food(g: Game) -> None:
    if g.food:
        g.food -= 1
    else:
        spend_health(g)


def spend_ammo(g: Game) -> None:
    g.ammo -= 1


def spend_health(g: Game) -> None:
    living = g.living
    g.decisions += 1
    harm(g, living[g.pick(len(living))], 1)


def harm(g: Game, explorer: int, amount: int) -> None:
    health = g.health
    health[explorer] -= amount
    if not health[explorer]:
        g.living.remove(explorer)
        if not g.living:
            raise End("wiped_out")


def spend_expertise(expertise: str) -> Act:
    """The payment for one Expertise: a kept card, the specialist's Health, or two of another's."""
    specialist = SPECIALIST[expertise]
    gain = f"gain {expertise}"
    shown_by = {n for n, boxes in CARDS.items() if any(gain in symbols for _, symbols in boxes)}

    def spend(g: Game) -> None:
        health, living = g.health, g.living
        cards = [c for c in g.kept if c in shown_by]
        payers = [specialist] if health[specialist] else []
        payers += [e for e in living if e != specialist and health[e] >= 2]
        g.decisions += 1
        if cards or payers:
            k = g.pick(len(cards) + len(payers))
            if k < len(cards):
                g.kept.remove(cards[k])
                g.discard.append(cards[k])
            else:
                payer = payers[k - len(cards)]
                harm(g, payer, 1 if payer == specialist else 2)
        else:  # the specialist is dead, and the others have one Health each
            harm(g, living[g.pick(len(living))], 1)

    return spend


def skip(g: Game) -> None:
    if g.path:
        g.discard.append(g.path.pop(0))


def remove(g: Game) -> None:
    if g.path:
        g.discard.append(g.path.pop())


def swap(g: Game) -> None:
    path = g.path
    size = len(path)
    if size < 2:
        return
    g.decisions += 1
    a = g.pick(size + 1)
    if a < size:
        g.decisions += 1
        b = g.pick(size - 1)
        b += b >= a  # the card itself is not among the others
        path[a], path[b] = path[b], path[a]


def add(g: Game) -> None:
    g.path.append(draw(g))


def advance(g: Game) -> None:
    g.place += 1
    if g.place == CITY:
        raise End("arrival")


def death(g: Game) -> None:
    living = g.living
    g.decisions += 1
    explorer = living[g.pick(len(living))]
    harm(g, explorer, g.health[explorer])


def draw(g: Game) -> int:
    deck = g.deck
    if not deck:
        if g.reshuffled or not g.discard:
            raise End("out_of_time")
        g.reshuffled = True
        spend_food(g)
        deck += sorted(g.discard)
        g.discard.clear()
    g.chances += 1
    return deck.pop(g.chance(len(deck)))


# ------------------------------------------------------------------ how a card is resolved

ACTS: dict[str, Act] = {
    "gain food": gain_food,
    "gain ammo": gain_ammo,
    "gain health": gain_health,
    "spend food": spend_food,
    "spend ammo": spend_ammo,
    "spend health": spend_health,
    "skip": skip,
    "remove": remove,
    "swap": swap,
    "add": add,
    "advance": advance,
    "death": death,
} | {f"spend {x}": spend_expertise(x) for x in EXPERTISE}
GAINS = {f"gain {x}" for x in EXPERTISE}  # these only make the card be kept
URGENT = {"advance", "death"}

TOP_AMMO = 3  # more makes no difference to what can be paid


class Plan(NamedTuple):
    """What can happen on a card, worked out once.

    `choices[min(ammo, TOP_AMMO)]` are the keys of the red boxes that can be paid. Each blue box
    has its bit and the Ammunition that it costs. `outcomes[key + bits]` tells whether the card is
    kept and what is done in turn; `net[key]` the Ammunition gained (less that spent) before the
    blue boxes. Key 0 stands for no red box.
    """

    choices: tuple[tuple[int, ...], ...]
    options: tuple[tuple[int, int], ...]
    outcomes: Mapping[int, tuple[bool, tuple[Act, ...]]]
    net: tuple[int, ...]


def plan(boxes: tuple[Box, ...]) -> Plan:
    """The plan of a card; ValueError where Ammunition stands in a place that it does not expect."""
    events, reds, blues = (
        [symbols for kind, symbols in boxes if kind == wanted]
        for wanted in ("event", "choice", "option")
    )
    costs = [red.count("spend ammo") for red in reds]
    if any("ammo" in symbol for symbol in chain(*events)) or max(costs, default=0) > TOP_AMMO:
        raise ValueError("a yellow box with Ammunition, or a red one that costs more than three")
    if any("gain ammo" in blue for blue in blues):
        raise ValueError("a blue box that gains Ammunition")
    outcomes: dict[int, tuple[bool, tuple[Act, ...]]] = {}
    bits = [len(reds) + 1 << i for i in range(len(blues))]
    for key, taken in product(range(len(reds) + 1), product((False, True), repeat=len(blues))):
        picked = [blue for blue, yes in zip(blues, taken, strict=True) if yes]
        symbols = list(chain(*events, *reds[key - 1 : key] if key else (), *picked))
        symbols.sort(key=lambda symbol: symbol not in URGENT)  # stable: otherwise as printed
        acts = tuple(ACTS[symbol] for symbol in symbols if symbol not in GAINS)
        chosen = sum(bit for bit, yes in zip(bits, taken, strict=True) if yes)
        outcomes[key + chosen] = (not GAINS.isdisjoint(symbols), acts)
    return Plan(
        choices=tuple(
            tuple(key for key, cost in enumerate(costs, 1) if cost <= ammo)
            for ammo in range(TOP_AMMO + 1)
        ),
        options=tuple(
            (bit, blue.count("spend ammo")) for bit, blue in zip(bits, blues, strict=True)
        ),
        outcomes=outcomes,
        net=(0, *(red.count("gain ammo") - red.count("spend ammo") for red in reds)),
    )


DECK = sorted(CARDS)
PLANS = {number: plan(boxes) for number, boxes in CARDS.items()}


def walk(g: Game) -> None:
    path, pick = g.path, g.pick
    while path:
        card = path.pop(0)
        choices, options, outcomes, net = PLANS[card]
        ammo = g.ammo
        key = 0
        reds = choices[ammo if ammo < TOP_AMMO else TOP_AMMO]
        if reds:
            g.decisions += 1
            key = reds[pick(len(reds))]
        if options:
            key = announce_blue(g, options, key, ammo + net[key])
        kept, acts = outcomes[key]
        for act in acts:
            act(g)
        if kept:
            insort(g.kept, card)
        else:
            g.discard.append(card)


def announce_blue(g: Game, options: tuple[tuple[int, int], ...], key: int, ammo: int) -> int:
    """The key with the bits of the blue boxes that are picked one after the other."""
    for bit, cost in options:
        if cost <= ammo:
            g.decisions += 1
            if g.pick(2) == 0:
                key += bit
                ammo -= cost
    return key


# ------------------------------------------------------------------ hikes and rounds


def lay_morning(g: Game) -> None:
    path, hand, pick = g.path, g.hand, g.pick
    for from_deck in (True, True, False, False, True, False):
        if from_deck:
            card = draw(g)
        else:
            g.decisions += 1
            card = hand.pop(pick(len(hand)))
        insort(path, card)


def lay_evening(g: Game) -> None:
    path, hand, pick = g.path, g.hand, g.pick
    g.decisions += 1
    path.append(hand.pop(pick(len(hand))))
    drawn = 0
    while len(path) < PATH_SIZE:
        held = len(hand)
        g.decisions += 1
        k = pick(held + 1 if drawn < MOST_DRAWN else held)
        if k < held:
            card = hand.pop(k)
        else:
            card = draw(g)
            drawn += 1
        g.decisions += 1
        if pick(2) == 0:
            path.insert(0, card)
        else:
            path.append(card)


def run(g: Game) -> NoReturn:
    """Plays to the end, which comes as End."""
    hand = g.hand
    while True:
        while len(hand) < HAND_SIZE:
            insort(hand, draw(g))
        lay_morning(g)
        walk(g)
        spend_food(g)
        lay_evening(g)
        walk(g)
        spend_food(g)


def finish(g: Game, reason: str) -> Result:
    bonus = 0 if g.reshuffled else UNSHUFFLED_BONUS
    points = g.food + g.ammo + len(g.kept) + bonus
    score = points * len(g.living)
    won = reason == "arrival"
    return Result(won, reason, score, g.food, g.ammo, g.place, g.decisions, g.chances)


def play(pick: Callable[[int], int], chance: Callable[[int], int]) -> Result:
    """One game. `pick(n)` answers a decision with n options, `chance(n)` a draw from n cards.

    Both are also asked when n is 1, and must answer with 0 to n - 1.
    """
    g = Game(pick, chance)
    try:
        run(g)
    except End as end:
        return finish(g, end.args[0])


# ------------------------------------------------------------------ random play


def words(seed: int, source: str) -> Callable[[], int]:
    """The 32-bit words of a named source, one after the other."""
    unpack = struct.Struct("<16I").unpack
    blocks = (unpack(blake2b(f"{seed}:{source}:{block}".encode()).digest()) for block in count())
    return chain.from_iterable(blocks).__next__


def play_random(seed: int) -> Result:
    """One game in which the seed's words answer; a decision with one option takes no word."""
    policy_word, deck_word = words(seed, "policy:0"), words(seed, "pile:deck")

    def pick(n: int) -> int:
        return policy_word() * n >> 32 if n > 1 else 0

    def chance(n: int) -> int:
        return deck_word() * n >> 32

    return play(pick, chance)
