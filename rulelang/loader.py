"""Finding and reading the files of a game: a shipped game's name, or a path to its folder."""

from __future__ import annotations

import os
import re
from pathlib import Path

from attrs import evolve, frozen

from rulelang.diagnostic import Diagnostic, Span, make, suggest
from rulelang.errors import UsageError
from rulelang.files import MAX_FILE_SIZE, is_rules_file
from rulelang.program.program import Pack

SKIPPED = frozenset((".git", ".hg", "node_modules", "__pycache__", ".venv", "venv"))
MAX_FILES = 2_000
MAX_PACKS = 8
"""Packs on the way to a game, each of which extends the next."""


@frozen
class Sources:
    """The texts of one game, by their paths relative to its folder, with `/`."""

    root: str
    rules: dict[str, str]
    catalogues: dict[str, str]
    diagnostics: tuple[Diagnostic, ...] = ()
    packs: tuple[Pack, ...] = ()
    """The packs among them: first the one that extends the game, then the one that extends that."""


def shipped_root() -> Path:
    """The folder of the shipped games: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
    inside = package / "_games"
    return inside if inside.is_dir() else package.parent / "games"


def shipped() -> list[str]:
    """The names of the shipped games."""
    root = shipped_root()
    if not root.is_dir():
        return []
    return sorted(
        path.name for path in root.iterdir() if path.is_dir() and any(path.glob("*.rules"))
    )


def locate(where: str | Path) -> Path:
    """The folder (or single file) that a name or path means. UsageError if there is none."""
    try:
        path = Path(where)
        if path.exists():
            return path
    except (OSError, TypeError, ValueError):
        raise UsageError(f"{str(where)[:80]!r} is no path and no game") from None
    return _shipped_folder(str(where))


def read(where: str | Path) -> Sources:
    """The texts of a game. UsageError if nothing is there or it cannot be read."""
    path = locate(where)
    if path.is_file():
        return _read_files(path.parent, [path], [])
    return _read_folder(path, ())


def _read_folder(path: Path, packs: tuple[Path, ...]) -> Sources:
    """The texts of the game or pack in a folder; ``packs`` are those that extend it."""
    try:
        found = sorted(_walk(path))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    if len(found) > MAX_FILES:
        raise UsageError(
            f"{path} holds more than {MAX_FILES:,} files of rules; name the game's own folder"
        )
    rules = [p for p in found if p.suffix == ".rules"]
    if not rules:
        raise UsageError(f"{path} holds no .rules files")
    sources = _read_files(
        path, rules, [p for p in found if p.suffix == ".toml" and p.parent == path]
    )
    return _with_base(sources, path, (*packs, path.resolve()))


def lineage(where: Path) -> list[Path]:
    """The folder of a game or pack that loads, and of what it extends; the game's comes last."""
    folders = [where.resolve()]
    while True:
        files = [path for path in _walk(folders[-1]) if path.suffix == ".rules"]
        lines = _extends_lines({path.name: read_text(path, path.name)[0] for path in files})
        if not lines:
            return folders
        folders.append(_base_folder(folders[-1], lines[0].wanted, tuple(folders)).resolve())


_EXTENDS = re.compile(r'^\ufeff?extends[ \t]+"?([^"\s#]+)"?', re.MULTILINE)
_GAME = re.compile(r"^\ufeff?game[ \t]", re.MULTILINE)


@frozen
class _Extends:
    """An ``extends`` line: the game that it names, and where it stands."""

    wanted: str
    span: Span


def _extends_lines(rules: dict[str, str]) -> list[_Extends]:
    lines = []
    for name, text in rules.items():
        for match in _EXTENDS.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            lines.append(
                _Extends(match.group(1), Span(name, line, 1, line, len(match.group()) + 1))
            )
    return lines


def _with_base(sources: Sources, root: Path, packs: tuple[Path, ...]) -> Sources:
    """A pack with the files of the game that it extends; theirs are named after their folder.

    ``packs`` are the packs on the way to the game, this one last.
    """
    lines = _extends_lines(sources.rules)
    if not lines:
        return sources
    if any(_GAME.search(text) for text in sources.rules.values()):
        problem = make(
            "N202", "these files declare a game, and also extend one", lines[0].span,
            help="A folder is either a game of its own or a pack.",
        )  # fmt: skip
        return evolve(sources, diagnostics=(*sources.diagnostics, problem))
    first, *others = lines
    problems = [
        make(
            "N202", f"this pack extends `{first.wanted}` already", line.span,
            help="A pack extends one game.",
        )
        for line in others
        if line.wanted != first.wanted
    ]  # fmt: skip
    own = evolve(sources, diagnostics=(*sources.diagnostics, *problems))
    try:
        base = _read_folder(_base_folder(root, first.wanted, packs), packs)
    except UsageError as error:
        problem = make(
            "N210", f"the game that this pack extends cannot be read: {error}", first.span
        )
        return evolve(own, diagnostics=(*own.diagnostics, problem))
    return _joined(own, base)


def _base_folder(root: Path, wanted: str, packs: tuple[Path, ...]) -> Path:
    """The folder of the game or pack that a pack extends. UsageError if there is none.

    It lies beside the pack's own; else it is a shipped game, whose name a pack may share.
    """
    if wanted in (".", "..") or Path(wanted).name != wanted:
        raise UsageError(f"{wanted!r} is no name of a game")
    beside = Path(os.path.abspath(root)).parent / wanted
    found = beside if beside.is_dir() else _shipped_folder(wanted)
    if found.resolve() == packs[-1] and wanted in shipped():
        found = shipped_root() / wanted
    if found.resolve() == packs[-1]:
        raise UsageError("this pack extends itself")
    if found.resolve() in packs:
        raise UsageError(f"`{wanted}` in turn extends this pack")
    if len(packs) >= MAX_PACKS:
        raise UsageError(f"more than {MAX_PACKS} packs extend one another")
    return found


def _shipped_folder(name: str) -> Path:
    """The folder of a shipped game. UsageError if there is none of this name."""
    if name in shipped():
        return shipped_root() / name
    raise UsageError(f"there is no folder and no shipped game {name!r}", suggest(name, shipped()))


def _joined(pack: Sources, base: Sources) -> Sources:
    prefix = Path(base.root).name
    while any(name.startswith(f"{prefix}/") for name in pack.rules):
        prefix = f"../{prefix}"  # the pack has a folder of this name itself
    name = Path(os.path.abspath(pack.root)).name
    return Sources(
        pack.root,
        {**_below(prefix, base.rules), **pack.rules},
        {**_below(prefix, base.catalogues), **pack.catalogues},
        (*(_renamed(problem, prefix) for problem in base.diagnostics), *pack.diagnostics),
        (
            *(Pack(p.name, tuple(f"{prefix}/{file}" for file in p.files)) for p in base.packs),
            Pack(name, tuple(pack.rules)),
        ),
    )


def _below(prefix: str, texts: dict[str, str]) -> dict[str, str]:
    return {f"{prefix}/{file}": text for file, text in texts.items()}


def _renamed(problem: Diagnostic, prefix: str) -> Diagnostic:
    return evolve(problem, span=evolve(problem.span, file=f"{prefix}/{problem.span.file}"))


def _walk(root: Path) -> list[Path]:
    found = []
    for path in sorted(root.iterdir()):
        if path.name in SKIPPED or path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            found += _walk(path)
        elif is_rules_file(path) or (path.suffix == ".toml" and path.is_file()):
            found.append(path)
    return found


def _read_files(root: Path, rules: list[Path], catalogues: list[Path]) -> Sources:
    diagnostics: list[Diagnostic] = []
    texts: dict[str, str] = {}
    for path in rules:
        name = path.relative_to(root).as_posix()
        text, problem = read_text(path, name)
        texts[name] = text
        if problem is not None:
            diagnostics.append(problem)
    tables = {}
    for path in catalogues:
        name = path.relative_to(root).as_posix()
        text, problem = read_text(path, name)
        tables[name] = text
        if problem is not None:
            diagnostics.append(problem)
    return Sources(str(root), texts, tables, tuple(diagnostics))


def read_text(path: Path, name: str) -> tuple[str, Diagnostic | None]:
    """A file's text, and what is wrong with its bytes. UsageError if it cannot be opened."""
    try:
        if path.stat().st_size > 4 * MAX_FILE_SIZE:
            return "", make(
                "S110",
                f"this file is too large: {path.stat().st_size:,} bytes",
                Span(name, 1, 1, 1, 1),
                help="Split it; all `.rules` files of a folder form one game.",
            )
        if path.is_file():
            data = path.read_bytes()
        else:  # a pipe or a device says nothing of its size, and may have no end
            with path.open("rb") as file:
                data = file.read(4 * MAX_FILE_SIZE)
    except OSError as error:
        raise UsageError(f"{name} cannot be read: {error.strerror or error}") from None
    return decode(data, name)


def decode(data: bytes, name: str) -> tuple[str, Diagnostic | None]:
    """Bytes as text: UTF-8, line ends settled."""
    try:
        return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n"), None
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
        problem = make(
            "S111", "this file is not text in UTF-8", Span(name, line, column, line, column + 1),
            help="Save it as UTF-8.",
        )  # fmt: skip
        return "", problem
