"""Plain steps and calls, made functions of a machine and the locals of a frame."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.engine import zones
from rulelang.engine.evaluate import Evaluator
from rulelang.engine.fault import Fault
from rulelang.engine.machine import SWITCH, Machine, Operation
from rulelang.engine.making import Locals, Making, failing
from rulelang.engine.rounds import publish as publish_round
from rulelang.engine.rounds import replaced
from rulelang.program import instructions as i
from rulelang.program.expressions import Each, Expr, Local, Op
from rulelang.program.linking import Linked
from rulelang.program.rounds import rounds
from rulelang.program.types import MAX_NUMBER, Many, Num, Table, Type, admits, members
from rulelang.program.values import Effect, Value, label_of


def set_(making: Making, n: i.Set, after: int, code: i.Code) -> Operation:
    """A local takes a value."""
    slot, value = n.slot, making.collection(n.value)
    if grows(n.value):
        value = _limited(value)

    def run(m: Machine, f: Locals) -> int:
        f[slot] = value(m.slots, f)
        return after

    return run


def grows(expr: Expr) -> bool:
    """May a loop make a number out of this that no memory holds?"""
    if isinstance(expr, Op):
        return expr.name in ("+", "-") and isinstance(expr.type, Num)
    return isinstance(expr, Each) and expr.name == "sum"


def _limited(value: Evaluator) -> Evaluator:
    def run(s: list[Value], f: Locals) -> Value:
        number = value(s, f)
        if not -MAX_NUMBER <= number <= MAX_NUMBER:
            raise Fault("a number becomes too great")
        return number

    return run


def store(making: Making, n: i.Store, after: int, code: i.Code) -> Operation:
    """A place of the state takes a value, now or when the writes of a round are published."""
    place, value = making.place(n.place), making.collection(n.value)
    bounded = _bounded(n)
    key = making.prepare(n.place.key) if n.place.key is not None else None
    deferred = n.deferred

    def run(m: Machine, f: Locals) -> int:
        s = m.slots
        new = value(s, f)
        if bounded is not None:
            new = bounded(new)
        at = place(s, f)
        if deferred is not None:
            index = None if key is None else key(s, f).index
            f[deferred] = (*f[deferred], (at, index, new))
        elif key is not None:
            s[at] = replaced(s[at], key(s, f).index, new)
        else:
            s[at] = new
        return after

    return run


def _bounded(n: i.Store) -> Callable[[Value], Value] | None:
    """The check of a new value against the domain of its place; None where everything fits."""
    kind = n.place.type
    if isinstance(kind, Table) and n.place.key is not None:
        kind = kind.value
    if isinstance(kind, Many):
        form = kind.form
        if form == "set":
            return lambda value: zones.of(tuple(dict.fromkeys(value)), form)
        return (lambda value: zones.of(value, form)) if form == "pile" else None
    if not any(isinstance(member, Num) for member in members(kind)):
        return None
    if isinstance(kind, Num) and n.clamped:
        return _clamped(kind)
    return _stopped(kind, n.place.field)


def _clamped(kind: Num) -> Callable[[Value], Value]:
    low = -MAX_NUMBER if kind.low is None else kind.low
    high = MAX_NUMBER if kind.high is None else kind.high
    return lambda value: low if value < low else min(value, high)


def _stopped(kind: Type, field: str) -> Callable[[Value], Value]:
    def check(value: Value) -> Value:
        if not admits(kind, value):
            raise Fault(f"{field} would become {label_of(value)}, and is {kind}")
        return value

    if not isinstance(kind, Num):
        return check
    low = -MAX_NUMBER if kind.low is None else kind.low
    high = MAX_NUMBER if kind.high is None else kind.high
    return lambda value: value if low <= value <= high else check(value)


def publish(making: Making, n: i.Publish, after: int, code: i.Code) -> Operation:
    """The writes that waited are carried out in one step; inside another round they wait on."""
    inside = rounds(code)
    here = next(each for each in inside if each.end == after - 1)

    def run(m: Machine, f: Locals) -> int:
        publish_round(m, f, inside, here)
        return after

    return run


def jump(making: Making, n: i.Jump, after: int, code: i.Code) -> Operation:
    """On to another place; the way back of a loop costs fuel."""
    to = n.to
    if not n.loop:
        return lambda m, f: to

    def back(m: Machine, f: Locals) -> int:
        m.fuel -= 1
        if m.fuel < 0:
            m.exhausted()
        return to

    return back


def branch(making: Making, n: i.Branch, after: int, code: i.Code) -> Operation:
    """One of two ways."""
    condition, otherwise = making.prepare(n.condition), n.otherwise
    return lambda m, f: after if condition(m.slots, f) else otherwise


def iterate(making: Making, n: i.Iterate, after: int, code: i.Code) -> Operation:
    """The next of what a loop has left."""
    rest, slot, end = n.rest, n.slot, n.end

    def run(m: Machine, f: Locals) -> int:
        left = f[rest]
        if not left:
            return end
        f[slot] = left[0]
        f[rest] = left[1:]
        return after

    return run


# ---------------------------------------------------------------- calls


def perform(making: Making, n: i.Perform, after: int, code: i.Code) -> Operation:
    """A rule is called."""
    ready = making.ready.get(n.rule)
    if ready is None:
        return failing(f"`{n.rule}` does not exist in mode {making.linked.mode}")
    arguments = tuple(
        making.argument(argument, kind, f"`{n.rule}` is given")
        for argument, kind in zip(n.arguments, parameter_types(making.linked, n), strict=True)
    )
    public = making.public(n.arguments)
    if len(arguments) == 1:
        only = arguments[0]
        return lambda m, f: m.push(ready, [only(m.slots, f)], public)
    return lambda m, f: m.push(ready, [argument(m.slots, f) for argument in arguments], public)


def parameter_types(linked: Linked, n: i.Perform) -> list[Type]:
    """The types of a called rule's parameters, as far as it is a rule of the game."""
    rule = n.rule
    if rule.endswith(":proceed"):
        rule = linked.codes[rule].hook_of
    signature = linked.program.signatures.get(rule)
    if signature is None:
        return [argument.type for argument in n.arguments]
    kinds = [kind for _, kind in signature.parameters]
    return kinds if signature.subject is None else [*kinds, signature.subject[1]]


def apply(making: Making, n: i.Apply, after: int, code: i.Code) -> Operation:
    """An effect or script is carried out, for a subject where its rule takes one."""
    effect = making.prepare(n.effect)
    subject = making.prepare(n.subject) if n.subject is not None else None
    all_ready, mode = making.ready, making.linked.mode

    def run(m: Machine, f: Locals) -> int:
        done = effect(m.slots, f)
        ready = all_ready.get(done.rule)
        if ready is None:
            raise Fault(f"`{done.rule}` does not exist in mode {mode}")
        arguments = list(done.arguments) if isinstance(done, Effect) else []
        if len(ready.code.parameters) > len(arguments):
            if subject is None:
                raise Fault(f"`{done.rule}` is done for somebody, and nobody is named")
            arguments.append(subject(m.slots, f))
        return m.push(ready, arguments)

    return run


def give(making: Making, n: i.Give, after: int, code: i.Code) -> Operation:
    """The end of a rule."""
    value = _result(making, n, code)

    def run(m: Machine, f: Locals) -> int:
        stack = m.stack
        result = None if value is None else value(m.slots, f)
        stack.pop()
        if stack:
            caller = stack[-1]
            slot = caller.ready.results[caller.place]
            if slot is not None:
                caller.locals[slot] = result
        return SWITCH

    return run


def _result(making: Making, n: i.Give, code: i.Code) -> Evaluator | None:
    if n.value is None:
        return None
    signature = making.linked.program.signatures.get(code.hook_of or code.name)
    kind = signature.gives if signature is not None else None
    if kind is None:
        return making.prepare(n.value)
    # A hook may have changed the result that it was handed, whose type is the rule's.
    changed = bool(code.hook_of) and isinstance(n.value, Local)
    return making.argument(n.value, kind, f"`{code.name}` gives", always=changed)
