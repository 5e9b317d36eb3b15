"""Boards of any shape: the picture is always well formed, whole and the same."""

from __future__ import annotations

from collections.abc import Sequence
from math import isclose
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rulelang
from rulelang.drawing import svg
from rulelang.drawing.board import MARGIN
from rulelang.drawing.ground import LARGEST
from rulelang.drawing.layout import SPACING, spread
from rulelang.drawing.legend import LEAST, ROW
from rulelang.drawing.nodes import ROOM
from rulelang.drawing.places import ASIDE, MOST, Spot, places, position, spots
from tests.drawing.toy import Picture, board

CHARACTERS = st.characters(exclude_characters='"\n\r', exclude_categories=["Cs"])
NASTY = "<>&'\x00\x07\x1b\x7f\u202e\u2028\ufffe\uffff\U0001f600漢 "
TITLES = st.text(st.one_of(st.sampled_from(NASTY), CHARACTERS), max_size=60)
PLACES = st.one_of(
    st.none(),
    st.tuples(st.integers(-3, 3), st.integers(-3, 3)),
    st.tuples(st.integers(-(10**12), 10**12), st.integers(-2000, 2000)),
)


@st.composite
def boards(draw: st.DrawFn) -> rulelang.Game:
    names = draw(st.lists(TITLES, min_size=1, max_size=12))
    ends = st.integers(0, len(names) - 1)
    edges = draw(st.lists(st.tuples(ends, ends), max_size=20))
    at = draw(st.lists(PLACES, max_size=len(names)))
    return board(names, edges, at, draw(TITLES))


@settings(max_examples=60, deadline=None)
@given(boards())
def test_a_picture_of_any_board_is_whole(game: rulelang.Game) -> None:
    entries = game.program.domains["Spot"].entries
    drawn = any(e.fields_by_name["x"] is not None for e in entries) or "Lane" in game.program.edges
    assert drawn
    text = rulelang.draw(game, game.start(seed=1))
    picture = Picture(text)
    nodes = picture.groups("node")
    assert sum(map(len, nodes.values())) == len(entries)
    assert sum(map(len, picture.groups("piece").values())) == 1
    assert not picture.outside()
    assert rulelang.draw(game, game.start(seed=1)) == text
    keeps_its_room(picture, list(spots(game.program, places(game.program)).values()))


BORDER = MARGIN + ROOM + 2 * LARGEST + 0.1
"""Beyond the middle of the outermost place: itself with its pieces, a name beside it, paper, and
what is lost in rounding."""
ROWS = 4
"""Of a legend: places, pieces, lanes, and the way down to them."""


def keeps_its_room(picture: Picture, drawn: Sequence[Spot]) -> None:
    """No more paper than places, names and the legend need; places as near as is promised."""
    left, top, right, bottom = picture.box
    (first, last), (high, low) = reach(drawn)
    assert first - BORDER <= left <= first
    assert last <= right <= max(last + BORDER, left + LEAST + 2 * MARGIN + 0.1)
    assert high - BORDER <= top <= high
    assert low <= bottom <= low + BORDER + ROWS * ROW
    said = [spot for spot in drawn if position(spot.entry) is not None]
    others = [spot for spot in drawn if spot not in said]
    if said:
        assert all(end - start <= MOST + 0.01 for start, end in reach(said))
    if others:
        (start, end), (above, below) = reach(others)
        assert not said or isclose(start, reach(said)[0][1] + ASIDE)
        assert max(end - start, below - above) <= 2 * SPACING * len(others)


def reach(drawn: Sequence[Spot]) -> list[tuple[float, float]]:
    """From where to where places stand, across and down."""
    return [(min(ats), max(ats)) for ats in ([s.x for s in drawn], [s.y for s in drawn])]


def test_places_far_apart_and_others_beside_them_keep_their_room() -> None:
    lanes = [(n, n + 1) for n in range(4, 11)]
    far = [(0, 0), (1, 0), (0, 1), (10**9, -(10**9))]
    game = board([f"Place {n}" for n in range(12)], lanes, far)
    drawn = list(spots(game.program, places(game.program)).values())
    picture = Picture(rulelang.draw(game, game.start(seed=1)))
    keeps_its_room(picture, drawn)
    assert isclose(reach(drawn[:4])[0][1], MOST, abs_tol=0.01)
    assert picture.box[2] - picture.box[0] > MOST + ASIDE


@given(st.text(st.one_of(st.sampled_from(NASTY + '"'), st.characters())))
def test_any_text_becomes_xml(said: str) -> None:
    text = svg.titled(said, [svg.text(0, 0, said, 9, class_=said)])
    root = ElementTree.fromstring(text)
    assert root.tag == "g"
    title = root.findtext("title") or ""
    assert "\x1b" not in title
    assert "<" not in said or "<" in title


@given(st.text(CHARACTERS), st.floats(1, 400), st.floats(5, 30))
def test_text_fits_its_room(said: str, room: float, size: float) -> None:
    fitted, smaller = svg.fitted(said, room, size)
    assert smaller <= size or smaller == 7.0
    assert svg.width(fitted, smaller) <= room + 0.01 or len(fitted) <= 1
    for line in svg.wrapped(said, room, size, 3):
        assert svg.width(line, size) <= room + 0.01 or len(line) <= 2
    assert len(svg.wrapped(said, room, size, 3)) <= 3


def test_what_is_wrapped_is_all_there_if_there_is_room() -> None:
    said = "A line of some words and an extraordinarilylongwordthatmustbebroken in it"
    lines = svg.wrapped(said, 80, 10, 99)
    assert "".join(lines).replace(" ", "") == said.replace(" ", "")
    assert svg.wrapped(said, 80, 10, 2)[-1].endswith("…")
    assert svg.wrapped(said, 80, 10, 0) == []


def test_a_very_long_title_is_cut_in_the_picture_and_whole_in_its_alternative() -> None:
    title = "Long " * 400
    picture = Picture(rulelang.draw(board([title, "b"], [(0, 1)])))
    assert any(title.strip() in known for known in picture.groups("node"))
    assert not picture.outside()


def test_nodes_at_one_point() -> None:
    picture = Picture(rulelang.draw(board(list("abcd"), [(0, 1), (2, 3)], [(5, 5)] * 4)))
    assert len(picture.groups("node")) == 4
    assert len(picture.groups("edge")) == 2


@pytest.mark.parametrize("count", [150, 400])
def test_hundreds_of_places(count: int) -> None:
    row = 20
    edges = [(n, n + 1) for n in range(count - 1) if (n + 1) % row]
    edges += [(n, n + row) for n in range(count - row)]
    game = board([f"Place {n}" for n in range(count)], edges)
    picture = Picture(rulelang.draw(game))
    assert len(picture.groups("node")) == count
    assert len(picture.groups("edge")) == len(edges)


# ---------------------------------------------------------------- the layout


def test_joined_places_are_near_and_others_apart() -> None:
    at = spread(5, [(0, 1), (1, 2), (2, 3), (3, 4)])
    steps = [abs(complex(*at[n]) - complex(*at[n + 1])) for n in range(4)]
    assert max(steps) < abs(complex(*at[0]) - complex(*at[4])) / 2
    assert min(steps) > 40


def test_a_chain_lies_rather_than_stands() -> None:
    at = spread(8, [(n, n + 1) for n in range(7)])
    wide, high = (max(each) - min(each) for each in zip(*at, strict=True))
    assert wide > high


def test_parts_that_nothing_joins_stay_near() -> None:
    at = spread(12, [(0, 1), (1, 2), (3, 4)])
    assert len(set(at)) == 12
    assert max(max(map(abs, point)) for point in at) < 800


@pytest.mark.parametrize("count", [0, 1, 2, 90])
def test_the_layout_is_settled(count: int) -> None:
    edges = [(n, (n * 7 + 1) % count) for n in range(count) if n != (n * 7 + 1) % count]
    assert spread(count, edges) == spread(count, edges)
    assert len(spread(count, edges)) == count


def test_the_layout_gives_these_numbers_on_every_machine() -> None:
    at = spread(4, [(0, 1), (1, 2), (2, 0), (2, 3)])
    assert [(round(x, 3), round(y, 3)) for x, y in at] == [
        (212.613, 0.0), (199.617, 85.796), (113.254, 28.833), (0.0, 11.679),
    ]  # fmt: skip
