"""Finding and reading the files of a game: a shipped game's name, or a path to its folder."""

from __future__ import annotations

import re
from pathlib import Path

from attrs import evolve, frozen

from rulelang.diagnostic import Diagnostic, Span, make, suggest
from rulelang.errors import UsageError
from rulelang.syntax.vocabulary import MAX_FILE_SIZE

SKIPPED = frozenset((".git", ".hg", "node_modules", "__pycache__", ".venv", "venv"))
MAX_FILES = 2_000


@frozen
class Sources:
    """The texts of one game, by their paths relative to its folder, with `/`."""

    root: str
    rules: dict[str, str]
    catalogues: dict[str, str]
    diagnostics: tuple[Diagnostic, ...] = ()


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
    except (OSError, ValueError):
        raise UsageError(f"{str(where)[:80]!r} is no path and no game") from None
    name = str(where)
    if name in shipped():
        return shipped_root() / name
    raise UsageError(f"there is no folder and no shipped game {name!r}", suggest(name, shipped()))


def read(where: str | Path) -> Sources:
    """The texts of a game. UsageError if nothing is there or it cannot be read."""
    path = locate(where)
    if path.is_file():
        return _read_files(path.parent, [path], [])
    try:
        found = sorted(p for p in _walk(path) if p.suffix in (".rules", ".toml"))
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
    return _with_base(sources, path)


_EXTENDS = re.compile(r'^extends[ \t]+"?([^"\s#]+)"?', re.MULTILINE)
_GAME = re.compile(r"^game[ \t]", re.MULTILINE)


def _with_base(sources: Sources, root: Path) -> Sources:
    """A pack with the files of the game that it extends; theirs are named after their folder."""
    named = [
        (name, match) for name, text in sources.rules.items() if (match := _EXTENDS.search(text))
    ]
    if not named or any(_GAME.search(text) for text in sources.rules.values()):
        return sources
    name, match = named[0]
    wanted = match.group(1)
    beside = root.parent / wanted
    try:
        base = read(beside if beside.is_dir() and beside.resolve() != root.resolve() else wanted)
    except UsageError as error:
        line = sources.rules[name].count("\n", 0, match.start()) + 1
        span = Span(name, line, 1, line, len(match.group()) + 1)
        problem = make("N210", f"the game that this pack extends cannot be read: {error}", span)
        return evolve(sources, diagnostics=(*sources.diagnostics, problem))
    prefix = Path(base.root).name
    return Sources(
        sources.root,
        {**{f"{prefix}/{file}": text for file, text in base.rules.items()}, **sources.rules},
        {**base.catalogues, **sources.catalogues},
        (*(_renamed(problem, prefix) for problem in base.diagnostics), *sources.diagnostics),
    )


def _renamed(problem: Diagnostic, prefix: str) -> Diagnostic:
    return evolve(problem, span=evolve(problem.span, file=f"{prefix}/{problem.span.file}"))


def _walk(root: Path) -> list[Path]:
    found = []
    for path in sorted(root.iterdir()):
        if path.name in SKIPPED or path.name.startswith("."):
            continue
        if path.is_dir() and not path.is_symlink():
            found += _walk(path)
        elif path.is_file():
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
        data = path.read_bytes()
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
