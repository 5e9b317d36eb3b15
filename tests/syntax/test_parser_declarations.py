"""The tree of each declaration, of scenarios and of content."""

from __future__ import annotations

import pytest

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
    text = 'rule a(b: Box, c: flag) "has {b}" for p: Player gives flag in solo: nothing  cites AB-1'
    rule = read(text)
    assert rule == t.Rule(
        *(AT, False, name("a")),
        (t.Param(AT, name("b"), named("Box")), t.Param(AT, name("c"), named("flag"))),
        t.String(AT, "has {b}"),
        *(t.Param(AT, name("p"), named("Player")), named("flag"), (name("solo"),)),
        on_line(t.Perform(AT, (call("nothing"),), (t.Cite(AT, "AB-1"),))),
    )
    turn = read("turn a  cites AB-1\n  nothing\n")
    assert isinstance(turn, t.Rule)
    assert turn.turn
    assert turn.text is None
    assert turn.body == t.Body(AT, (NOTHING,), (t.Cite(AT, "AB-1"),))


def test_define() -> None:
    plain = read('define f(x: Box) "with {x}" for p: Player gives flag = a  cites AB-1')
    assert plain == t.Define(
        *(AT, name("f"), (t.Param(AT, name("x"), named("Box")),), t.String(AT, "with {x}")),
        *(t.Param(AT, name("p"), named("Player")), named("flag")),
        *((t.Branch(AT, None, A),), True, (t.Cite(AT, "AB-1"),)),
    )
    branches = read('define f "g"\n  when a: b  cites AB-1\n  else: c\n')
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
        "  evaluate for p: Player = b  cites AB-1\n"
    )
    assert read(text) == t.Outcome(
        *(AT, (name("solo"),)),
        (t.Verdict(AT, A, B, C), t.Verdict(AT, None, None, None)),
        (
            t.Scores(AT, t.Param(AT, name("p"), named("Player")), X),
            t.Scores(AT, t.Param(AT, name("p"), named("Player")), B, (t.Cite(AT, "AB-1"),), True),
        ),
    )


def test_moment_and_during() -> None:
    assert read('moment market "It opens" for p: Player') == t.Moment(
        AT, name("market"), t.String(AT, "It opens"), t.Param(AT, name("p"), named("Player"))
    )
    offer = t.Offer(AT, name("buy"), None, None, None, on_line(NOTHING))
    assert read("during market for p when a in solo\n  offer buy: nothing\n") == t.During(
        AT, name("market"), name("p"), A, (name("solo"),), (offer,)
    )


def test_edges() -> None:
    one, other = (name("a"),), (name("b"),)
    both = t.Edge(AT, name("lane"), False, (one, other), (), (t.Cite(AT, "AB-1"),))
    assert read("edge lane between a and b  cites AB-1") == both
    assert read("edge chute from a to b") == t.Edge(AT, name("chute"), True, (one, other))
    several = (name("a"), name("b")), (name("c"), name("a"), name("b"))
    assert read("edge lane between a or b and c or a or b") == t.Edge(
        AT, name("lane"), False, several
    )
    assert read("edge chute from a or b\n    or c to a") == t.Edge(
        AT, name("chute"), True, ((name("a"), name("b"), name("c")), one)
    )


def test_edges_with_fields() -> None:
    edge = read("edge lane from a to b  cites AB-1\n  toll: 1 to 3 = 2\n  shut: flag\n")
    assert isinstance(edge, t.Edge)
    assert edge.cites == (t.Cite(AT, "AB-1"),)
    toll, shut = edge.fields
    assert (toll.name, toll.type, toll.default) == (
        name("toll"),
        t.RangeType(AT, 1, 3),
        number(2),
    )
    assert (shut.name, shut.type, shut.default) == (name("shut"), named("flag"), None)


def test_routes() -> None:
    text = (
        "routes r(a: Box) through x: Place  cites AB-2\n  from a\n  along lane, chute\n"
        "  steps 2  cites AB-1\n  once\n  halt where b\n  avoid where c\n  through where b\n"
        "  ends where x\n"
    )
    routes = read(text)
    assert isinstance(routes, t.Routes)
    assert routes.params == (t.Param(AT, name("a"), named("Box")),)
    assert routes.through == t.Param(AT, name("x"), named("Place"))
    assert routes.cites == (t.Cite(AT, "AB-2"),)
    assert [(line.word, line.value, line.to) for line in routes.lines] == [
        *(("from", A, None), ("along", None, None), ("steps", number(2), None)),
        *(("once", None, None), ("halt", B, None), ("avoid", C, None)),
        *(("through", B, None), ("ends", X, None)),
    ]
    assert routes.lines[1].names == (name("lane"), name("chute"))
    assert routes.lines[2].cites == (t.Cite(AT, "AB-1"),)


def test_routes_of_several_lengths_and_without_parameters() -> None:
    routes = read("routes r through x: Place\n  from a\n  along lane\n  steps b to c  cites AB-1\n")
    assert isinstance(routes, t.Routes)
    assert routes.params == ()
    steps_line = routes.lines[2]
    assert (steps_line.value, steps_line.to) == (B, C)
    assert steps_line.cites == (t.Cite(AT, "AB-1"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("edge lane", "1:6 S105 the line ends too early; `between` or `from` would fit"),
        ("edge lane between a to b", "1:21 S100 `to` cannot stand here; `and` or `or` would fit"),
        ("edge lane from a and b", "1:18 S100 `and` cannot stand here; `or` or `to` would fit"),
        ("edge a from b to c\n  d", "2:3 S105 the line ends too early; `:` would fit"),
        ("routes r(a: B)", "1:14 S105 the line ends too early; `through` would fit"),
        ("routes r through x\n  once", "1:18 S105 the line ends too early; `:` would fit"),
        (
            "routes r through x: B\n  steps 1 to",
            "2:11 S105 the line ends too early; a value would fit",
        ),
        ("routes r through x: B\n  halt x", "2:8 S100 `x` cannot stand here; `where` would fit"),
        ("routes r through x: B\n  once x", "2:8 S100 `x` cannot stand here; `cites` would fit"),
        ("routes r through x: B\n  wander", "2:3 S100 no line here begins with `wander`"),
    ],
)
def test_what_no_edge_or_route_is(text: str, expected: str) -> None:
    (found,) = parse(text + "\n", "toy.rules").diagnostics
    assert f"{found.line}:{found.column} {found.code} {found.message}" == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('game a "A"\n  mode match "M" players 1', "2:8 `match`, a mode"),
        ("names turn: a, b", "1:7 `turn`, a type"),
        ("die in: 1 to 6", "1:5 `in`, a die"),
    ],
)
def test_names_of_content_that_rules_could_not_write(text: str, expected: str) -> None:
    (found,) = parse(text + "\n", "toy.rules").diagnostics
    word, _, what = expected.partition(" ")[2].partition(", ")
    assert (found.code, f"{found.line}:{found.column}") == ("S106", expected.partition(" ")[0])
    assert found.message == f"{word} is a reserved word and cannot be used as the name of {what}"
    assert found.help is not None
    assert found.help.startswith("Choose another name, for instance")


@pytest.mark.parametrize(
    "text", ["names Hue: draw, match", "die d6: draw, 1", 'game a "A"\n  mode Match "M" players 1']
)
def test_names_of_content_that_rules_can_write(text: str) -> None:
    assert not parse(text + "\n", "toy.rules").diagnostics


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


def test_trial() -> None:
    text = (
        "trial c: Card in solo, crew  cites AB-1\n  given a = b\n  given x: Tool or Oil: take x\n"
        "  given y: Hat\n    take y\n  when go for p\n  when do c.walk for p\n"
    )
    take_x = on_line(perform("take", t.Ref(AT, "x")))
    take_y = t.Body(AT, (perform("take", t.Ref(AT, "y")),))
    either = t.UnionType(AT, (named("Tool"), named("Oil")))
    walk = t.Attribute(AT, C, name("walk"))
    assert read(text) == t.Trial(
        *(AT, t.Param(AT, name("c"), named("Card")), (name("solo"), name("crew"))),
        (
            t.Given(AT, (t.Assign(AT, A, "=", B),), True),
            t.Kit(AT, t.Param(AT, name("x"), either), take_x),
            t.Kit(AT, t.Param(AT, name("y"), named("Hat")), take_y),
            t.Begin(AT, perform("go", subject=P)),
            t.Begin(AT, t.Do(AT, walk, P)),
        ),
        (t.Cite(AT, "AB-1"),),
    )


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
