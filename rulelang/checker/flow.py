"""What runs in which mode, read from the lowered rules: names that a mode lacks.

Everything is followed from `play`, with what depends on the mode alone worked out: a call below
``if mode is solo`` is made in that mode only. What is done with effects counts for every
instruction that stands in the content.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from attrs import Factory, define, fields, has

from rulelang.checker.context import Context
from rulelang.checker.wording import quoted
from rulelang.diagnostic import Note, Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Program
from rulelang.program.types import BAD
from rulelang.program.values import Entry

SCRIPT = "script "
"""How the rules begin that scripts become."""


@define
class Lack:
    """Something that is used in modes which do not have it."""

    name: str
    span: Span
    declared: Span
    modes: list[str] = Factory(list)


def modes_have_all(context: Context) -> dict[str, set[str]]:
    """Report what is used in a mode that does not have it: once a name.

    Gives the rules that are reached in each mode.
    """
    lacking: dict[str, Lack] = {}
    reached: dict[str, set[str]] = {}
    for mode in context.program.modes:
        followed = _Mode(context, mode, lacking)
        followed.follow()
        reached[mode] = followed.seen
    for lack in lacking.values():
        context.report(
            "N212",
            f"`{lack.name}` is used in {quoted(lack.modes)}, and does not exist there",
            lack.span,
            notes=[Note(lack.declared, "this is all that there is of it")],
            help="Declare it for these modes too, or ask `if mode is …` first.",
        )
    return reached


class _Mode:
    """What is reached in one mode."""

    def __init__(self, context: Context, mode: str, lacking: dict[str, Lack]) -> None:
        self.context = context
        self.program = context.program
        self.mode = mode
        self.lacking = lacking
        self.seen: set[str] = set()
        self.asked: set[str] = set()
        self.codes: list[i.Code] = []
        self.does_effects = False
        self.at: Span | None = None
        """The instruction that is looked at."""

    def follow(self) -> None:
        """From the beginning of a game, its starting values, its outcome, scenarios and trials."""
        program = self.program
        if program.rule("play", self.mode) is not None:
            self._call("play", None)
        for field in program.state.values():
            if self._has(field.modes):
                self._expressions((field.default, field.seen_by))
        outcome = program.outcome(self.mode)
        if outcome is not None:
            self._expressions(outcome.verdicts)
            worth = [outcome.worth] if outcome.worth is not None else []
            self._expressions(tuple(score for score, _, _ in (*outcome.scores, *worth)))
        for scenario in program.scenarios:
            if scenario.mode == self.mode:
                for step in scenario.steps:
                    self._expressions((step.claim, step.by))
                    self.codes += [step.code] if step.code is not None else []
        self.codes += [trial.code for trial in program.trials if self._has(trial.modes)]
        first = next(iter(program.modes))
        for check in program.checks:
            if (check.modes[0] if check.modes else first) == self.mode:
                self._expressions(check.claims)
        while self.codes:
            self._code(self.codes.pop())

    def _has(self, modes: tuple[str, ...]) -> bool:
        return not modes or self.mode in modes

    def _lacks(self, name: str, span: Span, declared: Span) -> None:
        lack = self.lacking.setdefault(name, Lack(name, span, declared))
        if self.mode not in lack.modes:
            lack.modes.append(self.mode)

    # ------------------------------------------------------------ rules

    def _call(self, name: str, span: Span | None) -> None:
        if name in self.seen or name.endswith(":proceed"):
            return
        version = self.program.rule(name, self.mode)
        if version is None:
            versions = self.program.rules.get(name)
            if versions and span is not None:
                self._lacks(name, span, versions[0].code.span)
            return
        self.seen.add(name)
        self.codes.append(version.code)
        for hook in self.program.hooks.get(name, ()):
            if self._has(hook.modes):
                self._expressions((hook.condition,))
                condition = hook.condition
                if condition is None or truth(self.program, condition, self.mode) is not False:
                    self.codes.append(hook.code)

    def _code(self, code: i.Code) -> None:
        for place in reachable(self.program, code, self.mode):
            instruction = code.instructions[place]
            self.at = instruction.span
            self._expressions(instruction)
            match instruction:
                case i.Perform():
                    self._call(instruction.rule, instruction.span)
                case i.Apply():
                    self._effects()
                case i.Finish():
                    ending = self.program.endings[instruction.ending]
                    if not self._has(ending.modes):
                        self._lacks(ending.name, instruction.span, ending.span)

    def _effects(self) -> None:
        """An effect is carried out: it may be any that stands in the content."""
        if self.does_effects:
            return
        self.does_effects = True
        for sequence in self.context.sequences:
            for rule, span, _ in sequence:
                self._call(rule, span)
        for name in self.program.rules:
            if name.startswith(SCRIPT):
                self._call(name, None)

    # ------------------------------------------------------------ expressions

    def _expressions(self, value: Any) -> None:
        """The names that expressions below ``value`` read in this mode."""
        if type(value) in _SILENT:
            return
        match value:
            case tuple():
                for item in value:
                    self._expressions(item)
            case x.If():
                self._expressions(value.condition)
                holds = truth(self.program, value.condition, self.mode)
                self._expressions(value.yes if holds is not False else None)
                self._expressions(value.no if holds is not True else None)
            case x.Op(name="and" | "or"):
                left, right = value.arguments
                self._expressions(left)
                if truth(self.program, left, self.mode) is not (value.name == "or"):
                    self._expressions(right)
            case x.AskDefine():
                self._expressions(value.arguments)
                self._question(value.define)
            case x.Read():
                self._field(value.field, value.span)
                self._expressions(value.owner)
            case i.Place():
                self._place(value)
            case _:
                for name in _parts_of(value.__class__):
                    self._expressions(getattr(value, name))

    def _place(self, place: i.Place) -> None:
        if self.at is not None:
            self._field(place.field, self.at)
        self._expressions((place.owner, place.key))

    def _field(self, key: str, span: Span) -> None:
        field = self.program.state.get(key)
        if field is not None and not self._has(field.modes):
            self._lacks(field.name, span, field.span)

    def _question(self, name: str) -> None:
        if name in self.asked or name not in self.program.questions:
            return
        self.asked.add(name)
        for condition, value in self.program.questions[name].branches:
            holds = truth(self.program, condition, self.mode) if condition is not None else True
            self._expressions(condition)
            if holds is not False:
                self._expressions(value)
            if holds is True:
                return


_SILENT = frozenset((type(None), x.Const, x.Local, x.All, str, int, bool))
"""What reads no name."""


@cache
def _parts_of(kind: type) -> tuple[str, ...]:
    """The attributes of an expression or instruction below which others may stand."""
    if not has(kind) or issubclass(kind, Entry):
        return ()
    return tuple(a.name for a in fields(kind) if a.name not in ("span", "type"))


# ---------------------------------------------------------------- what a mode settles


def reachable(program: Program, code: i.Code, mode: str) -> list[int]:
    """The places of a rule that may be reached in a mode."""
    fixed = _mode_slots(code)
    seen: set[int] = set()
    todo = [0]
    while todo:
        place = todo.pop()
        if place in seen or place >= len(code.instructions):
            continue
        seen.add(place)
        todo += _next(program, code, place, mode, fixed)
    return sorted(seen)


def _next(
    program: Program, code: i.Code, place: int, mode: str, fixed: frozenset[int]
) -> list[int]:
    instruction = code.instructions[place]
    if isinstance(instruction, i.Branch):
        holds = truth(program, instruction.condition, mode, fixed)
        ways = [place + 1] if holds is not False else []
        return ways + ([instruction.otherwise] if holds is not True else [])
    return following(instruction, place)


def following(instruction: i.Instruction, place: int) -> list[int]:
    """The places that may come after an instruction."""
    match instruction:
        case i.Give():
            return []
        case i.Jump():
            return [instruction.to]
        case i.Branch():
            return [place + 1, instruction.otherwise]
        case i.Iterate():
            return [place + 1, instruction.end]
        case i.Enter():
            return [place + 1, instruction.end]
        case i.Choose():
            ways = [offer.to for offer in instruction.offers]
            ways += [way for way in (instruction.decline, instruction.none) if way is not None]
            return ways
        case i.Draw() if instruction.none is not None:
            return [place + 1, instruction.none]
    return [place + 1]


def _mode_slots(code: i.Code) -> frozenset[int]:
    """The slots that hold the mode that is played, and nothing else."""
    written: dict[int, list[i.Instruction]] = {}
    for instruction in code.instructions:
        slot = getattr(instruction, "slot", None)
        if isinstance(slot, int):
            written.setdefault(slot, []).append(instruction)
    return frozenset(
        slot
        for slot, found in written.items()
        if len(found) == 1 and isinstance(found[0], i.Set) and _is_mode(found[0].value)
    )


def _is_mode(expr: x.Expr, fixed: frozenset[int] = frozenset()) -> bool:
    if isinstance(expr, x.Local):
        return expr.slot in fixed
    return isinstance(expr, x.Read) and expr.field == "mode" and expr.owner is None


def truth(
    program: Program, expr: x.Expr, mode: str, fixed: frozenset[int] = frozenset()
) -> bool | None:
    """Does a condition hold in a mode? None where that depends on more than the mode."""
    match expr:
        case x.Const(value=bool()):
            return bool(expr.value)
        case x.Op(name="not"):
            holds = truth(program, expr.arguments[0], mode, fixed)
            return None if holds is None else not holds
        case x.Op(name="and" | "or"):
            settles = expr.name == "or"
            found = [truth(program, argument, mode, fixed) for argument in expr.arguments]
            if settles in found:
                return settles
            return None if None in found else not settles
        case x.Op(name="=="):
            return _same_mode(expr.arguments, mode, fixed)
        case x.Op(name="has"):
            many, one = expr.arguments
            if _is_mode(one, fixed) and isinstance(many, x.Items):
                found = [_same_mode((one, item), mode, fixed) for item in many.items]
                return True if True in found else None if None in found else False
        case x.AskDefine() if not expr.arguments:
            return _answer(program, expr.define, mode)
    return None


def in_mode(program: Program, mode: str, condition: x.Expr) -> bool | None:
    """Does a condition hold in a mode, as far as the mode alone says?"""
    return truth(program, condition, mode)


def _same_mode(sides: tuple[x.Expr, ...], mode: str, fixed: frozenset[int]) -> bool | None:
    for one, other in (sides, sides[::-1]):
        if _is_mode(one, fixed) and isinstance(other, x.Const) and other.type != BAD:
            return isinstance(other.value, Entry) and other.value.key == mode
    return None


def _answer(program: Program, name: str, mode: str) -> bool | None:
    """The answer to a question without arguments, if the mode settles it."""
    question = program.questions.get(name)
    for condition, value in question.branches if question is not None else ():
        holds = True if condition is None else truth(program, condition, mode)
        if holds is None:
            return None
        if holds:
            return truth(program, value, mode)
    return None
