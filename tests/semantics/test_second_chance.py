"""Whole playthroughs, in which every chance outcome is worked out a second time."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

import rulelang
from tests.semantics.second_chance import (
    Chance,
    Pile,
    Value,
    Weighted,
    block,
    canonical,
    choice_at,
    merged,
    pick,
    pile_source,
)

FERRY = str(Path(__file__).parents[2] / "docs" / "examples" / "ferry")
WIND = ["calm", "fair", "wild"]
RANK = canonical({"Wind": WIND})
SOURCES = {
    "Parcel": "pile:shed",
    "Card": "pile:deck",
    "Wind": "die:weather",
    "Player": "die:players",
}
"""The source of an event, by the type of its outcomes; a number is thrown with the die d6."""
OF_OTHER_MODES = {"lost_expedition": {"difficulty": "normal", "starter": "drawn"}}
"""Settings of one mode, which a digest has in every mode."""
TABLES = [
    (FERRY, "alone", 1, 38),
    (FERRY, "crew", 2, 38),
    (FERRY, "crew", 3, 38),
    (FERRY, "crew", 4, 38),
    ("lost_expedition", "solo", 1, 16),
    ("lost_expedition", "coop", 2, 10),
    ("lost_expedition", "coop", 3, 10),
    ("lost_expedition", "coop", 4, 10),
    ("lost_expedition", "coop", 5, 10),
    ("lost_expedition", "versus", 2, 8),
]


load = cache(rulelang.load)


def name(domain: str, key: Value) -> Value:
    return {"of": domain, "key": key}


def source_of(session: rulelang.Session) -> str:
    value = open_event(session).options[0].value
    return SOURCES[value["of"]] if isinstance(value, dict) else "die:d6"


def outcomes_of(session: rulelang.Session, source: str) -> list[Weighted]:
    """What the open event may bring, from the rules' text and the state."""
    if source.startswith("pile:"):
        return Pile(**session.state[source.removeprefix("pile:")]).outcomes(RANK)
    faces = {
        "die:d6": [1, 2, 3, 4, 5, 6],
        "die:weather": [name("Wind", WIND[n]) for n in (0, 0, 1, 1, 1, 2)],
        "die:players": [name("Player", seat) for seat in range(session.players)],
    }
    return merged(faces[source], RANK)


def open_event(session: rulelang.Session) -> rulelang.Decision:
    assert session.decision is not None
    return session.decision


def digest_at(session: rulelang.Session, source: str, outcomes: list[Weighted]) -> str:
    """The digest at an open event of chance, as section 6 says."""
    saved = session.save()
    snapshot = saved["snapshot"]
    kept = ("rule", "place", "locals")
    data = {key: saved[key] for key in ("game", "mode", "players")} | {
        "options": OF_OTHER_MODES.get(saved["game"], {}) | saved["settings"] | saved["rulings"],
        "state": snapshot["state"],
        "marks": snapshot["marks"],
        "endings": snapshot["endings"],
        "stack": [{key: frame[key] for key in kept} for frame in snapshot["stack"]],
        "open": {
            "chance": source,
            "outcomes": [value for value, _ in outcomes],
            "weights": [weight for _, weight in outcomes],
        },
    }
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()


def answer(
    session: rulelang.Session, chance: Chance, source: str, outcomes: list[Weighted]
) -> Value:
    """Compare an open event of chance with what is expected, and answer it."""
    options = open_event(session).options
    total = sum(weight for _, weight in outcomes)
    expected = [(value, Fraction(weight, total)) for value, weight in outcomes]
    assert [(option.value, option.probability) for option in options] == expected
    value = chance.outcome(source, outcomes)
    session.choose([option.value for option in options].index(value))
    return value


def playthrough(
    game: rulelang.Game, mode: str, players: int, seed: int, written: bool
) -> tuple[rulelang.Session, Counter[str]]:
    """One game, sampled and explicit side by side; ``written``: digests at chance are compared."""
    sampled = game.start(mode=mode, players=players, seed=seed)
    explicit = game.start(mode=mode, players=players, seed=seed, chance="explicit")
    chance = Chance(seed)
    events: Counter[str] = Counter()
    while not explicit.over:
        event = open_event(explicit)
        if event.player == rulelang.CHANCE:
            source = source_of(explicit)
            outcomes = outcomes_of(explicit, source)
            if written:
                assert explicit.digest() == digest_at(explicit, source, outcomes)
            answer(explicit, chance, source, outcomes)
            events["chance"] += 1
            continue
        assert (explicit.ledger, explicit.digest()) == (sampled.ledger, sampled.digest())
        assert explicit.legal == sampled.legal
        index = chance.choice(int(event.player), len(event.options))
        explicit.choose(index)
        sampled.choose(index)
        events["decisions"] += 1
    assert sampled.over
    assert (explicit.ledger, explicit.digest()) == (sampled.ledger, sampled.digest())
    assert explicit.outcome == sampled.outcome
    words = {key: n for key, n in chance.counters.items() if not key.startswith("policy:")}
    assert explicit.save()["counters"] == sampled.save()["counters"] == words
    return sampled, events


@pytest.mark.parametrize(("where", "mode", "players", "games"), TABLES)
def test_every_outcome_and_every_choice_is_foreseen(
    where: str, mode: str, players: int, games: int
) -> None:
    game = load(where)
    for seed in range(-1, games - 1):
        session, events = playthrough(game, mode, players, seed, written=seed < 1)
        assert events["chance"] > 0
        report = rulelang.simulate(game, mode=mode, players=players, games=1, seed=seed)
        outcome = session.outcome
        assert outcome is not None
        assert dict(report.outcomes) == {outcome.reason: 1}
        assert dict(report.winners) == (
            {f"player {seat}": 1 for seat in outcome.winners} or {"nobody": 1}
        )
        assert (report.decisions, report.turns) == (events["decisions"], session.turns)
        assert report.score_sum == sum((outcome.scores or {}).values())


def test_the_published_words() -> None:
    six = ["5a2acc45", "04a4bf93", "d85a0405", "5ae3b3fa", "7b544cba", "2bf787cd"]
    assert [f"{word:08x}" for word in block(7, "die:d6", 0)[:6]] == six
    assert [f"{word:08x}" for word in block(7, "die:d6", 1)[:2]] == ["67700099", "a48d6623"]
    assert [f"{word:08x}" for word in block(0, "pile:shed", 0)[:2]] == ["1b4ab9eb", "9658cca6"]
    picks = [2, 0, 5, 2, 2, 1, 4, 4, 4, 1, 0, 3, 5, 1, 0, 1]
    assert [pick(word, [1] * 6) for word in block(7, "die:d6", 0)] == picks


def test_bots_at_the_table_take_the_word_of_their_decision(tmp_path: Path) -> None:
    seed = 3
    file = tmp_path / "game.json"
    bots = [part for seat in range(2) for part in ("--bot", f"{seat}=random")]
    command = ["play", "lost_expedition", "--mode", "versus", "--seed", str(seed), *bots]
    done = subprocess.run(
        [sys.executable, "-m", "rulelang", *command, "--save", str(file)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    saved = json.loads(file.read_text(encoding="utf-8"))
    session = load("lost_expedition").start(mode="versus", seed=seed)
    answered: Counter[int] = Counter()
    single = 0
    while not session.over:
        event = open_event(session)
        seat = int(event.player)
        single += len(event.options) == 1
        session.choose(choice_at(seed, seat, answered[seat], len(event.options)))
        answered[seat] += 1
    assert single > 0  # else it would be the same as in `simulate`
    assert [label for _, label in saved["ledger"]] == list(session.ledger)
    assert saved["digest"] == session.digest()


def test_a_scripted_outcome_takes_its_word() -> None:
    game = load(FERRY)
    chance = Chance(7)
    session = game.start(mode="alone", seed=7, script=["parcel 6", "wild", "decline"])
    shed = [name("Parcel", key) for key in range(1, 7)]
    chance.take("pile:shed")
    chance.take("die:weather")
    drawn = chance.outcome("pile:shed", merged(shed[:5], RANK))
    assert session.ledger == ("parcel 6", "wild", "decline", f"parcel {drawn['key']}")
    session.choose("hire_old_ada")
    weather = chance.outcome("die:weather", outcomes_of(session, "die:weather"))
    assert session.ledger[-2:] == ("hire_old_ada", weather["key"])


TOY = """
game toy "A Toy"
  mode pair "Two" players 2
names Hue: white, amber, "deep blue"
die glyph: zeta, alpha, zeta, white, 7, amber, 3, alpha
die even: "deep blue", white, white, "deep blue"
kind Tile by number, for p: Player
  title: text
  deeds: list of effect
kind Tale by number, for p: Player
  title: text
  told: script
kind Jar by name
  title: text
ending done "Done"
outcome
  else: tied
state
  heap: pile of Tile
  store: pile of Tile = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 4]
  bag: set of Tile
  n: number
state per p: Player
  purse: pile of Tile
  stock: list of 1 to 9
state per j: Jar
  cup: pile of Tile
tile 1 "T1": add 10, tint amber
tile 2 "T2": idle, add 9
tile 3 "T3": tint white
tile 4 "T4": idle, add 9, add 2
tale 9 "S9": add 1
tale 10 "S10": idle
tale 11 "S11": add 1
jars
  name | title
  tall | "Tall"
  low  | "Low"
rule tint(h: Hue) for p: Player
  n = if h is white then 1 else 2
rule add(k: 0 to 20) for p: Player
  n = k
rule idle for p: Player
  n = 0
define some_list = [3, 1]
define deeds = join(t in Tile where t.number < 9: t.deeds)
rule play
  roll a from glyph
  roll b from even
  roll n from some_list
  roll n from numbers(-1, 1)
  for p in players: p.stock = [5, 4, 5]
  for p in players: roll n from p.stock
  roll n from Player[0].stock
  roll x from (players), y from players
  roll h from Hue
  roll d from deeds
  roll s from list(t in Tale: t.told)
  roll ns from some_list times 3
  move Tile[3] from store to (Player[1]).purse
  draw from (Player[1]).purse to bag else return
  move Tile[4] from store to Jar[low].cup
  draw from Jar[low].cup to bag else return
  draw from Jar[low].cup to bag else nothing
  stack
  end done
rule stack
  move [Tile[3], Tile[4]] from bag to top(heap)
  move Tile[1] from store to top(heap)
  move [Tile[1], Tile[2]] from store to bottom(heap)
  move Tile[1] from store to bottom(heap)
  move [Tile[1], Tile[2]] from store to heap
  for k in numbers(1, 3): move Tile[1] from heap to bag
  move [Tile[1], Tile[2]] from store to top(heap)
  move [Tile[1], Tile[1]] from store to heap
  repeat while heap is not empty
    draw from heap to bag else return
  mix bag into heap
  repeat while heap is not empty
    draw from heap to bag else return
"""


def toy_events() -> list[tuple[str, list[Value]]]:
    """The sources of the toy's first events, and what they may bring, as the rules have it."""
    hue = [name("Hue", key) for key in ("white", "amber", "deep blue")]
    zeta, alpha = name("glyph face", "zeta"), name("glyph face", "alpha")
    idle = {"effect": "idle", "arguments": []}
    add = {n: {"effect": "add", "arguments": [n]} for n in (2, 9, 10)}
    tint = [{"effect": "tint", "arguments": [hue[n]]} for n in (0, 1)]
    scripts = [{"script": f"script of tale {n}"} for n in (9, 10, 11)]
    players = [name("Player", seat) for seat in (0, 1)]
    return [
        ("die:glyph", [zeta, alpha, zeta, hue[0], 7, hue[1], 3, alpha]),
        ("die:even", [hue[2], hue[0], hue[0], hue[2]]),
        ("die:some_list", [3, 1]),
        ("die:it", [-1, 0, 1]),
        ("die:p.stock", [5, 4, 5]),
        ("die:p.stock", [5, 4, 5]),
        ("die:it.stock", [5, 4, 5]),
        ("die:players", players),
        ("die:players", players),
        ("die:Hue", hue),
        ("die:deeds", [add[10], tint[1], idle, add[9], tint[0], idle, add[9], add[2]]),
        ("die:it", scripts),
        *[("die:some_list", [3, 1])] * 3,
        (pile_source("Player.purse", "player 1"), [name("Tile", 3)]),
        (pile_source("Jar.cup", "low"), [name("Tile", 4)]),
    ]


def toy_pile() -> Pile:
    """The heap of the toy, when the first card is drawn from it."""
    one, two, three, four = (name("Tile", n) for n in (1, 2, 3, 4))
    heap = Pile()
    heap.place([three, four], "top")
    heap.place([one], "top")
    heap.place([one, two], "bottom")
    heap.place([one], "bottom")
    heap.place([one, two])
    for _ in range(3):
        heap.remove(one)
    heap.place([one, two], "top")
    heap.place([one, one])
    return heap


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> rulelang.Game:
    folder = tmp_path_factory.mktemp("toy")
    (folder / "toy.rules").write_text(TOY, encoding="utf-8")
    return rulelang.load(folder)


@pytest.mark.parametrize("seed", [0, 1, 2, 3, -12, 10**20])
def test_all_sorts_of_sources_outcomes_and_piles(toy: rulelang.Game, seed: int) -> None:
    rank = canonical({"Hue": ["white", "amber", "deep blue"], "glyph face": ["zeta", "alpha"]})
    session = toy.start(seed=seed, chance="explicit")
    chance = Chance(seed)
    for source, values in toy_events():
        outcomes = merged(values, rank)
        assert session.digest() == digest_at(session, source, outcomes), source
        answer(session, chance, source, outcomes)
    heap, bag = toy_pile(), [name("Tile", 1)] * 3
    for _ in range(2):
        while outcomes := heap.outcomes(rank):
            parts = session.state["heap"]
            assert (parts["top"], parts["bottom"]) == (heap.top, heap.bottom)
            assert parts["pool"] == sorted(heap.pool, key=rank)
            assert session.digest() == digest_at(session, "pile:heap", outcomes)
            drawn = answer(session, chance, "pile:heap", outcomes)
            heap.remove(drawn)
            bag.append(drawn)
        heap.mix(bag)
    assert session.over
    assert session.save()["counters"] == chance.counters
    assert session.ledger == toy.start(seed=seed).ledger
