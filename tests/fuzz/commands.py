"""Random command lines, run in this process in a folder of their own."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO, TextIOWrapper
from pathlib import Path
from random import Random

from rulelang.cli import arguments, main
from rulelang.cli.arguments import COMMANDS
from rulelang.cli.status import Status
from rulelang.diagnostic import CODES
from tests.fuzz.corpus import WEIRD, small
from tests.fuzz.mutation import mutated_bytes, mutated_text
from tests.fuzz.watch import Case

SAVE = "save.json"
ODD_WORDS = (
    "", "-", "--", "--help", "--version", "-h", "-k", "--format", "--format=", "nowhere", "x.rules",
    "..", "/dev/null", "no such", "--jobs", "-1", "0", "--no-such", "=", "a=b", "*", "~",
)  # fmt: skip
VALUES = ("1", "0", "x", "card 1", "parcel 1", "parcel 9", "json", "game", "out.txt", "a=b", "")
"""Values for options that nothing more is known of."""
FORMATS = ("text", "json", "full", "concise", "xml", "")
GAME_WORDS = ("tiny", "game", "tiny/none", "lost_expeditio", "-", ".", "empty")


def commands(random: Random) -> Case:
    """One command line, what is read from standard input, and the files of its folder."""
    files = _files(random)
    words = _words(random, files)
    stdin = _stdin(random, files)
    told = "\n".join(map(repr, words))

    def run() -> None:
        # One level down, so that `..` means nothing outside.
        with tempfile.TemporaryDirectory(prefix="rulelang-") as outer:
            folder = str(Path(outer, "inside"))
            for name, data in files.items():
                path = Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            Path(folder, "empty").mkdir(parents=True)
            Path(folder, ".git").mkdir()
            with _in_folder(folder, stdin) as (out, err):
                status = main(words)
            said = err.getvalue().decode("utf-8", "replace")
            known = [int(each) for each in Status]
            assert status in known, status
            assert status != Status.FAULT, said.strip()
            assert "Traceback" not in said, said
            out.getvalue().decode("utf-8")

    return Case({"words.txt": told, "stdin.txt": stdin, **files}, run)


def _files(random: Random) -> dict[str, bytes]:
    """A game in a folder, often with a slip in one of its files."""
    found = random.choice(small())
    texts = {**found.rules, **found.catalogues}
    files = {f"game/{name}": text.encode() for name, text in texts.items()}
    if random.random() < 0.5:
        name = random.choice(sorted(texts))
        changed = mutated_text(random, texts[name], list(texts.values()))
        files[f"game/{name}"] = changed.encode("utf-8", "surrogatepass")
    if random.random() < 0.1:
        name = random.choice(sorted(files))
        files[name] = mutated_bytes(random, files[name])
    if random.random() < 0.3:
        files[SAVE] = random.choice((b"", b"{}", b"[1", b'{"format": 1}', random.randbytes(20)))
    return files


def _words(random: Random, files: dict[str, bytes]) -> list[str]:
    command = random.choice(list(COMMANDS))
    words = [command, *_arguments(random, command, files)]
    for _ in range(random.choice((0, 0, 0, 0, 0, 1, 2))):
        place = random.randint(0, len(words))
        odd = random.choice((*ODD_WORDS, random.choice(WEIRD), *sorted(files)))
        words[place : place + random.choice((0, 1))] = [odd]
    if "simulate" in words:  # the last one counts, and the default is many
        words += ["--games", "3", "--jobs", "1"]
    return words


def _arguments(random: Random, command: str, files: dict[str, bytes]) -> list[str]:
    game = "game" if random.random() < 0.8 else random.choice((*GAME_WORDS, *sorted(files)))
    words = [] if random.random() < 0.05 else [game]
    if command == "explain":
        words = [random.choice((*CODES, "unused-name", "s100", "?"))]
    if command in ("read", "try", "new") and random.random() < 0.7:
        words.append(random.choice(("parcel 1", "card 2", "parcel", "tree 1", "x", "bend 2.5")))
    known = {**_others(command), **_known(command, files)}
    for option in random.sample(list(known), min(len(known), random.choice((0, 1, 1, 2, 3)))):
        values = known[option]
        place = random.randint(0, len(words))
        words[place:place] = [option, random.choice(values)] if values else [option]
    return words


def _known(command: str, files: dict[str, bytes]) -> dict[str, tuple[str, ...]]:
    """Options of a command with values that fit, or nearly."""
    match command:
        case "check":
            return {
                "--format": FORMATS,
                "--select": (*CODES, "N,T", ""),
                "--ignore": ("N204", "R", "x"),
                "--fail-level": ("error", "warning", "info", "none"),
            }
        case "test" | "trace":
            return {"--format": FORMATS, "-k": ("a", "(", "")}
        case "schema" | "export":
            return {"--output": ("out.json", "game", "none/out.json", next(iter(files)), "")}
        case "simulate":
            return {**_start(files), "--format": FORMATS, "--policy": ("random", "first", "x")}
        case "play":
            return {
                **_start(files),
                "--bot": ("0=random", "1=first", "0=x", "9=random", "x=random"),
                "--save": ("kept.json", SAVE, "game", ""),
                "--resume": (SAVE, "-", "none"),
            }
    return {}


def _start(files: dict[str, bytes]) -> dict[str, tuple[str, ...]]:
    """How a game may be started."""
    text = b" ".join(files.values()).decode("utf-8", "replace")
    modes = re.findall(r"mode (\w+)", text)
    return {
        "--mode": (*modes, *modes, "x"),
        "--players": ("1", "2", "2", "5", "0", "x"),
        "--set": ("load=large", "weather=wet", "x"),
        "--ruling": ("spill=nobody", "="),
        "--seed": ("1", "-5", "9" * 310, "x"),
    }


def _others(command: str) -> dict[str, tuple[str, ...]]:
    """All options of a command, with values of every sort; but for those that take processes."""
    parser = arguments._Parser()
    COMMANDS[command][1](parser)
    return {
        action.option_strings[-1]: () if action.nargs == 0 else VALUES
        for action in parser._actions
        if action.option_strings and action.option_strings[-1] not in ("--help", "--jobs")
    }


def _stdin(random: Random, files: dict[str, bytes]) -> bytes:
    if random.random() < 0.2:
        return random.choice((random.randbytes(30), *files.values()))
    said = ("1", "2", "3", "undo", "help", "look", "table", "log", "save", "quit", "p", "",
            "card 1", "decline", "why", "999", random.choice(WEIRD))  # fmt: skip
    lines = [random.choice(said) for _ in range(random.randint(0, 60))]
    return "\n".join(lines).encode("utf-8", "surrogatepass")


@contextmanager
def _in_folder(folder: str, stdin: bytes) -> Iterator[tuple[BytesIO, BytesIO]]:
    """The process in a folder, with standard streams of its own."""
    before, streams = os.getcwd(), (sys.stdin, sys.stdout, sys.stderr)
    out, err = BytesIO(), BytesIO()
    os.chdir(folder)
    sys.stdin = TextIOWrapper(BytesIO(stdin), encoding="utf-8", errors="surrogateescape")
    sys.stdout = TextIOWrapper(out, encoding="utf-8", write_through=True)
    sys.stderr = TextIOWrapper(err, encoding="utf-8", write_through=True)
    kept = (sys.stdout, sys.stderr)  # so that they are not closed, and their bytes can be read
    try:
        yield out, err
    finally:
        for stream in kept:
            stream.detach()
        sys.stdin, sys.stdout, sys.stderr = streams
        os.chdir(before)
