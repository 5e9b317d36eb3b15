"""Short ways to read a piece of a text, and to write the tree that it should make."""

from __future__ import annotations

from fractions import Fraction

from rulelang.diagnostic import Span
from rulelang.syntax import tree as t
from rulelang.syntax.parser import parse

AT = Span("toy.rules", 1, 1, 1, 1)


def read(text: str) -> t.Declaration:
    """The only declaration of a text without mistakes."""
    parsed = parse(text, "toy.rules")
    assert not parsed.diagnostics, [str(d) for d in parsed.diagnostics]
    (declaration,) = parsed.file.declarations
    return declaration


def expression(text: str) -> t.Expr:
    define = read(f"define f = {text}")
    assert isinstance(define, t.Define)
    return define.branches[0].value


def type_of(text: str) -> t.TypeExpr:
    state = read(f"state\n  a: {text}")
    assert isinstance(state, t.State)
    return state.fields[0].type


def statement(text: str) -> t.Statement:
    """The statement, which may have lines below it."""
    rule = read("rule r\n" + "".join(f"  {line}\n" for line in text.split("\n")))
    assert isinstance(rule, t.Rule)
    (only,) = rule.body.statements
    return only


def steps(text: str) -> tuple[t.Step, ...]:
    scenario = read('scenario "s"\n' + "".join(f"  {line}\n" for line in text.split("\n")))
    assert isinstance(scenario, t.Scenario)
    return scenario.steps


def ref(name: str) -> t.Ref:
    return t.Ref(AT, name)


def name(text: str) -> t.Name:
    return t.Name(AT, text)


def number(value: int | Fraction) -> t.Number:
    return t.Number(AT, value)


def binary(operator: str, left: t.Expr, right: t.Expr) -> t.Binary:
    return t.Binary(AT, operator, left, right)


def named(text: str) -> t.NamedType:
    return t.NamedType(AT, text)


def call(rule: str, *arguments: t.Expr, subject: t.Expr | None = None) -> t.Call:
    return t.Call(AT, name(rule), arguments, subject)


def perform(rule: str, *arguments: t.Expr, subject: t.Expr | None = None) -> t.Perform:
    return t.Perform(AT, (call(rule, *arguments, subject=subject),))


def on_line(only: t.Statement) -> t.Body:
    return t.Body(AT, (only,), (), True)


def block(*statements: t.Statement) -> t.Body:
    return t.Body(AT, statements)


A, B, C, X, P = ref("a"), ref("b"), ref("c"), ref("x"), ref("p")
NOTHING = perform("nothing")
