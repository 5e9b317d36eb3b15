"""Entries by the words that a person names them with."""

from __future__ import annotations

import pytest

from rulelang.errors import UsageError
from rulelang.finding import Finder
from tests.read.toy import ENTRIES, RULES, game

FINDER = Finder(
    game(
        RULES.replace("kind Tale by number", "kind Tale by name"),
        ENTRIES.replace("tale 1", "tale one"),
    ).program
)
TWO_NUMBERED = Finder(game().program)


def labels(*words: str, finder: Finder = FINDER) -> list[str]:
    return [entry.label for entry in finder.find_all(words)]


@pytest.mark.parametrize(
    "words",
    [
        ["tree 2"],
        ["Tree", "2"],
        ["2"],
        ["twin"],
        ["TREE", "Twin"],
        ['tree "Twin"'],
        ["tree 2 “Twin”"],
        ["tree", "2", "Twin"],
    ],
)
def test_ways_to_name_one_entry(words: list[str]) -> None:
    assert labels(*words) == ["tree 2"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["crow"], ["ada", "finn"]),
        (["crows"], ["ada", "finn"]),
        (["hill path", "east-gate"], ["east_gate"]),
        (["hillpath", "East", "Gate"], ["east_gate"]),
        (["tree", "2.5", "crow", "finn", "tree 2.5"], ["tree 2.5", "finn"]),
        (["finn", "crow"], ["finn", "ada"]),
        (["old ada", "old", "crow!"], ["ada", "tree 1"]),
    ],
)
def test_several_entries(words: list[str], found: list[str]) -> None:
    assert labels(*words) == found


def test_a_title_that_two_entries_have_names_both() -> None:
    made = Finder(game(entries=ENTRIES.replace('"Finn"', '"Twin"')).program)
    assert labels("twin", finder=made) == ["tree 2", "finn"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["tree", "22"], "there is no entry 'tree 22'; did you mean tree 2"),
        (["Twim"], "there is no entry 'Twim'; did you mean Twin?"),
        (["tere", "2"], "there is no entry 'tere'; did you mean tree"),
        (["crow finn", "x"], "there is no entry 'x'"),
    ],
)
def test_a_name_that_nothing_has(words: list[str], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        labels(*words)
    assert message in str(caught.value)


def test_a_number_alone_means_the_only_kind_with_it() -> None:
    assert labels("2", finder=TWO_NUMBERED) == ["tree 2"]
    with pytest.raises(UsageError, match=r"1 is the number of several entries.*tree 1 or tale 1"):
        labels("1", finder=TWO_NUMBERED)
