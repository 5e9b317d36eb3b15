"""The games that both engines play, and how their playthroughs are begun."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import rulelang
from rulelang.engine.compiler import rollout
from rulelang.game import Game
from rulelang.prepared import Prepared
from tests.engine.compiler.twins import Manner, Report, compile_all, counted_doubts, play

LARGE = {"lost_expedition": 250, "jurassic": 120, "dinosaurs": 120}
"""The large games, and how many answers a playthrough of each has at most."""
SMALL = (
    "backgammon", "goofspiel", "kuhn_poker", "leduc_poker", "pig", "royal_game_of_ur",
    "snakes_and_ladders", "tic_tac_toe",
)  # fmt: skip
TOYS = Path(__file__).parents[2] / "golden" / "games"
"""Small games of which golden playthroughs are kept."""
FERRY = Path(__file__).parents[3] / "docs" / "examples" / "ferry"
KEPT = (*(str(folder) for folder in sorted(TOYS.iterdir())), str(FERRY))
MOST_DECISIONS = 1_500
"""After so many decisions a game that bots play is broken off here: some would go on for ever."""


@cache
def loaded(name: str) -> Game:
    """A shipped game, or one in a folder."""
    return rulelang.load(name)


def start_of(game: Game, random: Random) -> dict[str, Any]:
    """How a playthrough begins: any mode, seats, settings and rulings, chance drawn or explicit."""
    mode = random.choice(list(game.modes.values()))
    options: dict[bool, dict[str, str]] = {False: {}, True: {}}
    for name, setting in game.program.settings.items():
        if not setting.modes or mode.name in setting.modes:
            reading = random.choice(game.program.domains[setting.domain].entries)
            options[setting.ruling][name] = str(reading.key)
    return {
        "mode": mode.name,
        "players": random.randint(mode.low, mode.high),
        "seed": random.getrandbits(32),
        "chance": random.choice(("sample", "explicit")),
        "settings": options[False],
        "rulings": options[True],
    }


def prepared(game: Game, start: dict[str, Any]) -> Prepared:
    """What plays a game that begins so."""
    options = (start[name] for name in ("mode", "players", "settings", "rulings"))
    return game.prepared(game.configure(*options))


def play_often(game: Game, seeds: range, manner: Manner, configurations: int = 1_000) -> Report:
    """Playthroughs of some seeds, in so many configurations at most."""
    report = Report()
    with counted_doubts():
        for seed in seeds:
            start = start_of(game, Random(f"start {seed % configurations}"))
            answers = Random(f"answers {seed}")
            start |= {"seed": answers.getrandbits(32)}
            start |= {"chance": answers.choice(("sample", "explicit"))}
            made = prepared(game, start)
            compile_all(made.stepping)
            if made.ahead is not None:
                compile_all(made.ahead)
            report.add(play(game, start, answers, manner))
    return report


def broken_off(monkeypatch: Any) -> None:
    """Games that bots play end early, in code that is generated from now on, too."""
    monkeypatch.setattr(rollout, "MAX_DECISIONS", MOST_DECISIONS)


def fresh(game: Game) -> Game:
    """The same game, of which nothing was compiled yet."""
    return Game(game.program, game.sources)
