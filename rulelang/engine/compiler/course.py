"""How far all games of a program go alike: set-up that nobody decides and nothing decides.

The reference interpreter plays up to the first event. From what lies on its stack then follows what
rules may still do: a field that none of them writes any more stays as set-up has left it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from attrs import fields, frozen

from rulelang.engine.compiler.beginning import zones
from rulelang.engine.compiler.roots import Root
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.machine import FUEL, SUSPEND, Frame, Machine
from rulelang.engine.start import initial
from rulelang.program import instructions as i
from rulelang.program.linking import ENDINGS
from rulelang.program.rounds import rounds
from rulelang.program.values import Value

if TYPE_CHECKING:
    from rulelang.engine.compiler.facts import Facts
    from rulelang.engine.compiler.module import Module


Settled = dict[str, tuple[Value, ...]]
"""The fields that nothing writes any more: what they hold, of each owner in turn."""


@frozen(eq=False)
class Way:
    """A rule under way: where it goes on, with its locals."""

    rule: str
    root: Root
    locals: list[Value]


@frozen(eq=False)
class Course:
    """A game on its way, which all others have come, too."""

    ways: tuple[Way, ...]
    """The rules under way, the one first that goes on first."""
    slots: list[Value]
    steps: int
    """Calls and turns of loops so far."""
    turns: int
    settled: Settled


def course(module: Module) -> Course | None:
    """How far all games go alike; None if that is no way, or none that could be begun behind."""
    facts = module.facts
    try:
        last = _run(_machine(module), facts, None)
        if not last:
            return None
        machine = _machine(module)
        _run(machine, facts, last)
    except (Fault, *UNFORESEEN):
        return None
    stack = machine.stack
    top, *callers = stack[::-1]
    ways = [Way(top.ready.name, Root("here", top.place), top.locals)]
    ways += [Way(f.ready.name, Root("after", f.place - 1), f.locals) for f in callers]
    steps = FUEL - machine.fuel
    return Course(tuple(ways), machine.slots, steps, machine.turns, _settled(machine, facts))


def settled_at_first_event(module: Module) -> Settled:
    """The fields that nothing writes any more behind the first event of all games."""
    try:
        machine = first_event(module)
    except Fault:
        return {}
    waiting = (each for f in machine.stack for each in rounds(f.ready.code) if each.holds(f.place))
    return {} if any(waiting) else _settled(machine, module.facts)


def first_event(module: Module) -> Machine:
    """A game of the reference interpreter at its first event, chance left open. Raises Fault."""
    machine = _machine(module)
    machine.run()
    return machine


def _machine(module: Module) -> Machine:
    slots = initial(module.linked, module.evaluators)
    machine = Machine(module.linked, module.ready, slots, None)
    machine.call("play")
    return machine


def _run(machine: Machine, facts: Facts, stop: int | None) -> int:
    """Play up to an instruction, given by how many came before, or to the first event: how many
    came before the last instruction at which compiled rules could begin; 0 if there is none."""
    stack, count, last = machine.stack, 0, 0
    while stack:
        frame = stack[-1]
        operations, locals, place = frame.ready.operations, frame.locals, frame.place
        while place >= 0:
            if not machine.slots[ENDINGS] and _is_plain(stack, place, facts):
                last = count
                if count == stop:
                    frame.place = place
                    return count
            count += 1
            machine.place = place
            place = operations[place](machine, locals)
        if place == SUSPEND:
            return last
    return 0


def _is_plain(stack: list[Frame], place: int, facts: Facts) -> bool:
    """May all rules under way go on where they stand? No scope, round or loop is open."""
    if any(frame.place not in facts.plain[frame.ready.name] for frame in stack[:-1]):
        return False
    return place in facts.plain[stack[-1].ready.name]


def _settled(machine: Machine, facts: Facts) -> Settled:
    """The fields that rules under way, and what they may call, write no more. Zones are none."""
    linked, slots = machine.linked, machine.slots
    written = _written(facts, machine.stack)
    zoned = {field for _, field, _ in zones(linked)}
    return {
        key: tuple(slots[base : base + linked.sizes[key]])
        for key, base in linked.bases.items()
        if key not in written and key not in zoned
    }


def _written(facts: Facts, stack: list[Frame]) -> Collection[str]:
    """The fields that rules under way, and those that they may call, still name as a place."""
    seen: set[tuple[str, int]] = set()
    todo = [(frame.ready.name, place) for frame in stack for place in _places_ahead(frame)]
    written: set[str] = set()
    while todo:
        at = todo.pop()
        name, place = at
        if at in seen or name not in facts.codes:
            continue
        seen.add(at)
        n = facts.codes[name].instructions[place]
        written.update(_places(n))
        todo += [(name, other) for other in facts.weights.paths[name].next[place]]
        if isinstance(n, i.Perform):
            todo.append((n.rule, 0))
        elif isinstance(n, i.Apply):
            todo += [(rule, 0) for rule in facts.applied]
    return written


def _places_ahead(frame: Frame) -> Iterator[int]:
    """Where a rule may go on: where it waits, and at the ends of the scopes that are open."""
    yield frame.place
    for start, n in enumerate(frame.ready.code.instructions):
        if isinstance(n, i.Enter) and start < frame.place <= n.end:
            yield n.end


def _places(n: i.Instruction) -> Iterator[str]:
    for attribute in fields(type(n)):
        part = getattr(n, attribute.name)
        if isinstance(part, i.Place):
            yield part.field
