"""Binary operators are a flat list in the grammar; here they are ranked."""

from __future__ import annotations

from collections.abc import Sequence

from rulelang.syntax import tree as t

PRECEDENCE = {
    "or": 1,
    "and": 2,
    "not": 3,
    "is": 4,
    "has": 4,
    "==": 4,
    "!=": 4,
    "<": 4,
    "<=": 4,
    ">": 4,
    ">=": 4,
    "+": 5,
    "-": 5,
    "*": 6,
    "/": 6,
    "minus": 7,
}


def rank(items: Sequence[t.Expr | t.Name]) -> t.Expr:
    """The tree of operands and operators (names) as written; ``is not`` is one operator."""
    value, position = _climb(items, 0, 0)
    assert position == len(items)
    return value


def _climb(items: Sequence[t.Expr | t.Name], position: int, level: int) -> tuple[t.Expr, int]:
    left, position = _operand(items, position)
    while position < len(items):
        operator = items[position]
        assert isinstance(operator, t.Name)
        word, precedence = operator.text, PRECEDENCE[operator.text]
        if precedence <= level:
            break
        position += 1
        following = items[position]
        if word == "is" and isinstance(following, t.Name) and following.text == "not":
            word, position = "is not", position + 1
        right, position = _climb(items, position, precedence)
        left = t.Binary(left.span.to(right.span), word, left, right)
    return left, position


def _operand(items: Sequence[t.Expr | t.Name], position: int) -> tuple[t.Expr, int]:
    item = items[position]
    if not isinstance(item, t.Name):
        return item, position + 1
    level = PRECEDENCE["not" if item.text == "not" else "minus"]
    value, position = _climb(items, position + 1, level)
    return t.Unary(item.span.to(value.span), item.text, value), position
