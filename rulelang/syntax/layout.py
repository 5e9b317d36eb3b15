"""From text to tokens: scanning, and the layout of lines and blocks.

The patterns of the tokens are those of the grammar file. What a grammar cannot say is done here:
indentation becomes tokens, lines are carried on, the two books are told apart by the first word at
the left margin, running text and drawings are cut out whole. Text pasted from a word processor
(curly quotes, long dashes, no-break spaces) is accepted.
"""

from __future__ import annotations

import re

from attrs import Factory, define, frozen

from rulelang.diagnostic import Diagnostic, Fix, Span, make
from rulelang.syntax.concrete import Token
from rulelang.syntax.mending import with_blanks, without_sign
from rulelang.syntax.tree import Comment
from rulelang.syntax.vocabulary import (
    CARRIES_ON,
    CHAINING,
    CONTENT,
    FOREIGN,
    INVISIBLE,
    LAYOUT,
    LOOKALIKE,
    MAX_CHAIN,
    MAX_DEPTH,
    MAX_DIGITS,
    MAX_LINE_TOKENS,
    OPENS_RULES_BOOK,
    Vocabulary,
)


@define
class Tokens:
    """What the scanner makes of a file."""

    tokens: list[Token] = Factory(list)
    comments: list[Comment] = Factory(list)
    diagnostics: list[Diagnostic] = Factory(list)


@frozen
class Line:
    """A physical line."""

    number: int
    text: str
    indent: int
    start: int
    """Index of the first sign."""


def scan(text: str, file: str, vocabulary: Vocabulary) -> Tokens:
    """The tokens of ``text``; what does not scan becomes a diagnostic and is left out."""
    return _Scanner(file, vocabulary).run(text)


class _Scanner:
    def __init__(self, file: str, vocabulary: Vocabulary) -> None:
        self.file = file
        self.vocabulary = vocabulary
        self.out = Tokens()
        self.indents = [0]
        self.uneven: dict[int, int] = {}  # indentations between levels, and the levels meant
        self.rules_book = False
        self.first_indent = 0  # of the logical line that is being read
        self.line_tokens = 0
        self.chain = 0
        self.brackets = 0
        self.too_deep = False  # have blocks been reported as too deep?
        self.citing = False
        self.too_complex = False  # the rest of the logical line is left out
        self.end = (1, 1)  # where the last token ended

    def run(self, text: str) -> Tokens:
        lines = [measure(number, line) for number, line in enumerate(text.split("\n"), 1)]
        position = 0
        while position < len(lines):
            line = lines[position]
            if line.start == len(line.text):
                position += 1
            elif line.text[line.start] == "#":
                self._comment(line, line.start, own_line=True)
                position += 1
            else:
                position = self._line(lines, position)
        self._newline()
        self._dedent_to(0)
        return self.out

    # ------------------------------------------------------------ lines and blocks

    def _line(self, lines: list[Line], position: int) -> int:
        """Read one physical line (or a story or drawing); the index of the line to go on with."""
        line = lines[position]
        word = _first_word(line)
        self._check_tabs(line)
        plain = _as_typed(line.text[line.start :])
        carried_on = self._carried_on(line, word)
        if not carried_on:
            self._newline()
            self._indent(line)
            self._begin_line(line, word)
            if word == "story" and not self.rules_book and _STORY.match(plain):
                return self._story(lines, position)
        self._words(line)
        alone = plain.partition("#")[0].strip() == "rows"
        if alone and not self.rules_book and not carried_on:
            return self._drawing(lines, position + 1, line.indent)
        return position + 1

    def _begin_line(self, line: Line, word: str) -> None:
        self.first_indent = line.indent
        self.line_tokens = self.chain = self.brackets = 0
        self.citing = self.too_complex = False
        if line.indent == 0 or len(self.out.tokens) <= 1:
            self.rules_book = word in OPENS_RULES_BOOK

    def _carried_on(self, line: Line, word: str) -> bool:
        tokens = self.out.tokens
        if not tokens or tokens[-1].type in LAYOUT or line.indent <= self.first_indent:
            return False
        if tokens[-1].type in ("COMMA", "EQUAL"):
            return True
        if tokens[-1].type == "COLON" and self.brackets > 0:  # every(x in S:
            return True
        return word in CARRIES_ON if self.rules_book else word == "cites"

    def _newline(self) -> None:
        tokens = self.out.tokens
        if tokens and tokens[-1].type not in LAYOUT:
            self._layout_token("_NL")

    def _indent(self, line: Line) -> None:
        if line.indent in self.indents:  # uneven lines below this one begin afresh
            self.uneven = {at: level for at, level in self.uneven.items() if at < line.indent}
        indent = self.uneven.get(line.indent, line.indent)
        if indent > self.indents[-1]:
            if len(self.indents) > MAX_DEPTH:
                if not self.too_deep:
                    self._report("S108", "blocks are nested too deeply", line, line.start)
                self.too_deep = True
                return
            self.indents.append(indent)
            self._layout_token("_INDENT")
            return
        if indent not in self.indents:
            indent = self._settle(line)
        self._dedent_to(indent)

    def _settle(self, line: Line) -> int:
        """Report a line between two levels; the nearer of the two, but not the left margin."""
        above = min(level for level in self.indents if level > line.indent)
        below = max(level for level in self.indents if level < line.indent)
        nearer = above if below == 0 or above - line.indent <= line.indent - below else below
        self.uneven[line.indent] = nearer
        self._report(
            "S103",
            "this line stands between two levels of indentation",
            line,
            line.start,
            help=f"Indent it by {below} blanks, or by {above}.",
        )
        return nearer

    def _dedent_to(self, indent: int) -> None:
        while indent < self.indents[-1]:
            self.indents.pop()
            self._layout_token("_DEDENT")

    def _check_tabs(self, line: Line) -> None:
        column = line.text.find("\t", 0, line.start)
        if column >= 0:
            message, help = "this line is indented by a tab", "`rulelang fmt` mends this."
            fix = with_blanks(self.file, line.number, line.text, line.start, line.indent)
            self._report("F701", message, line, column, help=help, fix=fix)

    def _layout_token(self, kind: str) -> None:
        row, column = self.end
        self.out.tokens.append(Token(kind, "", row, column, row, column))

    # ------------------------------------------------------------ running text and drawings

    def _story(self, lines: list[Line], position: int) -> int:
        head = lines[position]
        pieces = [head.text[head.start :].partition(":")[2].strip()]
        last = head
        position += 1
        while position < len(lines):
            line = lines[position]
            if line.start < len(line.text) and line.indent <= head.indent:
                break
            if line.start < len(line.text):
                pieces.append(line.text.strip())
                last = line
            position += 1
        text = " ".join(piece for piece in pieces if piece)
        self.end = (last.number, len(last.text.rstrip()) + 1)
        self.out.tokens.append(Token("STORY", text, head.number, head.start + 1, *self.end))
        return position

    def _drawing(self, lines: list[Line], position: int, indent: int) -> int:
        """Read the drawing below `rows`: its blanks count from its own left edge."""
        self._newline()
        drawn: list[Line] = []
        while position < len(lines):
            line = lines[position]
            blank = line.start == len(line.text)
            if not blank and line.indent > indent:
                drawn.append(line)
            elif not blank and line.text[line.start] == "#":
                self._comment(line, line.start, own_line=True)
            elif not blank:
                break
            position += 1
        if drawn:
            self._layout_token("_INDENT")
            self._drawn(drawn)
            self._layout_token("_DEDENT")
        return position

    def _drawn(self, lines: list[Line]) -> None:
        edge = min(line.indent for line in lines)
        for line in lines:
            text = " " * (line.indent - edge) + line.text[line.start :].rstrip()
            self.end = (line.number, len(line.text.rstrip()) + 1)
            self.out.tokens.append(Token("DRAWN", text, line.number, line.start + 1, *self.end))
            self._layout_token("_NL")

    # ------------------------------------------------------------ words

    def _words(self, line: Line) -> None:
        scanned = _as_typed(line.text)
        index, end = line.start, len(scanned)
        matching = self.vocabulary.pattern.match
        bad = False  # one diagnostic about signs a line is enough
        while index < end:
            sign = scanned[index]
            if sign == " " or sign.isspace():
                index += 1
                continue
            if sign == "#":
                self._comment(line, index, own_line=False)
                return
            match = matching(scanned, index)
            if match is None or (self.rules_book and _means_nothing(match)):
                index = self._unscannable(line, index, report=not bad)
                bad = True
                continue
            index = self._token(line, match)

    def _token(self, line: Line, match: re.Match[str]) -> int:
        """Add the token that was matched; the index behind it."""
        kind = match.lastgroup
        assert kind is not None
        start, end = match.span()
        value = match.group()
        if kind == "CLAUSE" and not self.citing:
            kind, value = "NAME", value.partition("-")[0]
            end = start + len(value)
        if kind == "STRING":
            value = line.text[start + 1 : end - 1]
        elif kind == "NAME":
            if self.rules_book or value == "cites":
                kind = self.vocabulary.reserved.get(value, kind)
        elif kind == "NUMBER":
            self._check_digits(line, start, end)
            value = value[:MAX_DIGITS]
        elif not self.rules_book and kind not in CONTENT:
            for offset, sign in enumerate(value):  # an operator of the rules book is just signs
                kind = {"+": "PLUS", "-": "MINUS"}.get(sign, "SIGN")
                self._add(kind, sign, line, start + offset, start + offset + 1)
            return end
        elif kind in ("LPAR", "LSQB"):
            kind = self._bracket(kind, line, start)
        elif kind in ("RPAR", "RSQB"):
            self.brackets -= 1
        self.citing = kind == "CITES" or (self.citing and kind in ("CLAUSE", "COMMA"))
        self._add(kind, value, line, start, end)
        return end

    def _check_digits(self, line: Line, start: int, end: int) -> None:
        if end - start > MAX_DIGITS:
            message = f"this number has more than {MAX_DIGITS} digits"
            self._report("S108", message, line, start, length=end - start)

    def _bracket(self, kind: str, line: Line, start: int) -> str:
        self.brackets += 1
        if self.brackets > MAX_DEPTH:
            self._stop(line, start, "brackets are nested too deeply")
        previous = self.out.tokens[-1] if self.out.tokens else None
        touches = (
            previous is not None
            and previous.type in ("NAME", "RPAR", "RSQB")
            and (previous.end_line, previous.end_column) == (line.number, start + 1)
        )
        if not touches:
            return kind
        return "CALL_LPAR" if kind == "LPAR" else "INDEX_LSQB"

    def _add(self, kind: str, value: str, line: Line, start: int, end: int) -> None:
        self.line_tokens += 1
        if kind in CHAINING:
            self.chain += 1
        if self.rules_book:
            if self.line_tokens > MAX_LINE_TOKENS:
                what = f"this line has more than {MAX_LINE_TOKENS} words and signs"
                self._stop(line, start, what)
            elif self.chain > MAX_CHAIN:
                what = f"this line calculates in more than {MAX_CHAIN} steps"
                self._stop(line, start, what)
        if not self.too_complex:
            number = line.number
            self.end = (number, end + 1)
            self.out.tokens.append(Token(kind, value, number, start + 1, number, end + 1))

    def _stop(self, line: Line, start: int, message: str) -> None:
        if not self.too_complex:
            self._report("S108", message, line, start, help="Give a name to a part of it.")
        self.too_complex = True

    def _unscannable(self, line: Line, index: int, *, report: bool) -> int:
        """Report what no token begins with; where to go on."""
        sign = line.text[index]
        end = len(line.text.rstrip())
        if sign in '"“„':
            if report:
                message, help = "this text has no closing quote", 'Close it with `"`.'
                self._report("S102", message, line, index, length=end - index, help=help)
            self._add("STRING", line.text[index + 1 : end], line, index, end)
            return len(line.text)
        two = line.text[index : index + 2]
        found = two if two in FOREIGN else sign
        if report:
            name = f"`{found}`" if found.isprintable() else f"the character U+{ord(sign):04X}"
            self._report(
                "S101", f"{name} has no meaning here", line, index, length=len(found),
                help=FOREIGN.get(found),
                fix=without_sign(self.file, line.number, line.text, index, found),
            )  # fmt: skip
        return len(line.text) if found in ("//", "/*") else index + len(found)

    def _comment(self, line: Line, start: int, *, own_line: bool) -> None:
        text = line.text[start + 1 :].rstrip()
        span = Span(self.file, line.number, start + 1, line.number, start + 2 + len(text))
        self.out.comments.append(Comment(span, text, own_line))

    def _report(
        self,
        code: str,
        message: str,
        line: Line,
        start: int,
        *,
        length: int = 1,
        help: str | None = None,
        fix: Fix | None = None,
    ) -> None:
        span = Span(self.file, line.number, start + 1, line.number, start + 1 + length)
        self.out.diagnostics.append(make(code, message, span, help=help, fix=fix))


def _as_typed(text: str) -> str:
    """The text with plain blanks and hyphens; each sign keeps its place."""
    return text if text.isascii() else text.translate(LOOKALIKE)


def _means_nothing(match: re.Match[str]) -> bool:
    """Is it a sign that the rules book does not have?"""
    kind = match.lastgroup
    if kind == "NAME":
        return False
    start = match.start()
    return kind in ("SIGN", "BAR") or match.string[start : start + 2] in FOREIGN


_STORY = re.compile(r"story\s*:")
_WORD = re.compile(r"[^\W\d]\w*")


def measure(number: int, text: str) -> Line:
    """The line ``number`` of a file; a tab in its indentation goes to the next multiple of 4."""
    text = text.rstrip("\r")
    indent = start = len(text) - len(text.lstrip(" "))
    for sign in text[start:]:
        if sign == "\t":
            indent += 4 - indent % 4
        elif sign.isspace() or sign in INVISIBLE:
            indent += sign not in INVISIBLE
        else:
            break
        start += 1
    return Line(number, text, indent, start)


def _first_word(line: Line) -> str:
    match = _WORD.match(line.text, line.start)
    return match.group() if match else ""
