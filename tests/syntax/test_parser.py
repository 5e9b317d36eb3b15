"""The tree of each expression, type and statement."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulelang.syntax import tree as t
from tests.syntax.trees import (
    AT,
    NOTHING,
    A,
    B,
    C,
    P,
    X,
    binary,
    block,
    call,
    expression,
    name,
    named,
    number,
    on_line,
    perform,
    ref,
    statement,
    type_of,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("12", number(12)),
        ("0.5", number(Fraction(1, 2))),
        ('"some text"', t.String(AT, "some text")),
        ("“some “text”", t.String(AT, "some “text")),
        ("none", t.NoneValue(AT)),
        ("a", A),
        ("(a)", t.Group(AT, A)),
        ("[]", t.ListOf(AT, ())),
        ("[a, b]", t.ListOf(AT, (A, B))),
        ("a.b", t.Attribute(AT, A, name("b"))),
        ("a[b]", t.Index(AT, A, B)),
        ("a()", t.Ask(AT, A, ())),
        ("a(b, c)", t.Ask(AT, A, (B, C))),
        ("a.b(c)[x]", t.Index(AT, t.Ask(AT, t.Attribute(AT, A, name("b")), (C,)), X)),
        ("not a", t.Unary(AT, "not", A)),
        ("-a", t.Unary(AT, "-", A)),
        ("if a then b else c", t.Conditional(AT, A, B, C)),
        ("a is not b", binary("is not", A, B)),
        ("a is not empty and b", binary("and", binary("is not", A, ref("empty")), B)),
    ],
)
def test_expressions(text: str, expected: t.Expr) -> None:
    assert expression(text) == expected


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("a or b and c", "a or (b and c)"),
        ("a and b or c", "(a and b) or c"),
        ("not a is b", "not (a is b)"),
        ("not a and b", "(not a) and b"),
        ("a == b + c", "a == (b + c)"),
        ("a + b * c", "a + (b * c)"),
        ("a - b - c", "(a - b) - c"),
        ("-a * b", "(-a) * b"),
        ("a / b / c", "(a / b) / c"),
        ("a has b and c", "(a has b) and c"),
    ],
)
def test_operators_are_ranked(text: str, grouped: str) -> None:
    assert expression(text) == without_groups(expression(grouped))


def without_groups(value: t.Expr) -> t.Expr:
    if isinstance(value, t.Group):
        return without_groups(value.value)
    if isinstance(value, t.Binary):
        return binary(value.operator, without_groups(value.left), without_groups(value.right))
    if isinstance(value, t.Unary):
        return t.Unary(AT, value.operator, without_groups(value.value))
    return value


def test_questions_about_every_member() -> None:
    plain = t.Binder(AT, name("x"), A, None)
    assert expression("count(x in a)") == t.Ask(AT, ref("count"), (), plain)
    chosen = t.Binder(AT, name("x"), A, B)
    assert expression("sum(x in a where b: c)") == t.Ask(AT, ref("sum"), (), chosen, C)
    orders = (t.Order(AT, True, B), t.Order(AT, False, C))
    assert expression("best(x in a by most b, least c)") == (
        t.Ask(AT, ref("best"), (), plain, None, orders)
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("flag", named("flag")),
        ("none", t.NoneType(AT)),
        ("1 to 6", t.RangeType(AT, 1, 6)),
        ("-2 to -1", t.RangeType(AT, -2, -1)),
        ("0 or more", t.RangeType(AT, 0, None)),
        ("list of Box", t.CollectionType(AT, name("list"), named("Box"), None)),
        (
            "map of Box to 0 to 3",
            t.CollectionType(AT, name("map"), named("Box"), t.RangeType(AT, 0, 3)),
        ),
        ("Box or none", t.UnionType(AT, (named("Box"), t.NoneType(AT)))),
    ],
)
def test_types(text: str, expected: t.TypeExpr) -> None:
    assert type_of(text) == expected


# ---------------------------------------------------------------- statements


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nothing", NOTHING),
        ("gain 2 a for p", perform("gain", number(2), A, subject=P)),
        ("gain a, lose b", t.Perform(AT, (call("gain", A), call("lose", B)))),
        ("nothing  cites AB-1", t.Perform(AT, (call("nothing"),), (t.Cite(AT, "AB-1"),))),
        ("let x = a", t.Let(AT, name("x"), A)),
        ("let x from pick a for p", t.LetFrom(AT, name("x"), call("pick", A, subject=P))),
        ("let x from proceed a", t.LetFrom(AT, name("x"), t.Proceed(AT, (A,)))),
        ("a.b = c", t.Assign(AT, t.Attribute(AT, A, name("b")), "=", C)),
        ("a += b", t.Assign(AT, A, "+=", B)),
        ("a[b] -= c", t.Assign(AT, t.Index(AT, A, B), "-=", C)),
        ("do a for p", t.Do(AT, A, P)),
        ("move a to b", t.Move(AT, A, None, B)),
        ("move a from b to left(c)", t.Move(AT, A, B, t.Ask(AT, ref("left"), (C,)))),
        ("mix a", t.Mix(AT, A, None)),
        ("mix a into b", t.Mix(AT, A, B)),
        ("roll x from a", t.Roll(AT, (t.Throw(AT, name("x"), A, None),))),
        (
            "roll x from a, b from c times 2",
            t.Roll(
                AT,
                (t.Throw(AT, name("x"), A, None), t.Throw(AT, name("b"), C, number(2))),
            ),
        ),
        ("reveal a to b", t.Reveal(AT, A, B)),
        ("open market for p", t.Open(AT, name("market"), P)),
        ("end all_sold for p", t.End(AT, name("all_sold"), P)),
        ("leave trip(a)", t.Leave(AT, name("trip"), (A,))),
        ("return", t.Return(AT, None)),
        ("return a", t.Return(AT, A)),
        ("proceed a b", t.Proceed(AT, (A, B))),
        ("break", t.Break(AT)),
        ("continue", t.Continue(AT)),
        ("draw from a to b", t.Draw(AT, None, A, B, None, None)),
        (
            "draw x from a to b else return c",
            t.Draw(AT, name("x"), A, B, None, on_line(t.Return(AT, C))),
        ),
    ],
)
def test_plain_statements(text: str, expected: t.Statement) -> None:
    assert statement(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if a: nothing", t.If(AT, ((A, on_line(NOTHING)),), None)),
        (
            "if a\n  nothing\nelse if b: nothing\nelse\n  nothing",
            t.If(AT, ((A, block(NOTHING)), (B, on_line(NOTHING))), block(NOTHING)),
        ),
        (
            "match a\n  b, c: nothing\n  else\n    nothing",
            t.Match(AT, A, (t.Case(AT, (B, C), on_line(NOTHING)),), block(NOTHING)),
        ),
        (
            "roll d6\n  1: nothing",
            t.Table(AT, ref("d6"), (t.Case(AT, (number(1),), on_line(NOTHING)),), None),
        ),
        (
            "for x in a where b at once: nothing",
            t.For(AT, t.Binder(AT, name("x"), A, B), True, on_line(NOTHING)),
        ),
        (
            "for x in a\n  nothing",
            t.For(AT, t.Binder(AT, name("x"), A, None), False, block(NOTHING)),
        ),
        ("repeat\n  break", t.Repeat(AT, None, block(t.Break(AT)))),
        ("repeat while a: nothing", t.Repeat(AT, A, on_line(NOTHING))),
        ("scope trip(a)\n  nothing", t.Scope(AT, name("trip"), (A,), block(NOTHING))),
        (
            "draw x from a to b\n  nothing\nelse: return",
            t.Draw(AT, name("x"), A, B, block(NOTHING), on_line(t.Return(AT, None))),
        ),
        (
            'may choose x from a where b by p "Which?"\n  nothing\nelse: nothing',
            t.Choose(
                *(AT, True, name("x"), A, B, P, t.String(AT, "Which?")),
                *(block(NOTHING), on_line(NOTHING)),
            ),
        ),
        (
            "choose x from a by p  cites AB-1",
            t.Choose(
                *(AT, False, name("x"), A, None, P, None, None, None),
                (t.Cite(AT, "AB-1"),),
            ),
        ),
    ],
)
def test_statements_with_a_body(text: str, expected: t.Statement) -> None:
    assert statement(text) == expected


def test_offers() -> None:
    text = (
        'choose by p "Which?"\n  offer a "A" for x in b when c: nothing\n'
        "  offer b\n    nothing\nelse: nothing"
    )
    binder = t.Binder(AT, name("x"), B, None)
    offers = (
        t.Offer(AT, name("a"), t.String(AT, "A"), binder, C, on_line(NOTHING)),
        t.Offer(AT, name("b"), None, None, None, block(NOTHING)),
    )
    prompt = t.String(AT, "Which?")
    assert statement(text) == t.ChooseOffer(AT, False, P, prompt, offers, on_line(NOTHING))
