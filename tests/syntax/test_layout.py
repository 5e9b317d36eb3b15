"""Scanning: tokens, blocks, carried-on lines, the two books, running text, drawings."""

from __future__ import annotations

import pytest

from rulelang.syntax.layout import Tokens, scan
from rulelang.syntax.parser import grammar
from rulelang.syntax.vocabulary import MAX_CHAIN, MAX_DEPTH, MAX_DIGITS, MAX_LINE_TOKENS


def scanned(text: str) -> Tokens:
    return scan(text, "toy.rules", grammar().vocabulary)


def kinds(text: str) -> str:
    return " ".join(token.type for token in scanned(text).tokens)


def values(text: str, kind: str) -> list[str]:
    return [str(token) for token in scanned(text).tokens if token.type == kind]


def codes(text: str) -> list[str]:
    return [f"{d.code} @ {d.line}:{d.column}" for d in scanned(text).diagnostics]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("\n  \n# only a note\n", ""),
        ("rule a: b", "RULE NAME COLON NAME _NL"),
        ("rule a\n  b\n", "RULE NAME _NL _INDENT NAME _NL _DEDENT"),
        ("tool a\n  b\nrule c\n", "NAME NAME _NL _INDENT NAME _NL _DEDENT RULE NAME _NL"),
        ("rule a\n  b\n\n  # note\n  c\n", "RULE NAME _NL _INDENT NAME _NL NAME _NL _DEDENT"),
        ("rule a\n      b\n", "RULE NAME _NL _INDENT NAME _NL _DEDENT"),
    ],
)
def test_lines_and_blocks(text: str, expected: str) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "names Box: red,\n    blue",
        "names Box: red,  # one\n\n  # two\n    blue",
        "box red\n    cites AB-1",
        "define a =\n    b",
        "define a = b\n    and c",
        "define a = b\n    or c\n    or d",
        "define a = list(x in b\n    where x)",
        "kind Box\n    by name",
    ],
)
def test_a_line_is_carried_on(text: str) -> None:
    assert kinds(text).count("_NL") == 1
    assert "_INDENT" not in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "names Box: red,\nblue",
        "box red\n  and blue",
        "define a = (b\n    + c)",
        "rule a\n  b",
        "rule a,\nand b",
    ],
)
def test_a_line_is_not_carried_on(text: str) -> None:
    assert kinds(text).count("_NL") == 2


def test_the_first_word_tells_the_books_apart() -> None:
    assert kinds("rule if") == "RULE IF _NL"
    assert kinds("card if") == "NAME NAME _NL"
    assert kinds("card a\n  rule if") == "NAME NAME _NL _INDENT NAME NAME _NL _DEDENT"
    assert kinds("card a  cites AB-1") == "NAME NAME CITES CLAUSE _NL"


def test_operators_are_single_signs_in_content() -> None:
    assert kinds("card +a -b >= c") == "NAME PLUS NAME MINUS NAME SIGN SIGN NAME _NL"
    assert kinds("card (a)") == "NAME SIGN NAME SIGN _NL"


def test_a_bracket_that_touches_is_another_one() -> None:
    assert kinds("define a = f(x)[1]").split()[3:] == (
        ["NAME", "CALL_LPAR", "NAME", "RPAR", "INDEX_LSQB", "NUMBER", "RSQB", "_NL"]
    )
    assert kinds("define a = f (x) [1]").split()[3:] == (
        ["NAME", "LPAR", "NAME", "RPAR", "LSQB", "NUMBER", "RSQB", "_NL"]
    )


def test_clauses_are_names_and_numbers_elsewhere() -> None:
    assert kinds("define a = AB-1  cites AB-1.2, CD-3").split()[3:] == (
        ["NAME", "MINUS", "NUMBER", "CITES", "CLAUSE", "COMMA", "CLAUSE", "_NL"]
    )


def test_word_processors_are_understood() -> None:
    assert kinds("tool\u00a0a “b” – c") == "NAME NAME STRING MINUS NAME _NL"
    assert values("tool “a – b”", "STRING") == ["a – b"]


def test_positions_count_characters_from_1() -> None:
    token = scanned("rule a\n  bcd\n").tokens[4]
    assert (str(token), token.line, token.column, token.end_line, token.end_column) == (
        *("bcd", 2, 3, 2, 6),
    )


def test_comments_are_kept_beside_the_tokens() -> None:
    comments = scanned("# one\nrule a  # two\n  b\n").comments
    assert [(c.text, c.own_line, c.span.line, c.span.column) for c in comments] == [
        (" one", True, 1, 1),
        (" two", False, 2, 9),
    ]


def test_a_story_takes_its_further_lines() -> None:
    text = "card a\n  story: One # two,\n      \n      three.\n  end\n"
    assert kinds(text) == "NAME NAME _NL _INDENT STORY _NL NAME _NL _DEDENT"
    assert values(text, "STORY") == ["One # two, three."]
    assert kinds("card story of a") == "NAME NAME NAME NAME _NL"


def test_a_drawing_keeps_its_blanks_from_its_own_edge() -> None:
    text = "map a\n  rows  # north is up\n      *  .\n    # \n\n     x\n  key: a\n"
    assert values(text, "DRAWN") == ["  *  .", "#", " x"]
    assert kinds(text).startswith("NAME NAME _NL _INDENT NAME _NL _INDENT DRAWN _NL DRAWN")
    assert "DRAWN" not in kinds("map a\n  rows b\n    c\n")
    assert "DRAWN" not in kinds("map a\n  b,\n      rows\n  c\n")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("rule a\n\tb\n", ["F701 @ 2:1"]),
        ("rule a\n    b\n  c\n", ["S103 @ 3:3"]),
        ("rule a\n    b\n  c\n  d\n", ["S103 @ 3:3"]),
        ('rule a: b "c\n', ["S102 @ 1:11"]),
        ("rule a: b; c; d\n", ["S101 @ 1:10"]),
        ("rule a: b -> c\n", ["S101 @ 1:11"]),
        ("rule a: b // c; d\n", ["S101 @ 1:11"]),
        ("rule a | b\n", ["S101 @ 1:8"]),
        ("card a | b; c\n", []),
        ("define a = " + "9" * (MAX_DIGITS + 1), ["S108 @ 1:12"]),
        ("define a = " + "(" * (MAX_DEPTH + 1), [f"S108 @ 1:{12 + MAX_DEPTH}"]),
        ("define a = b" + " + b" * MAX_CHAIN, []),
        ("define a = b" + " + b" * (MAX_CHAIN + 2), [f"S108 @ 1:{14 + 4 * MAX_CHAIN}"]),
        ("define a = [" + "b, " * MAX_LINE_TOKENS, [f"S108 @ 1:{13 + 3 * 198}"]),
        ("card a" + " b" * MAX_LINE_TOKENS, []),
        ("".join(" " * n + "a\n" for n in range(MAX_DEPTH + 9)), [f"S108 @ {MAX_DEPTH + 2}:22"]),
    ],
)
def test_what_does_not_scan_is_reported_once(text: str, expected: list[str]) -> None:
    assert codes(text) == expected
