"""One rule as Python functions: one from its start, and one from each place where it goes on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rulelang.engine.compiler import control, steps
from rulelang.engine.compiler.dispatch import Dispatch
from rulelang.engine.compiler.facts import without_event
from rulelang.engine.compiler.flow import Flow
from rulelang.engine.compiler.graph import ROOT, Graph, Unstructured
from rulelang.engine.compiler.known import Known
from rulelang.engine.compiler.lines import Lines
from rulelang.engine.compiler.roots import START, Root
from rulelang.engine.compiler.scopes import Scopes
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.liveness import frame_locals, live_locals
from rulelang.program.types import BAD, is_pile

if TYPE_CHECKING:
    from rulelang.engine.compiler.inlining import Inlined
    from rulelang.engine.compiler.module import Module
    from rulelang.engine.compiler.versions import Version

EVENTS = (i.Choose, i.Draw, i.Roll)


class Rule(Known):
    """Writes the functions of one rule."""

    def __init__(self, module: Module, version: Version) -> None:
        self.module = module
        self.version = version
        self.code = version.code
        self.stepping = module.stepping
        self.expressions = module.expressions
        self.scopes = Scopes(self.code, module.facts.waiting)
        self.bound: dict[int, x.Expr] = dict(version.given)
        self.derived: dict[int, x.Expr] = {}
        self.inlined: Inlined | None = None
        self.offset = 0
        """What is added to the slots of its locals there."""
        self.taken = self.code.slots
        """The slots that are taken in the function that is written."""
        self.root = START
        self.whole = False
        """Is the flow looked at as if nothing waited?"""
        self._simple = {}
        self.is_bound = False
        self.bind()
        self.is_bound = True

    # ------------------------------------------------------------ expressions

    def local(self, slot: int) -> str:
        """The name of a local."""
        return f"l{slot + self.offset}"

    def text(self, expr: x.Expr) -> str:
        """The source of an expression."""
        return self.expressions.text(self.simple(expr))

    def collection(self, expr: x.Expr) -> str:
        """The source of a collection's items."""
        return self.expressions.collection(self.simple(expr))

    def assign(self, out: Lines, target: str, value: x.Expr) -> None:
        """A line that puts what a simplified expression gives, items of a pile, into a name."""
        found = None if is_pile(value.type) else self.expressions.memories.quick(value)
        if found is None:
            out.add(f"{target} = {self.expressions.collection(value)}")
            return
        known, asked, costs = found
        out.add(f"try: {target} = {known}", f"except KeyError: {target} = {asked}")
        if costs and self.expressions.several:
            out.add(f"if {target} is HEAVY: {target} = {self.expressions.collection(value)}")

    # ------------------------------------------------------------ the graph

    @cached_property
    def least_lines(self) -> int:
        """The least number of lines that the rule can be written in."""
        nodes = Graph(ROOT, self.successors, reducible=False).order
        return sum(
            not isinstance(self.instruction(node), i.Jump | i.Give | type(None)) for node in nodes
        )

    def instruction(self, node: int) -> i.Instruction | None:
        """The instruction of a node; None for the root."""
        return None if node == ROOT else self.code.instructions[node]

    def successors(self, node: int) -> Iterator[int]:
        """The nodes that may follow one."""
        if node == ROOT:
            yield from self._from_root()
        elif not self.is_terminal(node):
            yield from control.successors(self, node)

    def _from_root(self) -> Iterator[int]:
        root = self.root
        n = self.code.instructions[root.place]
        if root.kind == "answer":
            assert isinstance(n, i.Choose)
            yield from (self.resolved(offer.to) for offer in n.offers)
            if n.decline is not None:
                yield self.resolved(n.decline)
        else:
            behind = root.kind in ("after", "settle")
            place = root.place + 1 if behind else root.place
            yield place if root.kind == "end" else self.resolved(place)

    def is_terminal(self, node: int) -> bool:
        """Does a function of its own go on there?"""
        return self.terminal(node) is not None

    def terminal(self, node: int) -> Root | None:
        """The function that goes on at a node, if one does."""
        root = self.root
        if root.kind == "start" or node == ROOT:
            return None
        if node in self.open_ends:
            return Root("end", node)
        body = self.loops.get(node)
        if body is None or (root.kind == "head" and node == root.place):
            return None
        return Root("head", node) if root.place in body else None

    @property
    def open_ends(self) -> tuple[int, ...]:
        """The ends of the scopes that are open where the function begins, the inner ones first."""
        if self.root.kind == "start":
            return ()
        place = self.root.place
        behind = self.root.kind in ("after", "settle", "answer")
        return self.scopes.ends_around(place, strictly=self.root.kind == "end" or not behind)

    @cached_property
    def loops(self) -> dict[int, frozenset[int]]:
        """The loops in which the rule may be suspended: their first nodes and all their nodes."""
        if not self.stepping:
            return {}
        root, self.root, self.whole = self.root, START, True
        headers = Graph(ROOT, self.successors).headers
        self.root, self.whole = root, False
        return {
            header: body
            for header, body in headers.items()
            if any(self.may_suspend(node) for node in self._with_scopes(body))
        }

    def _with_scopes(self, body: frozenset[int]) -> frozenset[int]:
        """The nodes of a loop, and all those of the scopes in it: what leads back from some of them
        may be nothing but leaving the scope."""
        entered = {node: n.end for node in body if isinstance(n := self.instruction(node), i.Enter)}
        return body.union(*(range(node, end) for node, end in entered.items()))

    def asks(self, header: int, body: frozenset[int], *, chance: bool) -> bool:
        """Is there a decision in every turn of a loop, or else a chance event? Of numbered blocks,
        that is not known."""
        return header != ROOT and any(
            self._is_event(node, body, chance) and not self._comes_back(header, body - {node})
            for node in body
        )

    def _is_event(self, node: int, body: frozenset[int], chance: bool) -> bool:
        """Does a loop go on behind an instruction only if there was an event?"""
        n = self.instruction(node)
        if isinstance(n, i.Perform):
            facts = self.module.facts
            return n.rule in (facts.asking if chance else facts.deciding)
        around = None if n is None else without_event(n, chance=chance)
        return around is not None and all(self.resolved(place) not in body for place in around)

    def _comes_back(self, header: int, nodes: frozenset[int]) -> bool:
        """Does a way lead from an instruction back to it through some others alone?"""
        seen: set[tuple[int, bool]] = set()
        todo = [(header, False)] if header in nodes else []
        while todo:
            before, turned = todo.pop()
            n = self.instruction(before)
            for node in self.successors(before):
                if not turned and isinstance(n, i.Iterate) and node == self.resolved(n.end):
                    continue  # of items that are surely there, one has its turn first
                if node == header:
                    return True
                turns = not self._begins(before, node)
                if node in nodes and (node, turns) not in seen:
                    seen.add((node, turns))
                    todo.append((node, turns))
        return False

    def _begins(self, before: int, node: int) -> bool:
        """Does a loop over items that are surely there begin where one instruction follows
        another?"""
        n = self.instruction(node)
        if not isinstance(n, i.Iterate) or node <= before < n.end:
            return False
        lists = [
            m.value for m in self.code.instructions if isinstance(m, i.Set) and m.slot == n.rest
        ]
        known = [self.simple(value) for value in lists]
        return bool(known) and all(isinstance(e, x.Const) and e.value for e in known)

    def waits_inside(self, header: int) -> bool:
        """May the rule wait inside a loop, in this function or in another one?"""
        return header in self.loops

    def may_suspend(self, node: int) -> bool:
        """May the rule wait at a node?"""
        if node == ROOT or not self.stepping:
            return False
        return self.module.facts.may_suspend(self.code.instructions[node])

    # ------------------------------------------------------------ frames

    def name(self, root: Root) -> str:
        """The name of a function."""
        return self.version.name + root.suffix

    def saved(self, root: Root) -> tuple[int, ...]:
        """The slots that a frame keeps which goes on there."""
        slots = self.live(root)
        return tuple(sorted({t for slot in slots for t in self._behind(slot)}))

    def live(self, root: Root) -> tuple[int, ...]:
        """The slots that the reference keeps there."""
        if root.kind == "after":
            return frame_locals(self.code, root.place + 1, called=True)
        if root.kind in ("answer", "settle"):
            return frame_locals(self.code, root.place, called=False)
        return tuple(sorted(live_locals(self.code)[root.place]))

    def locals_at(self, node: int) -> str:
        """The source of all locals, as the reference interpreter keeps them."""
        live = live_locals(self.code)[node]
        kept = (
            self.text(x.Local(BAD, self.code.span, slot, "")) if slot in live else "None"
            for slot in range(self.code.slots)
        )
        return f"[{', '.join(kept)}]"

    def _behind(self, slot: int) -> Iterator[int]:
        value = self.bound.get(slot)
        if value is None:
            yield slot
        else:
            yield from self.expressions.shapes.locals(value)

    def frame(self, root: Root) -> str:
        """The source of a frame that goes on there."""
        return f"({self.module.point(self.version, root)}, {self.kept(root)}, q)"

    @property
    def first_arguments(self) -> str:
        """What its functions are given before anything else."""
        return "m, s, q" if self.module.takes_frame(self.code.name) else "m, s"

    def kept(self, root: Root) -> str:
        """The source of what is still wanted there."""
        self.module.want(root)
        slots = [f"l{slot}" for slot in self.saved(root)]
        return f"({', '.join(slots)})" if len(slots) > 1 else slots[0] if slots else "None"

    def entrance(self, root: Root) -> Root:
        """The root of the function that goes on there: what leads straight to a loop has none."""
        n = self.code.instructions[root.place]
        if root.kind != "after" or (isinstance(n, i.Perform) and n.slot is not None):
            return root
        before, self.root = self.root, root
        there = self.terminal(self.resolved(root.place + 1))
        self.root = before
        same = there is not None and self.saved(there) == self.saved(root)
        return there if there is not None and there.kind == "head" and same else root

    def tail(self, root: Root) -> Iterator[str]:
        """Lines that go on in the function of a place, which then has what waits in rounds."""
        kept = self.kept(root)
        if self.scopes.rounds:
            yield f"kept = {kept}"
            yield from (f"l{each.slot} = ()" for each in self.scopes.rounds)
            kept = "kept"
        yield f"return {self.name(root)}({self.first_arguments}, {kept}, None)"

    # ------------------------------------------------------------ writing

    def function(self, root: Root) -> Lines:
        """A whole function."""
        try:
            return self._function(root, Flow)
        except Unstructured:
            return self._function(root, Dispatch)

    def _function(self, root: Root, kind: type[Flow]) -> Lines:
        self.root = root
        out = Lines(0)
        out.span = self.code.span
        parameters = "".join(f", l{slot}" for slot in self.version.parameters)
        start = root.kind == "start"
        if not start:
            saved = self.saved(root)
            kept = f"l{saved[0]}" if len(saved) == 1 else "kept"
            parameters = f", {kept}, {'k' if root.kind == 'answer' else 'value'}"
        head = f"def {self.name(root)}({self.first_arguments}{parameters}):"
        flow = kind(self, ROOT, out)
        with out.inside(head):
            if self.module.is_generator(self.code.name):
                out.add("if 0: yield")  # so that it is one, whatever it comes to
            if start:
                out.add(*self.module.entry(self.version))
                out.add(*(f"l{slot} = None" for slot in self.unset()))
            else:
                self._unpack(out, root)
            if self.scopes.rounds:
                self._publishing(flow, out, root)
            else:
                self._scoped(flow, out)
        if self.is_whole:  # what ends the game need not be raised where nobody called
            out.lines = [line.replace("    raise Ended", "    return") for line in out.lines]
        return out

    @property
    def is_whole(self) -> bool:
        """Is it a whole game that is played through, with nothing that waits for its end?"""
        played = self.code.name == "play" and not self.stepping and not self.scopes.rounds
        return played and not self.module.facts.weights.places["play"]

    def _publishing(self, flow: Flow, out: Lines, root: Root) -> None:
        """The flow of a rule with rounds: whoever ends them publishes what waits."""
        known = () if root.kind == "start" else self.saved(root)
        slots = [each.slot for each in self.scopes.rounds if each.slot not in known]
        out.add(*(f"l{slot} = ()" for slot in slots))
        with out.inside("try:"):
            self._scoped(flow, out)
        with out.inside("except (Ended, Left):"):
            for each in self.scopes.rounds:
                out.add(*self.scopes.publish(each))
            out.add("raise")

    def _scoped(self, flow: Flow, out: Lines) -> None:
        ends = self.open_ends
        if ends:
            self._guarded(flow, out, ends)
        else:
            flow.write()

    def unset(self) -> Iterator[int]:
        """The locals that some way reads which has not set them: they begin as nothing."""
        parameters = len(self.code.parameters)
        for slot in sorted(live_locals(self.code)[0]):
            if slot >= parameters and slot not in self.bound:
                yield slot

    def _unpack(self, out: Lines, root: Root) -> None:
        saved = self.saved(root)
        if len(saved) > 1:
            out.add(f"{', '.join(f'l{slot}' for slot in saved)} = kept")
        n = self.code.instructions[root.place]
        if root.kind == "after" and isinstance(n, i.Perform) and n.slot is not None:
            out.add(f"l{n.slot} = value")

    def _guarded(self, flow: Flow, out: Lines, ends: tuple[int, ...]) -> None:
        """The flow inside scopes that stay open: whoever leaves one goes on at its end."""
        own = " - 1" if self.root.kind == "end" else ""  # the scope that closes first of all
        out.add(f"depth = len(m.scopes){own}")
        with out.inside("try:"):
            flow.write()
        with out.inside("except Left as left:"):
            out.add(*self.scopes.publish_within(self.root.place, ends[0]))
            for inner, end in enumerate(ends):
                with out.inside(f"if left.depth == depth - {inner}:"):
                    out.add("del m.scopes[left.depth:]", *self.tail(Root("end", end)))
            out.add("raise")

    def write(self, flow: Flow, node: int, follow: int | None) -> int | None:
        """A node; the one to go on with in place, if there is one."""
        terminal = self.terminal(node)
        if terminal is not None:
            flow.out.add(*self.tail(terminal))
            return None
        if node == ROOT:
            return steps.root(self, flow, follow)
        flow.out.span = self.code.instructions[node].span
        return control.write(self, flow, node, follow)

    def plain(self, flow: Flow, node: int) -> None:
        """The lines of a node with one way on."""
        flow.out.span = self.code.instructions[node].span
        control.straight(self, flow, node)

    def before_loop(self, flow: Flow, header: int, body: frozenset[int]) -> None:
        """The lines before a loop."""
        control.before_loop(self, flow, header, body)

    def loop_head(self, header: int, behind: int | None, body: frozenset[int]) -> str:
        """The first line of a loop."""
        return control.loop_head(self, header, behind, body)

    def write_header(
        self, flow: Flow, header: int, follow: int | None, behind: int | None, body: frozenset[int]
    ) -> int | None:
        """The first node of a loop, inside it."""
        return control.write_header(self, flow, header, follow, behind, body)


__all__ = ["EVENTS", "ROOT", "Root", "Rule"]
