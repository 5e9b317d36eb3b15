"""Mutations of texts and of JSON. A random generator settles them."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from tests.fuzz.corpus import WEIRD, pieces

TOKEN = re.compile(r'"[^"\n]*"|[\w]+|[^\w\s]')
OTHERS = (
    "none", "yes", "no", "players", "mode", "[]", "0", "-1", "1.5", "empty", "any", "Player", "is",
    "first(", ")", "(", "not", "is not", "+ 1", "for t", "text", "pile of Card", "list of number",
    "or none", "else nothing", "nothing", "Card[1]", "999999999999999999", "1/0",
    "1000000000000000", "cites", "extends", "game x \"X\"", "in solo", "hidden", "at once", "rows",
    "story:", "| |",
)  # fmt: skip
MOST = 40_000
"""Characters that a mutated text may have; what is longer is refused anyway, and tried apart."""


def mutated_text(random: Random, text: str, others: Sequence[str]) -> str:
    """The text with one to six mutations; ``others`` are texts to take pieces from."""
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        text = random.choice(_OF_TEXTS)(random, text, others)[:MOST]
    return text


def alike_word(random: Random, text: str, others: Sequence[str]) -> str:
    """The text with one word or sign replaced by another of its sort, from any of the texts."""
    found = list(TOKEN.finditer(text))
    one = random.choice(found)
    old = one.group()
    known = TOKEN.findall(random.choice((text, random.choice(others))))
    alike = [word for word in known if _shape(word) == _shape(old)] or [old]
    return text[: one.start()] + random.choice(alike) + text[one.end() :]


def _token(random: Random, text: str, others: Sequence[str]) -> str:
    found = list(TOKEN.finditer(text))
    if not found:
        return text
    one = random.choice(found)
    old = one.group()
    known = TOKEN.findall(random.choice((text, random.choice(others))))
    alike = [word for word in known if _shape(word) == _shape(old)] or [old]
    word = random.choice(
        (random.choice(alike), random.choice(known or [old]), random.choice(OTHERS))
    )
    new = random.choice((word, word, "", f"{old} {word}", f"{old} {old}", f"({old})", f"-{old}"))
    return text[: one.start()] + new + text[one.end() :]


def _shape(word: str) -> str:
    return "name" if word[0].isalpha() else "figure" if word[0].isdigit() else word[0]


def _swap(random: Random, text: str, others: Sequence[str]) -> str:
    found = list(TOKEN.finditer(text))
    if len(found) < 2:
        return text
    one, two = sorted(random.sample(found, 2), key=lambda each: each.start())
    between = text[one.end() : two.start()]
    return text[: one.start()] + two.group() + between + one.group() + text[two.end() :]


def _line(random: Random, text: str, others: Sequence[str]) -> str:
    lines = text.split("\n")
    place = random.randrange(len(lines))
    line = lines[place]
    other = random.choice(random.choice((text, random.choice(others))).split("\n"))
    new = random.choice(
        ([], [line, line], [other], [line, other], [f"  {line}"], [line.lstrip()],
         [line.strip() + ":"], [line + ","], [line[: len(line) // 2]],
         [" " * random.randint(0, 30) + line.strip()])
    )  # fmt: skip
    return "\n".join([*lines[:place], *new, *lines[place + 1 :]])


def _splice(random: Random, text: str, others: Sequence[str]) -> str:
    lines, more = text.split("\n"), random.choice((*others, *pieces())).split("\n")
    start = random.randrange(len(more))
    taken = more[start : start + random.randint(1, 12)]
    place = random.randrange(len(lines) + 1)
    return "\n".join([*lines[:place], *taken, *lines[place + random.choice((0, 0, 3)) :]])


def _characters(random: Random, text: str, others: Sequence[str]) -> str:
    place = random.randrange(len(text) + 1)
    end = place + random.choice((0, 0, 1, 2, 40))
    new = random.choice((random.choice(WEIRD), chr(random.randrange(32, 127)), "", "\n", "  "))
    return text[:place] + new + text[end:]


def _repeat(random: Random, text: str, others: Sequence[str]) -> str:
    """A piece many times over: deep nesting, long lines, long lists."""
    place = random.randrange(len(text) + 1)
    end = min(len(text), place + random.choice((1, 2, 5, 20)))
    piece = random.choice(
        (text[place:end], "(", "[", "not ", "a + ", "if a then ", "\n  ", "x.", "-")
    )
    return text[:place] + piece * random.choice((3, 30, 300, 1500)) + text[end:]


_OF_TEXTS: tuple[Callable[[Random, str, Sequence[str]], str], ...] = (
    _token, _token, _token, _token, _swap, _line, _line, _splice, _characters, _repeat,
)  # fmt: skip


def mutated_bytes(random: Random, data: bytes) -> bytes:
    """The bytes with a few of them changed, put in or taken out."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 10))):
        place = random.randrange(len(changed) + 1)
        piece = random.choice(
            (b"\xff", b"\0", b"\r", b"\xc3", b"\xed\xa0\x80", random.randbytes(3))
        )
        changed[place : place + random.choice((0, 1, 4))] = piece
    return bytes(changed)


# ---------------------------------------------------------------- JSON


def mutated_json(random: Random, data: Any) -> Any:
    """A deep copy of the data with one to four mutations."""
    data = copy.deepcopy(data)
    for _ in range(random.choice((1, 1, 2, 4))):
        data = _changed(random, data)
    return data


def _changed(random: Random, data: Any) -> Any:
    places = _places(random, data)
    if not places:
        return _strange(random)
    holder, key = random.choice(places)
    other, place = random.choice(places)
    match random.randrange(7):
        case 0 | 1:
            holder[key] = _strange(random)
        case 2:
            holder[key] = copy.deepcopy(other[place])
        case 3:
            del holder[key]
        case 4 if isinstance(holder, list):
            holder.insert(random.randint(0, len(holder)), copy.deepcopy(other[place]))
        case 4:
            holder[random.choice((str(place), "extra", "", 7, "of"))] = holder.pop(key)
        case 5:
            holder[key] = _near(random, holder[key])
        case 6:
            holder[key] = random.choice(([holder[key]], {"do": holder[key]}, {"of": holder[key]}))
    return data


def _places(random: Random, data: Any) -> list[tuple[Any, Any]]:
    """Places on a way down that turns at random, and those beside it."""
    found: list[tuple[Any, Any]] = []
    while isinstance(data, dict | list) and data:
        keys = list(data) if isinstance(data, dict) else list(range(len(data)))
        found += [(data, key) for key in random.sample(keys, min(len(keys), 6))]
        data = data[random.choice(keys)]
    return found


def _near(random: Random, value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return random.choice((value + 1, value - 1, -value, value * 10**20, value % 99 + 0.5))
        case str():
            return mutated_text(random, value, [value])
        case list():
            return random.sample(value, len(value))
        case dict():
            return dict(reversed(value.items()))
    return _strange(random)


def _strange(random: Random) -> Any:
    deep: Any = []
    for _ in range(random.choice((5, 300, 5000)) if random.random() < 0.2 else 0):
        deep = [deep] if random.random() < 0.5 else {"a": deep}
    return random.choice(
        (None, True, 0, -1, 2**70, 10**400, 1.5, math.nan, math.inf, "", "a", "none", "1/2", "0/0",
         "card 1", "chance", [], {}, [[]], {"a": 1}, {1: 2}, (1, 2), {1}, b"x", object(), deep,
         random.choice(WEIRD), "x" * 5000, [None] * 500)
    )  # fmt: skip
