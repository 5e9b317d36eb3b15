"""Random games at every table of a game: each mode, with each number of players.

    python -m rulelang.testing.tables GAME [--games N] [--seed S] [--policy NAME] [--set K=V ...]

A row a table, as Markdown: how many games were finished and how many went wrong, how they ended,
and how long they were. A setting is used at the tables whose mode has it. Exits with 1 if a game
went wrong or was not finished.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence

from rulelang.errors import Error
from rulelang.game import Game, load
from rulelang.simulation import Report, simulate

HEAD = ("Mode", "Players", "Games", "Finished", "Faults", "Ends", "Decisions", "Turns")


def tables(game: Game) -> Iterator[tuple[str, int]]:
    """Each mode with each number of players."""
    for name, mode in game.modes.items():
        for players in range(mode.low, mode.high + 1):
            yield name, players


def fitting(game: Game, mode: str, settings: Mapping[str, str]) -> dict[str, str]:
    """Those of some settings that a mode has."""
    known = game.program.settings
    return {
        name: value
        for name, value in settings.items()
        if name not in known or not known[name].modes or mode in known[name].modes
    }


def row(report: Report) -> tuple[str, ...]:
    """What came of the games of one table."""
    ends = (f"{reason} {count:,}" for reason, count in report.outcomes.most_common())
    played = max(1, report.played)
    return (
        report.mode,
        str(report.players),
        f"{report.played:,}",
        f"{report.finished:,}",
        f"{report.fault_count:,}",
        ", ".join(ends),
        f"{report.decisions / played:,.1f}",
        f"{report.turns / played:,.1f}",
    )


def line(cells: Sequence[str]) -> str:
    """A row as Markdown."""
    return f"| {' | '.join(cells)} |"


def main(words: Sequence[str] | None = None) -> int:
    """Play and print; 1 if anything went wrong, 2 for what the game does not have."""
    parser = ArgumentParser(prog="python -m rulelang.testing.tables", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--policy", default="random")
    parser.add_argument("--set", action="append", default=[], metavar="K=V")
    given = parser.parse_args(words)
    settings = dict(each.partition("=")[::2] for each in given.set)
    try:
        game = load(given.game)
        print(line(HEAD))
        print(line(["---"] * len(HEAD)), flush=True)
        wrong = False
        for mode, players in tables(game):
            report = simulate(
                game, mode=mode, players=players, settings=fitting(game, mode, settings),
                games=given.games, seed=given.seed, policy=given.policy,
            )  # fmt: skip
            print(line(row(report)), flush=True)
            wrong = wrong or report.finished < given.games
    except Error as error:
        print(error, file=sys.stderr)
        return 2
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
