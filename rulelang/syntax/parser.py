"""The parser: text in, a syntax tree and diagnostics out.

The grammar's LALR tables are driven token by token. On an error the driver reports once, drops what
was begun on the stack until an item of a list (a declaration, a statement, a line) may begin, skips
the rest of the line with its block, and goes on: one slip gives one diagnostic, and many slips are
found in one run.
"""

from __future__ import annotations

from functools import cache

from attrs import frozen

from rulelang.diagnostic import Diagnostic, Span, sort_key
from rulelang.syntax import (  # noqa: F401 (they enter their builders in the register)
    build_declarations,
    build_expressions,
    build_statements,
)
from rulelang.syntax import tree as t
from rulelang.syntax.concrete import Token, Tree
from rulelang.syntax.cursor import build
from rulelang.syntax.layout import scan
from rulelang.syntax.messages import too_deep, too_large, unexpected
from rulelang.syntax.reserved import reserved_names
from rulelang.syntax.stack import END, Stack
from rulelang.syntax.tables import Tables, load
from rulelang.syntax.vocabulary import LAYOUT, MAX_FILE_SIZE, Vocabulary

ITEMS = frozenset(
    (
        *("_item", "_content", "_kind_line", "field", "_readings", "branch", "_outcome_line"),
        *("offer", "_route_line", "claim", "_step", "_given_line", "_statement", "case"),
    )
)
"""Grammar rules of which lists are made: where reading can start afresh."""


@frozen
class Parsed:
    """What was read of a file: the tree holds whatever could be read."""

    file: t.File
    diagnostics: tuple[Diagnostic, ...]


@frozen
class _Grammar:
    tables: Tables
    vocabulary: Vocabulary
    starts: frozenset[int]
    """Parser states in which an item may begin."""


@cache
def grammar() -> _Grammar:
    """The grammar, read once a process."""
    tables = load()
    states = enumerate(tables.states)
    starts = frozenset(state for state, actions in states if not ITEMS.isdisjoint(actions))
    return _Grammar(tables, Vocabulary.of(tables.terminals), starts)


def parse(text: str, name: str = "<text>") -> Parsed:
    """Read ``text``, the content of the file that diagnostics call ``name``. Never raises."""
    if len(text) > MAX_FILE_SIZE:
        return _nothing(name, too_large(name, len(text), MAX_FILE_SIZE))
    scanned = scan(text, name, grammar().vocabulary)
    reported = {d.line for d in scanned.diagnostics if d.severity == "error"}
    driver = _Driver(scanned.tokens, name, reported)
    tree = driver.run()
    try:
        declarations: tuple[t.Declaration, ...] = build(tree, name)
    except RecursionError:
        return _nothing(name, too_deep(name))
    span = Span(name, 1, 1, max(1, text.count("\n") + 1), 1)
    odd = reserved_names(declarations, grammar().vocabulary.reserved)
    diagnostics = sorted([*scanned.diagnostics, *driver.diagnostics, *odd], key=sort_key)
    return Parsed(t.File(span, name, declarations, tuple(scanned.comments)), tuple(diagnostics))


def _nothing(name: str, diagnostic: Diagnostic) -> Parsed:
    return Parsed(t.File(Span(name, 1, 1, 1, 1), name, (), ()), (diagnostic,))


class _Driver:
    def __init__(self, tokens: list[Token], file: str, reported_lines: set[int]) -> None:
        row, column = (tokens[-1].end_line, tokens[-1].end_column) if tokens else (1, 1)
        first = (tokens[-1].line, tokens[-1].column) if tokens else (1, 1)
        self.tokens = [*tokens, Token(END, "", *first, row, column)]
        self.file = file
        self.stack = Stack(grammar().tables)
        self.starts = grammar().starts
        self.diagnostics: list[Diagnostic] = []
        self.reported_lines = reported_lines
        self.position = 0
        self.failed_at = -1
        self.depth = 0
        self.flat: set[int] = set()  # depths of blocks read as if they were not indented
        self.quiet_depth: int | None = None  # of a flat block whose cause has been reported
        self.lossy: set[int] = set()  # depths of blocks of which something was dropped
        self.odd_line_ended = -1  # where a line ended whose first word did not fit

    def run(self) -> Tree:
        """The parse tree of all that could be read."""
        stack = self.stack
        while True:
            token = self.tokens[self.position]
            if token.type == "_DEDENT" and self.depth in self.flat:
                self._leave_block()
                continue
            before = stack.states.copy()  # a token that does not fit may change it
            if not stack.take(token):
                self._recover(token, stack.accepts(before))
                continue
            if token.type == END:
                tree = stack.values[-1]
                assert isinstance(tree, Tree)
                return tree
            if token.type == "_DEDENT":
                self._leave_block()
            else:
                self.depth += token.type == "_INDENT"
                self.position += 1

    # ------------------------------------------------------------ recovery

    def _recover(self, token: Token, accepts: frozenset[str]) -> None:
        again = self.position == self.failed_at
        self.failed_at = self.position
        in_line = self._in_line()
        if token.type == "_INDENT" and not in_line:
            self._report(accepts)
            self._enter_flat_block()
        elif token.type == "_DEDENT" and (again or self.depth in self.lossy):
            self._drop_block()
        elif token.type == "ELSE" and not in_line and self.depth in self.lossy:
            self._skip_line()  # its `if` was dropped
        elif again and token.type == END:
            self.stack.pop()
            self._pop_to_start()
        else:
            if self.odd_line_ended != self.position:
                self._report(accepts)
            self._pop_to_start()
            if self.quiet_depth is not None:
                self._skip_to_end_of_block(self.quiet_depth)
            elif token.type not in ("_DEDENT", END) and (in_line or again):
                self._skip_line()
                self.odd_line_ended = -1 if in_line else self.position

    def _in_line(self) -> bool:
        """Has a part of the current line been read?"""
        return self.position > 0 and self.tokens[self.position - 1].type not in LAYOUT

    def _report(self, accepts: frozenset[str]) -> None:
        diagnostic = unexpected(self.tokens, self.position, accepts, self.file)
        if diagnostic.line not in self.reported_lines and self.quiet_depth is None:
            self.diagnostics.append(diagnostic)
        self.reported_lines.add(diagnostic.line)

    # ------------------------------------------------------------ dropping what was read

    def _pop_to_start(self) -> None:
        """Drop what was begun; a block whose head is dropped is read on as if not indented."""
        self.lossy.add(self.depth)
        states = self.stack.states
        closed = 0
        while len(states) > 1 and (closed or states[-1] not in self.starts):
            kind = self.stack.pop()
            if kind == "_INDENT" and not closed:
                self.flat.add(max(set(range(self.depth + 1)) - self.flat))
            closed += (kind == "_DEDENT") - (kind == "_INDENT" and closed > 0)

    def _drop_block(self) -> None:
        """Drop the block that ends here with its head."""
        if self.depth not in self.flat:
            closed = 0
            while len(self.stack.states) > 1:
                kind = self.stack.pop()
                if kind == "_INDENT" and not closed:
                    break
                closed += (kind == "_DEDENT") - (kind == "_INDENT")
        self._leave_block()
        self._pop_to_start()

    # ------------------------------------------------------------ going on

    def _enter_flat_block(self) -> None:
        self.depth += 1
        self.flat.add(self.depth)
        if self.quiet_depth is None:
            self.quiet_depth = self.depth
        self.position += 1

    def _leave_block(self) -> None:
        self.flat.discard(self.depth)
        self.lossy.discard(self.depth)
        if self.depth == self.quiet_depth:
            self.quiet_depth = None
        self.depth -= 1
        self.position += 1

    def _skip_line(self) -> None:
        """Go to the token behind the end of this line and of the block below it."""
        while self.tokens[self.position].type not in LAYOUT:
            self.position += 1
        if self.tokens[self.position].type == "_NL":
            self.position += 1
        if self.tokens[self.position].type == "_INDENT":
            self.position += 1
            self._skip_block()
            self.position += 1

    def _skip_block(self) -> None:
        """Go to the end of the block that is open here."""
        level = 1
        while level:
            kind = self.tokens[self.position].type
            level += (kind == "_INDENT") - (kind == "_DEDENT")
            self.position += level > 0

    def _skip_to_end_of_block(self, depth: int) -> None:
        """Go to the end of the block at ``depth``, which is this one or around it."""
        self._skip_block()
        while self.depth > depth:
            self._drop_block()
            self._skip_block()
