"""What is drawn of a board, and where."""

from __future__ import annotations

import os
import subprocess
import sys
from math import hypot
from pathlib import Path

import pytest

import rulelang
from rulelang.session import Session
from tests.drawing.toy import HARBOUR, SVG, Picture, board, centre, game

HEXES = """\
game toy "Toy"
  mode alone "Alone" players 1
kind Hex by number
  site: Site or none = none
  wooded: flag
kind Site by name
  title: text = ""
edge Step from Hex to Hex
  way: 1 to 6
site Tarn "A Tarn With A Name That Is Far Too Long For One Hex"
hexes along Step
  sign T: site Tarn
  sign *: wooded
  sign .
  rows
      *   .   .
    .   T   *
      .   .
rule play: end done
ending done "Done"
outcome
  else: lost by players
"""


PROCESS = """
import rulelang
from tests.drawing.toy import game
toy, shipped = game(), rulelang.load("jurassic")
print(rulelang.draw(toy, toy.start(seed=1)))
print(rulelang.draw(shipped, shipped.start(seed=1)))
"""
ROOT = Path(__file__).parents[2]


@pytest.fixture
def session() -> Session:
    session = game().start(mode="crew", seed=1)
    session.choose("b1")
    return session


def drawn(session: Session) -> Picture:
    return Picture(rulelang.draw(session.game, session))


# ---------------------------------------------------------------- text alternatives


def test_every_place_has_one(session: Session) -> None:
    places = drawn(session).groups("node")
    assert set(places) == {
        "buoy b1, storm, fog 2", "buoy b2", "quay pier, The Old Pier, lit", "quay stairs, lit",
        "quay long lonely harbour, lit", "mark 1", "mark 2", "mark 3",
    }  # fmt: skip
    assert all(len(groups) == 1 for groups in places.values())


def test_every_edge_has_one(session: Session) -> None:
    assert set(drawn(session).groups("edge")) == {
        "Lane: b1 and b2", "Lane: b2 and pier", "Lane: b1 and stairs", "Chute: pier to b1",
        "Chute: stairs to b2", "Ferry: pier and stairs, fare 7",
        "Ferry: long lonely harbour and stairs, fare 0",
    }  # fmt: skip


def test_the_whole_says_what_there_is_and_what_stands_where(session: Session) -> None:
    root = drawn(session).root
    assert root.findtext(f"{SVG}title") == "The board of The Harbour"
    said = root.findtext(f"{SVG}desc") or ""
    assert said.startswith("Places: Mark 3, buoy 2, quay 3. On them: ")
    assert "quay stairs: Player 0, Player 1, lit" in said
    assert root.get("role") == "img"


# ---------------------------------------------------------------- pieces and marks


def test_every_piece_stands_where_the_state_puts_it(session: Session) -> None:
    picture = drawn(session)
    pieces, places = picture.groups("piece"), picture.groups("node")
    gulls = ", ".join(f"Gull {n}" for n in range(1, 8))
    assert set(pieces) == {
        "beacon: buoy b2", "tide: mark 1", "cleo: quay pier, The Old Pier", "ada: buoy b1",
        f"{gulls}: buoy b1", "Player 0: quay stairs", "Player 1: quay stairs",
    }  # fmt: skip
    for said, groups in pieces.items():
        place = next(title for title in places if title.startswith(said.split(": ")[1]))
        (x, y), (there_x, there_y) = centre(groups[0]), centre(places[place][0])
        assert hypot(x - there_x, y - there_y) < 20, said


def test_pieces_on_one_place_do_not_cover_each_other() -> None:
    pieces = drawn(game().start(mode="crew", seed=1)).groups("piece")
    there = [groups[0] for title, groups in pieces.items() if title.endswith("The Old Pier")]
    assert len(there) == 3
    circles = [(*centre(group), float(group[1].attrib["r"])) for group in there]
    for n, (x, y, radius) in enumerate(circles):
        for other_x, other_y, other in circles[:n]:
            assert hypot(x - other_x, y - other_y) >= radius + other - 0.2


def test_a_piece_moves_with_the_state(session: Session) -> None:
    assert "tide: mark 1" in drawn(session).groups("piece")
    session.choose("pier")
    pieces = drawn(session).groups("piece")
    assert "tide: mark 2" in pieces
    assert "tide: mark 1" not in pieces


def test_what_is_said_of_a_place_is_a_mark(session: Session) -> None:
    assert set(drawn(session).groups("mark")) == {
        "storm: buoy b1", "fog 2: buoy b1", "lit: quay pier, The Old Pier", "lit: quay stairs",
        "lit: quay long lonely harbour",
    }  # fmt: skip


def test_a_name_that_a_piece_would_cover_stands_beside_it(session: Session) -> None:
    def words(title: str, picture: Picture) -> list[str | None]:
        return [text.text for text in picture.groups("node")[title][0].iter(f"{SVG}text")]

    assert words("mark 2", drawn(session)) == ["2"]
    session.choose("pier")
    picture = drawn(session)
    assert words("mark 2", picture) == []
    assert "2" in picture.words()


def test_a_title_stands_beside_its_place_where_there_is_room() -> None:
    apart = board(["Long Name", "b"], [(0, 1)], [(0, 0), (100, 0)])
    assert {"1", "Long Name"} <= set(Picture(rulelang.draw(apart)).words())
    near = board(["Long Name", "b"], [(0, 1)], [(0, 0), (40, 0)])
    words = Picture(rulelang.draw(near)).words()
    assert "1" in words
    assert "Long Name" not in words


def test_a_board_without_a_state_has_no_pieces() -> None:
    picture = Picture(rulelang.draw(game()))
    assert picture.groups("node")
    assert not picture.all("piece")
    assert not picture.all("mark")


def test_a_session_and_its_state_are_drawn_alike(session: Session) -> None:
    both = rulelang.draw(session.game, session), rulelang.draw(session.game, session.state)
    assert both[0] == both[1]


def test_a_seat_is_not_shown_what_is_hidden_from_it(session: Session) -> None:
    seen = Picture(rulelang.draw(session.game, session.view(1)["state"])).groups("piece")
    assert "Player 1: quay stairs" in seen
    assert "Player 0: quay stairs" not in seen


# ---------------------------------------------------------------- areas, lines, hexes


@pytest.fixture(scope="module")
def shipped() -> Picture:
    game = rulelang.load("jurassic")
    return Picture(rulelang.draw(game, game.start(seed=1)))


def test_every_place_of_a_shipped_board_is_drawn(shipped: Picture) -> None:
    program = rulelang.load("jurassic").program
    places = [*program.domains["Place"].entries, *program.domains["Track"].entries]
    drawn = {**shipped.groups("area"), **shipped.groups("node")}
    assert len(drawn) == len(places) > 100
    assert not shipped.outside()


def test_pieces_in_areas_are_inside_them(shipped: Picture) -> None:
    areas = shipped.groups("area")
    checked = 0
    for said, groups in shipped.groups("piece").items():
        place = said.partition(": ")[2]
        if place in areas:
            points = areas[place][0].find(f"{SVG}polygon")
            assert points is not None
            corners = [tuple(map(float, p.split(","))) for p in points.attrib["points"].split()]
            (x, y), xs, ys = centre(groups[0]), [c[0] for c in corners], [c[1] for c in corners]
            assert min(xs) < x < max(xs), said
            assert min(ys) < y < max(ys), said
            checked += 1
    assert checked >= 5


def test_a_line_ends_at_the_rim_of_a_place(session: Session) -> None:
    picture = drawn(session)
    line = picture.groups("edge")["Lane: b1 and b2"][0].find(f"{SVG}line")
    assert line is not None
    end = float(line.attrib["x2"]), float(line.attrib["y2"])
    middle = centre(picture.groups("node")["buoy b2"][0])
    assert 5 < hypot(end[0] - middle[0], end[1] - middle[1]) < 20


def test_lines_between_the_same_places_lie_side_by_side() -> None:
    twice = HARBOUR.replace("lanes: b1 - b2", "lanes: b1 - pier, b1 - b2")
    edges = Picture(rulelang.draw(game(twice))).groups("edge")
    both = [
        edges[name][0].find(f"{SVG}line") for name in ("Lane: b1 and pier", "Chute: pier to b1")
    ]
    ends = {
        frozenset({(each.attrib["x1"], each.attrib["y1"]), (each.attrib["x2"], each.attrib["y2"])})
        for each in both
        if each is not None
    }
    assert len(ends) == 2


def test_kinds_of_edges_differ_without_colour(session: Session) -> None:
    edges = drawn(session).groups("edge")
    dashes = {}
    for title, groups in edges.items():
        line = groups[0].find(f"{SVG}line")
        if line is not None:
            dashes.setdefault(title.split(":")[0], set()).add(line.get("stroke-dasharray"))
    assert all(len(found) == 1 for found in dashes.values())
    assert len({tuple(found) for found in dashes.values()}) == len(dashes) == 3


@pytest.mark.parametrize("fields", ["", "  x: number = 0\n  y: number = 0\n"])
def test_a_drawn_map_looks_as_it_is_drawn(fields: str) -> None:
    text = HEXES.replace("  wooded: flag\n", f"  wooded: flag\n{fields}")
    picture = Picture(rulelang.draw(game(text)))
    hexes = picture.groups("hex")
    assert len(hexes) == 8
    assert "hex 1, wooded" in hexes
    assert "hex 5, A Tarn With A Name That Is Far Too Long For One Hex" in hexes
    middles = {}
    for title, groups in hexes.items():
        shape = groups[0].find(f"{SVG}polygon")
        assert shape is not None
        corners = [tuple(map(float, p.split(","))) for p in shape.attrib["points"].split()]
        middles[title.split(",")[0]] = tuple(sum(axis) / 6 for axis in zip(*corners, strict=True))
    far = {name: middles["hex 5"][0] - at[0] for name, at in middles.items()}
    down = {name: at[1] - middles["hex 5"][1] for name, at in middles.items()}
    assert far["hex 4"] == pytest.approx(60, abs=1)
    assert far["hex 2"] == pytest.approx(-30, abs=1)
    assert far["hex 7"] == pytest.approx(30, abs=1)
    assert (down["hex 1"], down["hex 8"]) == (pytest.approx(-52, abs=1), pytest.approx(52, abs=1))
    assert not picture.outside()


def test_small_numbers_are_drawn_apart() -> None:
    """A board may be written in any unit."""
    picture = Picture(rulelang.draw(board(["a", "b", "c"], [(0, 1)], [(0, 0), (1, 0), (2, 1)])))
    at = sorted(centre(groups[0]) for groups in picture.groups("node").values())
    assert hypot(at[0][0] - at[1][0], at[0][1] - at[1][1]) > 30


def test_an_area_may_say_only_its_corners() -> None:
    text = (
        HEXES.split("kind Hex")[0]
        + (
            "kind Field by name\n  outline: list of number\n"
            "field Wheat\n  outline: 0, 0, 100, 0, 100, 100, 0, 100\n"
            "field Rye\n  outline: 100, 0, 200, 0, 200, 100, 100, 100\n"
        )
        + HEXES[HEXES.index("rule play") :]
    )
    picture = Picture(rulelang.draw(game(text)))
    assert set(picture.groups("area")) == {"field Wheat", "field Rye"}
    assert {"Wheat", "Rye"} <= set(picture.words())


# ---------------------------------------------------------------- the same everywhere


def test_a_picture_is_the_same_in_other_processes() -> None:
    outputs = [
        subprocess.run(
            [sys.executable, "-c", PROCESS], cwd=ROOT, check=True, capture_output=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)},
        ).stdout
        for seed in ("1", "4242")
    ]  # fmt: skip
    assert outputs[0] == outputs[1]
    assert outputs[0].count(b"<svg") == 2
