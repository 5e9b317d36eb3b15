"""An open decision on the screen: the prompt, and the options with what helps to choose."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rulelang.codec import decode
from rulelang.display import printable
from rulelang.play.answers import keys
from rulelang.play.cells import Cell
from rulelang.play.entries import Library
from rulelang.play.screen import Screen, columns, flow, pad
from rulelang.play.words import name_of
from rulelang.program.types import Num
from rulelang.program.values import Entry
from rulelang.session import Decision, Option, Session
from rulelang.wording import capital

_IN_ONE_COLUMN = 10


def entry_of(session: Session, option: Option) -> Entry | None:
    """The entry that an option stands for, if it does."""
    if not isinstance(option.value, Mapping) or "of" not in option.value:
        return None
    value = decode(session.game.program, dict(option.value), "option")
    return value if isinstance(value, Entry) else None


def question_lines(
    screen: Screen, session: Session, library: Library, cells: Sequence[Cell], decision: Decision
) -> list[str]:
    """The lines of a question."""
    lead = _lead(session, library, decision)
    prompt = printable(decision.prompt)
    words = [screen.style(word, "bold") for word in f"{lead}{prompt}".split()]
    lines = flow(words, glue="", first="", rest="  ", width=screen.width)
    numbers = _numbers(session, cells, decision)
    typed = keys(decision.options)
    if typed == [option.text for option in decision.options]:
        names = [screen.style(key, "name") for key in typed]
        return [*lines, *flow(names, glue="  ", first="  ", rest="  ", width=screen.width)]
    column = max(map(len, typed))
    shown = []
    for key, option, extra in zip(typed, decision.options, numbers, strict=True):
        words = printable(option.text).split()
        tail = [screen.style(f"({extra})", "dim")] if extra else []
        first = f"  {screen.style(f'{key:>{column}}', 'name')}  "
        broken = flow(
            [*words, *tail], glue="", first=first, rest=" " * (column + 4), width=screen.width
        )
        shown.append(broken or [first])
    return [*lines, *_in_columns(shown, screen.width)]


def _lead(session: Session, library: Library, decision: Decision) -> str:
    """Who is asked, where there are several, for whom, and about which entry."""
    parts = []
    if session.players > 1 and isinstance(decision.player, int):
        who = name_of(session.linked.players[decision.player])
        parts.append(f"{who} for {decision.team}" if _several_teams(session, decision) else who)
    entries = [entry_of(session, option) for option in decision.options]
    wholes = {library.whole(entry) for entry in entries if entry is not None}
    if len(wholes) == 1 and not wholes & set(entries):
        parts.append(name_of(wholes.pop()))
    return capital(", ".join(parts)) + ": " if parts else ""


def _several_teams(session: Session, decision: Decision) -> bool:
    code = session.linked.codes.get(decision.rule)
    domain = session.game.program.domains.get(code.subject) if code is not None else None
    return decision.team is not None and domain is not None and len(domain.entries) > 1


def _numbers(session: Session, cells: Sequence[Cell], decision: Decision) -> list[str]:
    """For options that own numbers on the table, these numbers: no need to look them up."""
    texts = []
    for option in decision.options:
        entry = entry_of(session, option)
        own = [c for c in cells if c.owner is entry and entry is not None and _is_number(c)]
        texts.append(", ".join(f"{cell.name} {cell.value}" for cell in own[:4]))
    return texts


def _is_number(cell: Cell) -> bool:
    value: Any = cell.value
    return (
        isinstance(cell.field.type, Num) and isinstance(value, int) and not isinstance(value, bool)
    )


def _in_columns(shown: list[list[str]], width: int) -> list[str]:
    """Many short options side by side, to be read downwards."""
    flat = [line for lines in shown for line in lines]
    widest = max(map(columns, flat), default=0) + 2
    count = min(3, width // widest) if widest else 1
    if len(shown) <= _IN_ONE_COLUMN or count < 2 or len(flat) > len(shown):
        return flat
    height = -(-len(flat) // count)
    stacks = [flat[n * height : (n + 1) * height] for n in range(count)]
    rows = zip_longest(*stacks, fillvalue="")
    return ["".join(pad(cell, widest) for cell in row).rstrip() for row in rows]
