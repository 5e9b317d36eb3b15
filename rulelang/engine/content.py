"""Questions about what entries do: their instructions as data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rulelang.engine.operators import Evaluator, Locals, Slots, charge
from rulelang.program import scripts
from rulelang.program.program import Program
from rulelang.program.values import Effect, Entry, Script, Value

if TYPE_CHECKING:
    from rulelang.engine.evaluate import Evaluators


class Contents:
    """What the scripts of a program say, by the name of the rule that each was lowered to.

    A script that was read from a save names that rule alone.
    """

    def __init__(self, program: Program) -> None:
        self._steps = {
            script.rule: script.steps
            for domain in program.domains.values()
            for entry in domain.entries
            for script in _scripts(entry)
        }

    def effects(self, value: Value) -> tuple[Effect, ...]:
        """The instructions of a script, of a list of them or of one, whatever they depend on."""
        if isinstance(value, Script):
            return scripts.effects(self._steps[value.rule])
        return value if isinstance(value, tuple) else (value,)

    def mentions(self, value: Value, entry: Entry) -> bool:
        """Is the entry named in an instruction or a condition?"""
        if isinstance(value, Script):
            return entry in scripts.named(self._steps[value.rule])
        return any(entry in effect.arguments for effect in self.effects(value))


def _scripts(entry: Entry) -> Iterator[Script]:
    yield from (value for value in entry.fields if isinstance(value, Script))


def effects(evaluators: Evaluators, body: Evaluator) -> Evaluator:
    """``effects(script)``"""
    contents = evaluators.contents

    def run(s: Slots, f: Locals) -> Value:
        found = contents.effects(body(s, f))
        charge(s, len(found) + 1)
        return found

    return run


def mentions(evaluators: Evaluators, body: Evaluator, entry: Evaluator) -> Evaluator:
    """``mentions(script, entry)``"""
    contents = evaluators.contents

    def run(s: Slots, f: Locals) -> bool:
        charge(s, 1)
        return contents.mentions(body(s, f), entry(s, f))

    return run
