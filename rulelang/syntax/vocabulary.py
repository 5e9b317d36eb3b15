"""The words and signs of the language as the scanner uses them, and its limits."""

from __future__ import annotations

import re
from collections.abc import Iterable

from attrs import frozen

from rulelang.files import MAX_FILE_SIZE as MAX_FILE_SIZE
from rulelang.syntax.tables import Terminal

OPENS_RULES_BOOK = frozenset(
    (
        *("kind", "state", "setting", "ruling", "rule", "turn", "define", "before", "after"),
        *(
            "instead",
            "ending",
            "outcome",
            "moment",
            "during",
            "edge",
            "routes",
            "check",
            "scenario",
            "trial",
        ),
    )
)
"""Words that open a declaration of the rules book when they stand at the left margin."""

CARRIES_ON = frozenset(("and", "or", "where", "by", "cites"))
"""Words that carry a line of the rules book on when the next, deeper line begins with them."""

CONTENT = frozenset(
    ("CLAUSE", "NAME", "NUMBER", "STRING", "COMMA", "COLON", "BAR", "PLUS", "MINUS", "SIGN")
)
"""The terminals of content; whatever else matches there is taken as single signs."""

CHAINING = frozenset(
    (
        *("DOT", "CALL_LPAR", "INDEX_LSQB", "NOT", "IF", "OR", "AND", "IS", "HAS", "OF"),
        *("COMPARE", "PLUS", "MINUS", "TIMES_SIGN"),
    )
)
"""Terminals of which each can make an expression one level deeper."""

LAYOUT = frozenset(("_NL", "_INDENT", "_DEDENT"))
"""Tokens that stand for white space."""

MAX_LINE_TOKENS = 400
MAX_CHAIN = 80
MAX_DEPTH = 20
MAX_DIGITS = 18

INVISIBLE = "\ufeff\u200b"
"""Signs without a width, which some programs put into texts."""

LOOKALIKE = str.maketrans(
    {
        **dict.fromkeys("\u00a0\u2007\u202f\u2009" + INVISIBLE, " "),
        **dict.fromkeys("\u2010\u2011–—−", "-"),
    }
)
"""What word processors write for a blank and a hyphen."""

FOREIGN = {
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
    "|": "Columns divided by `|` belong to content; in rules, write `or`.",
}
"""Habits from other languages, and what to write here."""


@frozen
class Vocabulary:
    """The terminals of the grammar, ready for scanning."""

    pattern: re.Pattern[str]
    """Matches any token; the name of the group is the terminal."""
    reserved: dict[str, str]
    """From reserved words to their terminals."""

    @classmethod
    def of(cls, terminals: Iterable[Terminal]) -> Vocabulary:
        """The vocabulary of a grammar."""
        patterns: dict[str, str] = {}
        reserved: dict[str, str] = {}
        for terminal in terminals:
            if terminal.is_word:
                reserved[terminal.pattern] = terminal.name
            else:
                patterns[terminal.name] = terminal.pattern
        first = ("CLAUSE", "STRING", "NAME", "NUMBER", "CHANGE", "COMPARE")
        names = [*first, *(name for name in patterns if name not in first)]
        return cls(
            re.compile("|".join(f"(?P<{name}>{patterns[name]})" for name in names)), reserved
        )
