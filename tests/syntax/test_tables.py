"""The tables that lie beside the grammar: they are those of the grammar, and give lark's trees."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedToken

from rulelang.syntax import concrete, tables
from rulelang.syntax.lalr import lark_of, make, text_of
from rulelang.syntax.layout import scan
from rulelang.syntax.parser import grammar
from rulelang.syntax.stack import END, Stack
from tests.syntax.edits import FILES, label

GRAMMAR = tables.read(tables.GRAMMAR)
SMALL = """
start: _item*
_item: word | pair
word: A
pair: A B [word]
A: "a"
B: /b+/
%declare _NL
"""


@pytest.fixture(scope="module")
def lark() -> Lark:
    return lark_of(GRAMMAR)


def test_the_tables_are_those_of_the_grammar() -> None:
    assert tables.read(tables.TABLES) == text_of(make(GRAMMAR), GRAMMAR), (
        "run python -m rulelang.syntax.lalr"
    )


def test_tables_as_json() -> None:
    made = make(GRAMMAR)
    assert tables.from_json(json.loads(text_of(made, GRAMMAR))) == made == tables.load()


def test_the_empty_grammar_of_a_word() -> None:
    made = make(SMALL)
    assert tables.from_json(json.loads(text_of(made, SMALL))) == made


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"grammar": ""}', None])
def test_tables_of_another_grammar_are_worked_out(
    text: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read(name: str) -> str:
        if name == tables.GRAMMAR:
            return SMALL
        if text is None:
            raise FileNotFoundError
        return text

    monkeypatch.setattr(tables, "read", read)
    assert tables.load() == make(SMALL)


@pytest.mark.parametrize("path", FILES, ids=label)
def test_trees_are_those_of_lark(path: Path, lark: Lark) -> None:
    tokens = scan(path.read_text(encoding="utf-8"), path.name, grammar().vocabulary).tokens
    stack = Stack(grammar().tables)
    taken = all(map(stack.take, [*tokens, concrete.Token(END, "", 1, 1, 1, 1)]))
    expected = by_lark(lark, tokens)
    assert taken == (expected is not None)
    if expected is not None:
        assert flat(stack.values[-1]) == expected


def by_lark(lark: Lark, tokens: list[concrete.Token]) -> Any:
    """What lark's own parser makes of the tokens; None where they do not fit."""
    parser = lark.parse_interactive("")
    try:
        for t in tokens:
            parser.feed_token(
                Token(t.type, t.text, None, t.line, t.column, t.end_line, t.end_column)
            )
        return flat_lark(parser.feed_eof())
    except UnexpectedToken:
        return None


def flat_lark(node: Tree[Token] | Token) -> Any:
    if isinstance(node, Token):
        return node.type, str(node), node.line, node.column, node.end_line, node.end_column
    meta = node.meta
    place = (0, 0, 0, 0) if meta.empty else _place(meta)
    return str(node.data), [flat_lark(child) for child in node.children], *place


def flat(node: concrete.Child) -> Any:
    said = (
        [flat(child) for child in node.children] if isinstance(node, concrete.Tree) else str(node)
    )
    return node.type, said, *_place(node)


def _place(node: Any) -> tuple[int, int, int, int]:
    return node.line, node.column, node.end_line, node.end_column
