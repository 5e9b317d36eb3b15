"""Types and expressions, from the concrete one."""

from __future__ import annotations

from fractions import Fraction

from rulelang.syntax import tree as t
from rulelang.syntax.concrete import Token, Tree
from rulelang.syntax.cursor import Cursor, build, builds, span_of
from rulelang.syntax.operators import rank

# ---------------------------------------------------------------- types and expressions


@builds
def _type(c: Cursor) -> t.TypeExpr:
    members = c.many("named_type", "none_type", "collection", "range")
    return members[0] if len(members) == 1 else t.UnionType(c.span, members)


@builds
def _named_type(c: Cursor) -> t.NamedType:
    return t.NamedType(c.span, str(c.take()))


@builds
def _none_type(c: Cursor) -> t.NoneType:
    return t.NoneType(c.span)


@builds
def _collection(c: Cursor) -> t.CollectionType:
    name = c.name()
    c.take()
    item = c.build()
    return t.CollectionType(c.span, name, item, c.build() if c.accept("TO") else None)


@builds
def _range(c: Cursor) -> t.RangeType:
    low = _integer(c)
    if c.accept("OR"):
        return t.RangeType(c.span, low, None)
    c.take()
    return t.RangeType(c.span, low, _integer(c))


def _integer(c: Cursor) -> int:
    token = c.take()
    sign = 1
    if isinstance(token, Tree):
        sign, token = -1, token.children[-1]
    return sign * int(Fraction(str(token)))


@builds
def _expr(c: Cursor) -> t.Expr:
    if c.peek() == "conditional":
        return c.expr()
    items: list[t.Expr | t.Name] = []
    while c.position < len(c.children):
        items.append(c.name() if isinstance(c.children[c.position], Token) else c.expr())
    return rank(items)


@builds
def _conditional(c: Cursor) -> t.Conditional:
    c.take()
    condition = c.expr()
    c.take()
    yes = c.expr()
    c.take()
    return t.Conditional(c.span, condition, yes, c.expr())


@builds
def _name(c: Cursor) -> t.Ref:
    return t.Ref(c.span, str(c.take()))


@builds
def _number(c: Cursor) -> t.Number:
    text = str(c.take())
    if "." not in text:
        return t.Number(c.span, int(text))
    value = Fraction(text)
    return t.Number(c.span, int(value) if value.denominator == 1 else value)


@builds
def _string(c: Cursor) -> t.String:
    return t.String(c.span, str(c.take()))


@builds
def _none(c: Cursor) -> t.NoneValue:
    return t.NoneValue(c.span)


@builds
def _group(c: Cursor) -> t.Group:
    c.take()
    return t.Group(c.span, c.expr())


def _list_items(c: Cursor) -> tuple[t.Expr, ...]:
    return tuple(build(child, c.file) for child in c.children if isinstance(child, Tree))


@builds
def _list(c: Cursor) -> t.ListOf:
    return t.ListOf(c.span, _list_items(c))


@builds
def _attribute(c: Cursor) -> t.Attribute:
    value = c.expr()
    c.take()
    return t.Attribute(c.span, value, c.name())


@builds
def _index(c: Cursor) -> t.Index:
    value = c.expr()
    c.take()
    return t.Index(c.span, value, c.expr())


@builds
def _ask(c: Cursor) -> t.Ask:
    function = c.expr()
    c.take()
    if c.peek() == "each":
        child = c.take()
        assert isinstance(child, Tree)
        each = Cursor(child, c.file)
        binder_ = each.build()
        value = each.accept_expr("COLON")
        return t.Ask(c.span, function, (), binder_, value, each.many("order"))
    arguments_ = []
    while c.position < len(c.children):
        if isinstance(c.children[c.position], Token):
            c.take()
        else:
            arguments_.append(c.expr())
    return t.Ask(c.span, function, tuple(arguments_))


@builds
def _order(c: Cursor) -> t.Order:
    return t.Order(c.span, c.accept("MOST") is not None or c.take() is None, c.expr())


@builds
def _binder(c: Cursor) -> t.Binder:
    name_ = c.name()
    c.take()
    source = c.expr()
    return t.Binder(c.span, name_, source, c.accept_expr("WHERE"))


@builds
def _modes(c: Cursor) -> tuple[t.Name, ...]:
    c.take()
    built: tuple[t.Name, ...] = c.build()
    return built


@builds
def _names(c: Cursor) -> tuple[t.Name, ...]:
    return tuple(
        t.Name(span_of(child, c.file), str(child))
        for child in c.children
        if isinstance(child, Token) and child.type == "NAME"
    )


@builds
def _cites(c: Cursor) -> t.Cites:
    return tuple(
        t.Cite(span_of(child, c.file), str(child))
        for child in c.children
        if isinstance(child, Token) and child.type == "CLAUSE"
    )
