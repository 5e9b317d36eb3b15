"""Looking through lowered rules: the expressions in them, and what calls what."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from attrs import Factory, define, fields

from rulelang.checker.flow import SCRIPT
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Program
from rulelang.program.values import Effect

PROCEED = ":proceed"


def expressions(value: object) -> Iterator[x.Expr]:
    """The expressions that an instruction is made of, with all those inside them."""
    match value:
        case x.Expr():
            yield from x.walk(value)
        case tuple():
            for item in value:
                yield from expressions(item)
        case i.Instruction() | i.Place() | i.Offer():
            kind: type = type(value)
            for name in _attributes(kind):
                yield from expressions(getattr(value, name))


@cache
def _attributes(kind: type) -> tuple[str, ...]:
    return tuple(a.name for a in fields(kind) if a.name not in ("span", "type"))


def names_in(code: i.Code) -> dict[int, str]:
    """How the locals of a rule are called."""
    names = dict(enumerate(code.parameters))
    for expr in expressions(code.instructions):
        if isinstance(expr, x.Local) and expr.name and "#" not in expr.name:
            names.setdefault(expr.slot, expr.name)
    return names


def slots_set(instruction: i.Instruction) -> set[int]:
    """The slots that an instruction gives a value."""
    slot = getattr(instruction, "slot", None)
    found = {slot} if isinstance(slot, int) else set()
    if isinstance(instruction, i.Choose):
        found |= {offer.slot for offer in instruction.offers if offer.slot is not None}
    return found


@define(slots=False)
class Calls:
    """Which rules are performed by which: rules by their names, hooks by those of their codes."""

    program: Program
    codes: dict[str, list[i.Code]] = Factory(dict)
    """All versions of a rule."""
    behind: dict[str, list[str]] = Factory(dict)
    """The hooks of a rule, by the names of their codes."""
    rules: dict[str, str] = Factory(dict)
    """The rule that a hook belongs to."""

    def __attrs_post_init__(self) -> None:
        for name, versions in self.program.rules.items():
            self.codes[name] = [version.code for version in versions]
        for name, hooks in self.program.hooks.items():
            for hook in hooks:
                self.codes[hook.code.name] = [hook.code]
                self.behind.setdefault(name, []).append(hook.code.name)
                self.rules[hook.code.name] = name
        named = set(_effects(self.program))
        self.effects = sorted(named | {name for name in self.codes if name.startswith(SCRIPT)})
        """The rules that content may call, and its scripts."""

    def called(self, instruction: i.Instruction) -> list[str]:
        """The rules and hooks that an instruction may run."""
        match instruction:
            case i.Perform():
                rule = instruction.rule.removesuffix(PROCEED)
                rule = self.rules.get(rule, rule)
                return [rule, *self.behind.get(rule, ())]
            case i.Apply():
                return [
                    name for rule in self.effects for name in (rule, *self.behind.get(rule, ()))
                ]
        return []

    def reached(self, instructions: list[i.Instruction]) -> Iterator[i.Instruction]:
        """The instructions, and all those of the rules that they may run."""
        seen: set[str] = set()
        todo = list(instructions)
        while todo:
            instruction = todo.pop()
            yield instruction
            for name in self.called(instruction):
                if name not in seen:
                    seen.add(name)
                    todo += [n for code in self.codes.get(name, ()) for n in code.instructions]


def _effects(program: Program) -> Iterator[str]:
    """The rules that effects on entries call."""
    for domain in program.domains.values():
        for entry in domain.entries:
            yield from _rules_in(entry.fields)


def _rules_in(value: object) -> Iterator[str]:
    if isinstance(value, Effect):
        yield value.rule
    elif isinstance(value, tuple):
        for item in value:
            yield from _rules_in(item)
