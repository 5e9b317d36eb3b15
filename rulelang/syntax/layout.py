"""From text to tokens: scanning, and the layout of lines and blocks.

The patterns of the tokens are those of the grammar file. What a grammar cannot say is done here:
indentation becomes tokens, lines are carried on, the two books are told apart by the first word at the
left margin, running text and drawings are cut out whole. Text pasted from a word processor (curly
quotes, long dashes, no-break spaces) is accepted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import Factory, define, frozen
from lark import Token
from lark.lexer import TerminalDef

from rulelang.diagnostic import Diagnostic, Span, make
from rulelang.syntax.tree import Comment

OPENS_RULES_BOOK = frozenset(
    "kind state setting ruling rule turn define before after instead ending outcome moment during edge "
    "routes check scenario".split()
)
"""Words that open a declaration of the rules book when they stand at the left margin."""

CARRIES_ON = frozenset(("and", "or", "where", "by", "cites"))

MAX_LINE_TOKENS = 400
MAX_DEPTH = 40
MAX_FILE_SIZE = 4_000_000

_LOOKALIKE = str.maketrans({"\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2009": " ", "–": "-", "—": "-", "−": "-"})
_SIGNS = frozenset(("SIGN",))
_FOREIGN = {
    "->": "Nothing jumps with an arrow; call a rule by its name.",
    "=>": "Write a colon where something follows on the line.",
    "//": "Notes begin with `#`.",
    "/*": "Notes begin with `#`.",
    ":=": "A value is named with `let x = …`.",
    "&&": "Write `and`.",
    "||": "Write `or`.",
    "{": "Blocks are made by indentation.",
    "}": "Blocks are made by indentation.",
    ";": "Each statement stands on a line of its own.",
    "'": "Texts stand in double quotes.",
    "!": "Write `not`.",
    "%": "There is no such sign; a share is written as a fraction.",
}


@define
class Tokens:
    """What the scanner makes of a file."""

    tokens: list[Token] = Factory(list)
    comments: list[Comment] = Factory(list)
    diagnostics: list[Diagnostic] = Factory(list)


@frozen
class _Line:
    number: int
    text: str
    indent: int
    start: int
    """Index of the first sign."""


@frozen
class Vocabulary:
    """The terminals of the grammar, ready for scanning."""

    pattern: re.Pattern[str]
    reserved: dict[str, str]

    @classmethod
    def of(cls, terminals: Iterable[TerminalDef]) -> Vocabulary:
        patterns: dict[str, str] = {}
        reserved: dict[str, str] = {}
        for terminal in terminals:
            regexp = terminal.pattern.to_regexp()
            if terminal.pattern.type == "str" and terminal.pattern.value.isalpha():
                reserved[terminal.pattern.value] = terminal.name
            else:
                patterns[terminal.name] = regexp
        order = "CLAUSE STRING NAME NUMBER CHANGE COMPARE".split()
        names = order + [name for name in patterns if name not in order]
        master = "|".join(f"(?P<{name}>{patterns[name]})" for name in names)
        return cls(re.compile(master), reserved)


def scan(text: str, file: str, vocabulary: Vocabulary) -> Tokens:
    """The tokens of ``text``; what does not scan becomes a diagnostic and is left out."""
    return _Scanner(file, vocabulary).run(text)


class _Scanner:
    def __init__(self, file: str, vocabulary: Vocabulary) -> None:
        self.file = file
        self.vocabulary = vocabulary
        self.out = Tokens()
        self.indents = [0]
        self.rules_book = False
        self.first_indent = 0  # of the logical line that is being read
        self.line_tokens = 0
        self.brackets = 0
        self.end = (1, 1)  # where the last token ended

    def run(self, text: str) -> Tokens:
        lines = [_measure(number, line) for number, line in enumerate(text.split("\n"), 1)]
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
        self._dedent_to(0, lines[-1] if lines else None)
        return self.out

    # ------------------------------------------------------------ lines and blocks

    def _line(self, lines: list[_Line], position: int) -> int:
        """Read one physical line (or a story or drawing); the index of the line to go on with."""
        line = lines[position]
        word = _first_word(line)
        if not self._carried_on(line, word):
            self._newline()
            self._check_tabs(line)
            self._indent(line)
            self.first_indent = line.indent
            self.line_tokens = 0
            if line.indent == 0:
                self.rules_book = word in OPENS_RULES_BOOK
            if not self.rules_book and word == "story" and re.match(r"story\s*:", line.text[line.start :]):
                return self._story(lines, position)
        self._words(line)
        if not self.rules_book and line.text[line.start :].partition("#")[0].strip() == "rows":
            return self._drawing(lines, position + 1, line.indent)
        return position + 1

    def _carried_on(self, line: _Line, word: str) -> bool:
        tokens = self.out.tokens
        if not tokens or tokens[-1].type in ("_NL", "_INDENT", "_DEDENT"):
            return False
        if line.indent <= self.first_indent:
            return False
        if tokens[-1].type in ("COMMA", "EQUAL"):
            return True
        return word in CARRIES_ON if self.rules_book else word == "cites"

    def _newline(self) -> None:
        tokens = self.out.tokens
        if tokens and tokens[-1].type not in ("_NL", "_INDENT", "_DEDENT"):
            self._layout_token("_NL")
        self.brackets = 0

    def _indent(self, line: _Line) -> None:
        if line.indent > self.indents[-1] and self.out.tokens:
            if len(self.indents) > MAX_DEPTH:
                self._report("S108", "blocks are nested too deeply", line, line.start)
                return
            self.indents.append(line.indent)
            self._layout_token("_INDENT")
        else:
            self._dedent_to(line.indent, line)

    def _dedent_to(self, indent: int, line: _Line | None) -> None:
        while indent < self.indents[-1]:
            self.indents.pop()
            self._layout_token("_DEDENT")
        if line is not None and self.indents[-1] < indent and self.out.tokens:
            self._report(
                "S103",
                "this line stands between two levels of indentation",
                line,
                line.start,
                help=f"Indent it by {self.indents[-1]} blanks like the lines above it, or by more to open a block.",
            )
            self.indents[-1] = indent

    def _check_tabs(self, line: _Line) -> None:
        column = line.text[: line.start].find("\t")
        if column >= 0:
            self._report("F701", "this line is indented by a tab", line, column, help="`rulelang fmt` mends this.")

    def _layout_token(self, kind: str) -> None:
        row, column = self.end
        self.out.tokens.append(Token(kind, "", None, row, column, row, column))

    # ------------------------------------------------------------ running text and drawings

    def _story(self, lines: list[_Line], position: int) -> int:
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
        end = len(last.text.rstrip()) + 1
        self.end = (last.number, end)
        self.out.tokens.append(Token("STORY", text, None, head.number, head.start + 1, last.number, end))
        return position

    def _drawing(self, lines: list[_Line], position: int, indent: int) -> int:
        self._newline()
        opened = False
        while position < len(lines):
            line = lines[position]
            if line.start < len(line.text):
                if line.indent <= indent:
                    break
                if not opened:
                    self.indents.append(line.indent)
                    self._layout_token("_INDENT")
                    opened = True
                text = line.text.rstrip()
                self.end = (line.number, len(text) + 1)
                self.out.tokens.append(Token("DRAWN", text, None, line.number, line.start + 1, *self.end))
                self._layout_token("_NL")
            position += 1
        if opened:
            self.indents.pop()
            self._layout_token("_DEDENT")
        return position

    # ------------------------------------------------------------ words

    def _words(self, line: _Line) -> None:
        scanned = line.text.translate(_LOOKALIKE)
        index = line.start
        bad = False  # one diagnostic about signs a line is enough
        while index < len(scanned):
            sign = scanned[index]
            if sign.isspace():
                index += 1
                continue
            if sign == "#":
                self._comment(line, index, own_line=False)
                return
            match = self.vocabulary.pattern.match(scanned, index)
            if match is None or (match.lastgroup in _SIGNS and self.rules_book):
                index = self._unscannable(line, index, report=not bad)
                bad = True
                continue
            index = self._token(line, match)

    def _token(self, line: _Line, match: re.Match[str]) -> int:
        """Add the token that was matched; the index behind it."""
        kind, start, end = str(match.lastgroup), match.start(), match.end()
        value = match.group()
        if kind == "CLAUSE" and not self._citing():
            kind, value = "NAME", value.partition("-")[0]
            end = start + len(value)
        if kind == "STRING":
            value = line.text[start + 1 : end - 1]
        elif kind == "NAME":
            if self.rules_book or value == "cites":
                kind = self.vocabulary.reserved.get(value, kind)
        elif not self.rules_book and kind not in _CONTENT:
            for offset, sign in enumerate(value):  # an operator of the rules book is just signs
                kind = {"+": "PLUS", "-": "MINUS"}.get(sign, "SIGN")
                self._add(kind, sign, line, start + offset, start + offset + 1)
            return end
        elif kind in ("LPAR", "LSQB"):
            kind = self._bracket(kind, line, start)
        elif kind in ("RPAR", "RSQB"):
            self.brackets -= 1
        self._add(kind, value, line, start, end)
        return end

    def _citing(self) -> bool:
        """Are the clauses of a ``cites`` being listed?"""
        for token in reversed(self.out.tokens):
            if token.type not in ("CLAUSE", "COMMA"):
                return bool(token.type == "CITES")
        return False

    def _bracket(self, kind: str, line: _Line, start: int) -> str:
        self.brackets += 1
        if self.brackets == MAX_DEPTH:
            self._report("S108", "brackets are nested too deeply", line, start)
        previous = self.out.tokens[-1] if self.out.tokens else None
        touches = (
            previous is not None
            and previous.type in ("NAME", "RPAR", "RSQB")
            and (previous.end_line, previous.end_column) == (line.number, start + 1)
        )
        if not touches:
            return kind
        return "CALL_LPAR" if kind == "LPAR" else "INDEX_LSQB"

    def _add(self, kind: str, value: str, line: _Line, start: int, end: int) -> None:
        self.line_tokens += 1
        if self.line_tokens >= MAX_LINE_TOKENS and self.rules_book or self.brackets > MAX_DEPTH:
            if self.line_tokens == MAX_LINE_TOKENS:
                self._report("S108", f"this line has more than {MAX_LINE_TOKENS} words and signs", line, start)
            return
        self.end = (line.number, end + 1)
        self.out.tokens.append(Token(kind, value, None, line.number, start + 1, *self.end))

    def _unscannable(self, line: _Line, index: int, *, report: bool) -> int:
        """Report what no token begins with; where to go on."""
        sign = line.text[index]
        if sign in '"“„':
            if report:
                self._report(
                    "S102",
                    "this text has no closing quote",
                    line,
                    index,
                    length=len(line.text.rstrip()) - index,
                    help='Close it with `"` on the same line.',
                )
            self._add("STRING", line.text[index + 1 :].rstrip(), line, index, len(line.text.rstrip()))
            return len(line.text)
        two = line.text[index : index + 2]
        if report:
            name = f"`{sign}`" if sign.isprintable() else f"the character U+{ord(sign):04X}"
            found = two if two in _FOREIGN else sign
            help = _FOREIGN.get(found)
            message = f"`{two}` has no meaning here" if found == two else f"{name} has no meaning here"
            self._report("S101", message, line, index, length=len(found), help=help)
        return index + (2 if two in _FOREIGN else 1)

    def _comment(self, line: _Line, start: int, *, own_line: bool) -> None:
        text = line.text[start + 1 :].rstrip()
        span = Span(self.file, line.number, start + 1, line.number, start + 2 + len(text))
        self.out.comments.append(Comment(span, text, own_line))

    def _report(
        self, code: str, message: str, line: _Line, start: int, *, length: int = 1, help: str | None = None
    ) -> None:
        span = Span(self.file, line.number, start + 1, line.number, start + 1 + length)
        self.out.diagnostics.append(make(code, message, span, help=help))


_CONTENT = frozenset("CLAUSE NAME NUMBER STRING COMMA COLON BAR PLUS MINUS SIGN".split())


def _measure(number: int, text: str) -> _Line:
    text = text.rstrip("\r")
    indent = start = 0
    for sign in text:
        if sign == "\t":
            indent += 4 - indent % 4
        elif sign.isspace() or (sign == "\ufeff" and number == 1):
            indent += sign != "\ufeff"
        else:
            break
        start += 1
    return _Line(number, text, indent, start)


def _first_word(line: _Line) -> str:
    match = re.compile(r"[^\W\d]\w*").match(line.text, line.start)
    return match.group() if match else ""
