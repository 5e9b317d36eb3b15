"""The wording of syntax errors: what stands there, what could, and what to write."""

from __future__ import annotations

from lark import Token

from rulelang.diagnostic import Diagnostic, Span, make

_WORDS = {
    "NAME": "a name",
    "NUMBER": "a number",
    "STRING": 'a text in `"quotes"`',
    "CLAUSE": "a clause such as `ABC-1`",
    "CHANGE": "`+=` or `-=`",
    "COMPARE": "a comparison",
    "EQUAL": "`=`",
    "PLUS": "`+`",
    "MINUS": "`-`",
    "TIMES_SIGN": "`*`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "DOT": "`.`",
    "BAR": "`|`",
    "LPAR": "`(`",
    "CALL_LPAR": "`(`",
    "RPAR": "`)`",
    "LSQB": "`[`",
    "INDEX_LSQB": "`[`",
    "RSQB": "`]`",
    "SIGN": "a sign",
    "STORY": "a story",
    "DRAWN": "a drawing",
    "_NL": "the end of the line",
    "_INDENT": "an indented block",
    "_DEDENT": "the end of the block",
    "$END": "the end of the file",
}
_VALUE = frozenset("NAME NUMBER STRING NONE LPAR LSQB IF NOT MINUS".split())
_OPERATORS = frozenset("AND OR IS HAS COMPARE PLUS MINUS TIMES_SIGN DOT INDEX_LSQB CALL_LPAR".split())


def unexpected(token: Token, previous: Token | None, accepts: set[str], file: str) -> Diagnostic:
    """The diagnostic for a token that cannot stand where it does."""
    if accepts <= {"_INDENT"} or (
        "_INDENT" in accepts and previous is not None and previous.type == "_NL" and token.type != "_INDENT"
    ):
        return _empty_block(previous or token, file)
    span = _span(token, file)
    if token.type == "_INDENT":
        return make(
            "S104", "this line is indented, but nothing above it opens a block", span,
            help="Indent it like the line above.",
        )  # fmt: skip
    if token.type in ("_NL", "_DEDENT", "$END"):
        at = _span(previous, file) if previous is not None and previous.type not in _WORDS_OF_LAYOUT else span
        return make("S105", f"the line ends too early: {_expected(accepts)}", at, label="something is missing here")
    if _is_word(token) and "NAME" in accepts and token.type != "NAME":
        return make(
            "S106", f"`{token}` is a reserved word and cannot be used as a name", span,
            help=f"Choose another name, for instance `{token}_`, or two words joined by `_`.",
        )  # fmt: skip
    if "COLON" in accepts and token.type not in ("EQUAL", "COMPARE", "CHANGE"):
        before = f" after `{previous}`" if previous is not None and str(previous) else ""
        return make("S107", f"a colon is missing{before}", span, help="What follows on the same line stands behind `:`.")
    return make("S100", f"{_found(token)} cannot stand here: {_expected(accepts)}", span, help=_hint(token, accepts))


_WORDS_OF_LAYOUT = ("_NL", "_INDENT", "_DEDENT")


def _empty_block(header: Token, file: str) -> Diagnostic:
    return make(
        "S109", "nothing stands under this line", _span(header, file),
        help="Indent what belongs to it, or write it behind a colon on the same line.",
    )  # fmt: skip


def too_large(file: str, size: int, limit: int) -> Diagnostic:
    """The diagnostic for a file that is not read because of its size."""
    return make(
        "S110", f"this file is too large: {size:,} characters, and {limit:,} are the limit",
        Span(file, 1, 1, 1, 1), help="Split it; all `.rules` files of a folder form one game.",
    )  # fmt: skip


def _span(token: Token, file: str) -> Span:
    line, column = token.line or 1, token.column or 1
    end_line, end_column = token.end_line or line, token.end_column or column
    return Span(file, line, column, end_line, max(end_column, column + 1) if end_line == line else end_column)


def _is_word(token: Token) -> bool:
    return str(token).isalpha() and token.type != "STRING"


def _found(token: Token) -> str:
    if token.type == "STRING":
        return "a text"
    return f"`{token}`" if str(token) else _WORDS.get(token.type, "this")


def _expected(accepts: set[str]) -> str:
    words: list[str] = []
    kinds = set(accepts)
    if len(kinds & _VALUE) > 4:
        words.append("a value")
        kinds -= _VALUE
    if len(kinds & _OPERATORS) > 4:
        words.append("an operator")
        kinds -= _OPERATORS
    order = list(_WORDS)
    for kind in sorted(kinds, key=lambda k: (k not in _WORDS, order.index(k) if k in _WORDS else 0, k)):
        words.append(_WORDS.get(kind, f"`{kind.lower()}`"))
    if not words:
        return "nothing fits"
    if len(words) > 5:
        return "expected " + ", ".join(words[:5]) + ", or the like"
    return "expected " + (words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1])


def _hint(token: Token, accepts: set[str]) -> str | None:
    if token.type == "EQUAL" and "IS" in accepts:
        return "To compare, write `==` or `is`."
    if token.type == "EQUAL" and "LET" not in accepts:
        return "A new name is made with `let x = …`."
    if token.type in ("LPAR", "CALL_LPAR") and "COMMA" not in accepts:
        return "A rule is called by words, `gain food for t`; only questions take parentheses."
    if token.type == "COMMA":
        return "Commas separate instructions and the items of a list."
    return None
