"""The effects and scripts of a linked program, each with where it stands.

Tables know them by their identity. So another process, which has other objects, finds its own where
the same ones stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulelang.engine.compiler.parts import expressions_of
from rulelang.program import expressions as x
from rulelang.program.linking import Linked
from rulelang.program.values import Effect, Script, Value

Address = tuple[Any, ...]
"""What holds it (see `_values`), the number of the value there, and the places inside of that."""
Placed = dict[int, tuple[Address, Value]]
"""Effects and scripts by identity."""


def placed(linked: Linked) -> Placed:
    """All that content and rules hold."""
    found: Placed = {}
    for holder in _holders(linked):
        for number, value in enumerate(_values(linked, holder)):
            for path, effect in _inside(value, ()):
                found.setdefault(id(effect), ((holder, number, path), effect))
    return found


def placed_again(linked: Linked, addresses: Iterable[Address]) -> Placed:
    """The same, where it is known where they stand."""
    found: Placed = {}
    values: dict[Any, list[Value]] = {}
    for holder, number, path in addresses:
        if holder not in values:
            values[holder] = _values(linked, holder)
        effect = values[holder][number]
        for place in path:
            effect = _parts(effect)[place]
        if not isinstance(effect, Effect | Script):
            raise LookupError(holder)
        found[id(effect)] = (holder, number, path), effect
    return found


def _holders(linked: Linked) -> Iterator[tuple[str, str, int]]:
    for domain in linked.program.domains.values():
        yield from (("entry", domain.name, index) for index in range(len(domain.entries)))
    for code in linked.codes.values():
        yield from (("rule", code.name, node) for node in range(len(code.instructions)))
    yield from (("question", name, 0) for name in linked.program.questions)


def _values(linked: Linked, holder: tuple[str, str, int]) -> list[Value]:
    """The values of an entry, of an instruction or of a question."""
    kind, name, number = holder
    if kind == "entry":
        return list(linked.program.domains[name].entries[number].fields)
    if kind == "rule":
        parts = expressions_of(linked.codes[name].instructions[number])
    else:
        parts = x.walk(linked.program.questions[name].branches)
    return [part.value for part in parts if isinstance(part, x.Const)]


def _inside(value: Value, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Value]]:
    if isinstance(value, Effect | Script):
        yield path, value
    for place, part in enumerate(_parts(value)):
        if isinstance(part, Effect | Script | tuple):
            yield from _inside(part, (*path, place))


def _parts(value: Value) -> tuple[Value, ...]:
    if isinstance(value, Effect):
        return value.arguments
    return value if isinstance(value, tuple) else ()
