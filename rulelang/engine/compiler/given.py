"""What generated expressions know by name."""

from __future__ import annotations

from typing import Any

from rulelang.engine.compiler import support
from rulelang.program.values import Effect, Entry, Pile, exact, order_key


def known() -> dict[str, Any]:
    """All that they may use before anything was put beside it."""
    return {
        "Effect": Effect,
        "Entry": Entry,
        "Pile": Pile,
        "Doubt": support.Doubt,
        "items": support.items,
        "doubt": support.doubt,
        "within": support.within,
        "fitting": support.fitting,
        "exact": exact,
        "order_key": order_key,
        "charged": support.charged,
        "exhausted": support.exhausted,
        "joined": support.joined,
        "scanned": support.scanned,
        "alone": support.alone(),
        "Memo": support.Memo,
        "Carried": support.Carried,
        "Remembered": support.Remembered,
        "CostMemo": support.CostMemo,
        "LightMemo": support.LightMemo,
        "StepMemo": support.StepMemo,
        "HEAVY": support.HEAVY,
        "recalled": support.recalled,
    }
