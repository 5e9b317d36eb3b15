"""The parser: text in, a syntax tree and diagnostics out.

lark's LALR tables are driven token by token. On an error the driver reports once, drops what was begun
on the stack until an item of a list (a declaration, a statement, a line) may begin, skips the rest of
the line with its block, and goes on: one slip gives one diagnostic, and many slips are found in one run.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

from attrs import frozen
from lark import Lark, Token
from lark.exceptions import UnexpectedToken

from rulelang.diagnostic import Diagnostic, Span
from rulelang.syntax import build_declarations, build_expressions, build_statements  # noqa: F401
from rulelang.syntax import tree as t
from rulelang.syntax.cursor import build
from rulelang.syntax.layout import MAX_FILE_SIZE, Vocabulary, scan
from rulelang.syntax.messages import too_large, unexpected

ITEMS = frozenset(
    "_item _content _kind_line field _readings branch _outcome_line offer _route_line claim _step "
    "_statement case".split()
)
"""Grammar rules of which lists are made: where reading can start afresh."""

_LAYOUT = ("_NL", "_INDENT", "_DEDENT")


@frozen
class Parsed:
    """What was read of a file: the tree holds whatever could be read."""

    file: t.File
    diagnostics: tuple[Diagnostic, ...]


@frozen
class _Grammar:
    lark: Lark
    vocabulary: Vocabulary
    starts: frozenset[int]
    """Parser states in which an item may begin."""


@cache
def grammar() -> _Grammar:
    """The grammar, its tables built once a process."""
    text = files("rulelang.syntax").joinpath("rules.lark").read_text(encoding="utf-8")
    lark = Lark(text, parser="lalr", lexer="basic", propagate_positions=True, maybe_placeholders=False)
    states = lark.parser.parser._parse_table.states  # type: ignore[attr-defined]
    starts = frozenset(state for state, actions in states.items() if not ITEMS.isdisjoint(actions))
    return _Grammar(lark, Vocabulary.of(lark.terminals), starts)


def parse(text: str, name: str = "<text>") -> Parsed:
    """Read ``text``, the content of the file ``name`` (as diagnostics are to call it). Never raises."""
    if len(text) > MAX_FILE_SIZE:
        return Parsed(t.File(Span(name, 1, 1, 1, 1), name, (), ()), (too_large(name, len(text), MAX_FILE_SIZE),))
    scanned = scan(text, name, grammar().vocabulary)
    driver = _Driver(scanned.tokens, name, {d.line for d in scanned.diagnostics if d.severity == "error"})
    tree = driver.run()
    declarations = build(tree, name) if tree is not None else ()
    span = Span(name, 1, 1, max(1, text.count("\n") + 1), 1)
    diagnostics = sorted([*scanned.diagnostics, *driver.diagnostics], key=lambda d: (d.span, d.code))
    return Parsed(t.File(span, name, declarations, tuple(scanned.comments)), tuple(diagnostics))


class _Driver:
    def __init__(self, tokens: list[Token], file: str, reported_lines: set[int]) -> None:
        self.tokens = tokens
        self.file = file
        self.parser = grammar().lark.parse_interactive("")
        self.state = self.parser.parser_state
        self.diagnostics: list[Diagnostic] = []
        self.reported_lines = reported_lines
        self.position = 0
        self.failed_at = -1
        self.dropped_blocks: list[int] = []  # depths of blocks read as if they were not indented
        self.depth = 0
        self.recovered_depth = -1

    def run(self) -> Any:
        """The parse tree, or None where nothing could be saved."""
        while self.position < len(self.tokens):
            token = self.tokens[self.position]
            if self._is_dropped_dedent(token):
                continue
            try:
                self.state.feed_token(token)
            except UnexpectedToken:
                self._recover(token)
                continue
            self.depth += (token.type == "_INDENT") - (token.type == "_DEDENT")
            self.position += 1
        return self._finish()

    def _finish(self) -> Any:
        end = self.tokens[-1] if self.tokens else Token("$END", "", None, 1, 1, 1, 1)
        try:
            return self.state.feed_token(Token.new_borrow_pos("$END", "", end), is_end=True)
        except UnexpectedToken:
            if not self.diagnostics and not self.reported_lines:
                self._report(end)
            return None

    def _is_dropped_dedent(self, token: Token) -> bool:
        if token.type == "_DEDENT" and self.dropped_blocks and self.dropped_blocks[-1] == self.depth:
            self.dropped_blocks.pop()
            self.depth -= 1
            self.position += 1
            return True
        return False

    # ------------------------------------------------------------ recovery

    def _recover(self, token: Token) -> None:
        if token.type == "_INDENT" and not self._in_line():
            self._report(token)
            self._read_block_flat()
            return
        if token.type == "_DEDENT" and self.recovered_depth >= self.depth:
            self._close_emptied_block()
            return
        fresh = not self._in_line() and self.position != self.failed_at
        self._report(token)
        self._pop_to_start()
        self.recovered_depth = self.depth
        self.failed_at = self.position
        if not fresh:
            self._skip_line()

    def _in_line(self) -> bool:
        """Has a part of the current line been read?"""
        return self.position > 0 and self.tokens[self.position - 1].type not in _LAYOUT

    def _pop_to_start(self) -> None:
        """Drop what was begun; a block whose head is dropped is read on as if it were not indented."""
        states, values = self.state.state_stack, self.state.value_stack
        closed = 0
        while len(states) > 1 and (closed or states[-1] not in grammar().starts):
            states.pop()
            kind = getattr(values.pop(), "type", "")
            if kind == "_DEDENT":
                closed += 1
            elif kind == "_INDENT" and closed:
                closed -= 1
            elif kind == "_INDENT":
                self.dropped_blocks.append(self.depth)

    def _close_emptied_block(self) -> None:
        """The end of a block of which nothing could be kept: drop its head too."""
        states, values = self.state.state_stack, self.state.value_stack
        while len(states) > 1:
            states.pop()
            value = values.pop()
            if isinstance(value, Token) and value.type == "_INDENT":
                break
        self._pop_to_start()
        self.depth -= 1
        self.recovered_depth = self.depth
        self.position += 1

    def _read_block_flat(self) -> None:
        self.depth += 1
        self.dropped_blocks.append(self.depth)
        self.position += 1

    def _skip_line(self) -> None:
        """Go to the token behind the end of this line and of the block below it."""
        tokens = self.tokens
        while self.position < len(tokens) and tokens[self.position].type not in _LAYOUT:
            self.position += 1
        if self.position < len(tokens) and tokens[self.position].type == "_NL":
            self.position += 1
        if self.position < len(tokens) and tokens[self.position].type == "_INDENT":
            level = 0
            while self.position < len(tokens):
                level += (tokens[self.position].type == "_INDENT") - (tokens[self.position].type == "_DEDENT")
                self.position += 1
                if level == 0:
                    break
        elif self.position < len(tokens) and tokens[self.position].type == "_DEDENT" and self.failed_at == self.position:
            self.depth -= 1
            self.position += 1

    def _report(self, token: Token) -> None:
        previous = self.tokens[self.position - 1] if self.position else None
        diagnostic = unexpected(token, previous, self.parser.accepts(), self.file)
        if diagnostic.line not in self.reported_lines:
            self.diagnostics.append(diagnostic)
        self.reported_lines.add(diagnostic.line)
