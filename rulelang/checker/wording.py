"""How types and expressions are called in messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rulelang.program.types import (
    ANY_NUM,
    EFFECT,
    FLAG,
    NONE,
    NOTHING,
    SCRIPT,
    TEXT,
    Either,
    Many,
    Num,
    Type,
)
from rulelang.syntax import tree as t

_SIMPLE: dict[Type, str] = {
    FLAG: "a yes or no",
    TEXT: "a text",
    NONE: "none",
    EFFECT: "an effect",
    SCRIPT: "a script",
}


def describe(kind: Type) -> str:
    """The type with its article, for a sentence."""
    if kind in _SIMPLE:
        return _SIMPLE[kind]
    if isinstance(kind, Num):
        if kind.low is not None and kind.low == kind.high:
            return f"the number {kind.low}"
        return "a number" if kind == ANY_NUM else f"a number ({kind})"
    if isinstance(kind, Either) and kind.members:
        return " or ".join(describe(member) for member in kind.members)
    text = "list" if isinstance(kind, Many) and kind.item == NOTHING else str(kind)
    return article(text) if text else "nothing"


def article(word: str) -> str:
    """The word with "a" or "an" before it."""
    return ("an " if word[0].lower() in "aeio" else "a ") + word


def plural(word: str) -> str:
    """The word for several, as a heading of content has it."""
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch", "sh")) else f"{word}s"


def source(node: t.Expr) -> str:
    """The expression as written, for the short ones that messages quote; else "it"."""
    match node:
        case t.Ref():
            return node.name
        case t.Attribute():
            return f"{source(node.value)}.{node.name.text}"
        case t.Group():
            return source(node.value)
    return "it"


def counted(number: int, what: str) -> str:
    """``1 argument``, ``2 arguments``."""
    return f"{number} {what}" + ("" if number == 1 else "s")


def quoted(names: Iterable[str], most: int = 6) -> str:
    """Names in backticks, the first ones of many."""
    listed = list(names)
    text = ", ".join(f"`{name}`" for name in listed[:most])
    return text + (" and more" if len(listed) > most else "")


MOST_NUMBERS = 8
"""Numbers that a message lists."""


def some(numbers: Sequence[int]) -> str:
    """Numbers with commas, the first few of many."""
    more = " and more" if len(numbers) > MOST_NUMBERS else ""
    return ", ".join(map(str, numbers[:MOST_NUMBERS])) + more
