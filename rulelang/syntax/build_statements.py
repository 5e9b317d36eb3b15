"""Statements and scenarios, from the concrete one."""

from __future__ import annotations

from typing import Any

from attrs import evolve

from rulelang.syntax import tree as t
from rulelang.syntax.concrete import Token, Tree
from rulelang.syntax.cursor import Cursor, build, builds

# ---------------------------------------------------------------- scenarios


@builds
def _scenario(c: Cursor) -> t.Scenario:
    c.take()
    text, modes, cites = c.string(), c.modes(), c.cites()
    assert text is not None
    return t.Scenario(
        c.span, text, modes, c.many("given", "begin", "scripted", "answer", "offers", "then"), cites
    )


@builds
def _given(c: Cursor) -> t.Given:
    head = c.take()
    assert isinstance(head, Token)
    facts = c.many("perform", "assign", "let")
    return t.Given(c.span, facts, facts[0].span.line == head.line)


@builds
def _begin(c: Cursor) -> t.Begin:
    c.take()
    return t.Begin(c.span, c.build())


@builds
def _trial(c: Cursor) -> t.Trial:
    c.take()
    entry, modes, cites = c.build(), c.modes(), c.cites()
    return t.Trial(c.span, entry, modes, c.many("given", "kit", "begin"), cites)


@builds
def _kit(c: Cursor) -> t.Kit:
    c.take()
    return t.Kit(c.span, c.build(), c.build())


@builds
def _scripted(c: Cursor) -> t.Scripted:
    word = str(c.take())
    return t.Scripted(c.span, word, c.build())


@builds
def _answer(c: Cursor) -> t.Answer:
    c.take()
    return t.Answer(c.span, c.build(), c.accept_expr("BY"))


@builds
def _offers(c: Cursor) -> t.Offers:
    c.take()
    return t.Offers(c.span, c.build(), c.accept_expr("BY"))


@builds
def _outcomes(c: Cursor) -> tuple[t.Label, ...]:
    return c.many("label")


@builds
def _label(c: Cursor) -> t.Label:
    tokens = [child for child in c.children if isinstance(child, Token)]
    return t.Label(c.span, " ".join(map(str, tokens)), tokens[0].type == "STRING")


@builds
def _then(c: Cursor) -> t.Then:
    c.take()
    return t.Then(c.span, c.expr())


# ---------------------------------------------------------------- statements


@builds
def _body(c: Cursor) -> t.Body:
    if c.accept("COLON"):
        statement = c.build()
        return t.Body(statement.span, (_citing(statement, c),), (), on_line=True)
    cites_ = c.cites()
    return t.Body(c.span, _statements(c), cites_)


def _citing(statement: Any, c: Cursor) -> t.Statement:
    """A statement with the clauses that stand behind it, if any do."""
    cites = c.cites()
    built: t.Statement = evolve(statement, cites=cites) if cites else statement
    return built


def _statements(c: Cursor) -> tuple[t.Statement, ...]:
    built = []
    while c.position < len(c.children):
        if isinstance(c.take(), Tree):
            c.position -= 1
            built.append(c.build())
    return tuple(built)


@builds
def _plain(c: Cursor) -> t.Statement:
    return _citing(c.build(), c)


@builds
def _perform(c: Cursor) -> t.Perform:
    return t.Perform(c.span, c.many("call"))


@builds
def _call(c: Cursor) -> t.Call:
    rule = c.name()
    arguments_ = []
    while c.peek() not in ("", "FOR"):
        arguments_.append(c.expr())
    return t.Call(c.span, rule, tuple(arguments_), c.accept_expr("FOR"))


@builds
def _let(c: Cursor) -> t.Let:
    c.take()
    name = c.name()
    c.take()
    return t.Let(c.span, name, c.expr())


@builds
def _let_from(c: Cursor) -> t.LetFrom:
    c.take()
    name = c.name()
    c.take()
    return t.LetFrom(c.span, name, c.build())


@builds
def _assign(c: Cursor) -> t.Assign:
    target = c.expr()
    operator = str(c.take())
    return t.Assign(c.span, target, operator, c.expr())


@builds
def _do(c: Cursor) -> t.Do:
    c.take()
    return t.Do(c.span, c.expr(), c.accept_expr("FOR"))


@builds
def _move(c: Cursor) -> t.Move:
    c.take()
    what, source = c.expr(), c.accept_expr("FROM")
    c.take()
    return t.Move(c.span, what, source, c.expr())


@builds
def _mix(c: Cursor) -> t.Mix:
    c.take()
    return t.Mix(c.span, c.expr(), c.accept_expr("INTO"))


@builds
def _roll(c: Cursor) -> t.Roll:
    return t.Roll(c.span, c.many("throw"))


@builds
def _throw(c: Cursor) -> t.Throw:
    name = c.name()
    c.take()
    return t.Throw(c.span, name, c.expr(), c.accept_expr("TIMES"))


@builds
def _reveal(c: Cursor) -> t.Reveal:
    c.take()
    what = c.expr()
    c.take()
    return t.Reveal(c.span, what, c.expr())


@builds
def _open(c: Cursor) -> t.Open:
    c.take()
    return t.Open(c.span, c.name(), c.accept_expr("FOR"))


@builds
def _end(c: Cursor) -> t.End:
    c.take()
    return t.End(c.span, c.name(), c.accept_expr("FOR"))


@builds
def _leave(c: Cursor) -> t.Leave:
    c.take()
    return t.Leave(c.span, c.name(), c.maybe("arguments") or ())


@builds
def _arguments(c: Cursor) -> tuple[t.Expr, ...]:
    return tuple(build(child, c.file) for child in c.children if isinstance(child, Tree))


@builds
def _return(c: Cursor) -> t.Return:
    c.take()
    return t.Return(c.span, c.expr() if c.peek() else None)


@builds
def _proceed(c: Cursor) -> t.Proceed:
    return t.Proceed(c.span, _arguments(c))


@builds
def _break(c: Cursor) -> t.Break:
    return t.Break(c.span)


@builds
def _continue(c: Cursor) -> t.Continue:
    return t.Continue(c.span)


@builds
def _if(c: Cursor) -> t.If:
    branches = []
    while c.accept("IF"):
        condition = c.expr()
        branches.append((condition, c.build()))
        c.accept("ELSE")
    return t.If(c.span, tuple(branches), c.maybe("otherwise"))


@builds
def _otherwise(c: Cursor) -> t.Body:
    c.take()
    built: t.Body = c.build()
    return built


@builds
def _match(c: Cursor) -> t.Match:
    c.take()
    value = c.expr()
    cases, rest = _cases(c)
    return t.Match(c.span, value, cases, rest)


@builds
def _table(c: Cursor) -> t.Table:
    c.take()
    die = c.expr()
    cases, rest = _cases(c)
    return t.Table(c.span, die, cases, rest)


def _cases(c: Cursor) -> tuple[tuple[t.Case, ...], t.Body | None]:
    built = c.many("case", "otherwise")
    cases = tuple(item for item in built if isinstance(item, t.Case))
    return cases, next((item for item in built if isinstance(item, t.Body)), None)


@builds
def _case(c: Cursor) -> t.Case:
    values = [c.expr()]
    while c.accept("COMMA"):
        values.append(c.expr())
    return t.Case(c.span, tuple(values), c.build())


@builds
def _for(c: Cursor) -> t.For:
    c.take()
    binder_ = c.build()
    at_once = c.accept("AT") is not None
    c.accept("ONCE")
    return t.For(c.span, binder_, at_once, c.build())


@builds
def _repeat(c: Cursor) -> t.Repeat:
    c.take()
    return t.Repeat(c.span, c.accept_expr("WHILE"), c.build())


@builds
def _scope(c: Cursor) -> t.Scope:
    c.take()
    return t.Scope(c.span, c.name(), c.maybe("arguments") or (), c.build())


@builds
def _draw(c: Cursor) -> t.Draw:
    c.take()
    name = c.name() if c.peek() == "NAME" else None
    c.take()
    source = c.expr()
    c.take()
    target = c.expr()
    cites_, block_, rest = c.build()
    return t.Draw(c.span, name, source, target, block_, rest, cites_)


@builds
def _choose(c: Cursor) -> t.Choose:
    may = c.accept("MAY") is not None
    c.take()
    name = c.name()
    c.take()
    source, condition = c.expr(), c.accept_expr("WHERE")
    c.take()
    by, prompt = c.expr(), c.string()
    cites_, block_, rest = c.build()
    return t.Choose(c.span, may, name, source, condition, by, prompt, block_, rest, cites_)


@builds
def _no_block(c: Cursor) -> tuple[t.Cites, t.Body | None, t.Body | None]:
    if not c.accept("ELSE"):
        return c.cites(), None, None
    statement = c.build()
    statement = _citing(statement, c)
    return (), None, t.Body(statement.span, (statement,), (), on_line=True)


@builds
def _block(c: Cursor) -> tuple[t.Cites, t.Body | None, t.Body | None]:
    if c.peek() == "body_on_line":
        body_ = c.build()
        return (), body_, c.maybe("otherwise")
    cites_ = c.cites()
    statements, rest = [], None
    while c.position < len(c.children):
        child = c.take()
        if isinstance(child, Tree):
            built = build(child, c.file)
            if child.type == "otherwise":
                rest = built
            else:
                statements.append(built)
    return cites_, t.Body(statements[0].span.to(statements[-1].span), tuple(statements)), rest


@builds
def _body_on_line(c: Cursor) -> t.Body:
    c.take()
    statement = c.build()
    return t.Body(statement.span, (_citing(statement, c),), (), on_line=True)


@builds
def _offers_choice(c: Cursor) -> t.ChooseOffer:
    may = c.accept("MAY") is not None
    c.take(), c.take()
    by, prompt, cites_ = c.expr(), c.string(), c.cites()
    built = c.many("offer", "otherwise")
    offers_ = tuple(item for item in built if isinstance(item, t.Offer))
    rest = next((item for item in built if isinstance(item, t.Body)), None)
    return t.ChooseOffer(c.span, may, by, prompt, offers_, rest, cites_)


@builds
def _offer(c: Cursor) -> t.Offer:
    c.take()
    name, text = c.name(), c.string()
    binder_ = c.build() if c.accept("FOR") else None
    condition = c.accept_expr("WHEN")
    return t.Offer(c.span, name, text, binder_, condition, c.build())
