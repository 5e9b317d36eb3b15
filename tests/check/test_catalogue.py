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
        (CLAUSE + "modes = 3\n", ["clauses.toml D602 @ 2"]),
        (CLAUSE + "ruling = 3\n", ["clauses.toml D602 @ 2"]),
        ("clause = 3\n", ["clauses.toml D602 @ 1"]),
        ("[[clause]]\nid =\n", ["clauses.toml D602 @ 2"]),
        ("[[clause]", ["clauses.toml D602 @ 1"]),
    ],
)
def test_a_catalogue(catalogue: str, expected: list[str]) -> None:
    assert found(catalogue) == expected
