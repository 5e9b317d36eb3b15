"""SVG as text: elements, colours that suit light and dark, and text that fits its room."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from math import cos, pi, sin
from typing import Final

from attrs import define

from rulelang import display

PAPER: Final = ("#fbfaf6", "#1b1e24")
INK: Final = ("#22252b", "#e8e6e0")
FAINT: Final = ("#4d525a", "#c0c5cd")
LINE: Final = ("#5b6069", "#a5abb5")
ON: Final = ("#ffffff", "#14161a")
"""The letters on a piece."""
HUE: Final = (
    ("#3f6fa3", "#7fb0e0"), ("#a35512", "#e0a15a"), ("#2a7848", "#6fc794"), ("#84569f", "#c39be0"),
    ("#a83f4f", "#e57f8e"), ("#6b6b20", "#c2c268"), ("#1d7478", "#66c9cd"), ("#666b73", "#a9aeb7"),
)  # fmt: skip
"""Colours for kinds of things; of every pair the first is for light, the second for dark."""
HUES: Final = len(HUE)
AREA, TINT = 0.16, 0.26
"""How much of its colour an area and a tinted place have."""
_SHAPES: Final = f"""
.area {{ fill-opacity: {AREA}; }}
.node {{ stroke-width: 2; }}
.hex {{ stroke-width: .8; }}
.tinted {{ fill-opacity: {TINT}; }}
.piece {{ stroke-width: 1.2; }}
.edge {{ fill: none; stroke-width: 1.6; }}
.mark {{ stroke-width: 1; }}
text {{ font-family: system-ui, sans-serif; }}
.on {{ font-weight: 600; }}
.bold {{ font-weight: 600; }}
.halo {{ stroke-width: 3px; stroke-linejoin: round; }}
"""
_COLOURED: Final = (
    (".paper", "fill", "paper"), (".node", "fill", "paper"), (".hex", "fill", "paper"),
    (".hex", "stroke", "line"), (".piece", "stroke", "paper"), (".edge", "stroke", "line"),
    (".head", "fill", "line"), (".mark", "fill", "ink"), (".mark", "stroke", "paper"),
    ("text", "fill", "ink"), (".small", "fill", "faint"), (".on", "fill", "on"),
    (".halo", "stroke", "paper"), (".halo", "fill", "paper"),
)  # fmt: skip
"""What takes which of the colours that do not depend on the sort of a thing."""
_HUED: Final = (
    (".area", "fill"), (".area", "stroke"), (".node", "stroke"), (".tinted", "fill"),
    (".piece", "fill"),
)  # fmt: skip
"""What takes the colour of its sort."""
HALO: Final = "halo"
"""The class of letters with a rim, so that they can be read over lines."""
DASHES: Final = ("", "7 4", "2 4", "9 3 2 3", "1 6", "14 5")
"""Patterns by which kinds of edges differ, so that colour is never needed."""
_ROOT: Final = "rulelang"
"""A class, so that what a picture says of its looks goes no further on a page that it stands in."""
_XML: Final = {ord("\ufffe"): display.REPLACEMENT, ord("\uffff"): display.REPLACEMENT}


def _colours(place: int) -> str:
    """The rules that give colours: of light (0) or of dark (1).

    They name the colours themselves: not every viewer of pictures knows variables.
    """
    named = {"paper": PAPER, "ink": INK, "faint": FAINT, "line": LINE, "on": ON}
    rules = [f".{_ROOT} {what} {{ {of}: {named[name][place]}; }}" for what, of, name in _COLOURED]
    rules += [
        f".{_ROOT} {what}.n{n} {{ {of}: {pair[place]}; }}"
        for n, pair in enumerate(HUE)
        for what, of in _HUED
    ]
    return "\n".join(rules)


def _style() -> str:
    shapes = "\n".join(f".{_ROOT} {rule}" for rule in _SHAPES.strip().split("\n"))
    dark = f"@media screen and (prefers-color-scheme: dark) {{\n{_colours(1)}\n}}"
    return f"{shapes}\n{_colours(0)}\n{dark}"


STYLE: Final = _style()
"""Rules that every picture carries."""


# ---------------------------------------------------------------- elements


def number(value: float) -> str:
    """A coordinate, with a decimal at the most."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """An element; an underscore in an attribute's name stands for a hyphen."""
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{plain(_value(value))}"'
        for key, value in attributes.items()
        if value not in (None, "")
    )
    return f"<{name}{said}>{content}</{name}>" if content else f"<{name}{said}/>"


def _value(value: object) -> str:
    return number(value) if isinstance(value, float) else str(value)


def plain(said: str) -> str:
    """A text as XML has it. Control characters, which it cannot have, are replaced."""
    return escape(display.printable(said).translate(_XML))


def text(x: float, y: float, said: str, size: float, **attributes: object) -> str:
    """A text around a point."""
    attributes = {"text_anchor": "middle", "dominant_baseline": "central", **attributes}
    shown = {"x": x, "y": y, "font_size": float(size), **attributes}
    style = str(attributes.get("class_", ""))
    if HALO not in style.split():
        return element("text", plain(said), **shown)
    # Twice, as not every viewer paints the rim of letters under them.
    rim = element("text", plain(said), **{**shown, "class_": HALO, "aria_hidden": "true"})
    return rim + element(
        "text", plain(said), **{**shown, "class_": style.replace(HALO, "").strip()}
    )


def titled(title: str, parts: Iterable[str], **attributes: object) -> str:
    """A group with a text alternative."""
    return element("g", element("title", plain(title)) + "".join(parts), **attributes)


def polygon(corners: Iterable[tuple[float, float]], **attributes: object) -> str:
    """A shape with corners."""
    points = " ".join(f"{number(x)},{number(y)}" for x, y in corners)
    return element("polygon", points=points, **attributes)


# ---------------------------------------------------------------- a whole picture


@define
class Sheet:
    """How far a picture reaches: it grows with whatever is drawn on it."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0

    def cover(self, left: float, top: float, right: float, bottom: float) -> None:
        """Something is drawn there."""
        self.left, self.top = min(self.left, left), min(self.top, top)
        self.right, self.bottom = max(self.right, right), max(self.bottom, bottom)

    def text(self, x: float, y: float, said: str, size: float, **attributes: object) -> str:
        """A text around a point, or behind it with ``text_anchor="start"``."""
        wide = width(said, size)
        left = x if attributes.get("text_anchor") == "start" else x - wide / 2
        self.cover(left, y - size * 0.7, left + wide, y + size * 0.7)
        return text(x, y, said, size, **attributes)


def picture(title: str, said: str, sheet: Sheet, parts: Iterable[str]) -> str:
    """A whole picture: its title and what it shows, in words, come first."""
    head = element("title", plain(title)) + element("desc", plain(said))
    style = element("style", STYLE)
    wide, high = sheet.right - sheet.left, sheet.bottom - sheet.top
    paper = element(
        "rect", x=sheet.left, y=sheet.top, width=float(wide), height=float(high), class_="paper"
    )
    box = " ".join(map(number, (sheet.left, sheet.top, wide, high)))
    return element(
        "svg", f"\n{head}\n{style}\n{paper}\n" + "\n".join(parts) + "\n",
        xmlns="http://www.w3.org/2000/svg", viewBox=box, role="img",
        width=float(wide), height=float(high), class_=_ROOT,
    )  # fmt: skip


# ---------------------------------------------------------------- text that fits

_NARROW: Final = frozenset("fijlrtIJ.,:;'|!()[]{}/\\ ·›‘’“”\"-")
_BROAD: Final = frozenset("mwMWOQ@%&—…→")


def width(said: str, size: float) -> float:
    """About how wide a text is in a broad fount: a narrower one leaves some room."""
    return size * sum(map(_letter, display.printable(said)))


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return 0.42
    if letter in _BROAD:
        return 1.0
    if letter <= "~":
        return 0.78 if letter.isupper() else 0.66
    return (0.0, 0.74, 1.1)[display.width(letter)]


def fitted(said: str, room: float, size: float, least: float = 7.0) -> tuple[str, float]:
    """The text and its size, so that it is no wider: smaller, and then cut short."""
    wide = width(said, 1.0)
    if wide * size <= room:
        return said, size
    if wide * least <= room:
        return said, room / wide
    return cut(said, room, least), least


def cut(said: str, room: float, size: float) -> str:
    """The text; as much of it as there is room for, if that is not all."""
    if width(said, size) <= room:
        return said
    room -= width("…", size)
    taken = 0
    for letter in display.printable(said):
        room -= width(letter, size)
        if room < 0:
            break
        taken += 1
    return f"{display.printable(said)[:taken].rstrip(' .,;:')}…"


def wrapped(said: str, room: float, size: float, most: int) -> list[str]:
    """The text in lines that are no wider; the last one is cut short if there are too many."""
    lines: list[str] = []
    for word in display.printable(said).split():
        if lines and width(f"{lines[-1]} {word}", size) <= room:
            lines[-1] += f" {word}"
        else:
            lines += _broken(word, room, size)
    if len(lines) > most:
        rest = " ".join(lines[most - 1 :])
        lines = [*lines[: most - 1], cut(rest, room, size)] if most else []
    return lines


def _broken(word: str, room: float, size: float) -> list[str]:
    """A word in pieces that fit."""
    pieces = [""]
    for letter in word:
        if pieces[-1] and width(pieces[-1] + letter, size) > room:
            pieces.append("")
        pieces[-1] += letter
    return pieces


# ---------------------------------------------------------------- around a point


def ring(count: int) -> list[tuple[float, float]]:
    """Points evenly on a circle of radius 1; the first is left of the middle."""
    turns = (pi * (1 + 2 * n / count) for n in range(count))
    return [(round(cos(turn), 4), round(sin(turn), 4)) for turn in turns]


def sine(count: int) -> float:
    """Half the distance of such points from each other."""
    return round(sin(pi / count), 4)
