"""What `is` says of a union holds only as long as it is sure."""

import pytest

from rulelang.analysis import analyse_sources
from rulelang.loader import Sources

GAME = """game a "A"
  mode one_alone "One" players 1
kind Tool by name
  one of saw, axe
  weight: 1 to 9
kind Plant by name
  height: 1 to 9
kind Card by number
  holds: Tool or Plant
saw big
  weight: 2
axe small
  weight: 4
plant fern
  height: 3
card 1
  holds: big
card 2
  holds: fern
state
  deck: row of Card = Card
  sea: row of Card
  it: Tool or Plant = fern
  k: 0 or more
outcome
  else: won by players
rule play
"""


def found(lines: str) -> list[str]:
    body = "".join(f"  {line}\n" for line in lines.split("\n"))
    sources = Sources("a", {"g.rules": GAME + body}, {})
    found = analyse_sources(sources).diagnostics
    return [f"{d.code}: {d.message}" for d in found if d.severity == "error"]


@pytest.mark.parametrize(
    "lines",
    [
        "if it is Tool: k += it.weight\nelse: k += it.height",
        "if it is not Plant: k += it.weight",
        "if it is not fern: k += it.weight",
        "if deck is empty: return\nif first(deck).holds is Tool: k += first(deck).holds.weight",
    ],
)
def test_what_is_sure_may_be_used(lines: str) -> None:
    assert found(lines) == []


@pytest.mark.parametrize(
    "lines",
    [
        "for saw in [it]\n  if it is saw: k += it.weight",
        "let big = it\nif it is not big: k += it.height",
        "if deck is empty: return\nif first(deck).holds is Tool\n"
        "  move first(deck) to right(sea)\n  if deck is empty: return\n"
        "  k += first(deck).holds.weight",
        "if deck is empty: return\nif first(deck).holds is Tool\n  sort deck\n"
        "  k += first(deck).holds.weight",
    ],
)
def test_what_is_not_may_not(lines: str) -> None:
    assert [each.split(":")[0] for each in found(lines)] == ["T301"]
