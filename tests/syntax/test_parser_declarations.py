"""The tree of each declaration, of scenarios and of content."""

from __future__ import annotations

from rulelang.diagnostic import Span
from rulelang.syntax import tree as t
from rulelang.syntax.parser import parse
from tests.syntax.trees import (
    AT,
    NOTHING,
    A,
    B,
    C,
    P,
    X,
    call,
    name,
    named,
    number,
    on_line,
    perform,
    read,
    steps,
)


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
