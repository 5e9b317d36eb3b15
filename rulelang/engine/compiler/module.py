"""All rules of a linked program as Python functions, each compiled when it is first called."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Iterator
from functools import cached_property
from threading import RLock
from typing import Any, TypeGuard

from attrs import frozen

from rulelang.diagnostic import Span
from rulelang.engine.compiler import marks as marks_
from rulelang.engine.compiler import runtime, zones
from rulelang.engine.compiler.expressions import Expressions
from rulelang.engine.compiler.facts import Facts
from rulelang.engine.compiler.heap import Heap
from rulelang.engine.compiler.judge import Judging, Verdict
from rulelang.engine.compiler.rule import START, Root, Rule
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.compiler.versions import Given, Version, Versions, of_effect
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.machine import MAX_DEPTH, Ready
from rulelang.engine.making import Making
from rulelang.engine.moving import finder
from rulelang.engine.operators import MAX_WORK
from rulelang.engine.start import initial
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import MARKS, WORK, Linked
from rulelang.program.types import BAD, Many
from rulelang.program.values import Value

Function = Callable[..., Any]
_ORDER = {"set": 0, "row": 1, "pile": 2}
"""Where a card is looked for first: where few lie."""


@frozen(eq=False)
class Point:
    """A place at which a rule may wait: what a frame that goes on there holds."""

    version: Version
    root: Root
    place: int
    """Where the reference interpreter would go on."""
    saved: tuple[int, ...]
    """The slots of what lies in the frame behind the number of the point."""
    bound: tuple[tuple[int, Any], ...]
    """Other locals that are live: slots with a constant."""
    copied: tuple[tuple[int, int], ...]
    """Other locals that are live: slots with the parameter that they stand for."""
    derived: tuple[tuple[int, Callable[[list[Any]], Any]], ...]
    """Other locals that are live: slots with what makes them of all locals before them."""
    ends: tuple[int, ...]
    """The points of the ends of the scopes around it, the inner ones first."""
    rounds: tuple[tuple[int, int, int, int], ...]
    """The rounds around it: start, end, slot, and the slot of the round outside or -1."""

    @property
    def code(self) -> i.Code:
        """The rule."""
        return self.version.code


class Module:
    """The rules of one linked program, for stepping or for playing through."""

    def __init__(
        self,
        evaluators: Evaluators,
        ready: dict[str, Ready],
        making: Making,
        *,
        stepping: bool,
        policy: str = "",
        counted: frozenset[tuple[str, str]] = frozenset(),
        marks: bool = True,
        facts: Facts | None = None,
    ) -> None:
        self.evaluators = evaluators
        self.linked: Linked = evaluators.linked
        self.ready = ready
        self.making = making
        self.stepping = stepping
        self.policy = policy
        self.counted = counted
        self.facts = facts or Facts(self.linked, making)
        self.marks = marks
        """Is it noted who knows what? Without that, guards see less than they should."""
        self.in_place = not self.marks and not stepping
        """Do zones change in place?"""
        self.expressions = Expressions(evaluators)
        self.expressions.in_place = self.in_place
        self.versions = Versions(self.linked.codes)
        self.points: list[Point] = []
        self.functions: list[Function] = []
        """By the number of a point: what goes on there."""
        self._numbers: dict[tuple[str, Root], int] = {}
        self._wanted: list[Root] = []
        self._rules: dict[str, Rule] = {}
        self._shared: dict[Any, Any] = {}
        self._acts: dict[Any, str] = {}
        self.lengths: dict[str, int] = {}
        """What is known of the lines that versions take, by name."""
        self._compiled: set[str] = set()
        self.lain: dict[tuple[str, int], x.Read] = {}
        """By version and parameter: the zone in which what is handed over was put last."""
        self.sources: dict[str, tuple[str, tuple[Span | None, ...]]] = {}
        """By function: its source, and the place in the rules of each line."""
        self.names = self.expressions.pool.names
        self.names.update(runtime.given(self.linked, stepping=stepping))
        self.names["MODULE"] = self  # for whoever has nothing but a frame of generated code
        self._writing = RLock()
        """Held while anything is written: the games of a program, and so its module, may be
        played in several threads."""
        self.names["mark"] = marks_.marker(self.linked, making.knowledge)

    @cached_property
    def completes(self) -> dict[str, str]:
        """The endings that complete a scope first: the scope of each."""
        return self.facts.completes

    # ------------------------------------------------------------ functions

    @cached_property
    def play(self) -> Function:
        """The rule with which a game begins."""
        return self.compiled(self.versions.general("play"))

    def call(self, rule: str) -> Function:
        """The function of a rule, for any arguments."""
        with self._writing:
            function: Function = self.names[self.function(self.versions.general(rule))]
        return function

    def function(self, version: Version) -> str:
        """The name of a version's function, which is compiled when it is first called."""
        if version.name not in self.names:
            self.names[version.name] = self._stub(version)
        return version.name

    def special(self, rule: str, given: Given) -> Version:
        """A version of a rule for what is known of its arguments."""
        with self._writing:
            version = self.versions.special(rule, given)
            self.function(version)
        return version

    def may_inline(self, version: Version) -> bool:
        """May a rule be written where it is called?"""
        name = version.code.name
        if self.stepping or self.counted or name in self.facts.weights.circling:
            return False
        return not self.rule(version).scopes.rounds

    def length(self, version: Version) -> int:
        """How many lines a rule takes at least, where it is written into another one."""
        if version.name not in self.lengths:
            self.lengths[version.name] = self.rule(version).least_lines
        return self.lengths[version.name]

    def is_called_once(self, rule: str) -> bool:
        """Does only one place of all rules call a rule?"""
        return self.facts.weights.places[rule] == 1

    def _stub(self, version: Version) -> Function:
        def first(*arguments: Any) -> Any:
            return self.compiled(version)(*arguments)

        return first

    def compiled(self, version: Version) -> Function:
        """The function of a version, compiled."""
        with self._writing:
            if version.name not in self._compiled:
                self._compiled.add(version.name)
                self.compile(version)
        function: Function = self.names[version.name]
        return function

    def rule(self, version: Version) -> Rule:
        """The writer of a version."""
        if version.name not in self._rules:
            self._rules[version.name] = Rule(self, version)
        return self._rules[version.name]

    def acts(self, subject: x.Expr | None) -> str:
        """The table of functions that carry out effects and scripts, by identity.

        Those of rules with a subject are given it, unless it is known.
        """
        known = subject if isinstance(subject, x.Const) else None
        key = (subject is None, None if known is None else id(known.value))
        if key not in self._acts:
            table: dict[int, Function] = {}
            for value in self.facts.effects:
                function = self._act(value, subject, table)
                if function is not None:
                    table[id(value)] = function
            self._acts[key] = self.expressions.pool.put(table, "A")
        return self._acts[key]

    def _act(
        self, value: Value, subject: x.Expr | None, table: dict[int, Function]
    ) -> Function | None:
        """What carries out one effect; None where that cannot be done."""
        rule, arguments = of_effect(value)
        code = self.linked.codes.get(rule)
        if code is None:
            return None
        given: Given = {
            slot: x.Const(BAD, code.span, argument) for slot, argument in enumerate(arguments)
        }
        lacks = len(code.parameters) > len(arguments)
        if lacks and subject is None:
            return None
        if lacks and isinstance(subject, x.Const):
            given[len(arguments)] = subject

        def first(m: Any, s: Any, *others: Any) -> Any:
            version = self.special(rule, given)
            run = self.compiled(version)
            late = [given[slot].value for slot in version.parameters if slot in given]
            whole = not late and (lacks or subject is None or isinstance(subject, x.Const))
            if whole:
                table[id(value)] = run
            else:
                table[id(value)] = runtime.bound(run, tuple(late), lacks and bool(others))
            return table[id(value)](m, s, *others)

        return first

    # ------------------------------------------------------------ what rules refer to

    def shared(self, key: Any, value: Any) -> Any:
        """The first of the objects that are alike."""
        return self._shared.setdefault(key, value)

    def finder(self, kind: Any) -> str:
        """The function that finds where a card lies."""
        assert isinstance(kind, Many)
        found = self.shared(("find", str(kind.item)), finder(self.making, kind))
        return self.expressions.pool.put(found, "F")

    def remover(self, kind: Any) -> str:
        """The function that takes a card out of the zone that it lies in, if it lies in one.

        Where several may hold copies of it, and more than one does, it is in doubt.
        """
        assert isinstance(kind, Many)
        domain = str(kind.item)
        key = "remove", domain
        if key not in self._shared:
            copied = domain in self.expressions.shapes.copied
            places = sorted(self.linked.zones(domain), key=lambda place: _ORDER[place[1]])
            lines = zones.removing(places, copied=copied)
            name = self.expressions.pool.fresh("remove")
            self.expressions.functions.append("\n".join([f"def {name}(s, c):", *lines]))
            self._shared[key] = name
        found: str = self._shared[key]
        return found

    @cached_property
    def begin(self) -> Function:
        """What gives the slots in which a game that is played through begins. Raises Doubt."""
        try:
            start = initial(self.linked, self.evaluators)
        except Fault as fault:
            raise Doubt from fault
        names: dict[str, Any] = {"start": start, "Heap": Heap}
        lines = ["def begin():", "    s = start.copy()"]
        if self.marks:
            lines.append(f"    s[{MARKS}] = set(s[{MARKS}])")
        for at, form in self._zones() if self.in_place else ():
            names[f"z{at}"] = start[at]
            made = f"Heap(z{at})" if form == "pile" else f"list(z{at})" if start[at] else "[]"
            lines.append(f"    s[{at}] = {made}")
        exec("\n".join([*lines, "    return s"]), names)
        begin: Function = names["begin"]
        return begin

    @cached_property
    def verdict(self) -> Callable[[list[Value]], Verdict]:
        """What is made of a finished game that was played through. Raises Doubt."""
        judged = Judging(self.evaluators, in_place=self.in_place).outcome

        def verdict(slots: list[Value]) -> Verdict:
            slots[WORK] = MAX_WORK
            try:
                return judged(slots)
            except (Fault, *UNFORESEEN) as error:
                raise Doubt from error

        return verdict

    def _zones(self) -> Iterator[tuple[int, str]]:
        """The slots of sets, rows and piles, with their forms."""
        for field in self.linked.fields():
            if isinstance(field.type, Many) and field.type.form != "list":
                for n in range(self.linked.sizes[field.key]):
                    yield self.linked.bases[field.key] + n, field.type.form

    def operation(self, code: i.Code, node: int) -> str:
        """An instruction as the reference interpreter runs it."""
        return self.expressions.pool.put(self.ready[code.name].operations[node], "O")

    def guarded(self, code: i.Code, node: int) -> str:
        """The function that works out the candidates of a decision under guard."""
        operation = self.ready[code.name].operations[node]
        groups = runtime.guarded(operation, code, node, in_place=self.in_place)
        return self.expressions.pool.put(self.shared((code.name, node), groups), "G")

    def entry(self, version: Version) -> Iterator[str]:
        """The first lines of a rule: what is counted."""
        name, weights = version.code.name, self.facts.weights
        if name != "play":  # which is called from outside
            slots = range(len(version.code.parameters))
            given = "".join(f"{self._argument(version, slot)}, " for slot in slots)
            yield from self.counting("hook" if version.code.hook_of else "rule", name, given)
        turning = name in weights.turning
        if weights.is_heavy(name):
            yield from self.burnt(str(weights.weight(name)), checked=turning)
        if turning:
            yield f"if m.depth() >= {MAX_DEPTH - weights.chain}: raise Doubt"

    def _argument(self, version: Version, slot: int) -> str:
        known = version.given.get(slot)
        return f"l{slot}" if known is None else self.expressions.pool.constant(known.value)

    def turn_of_loop(self, code: i.Code, body: frozenset[int]) -> Iterator[str]:
        """The first lines of a loop: what a turn of it counts."""
        yield from self.burnt(str(self.weight_of_turn(code, body)))

    def weight_of_turn(self, code: i.Code, body: frozenset[int]) -> int:
        """What a turn of a loop counts."""
        weights = self.facts.weights
        nodes = [node for node in body if node >= 0]
        return 1 + sum(weights.of(code.name, n) * weights.times(code.name, n) for n in nodes)

    def burnt(self, fuel: str, *, checked: bool = True) -> Iterator[str]:
        """Lines that use up fuel.

        Where whole games are played, it need not be ``checked`` at once whether there was enough,
        if that is done before the same lines are met again.
        """
        yield f"m.fuel -= {fuel}"
        if self.stepping:
            yield "if m.fuel < 0: raise Doubt"
        elif checked:
            yield "if m.fuel < 0: m.refuel()"

    def counting(self, what: str, name: str, given: str) -> Iterator[str]:
        """A line that notes a call, if it is to be noted."""
        if (what, name) in self.counted:
            yield f"m.calls.append(({what!r}, {name!r}, ({given})))"

    def picked(self, seat: str, *, several: bool) -> str:
        """The source of the option that the policy takes of ``n``; ``several``: n is above 1."""
        if self.policy != "random":
            return "0"
        picked = f"m.w[{self._words_of(seat)}]() * n >> 32"
        return picked if several else f"{picked} if n > 1 else 0"

    def _words_of(self, seat: str) -> str:
        """The source of the number of a seat's words."""
        known = self.names.get(seat)
        if known is not None:
            return str(self.words[f"policy:{known.key}"])
        if self.facts.has_strangers:
            return f"within({seat}.index, 0, {len(self.linked.players) - 1})"
        return f"{seat}.index"

    @cached_property
    def words(self) -> dict[str, int]:
        """Every source of random words, with its number in the games that are played through."""
        linked = self.linked
        names = [f"policy:{seat.key}" for seat in linked.players]
        for field in linked.fields():
            if isinstance(field.type, Many) and field.type.form == "pile":
                owners = linked.owners(field) if field.per else ()
                name = f"pile:{field.key}"
                names += [f"{name}:{owner.label}" for owner in owners] or [name]
        dice = {n.die for code in linked.codes.values() for n in code.instructions if _rolls(n)}
        names += [f"die:{die}" for die in sorted(dice)]
        return {name: number for number, name in enumerate(names)}

    # ------------------------------------------------------------ points

    def point(self, version: Version, root: Root) -> int:
        """The number of a place at which a rule goes on."""
        key = version.name, root
        with self._writing:
            if key not in self._numbers:
                described = self._described(version, root)
                self._numbers[key] = len(self.points)
                self.points.append(described)
                self.functions.append(self._pending(len(self.functions), version))
            return self._numbers[key]

    def _described(self, version: Version, root: Root) -> Point:
        rule = self.rule(version)
        place = root.place + 1 if root.kind == "after" else root.place
        bound = [(slot, rule.bound[slot]) for slot in rule.live(root) if slot in rule.bound]
        before, rule.root = rule.root, root
        ends = rule.open_ends
        rule.root = before
        return Point(
            version,
            root,
            place,
            rule.saved(root),
            tuple((slot, e.value) for slot, e in bound if isinstance(e, x.Const)),
            tuple((slot, e.slot) for slot, e in bound if isinstance(e, x.Local)),
            tuple((slot, self._derived(rule, slot)) for slot, _ in bound if slot in rule.derived),
            tuple(self.point(version, Root("end", end)) for end in ends),
            tuple(
                (r.start, r.end, r.slot, rule.scopes.outer(r)) for r in rule.scopes.holding(place)
            ),
        )

    def _derived(self, rule: Rule, slot: int) -> Callable[[list[Any]], Any]:
        """What makes a local of those that it follows from."""
        run = self.evaluators.collection(rule.derived[slot])
        kept = [(other, e) for other, e in rule.bound.items() if isinstance(e, x.Const | x.Local)]

        def derived(locals_: list[Any]) -> Any:
            slots, _ = self.evaluators.blank(0)
            full = locals_.copy()
            for other, e in kept:
                full[other] = e.value if isinstance(e, x.Const) else full[e.slot]
            for other, expr in rule.derived.items():
                if other == slot:
                    break
                full[other] = self.evaluators.collection(expr)(slots, full)
            return run(slots, full)

        return derived

    def _pending(self, number: int, version: Version) -> Function:
        """What stands for a function until the rule is compiled."""

        def first(*arguments: Any) -> Any:
            self.compiled(version)
            return self.functions[number](*arguments)

        return first

    def want(self, root: Root) -> None:
        """A function of the rule that is being written is needed."""
        self._wanted.append(root)

    # ------------------------------------------------------------ compiling

    def compile(self, version: Version) -> None:
        """Make the functions of a version."""
        source, _ = self.source(version)
        filename = f"<rulelang {self.linked.program.name} {self.linked.mode} {version.name}>"
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        made: dict[str, Any] = {}
        exec(compile(source, filename, "exec"), self.names, made)
        self.names.update(made)  # all at once: another thread may call any of them from now on
        for number, point in enumerate(self.points):
            if point.version is version:
                self.functions[number] = self.names[self.rule(version).name(point.root)]

    def source(self, version: Version) -> tuple[str, tuple[Span | None, ...]]:
        """The source of a version's functions, and the place in the rules of each line."""
        if version.name not in self.sources:
            todo, done = [START], set()
            todo += [root for name, root in self._numbers if name == version.name]
            lines: list[str] = []
            spans: list[Span | None] = []
            while todo:
                root = todo.pop()
                if root in done:
                    continue
                done.add(root)
                self._wanted = []
                written = self.rule(version).function(root)
                functions = "\n".join(self.expressions.functions).splitlines()
                self.expressions.functions.clear()
                lines += [*functions, *written.lines]
                spans += [*[None] * len(functions), *written.spans]
                number = self._numbers.get((version.name, root))
                ends = self.points[number].ends if number is not None else ()
                todo += [*self._wanted, *(self.points[end].root for end in ends)]
            self.sources[version.name] = "\n".join([*lines, ""]), tuple(spans)
        return self.sources[version.name]


def _rolls(n: i.Instruction) -> TypeGuard[i.Roll]:
    return isinstance(n, i.Roll)
