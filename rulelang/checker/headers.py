"""The lines of content that declare something: `game`, `names` and `die`."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.checker.context import Context, Origin
from rulelang.checker.typing import declare_type
from rulelang.checker.values import number_of, parts, span_of, split
from rulelang.diagnostic import Note, Span, did_you_mean, suggest
from rulelang.program.program import Mode
from rulelang.program.values import Domain, Entry
from rulelang.syntax import tree as t

MAX_PLAYERS = 12
MAX_NAMES = 1000
DECLARING = ("game", "names", "die", "extends")
Value = tuple[str | int, str, Span]
"""Key, text and place of a name."""


def headers(context: Context, lines: Sequence[t.Line], start: Span) -> tuple[str, Span] | None:
    """Read what is declared in the authoring book.

    Gives the name of the catalogue of clauses, and where it is named. ``start`` is the beginning of
    the first file, where what is missing altogether is reported.
    """
    by_word: dict[str, list[t.Line]] = {}
    for line in lines:
        by_word.setdefault(line.words[0].text, []).append(line)
    games = by_word.get("game", [])
    named = [_read_game(context, line) for line in games]
    domain(context, "Mode", [(m.name, m.text, start) for m in context.program.modes.values()])
    _players_domain(context)
    for line in by_word.get("names", []):
        _read_names(context, line)
    for line in by_word.get("die", []):
        _read_die(context, line)
    if not games:
        _no_game(context, by_word.get("extends", []), start)
    return next((found for found in named if found is not None), None)


def _no_game(context: Context, packs: list[t.Line], start: Span) -> None:
    if packs:
        context.report(
            "N210",
            "the game that this pack extends is not here",
            packs[0].span,
            help="Its folder must lie beside the pack's, or be one of the shipped games.",
        )
        return
    context.report(
        "N209",
        "no file says which game this is",
        start,
        help='One file must begin with `game my_game "My Game"` and its modes; a pack begins with '
        "`extends` and the name of a game.",
    )


# ---------------------------------------------------------------- game and modes


def _read_game(context: Context, line: t.Line) -> tuple[str, Span] | None:
    """``game name "Title"`` with its modes; the file of clauses, if it is given."""
    program, words = context.program, line.words
    if program.name:
        context.report("N202", "the game is declared twice", line.span, help="It has one name.")
        return None
    if len(words) < 2 or words[1].kind != "name":
        context.report(
            "C503", "a game needs a name", line.span, help='Write `game my_game "My Game"`.'
        )
        return None
    program.name = words[1].text
    program.text = words[2].text if len(words) > 2 and words[2].kind == "string" else words[1].text
    context.cite(line.cites, "declaration", program.name)
    clauses, reported = None, len(context.diagnostics)
    for item in line.block:
        if isinstance(item, t.Line):
            clauses = _read_item(context, item) or clauses
    if len(context.diagnostics) > reported:
        context.incomplete.add("Mode")
    elif not program.modes:
        context.report(
            "C503",
            "a game needs at least one mode",
            line.span,
            help='Write `mode solo "Alone" players 1`.',
        )
    return clauses


def _read_item(context: Context, item: t.Line) -> tuple[str, Span] | None:
    word = item.words[0].text
    if word == "clauses" and len(item.words) == 2 and item.words[1].kind == "string":
        return item.words[1].text, item.span
    if word == "mode" and len(item.words) > 1 and item.words[1].kind == "name":
        _read_mode(context, item)
        return None
    usage = {"clauses": '`clauses "clauses.toml"`', "mode": '`mode solo "Alone" players 1`'}
    help = f"Write {usage[word]}." if word in usage else None
    message = f"`{word}` says nothing about a game"
    if help is not None:
        message = f"this `{word}` cannot be read"
    near = did_you_mean(suggest(word, ["clauses", "mode"]))
    context.report("N206", message, item.words[0].span, help=help or near)
    return None


def _read_mode(context: Context, line: t.Line) -> None:
    words = list(line.words)
    name = words[1].text
    context.cite(line.cites, "declaration", f"mode {name}")
    text = words[2].text if len(words) > 2 and words[2].kind == "string" else name
    if name in context.program.modes:
        context.report("N202", f"mode `{name}` is declared twice", words[1].span)
        return
    context.program.modes[name] = Mode(name, text, *_players(context, line, name, text))


def _players(context: Context, line: t.Line, name: str, text: str) -> tuple[int, int]:
    rest = [word for word in line.words[2:] if word.kind != "string"]
    figures = [int(number_of(word)) for word in rest if word.kind == "number"]
    shape = [word.kind if word.kind == "number" else word.text for word in rest]
    if shape not in (["players", "number"], ["players", "number", "to", "number"]):
        context.report(
            "C503",
            f"mode `{name}` does not say for how many players it is",
            line.span,
            help=f'Write `mode {name} "{text}" players 1`, or `players 2 to 4`.',
        )
        return 1, 1
    low, high = figures[0], figures[-1]
    if not 1 <= low <= high <= MAX_PLAYERS:
        context.report(
            "T303",
            f"a game is for 1 to {MAX_PLAYERS} players, the lower number first",
            span_of(rest),
        )
        return 1, 1
    return low, high


# ---------------------------------------------------------------- names and dice


def _head(
    context: Context, line: t.Line, what: str, usage: str
) -> tuple[t.Name, list[t.Word]] | None:
    """The declared name and what stands behind the colon; reports what is no declaration."""
    head, _, tail = parts(line)
    if len(head) != 2 or head[1].kind != "name" or not tail:
        context.report("C503", what, line.span, help=f"Write `{usage}`.")
        if len(line.words) > 1:
            context.broken.add(line.words[1].text)
            context.incomplete.add(line.words[1].text)
        return None
    return t.Name(head[1].span, head[1].text), tail


def _range(context: Context, words: list[t.Word]) -> range | None:
    """``1 to 12``, or None where something else is written."""
    if [word.kind for word in words] != ["number", "name", "number"] or words[1].text != "to":
        return None
    low, high = int(number_of(words[0])), int(number_of(words[2]))
    if not low <= high < low + MAX_NAMES:
        message = f"no number is {low} to {high}" if high < low else "these are too many"
        context.report("T303", message, span_of(words), help=f"At most {MAX_NAMES} are allowed.")
        high = low
    return range(low, high + 1)


def _read_names(context: Context, line: t.Line) -> None:
    """``names Resource: wood, rope``, or ``names Berth: 1 to 12``."""
    usage = "names Colour: red, blue"
    found = _head(context, line, "names are declared with a type and a list", usage)
    if found is None:
        return
    name, tail = found
    if not declare_type(context, name, "a type"):
        return
    context.cite(line.cites, "declaration", name.text)
    numbers = _range(context, tail)
    if numbers is not None:
        span = span_of(tail)
        domain(context, name.text, [(n, f"{name.text} {n}", span) for n in numbers])
        return
    values: dict[str, Value] = {}
    for part in split(tail, "comma"):
        if len(part) != 1 or part[0].kind not in ("name", "string"):
            where = span_of(part) if part else span_of(tail)
            context.report("S105", "one name is expected between commas", where)
            context.incomplete.add(name.text)
            continue
        key = part[0].text
        if key in values:
            context.report(
                "C502",
                f"`{key}` stands twice among the names",
                part[0].span,
                notes=[Note(values[key][2], "the first one")],
            )
            continue
        values[key] = key, key.replace("_", " "), part[0].span
    domain(context, name.text, list(values.values()))


def _read_die(context: Context, line: t.Line) -> None:
    """``die d6: 1 to 6`` or ``die signal: go, go, stop``: all faces, equal ones written out."""
    found = _head(context, line, "a die needs a name and its faces", "die d6: 1 to 6")
    if found is None:
        return
    name, tail = found
    if not context.declare(name, "a die"):
        return
    context.cite(line.cites, "declaration", name.text)
    numbers = _range(context, tail)
    if numbers is not None:
        context.program.dice[name.text] = tuple(numbers)
        return
    faces: list[object] = []
    own: dict[str, Value] = {}
    for part in split(tail, "comma"):
        if len(part) != 1 or part[0].kind not in ("name", "string", "number"):
            where = span_of(part) if part else span_of(tail)
            context.report("S105", "one face is expected between commas", where)
            continue
        word = part[0]
        known = context.values.get(word.text, [])
        if word.kind == "number":
            faces.append(int(number_of(word)))
        elif len(known) == 1:
            faces.append(known[0])
            context.use("value", f"{known[0].domain}.{known[0].key}")
        else:
            faces.append(word.text)
            own.setdefault(word.text, (word.text, word.text.replace("_", " "), word.span))
    faces = [face for face in faces if not _is_slip(context, face, faces, own)]
    own = {word: value for word, value in own.items() if word in faces}
    if own:
        made = domain(context, f"{name.text} face", list(own.values()))
        faces = [made.by_key[face] if isinstance(face, str) else face for face in faces]
    context.program.dice[name.text] = tuple(faces)


def _is_slip(
    context: Context, face: object, faces: Sequence[object], own: dict[str, Value]
) -> bool:
    """Is a face nearly one of the names that other faces are of? Then it is reported."""
    if not isinstance(face, str):
        return False
    domains = dict.fromkeys(other.domain for other in faces if isinstance(other, Entry))
    entries = [entry for name in domains for entry in context.program.domains[name].entries]
    names = [entry.key for entry in entries if isinstance(entry.key, str)]
    if not suggest(face, names):
        return False
    context.report_unknown(face, own[face][2], "value", names)
    return True


# ---------------------------------------------------------------- domains


def domain(context: Context, name: str, values: Sequence[Value]) -> Domain:
    """Make a domain of plain values."""
    made = Domain(name)
    entries = []
    for index, (key, text, span) in enumerate(values):
        label = key if isinstance(key, str) else f"{name} {key}"
        entries.append(Entry(name, index, key, label, text, span=span))
    made.entries = tuple(entries)
    made.by_key = {entry.key: entry for entry in entries}
    context.program.domains[name] = made
    for entry in entries:
        if isinstance(entry.key, str):
            context.values.setdefault(entry.key, []).append(entry)
    return made


def _players_domain(context: Context) -> None:
    """The seats, for the mode with most players."""
    count = max((mode.high for mode in context.program.modes.values()), default=1)
    made = Domain("Player")
    made.entries = tuple(Entry("Player", n, n, f"player {n}", f"Player {n}") for n in range(count))
    made.by_key = {entry.key: entry for entry in made.entries}
    context.program.domains["Player"] = made
    for name, what in _GIVEN.items():
        context.origins[name] = Origin(what, None)


_GIVEN = {
    "Player": "the seats",
    "Mode": "the modes",
    "Ending": "the endings",
    "players": "all seats",
    "mode": "the mode that is played",
    "yes": "a value",
    "no": "a value",
    "empty": "a collection without items",
    "any": "a value of any kind",
}
"""Names that every game has."""


__all__ = ["DECLARING", "domain", "headers", "parts"]
