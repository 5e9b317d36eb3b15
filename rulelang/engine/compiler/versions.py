"""Versions of rules: one for any arguments, and others in which some arguments are known.

Most calls name what they are about. A rule that is written anew for it has little left to decide.
"""

from __future__ import annotations

import re
from collections import Counter

from attrs import frozen

from rulelang.engine.compiler.pool import plain_name
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.values import Effect, Entry, Script, Value, label_of

MOST_VERSIONS = 16
"""Versions of one rule; what is called in still more ways is called in the general one."""
MOST_INSTRUCTIONS = 3_000
"""Instructions of all versions but the general ones."""
_GOES_ON = re.compile(r"_\d+[a-z]+$")
"""What the names of functions end with that go on somewhere: see `Root`."""
Given = dict[int, x.Const]
"""The arguments that are known, by slot."""


@frozen(eq=False)
class Version:
    """A rule, with what is known of its arguments."""

    name: str
    """The name of its function, which no other has."""
    code: i.Code
    given: Given

    @property
    def parameters(self) -> tuple[int, ...]:
        """The slots of the arguments that it is still given."""
        slots = range(len(self.code.parameters))
        return tuple(slot for slot in slots if slot not in self.given)


class Versions:
    """All versions of the rules of one linked program."""

    def __init__(self, codes: dict[str, i.Code]) -> None:
        self.codes = codes
        self.by_name: dict[str, Version] = {}
        self._known: dict[tuple[object, ...], Version] = {}
        self.numbers: Counter[str] = Counter()
        """How many versions a rule has but the general one."""
        self.instructions = 0
        """Of all versions but the general ones."""

    def general(self, rule: str) -> Version:
        """The version for any arguments."""
        return self._version(self.codes[rule], {})

    def special(self, rule: str, given: Given) -> Version:
        """The version for some arguments, as far as there may be one."""
        code = self.codes[rule]
        given = {slot: value for slot, value in given.items() if _is_named(value.value)}
        if not given:
            return self.general(rule)
        if _key(code, given) in self._known:
            return self._known[_key(code, given)]
        size = self.instructions + len(code.instructions)
        if size > MOST_INSTRUCTIONS or self.numbers[rule] >= MOST_VERSIONS:
            return self.general(rule)
        self.instructions = size
        self.numbers[rule] += 1
        return self._version(code, given)

    def _version(self, code: i.Code, given: Given) -> Version:
        key = _key(code, given)
        if key not in self._known:
            words = [code.name, *(label_of(given[slot].value) for slot in sorted(given))]
            name = "r_" + "_".join(map(plain_name, words))
            while name in self.by_name or _GOES_ON.search(name):
                name += "_"
            self.add(Version(name, code, given))
        return self._known[key]

    def add(self, version: Version) -> None:
        """Know a version that has a name."""
        self.by_name[version.name] = version
        self._known[_key(version.code, version.given)] = version


def _key(code: i.Code, given: Given) -> tuple[object, ...]:
    """What tells versions apart; yes is not 1, and entries are known by themselves."""
    values = ((slot, type(v.value), v.value) for slot, v in sorted(given.items()))
    return code.name, *values


def _is_named(value: Value) -> bool:
    return value is None or isinstance(value, Entry | bool | int | str)


def of_effect(value: Value) -> tuple[str, tuple[Value, ...]]:
    """The rule that an effect or script means, and its arguments."""
    assert isinstance(value, Effect | Script)
    return value.rule, value.arguments if isinstance(value, Effect) else ()
