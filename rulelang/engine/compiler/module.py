"""All rules of a linked program as Python functions, each compiled when it is first called."""

from __future__ import annotations

import builtins
import linecache
from collections.abc import Callable, Iterator
from functools import cached_property
from threading import RLock
from types import CodeType
from typing import TYPE_CHECKING, Any

from rulelang.collecting import uncollected
from rulelang.diagnostic import Span
from rulelang.engine.compiler import marks as marks_
from rulelang.engine.compiler import runtime
from rulelang.engine.compiler.acts import act_key, table
from rulelang.engine.compiler.facts import Facts
from rulelang.engine.compiler.given import known
from rulelang.engine.compiler.graph import ROOT
from rulelang.engine.compiler.judge import Judging, Verdict
from rulelang.engine.compiler.opening import Opening, opening
from rulelang.engine.compiler.points import Point
from rulelang.engine.compiler.pool import Pool
from rulelang.engine.compiler.rollout import NAMED, PER_WORD
from rulelang.engine.compiler.roots import START, Root
from rulelang.engine.compiler.support import Doubt
from rulelang.engine.compiler.versions import Given, Version, Versions
from rulelang.engine.evaluate import Evaluators
from rulelang.engine.fault import UNFORESEEN, Fault
from rulelang.engine.machine import Ready
from rulelang.engine.making import Making
from rulelang.engine.moving import finder
from rulelang.engine.operators import MAX_WORK
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import WORK, Linked
from rulelang.program.types import Many
from rulelang.program.values import Value

if TYPE_CHECKING:  # what writes rules is loaded when one is written
    from rulelang.engine.compiler.course import Course, Settled
    from rulelang.engine.compiler.expressions import Expressions
    from rulelang.engine.compiler.rule import Rule
    from rulelang.engine.compiler.weights import Weights

Function = Callable[..., Any]
Source = tuple[str, tuple[Span | None, ...]]
LIGHT_TURN = 1_000
"""What a turn of a loop may weigh that counts nothing, as there is a decision in each."""
_ORDER = {"set": 0, "row": 1, "pile": 2}
"""Where a card is looked for first: where few lie."""


class Module:
    """The rules of one linked program, to be stepped from the first event on, or played through."""

    def __init__(
        self,
        evaluators: Evaluators,
        ready: dict[str, Ready],
        making: Making,
        *,
        stepping: bool,
        asking: bool = False,
        policy: str = "",
        counted: frozenset[tuple[str, str]] = frozenset(),
        facts: Facts | None = None,
        judging: Callable[..., Judging] = Judging,
        late: bool = False,
    ) -> None:
        self.evaluators = evaluators
        self.linked: Linked = evaluators.linked
        self.ready = ready
        self.making = making
        self.stepping = stepping
        self.asking = asking
        """Are rules generators, which ask whoever plays? Only where they are not stepped."""
        self.policy = policy
        self.counted = counted
        self.facts = facts or Facts(self.linked, making)
        self._late = late
        """Do games begin where they no longer go all alike?"""
        self._judging = judging
        """What makes the functions that judge games, or has them already."""
        self.marks = stepping or self.facts.needs_marks
        """Is it noted who knows what? Where nothing depends on it, games that are played through
        need not do so."""
        self.in_place = not self.marks and not stepping
        """Do zones change in place?"""
        self.pool = Pool(known())
        self.writing_before: tuple[Any, ...] = ()
        """Where writing stood in the process that this one goes on from."""
        self.versions = Versions(self.linked.codes)
        self.points: list[Point] = []
        self.functions: list[Function] = []
        """By the number of a point: what goes on there."""
        self.numbers: dict[tuple[str, Root], int] = {}
        """The numbers of points."""
        self._wanted: list[Root] = []
        self._rules: dict[str, Rule] = {}
        self.shared_objects: dict[Any, Any] = {}
        """The first of objects that are alike."""
        self.act_names: dict[Any, str] = {}
        self.lengths: dict[str, int] = {}
        """What is known of the lines that versions take, by name."""
        self.defined: set[str] = set()
        """The names that compiled code has given."""
        self.codes: dict[str, CodeType] = {}
        """By version: its functions, compiled."""
        self.grown = False
        """Was anything compiled since somebody last asked whether to keep it?"""
        self.lain: dict[tuple[str, int], x.Read] = {}
        """By version and parameter: the zone in which what is handed over was put last."""
        self._sources: dict[str, Source] = {}
        self.later: Callable[[], dict[str, Source]] | None = None
        """What reads the sources of versions that were kept, until somebody asks for them."""
        self.names = self.pool.names
        self.names.update(runtime.given(self.linked, stepping=stepping, in_place=self.in_place))
        self.names["MODULE"] = self  # for whoever has nothing but a frame of generated code
        self.names["__builtins__"] = vars(builtins)
        self.names["mark"] = marks_.marker(self.linked, making.knowledge)
        self.given = frozenset(self.names)
        """The names that every module has."""
        self.writing = RLock()
        """Held while anything is written: the games of a program, and so its module, may be
        played in several threads."""

    @cached_property
    def expressions(self) -> Expressions:
        """What writes expressions."""
        from rulelang.engine.compiler.expressions import Expressions

        made = Expressions(self.evaluators, self.pool)
        made.in_place, made.several = self.in_place, self.stepping or self.asking
        made.shapes.from_start = not self.stepping
        made.simplifier.settled = self._settled()
        if self.in_place:
            made.even, made.loose = self.facts.even, self.facts.loose
        if self.writing_before:
            made.go_on(*self.writing_before)
        return made

    @cached_property
    def completes(self) -> dict[str, str]:
        """The endings that complete a scope first: the scope of each."""
        return self.facts.completes

    # ------------------------------------------------------------ functions

    @cached_property
    def play(self) -> Function:
        """The rule with which a game begins."""
        return self.compiled(self.versions.general("play"))

    def function(self, version: Version) -> str:
        """The name of a version's function, which is compiled when it is first called."""
        if version.name not in self.names:
            self.names[version.name] = self._stub(version)
        return version.name

    def special(self, rule: str, given: Given) -> Version:
        """A version of a rule for what is known of its arguments."""
        with self.writing:
            version = self.versions.special(rule, given)
            self.function(version)
        return version

    def takes_frame(self, rule: str) -> bool:
        """Is a rule handed the frame that goes on behind it?"""
        return self.stepping and rule in self.facts.framed

    def is_generator(self, rule: str) -> bool:
        """Is a rule a generator, which asks whoever plays for decisions?"""
        return self.asking and rule in self.facts.asked

    def may_inline(self, version: Version) -> bool:
        """May a rule be written where it is called?"""
        name, weights = version.code.name, self.facts.weights
        if self.counted or name in weights.circling or weights.is_deep:
            return False
        if self.stepping and self.facts.waits(name):
            return False  # it has frames of its own
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
        with self.writing:
            if version.name not in self.codes:
                with uncollected():
                    self.compile(version)
        function: Function = self.names[version.name]
        return function

    def rule(self, version: Version) -> Rule:
        """The writer of a version."""
        from rulelang.engine.compiler.rule import Rule

        if version.name not in self._rules:
            self._rules[version.name] = Rule(self, version)
        return self._rules[version.name]

    def acts(self, subject: x.Expr | None) -> str:
        """The name of the table of functions that carry out effects and scripts: see `table`."""
        key = act_key(subject)
        if key not in self.act_names:
            self.act_names[key] = self.pool.put(table(self, subject), "A", "acts", subject)
        return self.act_names[key]

    # ------------------------------------------------------------ what rules refer to

    def shared(self, key: Any, value: Any) -> Any:
        """The first of the objects that are alike."""
        return self.shared_objects.setdefault(key, value)

    def finder(self, kind: Any) -> str:
        """The function that finds where a card lies."""
        assert isinstance(kind, Many)
        found = self.shared(("find", str(kind.item)), finder(self.making, kind))
        return self.pool.put(found, "F", "finder", kind)

    def remover(self, kind: Any) -> str:
        """The function that takes a card out of the zone that it lies in, if it lies in one.

        Where several may hold copies of it, and more than one does, it is in doubt.
        """
        assert isinstance(kind, Many)
        domain = str(kind.item)
        key = "remove", domain
        if key not in self.shared_objects:
            from rulelang.engine.compiler import zones

            copied = domain in self.expressions.shapes.copied
            places = sorted(self.linked.zones(domain), key=lambda place: _ORDER[place[1]])
            lines = zones.removing(places, copied=copied)
            name = self.pool.fresh("remove")
            self.expressions.functions.append("\n".join([f"def {name}(s, c):", *lines]))
            self.shared_objects[key] = name
        found: str = self.shared_objects[key]
        return found

    @cached_property
    def course(self) -> Course | None:
        """How all games begin, if they are to go on from there."""
        from rulelang.engine.compiler.course import course

        return course(self) if self._late else None

    def _settled(self) -> Settled:
        """The fields that no rule writes any more which is played with this module."""
        from rulelang.engine.compiler.course import settled_at_first_event

        if self.stepping:
            return settled_at_first_event(self)
        return {} if self.course is None else self.course.settled

    @cached_property
    def opening(self) -> Opening:
        """Where games that are played through begin. Raises Doubt."""
        return opening(self)

    @cached_property
    def judged(self) -> Callable[[list[Value]], Verdict]:
        """What is made of a finished game that was played through. Raises what Python raises."""
        return self._judging(self.evaluators, in_place=self.in_place).outcome

    def verdict(self, slots: list[Value]) -> Verdict:
        """The same, with all the work that may be done. Raises Doubt."""
        slots[WORK] = MAX_WORK
        try:
            return self.judged(slots)
        except (Fault, *UNFORESEEN) as error:
            raise Doubt from error

    def operation(self, code: i.Code, node: int) -> str:
        """An instruction as the reference interpreter runs it."""
        operation = self.ready[code.name].operations[node]
        return self.pool.put(operation, "O", "operation", code.name, node)

    def guarded(self, code: i.Code, node: int) -> str:
        """The function that works out the candidates of a decision under guard."""
        operation = self.ready[code.name].operations[node]
        groups = self.shared((code.name, node), runtime.guarded(operation, code, node))
        return self.pool.put(groups, "G", "guarded", code.name, node)

    def entry(self, version: Version) -> Iterator[str]:
        """The first lines of a rule: what is counted."""
        name, weights = version.code.name, self.weights
        if name != "play":  # which is called from outside
            slots = range(len(version.code.parameters))
            given = "".join(f"{self._argument(version, slot)}, " for slot in slots)
            yield from self.counting("hook" if version.code.hook_of else "rule", name, given)
        turning = name in weights.turning
        if weights.is_heavy(name):
            yield from self.burnt(str(weights.weight(name)))
        if turning or weights.is_deep:
            yield f"if m.depth() > {weights.deepest}: raise Doubt"

    def _argument(self, version: Version, slot: int) -> str:
        known = version.given.get(slot)
        return f"l{slot}" if known is None else self.pool.constant(known.value)

    @cached_property
    def weights(self) -> Weights:
        """How much the rules may do before anything is counted."""
        weights = self.facts.weights
        return weights.step_by_step() if self.stepping else weights

    def turn_of_loop(self, rule: Rule, body: frozenset[int], header: int = ROOT) -> Iterator[str]:
        """The first lines of a loop: what a turn of it counts."""
        weight = self.weight_of_turn(rule, body, header)
        if weight:
            yield from self.burnt(str(weight))

    def weight_of_turn(self, rule: Rule, body: frozenset[int], header: int = ROOT) -> int:
        """What a turn of a loop counts, with the short loops in it that do not count themselves:
        nothing, if it is light and there is a decision in each, or lighter still and there is a
        random word for each, as words are counted by the block.

        Without a header it is one of numbered blocks, where all loops do.
        """
        weights, name = self.weights, rule.code.name
        inside = frozenset(
            place for place in body if place != header != ROOT and not rule.waits_inside(place)
        )
        nodes = [node for node in body if node >= 0]
        each = (weights.of(name, node) * weights.times(name, node, inside) for node in nodes)
        weight = 1 + sum(each)
        if weight <= LIGHT_TURN and rule.asks(header, body, chance=False):
            return 0
        counted = not self.stepping and weight <= PER_WORD
        return 0 if counted and rule.asks(header, body, chance=True) else weight

    def burnt(self, fuel: str) -> Iterator[str]:
        """Lines that use up fuel."""
        yield f"m.fuel -= {fuel}"
        yield f"if m.fuel < 0: {'raise Doubt' if self.stepping else 'm.refuel()'}"

    def counting(self, what: str, name: str, given: str) -> Iterator[str]:
        """A line that notes a call, if it is to be noted."""
        if (what, name) in self.counted:
            yield f"m.calls.append(({what!r}, {name!r}, ({given})))"

    def word(self, source: str) -> str:
        """What takes the next random word of a source, which is given by its number."""
        left = f"m.w{source}" if f"w{source}" in NAMED else f"m.w[{source}]"
        return f"({left} or m.more({source})).pop()"

    # ------------------------------------------------------------ points

    def point(self, version: Version, root: Root) -> int:
        """The number of a place at which a rule goes on."""
        key = version.name, root
        with self.writing:
            if key not in self.numbers:
                described = self._described(version, root)
                self.numbers[key] = len(self.points)
                self.points.append(described)
                self.functions.append(self.pending(len(self.functions), version))
            return self.numbers[key]

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
            tuple((slot, self.derived(rule, slot)) for slot, _ in bound if slot in rule.derived),
            tuple(self.point(version, Root("end", end)) for end in ends),
            tuple(
                (r.start, r.end, r.slot, rule.scopes.outer(r)) for r in rule.scopes.holding(place)
            ),
        )

    def derived(self, rule: Rule, slot: int) -> Callable[[list[Any]], Any]:
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

    def pending(self, number: int, version: Version) -> Function:
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
        filename = self.filename(version)
        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        made: dict[str, Any] = {}
        self.codes[version.name] = code = compile(source, filename, "exec")
        self.grown = True
        exec(code, self.names, made)
        self.defined |= made.keys()
        self.names.update(made)  # all at once: another thread may call any of them from now on
        for number, point in enumerate(self.points):
            if point.version is version:
                self.functions[number] = self.names[version.name + point.root.suffix]

    def filename(self, version: Version) -> str:
        """What Python is told that the source of a version lies in."""
        return f"<rulelang {self.linked.program.name} {self.linked.mode} {version.name}>"

    @property
    def sources(self) -> dict[str, Source]:
        """By function: its source, and the place in the rules of each line."""
        if self.later is not None:
            later, self.later = self.later, None
            self._sources = {**later(), **self._sources}
        return self._sources

    def source(self, version: Version) -> tuple[str, tuple[Span | None, ...]]:
        """The source of a version's functions, and the place in the rules of each line."""
        if version.name not in self.sources:
            todo, done = [START], set()
            todo += [root for name, root in self.numbers if name == version.name]
            lines: list[str] = []
            spans: list[Span | None] = []
            same: list[str] = []
            rule = self.rule(version)
            while todo:
                root = todo.pop()
                if root in done:
                    continue
                done.add(root)
                there = rule.entrance(root)
                if there != root:
                    same.append(f"{rule.name(root)} = {rule.name(there)}")
                    todo.append(there)
                    continue
                self._wanted = []
                written = rule.function(root)
                functions = "\n".join(self.expressions.functions).splitlines()
                self.expressions.functions.clear()
                lines += [*functions, *written.lines]
                spans += [*[None] * len(functions), *written.spans]
                number = self.numbers.get((version.name, root))
                ends = self.points[number].ends if number is not None else ()
                todo += [*self._wanted, *(self.points[end].root for end in ends)]
            spans += [None] * len(same)
            self.sources[version.name] = "\n".join([*lines, *same, ""]), tuple(spans)
        return self.sources[version.name]
