"""What a game without its entries declares: enough to know how entries are written."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.check import check
from rulelang.program.program import Program
from rulelang.syntax import tree as t


def outline(files: Sequence[t.File]) -> Program:
    """Names, dice, kinds, and how rules and questions are called. What is wrong is passed over."""
    program, _ = check(files, {})
    return program
