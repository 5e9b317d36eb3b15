"""What a typed line means at a prompt: an option, a command, or neither."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from attrs import frozen

from rulelang.diagnostic import did_you_mean, suggest
from rulelang.display import printable
from rulelang.session import Option
from rulelang.wording import folded


@frozen
class Words:
    """The commands that are known besides options, each with what it does."""

    commands: Mapping[str, str]
    aliases: Mapping[str, str]
    """Other words for some of them."""
    with_words: tuple[str, ...]
    """Those that more words may stand behind."""


COMMANDS: Final = Words(
    {
        "help": "what is being decided, by which rules, and this list",
        "look": "the options in full; `look 2` one of them; `look` and a name anything else",
        "table": "the whole table",
        "board": "what stands where on the board",
        "log": "what happened last",
        "undo": "take your last choice back",
        "bot": "let a bot make this one choice",
        "save": "save now; `save FILE` to that file",
        "seed": "the number that this game's chance is drawn with",
        "quit": "stop playing",
    },
    {"?": "help", "exit": "quit"},
    ("look", "save"),
)
_NUMBER: Final = re.compile(r"[+-]?[0-9]+")
_SHOWN = 60


@frozen
class Pick:
    """An option, by its index."""

    index: int


@frozen
class Command:
    """A command and the words after it."""

    name: str
    words: str = ""


@frozen
class Unclear:
    """Neither; the message says what would be legal."""

    message: str


Answer = Pick | Command | Unclear


def understand(typed: str, options: Sequence[Option], words: Words = COMMANDS) -> Answer:
    """The meaning of a line: numbers, then commands, then the beginning of an option's words."""
    text = typed.strip()
    if not text:
        return Unclear(f"Type {legal(options)}, or `help`.")
    if _NUMBER.fullmatch(text):
        return _by_number(text, options)
    command = command_of(text, words)
    if command is not None:
        return command
    found = matching(text, options)
    if len(found) == 1:
        return Pick(found[0])
    if found:
        names = ", ".join(f"{keys(options)[n]} {options[n].text}" for n in found[:6])
        more = ", …" if len(found) > 6 else ""
        return Unclear(f"That could be {printable(names)}{more}.")
    return _unknown(text, options, words)


def keys(options: Sequence[Option]) -> list[str]:
    """What is typed for each option: its number; where all options are numbers, themselves."""
    if all(option.label.isascii() and option.label.isdecimal() for option in options):
        return [option.label for option in options]
    return [str(n) for n in range(1, len(options) + 1)]


def legal(options: Sequence[Option]) -> str:
    """The options that may be typed, in words."""
    typed = keys(options)
    if typed == [str(n) for n in range(int(typed[0]), int(typed[0]) + len(typed))]:
        span = " or ".join(typed) if len(typed) < 3 else f"a number from {typed[0]} to {typed[-1]}"
    else:
        span = "one of " + ", ".join(typed)
    return span


def matching(text: str, options: Sequence[Option]) -> list[int]:
    """The options that are called so, else that begin so, else with a word that begins so."""
    wanted = folded(text)
    if not wanted:
        return []
    names = [(folded(option.label), folded(option.text)) for option in options]
    exact = [n for n, own in enumerate(names) if wanted in own]
    if exact:
        return exact
    begins = [n for n, own in enumerate(names) if any(name.startswith(wanted) for name in own)]
    if begins:
        return begins
    return [n for n, own in enumerate(names) if any(f" {wanted}" in name for name in own)]


def _by_number(text: str, options: Sequence[Option]) -> Answer:
    typed = keys(options)
    bare = text.lstrip("+").lstrip("0") or "0"
    if bare in typed:
        return Pick(typed.index(bare))
    shown = text if len(text) <= 12 else text[:12] + "…"
    return Unclear(f"There is no option {shown}. Type {legal(options)}, or `help`.")


def command_of(text: str, words: Words) -> Command | None:
    """The command that a line is, if it is one."""
    first, _, rest = text.strip().partition(" ")
    name = words.aliases.get(first.casefold(), first.casefold())
    if name not in words.commands or (rest.strip() and name not in words.with_words):
        return None
    return Command(name, rest.strip())


def _unknown(text: str, options: Sequence[Option], words: Words) -> Answer:
    begun = [name for name in words.commands if name.startswith(text.casefold())]
    if len(begun) == 1:
        return Command(begun[0])
    shown = printable(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")
    question = did_you_mean(suggest(text.partition(" ")[0], words.commands))
    hint = f" ({question})" if question else ""
    return Unclear(
        f"“{shown}” is no option and no command{hint}. Type {legal(options)}, or `help`."
    )
