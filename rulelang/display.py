"""How text takes up room on a terminal, and how to show text that nobody has vouched for."""

import re
import unicodedata

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
TAB = "    "

# Joiners belong to ordinary writing (Persian, emoji) and do no harm. Every other format character
# either turns the direction of writing, so that a line reads as another, or hides where it matters.
_JOINERS = "\u200c\u200d"
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_LINE_BREAKS = re.compile(r"[\r\n\t]+")


def show(character: str) -> str:
    """What is put on the screen for one character: a tab as spaces, a control as a replacement."""
    if character == "\t":
        return TAB
    if unicodedata.category(character) in _HIDDEN and character not in _JOINERS:
        return REPLACEMENT
    return character


def width(character: str) -> int:
    """How many terminal cells a character takes once it went through `show`: 0, 1, 2, or a tab."""
    if character == "\t":
        return len(TAB)
    if " " <= character <= "~":
        return 1
    category = unicodedata.category(character)
    if category in ("Mn", "Me") or unicodedata.combining(character) or character in _JOINERS:
        return 0
    if "\u1160" <= character <= "\u11ff":  # vowels and finals that join the syllable before them
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def printable(text: str) -> str:
    """The text on one line and harmless to a terminal."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(show, _LINE_BREAKS.sub(" ", text)))
