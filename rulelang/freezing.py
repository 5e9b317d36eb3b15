"""A checked program as bytes, and back: many thousand small objects that know each other.

Values are numbered, and what they hold is written column by column: for each class and field the
numbers of the values. So they are found, made and filled in a few loops that Python runs by itself,
and nothing but values and classes of this package can come of it. Whatever is one object before is
one object after.
"""

from __future__ import annotations

import marshal
from array import array
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from importlib import import_module
from itertools import chain, count, islice, repeat
from operator import attrgetter
from types import MemberDescriptorType
from typing import Any

from attrs import fields, has

from rulelang.collecting import uncollected
from rulelang.postponing import complete, postpone

_ATOMS = frozenset((type(None), bool, int, str))
_PACKAGE = "rulelang"
_WIDTH = array("I").itemsize
_TOO_LARGE = 1 << 31
_Class = tuple[str, str, int, list[tuple[str, bool, bytes]]]
"""Module and name of a class, how many objects it has, and their fields."""
_Numbers = tuple[bytes, bytes]
"""The lengths of some sequences, and the numbers of what stands in them one after the other."""


class Unfit(Exception):
    """There is something that cannot be frozen."""


def freeze(root: object, around: Sequence[object] = ()) -> bytes:
    """An object with all that it holds, as bytes for this version of Python. Raises Unfit.

    Of objects that are ``around`` only the places are noted: `thaw` is given them, too.
    """
    with uncollected():
        return _Freezer(around).freeze(root)


def thaw(data: bytes, around: Sequence[object] = ()) -> Any:
    """What `freeze` was given. ``data`` must be what it gave, whole."""
    with uncollected():
        values, root = _thawed(around, *marshal.loads(data))
        return values[root]


def freeze_apart(root: object, apart: tuple[str, ...]) -> bytes:
    """As `freeze`, but some fields of the object are read when one of them is first wanted."""
    with uncollected():
        complete(root)
        first = _Freezer((), (type(root), frozenset(apart)))
        main = first.freeze(root)
        rest = first.next().freeze([getattr(root, name) for name in apart])
        return marshal.dumps((apart, main, rest))


def thaw_apart(data: bytes) -> Any:
    """What `freeze_apart` was given."""
    apart, main, rest = marshal.loads(data)
    with uncollected():
        values, place = _thawed((), *marshal.loads(main))
    root = values[place]
    postpone(root, apart, lambda: thaw(rest, values))
    return root


# ---------------------------------------------------------------- to bytes


class _Freezer:
    """Numbers all values: atoms, objects by class, lists, dicts, tuples by depth."""

    def __init__(
        self,
        around: Sequence[object],
        left_out: tuple[type, frozenset[str]] = (object, frozenset()),
    ) -> None:
        self.left_out = left_out
        """Fields of a class that are not looked at."""
        self.found: dict[type, list[Any]] = {}
        """All values, by type. They stay as they are, so that each is known by its identity."""
        self.columns: dict[type, dict[str, list[Any]]] = {}
        """What the objects of each class hold, field by field."""
        self.atoms: list[tuple[type, str, list[Any]]] = []
        """Parts of columns that lead nowhere. Small numbers are not noted, but written as such."""
        self.small: dict[tuple[type, str], bool] = {}
        self.around = len(around)
        self.places: dict[int, int] = {id(each): place for place, each in enumerate(around)}
        """The number of each value: its place in the order in which `thaw` makes them."""
        self.seen = set(self.places)
        self.count = len(around)

    def next(self) -> _Freezer:
        """One for what stands around all that this one has found."""
        after = _Freezer(())
        after.places, after.seen, after.around = self.places, set(self.places), self.count
        return after

    def freeze(self, root: object) -> bytes:
        complete(root)
        self._find(root)
        atoms = self._number_atoms()
        found = self.found
        fractions = found.pop(Fraction, [])
        lists, dicts = found.pop(list, []), found.pop(dict, [])
        tuples = _by_depth(found.pop(tuple, []))
        number = self.around + len(atoms)
        for group in (fractions, *found.values(), lists, dicts, *tuples):
            self.places.update(zip(map(id, group), count(number)))
            number += len(group)
        self.count = number
        return marshal.dumps(
            (
                atoms,
                [(each.numerator, each.denominator) for each in fractions],
                [self._class(kind, len(made)) for kind, made in found.items()],
                self._sequences(lists),
                self._sequences(dicts),
                self._numbers(_held_by(dicts)),
                [self._sequences(level) for level in tuples],
                self.places[id(root)],
            )
        )

    def _find(self, root: object) -> None:
        """Note everything that there is."""
        looked_at: dict[type, int] = {}
        self._note((root,))
        while True:
            kinds = [kind for kind in self.found if len(self.found[kind]) > looked_at.get(kind, 0)]
            if not kinds:
                break
            for kind in kinds:
                new = self.found[kind][looked_at.get(kind, 0) :]
                looked_at[kind] = len(self.found[kind])
                self._look_into(kind, new)
        for kind, name, held in self.atoms:
            if not self._is_small(kind, name):
                self._note(held)

    def _look_into(self, kind: type, values: list[Any]) -> None:
        if kind in _ATOMS or kind is Fraction:
            return
        if kind in (list, tuple, dict):
            self._note(chain.from_iterable(values))
            if kind is dict:
                self._note(_held_by(values))
            return
        left_out = self.left_out[1] if kind is self.left_out[0] else ()
        names = [name for name in _fields(kind) if name not in left_out]
        columns = self.columns.setdefault(kind, {name: [] for name in names})
        for name, column in columns.items():
            held = list(map(attrgetter(name), values))
            column += held
            if _ATOMS.issuperset(map(type, held)):
                self.atoms.append((kind, name, held))
            else:
                self._note(held)

    def _note(self, values: Iterable[Any]) -> None:
        seen, found = self.seen, self.found
        noted = list(values)
        for key, value in dict(zip(map(id, noted), noted, strict=True)).items():
            if key not in seen:
                found.setdefault(type(value), []).append(value)
        seen.update(map(id, noted))

    def _number_atoms(self) -> list[Any]:
        """Number the atoms; equal ones become one."""
        atoms: list[Any] = []
        for kind in _ATOMS:
            known: dict[Any, int] = {}
            start = self.around + len(atoms)
            for value in self.found.pop(kind, ()):
                self.places[id(value)] = start + known.setdefault(value, len(known))
            atoms += known
        return atoms

    def _class(self, kind: type, number: int) -> _Class:
        columns = [
            (name, True, array("I", column).tobytes())
            if self._is_small(kind, name)
            else (name, False, self._numbers(column))
            for name, column in self.columns[kind].items()
        ]
        return kind.__module__, kind.__qualname__, number, columns

    def _is_small(self, kind: type, name: str) -> bool:
        """Does a column hold numbers only that are written as they are?"""
        known = self.small.get((kind, name))
        if known is None:
            column = self.columns[kind][name]
            known = {int}.issuperset(map(type, column))
            known = known and min(column) >= 0 and max(column) < _TOO_LARGE
            self.small[kind, name] = known
        return known

    def _sequences(self, values: Sequence[Collection[Any]]) -> _Numbers:
        lengths = array("I", map(len, values)).tobytes()
        return lengths, self._numbers(chain.from_iterable(values))

    def _numbers(self, values: Iterable[Any]) -> bytes:
        return array("I", map(self.places.__getitem__, map(id, values))).tobytes()


def _held_by(dicts: Iterable[dict[Any, Any]]) -> Iterator[Any]:
    return chain.from_iterable(map(dict.values, dicts))


def _by_depth(tuples: list[tuple[Any, ...]]) -> list[list[tuple[Any, ...]]]:
    """First the tuples that hold none, then those that hold only these, and so on."""
    depths: dict[int, int] = {}

    def depth(value: tuple[Any, ...]) -> int:
        known = depths.get(id(value))
        if known is None:
            inner = [depth(each) for each in value if type(each) is tuple]
            known = depths[id(value)] = max(inner) + 1 if inner else 0
        return known

    levels: list[list[tuple[Any, ...]]] = [[]]
    for value in tuples:
        if tuple not in map(type, value):
            levels[0].append(value)
            continue
        while len(levels) <= depth(value):
            levels.append([])
        levels[depth(value)].append(value)
    return levels


def _fields(kind: type) -> list[str]:
    """The names of what objects of a class hold. Raises Unfit if it is none of our plain ones."""
    if not kind.__module__.startswith(f"{_PACKAGE}.") or not has(kind):
        raise Unfit(f"{kind.__qualname__} is not frozen")
    names = [attribute.name for attribute in fields(kind)]
    if not all(isinstance(getattr(kind, name, None), MemberDescriptorType) for name in names):
        raise Unfit(f"{kind.__qualname__} has no slots")
    return names


# ---------------------------------------------------------------- and back


def _thawed(
    around: Sequence[object],
    atoms: list[Any],
    fractions: list[tuple[int, int]],
    classes: list[_Class],
    lists: _Numbers,
    keys: _Numbers,
    held: bytes,
    tuples: list[_Numbers],
    root: int,
) -> tuple[list[Any], int]:
    """All values, and the place of the one that was frozen."""
    values = [*around, *atoms, *(Fraction(*each) for each in fractions)]
    value_of = values.__getitem__
    objects: list[list[Any]] = []
    for module, name, number, _ in classes:
        objects.append(list(map(object.__new__, repeat(_class(module, name), number))))
        values += objects[-1]
    new_lists: list[list[Any]] = [[] for _ in range(len(lists[0]) // _WIDTH)]
    new_dicts: list[dict[Any, Any]] = [{} for _ in range(len(keys[0]) // _WIDTH)]
    values += new_lists
    values += new_dicts
    for level in tuples:
        values += list(map(tuple, _sequences(level, value_of)))
    for made, (module, name, _, columns) in zip(objects, classes, strict=True):
        _fill(made, _class(module, name), columns, value_of)
    deque(map(list.extend, new_lists, _sequences(lists, value_of)), maxlen=0)
    values_in_turn = map(value_of, array("I", held))
    for entries, its_keys in zip(new_dicts, _sequences(keys, value_of), strict=True):
        entries.update(zip(its_keys, values_in_turn))  # noqa: B905 - the keys end first
    return values, root


def _fill(
    objects: list[Any],
    kind: type,
    columns: list[tuple[str, bool, bytes]],
    value_of: Callable[[int], Any],
) -> None:
    """Put their values into new objects. They have slots, which may be set even if frozen."""
    for name, are_small, column in columns:
        numbers = array("I", column)
        held: Iterable[Any] = numbers if are_small else map(value_of, numbers)
        deque(map(getattr(kind, name).__set__, objects, held), maxlen=0)
    finish = getattr(kind, "__attrs_post_init__", None)
    if finish is not None:
        deque(map(finish, objects), maxlen=0)


def _sequences(written: _Numbers, value_of: Callable[[int], Any]) -> Iterator[Iterator[Any]]:
    """What stands in some sequences; each must be read before the next."""
    lengths, numbers = written
    return map(islice, repeat(map(value_of, array("I", numbers))), array("I", lengths))


def _class(module: str, name: str) -> type:
    if module.partition(".")[0] != _PACKAGE:
        raise Unfit(module)
    found: type = getattr(import_module(module), name)
    return found
