"""What may be said on the command line. Nothing here needs the language itself."""

from __future__ import annotations

import argparse
import errno
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from rulelang import __version__
from rulelang.cli.status import Status, Stop

_EXIT = """\
exit status:
  0    fine
  1    findings at or above the fail level, a failing scenario, a faulting game
  2    wrong usage, unreadable input
  3    nothing there to check or to run
  4    a fault of rulelang itself
  130  interrupted
"""
_PATHS = "folders, files, - for standard input, or names of shipped games (default: this folder)"
_GAME = "a shipped game's name, or a game's folder"


_FORMATS = ("full", "concise", "json", "sarif", "junit", "github", "gitlab", "markdown")
"""What findings can be written as."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Stop(Status.USAGE, f"{message} (see {self.prog} --help)")

    def _print_message(self, message: str, file: Any = None) -> None:
        # The method that this replaces passes over a pipe that is closed or a disk that is full.
        if file is None:
            raise OSError(errno.EBADF, "standard output is closed")
        file.write(message)


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The command and its arguments. Stop if they make no sense; SystemExit after a help page."""
    if not words or words[0].startswith("-"):
        _top().parse_args(words)
        raise Stop(Status.USAGE, f"name a command: {', '.join(COMMANDS)} (see rulelang --help)")
    name = words[0]
    if name not in COMMANDS:
        raise Stop(Status.USAGE, f"there is no command {name!r}; {_instead(name, COMMANDS)}")
    summary, add = COMMANDS[name]
    parser = _Parser(
        prog=f"rulelang {name}", description=f"{summary[0].upper()}{summary[1:]}.",
        epilog=_EXIT, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False,
    )  # fmt: skip
    add(parser)
    namespace, rest = parser.parse_known_intermixed_args(_plain(words[1:]))
    if rest:
        known = parser._option_string_actions
        options = [word.partition("=")[0] for word in rest if word.startswith("--")]
        near = f"; {_instead(options[0], known)}" if options else ""
        parser.error(f"there is no argument {' '.join(rest)}{near}")
    namespace.command = name
    return namespace


def _plain(words: Sequence[str]) -> list[str]:
    """The words without a ``--``: argparse cannot mix what follows one with options before it."""
    if "--" not in words:
        return list(words)
    place = words.index("--")
    after = [
        f"./{word}" if word[:1] == "-" and word != "-" else word for word in words[place + 1 :]
    ]
    return [*words[:place], *after]


def _top() -> _Parser:
    width = max(map(len, COMMANDS)) + 2
    commands = "".join(f"  {name:{width}}{summary}\n" for name, (summary, _) in COMMANDS.items())
    parser = _Parser(
        prog="rulelang",
        usage="rulelang [--version] [--help] COMMAND ...",
        description="A small declarative language for adventure board games.",
        epilog=f"commands (rulelang COMMAND --help says more):\n{commands}\n{_EXIT}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"rulelang {__version__}")
    return parser


def _instead(word: str, known: Sequence[str] | dict[str, Any]) -> str:
    """A question for what may have been meant, or else a list of what there is."""
    from rulelang.diagnostic import did_you_mean, suggest

    return did_you_mean(suggest(word, known)) or f"there are {', '.join(known)}"


# ---------------------------------------------------------------- kinds of values


def _one_of(what: str, *known: str) -> Callable[[str], str]:
    def read(word: str) -> str:
        if word not in known:
            raise argparse.ArgumentTypeError(
                f"there is no {what} {word!r}; known: {', '.join(known)}"
            )
        return word

    return read


def _whole(lowest: int | None = None) -> Callable[[str], int]:
    def read(word: str) -> int:
        try:
            number = int(word)
        except ValueError:
            raise argparse.ArgumentTypeError(f"a whole number is needed, not {word!r}") from None
        if lowest is not None and number < lowest:
            raise argparse.ArgumentTypeError(f"at least {lowest} is needed, not {number}")
        return number

    return read


class _Pairs(argparse.Action):
    """Collects ``NAME=VALUE`` in a dictionary."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option: str | None = None,
    ) -> None:
        key, sign, value = str(values).partition("=")
        if not sign or not key:
            raise argparse.ArgumentError(self, f"write {self.metavar}, not {values!r}")
        pairs: dict[Any, str] = dict(getattr(namespace, self.dest) or {})
        pairs[self._key(key)] = value
        setattr(namespace, self.dest, pairs)

    def _key(self, key: str) -> Any:
        return key


class _Seats(_Pairs):
    """Collects ``SEAT=NAME`` in a dictionary from seats."""

    def _key(self, key: str) -> Any:
        if not key.isdecimal():
            raise argparse.ArgumentError(self, f"a seat is a number from 0, not {key!r}")
        return int(key)


class _Reports(argparse.Action):
    """Collects ``FORMAT=FILE`` in a list of pairs."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option: str | None = None,
    ) -> None:
        form, sign, file = str(values).partition("=")
        if not sign or not file:
            raise argparse.ArgumentError(self, f"write {self.metavar}, not {values!r}")
        if form not in _FORMATS:
            known = ", ".join(_FORMATS)
            raise argparse.ArgumentError(self, f"there is no format {form!r}; known: {known}")
        if file == "-":
            raise argparse.ArgumentError(self, f"name a file; --format {form} prints it")
        setattr(namespace, self.dest, [*getattr(namespace, self.dest), (form, file)])


# ---------------------------------------------------------------- the commands


def _check(parser: _Parser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH|GAME", help=_PATHS)
    parser.add_argument(
        "--format", default="full", type=_one_of("format", *_FORMATS),
        help=f"{', '.join(_FORMATS[:-1])}, or {_FORMATS[-1]} (default: full)",
    )  # fmt: skip
    parser.add_argument(
        "--report", dest="reports", action=_Reports, default=[], metavar="FORMAT=FILE",
        help="write the findings to a file, too, in any format; may be given several times",
    )  # fmt: skip
    parser.add_argument(
        "--select", action="append", default=[], metavar="CODES",
        help="report these only: codes, names or letters of areas, with commas "
        "(errors of S, N and T always are)",
    )  # fmt: skip
    parser.add_argument(
        "--ignore",
        action="append",
        default=[],
        metavar="CODES",
        help="do not report or count these",
    )
    parser.add_argument(
        "--fail-level", default="error", type=_one_of("level", "error", "warning", "info"),
        help="what makes the exit status 1, at the least: error (the default), warning, or info",
    )  # fmt: skip
    parser.add_argument(
        "--fix", action="store_true", help="change the files: make the fixes that are safe"
    )
    parser.add_argument(
        "--diff", action="store_true", help="change nothing; print what --fix would change"
    )
    parser.add_argument(
        "--unsafe-fixes", action="store_true", help="with these, make the guesses, too"
    )


def _fmt(parser: _Parser) -> None:
    parser.add_argument(
        "paths", nargs="*", metavar="PATH", help="folders, files, or - (default: this folder)"
    )
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--check", action="store_true", help="change nothing; name the files that would change"
    )
    how.add_argument("--diff", action="store_true", help="change nothing; print what would change")


def _test(parser: _Parser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH|GAME", help=_PATHS)
    parser.add_argument(
        "-k", dest="only", metavar="WORD", help="only scenarios with this in their names"
    )
    parser.add_argument(
        "--format", default="text", type=_one_of("format", "text", "json", "junit"),
        help="text (the default), json, or junit",
    )  # fmt: skip


def _trace(parser: _Parser) -> None:
    parser.add_argument("game", metavar="GAME", help=_GAME)
    _text_or_json(parser)


def _read(parser: _Parser) -> None:
    parser.add_argument("game", metavar="GAME", help=_GAME)
    parser.add_argument(
        "entries", nargs="*", metavar="ENTRY",
        help='entries as the files write them ("card 34"), titles, or kinds (default: all)',
    )  # fmt: skip
    parser.add_argument(
        "--mode", metavar="M", help="the mode whose wording is read (default: the first)"
    )
    _text_or_json(parser)


def _draw(parser: _Parser) -> None:
    parser.add_argument("game", metavar="GAME", help=_GAME)
    parser.add_argument(
        "entry", nargs="*", metavar="ENTRY",
        help='one entry as the files write it, "chart M" (default: the board)',
    )  # fmt: skip
    parser.add_argument(
        "--save", metavar="FILE", help="a playthrough, whose pieces are drawn; - is standard input"
    )
    parser.add_argument("--output", metavar="FILE", help="where to write it (default: print it)")


def _simulate(parser: _Parser) -> None:
    _configuration(parser)
    parser.add_argument(
        "--games", type=_whole(1), default=1000, metavar="N", help="how many (default: 1000)"
    )
    parser.add_argument(
        "--seed", type=_whole(), default=0, metavar="S", help="the first game's seed (default: 0)"
    )
    parser.add_argument(
        "--policy",
        default="random",
        metavar="NAME",
        help="who decides: random (the default), first, or greedy",
    )
    parser.add_argument(
        "--jobs", type=_whole(1), default=1, metavar="N", help="processes (default: 1)"
    )
    parser.add_argument(
        "--count", action="append", default=[], metavar="RULE",
        help="a rule, hook or ending: tell how often it was called; may be given again",
    )  # fmt: skip
    parser.add_argument(
        "--engine",
        type=_one_of("engine", "compiled", "reference"),
        default="compiled",
        metavar="NAME",
        help="compiled rules (the default), or the interpreter: the result is the same",
    )
    _text_or_json(parser)


def _compile(parser: _Parser) -> None:
    _configuration(parser)
    parser.add_argument(
        "rules", nargs="*", metavar="RULE", help="rules by name (default: all that the mode has)"
    )
    parser.add_argument(
        "--steps", action="store_true",
        help="what is played step by step (default: what plays whole games, at random)",
    )  # fmt: skip


def _play(parser: _Parser) -> None:
    _configuration(parser)
    _seed_and_bots(parser)
    parser.add_argument("--save", metavar="FILE", help="where the playthrough is kept")
    parser.add_argument("--resume", metavar="FILE", help="a playthrough to go on with")
    parser.add_argument(
        "--board", metavar="FILE", help="where a picture of the board is kept, as SVG"
    )


def _try(parser: _Parser) -> None:
    _configuration(parser)
    parser.add_argument(
        "entry", nargs="+", metavar="ENTRY", help='the entry, as the files write it: "card 34"'
    )
    parser.add_argument(
        "--with", dest="with_", action="append", default=[], metavar="ITEM,...",
        help="what is given more, by names with commas between them",
    )  # fmt: skip
    _seed_and_bots(parser)


def _new(parser: _Parser) -> None:
    parser.add_argument("what", metavar="game|pack|KIND", help="a game, a pack, or one entry")
    parser.add_argument("name", metavar="NAME", help="its title; the folder is named after it")
    parser.add_argument("--game", metavar="GAME", help=f"what is extended: {_GAME}")
    parser.add_argument(
        "--output", metavar="DIR", help="the folder to make it in (default: this one)"
    )
    parser.add_argument(
        "--ci", action="store_true", help="with a workflow that checks and tests every change"
    )


def _written(parser: _Parser) -> None:
    parser.add_argument("game", metavar="GAME", help=_GAME)
    parser.add_argument("--output", metavar="FILE", help="where to write it (default: print it)")


def _explain(parser: _Parser) -> None:
    parser.add_argument("code", metavar="CODE", help="the code or the name of a diagnostic")


def _seed_and_bots(parser: _Parser) -> None:
    parser.add_argument("--seed", type=_whole(), metavar="S", help="what chance is drawn with")
    parser.add_argument(
        "--bot",
        dest="bots",
        action=_Seats,
        default={},
        metavar="SEAT=NAME",
        help="a seat that plays by itself: random, first, or greedy",
    )


def _configuration(parser: _Parser) -> None:
    parser.add_argument("game", metavar="GAME", help=_GAME)
    parser.add_argument("--mode", metavar="M", help="the mode (default: the first that fits)")
    parser.add_argument(
        "--players", type=_whole(1), metavar="N", help="how many (default: the fewest)"
    )
    parser.add_argument(
        "--set",
        dest="settings",
        action=_Pairs,
        default={},
        metavar="NAME=VALUE",
        help="a setting, other than its default",
    )
    parser.add_argument(
        "--ruling",
        dest="rulings",
        action=_Pairs,
        default={},
        metavar="NAME=VALUE",
        help="a ruling, likewise",
    )


def _text_or_json(parser: _Parser) -> None:
    parser.add_argument(
        "--format",
        default="text",
        type=_one_of("format", "text", "json"),
        help="text (the default) or json",
    )


COMMANDS: dict[str, tuple[str, Callable[[_Parser], None]]] = {
    "check": ("look for what is wrong in games", _check),
    "fmt": ("lay out .rules files in the settled way", _fmt),
    "test": ("run the scenarios of games", _test),
    "play": ("play a game in the terminal", _play),
    "try": ("try one card, or any other entry, again and again", _try),
    "simulate": ("let bots play a game many times", _simulate),
    "trace": ("say which clauses of the rulebook are cited and seen at work", _trace),
    "read": ("say entries again in a player's words", _read),
    "draw": ("draw a board, a map, a chart or a card as a picture", _draw),
    "schema": ("write the JSON Schema of a game's content", _written),
    "export": ("write a game's content as JSON", _written),
    "compile": ("print the Python that rules are played with", _compile),
    "new": ("begin a game, a pack or an entry", _new),
    "explain": ("say what a diagnostic means", _explain),
}
"""The commands in the order of the help page: a summary, and what adds the arguments."""
