"""What a game without its entries declares: enough to know how entries are written."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from rulelang.checker import check
from rulelang.program.program import Program
from rulelang.syntax import tree as t


def outline(files: Sequence[t.File]) -> Program:
    """Names, dice, kinds, and how rules and questions are called. What is wrong is passed over."""
    program, _ = check([evolve(file, declarations=_declaring(file)) for file in files], {})
    return program


def _declaring(file: t.File) -> tuple[t.Declaration, ...]:
    return tuple(node for node in file.declarations if isinstance(node, _DECLARING))


_DECLARING = (t.Line, t.Kind, t.Edge, t.Setting, t.Ending, t.State, t.Define, t.Routes, t.Rule)
"""What has a part in how entries are written; checks and scenarios would only take time."""
