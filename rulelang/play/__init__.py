"""`rulelang play`: a game on a terminal."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from secrets import randbelow
from typing import Any, TextIO

from rulelang.drawing import has_board
from rulelang.errors import SaveError, UsageError
from rulelang.files import check_target
from rulelang.game import Game, load
from rulelang.play.bots import parse_bots
from rulelang.play.heading import heading
from rulelang.play.loop import Play, Quit
from rulelang.play.picture import Picture
from rulelang.play.saving import Keeper, Past, read, resumed
from rulelang.play.screen import EndOfInput, Screen
from rulelang.session import Session
from rulelang.wording import listed

_SEEDS = 1_000_000


def run(namespace: Any, *, stdin: TextIO | None = None, stdout: TextIO | None = None) -> int:
    """Play the game that the command line asks for, and give the exit status.

    ``namespace`` has game, mode, players, seed, save, resume and board (None where not given) and
    set, ruling and bot (lists of texts such as ``K=V``). Raises `UsageError` for what the game does
    not have and `RuleError` if its content is wrong; what happens in play is said on the screen.
    """
    screen = Screen(stdin, stdout)
    try:
        return _play(namespace, screen)
    except SaveError as error:
        print(f"rulelang: {error}", file=sys.stderr)
        return 2
    except BrokenPipeError:
        screen.silence()
        return 0


def _play(namespace: Any, screen: Screen) -> int:
    keeper = _keeper(namespace)
    game = load(namespace.game, unproved=True)
    session, past, fixed = _session(game, namespace, screen)
    bots = parse_bots(namespace.bot or (), session)
    picture = _picture(namespace, game)
    if keeper.path is not None and not keeper.save(session):
        raise UsageError(keeper.problem)
    play = Play(session, screen, bots, keeper, picture)
    if picture is not None and not picture.keep(session, play.people):
        raise UsageError(picture.problem)
    play.recall(past, fixed=fixed)
    _welcome(play, namespace)
    try:
        status = play.run()
    except Quit:
        _goodbye(play, namespace, "You have stopped.")
        return 0
    except EndOfInput:
        _goodbye(play, namespace, "The input has ended before the game.")
        return 0
    except KeyboardInterrupt:
        screen.line()
        _goodbye(play, namespace, "Interrupted.")
        return 130
    if keeper.path is not None and not keeper.problem:
        screen.say(f"The game is saved in {keeper.path}.", "dim", indent="  ")
    return status


# ---------------------------------------------------------------- beginning


def _session(game: Game, namespace: Any, screen: Screen) -> tuple[Session, Past, bool]:
    """A new session or the saved one, its past, and whether that is beyond undoing."""
    settings, rulings = _pairs("--set", namespace.set), _pairs("--ruling", namespace.ruling)
    if namespace.resume is None:
        seed = randbelow(_SEEDS) if namespace.seed is None else namespace.seed
        session = game.start(
            mode=namespace.mode,
            players=namespace.players,
            seed=seed,
            settings=settings,
            rulings=rulings,
        )
        return session, [], False
    data = read(namespace.resume, screen.stdin)
    session, past, free = resumed(game, namespace.resume, data)
    if data["meaning"] != game.program.meaning:
        screen.say(
            "This save was begun with other rules or cards: its choices were made again with these."
        )
    given = {"mode": namespace.mode, "players": namespace.players, "seed": namespace.seed}
    for name, value in given.items():
        if value is not None and value != data[name]:
            raise UsageError(
                f"the save was begun with {name} {data[name]}, not {value}; leave --{name} out"
            )
    for flag, options, saved in (("--set", settings, "settings"), ("--ruling", rulings, "rulings")):
        for name, value in options.items():
            if data[saved].get(name) != value:
                raise UsageError(f"a saved game keeps its {saved}: leave {flag} {name}={value} out")
    return session, past, not free


def _pairs(flag: str, given: Sequence[str] | None) -> dict[str, str]:
    pairs = {}
    for text in given or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name:
            raise UsageError(f"{flag} is written NAME=VALUE, not {text!r}")
        pairs[name] = value
    return pairs


def _keeper(namespace: Any) -> Keeper:
    """Where the game is saved: a resumed one goes on in its file, unless another is named."""
    resumed_from = namespace.resume
    if resumed_from is not None and (resumed_from == "-" or _is_stream(resumed_from)):
        resumed_from = None  # it was read once and is not kept
    name = namespace.save or resumed_from
    if name is None:
        return Keeper(None, ours=False)
    check_target(Path(name))
    return Keeper(Path(name), ours=resumed_from is not None and Path(name) == Path(resumed_from))


def _picture(namespace: Any, game: Game) -> Picture | None:
    """What keeps a picture of the board, if one is wanted."""
    name = getattr(namespace, "board", None)
    if name is None:
        return None
    if not has_board(game.program):
        raise UsageError("this game has no board to draw; leave --board out")
    check_target(Path(name))
    others = {Path(other).absolute() for other in (namespace.save, namespace.resume) if other}
    if Path(name).absolute() in others:
        raise UsageError(f"{name} is where the game is saved; name another file for --board")
    return Picture(Path(name))


def _is_stream(name: str) -> bool:
    """Is this a pipe or a device?"""
    try:
        path = Path(name)
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False


def _welcome(play: Play, namespace: Any) -> None:
    screen, session, keeper = play.screen, play.session, play.keeper
    screen.rule(session.game.title)
    screen.say(heading(session), indent="  ")
    if namespace.resume is None and namespace.seed is None:
        screen.say(
            f"The seed was drawn; --seed {session.seed} plays the same game again.",
            "dim",
            indent="  ",
        )
    if play.bots:
        names = [f"{seat} ({policy})" for seat, policy in sorted(play.bots.items())]
        screen.say(f"Played by bots: seat {listed(names)}.", "dim", indent="  ")
    if keeper.path is not None:
        screen.say(f"Every choice is saved in {keeper.path}.", "dim", indent="  ")
    if keeper.kept:
        screen.say(f"What it held before is now in {keeper.kept}.", "dim", indent="  ")
    if play.picture is not None:
        screen.say(
            f"The board is drawn in {play.picture.path}, again after every choice: open it beside "
            "this, and reload it.", "dim", indent="  ",
        )  # fmt: skip
    if play.people and not session.over:
        screen.say(
            "Choose by number or first letters. `look` shows the options in full, `table` the "
            "table, `help` the rest.", "dim", indent="  ",
        )  # fmt: skip


# ---------------------------------------------------------------- stopping


def _goodbye(play: Play, namespace: Any, first: str) -> None:
    """Why it stops, and how to go on."""
    screen, keeper = play.screen, play.keeper
    if keeper.path is None or keeper.problem:
        screen.say(f"{first} This game is not saved; --save FILE keeps the next one.")
        return
    screen.say(f"{first} The game is saved. To go on:")
    words = ["rulelang", "play", str(namespace.game), "--resume", str(keeper.path)]
    for seat, name in sorted(play.bots.items()):
        words += ["--bot", f"{seat}={name}"]
    screen.line(f"  {shlex.join(words)}")


__all__ = ["run"]
