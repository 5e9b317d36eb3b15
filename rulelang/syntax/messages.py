"""The wording of syntax errors: what stands there, what could, and what to write."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import evolve, frozen

from rulelang.diagnostic import Diagnostic, Edit, Fix, Span, make
from rulelang.syntax.concrete import Token
from rulelang.syntax.mending import replaced, taken_out
from rulelang.syntax.vocabulary import CARRIES_ON, LAYOUT

_NAMES = {
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
_VALUE = frozenset(("NAME", "NUMBER", "STRING", "NONE", "LPAR", "LSQB", "IF", "NOT", "MINUS"))
_OPERATORS = frozenset(
    (
        *("AND", "OR", "IS", "HAS", "COMPARE", "PLUS", "MINUS", "TIMES_SIGN"),
        *("DOT", "INDEX_LSQB", "CALL_LPAR"),
    )
)
_AFTER_COLON = frozenset(
    (
        *("NAME", "NUMBER", "STRING", "NONE", "IF", "NOT", "LET", "DO", "MOVE", "MIX", "ROLL"),
        *("REVEAL", "OPEN", "END", "LEAVE", "RETURN", "PROCEED", "BREAK", "CONTINUE", "TIED"),
    )
)
"""What a colon may have been forgotten before."""
_STATEMENTS = _AFTER_COLON - {"NAME", "NUMBER", "STRING", "NONE", "IF", "NOT", "TIED"}
"""Of these, what nothing but a colon can stand before on a line."""
_ENDS = frozenset(("_NL", "_DEDENT", "$END"))
_CLOSED_BY = {"LPAR": "RPAR", "CALL_LPAR": "RPAR", "LSQB": "RSQB", "INDEX_LSQB": "RSQB"}
_CARRYING = (
    "A line is carried on after a comma or `=`, or when the next, deeper one begins with "
    "`and`, `or`, `where`, `by` or `cites`."
)
_HABITS = {
    "elif": "Write `else if`.",
    "elseif": "Write `else if`.",
    "foreach": "Write `for x in …`.",
    "while": "Write `repeat while …`.",
    "until": "Write `repeat while not …`.",
    "loop": "Write `repeat`.",
    "switch": "Write `match`.",
    "else": "It stands right below its `if`, and is indented like it.",
    "when": "Write `if`; `when` belongs to the lines of a query, a hook or an offer.",
    "var": "Write `let x = …`.",
    "const": "Write `let x = …`.",
    "set": "Write `x = …`.",
    "def": "Write `rule`, or `define` for a question.",
    "func": "Write `rule`, or `define` for a question.",
    "function": "Write `rule`, or `define` for a question.",
    "enum": "Write `names X: a, b`.",
    "class": "Write `kind`.",
    "struct": "Write `kind`.",
    "type": "Write `kind`.",
    "goto": "Call a rule by its name.",
    "call": "A rule is called by its name alone.",
}


@frozen
class _Failure:
    """A token that cannot stand where it does."""

    tokens: Sequence[Token]
    position: int
    accepts: frozenset[str]
    file: str

    @property
    def token(self) -> Token:
        return self.tokens[self.position]

    @property
    def previous(self) -> Token | None:
        return self.tokens[self.position - 1] if self.position else None

    @property
    def following(self) -> Token | None:
        after = self.position + 1
        return self.tokens[after] if after < len(self.tokens) else None

    @property
    def begins_line(self) -> bool:
        return self.previous is None or self.previous.type in LAYOUT

    @property
    def line(self) -> Sequence[Token]:
        """The tokens of the logical line before this one."""
        first = self.position
        while first and self.tokens[first - 1].type not in LAYOUT:
            first -= 1
        return self.tokens[first : self.position]

    @property
    def open_bracket(self) -> Token | None:
        """The innermost bracket of the line that is open here."""
        brackets: list[Token] = []
        for token in self.line:
            if token.type in _CLOSED_BY:
                brackets.append(token)
            elif token.type in ("RPAR", "RSQB") and brackets:
                brackets.pop()
        return brackets[-1] if brackets else None

    def span(self, token: Token | None = None) -> Span:
        return _span(self.token if token is None else token, self.file)


def unexpected(
    tokens: Sequence[Token], position: int, accepts: frozenset[str], file: str
) -> Diagnostic:
    """The diagnostic for ``tokens[position]``, which is none of what the grammar ``accepts``."""
    failure = _Failure(tokens, position, accepts, file)
    for reason in _REASONS:
        diagnostic = reason(failure)
        if diagnostic is not None:
            return diagnostic
    message = f"{_found(failure.token)} cannot stand here{_would_fit(accepts)}"
    return make("S100", message, failure.span(), help=_hint(failure), fix=_mend(failure))


_WITH_BLOCKS = frozenset(("IF", "MATCH", "FOR", "REPEAT", "SCOPE", "CHOOSE", "MAY", "DRAW"))
"""What begins a statement that may have a block of its own."""


def too_large(file: str, size: int, limit: int) -> Diagnostic:
    """The diagnostic for a file that is not read because of its size."""
    message = f"this file is too large: {size:,} characters, and {limit:,} are the limit"
    help = "Split it; all `.rules` files of a folder form one game."
    return make("S110", message, Span(file, 1, 1, 1, 1), help=help)


def too_deep(file: str) -> Diagnostic:
    """The diagnostic for a file whose blocks and expressions are nested beyond reason."""
    return make("S108", "this file is nested too deeply", Span(file, 1, 1, 1, 1))


# ---------------------------------------------------------------- reasons, the most telling first


def _surprising_block(failure: _Failure) -> Diagnostic | None:
    if failure.token.type != "_INDENT":
        return None
    message = "this line is indented, but the line above it opens no block"
    help = f"Indent it like the line above. {_CARRYING}"
    return make("S104", message, failure.span(failure.following), help=help)


def _else_if(failure: _Failure) -> Diagnostic | None:
    """Another language's word for `else if`, which reads like the name of a rule."""
    opens = failure.token.type == "_INDENT"
    line = evolve(failure, position=failure.position - opens).line
    if not line or str(line[0]) not in ("elif", "elseif"):
        return None
    span = failure.span(line[0])
    fix = replaced(span, "else if", safe=True)
    return make("S100", f"`{line[0]}` cannot stand here", span, help="Write `else if`.", fix=fix)


def _empty_block(failure: _Failure) -> Diagnostic | None:
    previous = failure.previous
    if "_INDENT" not in failure.accepts or previous is None or previous.type != "_NL":
        return None
    header = _Failure(failure.tokens, failure.position - 1, failure.accepts, failure.file).line
    span = failure.span(header[0]).to(failure.span(header[-1])) if header else failure.span()
    help = "Indent what belongs to it, or write it behind a colon on the same line."
    if _kinds(header) == ["ROLL", "NAME"]:
        help = f"{_THROWN}, or indent what each throw leads to."
    return make("S109", "nothing stands under this line", span, help=help)


def _carried_on(failure: _Failure) -> Diagnostic | None:
    previous = failure.previous
    if previous is None or previous.type not in ("COMMA", "EQUAL"):
        return None
    if failure.token.type in LAYOUT or previous.line >= failure.token.line:
        return None
    sign = "a comma" if previous.type == "COMMA" else "`=`"
    message = f"the line ends with {sign}, and what follows does not carry it on"
    return make("S105", message, failure.span(previous), help="Take it out, or go on with it.")


def _interrupted(failure: _Failure) -> Diagnostic | None:
    previous = failure.previous
    if failure.begins_line or previous is None or previous.line >= failure.token.line:
        return None
    if str(failure.token) not in CARRIES_ON:
        return None
    if "_NL" not in failure.accepts:
        message = f"the line above ends too early{_would_fit(failure.accepts)}"
        return make("S105", message, failure.span(previous), label="something is missing here")
    message = f"`{failure.token}` carries the line above on, but cannot stand there"
    return make("S100", message, failure.span())


def _asked(failure: _Failure) -> Diagnostic | None:
    """A question that stands where a rule should be called."""
    bracket = next((token for token in failure.line if token.type == "CALL_LPAR"), None)
    if failure.token.type not in _ENDS or bracket is None or "CHANGE" not in failure.accepts:
        return None
    message = "a question by itself does nothing"
    help = "A rule is called by words, `gain wood for p`; only questions take parentheses."
    return make("S100", message, failure.span(bracket), help=help)


def _repeated(failure: _Failure) -> Diagnostic | None:
    """How often, behind `repeat`."""
    previous, token = failure.previous, failure.token
    if previous is None or previous.type != "REPEAT":
        return None
    if token.type == "NUMBER":
        help = f"To do something so often, write `for i in numbers(1, {token})`."
    elif str(token) == "until":
        help = _HABITS["until"]
    else:
        return None
    return make("S100", f"`{token}` cannot stand here", failure.span(), help=help)


def _verdict(failure: _Failure) -> Diagnostic | None:
    """Another word where an outcome says who has won."""
    if failure.token.type in _ENDS or not {"WON", "LOST", "TIED"} <= failure.accepts:
        return None
    help = "It is `won by …`, `lost by …`, both of them, or `tied`."
    return make("S100", f"{_found(failure.token)} is no verdict", failure.span(), help=help)


def _own_line(failure: _Failure) -> Diagnostic | None:
    """A statement that may have a block, behind a colon."""
    previous, token = failure.previous, failure.token
    if previous is None or previous.type not in ("COLON", "ELSE") or token.type not in _WITH_BLOCKS:
        return None
    message = f"`{token}` takes a line of its own"
    help = f"Take the colon away, and indent `{token} …` on the line below."
    return make("S100", message, failure.span(), help=help if previous.type == "COLON" else None)


def _colon_and_block(failure: _Failure) -> Diagnostic | None:
    """A header with a colon and a block."""
    previous, following = failure.previous, failure.following
    if failure.token.type != "_NL" or previous is None or previous.type != "COLON":
        return None
    if following is None or following.type != "_INDENT":
        return None
    if _kinds(failure.line[:2]) == _STATE_PER:
        message = "the kind of those who have it is missing"
        return make("S105", message, failure.span(previous), help=_OF_EACH)
    message = "this line has a colon and a block, and one of them is too much"
    help = "Take the colon away: it says that what follows stands on the same line."
    fix = taken_out(failure.span(previous), "the colon", safe=True)
    return make("S104", message, failure.span(previous), help=help, fix=fix)


def _unclosed(failure: _Failure) -> Diagnostic | None:
    bracket = failure.open_bracket
    if failure.token.type not in _ENDS or bracket is None:
        return None
    wanted = ")" if _CLOSED_BY[bracket.type] == "RPAR" else "]"
    message = f"`{bracket}` has no closing `{wanted}` on this line"
    return make("S105", message, failure.span(bracket), help=_CARRYING)


def _unfinished(failure: _Failure) -> Diagnostic | None:
    if failure.token.type not in _ENDS:
        return None
    previous = failure.previous
    at = previous if previous is not None and previous.type not in LAYOUT else failure.token
    message = f"the line ends too early{_would_fit(failure.accepts)}"
    help = _OF_EACH if _kinds(failure.line[:2]) == _STATE_PER else None
    label = "something is missing here"
    return make("S105", message, failure.span(at), help=help, label=label)


def _unopened(failure: _Failure) -> Diagnostic | None:
    if failure.token.type not in ("RPAR", "RSQB"):
        return None
    bracket = failure.open_bracket
    if bracket is None:
        return make(
            "S100", f"`{failure.token}` closes nothing", failure.span(), help="Take it out."
        )
    if _CLOSED_BY[bracket.type] == failure.token.type:
        return None
    message = f"`{failure.token}` cannot close `{bracket}`"
    return make("S100", message, failure.span())


def _reserved(failure: _Failure) -> Diagnostic | None:
    token, following = failure.token, failure.following
    if not _is_word(token) or token.type in ("NAME", "ELSE") or "NAME" not in failure.accepts:
        return None
    declares = following is not None and following.type in ("COLON", "EQUAL", "STRING", "CHANGE")
    if failure.begins_line and not declares:
        return None
    if token.type == "ROLL" and failure.previous is not None and failure.previous.type == "EQUAL":
        return make("S100", "`roll` gives no value", failure.span(), help=f"{_THROWN}.")
    message = f"`{token}` is a reserved word and cannot be used as a name"
    help = f"Choose another name, for instance `{token}_`, or two words joined by `_`."
    return make("S106", message, failure.span(), help=help)


def _missing_colon(failure: _Failure) -> Diagnostic | None:
    previous = failure.previous
    if "COLON" not in failure.accepts or previous is None or not str(previous):
        return None
    if failure.token.type not in _AFTER_COLON:
        return None
    before = "the text" if previous.type == "STRING" else f"`{previous}`"
    message = f"a colon is missing after {before}"
    help = "What follows on the same line stands behind `:`."
    end = failure.span(previous)
    edit = Edit(Span.point(failure.file, end.end_line, end.end_column), ":")
    safe = not _colon_follows(failure) and (
        previous.type == "ELSE" or failure.token.type in _STATEMENTS
    )
    return make("S107", message, failure.span(), help=help, fix=Fix("insert `:`", (edit,), safe))


def _colon_follows(failure: _Failure) -> bool:
    """Does the line have a colon farther on? Then it is not clear which one is too much."""
    for token in failure.tokens[failure.position :]:
        if token.type in LAYOUT or token.type == "COLON":
            return token.type == "COLON"
    return False


def _odd_line(failure: _Failure) -> Diagnostic | None:
    """A line that begins with something else than the lines of its block do."""
    if not failure.begins_line:
        return None
    message = f"no line here begins with {_found(failure.token)}"
    words = _words(failure.accepts - _ENDS - _VALUE)
    help = _HABITS.get(str(failure.token))
    if help is None and words:
        name = ["a name", *words] if "NAME" in failure.accepts else words
        help = f"Lines here begin with {_listed(name, 8)}."
    return make("S100", message, failure.span(), help=help)


_REASONS: tuple[Callable[[_Failure], Diagnostic | None], ...] = (
    _else_if,
    _surprising_block,
    _empty_block,
    _carried_on,
    _interrupted,
    _asked,
    _unclosed,
    _colon_and_block,
    _verdict,
    _repeated,
    _own_line,
    _unfinished,
    _unopened,
    _reserved,
    _missing_colon,
    _odd_line,
)


# ---------------------------------------------------------------- words


def _hint(failure: _Failure) -> str | None:
    token, accepts, first = failure.token, failure.accepts, failure.line[0]
    if token.type == "EQUAL" and first.type != "NAME":
        return "To compare, write `==` or `is`."
    if token.type == "EQUAL":
        return "A new name is made with `let x = …`."
    if accepts == {"CLAUSE"}:
        return "A clause is written in capitals, with a hyphen and its number: `ABC-1`."
    if token.type in ("STRING", "_NL") and "BY" in accepts and "CHOOSE" in _kinds(failure.line[:2]):
        if "FROM" in _kinds(failure.line):
            return "Whoever decides is named in front of the text: `by p`."
        return "Whoever decides is named first: `choose by p …`."
    if token.type == "NUMBER" and first.type in ("DRAW", "CHOOSE", "MAY"):
        return f"That is done once at a time: put it below `for i in numbers(1, {token})`."
    if str(token) == "to" and first.type == "FOR" and failure.line[-1].type == "NUMBER":
        return f"Numbers one by one are `numbers({failure.line[-1]}, …)`."
    if first.type == "ROLL" and _kinds(failure.line) == ["ROLL", "NAME"]:
        return f"{_THROWN}."
    if token.type == "LPAR" and "CALL_LPAR" in accepts:
        return "No blank stands before the `(` of a question."
    return _HABITS.get(str(first)) if first.type == "NAME" else None


def _mend(failure: _Failure) -> Fix | None:
    """For the hints that say exactly what to write."""
    token, previous, line = failure.token, failure.previous, failure.line
    if token.type == "EQUAL" and line[0].type != "NAME" and previous is not None:
        condition = line[0].type in ("IF", "WHEN") or _kinds(line[:2]) == _REPEAT_WHILE
        safe = condition and all(each.type != "COLON" for each in line)
        return replaced(failure.span(), "==", safe=safe)
    if token.type == "LPAR" and "CALL_LPAR" in failure.accepts and previous is not None:
        before, here = failure.span(previous), failure.span()
        if before.end_line == here.line and before.end_column < here.column:
            gap = Span(failure.file, here.line, before.end_column, here.line, here.column)
            return taken_out(gap, "the blank", safe=True)
    return None


_REPEAT_WHILE = ["REPEAT", "WHILE"]
_STATE_PER = ["STATE", "PER"]
_OF_EACH = "What each player has stands under `state per p: Player`."
_THROWN = "To throw a die, write `roll n from d6`"


def _kinds(tokens: Sequence[Token]) -> list[str]:
    return [token.type for token in tokens]


def _span(token: Token, file: str) -> Span:
    end_column = token.end_column
    if token.end_line == token.line:
        end_column = max(end_column, token.column + 1)
    return Span(file, token.line, token.column, token.end_line, end_column)


def _is_word(token: Token) -> bool:
    return str(token).isalpha() and token.type not in ("STRING", "STORY", "DRAWN")


def _found(token: Token) -> str:
    if token.type == "STRING":
        return "a text"
    return f"`{token}`" if str(token) else _NAMES.get(token.type, "this")


def _would_fit(accepts: frozenset[str]) -> str:
    words = _words(accepts - LAYOUT - {"$END"})
    return f"; {_listed(words, 4)} would fit" if words else ""


def _words(accepts: frozenset[str]) -> list[str]:
    """What is accepted, in words: the general before the particular."""
    words: list[str] = []
    kinds = set(accepts)
    for group, name in ((_VALUE, "a value"), (_OPERATORS, "an operator")):
        if len(kinds & group) > 4:
            words.append(name)
            kinds -= group | {"INDEX_LSQB"}
    order = {kind: place for place, kind in enumerate(_NAMES)}
    for kind in sorted(kinds, key=lambda each: (order.get(each, len(order)), each)):
        word = _NAMES.get(kind, f"`{kind.lower()}`")
        if word not in words:
            words.append(word)
    return words


def _listed(words: Sequence[str], most: int) -> str:
    if len(words) > most:
        return ", ".join(words[:most]) + " or the like"
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
