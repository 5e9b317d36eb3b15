"""A game as JSON and back, losing nothing.

Entries become objects; what else the files hold (the rules book, names, dice, the catalogue of
clauses) stays text, by file. On the way back the entries are written as content again and checked
with the rest, so that the same diagnostics apply; they then name the place in the JSON.
"""

from __future__ import annotations

from pathlib import PurePosixPath

from rulelang.analysis import analyse_sources
from rulelang.content.compare import misread
from rulelang.content.encode import Encoder
from rulelang.content.outline import outline
from rulelang.content.pieces import JSON_FILE, Places, Slip
from rulelang.content.shapes import FORMAT, Json, pointer
from rulelang.content.source import cut
from rulelang.content.write import listed, mapped, only, shown
from rulelang.content.write_entries import EntryWriter
from rulelang.errors import RuleError, UsageError
from rulelang.game import Game
from rulelang.loader import Sources
from rulelang.program.program import Pack
from rulelang.syntax.parser import parse

ENTRIES_FILE = "entries.rules"
"""What the file of the written entries is called where a game has none of this name."""
MAX_DEPTH = 100
_PARTS = ("format", "game", "rules", "entries")
PACKS = "packs"


def export(game: Game) -> dict[str, Json]:
    """The game as an object that `json` can write; `from_json` reads it.

    It has ``format``, ``game`` (its name), ``rules`` (texts by file: all but the entries, and the
    catalogue of clauses) and ``entries`` (by kind, a list of objects in canonical order). With
    packs it also has ``packs``: the name of each and its files among ``rules``, the one first that
    extends the game. What they replace stays text.
    `UsageError` if the game was made without its texts.
    """
    program = game.program
    made = cut(game.sources, program)
    missing = {
        entry.span.file
        for kind in program.kinds.values()
        if kind.key
        for entry in program.domains[kind.name].entries
        if entry.span is not None and entry.span.file not in game.sources
    }
    if missing:
        raise UsageError(
            f"the text of {min(missing)} is not at hand, so that nothing can be exported"
        )
    encoder = Encoder(program, made)
    keyed = [kind.name for kind in program.kinds.values() if kind.key]
    kinds = [*made.kinds, *(name for name in keyed if name not in made.kinds)]
    rules = dict(made.rest)
    for name, text in game.catalogues.items():
        if PurePosixPath(name).name == made.catalogue:
            rules[name] = text
    exported = {
        "format": FORMAT,
        "game": program.name,
        "rules": rules,
        "entries": {name: encoder.entries(program.kinds[name]) for name in kinds},
    }
    if program.packs:
        exported[PACKS] = [
            {"name": pack.name, "files": [file for file in pack.files if file in rules]}
            for pack in program.packs
        ]
    return exported


def from_json(data: Json) -> Game:
    """The game that `Game.export` gave, or one that another program wrote in the same form.

    Raises `RuleError` if the content is wrong: the same codes as for files, and C511 where the JSON
    has not the form that `Game.schema` describes. Diagnostics of entries stand in the file
    ``<json>``, with the JSON pointer in a note; lines count as in what ``rulelang export`` writes.
    """
    try:
        _check_values(data)
        _check_form(data)
    except Slip as slip:
        raise RuleError([Places(_countable(data)).diagnostic(slip)]) from None
    rules = {name: text for name, text in data["rules"].items() if name.endswith(".rules")}
    catalogues = {name: text for name, text in data["rules"].items() if name not in rules}
    parsed = [parse(text, name) for name, text in rules.items()]
    problems = [problem for each in parsed for problem in each.diagnostics]
    if any(problem.severity == "error" for problem in problems):
        raise RuleError(problems)
    entries = EntryWriter(outline([each.file for each in parsed]), data["entries"])
    entries.write()
    places = Places(data)
    if entries.slips:
        raise RuleError(map(places.diagnostic, entries.slips))
    file = _free_name(rules)
    rules[file] = entries.page.text()
    packs = _packs(data, file)
    analysis = analyse_sources(Sources(JSON_FILE, rules, catalogues, packs=packs))
    if analysis.program is None:
        raise RuleError(places.placed(each, entries.page, file) for each in analysis.diagnostics)
    written = Encoder(analysis.program, cut({file: rules[file]}, analysis.program))
    slips = misread(data, written)
    if slips:
        raise RuleError(map(places.diagnostic, slips))
    return Game(analysis.program, rules, None, catalogues)


def _packs(data: Json, file: str) -> tuple[Pack, ...]:
    """The packs; what is written in ``file`` belongs to the last, which may replace anything."""
    packs = [Pack(pack["name"], tuple(pack["files"])) for pack in data.get(PACKS, ())]
    return (*packs[:-1], *(Pack(p.name, (*p.files, file)) for p in packs[-1:]))


def _free_name(rules: dict[str, str]) -> str:
    name, number = ENTRIES_FILE, 1
    while name in rules:
        number += 1
        name = f"entries {number}.rules"
    return name


# ---------------------------------------------------------------- is it the form?


def _countable(data: Json) -> Json:
    """The data if places can be counted in it, or else nothing."""
    try:
        _check_values(data)
    except Slip:
        return None
    return data


def _check_values(data: Json) -> None:
    """Only what JSON has, nested within reason, and texts that can be encoded."""
    left: list[tuple[Json, str, int]] = [(data, "", 0)]
    while left:
        value, at, depth = left.pop()
        if depth > MAX_DEPTH:
            raise Slip("", f"this is nested more than {MAX_DEPTH} deep")
        if isinstance(value, dict):
            for key, item in value.items():
                if not isinstance(key, str):
                    raise Slip(at, f"{key!r:.40} is a key of an object, and no text")
                _check_text(key, at)
                left.append((item, pointer(at, key), depth + 1))
        elif isinstance(value, list):
            left += ((item, pointer(at, place), depth + 1) for place, item in enumerate(value))
        elif isinstance(value, str):
            _check_text(value, at)
        elif value is not None and not isinstance(value, bool | int | float):
            raise Slip(at, f"JSON has no {type(value).__name__}")


def _check_text(text: str, at: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Slip(at, "this text holds half of a character") from None


def _check_form(data: Json) -> None:
    if not isinstance(data, dict):
        raise Slip("", "a game is an object")
    for part in _PARTS:
        if part not in data:
            raise Slip("", f"there is no `{part}`")
    only(data, (*_PARTS, PACKS), "")
    if data["format"] is True or data["format"] != FORMAT:
        raise Slip("/format", f"this version reads format {FORMAT}")
    for part in ("rules", "entries"):
        if not isinstance(data[part], dict):
            raise Slip(f"/{part}", f"`{part}` is an object")
    for name, text in data["rules"].items():
        if not isinstance(text, str):
            raise Slip(pointer("/rules", name), "a file is a text")
        if not name.endswith((".rules", ".toml")):
            raise Slip(pointer("/rules", name), "a file ends in .rules or .toml")
    for name, entries in data["entries"].items():
        if not isinstance(entries, list):
            raise Slip(pointer("/entries", name), "the entries of a kind are a list")
    for place, pack in enumerate(listed(data.get(PACKS, []), f"/{PACKS}")):
        _check_pack(pack, data["rules"], pointer("", PACKS, place))


def _check_pack(data: Json, rules: dict[str, str], at: str) -> None:
    """``{"name": …, "files": […]}``"""
    pack = mapped(data, at)
    only(pack, ("name", "files"), at)
    if not isinstance(pack.get("name"), str) or "files" not in pack:
        raise Slip(at, "a pack has a `name` and `files`")
    for place, file in enumerate(listed(pack["files"], pointer(at, "files"))):
        known = isinstance(file, str) and file in rules
        if not known or not file.endswith(".rules"):
            raise Slip(pointer(at, "files", place), f"{shown(file)} is no file among `rules`")
