"""Small games from a text: what the tests of the engine play with."""

from __future__ import annotations

from typing import Any

from rulelang.analysis import analyse_sources
from rulelang.game import Game
from rulelang.loader import Sources
from rulelang.session import Session

HEAD = """
game toy "Toy"
  clauses "clauses.toml"
  mode alone "Alone" players 1
  mode party "A party" players 2 to 4

names Colour: red, green, blue
die d6: 1 to 6
ending done "Done"
kind Card by number
  title: text
card 1 "Ash"
card 2 "Beech"
card 3 "Cedar"
card 4 "Dogwood"
state
  trail: list of number
"""
CLAUSES = "".join(
    f'[[clause]]\nid = "TOY-{n}"\nsection = "All"\nkind = "rule"\ntext = "One fact."\n'
    for n in range(1, 5)
)


def game(text: str, head: str = HEAD) -> Game:
    """The game of a text, which follows the common head; it must have no errors."""
    analysis = analyse_sources(
        Sources("toy", {"toy.rules": head + text}, {"clauses.toml": CLAUSES})
    )
    assert analysis.program is not None, "\n".join(map(str, analysis.diagnostics))
    return Game(analysis.program, analysis.sources.rules)


def play(text: str, *answers: str, players: int = 1, **options: Any) -> Session:
    """A session of that game at the first decision that the answers leave open."""
    mode = "alone" if players == 1 else "party"
    session = game(text).start(mode=mode, players=players, **options)
    for answer in answers:
        session.choose(answer)
    return session


def trail(text: str, *answers: str, **options: Any) -> list[int]:
    """What the rules of a text have noted in ``trail`` when the answers are used up."""
    noted: list[int] = play(text, *answers, **options).state["trail"]
    return noted


def keys(session: Session, field: str, owner: str | None = None) -> list[Any]:
    """The keys of the entries in a field of the state; of a pile all of them, from the top."""
    value = session.state[field]
    return keys_of(value if owner is None else value[owner])


def keys_of(value: Any) -> list[Any]:
    """The keys of the entries in a value as JSON."""
    if isinstance(value, dict) and "pool" in value:
        value = value["top"] + value["pool"] + value["bottom"]
    return [entry["key"] for entry in value]
