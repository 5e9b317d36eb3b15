"""Whole small games: kinds of entries drawn at random, rules that do nothing, and entries."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from rulelang.content.outline import outline
from rulelang.content.shapes import FORMAT, Json
from rulelang.program.program import Program
from rulelang.syntax.parser import parse

FILE = "game.rules"
_HEAD = """\
game toy "Toy"
  mode alone "Alone" players 1

names Shade: red, green, deep_blue
names Metal: tin, "raw copper"
names Pawn: 1 to 4
die cube: 1 to 6

ending done "Done"
rule play: end done
define with(m: Metal) for p: Player = m is tin
define lucky = yes
define above(n: 0 to 9) for p: Player = n > 3
rule meet(s: Shade) for p: Player gives Metal: return tin
"""
_FIELDS = ("alpha", "beta", "gamma", "delta", "story")
_SIMPLE = (
    *("text", "flag", "number", "0 to 9", "3 or more", "Shade", "Pawn", "Deed", "effect"),
    *(
        "Shade or none",
        "Shade or Metal",
        "Metal or Shade or none",
        "Pawn or Shade",
        "0 to 5 or none",
    ),
    *(
        "text or none",
        "list of Shade",
        "list of text",
        "list of number",
        "list of effect",
        "set of Pawn",
    ),
    *("list of Deed", "map of Shade to 0 to 9", "map of Pawn to text", "map of Metal to Shade"),
)
_DEFAULTS = {"text": '"plain"', "number": "7", "0 to 9": "4", "Shade": "green", "flag": "yes"}
_EDGE_FIELDS = (
    "",
    "  toll: 0 to 9\n",
    "  beta: text\n  shade: Shade or none\n",
    "  lean: 1 to 6 = 2\n  open_to: list of Pawn\n",
    "  shut: flag\n  near: Spot or none\n",
)
_ARGUMENTS = (
    "Shade",
    "1 to 5",
    "Shade or Metal",
    "Pawn",
    "text",
    "0 or more",
    "Deed",
    "Metal or 1 to 5",
)


@st.composite
def games(draw: DrawFn) -> dict[str, Json]:
    """Small games in the form of `Game.export`: what it gives back for them is the same."""
    from rulelang.testing.strategies import contents

    text = draw(skeletons())
    program = outline_of(text)
    return {
        "format": FORMAT,
        "game": program.name,
        "rules": {FILE: text},
        "entries": draw(contents(program)),
    }


@st.composite
def skeletons(draw: DrawFn) -> str:
    """The text of a small game without its entries."""
    lines = [_HEAD]
    for number in range(draw(st.integers(1, 3))):
        types = draw(st.lists(st.sampled_from(_ARGUMENTS), max_size=2))
        given = ", ".join(f"a{place}: {kind}" for place, kind in enumerate(types))
        subject = draw(st.sampled_from(("", " for p: Player")))
        lines.append(f"rule verb{number}{f'({given})' if given else ''}{subject}: nothing\n")
    lines.append(draw(_inner_kind()))
    lines.append(
        draw(
            _kind("Deed by number", ("script", "script", "script\n  rest: script", "list of Piece"))
        )
    )
    lines.append(draw(_kind("Place by name", ("list of Piece",))))
    lines.append(draw(_board()))
    return "".join(lines)


@st.composite
def _kind(draw: DrawFn, opening: str, last: Sequence[str]) -> str:
    fields = draw(_fields(_FIELDS))
    if draw(st.integers(0, 3)):
        fields.append(f"  last: {draw(st.sampled_from(last))}")
    return "\n".join([f"\nkind {opening}, for p: Player", *(fields or ["  alpha: flag"]), ""])


@st.composite
def _board(draw: DrawFn) -> str:
    """Spots in two variants with numbered signs, and edges between them and other entries."""
    fields = "\n".join(draw(_fields(_FIELDS)))
    signs = draw(st.sampled_from(("", "  one of arrow, board\n")))
    edges = [
        "\nedge Lane between buoy and buoy or quay\n",
        "edge Drift from Spot or Deed to quay\n",
        "edge Link between Place and Deed or Spot\n",
    ]
    parts = [
        "\nkind Spot by name, for p: Player\n  one of buoy, quay\n  signs: list of Sign\n",
        f"\nkind Sign by place, for p: Player\n{signs}{fields or '  alpha: flag'}\n",
        *(edge + draw(st.sampled_from(_EDGE_FIELDS)) for edge in draw(st.permutations(edges))),
    ]
    return "".join(parts)


@st.composite
def _inner_kind(draw: DrawFn) -> str:
    variants = draw(st.sampled_from(((), ("boon",), ("boon", "bane"))))
    fields = draw(_fields(_FIELDS))
    said = [f"  one of {', '.join(variants)}"] if variants else []
    return "\n".join(["\nkind Piece for p: Player", *said, *(fields or ["  alpha: flag"]), ""])


@st.composite
def _fields(draw: DrawFn, names: Sequence[str]) -> list[str]:
    made = []
    for name in draw(st.lists(st.sampled_from(names), max_size=4, unique=True)):
        kind = "text" if name == "story" else draw(st.sampled_from(_SIMPLE))
        default = _DEFAULTS.get(kind) if draw(st.booleans()) else None
        made.append(f"  {name}: {kind}" + (f" = {default}" if default is not None else ""))
    return made


def outline_of(text: str) -> Program:
    """What a text without entries declares."""
    return outline([parse(text, FILE).file])
