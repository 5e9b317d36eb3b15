"""Loops that never come to an end, and decisions that never have an option, in lowered rules."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from rulelang.checker.always import Always
from rulelang.checker.context import Context
from rulelang.checker.flow import following
from rulelang.checker.lowered import Calls, expressions, slots_set
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.types import ZONES, Many, Type

STARTING = ("players", "mode")
"""What is read like a field and never changes."""
ENDED = "the endings that have come"
LEAVING = (i.Leave, i.Finish)
EVENTS = (i.Choose, i.Draw, i.Roll)


def loops(context: Context, calls: Calls) -> None:
    """Report loops in which nothing can change what keeps them going."""
    for codes in calls.codes.values():
        for code in codes:
            for head, jump in _loops(code):
                _Loop(context, calls, code, head, jump).check()


def _loops(code: i.Code) -> Iterator[tuple[int, int]]:
    """The first and the last instruction of each `repeat`: its way back is the last jump to it."""
    ends: dict[int, int] = {}
    for place, instruction in enumerate(code.instructions):
        if isinstance(instruction, i.Jump) and instruction.loop and instruction.to <= place:
            ends[instruction.to] = place
    for head, jump in ends.items():
        if not isinstance(code.instructions[head], i.Iterate):
            yield head, jump


@define
class _Loop:
    """One `repeat`, from its first instruction to its way back."""

    context: Context
    calls: Calls
    code: i.Code
    head: int
    jump: int

    def check(self) -> None:
        """Report the loop if nothing in it can leave it or change its condition."""
        if self.code.name.startswith("moment "):
            return
        inside = self.code.instructions[self.head : self.jump + 1]
        first, span = inside[0], self.code.instructions[self.jump].span
        has_condition = isinstance(first, i.Branch) and first.otherwise == self.jump + 1
        if self._can_leave(inside[1:] if has_condition else inside):
            return
        if not has_condition:
            self.context.report(
                "R403",
                "this repeats for ever: nothing in it can leave, and no rule that it performs",
                span,
                help="Add `break`, `return`, `end` or a `while` condition.",
            )
            return
        assert isinstance(first, i.Branch)
        read, slots = self._read(first.condition)
        if not self._changes(inside[1:], read, slots) and not self._asks(inside[1:]):
            self.context.report(
                "R403",
                "once this begins it repeats for ever: nothing in it changes what it asks",
                first.condition.span,
                help="Change what the condition reads, or leave by `break`, `return` or `end`.",
            )

    def _can_leave(self, inside: tuple[i.Instruction, ...]) -> bool:
        places = range(self.head, self.jump + 1)
        start = self.jump + 1 - len(inside)
        for place, instruction in enumerate(inside, start):
            ways = following(instruction, place)
            if not ways or any(way not in places for way in ways):
                return True
        return any(isinstance(n, LEAVING) for n in self.calls.reached(list(inside)))

    def _asks(self, inside: tuple[i.Instruction, ...]) -> bool:
        """Is a seat or chance asked on the way? Then each round is another."""
        return any(isinstance(n, EVENTS) for n in self.calls.reached(list(inside)))

    def _read(self, condition: x.Expr) -> tuple[set[str], set[int]]:
        """The fields and the locals that a condition depends on, through questions too."""
        fields: set[str] = set()
        slots = {expr.slot for expr in expressions(condition) if isinstance(expr, x.Local)}
        todo, asked = list(expressions(condition)), set()
        while todo:
            expr = todo.pop()
            if isinstance(expr, x.Read):
                fields.add(expr.field)
            elif isinstance(expr, x.Op) and expr.name in ("ended", "outcome"):
                fields.add(ENDED)
            elif isinstance(expr, x.AskDefine) and expr.define not in asked:
                asked.add(expr.define)
                todo += list(expressions(_flat(self.calls, expr.define)))
        return fields, slots

    def _changes(
        self, inside: tuple[i.Instruction, ...], fields: set[str], slots: set[int]
    ) -> bool:
        if any(slots_set(instruction) & slots for instruction in inside):
            return True
        return any(
            self._touches(instruction, fields) for instruction in self.calls.reached(list(inside))
        )

    def _touches(self, instruction: i.Instruction, fields: set[str]) -> bool:
        """Does an instruction change one of the fields? Cards may come from anywhere."""
        match instruction:
            case i.Store() | i.Arrange():
                return instruction.place.field in fields or self._holds(
                    fields, instruction.place.type
                )
            case i.Move() | i.Draw() | i.Mix():
                return self._holds(fields, instruction.target.type)
            case i.Sort():
                return instruction.place.field in fields
            case i.Exchange():
                return self._holds(fields, Many("row", instruction.first.type))
            case i.Finish():
                return ENDED in fields
        return False

    def _holds(self, fields: set[str], kind: Type) -> bool:
        """May one of the fields be a place for cards of a zone's sort?"""
        if not isinstance(kind, Many) or kind.form not in ZONES:
            return False
        state = self.calls.program.state
        kinds = (state[key].type for key in fields if key in state)
        return any(
            isinstance(k, Many) and k.form in ZONES and str(k.item) == str(kind.item) for k in kinds
        )


def _flat(calls: Calls, name: str) -> tuple[x.Expr, ...]:
    branches = calls.program.questions[name].branches
    return tuple(expr for pair in branches for expr in pair if expr is not None)


# ---------------------------------------------------------------- nothing to choose, ever


def choices(context: Context, calls: Calls) -> None:
    """Report decisions and draws that never have anything to offer."""
    always = Always(calls.program, calls)
    for codes in calls.codes.values():
        for code in codes:
            for instruction in code.instructions:
                if isinstance(instruction, i.Choose):
                    _options(context, always, instruction)
                elif isinstance(instruction, i.Draw):
                    _drawn(context, always, instruction)


def _options(context: Context, always: Always, choose: i.Choose) -> None:
    never = [offer for offer in choose.offers if _is_never(always, offer)]
    if never and len(never) == len(choose.offers):
        context.report(
            "R402",
            "there is never anything to choose here",
            choose.span,
            help="Nothing can ever be an option. Mend the collection or its condition.",
        )
        return
    for offer in never:
        part = offer.source or offer.condition
        assert part is not None
        context.report(
            "R402",
            f"the offer `{offer.label}` is never there",
            part.span,
            help="Nothing can ever make it an option. Mend its condition, or take it away.",
        )


def _is_never(always: Always, offer: i.Offer) -> bool:
    if offer.source is not None and always.is_empty(offer.source):
        return True
    return offer.condition is not None and always.truth(offer.condition) is False


def _drawn(context: Context, always: Always, draw: i.Draw) -> None:
    field = always.program.state[draw.source.field]
    if field.key not in always.filled:
        context.report(
            "R402",
            f"there is never anything to draw: nothing brings a card to `{field.name}`",
            draw.span,
            help=f"Say where it begins, for instance `= {field.type.item}`."
            if isinstance(field.type, Many)
            else None,
        )
