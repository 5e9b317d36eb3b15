"""Why a claim does not hold: the part that fails, what it compared, and for which entries."""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve, frozen

from rulelang.program.expressions import Const, Each, Expr, Op
from rulelang.program.types import BAD, FLAG, Many
from rulelang.program.values import Entry, Value, label_of
from rulelang.wording import noun

COMPARISONS = {
    "==": "",
    "<": "less than ",
    "<=": "at most ",
    ">": "more than ",
    ">=": "at least ",
}
LONGEST = 70

Evaluate = Callable[[Expr], Value]

_LIST = Many("list", BAD)
_NOTHING = "this does not hold"


@frozen
class Reason:
    """Why a claim is false, in a few words, and the entries for which it does not hold."""

    text: str
    about: tuple[Entry, ...] = ()

    def __str__(self) -> str:
        return self.text


def why_not(claim: Expr, evaluate: Evaluate) -> Reason:
    """What a claim that is false found. Raises what ``evaluate`` raises."""
    if isinstance(claim, Op) and claim.name == "and":
        left, right = claim.arguments
        return why_not(right if evaluate(left) else left, evaluate)
    if isinstance(claim, Each) and claim.name == "every" and claim.value is not None:
        return _for_which(claim, claim.value, evaluate)
    if not isinstance(claim, Op) or claim.name not in COMPARISONS:
        return Reason(_NOTHING)
    left_label, right_label = (label_of(evaluate(side)) for side in claim.arguments)
    both = f"{left_label} is not {COMPARISONS[claim.name]}{right_label}"
    return Reason(both if len(both) <= LONGEST else f"it is {left_label[:LONGEST]}")


def _for_which(claim: Each, value: Expr, evaluate: Evaluate) -> Reason:
    """The first of the items for which a claim about every one of them does not hold."""
    fails: Expr = Op(FLAG, claim.span, "not", (value,))
    if claim.condition is not None:
        fails = Op(FLAG, claim.span, "and", (claim.condition, fails))
    found = evaluate(evolve(claim, type=_LIST, name="list", condition=fails, value=None))
    item = found[0]

    def with_item(part: Expr) -> Value:
        only = Const(_LIST, claim.span, (item,))
        return evaluate(Each(_LIST, claim.span, "list", claim.slot, only, None, part))[0]

    inner = why_not(value, with_item)
    entries = (item, *inner.about) if isinstance(item, Entry) else inner.about
    return Reason(_joined(item, len(found) - 1, inner.text), entries)


_FOR = "it does not hold for "


def _joined(item: Value, others: int, inner: str) -> str:
    """One reason of an item and what is wrong with it."""
    more = f", and for {others} more" if others else ""
    name = named(item)[:LONGEST]
    if inner.startswith(_FOR):
        behind = inner.removeprefix(_FOR)
        within = behind.startswith(f"{label_of(item)} ")
        return _FOR + (behind if within else f"{name} and {behind}") + more
    if inner == _NOTHING:
        return f"{_FOR}{name}{more}"
    return f"{_FOR}{name} ({inner}){more}" if more else f"{_FOR}{name}: {inner}"


def named(item: Value) -> str:
    """What an item is called; a letter alone would be no name."""
    label = label_of(item)
    return f"{noun(item.domain)} {label}" if isinstance(item, Entry) and len(label) == 1 else label
