"""The golden playthroughs of this folder are played alike, and a change is told at its step."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulelang.engines import ENGINES
from rulelang.errors import UsageError
from rulelang.game import Game
from rulelang.testing import golden
from rulelang.testing.golden import difference, game_of, main, play, read

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
PATHS = sorted(FOLDER.glob("*.txt"))
STORED = [read(path) for path in PATHS]
LOADED: dict[str, Game] = {}
REWRITE = "if that is meant, write them anew: python -m rulelang.testing.golden write tests/golden"


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("stored", STORED, ids=lambda stored: stored.path.stem)
def test_it_is_played_as_it_was(stored: golden.Stored, engine: str) -> None:
    found = difference(stored, game_of(stored, LOADED), engine)
    assert not found, f"{found}\n{REWRITE}"


@pytest.mark.parametrize("name", ["solo_1", "coop_explicit_hard", "ferry_alone", "bids_party"])
def test_writing_it_again_changes_nothing(name: str) -> None:
    stored = read(FOLDER / f"{name}.txt")
    assert tuple(play(stored.plan, game_of(stored, LOADED))) == stored.lines


# ---------------------------------------------------------------- what they cover

LEAST = {"lost_expedition": 60, "jurassic": 14, "dinosaurs": 12}
"""The games that are kept in every mode, and how many playthroughs of each there are at least."""
Tables = set[tuple[str, int]]


def of_game(name: str) -> list[golden.Stored]:
    return [stored for stored in STORED if stored.plan.game == name]


def tables(game: Game, playthroughs: list[golden.Stored]) -> Tables:
    """The modes that are played, each with how many players."""
    plans = [stored.plan for stored in playthroughs]
    return {(str(p.mode), p.players or game.modes[str(p.mode)].low) for p in plans}


def all_tables(game: Game) -> Tables:
    return {(m.name, n) for m in game.modes.values() for n in range(m.low, m.high + 1)}


@pytest.mark.parametrize("name", LEAST)
def test_every_mode_and_number_of_players_is_there(name: str) -> None:
    stored = of_game(name)
    game = game_of(stored[0], LOADED)
    assert len(stored) >= LEAST[name]
    assert tables(game, stored) == all_tables(game)
    assert {(each.plan.mode, each.plan.chance) for each in stored} == {
        (mode, chance) for mode in game.modes for chance in ("sample", "explicit")
    }


@pytest.mark.parametrize("name", ["jurassic", "dinosaurs"])
def test_bots_that_know_what_is_good_are_there(name: str) -> None:
    greedy = [stored for stored in of_game(name) if stored.plan.policy == "greedy"]
    game = game_of(greedy[0], LOADED)
    assert tables(game, greedy) == all_tables(game)


Readings = set[tuple[str, str, str]]


def readings(name: str) -> tuple[Readings, Readings]:
    """The modes with the readings of settings and rulings in them: those that are kept, and all."""
    game = game_of(of_game(name)[0], LOADED)
    found = {
        (str(plan.mode), name, reading)
        for plan in (stored.plan for stored in of_game(name))
        for name, setting in game.program.settings.items()
        if not setting.modes or plan.mode in setting.modes
        for reading in [{**plan.settings, **plan.rulings}.get(name, str(setting.default.key))]
    }
    wanted = {
        (mode, name, str(entry.key))
        for name, setting in game.program.settings.items()
        for mode in setting.modes or game.modes
        for entry in game.program.domains[setting.domain].entries
    }
    return found, wanted


def test_every_reading_of_every_setting_and_ruling_is_there_in_every_mode() -> None:
    found, wanted = readings("lost_expedition")
    assert found == wanted


@pytest.mark.parametrize("name", ["jurassic", "dinosaurs"])
def test_every_reading_of_every_setting_and_ruling_is_there(name: str) -> None:
    found, wanted = ({each[1:] for each in some} for some in readings(name))
    assert found == wanted


def test_every_playthrough_reaches_its_end_unless_it_is_to_be_stopped() -> None:
    ends = {True: "open", False: "over"}
    stopped = {s.path.stem: ends["\nsteps: " in s.head] for s in STORED}
    assert {s.path.stem: s.lines[-1].split()[0] for s in STORED} == stopped


@pytest.mark.parametrize("name", LEAST)
def test_every_mode_and_number_of_players_is_played_to_its_end(name: str) -> None:
    ended = [stored for stored in of_game(name) if stored.lines[-1].startswith("over")]
    game = game_of(ended[0], LOADED)
    assert tables(game, ended) == all_tables(game)


# ---------------------------------------------------------------- what is told

GAME = """\
game walk "A Walk"
  mode duel "For two" players 2
names Way: east, west, stay
die d3: 1 to 3
state per p: Player
  points: 0 to 9
ending done "Done"
rule play
  for p in players: go for p
  end done
rule go for p: Player
  roll n from d3
  choose w from Way by p "Where to?"
    if w is east: p.points += n
outcome
  else: won by best(p in players by most p.points)
  scores for p: Player = p.points
"""
HEAD = "game: walk\nmode: duel\nseed: 29\n\n"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A playthrough of a small game, in a folder of its own."""
    (tmp_path / "walk").mkdir()
    change_rules(tmp_path, "", "")
    path = tmp_path / "first.txt"
    path.write_text(HEAD, encoding="utf-8")
    assert main(["write", str(tmp_path)]) == 0
    return path


def change_rules(folder: Path, old: str, new: str) -> None:
    """The small game, with some words of its rules changed."""
    assert old in GAME
    (folder / "walk" / "walk.rules").write_text(GAME.replace(old, new, 1), encoding="utf-8")


def told(path: Path) -> str:
    """What is told of a file, without its folder."""
    stored = read(path)
    return difference(stored, game_of(stored, {})).removeprefix(f"{path.parent}/")


def tampered(path: Path, line: int, old: str, new: str) -> str:
    """What is told when some words of a line are others."""
    lines = path.read_text(encoding="utf-8").split("\n")
    assert old in lines[line - 1], lines[line - 1]
    lines[line - 1] = lines[line - 1].replace(old, new, 1)
    path.write_text("\n".join(lines), encoding="utf-8")
    return told(path)


def test_what_was_written_can_be_read_and_is_the_same(kept: Path) -> None:
    text = kept.read_text(encoding="utf-8")
    assert text.startswith(HEAD)
    assert [line.split()[-1] for line in text.split("\n")[4:9]] == SAID
    assert told(kept) == ""
    assert main(["check", str(kept.parent)]) == 0


SAID = ["label", "2", "stay", "3", "east"]
CHANGES = {
    "label": (
        (7, "stay", "up"),
        "7: step 1: 'up' was chosen; now these are legal: east, west, stay",
    ),
    "options": ((7, " 3 ", " 4 "), "7: step 1: there were 4 options, and now 3: east, west, stay"),
    "seat": ((9, " 1 ", " 0 "), "9: step 2: seat 0 decided, and now seat 1 does: Where to?"),
    "chance": ((6, " 2", " 3"), "6: chance brought '3', and now brings '2'"),
    "end": (
        (10, "won 1", "won 0"),
        "10: the playthrough ended with `done; won 0; lost -; scores 0=0, 1=3`, and now with "
        "`done; won 1; lost -; scores 0=0, 1=3`",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_the_first_step_that_differs_is_told(what: str, kept: Path) -> None:
    change, said = CHANGES[what]
    assert tampered(kept, *change) == f"first.txt:{said}"
    assert main(["check", str(kept.parent)]) == 1


def test_another_state_is_told(kept: Path) -> None:
    digest = kept.read_text(encoding="utf-8").split("\n")[8].split()[3]
    other = "0123456789abcdef"
    said = f"first.txt:9: step 2: the state is another: {other} then, {digest} now"
    assert tampered(kept, 9, digest, other) == said


def test_a_step_that_is_left_out_is_told(kept: Path) -> None:
    lines = kept.read_text(encoding="utf-8").split("\n")
    kept.write_text("\n".join([*lines[:7], *lines[9:]]), encoding="utf-8")
    assert told(kept) == "first.txt:8: chance brought nothing more, and now brings '3'"


RULES = {
    "fewer options": (
        "east, west, stay", "east, west",
        "first.txt:7: step 1: 'stay' was chosen; now these are legal: east, west",
    ),
    "another effect": (
        "p.points += n", "p.points += 4",
        "first.txt:7: step 1: the state is another",
    ),
    "no decision": (
        '  choose w from Way by p "Where to?"\n    if w is east: p.points += n',
        "  p.points += n",
        "first.txt:7: chance brought nothing more, and now brings '3'",
    ),
    "a fault": (
        "points: 0 to 9", "points: 0 to 2",
        "first.txt:9: step 2: 'east' makes a rule go wrong: ",
    ),
    "another mode": (
        "mode duel", "mode two",
        "first.txt:1: this playthrough cannot be begun any more: there is no mode 'duel'",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", RULES)
def test_a_change_of_the_rules_is_told(what: str, kept: Path) -> None:
    old, new, said = RULES[what]
    change_rules(kept.parent, old, new)
    assert told(kept).startswith(said)


# ---------------------------------------------------------------- what is refused

HEADS = {
    "game: walk\nplaces: 2": "bad.txt:2: a head has no 'places'; it has game, mode, chance",
    "game: walk\nseed: two": "bad.txt:2: seed is a whole number, not 'two'",
    "game: walk\nsettings: fog": "bad.txt:2: settings are written NAME=VALUE, with commas",
    "game: walk\nseed: 1\nseed: 2": "bad.txt:3: 'seed' was said already",
    "players: 2": "bad.txt:1: the head does not say which `game` is played",
    "walk": "bad.txt:1: a line of the head is written `name: value`, not 'walk'",
    "game: walk\npolicy: best": "bad.txt: there is no policy 'best'; did you mean",
    "game: nowhere": "bad.txt: the game cannot be loaded: there is no folder and no shipped game",
    "game: walk\nmode: solo": "bad.txt: there is no mode 'solo'",
    "game: walk\npolicy: greedy": "bad.txt: greedy bots cannot play this game in mode duel",
    "game: walk\n\n#\nthree": "bad.txt:4: this is no step: 'three'",
    'game: walk\n\n#\n1 0 2 0123456789abcdef "a': "bad.txt:4: this label is no JSON",
}


@pytest.mark.parametrize("text", HEADS)
def test_what_has_not_the_form_is_refused_with_its_place(
    text: str, kept: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept.unlink()
    path = kept.parent / "bad.txt"
    path.write_text(text + ("\nover\n" if "#" in text else "\n\n"), encoding="utf-8")
    capsys.readouterr()
    assert main(["check" if "#" in text else "write", str(kept.parent)]) == 2
    assert (
        capsys.readouterr().err.replace(f"{kept.parent}/", "").startswith(f"golden: {HEADS[text]}")
    )


def test_a_head_alone_must_be_written_first(kept: Path) -> None:
    kept.write_text(HEAD, encoding="utf-8")
    with pytest.raises(UsageError, match="nothing was written yet"):
        told(kept)


@pytest.mark.parametrize("words", [[], ["check"], ["look", "here"], ["check", "a", "b"]])
def test_other_words_are_answered_with_the_usage(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert "usage: " in capsys.readouterr().err


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 2
    assert "there are no playthroughs" in capsys.readouterr().err


@pytest.mark.parametrize("label", ['"quoted"', " blank", "two\nlines", "", "a  b", "é…"])
def test_any_label_can_be_written_and_read(label: str) -> None:
    from rulelang.testing.golden_text import Step, line_of, parse_line

    step = Step(3, "chance", 12, "0123456789abcdef", label)
    assert parse_line(line_of(step), Path("x.txt"), 1) == step
