"""``rulelang compile``: rules as the Python that they are played with."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator

from rulelang import __version__
from rulelang.cli.loading import load
from rulelang.cli.output import write_text
from rulelang.cli.status import Status
from rulelang.cli.targets import one_target
from rulelang.diagnostic import suggest
from rulelang.display import printable
from rulelang.engine.compiler.listing import listing
from rulelang.errors import UsageError
from rulelang.program.linking import Linked
from rulelang.program.values import plain

_SCRIPT = "script of "
"""What the name of an entry's script begins with."""


def run(arguments: Namespace) -> Status:
    """Print the source of the rules that are named, or of all."""
    game = load(one_target(arguments.game), unproved=True)
    if game is None:
        return Status.FINDINGS
    linked = game.configure(
        arguments.mode, arguments.players, arguments.settings, arguments.rulings
    )
    rules = set(_named(linked, arguments.rules) if arguments.rules else linked.codes)
    policy = "" if arguments.steps else "random"
    module = game.prepared(linked).module(stepping=arguments.steps, policy=policy)
    lines = [*_head(linked, arguments.steps), *listing(module, rules), ""]
    write_text("\n".join(lines), None)
    return Status.FINE


def _head(linked: Linked, steps: bool) -> Iterator[str]:
    """Comments that say what it is."""
    seats = len(linked.players)
    players = "1 player" if seats == 1 else f"{seats} players"
    yield f"# {printable(linked.program.name)}, mode {linked.mode}, for {players}"
    options = ", ".join(f"{name}={entry.key}" for name, entry in linked.options.items())
    if options:
        yield f"# {printable(options)}"
    how = "is played step by step" if steps else "plays whole games, with choices at random"
    yield f"# Python that {how}; rulelang {__version__}"


def _named(linked: Linked, words: list[str]) -> Iterator[str]:
    """The rules that some words name. UsageError for what there is not."""
    called = {name: name for name in linked.codes}
    for hooks in linked.program.hooks.values():
        for hook in hooks:
            if hook.code.name in linked.codes:
                called.setdefault(hook.name, hook.code.name)
    for name in linked.codes:
        if name.startswith(_SCRIPT):
            called.setdefault(name.removeprefix(_SCRIPT), name)
    for word in words:
        name = _found(linked, called, word)
        yield name
        yield from (code.name for code in linked.codes.values() if code.hook_of == name)


def _found(linked: Linked, called: dict[str, str], word: str) -> str:
    """The rule of a name, as rules or entries write it."""
    for known, name in called.items():
        if known == word or plain(known) == plain(word):
            return name
    hooks = (hook.name for each in linked.program.hooks.values() for hook in each)
    if any(plain(name) == plain(word) for name in (*linked.program.rules, *hooks)):
        raise UsageError(f"rule {word!r} is not for mode {linked.mode!r}")
    written = [name for name in called if not name.startswith(_SCRIPT)]
    raise UsageError(f"there is no rule {word!r}", suggest(word, written))
