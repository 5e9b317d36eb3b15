"""From the concrete syntax to the syntax tree: the cursor, and the register of builders.

Each function takes the children of one grammar rule through a cursor, as a recursive-descent parser
would take tokens.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from rulelang.diagnostic import Span
from rulelang.syntax import tree as t
from rulelang.syntax.concrete import Child, Token, Tree

_T = TypeVar("_T")


class Cursor:
    """The children of one node of the parse tree, taken from left to right."""

    __slots__ = ("children", "file", "node", "position")

    def __init__(self, node: Tree, file: str) -> None:
        self.node = node
        self.children = node.children
        self.file = file
        self.position = 0

    @property
    def span(self) -> Span:
        """Where the node stands."""
        node = self.node
        if not node.line:
            return Span(self.file, 1, 1, 1, 1)
        return Span(self.file, node.line, node.column, node.end_line, node.end_column)

    def peek(self) -> str:
        """What comes next: the name of a token or of a grammar rule; empty at the end."""
        if self.position >= len(self.children):
            return ""
        return self.children[self.position].type

    def take(self) -> Child:
        """The next child, whatever it is."""
        self.position += 1
        return self.children[self.position - 1]

    def accept(self, *kinds: str) -> Token | None:
        """Take the next child if it is one of these tokens."""
        if self.peek() in kinds:
            return self.take()  # type: ignore[return-value]
        return None

    def name(self) -> t.Name:
        """Take a name."""
        token = self.take()
        assert isinstance(token, Token)
        return t.Name(span_of(token, self.file), str(token))

    def string(self) -> t.String | None:
        """Take a text, if one comes next."""
        token = self.accept("STRING")
        return None if token is None else t.String(span_of(token, self.file), str(token))

    def build(self) -> Any:
        """Take the next child, which is a grammar rule, and build it."""
        child = self.take()
        assert isinstance(child, Tree), child
        return build(child, self.file)

    def last(self) -> Any:
        """Build the last child, which is a grammar rule."""
        self.position = len(self.children) - 1
        return self.build()

    def maybe(self, *rules: str) -> Any:
        """Build the next child if it is one of these rules."""
        return self.build() if self.peek() in rules else None

    def many(self, *rules: str) -> tuple[Any, ...]:
        """Build all children from here on that are of these rules; other tokens are dropped."""
        built = []
        while self.position < len(self.children):
            if self.peek() in rules:
                built.append(self.build())
            else:
                self.take()
        return tuple(built)

    def expr(self) -> t.Expr:
        """Take and build an expression."""
        built: t.Expr = self.build()
        return built

    def accept_expr(self, *introduced_by: str) -> t.Expr | None:
        """Take one of these words and the expression behind it, if they come next."""
        return self.expr() if self.accept(*introduced_by) else None

    def cites(self) -> t.Cites:
        """Take the clauses that are cited, if any."""
        return self.build() if self.peek() == "cites" else ()

    def modes(self) -> tuple[t.Name, ...]:
        """Take the modes behind ``in``, if any."""
        return self.build() if self.peek() == "modes" else ()


def span_of(token: Token, file: str) -> Span:
    """Where ``token`` stands."""
    return Span(file, token.line, token.column, token.end_line, token.end_column)


def build(node: Tree, file: str) -> Any:
    """The syntax tree of ``node``."""
    return BUILDERS[node.type](Cursor(node, file))


BUILDERS: dict[str, Callable[[Cursor], Any]] = {}
"""The builder of each grammar rule."""


def builds(function: Callable[[Cursor], _T]) -> Callable[[Cursor], _T]:
    """Enter ``_rule`` as the builder of the grammar rule ``rule``."""
    BUILDERS[function.__name__.strip("_")] = function
    return function
