"""Rules that call themselves for ever, and instructions that nothing reaches, in lowered rules."""

from __future__ import annotations

from collections.abc import Callable
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise

from rulelang.checker.context import Context
from rulelang.checker.flow import SCRIPT, following
from rulelang.diagnostic import Span
from rulelang.program import expressions as x
from rulelang.program import instructions as i
from rulelang.program.program import Program
from rulelang.program.values import label_of

Leaves = Callable[[i.Instruction], bool]
"""Says whether an instruction is taken to leave."""

ASKS = (i.Choose, i.Branch, i.Iterate, i.Draw, i.Apply, i.Leave, i.Finish, i.Give)
"""What may keep a rule from going on to the next instruction."""


def endless(context: Context) -> None:
    """Report rules of which the first thing done is to call themselves, maybe through others."""
    graph = {name: _first_calls(context.program, name) for name in context.rule_nodes}
    while True:
        try:
            TopologicalSorter(graph).prepare()
            return
        except CycleError as error:
            circle: list[str] = error.args[1][:-1]
        first = min(circle, key=lambda name: context.rule_nodes[name][0].name.span)
        at = circle.index(first)
        names = [*circle[at:], *circle[:at], first]
        ring = " calls ".join(f"`{name}`" for name in (reversed(names)))
        context.report(
            "R403",
            f"this rule calls itself for ever: {ring}",
            context.rule_nodes[first][0].name.span,
            help="Ask something first, or repeat with `repeat while …`.",
        )
        for name in circle:
            graph[name] = set()


def _first_calls(program: Program, name: str) -> set[str]:
    """The rules that a rule calls first whatever happens."""
    found = set()
    for version in program.rules.get(name, ()):
        place, seen = 0, set()
        code = version.code.instructions
        while place not in seen:
            seen.add(place)
            instruction = code[place]
            if isinstance(instruction, i.Perform):
                if instruction.rule in program.rules and not program.hooks.get(instruction.rule):
                    found.add(instruction.rule)
                break
            if isinstance(instruction, ASKS):
                break
            place = following(instruction, place)[0]
    return {rule for rule in found if not rule.startswith(("moment ", SCRIPT))}


# ---------------------------------------------------------------- nothing comes after


def after_leaving(context: Context) -> None:
    """Report instructions that stand behind one which always leaves, or always ends the game."""
    leaving = _leaving(context.program, lambda instruction: isinstance(instruction, i.Leave))
    for sequence in context.sequences:
        for (rule, _, _), (_, span, text) in pairwise(sequence):
            if rule in leaving:
                _report(context, rule, span, text)
                break
    ending = _leaving(context.program, lambda instruction: False)
    for name, versions in context.program.rules.items():
        for version in versions:  # a rule may stand where a scope is not open
            _after(context, version.code, leaving if name.startswith(SCRIPT) else ending)
    for hooks in context.program.hooks.values():
        for hook in hooks:
            _after(context, hook.code, ending)


def _report(context: Context, rule: str, span: Span, text: str) -> None:
    word = rule.replace("_", " ")
    what = f"`{text}`" if text else "it"
    context.report(
        "R401",
        f"nothing after `{word}` happens",
        span,
        help=f"Put {what} before `{word}`, or take it away.",
    )


def _after(context: Context, code: i.Code, leaving: frozenset[str]) -> None:
    targets = {
        way
        for place, instruction in enumerate(code.instructions)
        for way in following(instruction, place)
        if way != place + 1
    }
    for place, instruction in enumerate(code.instructions[:-1]):
        after = code.instructions[place + 1]
        if not isinstance(instruction, i.Perform) or instruction.rule not in leaving:
            continue
        if place + 1 not in targets and not isinstance(after, i.Jump | i.Give):
            _report(context, instruction.rule, after.span, _written(after))


def _written(instruction: i.Instruction) -> str:
    """A call as content writes it; of another instruction nothing."""
    if not isinstance(instruction, i.Perform):
        return ""
    arguments = [a for a in instruction.arguments if isinstance(a, x.Const)]
    words = [instruction.rule.replace("_", " "), *(label_of(a.value) for a in arguments)]
    return " ".join(words)


def _leaving(program: Program, leaves: Leaves) -> frozenset[str]:
    """The rules that never come to their end: they end the game, or do what ``leaves`` says."""
    leaving: set[str] = set()
    while True:
        more = {
            name
            for name, versions in program.rules.items()
            if name not in leaving
            and not program.hooks.get(name)
            and all(_leaves(program, version.code, leaving, leaves) for version in versions)
        }
        if not more:
            return frozenset(leaving)
        leaving |= more


def _leaves(program: Program, code: i.Code, leaving: set[str], leaves: Leaves) -> bool:
    seen: set[int] = set()
    todo = [0]
    found = False
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        instruction = code.instructions[place]
        match instruction:
            case i.Give():
                return False
            case i.Finish() if not program.endings[instruction.ending].completes:
                found = True
            case i.Perform() if instruction.rule in leaving:
                found = True
            case _ if leaves(instruction):
                found = True
            case _:
                todo += following(instruction, place)
    return found
