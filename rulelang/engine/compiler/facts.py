"""What can be said of all rules of a linked program before any is written."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rulelang.engine.compiler.effects import Placed, placed
from rulelang.engine.compiler.parts import expressions_of
from rulelang.engine.making import Making
from rulelang.engine.sight import is_sure
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.linking import Linked
from rulelang.program.rounds import rounds
from rulelang.program.types import Many, is_pile
from rulelang.program.values import Value

if TYPE_CHECKING:  # what writes rules is loaded when one is written
    from rulelang.engine.compiler.paths import Bound
    from rulelang.engine.compiler.simplify import Simplifier
    from rulelang.engine.compiler.weights import Weights


class Facts:
    """Answers for one linked program."""

    def __init__(self, linked: Linked, making: Making) -> None:
        self.linked = linked
        self.making = making
        self.codes = linked.codes
        self._sure: dict[int, bool] = {}

    @cached_property
    def effects(self) -> tuple[Value, ...]:
        """All effects and scripts that content and rules hold: no others can be carried out."""
        return tuple([effect for _, effect in self.placed.values()])

    @cached_property
    def placed(self) -> Placed:
        """The same by identity, each with where it stands."""
        return placed(self.linked)

    def take(self, placed: Placed) -> None:
        """It is known already where they stand."""
        self.__dict__.setdefault("placed", placed)

    @cached_property
    def applied(self) -> frozenset[str]:
        """The rules that an effect or script may be of."""
        return frozenset(value.rule for value in self.effects) & self.codes.keys()

    @cached_property
    def has_rounds(self) -> bool:
        """Do writes wait in any rule for the end of a round?"""
        instructions = (n for code in self.codes.values() for n in code.instructions)
        return any(isinstance(n, i.Publish) for n in instructions)

    @cached_property
    def weights(self) -> Weights:
        """How much rules may do before anything is counted."""
        from rulelang.engine.compiler.shape import Shapes
        from rulelang.engine.compiler.weights import Weights
        from rulelang.engine.compiler.work import Work

        evaluators = self.making.evaluators
        work = Work(evaluators, Shapes(evaluators))
        return Weights(self.codes, self.applied, work, self._settled)

    def _settled(self, expr: x.Expr, bound: Bound) -> x.Const | None:
        """What an expression comes to, if that depends on settings and rulings alone."""
        fixed = self.making.evaluators.fixed
        for part in x.walk(expr):
            match part:
                case x.Read():
                    settled = part.field in fixed and part.owner is None
                case x.Local():
                    settled = part.slot in bound
                case _:
                    settled = isinstance(part, x.Const | x.Op)
            if not settled:
                return None
        known = self._simplifier.simple(expr, bound)
        return known if isinstance(known, x.Const) else None

    @cached_property
    def _simplifier(self) -> Simplifier:
        from rulelang.engine.compiler.simplify import Simplifier

        return Simplifier(self.making.evaluators)

    @cached_property
    def _suspending(self) -> frozenset[str]:
        """The rules that may wait, themselves or in what they call."""
        return self._coming_to(i.Choose, i.Draw, i.Roll)

    def _coming_to(self, *kinds: type[i.Instruction]) -> frozenset[str]:
        """The rules that may come to some instructions, themselves or in what they call."""
        return self._with_callers(
            name
            for name, code in self.codes.items()
            if any(isinstance(n, kinds) for n in code.instructions)
        )

    def _with_callers(self, names: Iterable[str]) -> frozenset[str]:
        """Some rules with those that call one of them, and so on."""
        found, grown = set(names), 0
        while len(found) > grown:
            grown = len(found)
            calls = self.weights.calls.items()
            found |= {name for name, called in calls if not found.isdisjoint(called)}
        return frozenset(found)

    @cached_property
    def plain(self) -> dict[str, frozenset[int]]:
        """Of each rule the places at which no scope is open, no round and no loop: one may begin
        there."""
        return {name: frozenset(_plain(code)) for name, code in self.codes.items()}

    @cached_property
    def deciding(self) -> frozenset[str]:
        """The rules that never go on in their callers without a decision in between."""
        return self._stopping(chance=False)

    @cached_property
    def asking(self) -> frozenset[str]:
        """Those that never do without a decision or a chance event."""
        return self._stopping(chance=True)

    def _stopping(self, *, chance: bool) -> frozenset[str]:
        found: set[str] = set()
        grown = -1
        while len(found) > grown:
            grown = len(found)
            found |= {name for name in self.codes if not self._passes(name, found, chance)}
        return frozenset(found)

    def _passes(self, name: str, stopping: Collection[str], chance: bool) -> bool:
        """May a rule go on in its callers without an event, apart from those in some rules?"""
        code, following = self.codes[name], self.weights.paths[name].next
        seen: set[int] = set()
        todo = [0]
        while todo:
            node = todo.pop()
            if node in seen:
                continue
            seen.add(node)
            n = code.instructions[node]
            around = without_event(n, chance=chance)
            if around is not None:
                todo += around
            elif isinstance(n, i.Give | i.Leave):
                return True
            elif isinstance(n, i.Finish):
                if n.ending in self.completes:
                    return True
            elif not (isinstance(n, i.Perform) and n.rule in stopping):
                todo += following[node]
        return False

    def may_suspend(self, n: i.Instruction) -> bool:
        """May the game wait in this instruction?"""
        match n:
            case i.Choose() | i.Draw() | i.Roll():
                return True
            case i.Perform():
                return self.waits(n.rule)
            case i.Apply():
                return not self._suspending.isdisjoint(self.applied)
        return False

    def waits(self, rule: str) -> bool:
        """May the game wait in a rule?"""
        return rule in self._suspending

    @cached_property
    def framed(self) -> frozenset[str]:
        """The rules that may wait, and those that are called like others which may."""
        waiting = self._suspending
        return waiting if waiting.isdisjoint(self.applied) else waiting | self.applied

    @cached_property
    def asked(self) -> frozenset[str]:
        """The rules in which somebody may decide, those that are called like others in which
        somebody may, and whoever calls them."""
        deciding = self._coming_to(i.Choose)
        if deciding.isdisjoint(self.applied):
            return deciding
        return self._with_callers(deciding | self.applied)

    @cached_property
    def waiting(self) -> dict[str, frozenset[str]]:
        """For each label of a scope the endings that complete it first."""
        found: dict[str, set[str]] = {}
        for ending, label in self.completes.items():
            found.setdefault(label, set()).add(ending)
        return {label: frozenset(names) for label, names in found.items()}

    @cached_property
    def completes(self) -> dict[str, str]:
        """The endings that complete a scope first: the scope of each."""
        endings = self.linked.program.endings.values()
        return {ending.name: ending.completes for ending in endings if ending.completes}

    @cached_property
    def needs_marks(self) -> bool:
        """Does what rules do depend on who knows what?"""
        return any(
            isinstance(n, i.Choose) and not self.is_sure(n, code)
            for code in self.codes.values()
            for n in code.instructions
        )

    def is_sure(self, n: i.Choose, code: i.Code) -> bool:
        """Do the options read only what the one who decides sees, as far as their text goes?"""
        if id(n) not in self._sure:
            known = self.making.knowledge.all_open or is_sure(self.making, n, code)
            self._sure[id(n)] = known
        return self._sure[id(n)]

    @cached_property
    def even(self) -> frozenset[str]:
        """The piles into which cards come only when others are mixed in."""
        entered: set[str] = set()
        for code in self.codes.values():
            for n in code.instructions:
                match n:
                    case i.Move() | i.Draw():
                        entered.add(n.target.field)
                    case i.Store() | i.Arrange():
                        entered.add(n.place.field)
        piles = {f.key for f in self.linked.fields() if is_pile(f.type)}
        return frozenset(piles - entered)

    @cached_property
    def loose(self) -> frozenset[str]:
        """The piles whose order never matters: nothing is drawn from them, nor put on them in a
        known order."""
        ordered: set[str] = set()
        for code in self.codes.values():
            for n in code.instructions:
                match n:
                    case i.Draw():
                        ordered.add(n.source.field)
                        ordered.update([n.target.field][: bool(n.end)])
                    case i.Move() if n.end:
                        ordered.add(n.target.field)
                    case i.Store():
                        ordered.add(n.place.field)
        piles = {f.key for f in self.linked.fields() if is_pile(f.type)}
        return frozenset(piles - ordered - self.even)

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
        dice = {
            n.die
            for code in self.codes.values()
            for n in code.instructions
            if isinstance(n, i.Roll)
        }
        names += [f"die:{die}" for die in sorted(dice)]
        return {name: number for number, name in enumerate(names)}

    @cached_property
    def tails(self) -> list[bytes]:
        """By number: what is hashed of a source of random words, between seed and block."""
        return [f":{name}:".encode() for name in self.words]

    @cached_property
    def has_strangers(self) -> bool:
        """Do rules name seats that are not there?"""
        seats = len(self.linked.players)
        if len(self.linked.program.domains["Player"].entries) <= seats:
            return False
        return any(
            isinstance(part, x.Const)
            and getattr(part.value, "domain", "") == "Player"
            and part.value.index >= seats
            for code in self.codes.values()
            for n in code.instructions
            for part in expressions_of(n)
        )


def without_event(n: i.Instruction, *, chance: bool) -> tuple[int, ...] | None:
    """Where an instruction goes on if it does not ask: a decision, or chance, too. None if it never
    asks."""
    match n:
        case i.Choose():
            return () if n.none is None else (n.none,)
        case i.Draw() if chance:
            return () if n.none is None else (n.none,)
        case i.Roll() if chance:
            return ()
    return None


def _plain(code: i.Code) -> Iterator[int]:
    around = rounds(code)
    inside = [span for n in enumerate(code.instructions) for span in _spans(*n)]
    for place in range(len(code.instructions)):
        within = any(first <= place <= last for first, last in inside)
        if not within and not any(each.holds(place) for each in around):
            yield place


def _spans(place: int, n: i.Instruction) -> Iterator[tuple[int, int]]:
    """The first and last places inside of a scope or loop; a loop may be begun at its head."""
    match n:
        case i.Enter():
            yield place + 1, n.end
        case i.Iterate():
            yield place, n.end - 1
        case i.Jump(loop=True) if n.to < place:
            yield n.to + 1, place
