"""Names of things in a player's words: values, fields, counts, owners."""

from __future__ import annotations

from rulelang.display import printable
from rulelang.engine.events import described
from rulelang.program.values import Entry, Value
from rulelang.wording import noun


def name_of(value: Value) -> str:
    """A value for a person, on one line: an entry with its title and number, a seat as itself."""
    if isinstance(value, Entry) and value.domain == "Player":
        return printable(value.text)
    return printable(described(value))


def unbroken(name: str) -> str:
    """The name with blanks at which no line is broken."""
    return name.replace(" ", "\N{NO-BREAK SPACE}")


def field_name(name: str) -> str:
    """A declared name as words."""
    return name.replace("_", " ")


def counted(count: int, domain: str) -> str:
    """So many of a domain: "1 card", "44 cards"."""
    word = noun(domain)
    if count == 1:
        return f"1 {word}"
    if word.endswith(("s", "x", "ch", "sh")):
        word += "es"
    elif word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        word = word[:-1] + "ies"
    else:
        word += "s"
    return f"{count} {word}"
