"""What all games of a module begin with, done once: set-up that nobody decides and nothing decides.

The rule ``play`` is run until it asks for the first random word. The statements before it are taken
out of it, and the slots are kept as they leave them.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from attrs import Factory, frozen

from rulelang.engine.compiler.beginning import Begin, Filling, beginning, filling
from rulelang.engine.compiler.heap import Heap
from rulelang.engine.compiler.rollout import WINDOW, Playthrough
from rulelang.engine.compiler.support import Doubt
from rulelang.program.values import Pile, Value

if TYPE_CHECKING:
    from types import TracebackType

    from rulelang.engine.compiler.module import Module

Function = Callable[..., Any]


@frozen
class Opening:
    """Where games begin."""

    begin: Begin
    play: Function
    fuel: int
    """What is left of it when they do."""
    filled: Filling | None = None
    """What their slots are filled from; None if they cannot begin."""
    loops: dict[frozenset[int], Any] = Factory(dict)
    """What plays many of them, by the sources of random words that nearly all use."""


class Asked(Exception):
    """A random word is wanted."""


class Trial(Playthrough):
    """A game that goes no further than to the first random word."""

    def more(self, source: int) -> list[int]:
        """There are none. Raises Asked."""
        raise Asked


def from_start(module: Module) -> Opening:
    """Where the games of a module begin before the first rule runs."""
    try:
        return _opened(module, filling(module), module.play, WINDOW)
    except Doubt:
        return Opening(_doubtful, module.play, WINDOW)


def _opened(module: Module, filled: Filling, play: Function, fuel: int) -> Opening:
    return Opening(beginning(module, filled), play, fuel, filled)


def _doubtful(slots: list[Value]) -> NoReturn:
    raise Doubt


def opening(module: Module) -> Opening:
    """Where the games of a module begin, as far on as all of them go alike."""
    whole = module.start
    if module.counted:
        return whole  # every call is noted
    trial = Trial(module, whole)
    try:
        trial.play(0)
    except Asked as asked:
        return _later(module, whole, _line(module, asked.__traceback__)) or whole
    except Doubt:
        pass
    return whole


def _line(module: Module, traceback: TracebackType | None) -> int:
    """The line of ``play`` that is under way; 0 if there is none."""
    while traceback is not None:
        if traceback.tb_frame.f_code is module.play.__code__:
            return traceback.tb_lineno
        traceback = traceback.tb_next
    return 0


def _later(module: Module, whole: Opening, line: int) -> Opening | None:
    """An opening further on; None if that cannot be."""
    made = _split(module, line)
    if made is None:
        return None
    before, behind = made
    trial = Trial(module, Opening(whole.begin, before, WINDOW))
    try:
        trial.play(0)
    except (Doubt, Asked):
        return None
    if any(trial.events()) or trial.turns or trial.scopes or trial.fuel < 0:
        return None
    start = [_kept(value) for value in trial.slots[:-1]]
    return _opened(module, filling(module, start), behind, trial.fuel)


def _kept(value: Value) -> Value:
    """A zone as it lies in a state that nobody changes."""
    if isinstance(value, Heap):
        value.settle()
        return Pile(tuple(value.top), tuple(value), tuple(value.bottom))
    return tuple(value) if isinstance(value, list) else value


def _split(module: Module, line: int) -> tuple[Function, Function] | None:
    """What ``play`` does before a line, and what it does from there on."""
    version = module.versions.general("play")
    name = version.name
    tree = ast.parse(module.source(version)[0])
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    lines = [n.lineno for n in function.body]
    at = max((k for k, begun in enumerate(lines) if begun <= line), default=0)
    while at and not _is_free(function.body[:at], function.body[at:]):
        at -= 1
    first, rest = function.body[:at], function.body[at:]
    if not first:
        return None
    made: dict[str, Any] = {}
    for suffix, body in (("before", first), ("behind", rest)):
        part = copy.copy(function)
        part.name, part.body = f"{name}__{suffix}", body
        code = ast.fix_missing_locations(ast.Module([part], []))
        exec(compile(code, module.filename(version), "exec"), module.names, made)
    return made[f"{name}__before"], made[f"{name}__behind"]


def _is_free(first: Sequence[ast.stmt], rest: Sequence[ast.stmt]) -> bool:
    """Can some statements be run for themselves, as what follows knows nothing of their locals?"""
    if any(isinstance(n, ast.Return) for s in first for n in ast.walk(s)):
        return False
    written = {name for s in first for name in _names(s, ast.Store)}
    return written.isdisjoint(_wanted(rest, frozenset()))


def _wanted(block: Iterable[ast.stmt], given: frozenset[str]) -> Iterator[str]:
    """The names that statements read before they write them."""
    for s in block:
        blocks = [part for _, part in ast.iter_fields(s) if _is_block(part)]
        if isinstance(s, ast.Try):
            blocks += [handler.body for handler in s.handlers]
        inside = {id(n) for part in blocks for each in part for n in ast.walk(each)}
        own = [n for n in ast.walk(s) if id(n) not in inside]
        # What an expression gives a name it reads later on, as comprehensions do.
        at_once = (n.target for n in own if isinstance(n, ast.NamedExpr | ast.comprehension))
        known = given.union(name for target in at_once for name in _names(target, ast.Store))
        read = {n.id for n in own if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        if isinstance(s, ast.AugAssign):
            read.update(_names(s.target, ast.Store))
        yield from read - known
        written = {n.id for n in own if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        for part in blocks:
            yield from _wanted(part, known | written)
        if isinstance(s, ast.If) and s.orelse:
            written = _surely(s.body) & _surely(s.orelse)
        elif isinstance(s, ast.Try):
            written = _surely(s.body).intersection(*(_surely(h.body) for h in s.handlers))
        given = known | written if not isinstance(s, ast.For) else known


def _surely(block: Iterable[ast.stmt]) -> set[str]:
    """Names that statements write, whatever happens."""
    plain = (s for s in block if isinstance(s, ast.Assign))
    return {name for s in plain for name in _names(s, ast.Store)}


def _is_block(part: object) -> bool:
    return isinstance(part, list) and bool(part) and isinstance(part[0], ast.stmt)


def _names(tree: ast.AST, context: type[ast.expr_context]) -> Iterator[str]:
    for n in ast.walk(tree):
        if isinstance(n, ast.Name) and isinstance(n.ctx, context):
            yield n.id
