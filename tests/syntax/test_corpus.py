"""The hardest passages of two large games parse, and the tree holds what was written."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import TypeVar

import pytest

from rulelang.syntax import tree
from rulelang.syntax.parser import parse

CORPUS = Path(__file__).parent / "corpus"

T = TypeVar("T", bound=tree.Node)


@cache
def file_of(name: str) -> tree.File:
    path = CORPUS / f"{name}.rules"
    return parse(path.read_text(encoding="utf-8"), path.name).file


def declared(name: str, kind: type[T]) -> list[T]:
    return [item for item in file_of(name).declarations if isinstance(item, kind)]


def nodes(root: tree.Node, kind: type[T]) -> list[T]:
    return [node for node in tree.walk(root) if isinstance(node, kind)]


def text_of(line: tree.Line) -> str:
    return " ".join(word.text for word in line.words)


def entry(name: str, start: str) -> tree.Line:
    (found,) = [line for line in declared(name, tree.Line) if text_of(line).startswith(start)]
    return found


def lines_of(block: Iterable[tree.Content]) -> list[tree.Line]:
    return [item for item in block if isinstance(item, tree.Line)]


def part(line: tree.Line, start: str) -> tree.Line:
    (found,) = [item for item in lines_of(line.block) if text_of(item).startswith(start)]
    return found


def rule(name: str, wanted: str) -> tree.Rule:
    (found,) = [item for item in declared(name, tree.Rule) if item.name.text == wanted]
    return found


@pytest.mark.parametrize("name", ["dinosaurs", "jurassic"])
def test_parses_without_diagnostics(name: str) -> None:
    path = CORPUS / f"{name}.rules"
    parsed = parse(path.read_text(encoding="utf-8"), path.name)
    assert parsed.diagnostics == ()
    assert len(parsed.file.declarations) > 40


@pytest.mark.parametrize("name", ["dinosaurs", "jurassic"])
def test_every_node_has_its_place(name: str) -> None:
    for node in tree.walk(file_of(name)):
        assert node.span.file == f"{name}.rules"
        assert node.span.line >= 1


# ---------------------------------------------------------------- drawings, chains, tables


def test_a_drawn_map_keeps_its_blanks() -> None:
    rows = part(entry("dinosaurs", "map Plateau"), "rows")
    drawn = [item.text for item in rows.block if isinstance(item, tree.Drawn)]
    assert len(drawn) == 5
    indents = [len(text) - len(text.lstrip()) for text in drawn]
    assert [indent - min(indents) for indent in indents] == [2, 0, 2, 0, 2]
    assert [len(text.split()) for text in drawn] == [4, 4, 4, 4, 4]


def test_the_lake_of_the_map_has_six_neighbours() -> None:
    rows = nodes(part(entry("dinosaurs", "map Plateau"), "rows"), tree.Drawn)
    signs = {
        (row, column)
        for row, drawn in enumerate(rows)
        for column, sign in enumerate(drawn.text)
        if not sign.isspace()
    }
    ((row, column),) = [(r, d.text.index("L")) for r, d in enumerate(rows) if "L" in d.text]
    around = [(0, -4), (0, 4), (-1, -2), (-1, 2), (1, -2), (1, 2)]
    assert all((row + down, column + right) in signs for down, right in around)


def test_a_graph_in_chains() -> None:
    board = entry("jurassic", "board Compound")
    chains = [line for line in lines_of(board.block) if text_of(line).startswith("paths")]
    assert len(chains) == 2
    assert [sum(word.text == "-" for word in line.words) for line in chains] == [5, 2]
    leaps = part(board, "leaps")
    assert [word.text for word in leaps.words if word.kind == "sign"] == [">", ">"]


@pytest.mark.parametrize(
    ("name", "header", "rows", "bars"),
    [
        ("dinosaurs", "squares of Movement Track", 7, 2),
        ("dinosaurs", "spaces of Chase Track", 5, 2),
        ("dinosaurs", "creatures", 4, 6),
        ("jurassic", "grounds of Compound", 6, 1),
    ],
)
def test_tables_have_the_same_bars_in_every_row(
    name: str, header: str, rows: int, bars: int
) -> None:
    table = lines_of(entry(name, header).block)
    assert len(table) == rows
    assert {sum(word.kind == "bar" for word in row.words) for row in table} == {bars}


def test_names_are_kept_as_printed() -> None:
    (tools,) = [
        line for line in declared("dinosaurs", tree.Line) if text_of(line).startswith("names Tool")
    ]
    assert "Food Stores & Flashlight" in text_of(tools)
    assert text_of(tools).endswith("Shovel")  # carried on by the comma


# ---------------------------------------------------------------- charts and events


def test_a_chart_of_twelve_frames() -> None:
    chart = entry("dinosaurs", "chart M")
    frames = [line for line in lines_of(chart.block) if text_of(line).startswith("frame")]
    assert [frame.words[1].text for frame in frames] == [str(n) for n in range(1, 13)]
    assert [word.text for word in frames[-1].words][-1] == "final"
    assert all(frame.block for frame in frames)


def test_stories_are_running_text() -> None:
    chart = entry("dinosaurs", "chart M")
    stories = nodes(chart, tree.Story)
    assert len(stories) == 7
    first = stories[0]
    assert first.text.startswith("No bird calls here.")
    assert first.text.endswith("green, then grey.")  # over two lines, with a colon inside
    assert first.span.end_line == first.span.line + 1


def test_conditions_by_name() -> None:
    frame = part(entry("dinosaurs", "chart M"), "frame 4")
    (with_tool, without) = lines_of(frame.block)
    assert text_of(with_tool) == "with Machete : score 1"
    assert text_of(without) == "without Machete : next move goes back"


def test_a_fight_has_its_three_branches() -> None:
    fight = part(part(entry("dinosaurs", "chart M"), "frame 7"), "fight")
    assert [line.words[0].text for line in lines_of(fight.block)] == ["win", "draw", "lose"]


def test_option_texts_are_quoted() -> None:
    choose = part(part(entry("dinosaurs", "chart M"), "frame 11"), "choose")
    options = lines_of(choose.block)
    assert len(options) == 3
    assert all(option.words[0].kind == "string" for option in options)
    assert all(option.words[1].kind == "colon" for option in options)


def test_a_kept_event_names_its_moment() -> None:
    event = entry("dinosaurs", "event 25")
    assert event.words[-1].text == "kept"
    assert text_of(part(event, "play when")) == "play when : chase rolled"
    assert "chase_rolled" in {moment.name.text for moment in declared("dinosaurs", tree.Moment)}


def test_an_event_with_a_task() -> None:
    task = part(entry("dinosaurs", "event 23"), "task at Pinnacle")
    assert [line.words[0].text for line in lines_of(task.block)] == ["when", "needs", "done"]
    assert [cite.clause for cite in part(task, "done").cites] == ["DLW-13-8"]


# ---------------------------------------------------------------- rules


def test_a_trade_changes_hands_in_one_block() -> None:
    propose = rule("dinosaurs", "propose")
    accept = next(o for o in nodes(propose, tree.Offer) if o.label.text == "accept")
    assert [type(statement) for statement in accept.body.statements] == [tree.Assign] * 4
    deciders = [node.by for node in nodes(propose, tree.ChooseOffer)]
    assert deciders[0] != deciders[1]


def test_moments_are_opened_and_used() -> None:
    moments = {item.name.text for item in declared("dinosaurs", tree.Moment)}
    opened = {node.moment.text for node in nodes(file_of("dinosaurs"), tree.Open)}
    assert opened == moments
    during = declared("dinosaurs", tree.During)
    assert [item.moment.text for item in during] == ["chase_rolled", "move_ended"]
    assert [len(item.offers) for item in during] == [1, 2]
    assert during[1].modes[0].text == "multiplayer"


def test_hooks_and_their_order() -> None:
    hooks = declared("dinosaurs", tree.Hook)
    assert [hook.moment for hook in hooks].count("instead") == 4
    assert [hook.moment for hook in hooks].count("after") == 2
    (killed,) = [hook for hook in hooks if hook.label and hook.label.text == "killed"]
    assert [name.text for name in killed.ahead_of] == ["poorer"]
    (throw,) = [hook for hook in hooks if hook.gives]
    assert throw.rule.text == "track_throw"


def test_an_adventure_is_left_from_rules_below_it() -> None:
    (scope,) = nodes(rule("dinosaurs", "adventure"), tree.Scope)
    assert scope.label.text == "visit"
    assert len(scope.arguments) == 1
    leavers = {
        item.name.text
        for item in declared("dinosaurs", tree.Rule)
        if any(node.scope.text == "visit" for node in nodes(item, tree.Leave))
    }
    assert leavers == {"chase", "exit", "complete"}


def test_endings_are_judged_in_outcomes() -> None:
    endings = declared("dinosaurs", tree.Ending)
    assert len(endings) == 5
    assert [item.name.text for item in endings if item.completes] == ["too_late"]
    multiplayer, solitaire = declared("dinosaurs", tree.Outcome)
    assert (len(multiplayer.verdicts), len(solitaire.verdicts)) == (2, 3)
    assert len(solitaire.scores) == 1
    (sides,) = declared("jurassic", tree.Outcome)
    assert all(verdict.won and verdict.lost for verdict in sides.verdicts[:2])


def test_dice_are_thrown_together_and_several_times() -> None:
    (roll,) = nodes(rule("dinosaurs", "duel"), tree.Roll)
    assert [throw.name.text for throw in roll.throws] == ["mine", "yours"]
    assert all(throw.times is not None for throw in roll.throws)


def test_kinds_have_variants_and_state_has_bounds() -> None:
    (place,) = [kind for kind in declared("jurassic", tree.Kind) if kind.name.text == "Place"]
    assert [v.text for v in place.variants] == ["circle", "building", "refuge", "area"]
    fields = {f.name.text: f for item in declared("dinosaurs", tree.State) for f in item.fields}
    assert fields["vp"].clamped
    assert fields["tool_pile"].hidden
    assert fields["experience"].seen_by is not None
    uses = fields["uses"].type
    assert isinstance(uses, tree.CollectionType)
    assert isinstance(uses.value, tree.RangeType)
    assert (uses.value.low, uses.value.high) == (0, 5)


def test_edges_have_directions() -> None:
    edges = {edge.name.text: edge.one_way for edge in declared("jurassic", tree.Edge)}
    assert edges == {
        "path": False,
        "diamond": False,
        "border": False,
        "burst": False,
        "leap": True,
    }


def test_routes_say_how_to_walk() -> None:
    humans, raptors = declared("jurassic", tree.Routes)
    words = [line.word for line in humans.lines]
    assert words == ["from", "along", "steps", "once", "avoid", "halt", "ends"]
    assert [name.text for name in humans.lines[1].names] == ["path", "diamond"]
    assert [line.word for line in raptors.lines].count("avoid") == 2


def test_scenarios_are_scripts() -> None:
    first = declared("jurassic", tree.Scenario)[0]
    kinds = [type(step) for step in first.steps]
    assert kinds[:4] == [tree.Given, tree.Begin, tree.Scripted, tree.Offers]
    (offers, second) = [step for step in first.steps if isinstance(step, tree.Offers)]
    assert [label.text for label in offers.labels] == ["A", "N3b"]
    assert second.labels[0].quoted
