"""What is exported of a game that was written by hand, and that the same game comes back."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import rulelang
from rulelang.errors import UsageError
from rulelang.game import Game
from rulelang.loader import shipped
from rulelang.program.values import Entry, Script, Value
from tests.content.toy import CLAUSES, ENTRIES, RULES, game

TOY = game()
DATA = TOY.export()
FIRST_BEND = {
    "number": 1,
    "title": "Ford",
    "depth": 2,
    "steep": True,
    "need": None,
    "pay": {"of": "Coin", "key": "silver"},
    "next": [2, "2.5"],
    "costs": {"rope": 2, "wide net": 1},
    "story": "Water runs over stones.",
    "parts": [
        {
            "is": "calm",
            "effects": [
                {"do": "score", "n": 3},
                {"do": "take", "what": {"of": "Coin", "key": "gold"}},
            ],
            "width": 1,
        },
        {
            "is": "rough",
            "effects": [{"do": "go", "b": "2.5"}, {"do": "wade"}],
            "width": -4,
            "cites": ["RIV-2"],
        },
    ],
    "cites": ["RIV-1"],
    "#": ["Mind the stones.", "the side arm"],
}


def entry(kind: str, place: int) -> dict[str, Any]:
    found: dict[str, Any] = DATA["entries"][kind][place]
    return found


def test_every_sort_of_field_is_exported() -> None:
    assert entry("Bend", 0) == FIRST_BEND


def test_numbers_that_are_not_whole_are_exact_and_in_order() -> None:
    assert [bend["number"] for bend in DATA["entries"]["Bend"]] == [1, 2, "2.5", 3]


def test_a_title_that_is_not_in_the_head_is_told_apart() -> None:
    assert (entry("Bend", 1)["title"], entry("Bend", 1)["as"]) == ("Falls", "bend 2")
    assert "as" not in entry("Bend", 2)


def test_an_unfinished_entry_has_the_notes_of_its_author() -> None:
    assert entry("Bend", 3) == {
        "number": 3,
        "title": "",
        "depth": 3,
        "steep": False,
        "need": None,
        "pay": {"of": "Tool", "key": "lamp"},
        "next": [],
        "costs": {},
        "story": "",
        "parts": [],
        "as": "bend 3",
        "to do": ["measure the depth"],
    }
    assert entry("Pool", 1)["to do"] == [""]


def test_the_key_of_a_row_may_be_of_several_words() -> None:
    steps = [{"do": "wade"}, {"do": "score", "n": 9}]
    assert entry("Pool", 3) == {"letter": "Deep_end", "body": steps, "as": "Deep end"}
    assert entry("Pool", 4) == {"letter": "Shallows", "body": []}


def test_the_row_of_a_table_is_an_entry_with_its_comments() -> None:
    assert entry("Inn", 0) == {
        "name": "Old Oak",
        "motto": 'Stay "here" ',
        "title": "The Oak",
        "seats": -2,
        "as": "The Oak",
        "cites": ["RIV-2"],
        "#": ["It burnt down once."],
    }


def test_a_script_is_a_list_of_steps() -> None:
    assert entry("Pool", 1)["body"] == [
        {"do": "score", "n": 2},
        {
            "if": {"ask": "with", "t": "wide net"},
            "then": [{"do": "score", "n": 1}],
            "else": [
                {
                    "roll": "d6",
                    "cases": [{"faces": [1, 2, 4], "then": []}],
                    "else": [{"do": "wade"}],
                }
            ],
        },
    ]


def test_outcomes_conditions_and_choices_are_tagged() -> None:
    steps = entry("Pool", 2)["body"]
    assert steps[0]["else"] == [
        {
            "if not": {"ask": "with", "t": "rope"},
            "then": [{"do": "take", "what": {"of": "Tool", "key": "rope"}}],
        }
    ]
    assert steps[2] == {"if not": {"ask": "with", "t": "lamp"}, "then": [{"do": "wade"}]}
    assert sorted(steps[3]["then"]) == ["lose", "win"]
    assert steps[4] == {
        "choose": [
            {"offer": "Go on", "then": [{"do": "go", "b": "2.5"}]},
            {"offer": "Stay", "then": []},
        ]
    }


def test_the_rest_of_a_file_stays_text() -> None:
    assert DATA["rules"]["bends.rules"] == "# The upper river.\n\nnames Empty: nobody\n"
    assert DATA["rules"]["clauses.toml"] == CLAUSES
    assert sorted(DATA["rules"]) == ["bends.rules", "clauses.toml", "river.rules"]


def test_a_file_of_entries_alone_is_not_kept() -> None:
    data = game(more={"more.rules": 'bend 4 "Weir"\n  pay: gold\n  costs: lamp 1\n'}).export()
    assert "more.rules" not in data["rules"]
    assert [bend["number"] for bend in data["entries"]["Bend"]] == [1, 2, "2.5", 3, 4]


def test_the_written_file_takes_a_free_name() -> None:
    made = game(more={"entries.rules": "names Other: someone\n"})
    assert rulelang.from_json(made.export()).program.meaning == made.program.meaning


def test_a_game_without_its_texts_cannot_be_exported() -> None:
    with pytest.raises(UsageError, match=r"bends\.rules is not at hand"):
        Game(TOY.program, {}).export()


# ---------------------------------------------------------------- there and back


def said(value: Value) -> object:
    """A value, so that those of two games can be compared."""
    if isinstance(value, Entry):
        return value.domain, value.label
    if isinstance(value, tuple):
        return tuple(map(said, value))
    if isinstance(value, Script):
        return value.rule
    return repr(value)


def content(made: Game) -> object:
    """All that the entries of a game say, for people too."""
    return [
        (name, each.label, each.text, each.variant, each.cites, tuple(map(said, each.fields)))
        for name in made.kinds
        for each in made.program.domains[name].entries
    ]


@pytest.mark.parametrize("name", ["river", *shipped()])
def test_the_same_game_comes_back(name: str) -> None:
    made = TOY if name == "river" else rulelang.load(name)
    data = json.loads(json.dumps(made.export()))
    again = rulelang.from_json(data)
    assert again.program.meaning == made.program.meaning
    assert content(again) == content(made)
    assert {c: known for c, (known, _) in again.clauses.items()} == {
        c: known for c, (known, _) in made.clauses.items()
    }
    cited = [
        Counter((c.clause, c.what, c.name) for c in each.program.citations)
        for each in (made, again)
    ]
    assert cited[0] == cited[1]
    assert again.export() == data
    assert list(again.export()["entries"]) == list(data["entries"])


def test_a_game_from_json_can_be_played() -> None:
    made = rulelang.load("lost_expedition")
    again = rulelang.from_json(made.export())
    sessions = [each.start(mode="solo", seed=5) for each in (made, again)]
    for _ in range(20):
        for session in sessions:
            session.choose(0)
    assert sessions[0].digest() == sessions[1].digest()


def test_a_pack_is_exported_with_its_game(tmp_path: Path) -> None:
    files = {
        "river/river.rules": RULES,
        "river/bends.rules": ENTRIES,
        "river/clauses.toml": CLAUSES,
        "more_pools/pack.rules": "extends river\n\npool D: wade  cites RIV-2\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    made = rulelang.load(tmp_path / "more_pools")
    data = made.export()
    pools = [each["letter"] for each in data["entries"]["Pool"]]
    assert pools == ["A", "B", "C", "D", "Deep_end", "Shallows"]
    assert rulelang.from_json(data).program.meaning == made.program.meaning
