"""Declarations and lines of content, from the concrete one."""

from __future__ import annotations

from attrs import evolve

from rulelang.syntax import tree as t
from rulelang.syntax.concrete import Token, Tree
from rulelang.syntax.cursor import Cursor, build, builds, span_of

# ---------------------------------------------------------------- content


@builds
def _start(c: Cursor) -> tuple[t.Declaration, ...]:
    built = []
    while c.position < len(c.children):
        child = c.take()
        if isinstance(child, Tree):
            built.append(build(child, c.file))
    return tuple(built)


@builds
def _line(c: Cursor) -> t.Line:
    words = []
    while c.peek() in _WORD_KINDS:
        token = c.take()
        assert isinstance(token, Token)
        words.append(t.Word(span_of(token, c.file), _WORD_KINDS[token.type], str(token)))
    cites = c.cites()
    span = words[0].span.to(words[-1].span)
    return t.Line(span, tuple(words), c.many("line", "story", "drawn"), cites)


_WORD_KINDS = {
    "NAME": "name",
    "NUMBER": "number",
    "STRING": "string",
    "COMMA": "comma",
    "COLON": "colon",
    "BAR": "bar",
    "PLUS": "sign",
    "MINUS": "sign",
    "SIGN": "sign",
}


@builds
def _story(c: Cursor) -> t.Story:
    token = c.take()
    return t.Story(c.span, str(token))


@builds
def _drawn(c: Cursor) -> t.Drawn:
    token = c.take()
    return t.Drawn(c.span, str(token))


# ---------------------------------------------------------------- declarations


@builds
def _kind(c: Cursor) -> t.Kind:
    c.take()
    name = c.name()
    key = c.name() if c.accept("BY") else None
    base = subject = None
    while c.peek() in ("COMMA", "base", "subject"):
        if c.accept("COMMA"):
            continue
        if c.peek() == "base":
            base = c.build()
        else:
            subject = c.build()
    cites = c.cites()
    fields, variants = [], []
    for item in c.many("field", "variants"):
        if isinstance(item, t.FieldDecl):
            fields.append(item)
        else:
            variants.extend(item)
    return t.Kind(c.span, name, key, base, subject, tuple(variants), tuple(fields), cites)


@builds
def _base(c: Cursor) -> t.RangeType:
    c.take()
    built: t.RangeType = c.build()
    return built


@builds
def _variants(c: Cursor) -> tuple[t.Name, ...]:
    c.take(), c.take()
    built: tuple[t.Name, ...] = c.build()
    return built


@builds
def _state(c: Cursor) -> t.State:
    c.take()
    per = c.build() if c.accept("PER") else None
    modes, cites = c.modes(), c.cites()
    return t.State(c.span, per, modes, c.many("field"), cites)


@builds
def _field(c: Cursor) -> t.FieldDecl:
    name = c.name()
    c.take()
    type_ = c.build()
    hidden, clamped, seen_by = False, False, None
    while c.accept("COMMA"):
        option = c.take()
        assert isinstance(option, Tree)
        if option.type == "hidden":
            hidden = True
        elif option.type == "clamped":
            clamped = True
        else:
            seen_by = Cursor(option, c.file).last()
    default = c.accept_expr("EQUAL")
    return t.FieldDecl(c.span, name, type_, hidden, seen_by, clamped, default, c.cites())


@builds
def _setting(c: Cursor) -> t.Setting:
    ruling = c.accept("RULING") is not None
    if not ruling:
        c.take()
    name, text, modes = c.name(), c.string(), c.modes()
    c.take()
    default, cites = c.name(), c.cites()
    return t.Setting(c.span, ruling, name, text, modes, default, c.many("reading"), cites)


@builds
def _reading(c: Cursor) -> t.Reading:
    return t.Reading(c.span, c.name(), c.string(), c.cites())


@builds
def _rule(c: Cursor) -> t.Rule:
    turn = c.accept("TURN") is not None
    if not turn:
        c.take()
    name, parameters, text = c.name(), c.maybe("params") or (), c.string()
    subject_, gives_, modes = c.maybe("subject"), c.maybe("gives"), c.modes()
    return t.Rule(c.span, turn, name, parameters, text, subject_, gives_, modes, c.build())


@builds
def _gives(c: Cursor) -> t.TypeExpr:
    c.take()
    built: t.TypeExpr = c.build()
    return built


@builds
def _subject(c: Cursor) -> t.Param:
    c.take()
    built: t.Param = c.build()
    return built


@builds
def _params(c: Cursor) -> tuple[t.Param, ...]:
    return c.many("param")


@builds
def _param(c: Cursor) -> t.Param:
    name = c.name()
    c.take()
    return t.Param(c.span, name, c.build())


@builds
def _define(c: Cursor) -> t.Define:
    c.take()
    name, parameters, text = c.name(), c.maybe("params") or (), c.string()
    subject_, gives_ = c.maybe("subject"), c.maybe("gives")
    if c.accept("EQUAL"):
        value = c.expr()
        branches = (t.Branch(value.span, None, value),)
        return t.Define(c.span, name, parameters, text, subject_, gives_, branches, True, c.cites())
    cites, branches = c.cites(), c.many("branch")
    return t.Define(c.span, name, parameters, text, subject_, gives_, branches, False, cites)


@builds
def _branch(c: Cursor) -> t.Branch:
    condition = c.accept_expr("WHEN")
    c.accept("ELSE")
    c.take()
    return t.Branch(c.span, condition, c.expr(), c.cites())


@builds
def _hook(c: Cursor) -> t.Hook:
    moment_ = c.take()
    c.accept("OF")
    rule_ = c.name()
    names_: tuple[t.Name, ...] = ()
    if c.accept("CALL_LPAR"):
        names_ = c.build()
        c.take()
    subject_ = c.name() if c.accept("FOR") else None
    gives_ = c.name() if c.accept("GIVES") else None
    label_, ahead = c.maybe("named") or (None, ())
    condition = c.accept_expr("WHEN")
    modes = c.modes()
    return t.Hook(
        c.span,
        str(moment_),
        rule_,
        names_,
        subject_,
        gives_,
        label_,
        ahead,
        condition,
        modes,
        c.build(),
    )


@builds
def _named(c: Cursor) -> tuple[t.Name, tuple[t.Name, ...]]:
    c.take()
    name = c.name()
    return name, c.build() if c.accept("BEFORE") else ()


@builds
def _ending(c: Cursor) -> t.Ending:
    c.take()
    name, text, subject_ = c.name(), c.string(), c.maybe("subject")
    completes = c.name() if c.accept("COMPLETES") else None
    return t.Ending(c.span, name, text, subject_, completes, c.modes(), c.cites())


@builds
def _outcome(c: Cursor) -> t.Outcome:
    c.take()
    modes, cites = c.modes(), c.cites()
    lines = c.many("verdict", "scores")
    verdicts = tuple(item for item in lines if isinstance(item, t.Verdict))
    return t.Outcome(
        c.span, modes, verdicts, tuple(i for i in lines if isinstance(i, t.Scores)), cites
    )


@builds
def _verdict(c: Cursor) -> t.Verdict:
    condition = c.accept_expr("WHEN")
    c.accept("ELSE")
    c.take()
    won = lost = None
    while c.peek() == "result":
        word, value = c.build()
        won, lost = (value, lost) if word == "won" else (won, value)
    c.accept("TIED")
    return t.Verdict(c.span, condition, won, lost, c.cites())


@builds
def _result(c: Cursor) -> tuple[str, t.Expr]:
    word = str(c.take())
    c.take()
    return word, c.expr()


@builds
def _scores(c: Cursor) -> t.Scores:
    evaluates = c.accept("SCORES") is None
    if evaluates:
        c.take()
    player = c.build()
    c.take()
    return t.Scores(c.span, player, c.expr(), c.cites(), evaluates)


@builds
def _moment(c: Cursor) -> t.Moment:
    c.take()
    return t.Moment(c.span, c.name(), c.string(), c.maybe("subject"), c.cites())


@builds
def _during(c: Cursor) -> t.During:
    c.take()
    moment_ = c.name()
    player = c.name() if c.accept("FOR") else None
    condition, modes, cites = c.accept_expr("WHEN"), c.modes(), c.cites()
    return t.During(c.span, moment_, player, condition, modes, c.many("offer"), cites)


@builds
def _edge(c: Cursor) -> t.Edge:
    c.take()
    name = c.name()
    one_way = c.accept("FROM") is not None
    if not one_way:
        c.take()
    first: tuple[t.Name, ...] = c.build()
    c.take()
    second: tuple[t.Name, ...] = c.build()
    cites = c.cites()
    return t.Edge(c.span, name, one_way, (first, second), c.many("field"), cites)


@builds
def _kinds(c: Cursor) -> tuple[t.Name, ...]:
    names = [c.name()]
    while c.accept("OR"):
        names.append(c.name())
    return tuple(names)


@builds
def _routes(c: Cursor) -> t.Routes:
    c.take()
    name, parameters = c.name(), c.maybe("params") or ()
    c.take()
    through, cites = c.build(), c.cites()
    lines: list[t.RouteLine] = []
    while c.position < len(c.children):
        if c.peek() == "route":
            lines.append(c.build())
        elif c.peek() == "cites":
            lines.append(evolve(lines.pop(), cites=c.build()))
        else:
            c.take()
    return t.Routes(c.span, name, parameters, through, tuple(lines), cites)


@builds
def _route(c: Cursor) -> t.RouteLine:
    word = str(c.take())
    if word == "along":
        return t.RouteLine(c.span, word, c.build(), None)
    c.accept("WHERE")
    value = c.expr() if c.peek() else None
    most = c.expr() if c.accept("TO") else None
    return t.RouteLine(c.span, word, (), value, (), most)


@builds
def _check(c: Cursor) -> t.Check:
    c.take()
    text, modes, cites = c.string(), c.modes(), c.cites()
    assert text is not None
    if c.accept("COLON"):
        value = c.expr()
        return t.Check(c.span, text, modes, ((value, c.cites()),), True, cites)
    return t.Check(c.span, text, modes, c.many("claim"), False, cites)


@builds
def _claim(c: Cursor) -> tuple[t.Expr, t.Cites]:
    return c.expr(), c.cites()
