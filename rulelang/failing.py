"""Why a claim does not hold: the part that fails, and what it compared."""

from __future__ import annotations

from collections.abc import Callable

from rulelang.program.expressions import Expr, Op
from rulelang.program.values import Value, label_of

COMPARISONS = {
    "==": "",
    "<": "less than ",
    "<=": "at most ",
    ">": "more than ",
    ">=": "at least ",
}
LONGEST = 70

Evaluate = Callable[[Expr], Value]


def why_not(claim: Expr, evaluate: Evaluate) -> str:
    """What a claim that is false found, in a few words. Raises what ``evaluate`` raises."""
    if isinstance(claim, Op) and claim.name == "and":
        left, right = claim.arguments
        return why_not(right if evaluate(left) else left, evaluate)
    if not isinstance(claim, Op) or claim.name not in COMPARISONS:
        return "this does not hold"
    left_label, right_label = (label_of(evaluate(side)) for side in claim.arguments)
    both = f"{left_label} is not {COMPARISONS[claim.name]}{right_label}"
    return both if len(both) <= LONGEST else f"it is {left_label[:LONGEST]}"
