"""`rulelang simulate --count` and `rulelang.simulate(count=…)`: how often things happened."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.counting import Count
from rulelang.errors import UsageError
from tests.cli.conftest import Run

GAME = """\
game pond "The Pond"
  mode alone "Alone" players 1
  mode pair "Two" players 2

names Shore: near, far_one

die three: 1 to 3

kind Stone by name
  title: text = ""
  inside: script

stone flint "Flint": splash yes
stone chalk "Chalk": splash no
stone pearl "Pearl": nothing

state
  thrown: 0 to 99
  hits: 0 or more

ending full "The pond is full" for p: Player
ending bored "Enough of it" in pair

outcome
  when ended(full): won by players
  else: lost by players

rule play
  repeat
    for p in players: throw for p

turn throw for p: Player
  choose s from [Stone[flint], Stone[chalk]] by p "Which stone?"
  roll n from three
  cast n s for p
  if n == 3: hit_shore far_one for p
  do s.inside
  wave s
  if thrown == 12: end full for p

rule cast(n: 1 to 3, s: Stone) for p: Player
  thrown += 1
  if s is chalk and p is first(players): hits += n

rule hit_shore(shore: Shore) for p: Player
  if shore is far_one or p is first(players): hits += 1

rule splash(high: flag)
  if high: hits += 1

rule wave(s: Stone) in alone: nothing
rule wave(s: Stone) in pair
  if s is chalk and thrown > 8: end bored

before cast as ripple when thrown > 2: hits += 0
after cast(n, s) when s is flint: hits += 0
"""
"""A pearl is never thrown, and nothing ever hits the near shore."""


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    folder = tmp_path / "pond"
    folder.mkdir()
    (folder / "pond.rules").write_text(GAME, "utf-8")
    return folder


def calls(count: Count) -> dict[str, int]:
    """The calls by value."""
    return {row.value: row.calls for row in count.values}


def count(pond: Path, *names: str, **options: Any) -> dict[str, Count]:
    return rulelang.simulate(pond, games=20, **options, count=names).counts


# ---------------------------------------------------------------- what is counted


def test_a_rule_by_its_first_entry(pond: Path) -> None:
    cast = count(pond, "cast")["cast"]
    assert (cast.what, cast.by, cast.calls, cast.games) == ("rule", "s", 240, 20)
    assert list(calls(cast)) == ["chalk", "flint", "pearl"]
    assert sum(calls(cast).values()) == 240
    assert min(calls(cast)["chalk"], calls(cast)["flint"]) > 80
    pearl = cast.values[2]
    assert (pearl.title, pearl.calls, pearl.games) == ("Pearl", 0, 0)


def test_names_numbers_flags_and_nothing_at_all(pond: Path) -> None:
    found = count(pond, "hit_shore", "cast by n", "splash", "throw")
    assert list(calls(found["hit_shore"])) == ["near", "far_one"]
    assert calls(found["hit_shore"])["near"] == 0
    assert list(calls(found["cast by n"])) == ["1", "2", "3"]
    assert list(calls(found["splash"])) == ["no", "yes"]
    assert (found["throw"].by, found["throw"].values) == (None, [])
    assert found["throw"].calls == sum(calls(found["splash"]).values()) == 240


def test_a_game_in_which_it_never_happened(pond: Path) -> None:
    shore = rulelang.simulate(pond, games=300, count=["hit_shore"]).counts["hit_shore"]
    assert 280 < shore.games < 300 < shore.calls
    assert shore.values[1].games == shore.games


def test_hooks_by_their_names_and_by_what_they_are_called(pond: Path) -> None:
    found = count(pond, "ripple", "after cast 2", "cast")
    assert list(found) == ["before cast ripple", "after cast 2", "cast"]
    ripple, after, cast = found.values()
    assert (ripple.what, ripple.calls, ripple.games) == ("hook", 20 * 9, 20)
    assert calls(after) == {"chalk": 0, "flint": calls(cast)["flint"], "pearl": 0}
    assert after.calls == calls(cast)["flint"]
    assert cast.calls == 240  # once a call, whatever stands around it


def test_endings(pond: Path) -> None:
    found = count(pond, "full", "bored", mode="pair")
    assert found["full"].what == "end"
    assert found["full"].calls + found["bored"].calls == 20
    assert found["bored"].games == found["bored"].calls > 0


def test_the_rule_that_a_game_begins_with(pond: Path) -> None:
    assert (count(pond, "play")["play"].calls, count(pond, "play")["play"].games) == (20, 20)


def test_what_a_rule_is_done_for_is_told_apart_if_asked(pond: Path) -> None:
    seats = count(pond, "throw by p", mode="pair")["throw by p"]
    assert list(calls(seats)) == ["player 0", "player 1"]
    assert seats.calls == sum(calls(seats).values())
    assert list(calls(count(pond, "throw by p")["throw by p"])) == ["player 0"]


def test_names_may_be_written_as_entries_write_them(pond: Path) -> None:
    assert list(count(pond, "Hit Shore", "hit-shore by SHORE")) == [
        "hit_shore",
        "hit_shore by shore",
    ]


def test_scripts_are_rules_too() -> None:
    name = "script of F frame 1"
    report = rulelang.simulate("dinosaurs", mode="solitaire", games=1, count=[name])
    assert report.counts[name].what == "rule"


def test_a_game_that_comes_to_a_fault_is_counted_up_to_there(pond: Path) -> None:
    text = GAME.replace("if thrown == 12: end full for p", "if thrown == 5: thrown -= 9")
    (pond / "pond.rules").write_text(text, "utf-8")
    report = rulelang.simulate(pond, games=10, count=["cast", "wave"])
    assert report.fault_count == 10
    assert [(c.calls, c.games) for c in report.counts.values()] == [(50, 10), (50, 10)]


# ---------------------------------------------------------------- what it does not change


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_counting_changes_nothing_else(policy: str) -> None:
    options: dict[str, Any] = {"mode": "solo", "games": 3, "policy": policy, "seed": 4}
    plain, counted = (
        rulelang.simulate("lost_expedition", **options, count=names).as_json()
        for names in ((), ("resolve", "announce"))
    )
    different = {name for name, value in plain.items() if value != counted[name]}
    assert different - {"seconds", "games_per_second", "decisions_per_second"} == {"counts"}
    assert plain["counts"] == {}
    assert sum(each["calls"] for each in counted["counts"].values()) > 0


def test_any_number_of_jobs_counts_the_same(run: Run, pond: Path) -> None:
    words = ("simulate", str(pond), "--mode", "pair", "--games", "170", "--seed", "3")
    names = ("--count", "cast", "--count", "ripple", "--count", "bored", "--count", "cast by n")
    found = [
        json.loads(run(*words, *names, "--format", "json", "--jobs", jobs).out)["counts"]
        for jobs in ("1", "2", "3")
    ]
    assert found[0] == found[1] == found[2]
    assert list(found[0]) == ["cast", "before cast ripple", "bored", "cast by n"]
    assert found[0]["cast"]["calls"] == sum(row["calls"] for row in found[0]["cast"]["values"])


# ---------------------------------------------------------------- how it is said


def test_as_text(run: Run, pond: Path) -> None:
    ran = run(
        "simulate", str(pond), "--games", "20", "--count", "full", "--count", "cast", "--count",
        "hit_shore",
    )  # fmt: skip
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    start = lines.index("counted        calls      games   per game")
    table = lines[start : lines.index("", start)]
    assert table[1:3] == [
        "full              20         20       1.00",
        "cast             240         20      12.00",
    ]
    assert table[3].split()[0] == "hit_shore"
    start = lines.index("cast by s      calls      games   per game")
    assert lines[start + 3] == "pearl              0          0       0.00"
    assert any(line.startswith("hit_shore by shore  ") for line in lines)
    assert not any(line.startswith("full by") for line in lines)


def test_titles_that_say_more_stand_beside_the_label(run: Run, pond: Path) -> None:
    text = GAME.replace('"Pearl"', '"A Drowned Moon"')
    (pond / "pond.rules").write_text(text, "utf-8")
    ran = run("simulate", str(pond), "--games", "2", "--count", "cast")
    assert "\npearl  A Drowned Moon          0          0       0.00\n" in ran.out


def test_without_counts_there_is_no_table(run: Run, pond: Path) -> None:
    assert "counted" not in run("simulate", str(pond), "--games", "2").out


def test_as_json(run: Run, pond: Path) -> None:
    words = ("simulate", str(pond), "--games", "20", "--format", "json")
    found = json.loads(run(*words, "--count", "hit_shore", "--count", "full").out)["counts"]
    far = {"value": "far_one", "title": "far one", "calls": 64, "games": 20}
    near = {"value": "near", "title": "near", "calls": 0, "games": 0}
    assert found == {
        "hit_shore": {
            "what": "rule", "by": "shore", "calls": 64, "games": 20, "values": [near, far],
        },
        "full": {"what": "end", "by": None, "calls": 20, "games": 20, "values": []},
    }  # fmt: skip
    assert json.loads(run(*words).out)["counts"] == {}


# ---------------------------------------------------------------- what cannot be counted


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("cats", "there is no rule, hook or ending 'cats'; did you mean cast?"),
        ("hit_shor by n", "there is no rule, hook or ending 'hit_shor'; did you mean hit_shore?"),
        ("fulll", "did you mean full?"),
        ("after cast 1", "did you mean after cast 2?"),
        ("mountaineering", "there is no rule, hook or ending 'mountaineering'\n"),
        ("", "there is no rule, hook or ending ''\n"),
        ("cast by t", "'cast' has no parameter 't'; did you mean"),
        ("cast by stone", "'cast' has no parameter 'stone'; did you mean n, s, or p?"),
        ("full by p", "'full' has no parameter 'p'\n"),
        ("bored", "ending 'bored' is not for mode 'alone'"),
        ("cast:body", "there is no rule, hook or ending 'cast:body'"),
        ("thrown", "there is no rule, hook or ending 'thrown'"),
    ],
)
def test_names_that_do_not_fit(run: Run, pond: Path, name: str, said: str) -> None:
    ran = run("simulate", str(pond), "--count", name)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert ran.err.count("\n") == 1


def test_a_rule_of_another_mode(run: Run) -> None:
    ran = run("simulate", "dinosaurs", "--mode", "solitaire", "--count", "find_starter")
    assert (ran.status, ran.out) == (2, "")
    assert "rule 'find_starter' is not for mode 'solitaire'" in ran.err


@pytest.mark.parametrize("names", ["cast", 3, None, [None], [["cast"]]])
def test_wrong_types(pond: Path, names: Any) -> None:
    with pytest.raises(UsageError, match="what is counted"):
        rulelang.simulate(pond, games=1, count=names)
