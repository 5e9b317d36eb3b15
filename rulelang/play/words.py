"""Names of things in a player's words: values, fields, counts, owners."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from rulelang.display import printable
from rulelang.engine.events import described
from rulelang.program.values import Entry, Value


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


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def noun(domain: str) -> str:
    """What one value of a domain is called: ``EventCard`` is an "event card"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", field_name(domain)).lower()


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


def listed(names: Sequence[str]) -> str:
    """Names in a sentence: "A", "A and B", "A, B and C"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def folded(text: str) -> str:
    """A text as typed words are compared: without case, accents, hyphens and double blanks."""
    spread = unicodedata.normalize("NFKD", text.replace("_", " ").replace("-", " "))
    bare = "".join(c for c in spread if not unicodedata.combining(c))
    return " ".join(bare.casefold().split())
