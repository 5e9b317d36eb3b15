"""Loops over two seats or so that are known, written out: once for each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulelang.diagnostic import Span
from rulelang.program.values import Entry

if TYPE_CHECKING:
    from rulelang.engine.compiler.lines import Lines
    from rulelang.engine.compiler.pool import Pool

MOST_VALUES, MOST_LINES = 2, 20
_HEAD = re.compile(r"for (l\d+) in (l\d+):")


def unroll(out: Lines, mark: int, pool: Pool) -> None:
    """Write out a loop that stands since a mark, if it is short and what it goes through known."""
    head = _HEAD.fullmatch(out.lines[mark].strip())
    if head is None or mark == 0:
        return
    item, rest = head.groups()
    values = _values(out.lines[mark - 1].strip(), rest, pool)
    body, spans = out.lines[mark + 1 :], out.spans[mark + 1 :]
    if not values or len(body) > MOST_LINES or _is_bound(body, item, rest):
        return
    out.cut(mark - 1)
    for value in values:
        lines = [_for(line[4:], item, value, pool) for line in body]
        if any(line.strip() == "continue" for line in lines):
            _leave(out, lines, spans)
        else:
            out.lines += lines
            out.spans += spans


def _leave(out: Lines, lines: list[str], spans: list[Span | None]) -> None:
    """A turn some of whose lines go on with the next one: they leave a block of its own."""
    indent = "    " * out.depth
    inside = [re.sub(r"^( *)continue$", r"\1break", f"    {line}") for line in lines]
    out.lines += [f"{indent}while True:", *inside, f"{indent}    break"]
    out.spans += [spans[0], *spans, spans[-1]]


def _values(line: str, rest: str, pool: Pool) -> tuple[Entry, ...]:
    """The few entries that a line has put into a local."""
    given = re.fullmatch(rf"{rest} = (K\d+)", line)
    values = () if given is None else pool.names.get(given[1], ())
    few = isinstance(values, tuple) and len(values) <= MOST_VALUES
    return values if few and all(isinstance(value, Entry) for value in values) else ()


def _is_bound(body: list[str], item: str, rest: str) -> bool:
    """Do lines need a loop around them, or change what it goes through?"""
    names = rf"\b{item}\b(, |, l\d+)* :?= |\b{rest}\b|['\"].*\b{item}\b.*['\"]"
    changed = re.compile(names)
    lines = [line.strip() for line in body]
    nested = any(line.startswith(("for ", "while ")) for line in lines)
    leaves = "break" in lines or (nested and "continue" in lines)
    return leaves or any(changed.search(line) for line in lines)


def _for(line: str, item: str, value: Entry, pool: Pool) -> str:
    """A line for one value."""
    place = rf"(?<=[\[(])(\d+) \+ {item}\.index(?=[\]),])|(?<= = )(\d+) \+ {item}\.index$"
    line = re.sub(place, lambda base: str(int(base[1] or base[2]) + value.index), line)
    line = re.sub(rf"\b{item}\.index\b", str(value.index), line)
    return re.sub(rf"\b{item}\b", pool.constant(value), line)
