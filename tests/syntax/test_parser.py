"""The tree of each construct, and the diagnostic of each kind of slip."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rulelang.diagnostic import Span
from rulelang.syntax import tree as t
from rulelang.syntax.parser import parse
from rulelang.syntax.vocabulary import MAX_FILE_SIZE

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
    return t.Binary(AT, operator, left, right, AT)


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


# ---------------------------------------------------------------- expressions and types


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


# ---------------------------------------------------------------- declarations


def test_kind() -> None:
    text = (
        "kind Box by number, base 1 to 9, for p: Player\n  one of red, blue\n  size: 1 to 3 = 2\n"
    )
    field = t.FieldDecl(*(AT, name("size"), t.RangeType(AT, 1, 3), False, None, False, number(2)))
    assert read(text) == t.Kind(
        *(AT, name("Box"), name("number"), t.RangeType(AT, 1, 9)),
        t.Param(AT, name("p"), named("Player")),
        *((name("red"), name("blue")), (field,)),
    )
    assert read("kind Box") == t.Kind(AT, name("Box"), None, None, None, (), ())


def test_state() -> None:
    text = (
        "state per p: Player in solo\n  a: pile of Box, hidden = b\n  c: set of Box, seen by p\n"
        "  d: 0 to 9, clamped\n"
    )
    state = read(text)
    assert isinstance(state, t.State)
    assert state.per == t.Param(AT, name("p"), named("Player"))
    assert state.modes == (name("solo"),)
    a, c, d = state.fields
    assert (a.hidden, a.seen_by, a.clamped, a.default) == (True, None, False, B)
    assert (c.hidden, c.seen_by, c.clamped, c.default) == (False, P, False, None)
    assert (d.hidden, d.seen_by, d.clamped, d.default) == (False, None, True, None)


def test_setting_and_ruling() -> None:
    text = (
        'ruling late "Late?" in solo = waits  cites AB-1\n  waits, leaves "it goes"\n'
        "  sinks  cites AB-2\n"
    )
    assert read(text) == t.Setting(
        *(AT, True, name("late"), t.String(AT, "Late?"), (name("solo"),), name("waits")),
        (
            t.Reading(AT, name("waits"), None),
            t.Reading(AT, name("leaves"), t.String(AT, "it goes")),
            t.Reading(AT, name("sinks"), None, (t.Cite(AT, "AB-2"),)),
        ),
        (t.Cite(AT, "AB-1"),),
    )
    setting = read("setting a = b\n  b\n")
    assert isinstance(setting, t.Setting)
    assert not setting.ruling


def test_rule_and_turn() -> None:
    rule = read("rule a(b: Box, c: flag) for p: Player gives flag in solo: nothing  cites AB-1")
    assert rule == t.Rule(
        *(AT, False, name("a")),
        (t.Param(AT, name("b"), named("Box")), t.Param(AT, name("c"), named("flag"))),
        *(t.Param(AT, name("p"), named("Player")), named("flag"), (name("solo"),)),
        on_line(t.Perform(AT, (call("nothing"),), (t.Cite(AT, "AB-1"),))),
    )
    turn = read("turn a  cites AB-1\n  nothing\n")
    assert isinstance(turn, t.Rule)
    assert turn.turn
    assert turn.body == t.Body(AT, (NOTHING,), (t.Cite(AT, "AB-1"),))


def test_define() -> None:
    plain = read("define f(x: Box) for p: Player gives flag = a  cites AB-1")
    assert plain == t.Define(
        *(AT, name("f"), (t.Param(AT, name("x"), named("Box")),)),
        *(t.Param(AT, name("p"), named("Player")), named("flag")),
        *((t.Branch(AT, None, A),), True, (t.Cite(AT, "AB-1"),)),
    )
    branches = read("define f\n  when a: b  cites AB-1\n  else: c\n")
    assert isinstance(branches, t.Define)
    assert not branches.plain
    assert branches.branches == (
        t.Branch(AT, A, B, (t.Cite(AT, "AB-1"),)),
        t.Branch(AT, None, C),
    )


def test_hooks() -> None:
    text = "instead of go(x, y) for p gives n as rebate before sale, other when a in solo: proceed"
    assert read(text) == t.Hook(
        *(AT, "instead", name("go"), (name("x"), name("y")), name("p"), name("n")),
        *(name("rebate"), (name("sale"), name("other")), A, (name("solo"),)),
        on_line(t.Proceed(AT, ())),
    )
    for moment in ("before", "after"):
        hook = read(f"{moment} go\n  nothing\n")
        assert isinstance(hook, t.Hook)
        assert (hook.moment, hook.label, hook.condition) == (moment, None, None)


def test_ending_and_outcome() -> None:
    assert read('ending sold "All sold" for p: Player completes day in solo') == t.Ending(
        *(AT, name("sold"), t.String(AT, "All sold")),
        *(t.Param(AT, name("p"), named("Player")), name("day"), (name("solo"),)),
    )
    text = (
        "outcome in solo\n  when a: won by b lost by c\n  else: tied\n  scores for p: Player = x\n"
    )
    assert read(text) == t.Outcome(
        *(AT, (name("solo"),)),
        (t.Verdict(AT, A, B, C), t.Verdict(AT, None, None, None)),
        (t.Scores(AT, t.Param(AT, name("p"), named("Player")), X),),
    )


def test_moment_and_during() -> None:
    assert read('moment market "It opens" for p: Player') == t.Moment(
        AT, name("market"), t.String(AT, "It opens"), t.Param(AT, name("p"), named("Player"))
    )
    offer = t.Offer(AT, name("buy"), None, None, None, on_line(NOTHING))
    assert read("during market for p when a in solo\n  offer buy: nothing\n") == t.During(
        AT, name("market"), name("p"), A, (name("solo"),), (offer,)
    )


def test_edges_and_routes() -> None:
    both = t.Edge(AT, name("lane"), False, (A, B), (t.Cite(AT, "AB-1"),))
    assert read("edge lane between a and b  cites AB-1") == both
    assert read("edge chute from a to b") == t.Edge(AT, name("chute"), True, (A, B))
    text = (
        "routes r(a: Box) through x: Place\n  from a\n  along lane, chute\n  steps 2  cites AB-1\n"
        "  once\n  halt where b\n  avoid where c\n  ends where x\n"
    )
    routes = read(text)
    assert isinstance(routes, t.Routes)
    assert routes.through == t.Param(AT, name("x"), named("Place"))
    assert [(line.word, line.value) for line in routes.lines] == [
        *(("from", A), ("along", None), ("steps", number(2)), ("once", None)),
        *(("halt", B), ("avoid", C), ("ends", X)),
    ]
    assert routes.lines[1].names == (name("lane"), name("chute"))
    assert routes.lines[2].cites == (t.Cite(AT, "AB-1"),)


def test_check() -> None:
    claims = ((A, ()), (B, (t.Cite(AT, "AB-1"),)))
    assert read('check "c" in solo\n  a\n  b  cites AB-1\n') == t.Check(
        AT, t.String(AT, "c"), (name("solo"),), claims, False
    )
    on_one = read('check "c": a')
    assert isinstance(on_one, t.Check)
    assert on_one.on_line


def test_scenario() -> None:
    text = (
        "given go for p\ngiven\n  let x = a\n  b += 1\nwhen go for p\nroll 3, big box\n"
        'draw "The Box"\n'
        "answer box 2 by p\noffers box 2, rest by p\nthen a"
    )
    start, facts, begin, roll, draw, answer, offers, then = steps(text)
    assert start == t.Given(AT, (perform("go", subject=P),), True)
    assert facts == t.Given(
        *(AT, (t.Let(AT, name("x"), A), t.Assign(AT, B, "+=", number(1))), False),
    )
    assert begin == t.Begin(AT, perform("go", subject=P))
    assert roll == t.Scripted(AT, "roll", (t.Label(AT, "3", False), t.Label(AT, "big box", False)))
    assert draw == t.Scripted(AT, "draw", (t.Label(AT, "The Box", True),))
    assert answer == t.Answer(AT, t.Label(AT, "box 2", False), P)
    assert offers == t.Offers(AT, (t.Label(AT, "box 2", False), t.Label(AT, "rest", False)), P)
    assert then == t.Then(AT, A)


def test_content() -> None:
    line = read('box 2 "Red": +a, b | c  cites AB-1\n  story: Once.\n  rows\n    x\n     y\n')
    assert isinstance(line, t.Line)
    assert [word.kind for word in line.words] == [
        *("name", "number", "string", "colon", "sign", "name", "comma", "name", "bar", "name"),
    ]
    assert line.cites == (t.Cite(AT, "AB-1"),)
    story, rows = line.block
    assert story == t.Story(AT, "Once.")
    assert isinstance(rows, t.Line)
    assert rows.block == (t.Drawn(AT, "x"), t.Drawn(AT, " y"))


def test_spans_are_those_of_the_text() -> None:
    rule = read("rule a\n  b c\n")
    assert isinstance(rule, t.Rule)
    assert rule.name.span == Span("toy.rules", 1, 6, 1, 7)
    (only,) = rule.body.statements
    assert only.span == Span("toy.rules", 2, 3, 2, 6)


def test_walk_meets_every_node_once() -> None:
    parsed = parse("rule a\n  b c.d\n", "toy.rules")
    assert [type(node).__name__ for node in t.walk(parsed.file)] == (
        ["File", "Rule", "Name", "Body", "Perform", "Call", "Name", "Attribute", "Ref", "Name"]
    )


# ---------------------------------------------------------------- slips


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # S100: something else is wanted
        ("rule a b: c", "S107 @ 1:8"),
        ("define a = b = c", "S100 @ 1:14"),
        ("rule r\n  if a = b: nothing", "S100 @ 2:8"),
        ("define a = (b))", "S100 @ 1:15"),
        ("define a = [b)", "S100 @ 1:14"),
        ("define a = f (b)", "S100 @ 1:14"),
        ("rule r\n  go(1)", "S100 @ 2:5"),
        ("rule r  cites ab-1\n  nothing", "S100 @ 1:15"),
        ("state\n  while: flag", "S106 @ 2:3"),
        ('scenario "s"\n  nothing', "S100 @ 2:3"),
        ("rule r\n  else: nothing", "S100 @ 2:3"),
        ("rule r\n  while a: nothing", "S100 @ 2:3"),
        ("rule r\n  nothing\n    and nothing", "S100 @ 3:5"),
        # S101, S102, S103: signs and columns
        ("define a = b -> c", "S101 @ 1:14"),
        ('rule r\n  choose by p "Which?', "S102 @ 2:15"),
        ("rule r\n    a\n  b", "S103 @ 3:3"),
        # S104: a block that nothing opens
        ("rule r\n  a\n    b\n  c", "S104 @ 3:5"),
        ("  rule r: a\nrule s: a", "S104 @ 1:3"),
        ("define a = b\n  c", "S104 @ 2:3"),
        # S105: the line ends too early
        ("define a =", "S105 @ 1:10"),
        ("define a = b +\nrule r: a", "S105 @ 1:14"),
        ("define a = f(b\nrule r: a", "S105 @ 1:13"),
        ("define a = b is not\n    and c", "S105 @ 1:17"),
        ("rule r  cites AB-1,\n  nothing", "S105 @ 1:19"),
        ("rule r: let x", "S105 @ 1:13"),
        # S106: a reserved word
        ("rule end: nothing", "S106 @ 1:6"),
        ("define a = b.open", "S106 @ 1:14"),
        ("rule r\n  let roll = 1", "S106 @ 2:7"),
        # S107: a missing colon
        ("rule r\n  if a nothing", "S107 @ 2:8"),
        ("state\n  a flag", "S107 @ 2:5"),
        ('check "c" a', "S107 @ 1:11"),
        ("rule r\n  if a: b\n  else c", "S107 @ 3:8"),
        # S108: beyond all measure
        ("define a = " + "-" * 100 + "b", "S108 @ 1:92"),
        # S109: an empty block
        ("rule r\nrule s: a", "S109 @ 1:1"),
        ("rule r", "S109 @ 1:1"),
        ("rule r\n  if a\n  b", "S109 @ 2:3"),
        ("state per p: Player\n\n# nothing\n", "S109 @ 1:1"),
    ],
)
def test_a_slip_has_one_diagnostic_in_its_place(text: str, expected: str) -> None:
    found = [f"{d.code} @ {d.line}:{d.column}" for d in parse(text).diagnostics]
    assert found == [expected]


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("rule r\n  if a nothing", "a colon is missing after `a`", "behind `:`"),
        ("rule r\n  if a = b: nothing", "`=` cannot stand here", "write `==` or `is`"),
        ("rule r\n  elif a: nothing", "cannot stand here", "Write `else if`."),
        ("rule r\n  while a: nothing", "no line here begins with `while`", "repeat while"),
        ("define a = f(b\n  + c)", "`(` has no closing `)` on this line", "carried on after"),
        ("define a = f (b)", "`(` cannot stand here", "No blank stands before"),
        ("rule r\n  go(1)", "a question by itself does nothing", "called by words"),
        ("rule r  cites ab-1\n  nothing", "a clause such as", "in capitals"),
        ("rule end: nothing", "`end` is a reserved word", "`end_`"),
        ("rule r\n  x -> y", "`->` has no meaning here", "arrow"),
        ("rule r // note\n  nothing", "`//` has no meaning here", "begin with `#`"),
        ('scenario "s"\n  nothing', "no line here begins with `nothing`", "`answer`, `draw`"),
        ("rule r\nrule s: a", "nothing stands under this line", "Indent what belongs to it"),
    ],
)
def test_messages_say_what_to_write(text: str, message: str, help: str) -> None:
    (diagnostic,) = parse(text).diagnostics
    assert message in diagnostic.message
    assert diagnostic.help is not None
    assert help in diagnostic.help


def test_a_missing_colon_can_be_inserted() -> None:
    text = "rule r\n  if a nothing"
    (diagnostic,) = parse(text).diagnostics
    assert diagnostic.fix is not None
    (edit,) = diagnostic.fix.edits
    lines = text.split("\n")
    line = lines[edit.span.line - 1]
    lines[edit.span.line - 1] = (
        line[: edit.span.column - 1] + edit.text + line[edit.span.column - 1 :]
    )
    assert lines == ["rule r", "  if a: nothing"]
    assert not parse("\n".join(lines)).diagnostics


def test_a_file_beyond_all_measure_is_not_read() -> None:
    parsed = parse("a" * (MAX_FILE_SIZE + 1))
    assert [d.code for d in parsed.diagnostics] == ["S110"]
    assert parsed.file.declarations == ()


def test_deep_nesting_is_read_or_reported() -> None:
    depth = 15
    text = "rule r\n" + "".join("  " * (n + 1) + "if a\n" for n in range(depth))
    text += "  " * (depth + 1) + "x = " + "(" * depth + "a" + ")" * depth + ".b" * 60 + "\n"
    assert not parse(text).diagnostics
