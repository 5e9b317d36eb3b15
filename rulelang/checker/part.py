"""What the parts of the statement checker have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulelang.checker.assembler import Assembler

if TYPE_CHECKING:
    from rulelang.checker.statements import Statements


class Part:
    """A part of the statement checker: it shares names, facts and instructions with the others."""

    def __init__(self, statements: Statements) -> None:
        self.statements = statements
        self.context = statements.context
        self.scope = statements.scope
        self.expressions = statements.expressions

    @property
    def out(self) -> Assembler:
        """Where instructions go."""
        return self.statements.out
