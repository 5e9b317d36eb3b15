"""The lines of content that declare something: `game`, `names` and `die`."""

from __future__ import annotations

from attrs import evolve

from rulelang.check.context import Context, Origin
from rulelang.check.words import number_of, span_of, split, text_of
from rulelang.diagnostic import Note, Span, did_you_mean, suggest
from rulelang.program.program import Mode
from rulelang.program.values import Domain, Entry
from rulelang.syntax import tree as t

MAX_PLAYERS = 12
DECLARING = ("game", "names", "die", "extends")


def read_game(context: Context, line: t.Line) -> str | None:
    """``game name "Title"`` with its modes; the name of the file of clauses, if it is given."""
    program, words = context.program, line.words
    if program.name:
        context.report("N202", "the game is declared twice", line.span, help="A folder holds one game.")
        return None
    if len(words) < 2 or words[1].kind != "name":
        context.report("C503", "a game needs a name", line.span, help='Write `game my_game "My Game"`.')
        return None
    program.name = words[1].text
    program.text = words[2].text if len(words) > 2 and words[2].kind == "string" else program.name
    context.cite(line.cites, "declaration", program.name)
    clauses = None
    for item in line.block:
        if not isinstance(item, t.Line):
            continue
        match [word.text for word in item.words[:2]]:
            case ["clauses", file] if len(item.words) == 2:
                clauses = file
            case ["mode", _]:
                _read_mode(context, item)
            case [word, *_]:
                near = did_you_mean(suggest(word, ["clauses", "mode"]))
                context.report("N206", f"`{word}` says nothing about a game", item.words[0].span, help=near)
    if not program.modes:
        context.report("C503", "a game needs at least one mode", line.span, help='Write `mode solo "Alone" players 1`.')
    domain(context, "Mode", [(mode.name, mode.text, line.span) for mode in program.modes.values()])
    return clauses


def _read_mode(context: Context, line: t.Line) -> None:
    words = list(line.words)
    name = words[1].text
    context.cite(line.cites, "declaration", f"mode {name}")
    text = words[2].text if len(words) > 2 and words[2].kind == "string" else name
    rest = [word for word in words[2:] if word.kind != "string"]
    figures = [int(number_of(word)) for word in rest if word.kind == "number"]
    shape = [word.kind if word.kind == "number" else word.text for word in rest]
    if shape not in (["players", "number"], ["players", "number", "to", "number"]):
        context.report(
            "C503", f"mode `{name}` does not say for how many players it is", line.span,
            help=f'Write `mode {name} "{text}" players 1`, or `players 2 to 4`.',
        )  # fmt: skip
        return
    low, high = figures[0], figures[-1]
    if not 1 <= low <= high <= MAX_PLAYERS:
        context.report("T303", f"a game is for 1 to {MAX_PLAYERS} players, the lower number first", line.span)
        return
    if name in context.program.modes:
        context.report("N202", f"mode `{name}` is declared twice", line.span)
    context.program.modes[name] = Mode(name, text, low, high)


def read_names(context: Context, line: t.Line) -> None:
    """``names Resource: food, ammo, health``, or ``names Pawn: 1 to 12``."""
    head, _, tail = _parts(line)
    if len(head) != 2 or head[1].kind != "name" or not tail:
        context.report(
            "C503", "names are declared with a type and a list", line.span, help="Write `names Colour: red, blue`."
        )
        return
    name = t.Name(head[1].span, head[1].text)
    if not context.declare(name, "a type"):
        return
    context.cite(line.cites, "declaration", name.text)
    values: list[tuple[str | int, str, Span]] = []
    if [word.kind for word in tail] == ["number", "name", "number"] and tail[1].text == "to":
        low, high = int(number_of(tail[0])), int(number_of(tail[2]))
        values = [(n, f"{name.text} {n}", span_of(tail)) for n in range(low, min(high, low + 999) + 1)]
    else:
        for part in split(tail, "comma"):
            if len(part) != 1 or part[0].kind not in ("name", "string"):
                where = span_of(part) if part else line.span
                context.report("S105", "one name is expected between commas", where)
                continue
            key = part[0].text
            if any(key == known for known, _, _ in values):
                context.report("C502", f"`{key}` stands twice among the names", part[0].span)
                continue
            values.append((key, key.replace("_", " "), part[0].span))
    domain(context, name.text, values)


def read_die(context: Context, line: t.Line) -> None:
    """``die d6: 1 to 6`` or ``die signal: go, go, stop``: all faces, equal ones written out."""
    head, _, tail = _parts(line)
    if len(head) != 2 or head[1].kind != "name" or not tail:
        context.report("C503", "a die needs a name and its faces", line.span, help="Write `die d6: 1 to 6`.")
        return
    name = t.Name(head[1].span, head[1].text)
    if not context.declare(name, "a die"):
        return
    context.cite(line.cites, "declaration", name.text)
    if [word.kind for word in tail] == ["number", "name", "number"] and tail[1].text == "to":
        low, high = int(number_of(tail[0])), int(number_of(tail[2]))
        context.program.dice[name.text] = tuple(range(low, min(high, low + 999) + 1))
        return
    faces: list[object] = []
    own: list[tuple[str, str, Span]] = []
    for part in split(tail, "comma"):
        if len(part) != 1:
            context.report("S105", "one face is expected between commas", span_of(part) if part else line.span)
            continue
        word = part[0]
        if word.kind == "number":
            faces.append(int(number_of(word)))
            continue
        known = context.values.get(word.text, [])
        if len(known) == 1:
            faces.append(known[0])
        else:
            faces.append(word.text)
            if all(word.text != key for key, _, _ in own):
                own.append((word.text, word.text.replace("_", " "), word.span))
    if own:
        made = domain(context, f"{name.text} face", own)
        faces = [made.by_key[face] if isinstance(face, str) else face for face in faces]
    context.program.dice[name.text] = tuple(faces)


def _parts(line: t.Line) -> tuple[list[t.Word], t.Word | None, list[t.Word]]:
    for place, word in enumerate(line.words):
        if word.kind == "colon":
            return list(line.words[:place]), word, list(line.words[place + 1 :])
    return list(line.words), None, []


def domain(context: Context, name: str, values: list[tuple[str, str, Span]] | list[tuple[str | int, str, Span]]) -> Domain:
    """Make a domain of plain values: key, text, place of each."""
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


def players_domain(context: Context) -> None:
    """The seats, for the mode with most players."""
    count = max((mode.high for mode in context.program.modes.values()), default=1)
    made = Domain("Player")
    made.entries = tuple(Entry("Player", n, n, f"player {n}", f"Player {n}") for n in range(count))
    made.by_key = {entry.key: entry for entry in made.entries}
    context.program.domains["Player"] = made
    context.origins["Player"] = Origin("the players", Span("", 1, 1, 1, 1))


def parts(line: t.Line) -> tuple[list[t.Word], t.Word | None, list[t.Word]]:
    """The words before the first colon, the colon, and the words behind it."""
    return _parts(line)


__all__ = ["DECLARING", "Note", "domain", "evolve", "parts", "players_domain", "read_die", "read_game", "read_names"]
