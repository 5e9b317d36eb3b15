"""All rules of a linked program as Python functions, each compiled when it is first called."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from functools import cached_property
from types import CodeType
from typing import Any

from attrs import frozen

from rulelang.diagnostic import Span
from rulelang.engine import zones
from rulelang.engine.compiler import machine, runtime, support
from rulelang.engine.compiler.expressions import Expressions
from rulelang.engine.compiler.pool import plain_name
from rulelang.engine.compiler.rule import START, Root, Rule
from rulelang.engine.compiler.weights import Weights
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.exact import distinct
from rulelang.engine.machine import MAX_DEPTH, Ready
from rulelang.engine.making import Making
from rulelang.engine.moving import finder
from rulelang.engine.rounds import replaced
from rulelang.engine.sight import is_sure
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import Linked
from rulelang.program.types import Many
from rulelang.program.values import Effect, Script, by_index


@frozen(eq=False)
class Point:
    """A place at which a rule may wait: what a frame that goes on there holds."""

    code: i.Code
    root: Root
    place: int
    """Where the reference interpreter would go on."""
    saved: tuple[int, ...]
    """The slots of what lies in the frame behind the number of the point."""
    bound: tuple[tuple[int, Any], ...]
    """Other locals that are live: slots with a constant."""
    copied: tuple[tuple[int, int], ...]
    """Other locals that are live: slots with the parameter that they stand for."""
    ends: tuple[int, ...]
    """The points of the ends of the scopes around it, the inner ones first."""
    rounds: tuple[tuple[int, int, int, int], ...]
    """The rounds around it: start, end, slot, and the slot of the round outside or -1."""


class Module:
    """The rules of one linked program, for stepping or for playing through."""

    def __init__(self, evaluators: Evaluators, ready: dict[str, Ready], making: Making,
                 *, stepping: bool, policy: str = "",
                 counted: frozenset[tuple[str, str]] = frozenset()) -> None:
        self.evaluators = evaluators
        self.linked: Linked = evaluators.linked
        self.ready = ready
        self.making = making
        self.stepping = stepping
        self.policy = policy
        self.counted = counted
        self.expressions = Expressions(evaluators)
        self.codes = dict(self.linked.codes)
        self.weights = Weights(self.codes, self.applied)
        self.points: list[Point] = []
        self.functions: list[Callable[..., Any]] = []
        """By the number of a point: what goes on there."""
        self._numbers: dict[tuple[str, Root], int] = {}
        self._wanted: list[tuple[i.Code, Root]] = []
        self._rules: dict[str, Rule] = {}
        self._shared: dict[Any, Any] = {}
        self._sure: dict[int, bool] = {}
        self.sources: dict[str, tuple[str, tuple[Span | None, ...]]] = {}
        """By rule: its source, and the place in the rules of each line."""
        self.names = self.expressions.pool.names
        self.names.update(self._given())
        for name in self.codes:
            self.names[self.name(name)] = self._stub(name)
            self.calls[name] = self._stub(name), len(self.codes[name].parameters)

    def _given(self) -> dict[str, Any]:
        self.calls: dict[str, tuple[Callable[..., Any], int]] = {}
        return {
            "S": machine.SUSPENDED,
            "Left": support.Left,
            "Ended": support.Ended,
            "apply": runtime.applier(self.calls),
            "nobody": runtime.NOBODY,
            "leave": runtime.leave,
            "finish": runtime.finish,
            "publish": runtime.publish,
            "replaced": replaced,
            "doubt": runtime.doubt,
            "clamped": runtime.clamped,
            "somebody": runtime.somebody,
            "nothing": (None,),
            "seats": tuple(f"policy:{seat.key}" for seat in self.linked.players),
            "once": runtime.once,
            "distinct": distinct,
            "draw": runtime.draw_in_steps if self.stepping else runtime.draw,
            "top": zones.on_top,
            "drawn": zones.drawn,
            "put": zones.put,
            "take": zones.take,
            "zone": zones.of,
            "sorted_in": zones.sorted_in,
            "by_index": by_index,
        }

    # ------------------------------------------------------------ what rules are like

    @cached_property
    def applied(self) -> frozenset[str]:
        """The rules that an effect or script may be of."""
        values: list[Any] = [
            value
            for domain in self.linked.program.domains.values()
            for entry in domain.entries
            for value in entry.fields
        ]
        for code in self.codes.values():
            for n in code.instructions:
                values += [e.value for e in expressions_of(n) if isinstance(e, x.Const)]
        for question in self.linked.program.questions.values():
            values += [e.value for e in x.walk(question.branches) if isinstance(e, x.Const)]
        found = set()
        while values:
            value = values.pop()
            if isinstance(value, Effect):
                found.add(value.rule)
                values += value.arguments
            elif isinstance(value, Script):
                found.add(value.rule)
            elif isinstance(value, tuple):
                values += value
        return frozenset(found & self.codes.keys())

    @cached_property
    def _suspending(self) -> frozenset[str]:
        """The rules that may wait, themselves or in what they call."""
        found = {
            name
            for name, code in self.codes.items()
            if any(isinstance(n, i.Choose | i.Draw | i.Roll) for n in code.instructions)
        }
        grown = 0
        while len(found) > grown:
            grown = len(found)
            found |= {
                name
                for name, calls in self.weights.calls.items()
                if not found.isdisjoint(calls)
            }
        return frozenset(found)

    def may_suspend(self, n: i.Instruction) -> bool:
        """May the game wait in this instruction?"""
        match n:
            case i.Choose() | i.Draw() | i.Roll():
                return True
            case i.Perform():
                return n.rule in self._suspending
            case i.Apply():
                return not self._suspending.isdisjoint(self.applied)
        return False

    @cached_property
    def waiting(self) -> dict[str, frozenset[str]]:
        """For each label of a scope the endings that complete it first."""
        found: dict[str, set[str]] = {}
        for ending in self.linked.program.endings.values():
            if ending.completes:
                found.setdefault(ending.completes, set()).add(ending.name)
        return {label: frozenset(names) for label, names in found.items()}

    @cached_property
    def marks(self) -> bool:
        """Must it be noted who knows what? To play through only where a rule depends on it."""
        if self.stepping:
            return True
        return any(
            not self.is_sure(n, code)
            for code in self.codes.values()
            for n in code.instructions
            if isinstance(n, i.Choose)
        )

    @cached_property
    def completes(self) -> dict[str, str]:
        """The endings that complete a scope first: the scope of each."""
        endings = self.linked.program.endings.values()
        return {ending.name: ending.completes for ending in endings if ending.completes}

    def is_sure(self, n: i.Choose, code: i.Code) -> bool:
        """Do the options read only what the one who decides sees, as far as their text goes?"""
        if id(n) not in self._sure:
            known = self.making.knowledge.all_open or is_sure(self.making, n, code)
            self._sure[id(n)] = known
        return self._sure[id(n)]

    @cached_property
    def _strangers(self) -> bool:
        """Do rules name seats that are not there?"""
        seats = len(self.linked.players)
        if len(self.linked.program.domains["Player"].entries) <= seats:
            return False
        exprs = [n for code in self.codes.values() for n in code.instructions]
        return any(
            isinstance(part, x.Const)
            and getattr(part.value, "domain", "") == "Player"
            and part.value.index >= seats
            for n in exprs
            for part in expressions_of(n)
        )

    def strangers(self, domain: str) -> bool:
        """May a place be asked for of somebody who is not there?"""
        return domain == "Player" and self._strangers

    # ------------------------------------------------------------ what rules refer to

    def name(self, rule: str) -> str:
        """The name of a rule's function."""
        return f"r_{plain_name(rule)}"

    def shared(self, key: Any, value: Any) -> Any:
        """The first of the objects that are alike."""
        return self._shared.setdefault(key, value)

    def finder(self, kind: Any) -> str:
        """The function that finds where a card lies."""
        assert isinstance(kind, Many)
        found = self.shared(("find", str(kind.item)), finder(self.making, kind))
        return self.expressions.pool.put(found, "F")

    def operation(self, code: i.Code, node: int) -> str:
        """An instruction as the reference interpreter runs it."""
        return self.expressions.pool.put(self.ready[code.name].operations[node], "O")

    def guarded(self, code: i.Code, node: int) -> str:
        """The function that works out the candidates of a decision under guard."""
        groups = runtime.guarded(self.ready[code.name].operations[node], code, node)
        return self.expressions.pool.put(self.shared((code.name, node), groups), "G")

    def entry(self, code: i.Code) -> Iterator[str]:
        """The first lines of a rule: what heavy rules count."""
        name = code.name
        if name != "play":  # which is called from outside
            given = "".join(f"l{slot}, " for slot in range(len(code.parameters)))
            yield from self.counting("hook" if code.hook_of else "rule", name, given)
        if self.weights.is_heavy(name):
            yield f"m.fuel -= {self.weights.weight(name)}"
            yield "if m.fuel < 0: raise Doubt"
        if name in self.weights.turning:
            yield f"if m.depth() >= {MAX_DEPTH - self.weights.chain}: raise Doubt"

    def turn_of_loop(self, code: i.Code, body: frozenset[int]) -> Iterator[str]:
        """The first lines of a loop: what a turn of it counts."""
        weight = 1 + sum(self.weights.of(code.name, node) for node in body if node >= 0)
        yield f"m.fuel -= {weight}"
        yield "if m.fuel < 0: raise Doubt"

    def counting(self, what: str, name: str, given: str) -> Iterator[str]:
        """A line that notes a call, if it is to be noted."""
        if (what, name) in self.counted:
            yield f"m.calls.append(({what!r}, {name!r}, ({given})))"

    def picked(self, seat: str) -> str:
        """The source of the option that the policy takes of ``n``."""
        if self.policy == "random":
            return f"m.w[seats[{seat}.index]]() * n >> 32 if n > 1 else 0"
        return "0"

    # ------------------------------------------------------------ points

    def point(self, code: i.Code, root: Root) -> int:
        """The number of a place at which a rule goes on."""
        key = code.name, root
        if key not in self._numbers:
            described = self._described(code, root)
            self._numbers[key] = len(self.points)
            self.points.append(described)
            self.functions.append(self._pending(len(self.functions), code, root))
        return self._numbers[key]

    def _described(self, code: i.Code, root: Root) -> Point:
        rule = self.rule(code)
        saved = rule.saved(root)
        place = root.place + 1 if root.kind == "after" else root.place
        bound = [(slot, rule.bound[slot]) for slot in rule.live(root) if slot in rule.bound]
        before, rule.root = rule.root, root
        ends = rule.open_ends
        rule.root = before
        return Point(
            code,
            root,
            place,
            saved,
            tuple((slot, e.value) for slot, e in bound if isinstance(e, x.Const)),
            tuple((slot, e.slot) for slot, e in bound if isinstance(e, x.Local)),
            tuple(self.point(code, Root("end", end)) for end in ends),
            tuple(
                (r.start, r.end, r.slot, rule.scopes.outer(r)) for r in rule.scopes.holding(place)
            ),
        )

    def _pending(self, number: int, code: i.Code, root: Root) -> Callable[..., Any]:
        """What stands for a function until the rule is compiled."""

        def first(*arguments: Any) -> Any:
            self.compile(code.name)
            return self.functions[number](*arguments)

        return first

    def want(self, code: i.Code, root: Root) -> None:
        """A function is needed."""
        self._wanted.append((code, root))

    # ------------------------------------------------------------ compiling

    def rule(self, code: i.Code) -> Rule:
        """The writer of a rule."""
        if code.name not in self._rules:
            self._rules[code.name] = Rule(self, code)
        return self._rules[code.name]

    def _stub(self, name: str) -> Callable[..., Any]:
        """What stands for a rule until it is first called."""

        def first(*arguments: Any) -> Any:
            self.compile(name)
            return self.names[self.name(name)](*arguments)

        return first

    def add(self, code: i.Code, ready: Ready) -> None:
        """Take in a rule that is none of the game's own."""
        self.codes[code.name] = code
        self.ready = {**self.ready, code.name: ready}

    def compile(self, name: str) -> None:
        """Make the functions of a rule."""
        source, spans = self.source(name)
        filename = f"<rulelang {self.linked.program.name} {self.linked.mode} {name}>"
        made: CodeType = compile(source, filename, "exec")
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        exec(made, self.names)
        self.calls[name] = self.names[self.name(name)], len(self.codes[name].parameters)
        for number, point in enumerate(self.points):
            if point.code.name == name:
                self.functions[number] = self.names[self.rule(point.code).name(point.root)]

    def source(self, name: str) -> tuple[str, tuple[Span | None, ...]]:
        """The source of a rule's functions, and the place in the rules of each line."""
        if name not in self.sources:
            code = self.codes[name]
            todo, done = [(code, START)], set()
            lines: list[str] = []
            spans: list[Span | None] = []
            while todo:
                code, root = todo.pop()
                if root in done:
                    continue
                done.add(root)
                self._wanted = []
                written = self.rule(code).function(root)
                functions = [text for each in self.expressions.functions
                             for text in each.splitlines()]
                self.expressions.functions.clear()
                lines += [*functions, *written.lines]
                spans += [*[None] * len(functions), *written.spans]
                number = self._numbers.get((name, root))
                ends = self.points[number].ends if number is not None else ()
                todo += [*self._wanted, *((code, self.points[end].root) for end in ends)]
            self.sources[name] = "\n".join([*lines, ""]), tuple(spans)
        return self.sources[name]


def expressions_of(n: i.Instruction) -> Iterator[x.Expr]:
    """All expressions of an instruction."""
    todo: list[Any] = [n]
    while todo:
        part = todo.pop()
        if isinstance(part, x.Expr):
            yield from x.walk(part)
        elif isinstance(part, tuple):
            todo.extend(part)
        elif isinstance(part, i.Instruction | i.Place | i.Offer):
            todo.extend(getattr(part, a.name) for a in part.__attrs_attrs__ if a.name != "span")  # type: ignore[union-attr]
