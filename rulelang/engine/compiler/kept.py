"""Compiled rules as bytes for another process, and back.

What is written is all that a module has come to be: its versions and points, the functions of those
that were compiled, how everything is made that these refer to by name, and where the numbering
stands. So whoever reads it can go on with it: rules that were not compiled yet are, as ever, when
they are first called.
"""

from __future__ import annotations

import linecache
import marshal
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from types import CodeType
from typing import TYPE_CHECKING, Any, overload

from rulelang.diagnostic import Span
from rulelang.engine.compiler.acts import act_key
from rulelang.engine.compiler.effects import Placed, placed_again
from rulelang.engine.compiler.module import Module, Source
from rulelang.engine.compiler.points import Point
from rulelang.engine.compiler.pool import Pool
from rulelang.engine.compiler.recipes import made, made_for
from rulelang.engine.compiler.roots import Root
from rulelang.engine.compiler.versions import Version
from rulelang.freezing import Unfit, freeze, thaw
from rulelang.program.linking import Linked

if TYPE_CHECKING:
    from rulelang.engine.compiler.judge import Judging
    from rulelang.engine.evaluate import Evaluators

_LEVEL = 1
"""How hard sources are packed, which are hardly ever read."""


def written(module: Module) -> bytes:
    """All of a module. Raises Unfit."""
    lacking = unmade(module)
    if lacking:
        raise Unfit(f"nobody knows how to make {', '.join(sorted(lacking))}")
    placed = module.facts.placed
    state = (
        [(v.name, v.code.name, v.given) for v in module.versions.by_name.values()],
        dict(module.versions.numbers),
        module.versions.instructions,
        [_point(point) for point in module.points],
        module.lain,
        {key: name for key, name in module.shared_objects.items() if _is_name(module, name)},
        _state(module),
        dict(module.pool.recipes),
        module.pool.count,
    )
    around = _around(module.linked, placed)
    codes = tuple(module.codes.items())
    addresses = [address for address, _ in placed.values()]
    return marshal.dumps((addresses, freeze(state, around), codes, _packed(module)))


def restore(module: Module, data: bytes) -> None:
    """Make a new module what another one was. Raises whatever comes of data that is none."""
    addresses, frozen, codes, packed = marshal.loads(data)
    placed = placed_again(module.linked, addresses)
    module.facts.take(placed)
    state = thaw(frozen, _around(module.linked, placed))
    versions, numbers, instructions, points, lain, shared, writing, recipes, count = state
    for name, rule, given in versions:
        module.versions.add(Version(name, module.linked.codes[rule], given))
    module.versions.numbers = Counter(numbers)
    module.versions.instructions = instructions
    module.lain = lain
    module.writing_before = writing
    for name, recipe in recipes.items():
        module.pool.add(name, made_for(module, recipe), recipe)
        if recipe[0] == "acts":
            module.act_names[act_key(recipe[1])] = name
    module.pool.count = count
    for key, name in shared.items():
        module.shared(key, name)
    sources = _Sources(packed)
    _run(module, dict(codes), sources)
    by_name = module.versions.by_name
    for number, (name, kind, *rest) in enumerate(points):
        _add_point(module, number, by_name[name], kind, *rest)
    module.later = sources.read


def _state(module: Module) -> tuple[Any, ...]:
    """Where writing stands."""
    begun = "expressions" in module.__dict__
    return module.expressions.state_of_writing() if begun else module.writing_before


def _is_name(module: Module, shared: Any) -> bool:
    return isinstance(shared, str) and shared in module.names


def unmade(module: Module) -> set[str]:
    """The names that generated code may use, and that another process would not know."""
    found = module.names.keys() - module.given - module.defined
    return found - module.pool.recipes.keys() - module.versions.by_name.keys()


def written_judging(judging: Judging) -> bytes:
    """How the end of a game is judged. Raises Unfit."""
    around = _around(judging.linked, {})
    recipes = judging.pool.recipes
    return marshal.dumps((freeze(list(recipes.items()), around), judging.codes))


def restore_judging(evaluators: Evaluators, pool: Pool, data: bytes) -> tuple[CodeType, ...]:
    """The functions that judge, to be run; what they refer to is there then."""
    frozen, codes = marshal.loads(data)
    for name, recipe in thaw(frozen, _around(evaluators.linked, {})):
        pool.add(name, made(evaluators, recipe), recipe)
    found: tuple[CodeType, ...] = codes
    return found


# ---------------------------------------------------------------- what stays an object of the game


def _around(linked: Linked, placed: Placed) -> list[Any]:
    """What is one object in the whole game: entries, and effects that tables know."""
    entries = (domain.entries for domain in linked.program.domains.values())
    return [*chain.from_iterable(entries), *(effect for _, effect in placed.values())]


# ---------------------------------------------------------------- functions


def _run(module: Module, codes: dict[str, CodeType], sources: _Sources) -> None:
    """Make the functions of what was compiled, and what stands for all others."""
    before = set(module.names)
    for code in codes.values():
        exec(code, module.names)
    module.codes = codes
    module.defined = module.names.keys() - before
    for version in module.versions.by_name.values():
        module.function(version)
        if version.name in codes:
            filename = module.filename(version)
            lines: Any = _Lines(sources, version.name)
            linecache.cache[filename] = (0, None, lines, filename)


class _Lines(Sequence[str]):
    """The lines of a version for tracebacks, read when they are shown."""

    def __init__(self, sources: _Sources, name: str) -> None:
        self.sources = sources
        self.name = name

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> list[str]: ...
    def __getitem__(self, place: int | slice) -> str | list[str]:
        return self._read()[place]

    def __len__(self) -> int:
        return len(self._read())

    def _read(self) -> list[str]:
        return self.sources.read()[self.name][0].splitlines(True)


# ---------------------------------------------------------------- points


def _point(point: Point) -> tuple[Any, ...]:
    derived = tuple([slot for slot, _ in point.derived])
    return (
        point.version.name, point.root.kind, point.root.place, point.place, point.saved,
        point.bound, point.copied, derived, point.ends, point.rounds,
    )  # fmt: skip


def _add_point(
    module: Module,
    number: int,
    version: Version,
    kind: str,
    at: int,
    place: int,
    saved: Any,
    bound: Any,
    copied: Any,
    derived: tuple[int, ...],
    ends: Any,
    rounds: Any,
) -> None:
    root = Root(kind, at)
    made = tuple([(slot, _derived(module, version, slot)) for slot in derived])
    module.points.append(Point(version, root, place, saved, bound, copied, made, ends, rounds))
    module.numbers[version.name, root] = number
    known = module.names.get(version.name + root.suffix) if version.name in module.codes else None
    module.functions.append(known or module.pending(number, version))


def _derived(module: Module, version: Version, slot: int) -> Callable[[list[Any]], Any]:
    """What makes a local of those that it follows from, found out when it is wanted."""
    found: list[Callable[[list[Any]], Any]] = []

    def derived(locals_: list[Any]) -> Any:
        if not found:
            found.append(module.derived(module.rule(version), slot))
        return found[0](locals_)

    return derived


# ---------------------------------------------------------------- sources


def _packed(module: Module) -> bytes:
    """The sources of all versions that were compiled."""
    spans: dict[Span | None, int] = {None: 0}
    found = {}
    for name in module.codes:
        source, places = module.sources[name]
        found[name] = source, tuple([spans.setdefault(span, len(spans)) for span in places])
    known = [(s.file, s.line, s.column, s.end_line, s.end_column) for s in spans if s is not None]
    return zlib.compress(marshal.dumps((found, known)), _LEVEL)


class _Sources:
    """The sources that were kept, unpacked when somebody asks for them."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def read(self) -> dict[str, Source]:
        """By version: its source, and the place in the rules of each line."""
        found, known = marshal.loads(zlib.decompress(self.data))
        spans: list[Span | None] = [None, *(Span(*each) for each in known)]
        return {
            name: (source, tuple([spans[number] for number in places]))
            for name, (source, places) in found.items()
        }
