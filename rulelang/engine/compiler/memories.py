"""What is remembered: answers that depend on few values alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulelang.engine.compiler.shape import MANY_KEYS
from rulelang.engine.compiler.simplify import rebuilt, renumbered
from rulelang.program import expressions as x
from rulelang.program.types import BAD, FLAG, NONE, Many, Table, is_pile, members

if TYPE_CHECKING:
    from rulelang.engine.compiler.expressions import Expressions

Reads = dict[str, x.Local]
"""What stands for reads of the state in a function that remembers: by their source."""
COSTLY = frozenset(
    ("distinct", "earlier", "forward", "less", "next", "numbers", "reversed", "ring", "sorted",
     "subsets")
)  # fmt: skip
"""Operators that take longer than to look an answer up."""
FEW_OWNERS = 4
"""Those whose fields are the key of a memory together."""
_CHEAP = (x.Const, x.Local, x.Read, x.FieldOf, x.Items, x.All)
_LONG = (x.Each, x.AskDefine, x.OnBoard)
# Tuples, for a union of types that stands where it is asked for is made anew each time.


class Memories:
    """Finds what is worth remembering, and writes how it is looked up."""

    def __init__(self, writer: Expressions) -> None:
        self.writer = writer

    def is_worth_it(self, expr: x.Expr) -> bool:
        """Does working it out take much more than looking it up?"""
        if isinstance(expr, _CHEAP):
            return False
        return any(
            isinstance(p, _LONG) or (isinstance(p, x.Op) and p.name in COSTLY) for p in x.walk(expr)
        )

    def is_remembered(self, expr: x.Expr) -> bool:
        """Is an expression looked up, once it was worked out?"""
        return self.is_worth_it(expr) and self.looked_up(expr) is not None

    def looked_up(self, expr: x.Expr) -> str | None:
        """The source of looking an answer up; None where it depends on too much."""
        found = self.memory(expr)
        if found is None:
            return None
        memory, key, costs = found
        if costs:
            return f"recalled({self.writer.state}, {memory}, {key})"
        return f"{memory}[{key}]"

    def quick(self, expr: x.Expr) -> tuple[str, str, bool] | None:
        """The source of looking an answer up among those that are known, of asking for it where it
        is not, and whether it costs something: that is not charged for as a rule. None if it is not
        looked up."""
        found = self.remembered(expr)
        if found is None:
            return None
        memory, key, costs = found
        known = self.named(f"Q{memory}", f"{memory}.quick")
        return f"{known}[{key}]", f"{memory}[{key}]", costs

    def remembered(self, expr: x.Expr) -> tuple[str, str, bool] | None:
        """The memory of the answers that took little, the key, and whether it costs something."""
        found = self.memory(expr) if self.is_worth_it(expr) else None
        if found is None:
            return None
        memory, key, costs = found
        if costs:
            kind = "StepMemo" if self.writer.several else "LightMemo"
            memory = self.named(f"L{memory[1:]}", f"{kind}({memory})")
        return memory, key, costs

    def named(self, name: str, source: str) -> str:
        """The name of something that is made once; it is the name itself."""
        if name not in self.writer.helpers:
            self.writer.helpers[name] = name
            self.writer.functions.append(f"{name} = {source}")
        return name

    def memory(self, expr: x.Expr) -> tuple[str, str, bool] | None:
        """The memory of an expression, the key, and whether the work that it took is there, too."""
        found = self._depending(expr, set())
        if found is None:
            return None
        inner, given = found
        locals_ = self.writer.shapes.locals(inner)
        flags = "".join("01"[FLAG in members(locals_[slot].type)] for slot in given)
        body = ", ".join(f"l{slot}" for slot in range(len(given)))
        # What is alike is remembered once, whatever its locals are called.
        inner = renumbered(inner, {slot: n for n, slot in enumerate(given)})
        self.writer.stateless += 1
        with self.writer.knowing({}):  # its locals are others
            function = self.writer.function("m", body, [f"return {self._collection_plain(inner)}"])
        self.writer.stateless -= 1
        costs = self.writer.work.charges(inner)
        alike = f"memo {function} {flags}"  # a flag and a number may be the same key
        memory = self.writer.helpers.get(alike)
        if memory is None:
            memory = self.writer.pool.fresh("M")
            self.writer.helpers[alike] = memory
            made = f"CostMemo({function}, alone" if costs else f"Memo({function}"
            self.writer.functions.append(f"{memory} = {made}, single={len(given) == 1})")
        return memory, _tuple(given), costs

    def key(self, expr: x.Expr, own: set[int]) -> str | None:
        """The source of what an expression depends on, beside some locals; None if that is nothing
        or too much."""
        found = self._depending(expr, own)
        return None if found is None else _tuple(found[1])

    def new(self) -> str:
        """The name of a memory that others fill; behind a Q that of the answers that it has."""
        name = self.writer.pool.fresh("D")
        self.writer.functions += [f"{name} = Remembered()", f"Q{name} = {name}.quick"]
        return name

    def _depending(self, expr: x.Expr, own: set[int]) -> tuple[x.Expr, dict[int, str]] | None:
        """An expression that knows of no state, and the sources of what its locals are, by slot,
        beside some that are its own; None if those are none or too many."""
        if any(isinstance(part, x.Read) and self._is_zone(part) for part in x.walk(expr)):
            return None  # whatever the questions in it ask for
        reads: Reads = {}
        whole = self.writer.simplifier.expanded(expr)
        if whole is None:
            return None
        whole = self._told_apart(whole)
        free = self.writer.shapes.locals(whole).keys() - own - _perhaps_nobody(whole)
        inner = self._without_reads(whole, reads, free)
        if inner is None:
            return None
        found = self.writer.shapes.locals(inner)
        parameters = {slot: found[slot] for slot in sorted(found) if slot not in own}
        keys = 1
        for local in parameters.values():
            keys *= (
                0 if self.writer.shapes.mixes(local.type) else self.writer.shapes.keys(local.type)
            )
        if not parameters or not 0 < keys <= MANY_KEYS:
            return None
        sources = {local.slot: source for source, local in reads.items()}
        return inner, {slot: sources.get(slot, f"l{slot}") for slot in parameters}

    def _told_apart(self, expr: x.Expr) -> x.Expr:
        """A list of those few of whom something holds, each written out with what it is asked for:
        their own fields are then some of the state's, and may be the key of a memory."""
        if not isinstance(expr, x.Each) or expr.name != "list" or not _reads_own(expr):
            return expr
        cases = self.writer.comprehensions.cases(expr)
        if cases is None or not 1 < len(cases) <= FEW_OWNERS:
            return expr
        nobody = x.Items(expr.type, expr.span, ())
        whole: x.Expr = nobody
        for value, tests in cases:
            each: x.Expr = x.Items(expr.type, expr.span, (x.Const(BAD, expr.span, value),))
            for test in reversed(tests):
                each = x.If(expr.type, expr.span, test, each, nobody)
            whole = x.Op(expr.type, expr.span, "join", (whole, each))
        return whole

    def _collection_plain(self, expr: x.Expr) -> str:
        """The source of an expression that is not remembered itself; its parts may be."""
        text = self.writer.plain(expr)
        return f"items({text})" if is_pile(expr.type) else text

    def _without_reads(self, expr: x.Expr, reads: Reads, free: Any) -> x.Expr | None:
        """The expression with a local for each value of the state; None where it cannot be."""
        parts = list(x.walk(expr))
        for part in parts:
            if isinstance(part, x.AskDefine | x.Ways) and not self.writer.shapes.is_state_free(
                part
            ):
                return None
            if isinstance(part, x.Op) and part.name in ("ended", "outcome"):
                return None
            if isinstance(part, x.Read) and not self._is_key(part, free):
                return None
        return self._replaced(expr, reads)

    def _is_key(self, part: x.Read, free: Any) -> bool:
        """May a value of the state be part of the key of a memory?"""
        if part.field in self.writer.evaluators.fixed and part.owner is None:
            return True
        if self._is_zone(part):
            return False
        owner = part.owner
        return (
            owner is None
            or isinstance(owner, x.Const)
            or (isinstance(owner, x.Local) and owner.slot in free)
        )

    def _is_zone(self, part: x.Read) -> bool:
        """Does a field hold many values, and other ones from time to time?"""
        if part.field in self.writer.evaluators.fixed and part.owner is None:
            return False
        return any(isinstance(m, Many | Table) for m in members(part.type))

    def _replaced(self, expr: x.Expr, reads: Reads) -> x.Expr:
        if isinstance(expr, x.Read) and not (
            expr.field in self.writer.evaluators.fixed and expr.owner is None
        ):
            source = self.writer.read(expr)
            if source not in reads:
                slot = self.writer.simplifier.fresh()
                reads[source] = x.Local(expr.type, expr.span, slot, "read")
            return reads[source]
        return rebuilt(expr, lambda part: self._replaced(part, reads))  # type: ignore[no-any-return]


def _perhaps_nobody(expr: x.Expr) -> set[int]:
    """The locals that may be none. Their fields are no keys: where there is nobody, nobody asks."""
    found = (part for part in x.walk(expr) if isinstance(part, x.Local))
    return {local.slot for local in found if NONE in members(local.type)}


def _tuple(given: dict[int, str]) -> str:
    """The source of a key: of one value, or of several."""
    one, *others = given.values()
    return f"({', '.join((one, *others))})" if others else one


def _reads_own(expr: x.Each) -> bool:
    """Is a condition about fields of the item?"""
    owners = (part.owner for part in x.walk(expr) if isinstance(part, x.Read))
    return any(isinstance(owner, x.Local) and owner.slot == expr.slot for owner in owners)
