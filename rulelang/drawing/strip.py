"""An entry as boxes of text: a card as one, a strip as one for each numbered entry inside it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from attrs import frozen

from rulelang.drawing import svg
from rulelang.drawing.ground import known_as, name_of
from rulelang.program import scripts
from rulelang.program.program import PLACE, Kind, Program
from rulelang.program.scripts import Asked, Choice, Condition, Do, Throw
from rulelang.program.types import FLAG
from rulelang.program.values import Effect, Entry, Script
from rulelang.reading import Reading

WIDTH, GAP = 190.0, 16.0
PER_ROW = 5
MARGIN = 24.0
INSIDE = 12.0
"""From the rim of a box to what stands in it."""
TITLE, TEXT, STORY = 13.0, 11.5, 10.5
LINE = 15.0
TITLES = 2
"""Lines of a title."""
FEWEST, MOST = 6, 24
"""Lines of a box that say what it does, and tell its story."""
SIGNS = 26.0


@frozen
class Box:
    """What a box shows, in lines."""

    number: str
    title: str
    lines: tuple[str, ...]
    story: str
    signs: tuple[str, ...]

    @property
    def said(self) -> str:
        """What it does."""
        return " ".join(self.lines)

    @property
    def alternative(self) -> str:
        """All of it in words."""
        return " ".join(part for part in (f"{self.number}: {self.title}.", self.said) if part)


def is_strip(program: Program, entry: Entry) -> bool:
    """Do numbered entries stand inside the entry?"""
    return any(_inner(program, entry))


def is_card(program: Program, entry: Entry) -> bool:
    """Does the entry say anything that a player would read on a card?"""
    kind = program.kinds.get(entry.domain)
    if kind is None or not kind.key or entry.domain in program.edges:
        return False
    told = any(each.name == "story" and entry.fields_by_name[each.name] for each in kind.fields)
    return told or any(_is_deed(program, value) for value in entry.fields)


def _is_deed(program: Program, value: object) -> bool:
    """Does a value hold instructions, by itself or in a box inside the entry?"""
    if isinstance(value, tuple):
        return any(_is_deed(program, item) for item in value)
    if isinstance(value, Entry):
        kind = program.kinds.get(value.domain)
        inside = kind is not None and not kind.key
        return inside and any(_is_deed(program, each) for each in value.fields)
    return isinstance(value, Script | Effect)


def _inner(program: Program, entry: Entry) -> Iterator[Entry]:
    for value in entry.fields:
        for item in value if isinstance(value, tuple) else ():
            kind = program.kinds.get(item.domain) if isinstance(item, Entry) else None
            if kind is not None and kind.numbered:
                yield item


# ---------------------------------------------------------------- the pictures


def draw_strip(program: Program, entry: Entry) -> str:
    """The picture of an entry's numbered entries, in rows from left to right."""
    reading = Reading(program, next(iter(program.modes)))
    boxes = [_box(program, reading, inner) for inner in _inner(program, entry)]
    columns = min(PER_ROW, len(boxes))
    wide = max(2 * WIDTH, columns * (WIDTH + GAP) - GAP)
    parts, y = _head(entry, wide)
    for first in range(0, len(boxes), columns):
        row = boxes[first : first + columns]
        lines = _lines(row)
        for n, box in enumerate(row):
            x = MARGIN + n * (WIDTH + GAP)
            parts.append(_drawn(box, x, y, lines))
            if n + 1 < len(row):
                parts.append(_arrow(x + WIDTH + 2, y + _height(lines) / 2))
        y += _height(lines) + GAP
    said = " ".join(box.alternative for box in boxes)
    sheet = svg.Sheet(0.0, 0.0, wide + 2 * MARGIN, y - GAP + MARGIN)
    return svg.picture(entry.text, said, sheet, parts)


def draw_card(program: Program, entry: Entry) -> str:
    """The picture of one entry, as it reads."""
    reading = Reading(program, next(iter(program.modes)))
    lines = [("\N{NO-BREAK SPACE}" * 3 * (d - 1), said) for d, said in _below(reading, entry)]
    wide = 2 * WIDTH
    parts, top = _head(entry, wide)
    room = wide - 2 * INSIDE
    y = top + INSIDE + LINE / 2
    inside = []
    for lead, said in lines:
        for line in svg.wrapped(said, room - svg.width(lead, TEXT), TEXT, MOST):
            x = MARGIN + INSIDE + svg.width(lead, TEXT)
            inside.append(_line(x, y, line, TEXT, ""))
            y += LINE
    high = y - LINE / 2 + INSIDE - top
    said = " ".join(said for _, said in lines)
    frame = svg.element("rect", x=MARGIN, y=top, width=wide, height=high, rx=6, class_="node n0")
    parts.append(svg.titled(f"{name_of(entry)}. {said}", [frame, *inside]))
    sheet = svg.Sheet(0.0, 0.0, wide + 2 * MARGIN, top + high + MARGIN)
    return svg.picture(entry.text, said, sheet, parts)


def _below(reading: Reading, entry: Entry) -> list[tuple[int, str]]:
    return [(depth, said) for depth, said in reading.passage(entry).lines if depth]


def _head(entry: Entry, wide: float) -> tuple[list[str], float]:
    """The title and what the entry is, and where what is below begins."""
    said, size = svg.fitted(entry.text, wide, 20, 12)
    known = svg.cut(known_as(entry), wide, 12)
    return [_line(MARGIN, 30, said, size, "bold"), _line(MARGIN, 50, known, 12, "small")], 64.0


# ---------------------------------------------------------------- boxes


def _box(program: Program, reading: Reading, entry: Entry) -> Box:
    named = entry.fields_by_name
    said = [
        text
        for value in entry.fields
        if isinstance(value, Script)
        for item in reading.steps(value.steps)
        for _, text in item.lines()
    ]
    title, story = str(named.get("title") or ""), str(named.get("story") or "")
    return Box(str(named[PLACE]), title, tuple(said), story, tuple(_signs(program, entry)))


def _signs(program: Program, entry: Entry) -> Iterator[str]:
    """In a word each: what a reader looks for first."""
    kind: Kind = program.kinds[entry.domain]
    for field, value in zip(kind.fields, entry.fields, strict=True):
        if field.type == FLAG and value is True:
            yield field.name.replace("_", " ")
    for value in entry.fields:
        if isinstance(value, Script):
            yield from dict.fromkeys(_of_script(value))


def _of_script(script: Script) -> Iterator[str]:
    for part in scripts.parts(script.steps):
        match part:
            case Asked(arguments=arguments):
                yield from (f"? {value.text}" for value in arguments if isinstance(value, Entry))
            case Do(results=results) if results:
                yield "± " + " ".join(
                    [part.effect.rule.replace("_", " "), *map(_word, part.effect.arguments)]
                )
            case Choice():
                yield "choice"
            case Throw():
                yield "die"
            case Condition():
                pass


def _word(value: object) -> str:
    return value.text if isinstance(value, Entry) else str(value)


def _lines(row: Sequence[Box]) -> int:
    """The lines that each box of a row has room for: as many as the longest needs."""
    needed = [len(_wrapped(box)) + 2 * bool(box.story) for box in row]
    return max(FEWEST, min(MOST, max(needed)))


def _wrapped(box: Box) -> list[str]:
    return svg.wrapped(box.said, WIDTH - 2 * INSIDE, TEXT, MOST)


def _height(lines: int) -> float:
    return INSIDE + TITLES * LINE + 8 + lines * LINE + SIGNS + INSIDE / 2


def _drawn(box: Box, x: float, y: float, lines: int) -> str:
    high = _height(lines)
    frame = svg.element("rect", x=x, y=y, width=WIDTH, height=high, rx=6, class_="node n0")
    parts = [frame, svg.element("circle", cx=x + 18, cy=y + 20, r=12, class_="piece n0")]
    number, size = svg.fitted(box.number, 21, 13, 5.0)
    parts.append(svg.text(x + 18, y + 20, number, size, class_="on"))
    titles = svg.wrapped(box.title, WIDTH - 38 - INSIDE, TITLE, TITLES)
    top = y + (20 if len(titles) == 1 else 13)
    for n, line in enumerate(titles):
        parts.append(_line(x + 38, top + LINE * n, line, TITLE, "bold"))
    below = y + INSIDE + TITLES * LINE + 8
    said = _wrapped(box)
    for n, line in enumerate(said):
        parts.append(_line(x + INSIDE, below + LINE * n, line, TEXT, ""))
    # The story is told in what is left, with a line between if there is room for one.
    left = lines - len(said)
    gap = 1 if said and left > 1 else 0
    story = svg.wrapped(box.story, WIDTH - 2 * INSIDE, STORY, left - gap)
    for n, line in enumerate(story, len(said) + gap):
        parts.append(_line(x + INSIDE, below + LINE * n, line, STORY, "small"))
    parts += _drawn_signs(box.signs, x, y + high - SIGNS)
    return svg.titled(box.alternative, parts)


def _drawn_signs(signs: Sequence[str], x: float, y: float) -> Iterator[str]:
    """As many signs as there is room for; the last one may be that there are more."""
    left, end = x + INSIDE, x + WIDTH - INSIDE
    for n, sign in enumerate(signs):
        room = end - left - (0 if n + 1 == len(signs) else 24)
        said = svg.cut(sign, room - 12, 10)
        if said != sign and n:
            said = f"+{len(signs) - n}"
        wide = 12 + svg.width(said, 10)
        box = {"x": left, "y": y, "width": wide, "height": 18}
        yield svg.element("rect", class_="area n1", rx=9, **box)
        yield svg.text(left + wide / 2, y + 9, said, 10)
        if said != sign and n:
            return
        left += wide + 5


def _line(x: float, y: float, said: str, size: float, style: str) -> str:
    return svg.text(x, y, said, size, text_anchor="start", class_=style)


def _arrow(x: float, y: float) -> str:
    return svg.polygon(((x, y - 6), (x + 11, y), (x, y + 6)), class_="head")
