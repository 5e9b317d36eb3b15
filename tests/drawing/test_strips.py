"""Strips of numbered entries, and cards."""

from __future__ import annotations

import pytest

import rulelang
from rulelang.game import Game
from tests.drawing.toy import SVG, Picture, game

LONG = "a word " * 150
SERIAL = """\
game serial "The Serial"
  mode alone "Alone" players 1

names Cave: wet, dry
names Result: over, under
die d6: 1 to 6

kind Chart by letter, for p: Player
  title: text
  story: text = ""
  scenes: list of Scene
kind Scene by place, for p: Player
  title: text
  story: text = ""
  last_one: flag
  body: script
kind Token by number
  title: text

state per p: Player
  coins: 0 or more
define with(c: Cave) "with the {c} cave" for p: Player = c is wet
rule gain(n: 1 to 9) "gain {n}" for p: Player: p.coins += n
rule jump(c: Cave) for p: Player gives Result: return over
rule read_on(x: Chart) for p: Player
  for s in x.scenes: do s.body for p
rule play
  let p = first(players)
  read_on Chart[A] for p
  end done
ending done "Done"
outcome
  else: lost by players

token 1 "Lamp"
chart A "The First <Part> & more"
  scene 1 "Dark"
    story: It is dark in here.
    gain 1
  scene 2 "A fork in the road that has a very long title which needs much more than two lines"
    choose
      "Left": gain 1
      "Right": gain 2
  scene 3 "A leap" last_one
    story: STORY
    with wet: jump wet
      over: gain 3
      under: nothing
    without
      roll d6
        1 to 3: gain 4
        4 to 6: gain 5
chart B "Second"
  scene 1 "Only one"
    gain 1
"""


@pytest.fixture(scope="module")
def serial() -> Game:
    return game(SERIAL.replace("STORY", LONG))


@pytest.fixture(scope="module")
def strip(serial: Game) -> Picture:
    return Picture(rulelang.draw(serial, entry="chart A"))


def boxes(strip: Picture) -> list[tuple[str, list[str]]]:
    """The text alternative and the words of each box."""
    return [
        (title, [text.text or "" for text in groups[0].iter(f"{SVG}text")])
        for title, groups in strip.groups("n0").items()
    ]


def test_there_is_a_box_for_each_numbered_entry(strip: Picture) -> None:
    titles = [title for title, _ in boxes(strip)]
    assert titles[0] == "1: Dark. Gain 1."
    assert [title.split(":")[0] for title in titles] == ["1", "2", "3"]
    assert "The First <Part> & more" in strip.words()
    assert "chart A" in strip.words()


def test_a_box_tells_its_story_where_there_is_room(strip: Picture) -> None:
    (_, dark), _, (_, leap) = boxes(strip)
    assert "It is dark in here." in dark
    assert not any("word word" in line for line in dark)
    assert any(line.startswith("a word") and line.endswith("…") for line in leap)


def test_a_box_has_all_that_it_does(strip: Picture) -> None:
    _, _, (title, words) = boxes(strip)
    said = " ".join(words)
    for part in ("With the wet cave: jump wet.", "Over: gain 3.", "On 4 to 6: gain 5."):
        assert part in title
        assert part in said


def test_signs_say_what_a_reader_looks_for_first(strip: Picture) -> None:
    _, (_, fork), (_, leap) = boxes(strip)
    assert fork[-1] == "choice"
    assert {"last one", "? wet"} <= set(leap)
    assert leap[-1] in ("± jump wet", "die", "+1", "+2")


def test_nothing_stands_outside_a_box(strip: Picture) -> None:
    assert not strip.outside()
    for group in (groups[0] for groups in strip.groups("n0").values()):
        frame = group.find(f"{SVG}rect")
        assert frame is not None
        x, y, wide, high = (float(frame.attrib[name]) for name in ("x", "y", "width", "height"))
        for text in group.iter(f"{SVG}text"):
            assert x < float(text.attrib["x"]) < x + wide
            assert y < float(text.attrib["y"]) < y + high


def test_a_strip_of_one_box(serial: Game) -> None:
    picture = Picture(rulelang.draw(serial, entry="Second"))
    assert len(boxes(picture)) == 1
    assert not picture.outside()


def test_an_entry_may_be_given_as_one(serial: Game) -> None:
    entry = serial.program.domains["Chart"].entries[0]
    assert rulelang.draw(serial, entry=entry) == rulelang.draw(serial, entry="chart A")


# ---------------------------------------------------------------- cards


def test_a_card_says_what_it_does() -> None:
    picture = Picture(rulelang.draw(game(), entry="order 1"))
    assert {"Full ahead", "order 1", "Nobody is looking.", "Wait."} <= set(picture.words())
    assert picture.root.findtext(f"{SVG}title") == "Full ahead"
    assert not picture.outside()


def test_every_card_of_a_shipped_game_is_drawn() -> None:
    game = rulelang.load("lost_expedition")
    for entry in game.program.domains["Card"].entries:
        picture = Picture(rulelang.draw(game, entry=entry))
        assert entry.text in picture.words()
        assert not picture.outside()
