"""How golden playthroughs are written: their heads and their lines."""

from __future__ import annotations

import json
import re
from pathlib import Path

from attrs import frozen

from rulelang.errors import UsageError

DIGITS = 16
"""Digits of a digest that are kept."""
TEXTS = ("game", "mode", "chance", "policy")
NUMBERS = ("players", "seed", "steps")
PAIRS = ("settings", "rulings")
_LINE = re.compile(r"(\d+|-) +(\w+) +(\d+|-) +([0-9a-f]{16}|-) +(\S.*)")


@frozen
class Step:
    """An answer: who gave it, among how many options, in a state of which digest."""

    number: int
    who: str
    options: int
    digest: str
    label: str


@frozen
class Sampled:
    """An outcome of chance that was drawn, not chosen."""

    label: str


def heading() -> str:
    """The line above the steps."""
    return f"{'#':<4}  {'who':<6}  {'options':<7}  {'digest':<{DIGITS}}  label"


def line_of(step: Step | Sampled) -> str:
    """A step as it is written."""
    if isinstance(step, Sampled):
        step = Step(-1, "chance", -1, "-", step.label)
    number, options = (str(n) if n >= 0 else "-" for n in (step.number, step.options))
    label = _written(step.label)
    return f"{number:<4}  {step.who:<6}  {options:<7}  {step.digest:<{DIGITS}}  {label}"


def parse_line(text: str, path: Path, number: int) -> Step | Sampled:
    """The step in a line. `UsageError` if it has not the form."""
    found = _LINE.fullmatch(text)
    if found is None or (found[1] == "-") != (found[3] == "-"):
        raise UsageError(f"{path}:{number}: this is no step: {text[:60]!r}")
    label = _read(found[5], path, number)
    if found[1] == "-":
        return Sampled(label)
    return Step(int(found[1]), found[2], int(found[3]), found[4], label)


def _written(label: str) -> str:
    """A label as it is, or as JSON where that could not be read back."""
    plain = label.isprintable() and label == label.strip() and label[:1] not in ('"', "")
    return label if plain else json.dumps(label)


def _read(text: str, path: Path, number: int) -> str:
    if not text.startswith('"'):
        return text
    try:
        return str(json.loads(text))
    except ValueError:
        raise UsageError(f"{path}:{number}: this label is no JSON: {text[:60]!r}") from None


def parse_head(head: str, path: Path) -> dict[str, object]:
    """What a head says, by the names of `Plan`. `UsageError` with the line if it is wrong."""
    said: dict[str, object] = {}
    for number, line in enumerate(head.split("\n"), 1):
        name, colon, value = (part.strip() for part in line.partition(":"))
        at = f"{path}:{number}"
        if not colon:
            raise UsageError(f"{at}: a line of the head is written `name: value`, not {line!r}")
        if name not in (*TEXTS, *NUMBERS, *PAIRS):
            raise UsageError(
                f"{at}: a head has no {name!r}; it has {', '.join((*TEXTS, *NUMBERS, *PAIRS))}"
            )
        if name in said:
            raise UsageError(f"{at}: {name!r} was said already")
        said[name] = _value(name, value, at)
    if "game" not in said:
        raise UsageError(f"{path}:1: the head does not say which `game` is played")
    return said


def _value(name: str, value: str, at: str) -> object:
    if name in TEXTS:
        return value
    if name in NUMBERS:
        if re.fullmatch(r"-?\d{1,300}", value) is None:
            raise UsageError(f"{at}: {name} is a whole number, not {value!r}")
        return int(value)
    pairs = {}
    for pair in filter(None, (each.strip() for each in value.split(","))):
        key, sign, reading = (part.strip() for part in pair.partition("="))
        if not sign:
            raise UsageError(f"{at}: {name} are written NAME=VALUE, with commas, not {pair!r}")
        pairs[key] = reading
    return pairs
