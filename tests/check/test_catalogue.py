"""The catalogue of clauses: what is wrong with it, and where."""

from __future__ import annotations

import pytest

from rulelang.analysis import analyse_sources
from rulelang.loader import Sources

GAME = """
game ferry "Ferry"
  clauses "clauses.toml"
  mode solo "Alone" players 1
rule play: nothing  cites FER-1
outcome
  else: won by players
"""
CLAUSE = '[[clause]]\nid = "FER-1"\nsection = "S"\nkind = "rule"\ntext = "T"\n'


def found(catalogue: str) -> list[str]:
    sources = Sources("ferry", {"game.rules": GAME}, {"clauses.toml": catalogue})
    return [f"{d.file} {d.code} @ {d.line}" for d in analyse_sources(sources).diagnostics]


@pytest.mark.parametrize(
    ("catalogue", "expected"),
    [
        (CLAUSE, []),
        (CLAUSE.replace("FER-1", "FER-2"), ["game.rules D601 @ 5"]),
        ("", ["game.rules D601 @ 5"]),
        (CLAUSE + CLAUSE, ["clauses.toml D602 @ 7"]),
        (CLAUSE.replace('"T"', "3"), ["clauses.toml D602 @ 2"]),
        (CLAUSE + CLAUSE.replace('id = "FER-1"\n', ""), ["clauses.toml D602 @ 6"]),
        (CLAUSE + "modes = 3\n", ["clauses.toml D602 @ 2"]),
        (CLAUSE + "ruling = 3\n", ["clauses.toml D602 @ 2"]),
        ("clause = 3\n", ["clauses.toml D602 @ 1"]),
        ("[[clause]]\nid =\n", ["clauses.toml D602 @ 2"]),
        ("[[clause]", ["clauses.toml D602 @ 1"]),
    ],
)
def test_a_catalogue(catalogue: str, expected: list[str]) -> None:
    assert found(catalogue) == expected


ISLES = """
kind Isle by name
  depth: number = 0
edge Lane between Isle and Isle
isles  cites FER-1
  name  | depth
  north | 2
  south |
lanes  cites FER-1
  north - south
"""


def test_the_first_line_of_a_table_cites_for_all_its_rows() -> None:
    text = GAME.replace("  cites FER-1", "") + ISLES
    sources = Sources("ferry", {"game.rules": text}, {"clauses.toml": CLAUSE})
    program = analyse_sources(sources).program
    assert program is not None
    assert [c.name for c in program.citations] == ["north", "south", "lane north - south"]
    assert {e.cites for e in program.domains["Isle"].entries} == {("FER-1",)}


def test_an_unknown_clause_above_a_table_is_reported_once() -> None:
    text = GAME + ISLES.replace("isles  cites FER-1", "isles  cites FER-9")
    sources = Sources("ferry", {"game.rules": text}, {"clauses.toml": CLAUSE})
    found = [d for d in analyse_sources(sources).diagnostics if d.code == "D601"]
    assert [(d.code, d.line) for d in found] == [("D601", 12)]
