"""Whatever the text: the parser reports, the formatter formats or refuses, nothing else escapes."""

from __future__ import annotations

import functools
import random

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.lark import from_lark

from rulelang.diagnostic import sort_key
from rulelang.errors import RuleError
from rulelang.syntax import tables
from rulelang.syntax.formatter import format_text
from rulelang.syntax.lalr import lark_of
from rulelang.syntax.parser import Parsed, parse
from tests.syntax.edits import FILES, MODES, edits

RELAXED = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


def holds(text: str) -> Parsed:
    """Parse and format; what must hold for any text."""
    parsed = parse(text, "toy.rules")
    assert list(parsed.diagnostics) == sorted(parsed.diagnostics, key=sort_key)
    errors = [d for d in parsed.diagnostics if d.severity == "error"]
    lines = text.count("\n") + 1
    assert all(1 <= d.line <= d.end_line <= lines and d.column >= 1 for d in parsed.diagnostics)
    if errors:
        with pytest.raises(RuleError) as caught:
            format_text(text, "toy.rules")
        assert caught.value.diagnostics == parsed.diagnostics
        return parsed
    formatted = format_text(text, "toy.rules")
    assert parse(formatted).file.declarations == parsed.file.declarations
    assert format_text(formatted) == formatted
    return parsed


@settings(RELAXED, max_examples=150)
@given(st.text())
def test_any_text(text: str) -> None:
    holds(text)


@settings(RELAXED, max_examples=150)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    holds(data.decode("latin-1"))


PIECES = st.sampled_from(
    [
        *("rule ", "card ", "a", "story:", "rows", "if ", "else", "when ", "cites ", "AB-1", "by "),
        *(
            " ",
            "  ",
            "\n",
            "\n  ",
            "\n    ",
            "\n\t",
            "\n\n",
            "\r\n",
            "\u00a0",
            "# n",
            ":",
            ", ",
            " = ",
        ),
        *(
            '"',
            '"b"',
            "“",
            "”",
            "(",
            ")",
            "[",
            "]",
            " | ",
            "1",
            "-",
            "–",
            " + ",
            ".",
            "and ",
            "where ",
        ),
        *(
            "state",
            "kind ",
            "given ",
            "offer ",
            "choose ",
            "\ufeff",
            "->",
            "map ",
            "not ",
            "for x in ",
        ),
    ]
)


@settings(RELAXED, max_examples=300)
@given(st.lists(PIECES, max_size=40).map("".join))
def test_any_words_and_signs(text: str) -> None:
    holds(text)


@settings(RELAXED, max_examples=80)
@given(st.sampled_from(FILES), st.sampled_from(MODES), st.integers(0, 2**32))
def test_edited_files(path: object, mode: str, seed: int) -> None:
    text = read(path)
    for edited in edits(text, mode, 1, seed):
        holds(edited.text)


@settings(RELAXED, max_examples=60)
@given(st.sampled_from(FILES), st.integers(0, 2**32))
def test_cut_and_swapped_lines(path: object, seed: int) -> None:
    generator = random.Random(seed)
    lines = read(path).split("\n")
    first = generator.randrange(len(lines))
    part = lines[first : first + generator.randrange(1, 25)]
    generator.shuffle(part)
    holds("\n".join(line[generator.randrange(4) :] for line in part))


@functools.cache
def read(path: object) -> str:
    with open(str(path), encoding="utf-8") as file:
        return file.read()


# ---------------------------------------------------------------- texts made from the grammar

TOUCHING, OPENED, CLOSED = "\b", "\x0e", "\x0f"
TERMINALS = {
    "NAME": st.sampled_from(["a ", "bb ", "rows ", "story ", "Übung "]),
    "NUMBER": st.sampled_from(["1 ", "20 ", "0.5 "]),
    "STRING": st.sampled_from(['"x" ', "“y, z” ", '„the "big" one” ']),
    "CLAUSE": st.sampled_from(["AB-1 ", "LONG-2.3 "]),
    "CHANGE": st.sampled_from(["+= ", "-= "]),
    "COMPARE": st.sampled_from(["== ", "<= ", "> "]),
    "TIMES_SIGN": st.sampled_from(["* ", "/ "]),
    "SIGN": st.sampled_from(["& ", "*", "' "]),
    "CALL_LPAR": st.just(f"{TOUCHING}( "),
    "INDEX_LSQB": st.just(f"{TOUCHING}[ "),
    "STORY": st.sampled_from(["story: Once.", "story:  # a", "story: " + "long " * 30]),
    "DRAWN": st.just("x  . "),
    "_NL": st.sampled_from(["\n", " # note\n", "\n\n\n", "\n# note\n"]),
    "_INDENT": st.just(OPENED),
    "_DEDENT": st.just(CLOSED),
}


def texts(start: str) -> st.SearchStrategy[str]:
    """Texts that the grammar rule ``start`` makes, with blanks between the words."""
    lark = lark_of(tables.read(tables.GRAMMAR))
    used, _, _ = lark.grammar.compile([start], set())
    explicit: dict[str, st.SearchStrategy[str]] = {}
    for terminal in used:
        if terminal.pattern.type == "str":
            explicit[terminal.name] = st.just(f"{terminal.pattern.value} ")
    names = {terminal.name for terminal in used} | {"_NL", "_INDENT", "_DEDENT"}
    names |= {"CALL_LPAR", "INDEX_LSQB", "STORY", "DRAWN"}
    explicit |= {name: made for name, made in TERMINALS.items() if name in names}
    return from_lark(lark, start=start, explicit=explicit).map(written)


def written(made: str) -> str:
    """Blocks as indentation, and brackets that touch what stands before them."""
    level = 0
    lines: list[str] = []
    for line in made.replace(f" {TOUCHING}", "").replace(TOUCHING, "").split("\n"):
        content = line.lstrip(OPENED + CLOSED)
        marks = line[: len(line) - len(content)]
        level += marks.count(OPENED) - marks.count(CLOSED)
        lines.append("   " * level + content)
    return "\n".join(lines)


@settings(RELAXED, max_examples=60)
@given(texts("expr"))
def test_expressions_of_the_grammar(text: str) -> None:
    parsed = holds(f"define f = {text}")
    assume(not parsed.diagnostics)
    assert len(parsed.file.declarations) == 1


@settings(RELAXED, max_examples=100)
@given(texts("type"))
def test_types_of_the_grammar(text: str) -> None:
    parsed = holds(f"state\n  a: {text}")
    assert not parsed.diagnostics


@settings(RELAXED, max_examples=100)
@given(texts("start"))
def test_files_of_the_grammar(text: str) -> None:
    holds(text)


@settings(RELAXED, max_examples=100)
@given(texts("line"))
def test_content_of_the_grammar(text: str) -> None:
    parsed = holds(text)
    if "story" not in text:  # its lines take no block
        assert {d.code for d in parsed.diagnostics} <= {"S103", "S104"}
