"""What can be said of an expression before it runs: what it reads, how much it holds."""

from __future__ import annotations

from functools import cached_property

from rulelang.engine.evaluate import Evaluators
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import (
    FLAG,
    NONE,
    Many,
    Named,
    Num,
    Simple,
    Table,
    Type,
    members,
)

MOST_ITEMS = 65_536
MANY_KEYS = 5_000_000
"""Arguments that a memory would have to tell apart: more, and it is not worth while."""
UNBOUNDED = 30
"""Values that a number without bounds is expected to take."""
_ASSIGNING = (i.Store, i.Arrange)
SOME_LISTS = 600
"""Lists of entries that are expected in one place."""


class Shapes:
    """Answers for the expressions of one linked program."""

    def __init__(self, evaluators: Evaluators) -> None:
        self.evaluators = evaluators
        self.linked = evaluators.linked
        self.program = evaluators.linked.program
        self.from_start = False
        """Are games sure to begin as the program says?"""
        self.sizes: dict[int, int] = {}
        """The greatest number of items that some locals hold, by slot."""

    # ------------------------------------------------------------ what it reads

    def free(self, expr: x.Expr) -> tuple[int, ...]:
        """The slots of the locals that an expression is given, in order."""
        return tuple(sorted(self.locals(expr)))

    def locals(self, expr: x.Expr) -> dict[int, x.Local]:
        """The locals that an expression is given, by slot."""
        parts = list(x.walk(expr))
        bound = {part.slot for part in parts if isinstance(part, x.Each | x.Ways)}
        return {p.slot: p for p in parts if isinstance(p, x.Local) and p.slot not in bound}

    def is_state_free(self, expr: x.Expr) -> bool:
        """Does the value depend on nothing but the locals?"""
        return all(map(self.evaluators.reads_nothing, x.walk(expr)))

    # ------------------------------------------------------------ how much it holds

    def size(self, expr: x.Expr) -> int:
        """The greatest number of items of a collection, as far as that is known."""
        match expr:
            case x.Const():
                return len(expr.value) if hasattr(expr.value, "__len__") else 1
            case x.Items():
                return len(expr.items)
            case x.Local():
                return self.sizes.get(expr.slot, MOST_ITEMS)
            case x.All():
                return len(self.evaluators.all_of(expr.domain))
            case x.Each(name="list" | "best"):
                return self.size(expr.source)
            case x.FieldOf():
                return self._field_size(expr)
            case x.Read(field="players", owner=None):
                return self.count("Player")
            case x.Read():
                return self._zone_size(expr.type)
            case x.OnBoard(question="reach"):
                return len(self.evaluators.graph(expr.edges).next)
            case x.OnBoard():
                return max(map(len, self.evaluators.graph(expr.edges).next.values()), default=0)
            case x.If():
                return max(self.size(expr.yes), self.size(expr.no))
            case x.Op():
                return self._made_size(expr)
        return MOST_ITEMS

    def _made_size(self, expr: x.Op) -> int:
        sizes = [self.size(argument) for argument in expr.arguments[:1]]
        match expr.name:
            case "all" | "take" | "drop" | "earlier" | "ring" | "sorted" | "reversed" | "distinct":
                at = len(expr.arguments) - 1 if expr.name in ("take", "drop", "earlier") else 0
                return self.size(expr.arguments[at])
            case "less":
                return sizes[0]
            case "join":
                return min(MOST_ITEMS, sizes[0] + self.size(expr.arguments[1]))
        return MOST_ITEMS

    def _field_size(self, expr: x.FieldOf) -> int:
        if not isinstance(expr.value.type, Named):
            return MOST_ITEMS
        entries = self.program.domains[expr.value.type.domain].entries
        values = (e.fields[expr.place] for e in entries if len(e.fields) > expr.place >= 0)
        return max((len(v) for v in values if isinstance(v, tuple)), default=1)

    def _zone_size(self, kind: Type) -> int:
        if not isinstance(kind, Many) or kind.form == "list" or str(kind.item) in self.copied:
            return MOST_ITEMS
        return self.count(str(kind.item))

    def count(self, domain: str) -> int:
        """How many values a domain has."""
        if domain == "Player":
            return len(self.linked.players)
        found = self.program.domains.get(domain)
        return len(found.entries) if found is not None else MOST_ITEMS

    # ------------------------------------------------------------ no item twice

    @cached_property
    def copied(self) -> frozenset[str]:
        """The domains of which one card may lie in two places, or twice in one."""
        found = set()
        for field in self.linked.fields():
            kind = field.type
            if isinstance(kind, Many) and kind.form != "list":
                domain = str(kind.item)
                if self._may_be_copied(domain):
                    found.add(domain)
        return frozenset(found)

    def _may_be_copied(self, domain: str) -> bool:
        fields = [f for f in self.linked.fields() if _is_zone(f.type, domain)]
        homes = [field for field in fields if field.default is not None]
        if len(homes) > 1 or any(field.per for field in homes):
            return True
        if any(not self.is_distinct(f.default) for f in homes if f.default is not None):
            return True
        return any(_is_zone(kind, domain) for kind in self._assigned)

    @cached_property
    def _assigned(self) -> frozenset[Type]:
        """The types of all places that some rule sets as a whole."""
        codes = self.linked.codes.values()
        found = [n for code in codes for n in code.instructions if isinstance(n, _ASSIGNING)]
        return frozenset([n.place.type for n in found])

    def _only_loses(self, key: str) -> bool:
        """Does a zone begin without copies, and does no rule put anything there?"""
        if key not in self.gaining:
            field = self.program.state.get(key)
            default = None if field is None else field.default
            return default is not None and self.is_distinct(default)
        return False

    @cached_property
    def gaining(self) -> frozenset[str]:
        """The zones into which cards are put; all of them, where a game may begin in its middle."""
        if not self.from_start:
            return frozenset(field.key for field in self.linked.fields())
        found = set()
        for code in self.linked.codes.values():
            for n in code.instructions:
                if isinstance(n, i.Store | i.Arrange):
                    found.add(n.place.field)
                elif isinstance(n, i.Draw | i.Move | i.Mix):
                    found.add(n.target.field)
        return frozenset(found)

    def is_distinct(self, expr: x.Expr) -> bool:
        """Is it sure that no item of a collection comes twice?"""
        match expr:
            case x.Const():
                items = expr.value if isinstance(expr.value, tuple) else ()
                return isinstance(expr.value, tuple) and len(set(items)) == len(items)
            case x.All():
                return True
            case x.Items():
                return len(expr.items) <= 1
            case x.Each(name="list", value=None) | x.Each(name="best"):
                return self.is_distinct(expr.source)
            case x.Read():
                kind = expr.type
                if expr.owner is None and expr.field == "players":
                    return True
                if not isinstance(kind, Many):
                    return False
                if kind.form == "list":
                    return False
                return str(kind.item) not in self.copied or self._only_loses(expr.field)
            case x.FieldOf():
                return self._is_field_distinct(expr)
            case x.Op(name="distinct" | "subsets" | "numbers"):
                return True
            case x.Op(name="all" | "sorted" | "reversed" | "less" | "ring"):
                return self.is_distinct(expr.arguments[0])
            case x.Op(name="take" | "drop" | "earlier"):
                return self.is_distinct(expr.arguments[-1])
            case x.If():
                return self.is_distinct(expr.yes) and self.is_distinct(expr.no)
            case x.OnBoard():
                return True
        return False

    def _is_field_distinct(self, expr: x.FieldOf) -> bool:
        if not isinstance(expr.value.type, Named) or expr.place < 0:
            return False
        entries = self.program.domains[expr.value.type.domain].entries
        lists = [e.fields[expr.place] for e in entries if len(e.fields) > expr.place]
        return all(isinstance(each, tuple) and len(set(each)) == len(each) for each in lists)

    # ------------------------------------------------------------ worth remembering

    def keys(self, kind: Type) -> int:
        """How many values of a type are to be expected as the key of a memory; 0: too many."""
        total = 0
        for member in members(kind):
            many = self._keys(member)
            if not many:
                return 0
            total += many
        return total

    def _keys(self, kind: Type) -> int:
        match kind:
            case Named():
                return self.count(kind.domain)
            case Num():
                bounded = kind.low is not None and kind.high is not None
                return kind.high - kind.low + 1 if bounded else UNBOUNDED  # type: ignore[operator]
            case Many(form="list", item=Named()):
                return SOME_LISTS
            case Simple():
                return 2 if kind == FLAG else 1 if kind == NONE else 0
        return 0

    def mixes(self, kind: Type) -> bool:
        """May values of a type hold flags and numbers in one place?"""
        return self.evaluators.mixes(kind)


def _is_zone(kind: object, domain: str) -> bool:
    return isinstance(kind, Many) and kind.form != "list" and str(kind.item) == domain


def scalar(kind: Type) -> bool:
    """Is a value of the type one thing, and no collection?"""
    return not any(isinstance(m, Many | Table) for m in members(kind))
