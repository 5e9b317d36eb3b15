"""Effects, questions and values in a player's words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from rulelang.program.program import Program
from rulelang.program.scripts import Asked
from rulelang.program.values import Effect, Entry, Value, label_of
from rulelang.program.wording import Wording

_NEGATED = {"with": "without", "if": "unless", "when": "unless"}
"""How the other side of a condition begins that begins with such a word."""


class Words:
    """Says what content holds, as the rules book of a game words it for a mode."""

    def __init__(self, program: Program, mode: str) -> None:
        self.program = program
        self.mode = mode

    def value(self, value: Value) -> str:
        """A value as it is printed: an entry by its title, several with commas between them."""
        match value:
            case Entry():
                return value.text
            case Effect():
                return self.effect(value)
            case tuple():
                return listed([self.value(item) for item in value]) or "none"
        return label_of(value)

    def effect(self, effect: Effect) -> str:
        """An effect; in its own words where its rule has no wording."""
        wording = self.program.wording(effect.rule, self.mode)
        return self._said(wording, effect.arguments, effect.rule)

    def effects(self, effects: Sequence[Effect]) -> str:
        """Effects in their order, as a part of a sentence."""
        return in_order([self.effect(effect) for effect in effects]) or "nothing"

    def asked(self, asked: Asked, *, negated: bool) -> str:
        """A question at the head of a branch: "with a rope"; negated "without a rope"."""
        question = self.program.questions[asked.question]
        name = asked.question if asked.question == "with" else f"if {asked.question}"
        said = self._said(question.wording, asked.arguments, name)
        if not negated:
            return said
        first, _, rest = said.partition(" ")
        return f"{_NEGATED[first]} {rest}" if first in _NEGATED else f"unless {said}"

    def _said(self, wording: Wording | None, values: Sequence[Value], name: str) -> str:
        if wording is not None:
            return wording.filled(values, self.value)
        return " ".join([name.replace("_", " "), *map(self.value, values)])


# ---------------------------------------------------------------- names and sentences


def capital(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def noun(domain: str) -> str:
    """What one value of a domain is called: ``EventCard`` is an "event card"."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", domain.replace("_", " ")).lower()


def listed(names: Sequence[str], last: str = "and") -> str:
    """Names in a sentence: "A", "A and B", "A, B and C"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {last} {names[-1]}"


def in_order(parts: Sequence[str]) -> str:
    """What happens one after the other: "A", "A, then B", "A, B, then C"."""
    return (
        ", then ".join([", ".join(parts[:-1]), *parts[-1:]]) if len(parts) > 1 else "".join(parts)
    )


def sentence(text: str) -> str:
    """The text with a capital, and a full stop if it has no end of its own."""
    ends = text.rstrip("”\"')").endswith((".", "!", "?", "…", ":"))
    return capital(text) + ("" if ends else ".")


def folded(text: str) -> str:
    """A text as typed words are compared: without case, accents, hyphens and double blanks."""
    spread = unicodedata.normalize("NFKD", text.replace("_", " ").replace("-", " "))
    bare = "".join(c for c in spread if not unicodedata.combining(c))
    return " ".join(bare.casefold().split())
