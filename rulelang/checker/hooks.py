"""The order of hooks that may meet, and hooks that never apply."""

from __future__ import annotations

from functools import partial
from graphlib import CycleError, TopologicalSorter

from rulelang.checker.always import Always
from rulelang.checker.context import Context, overlap
from rulelang.checker.flow import in_mode
from rulelang.checker.lowered import PROCEED, Calls
from rulelang.checker.wording import quoted
from rulelang.diagnostic import Note, Span
from rulelang.program import instructions as i
from rulelang.program.program import Hook


def check_hooks(context: Context) -> None:
    """Two hooks that may meet need an order; a hook needs a version of its rule."""
    for target, hooks in context.program.hooks.items():
        for moment in ("before", "after", "instead"):
            _order(context, target, [hook for hook in hooks if hook.moment == moment])
        versions = context.program.rules.get(target, [])
        for hook in hooks:
            if versions and not any(overlap(hook.modes, rule.modes) for rule in versions):
                modes = quoted(hook.modes)
                context.report(
                    "R410",
                    f"this never happens: there is no rule `{target}` in {modes}",
                    hook.code.span,
                    notes=[Note(versions[0].code.span, "the rule is here")],
                )


def _order(context: Context, target: str, hooks: list[Hook]) -> None:
    """The order of the hooks on one side of a rule."""
    seen: dict[str, Hook] = {}
    for hook in hooks:
        known = seen.setdefault(hook.name, hook)
        if known is not hook:
            note = Note(known.code.span, "the first one")
            message = f"two hooks of `{target}` are called `{hook.name}`"
            context.report("N202", message, hook.code.span, notes=[note])
            return
        for name in hook.ahead_of:
            if all(other.name != name for other in hooks):
                names = [other.name for other in hooks if " " not in other.name]
                what = f"hook {_moment(hook.moment)} {target}"
                context.report_unknown(name, hook.code.span, what, names)
    if not _is_circle(context, target, hooks):
        _meet(context, target, hooks)


def _is_circle(context: Context, target: str, hooks: list[Hook]) -> bool:
    """Do the hooks go ahead of each other in a circle?"""
    names = {hook.name for hook in hooks}
    graph = {hook.name: names & set(hook.ahead_of) for hook in hooks}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        circle: list[str] = error.args[1]
        first = next(hook for hook in hooks if hook.name == circle[0])
        context.report(
            "R405",
            f"these hooks of `{target}` go ahead of each other in a circle: "
            + ", ".join(f"`{name}`" for name in circle[:-1]),
            first.code.span,
            help="Take away one `before`.",
        )
        return True
    return False


def _meet(context: Context, target: str, hooks: list[Hook]) -> None:
    for place, one in enumerate(hooks):
        for other in hooks[place + 1 :]:
            if not overlap(one.modes, other.modes):
                continue
            if other.name in one.ahead_of or one.name in other.ahead_of:
                continue
            moment = _moment(one.moment)
            context.report(
                "R405",
                f"two hooks {moment} `{target}` may meet, and have no order",
                other.code.span,
                notes=[Note(one.code.span, "the other one")],
                help=f"Name them, and say which goes first: `{moment} {target} as one before two`.",
            )


# ---------------------------------------------------------------- hooks that never apply


def idle(context: Context, calls: Calls, reached: dict[str, set[str]]) -> None:
    """Report hooks whose rule is never performed where they hold, or that are never asked."""
    program = context.program
    always = {
        mode: Always(program, calls, partial(in_mode, program, mode)) for mode in program.modes
    }
    for target, hooks in program.hooks.items():
        played = {mode for mode, rules in reached.items() if target in rules}
        for hook in hooks:
            modes = [mode for mode in program.modes if not hook.modes or mode in hook.modes]
            here = [mode for mode in modes if mode in played]
            if played and not here and any(program.rule(target, mode) for mode in modes):
                _idle(context, hook, f"no game of {quoted(modes)} performs `{target}`")
            elif hook.condition is not None and all(
                always[mode].truth(hook.condition) is False for mode in here or modes
            ):
                _idle(context, hook, "its condition never holds", hook.condition.span)
            else:
                _replaced(context, hook, hooks, modes)


def _idle(
    context: Context, hook: Hook, why: str, span: Span | None = None, other: Hook | None = None
) -> None:
    notes = [Note(other.code.span, "this replaces every call")] if other is not None else []
    help = "Mend it, or take it away."
    context.report(
        "R410", f"this never happens: {why}", span or hook.code.span, notes=notes, help=help
    )


def _replaced(context: Context, hook: Hook, hooks: list[Hook], modes: list[str]) -> None:
    """Report a hook that a replacement leaves no call for: it never goes on to the rule."""
    for other in hooks:
        if other is hook or other.moment != "instead" or other.condition is not None:
            continue
        if other.modes and not set(modes) <= set(other.modes):
            continue
        if hook.moment == "instead" and hook.name not in other.ahead_of:
            continue
        proceed = other.code.name + PROCEED
        performed = (n.rule for n in other.code.instructions if isinstance(n, i.Perform))
        if proceed not in performed:
            _idle(context, hook, f"`{hook.rule}` is always replaced", other=other)
            return


def _moment(word: str) -> str:
    return "instead of" if word == "instead" else word
