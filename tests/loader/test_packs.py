"""Packs: what they extend, chains and circles of them, and what they replace."""

from pathlib import Path

import pytest
from attrs import evolve

from rulelang import check
from rulelang.analysis import analyse_sources
from rulelang.errors import SaveError
from rulelang.game import Game, load
from rulelang.loader import MAX_PACKS, read
from rulelang.scenarios import run
from rulelang.syntax.formatter import format_text
from tests.cli.toy import write_toy


def pack(folder: Path, *wanted: str) -> Path:
    folder.mkdir()
    (folder / "a.rules").write_text("".join(f"extends {name}\n" for name in wanted))
    return folder


def found(folder: Path) -> list[tuple[str, str, int, str]]:
    return [(d.code, d.span.file, d.span.line, d.message) for d in check(folder)]


def test_a_circle_of_packs(tmp_path: Path) -> None:
    one, _ = pack(tmp_path / "one", "two"), pack(tmp_path / "two", "one")
    ((code, file, line, message),) = found(one)
    assert (code, file, line) == ("N210", "two/a.rules", 1)
    assert message.endswith("`one` in turn extends this pack")


def test_a_pack_that_extends_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = pack(tmp_path / "one", "one")
    monkeypatch.chdir(tmp_path)
    assert [(each[0], each[1], each[2]) for each in found(one)] == [("N210", "a.rules", 1)]
    monkeypatch.chdir(one)
    assert "extends itself" in found(Path("."))[0][3]


def test_a_pack_of_a_pack(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_toy(tmp_path / "toy")
    pack(tmp_path / "middle", "toy")
    outer = pack(tmp_path / "outer", "middle")
    assert found(outer) == []
    monkeypatch.chdir(outer)
    assert "middle/toy/game.rules" in read(".").rules


def test_too_many_packs(tmp_path: Path) -> None:
    for n in range(MAX_PACKS + 1):
        pack(tmp_path / f"p{n}", f"p{n + 1}")
    write_toy(tmp_path / f"p{MAX_PACKS + 1}")
    assert found(tmp_path / "p2") == []
    ((code, _, _, message),) = found(tmp_path / "p0")
    assert code == "N210"
    assert f"more than {MAX_PACKS} packs" in message


def test_a_pack_extends_one_game(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    assert found(pack(tmp_path / "one", "toy", "other")) == [
        ("N202", "a.rules", 2, "this pack extends `toy` already")
    ]


def test_a_game_extends_none(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", ("game toy", "extends ferry\ngame toy"))
    assert [each[:3] for each in found(tmp_path / "toy")] == [("N202", "game.rules", 1)]


def test_a_folder_of_the_pack_hides_no_file_of_the_game(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    one = pack(tmp_path / "one", "toy")
    (one / "toy").mkdir()
    (one / "toy" / "game.rules").write_text("# nothing yet\n")
    assert found(one) == []
    assert len(read(one).rules) == 4


def test_another_pack_is_named_not_reached_by_a_path(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    ((code, _, _, message),) = found(pack(tmp_path / "one", "../toy"))
    assert (code, "no name of a game" in message) == ("N210", True)


# ---------------------------------------------------------------- what is added and replaced

MORE = """
kind Hat by name, for t: Foot
  title: text
  worn:  list of effect

names Sole: thin, thick

hats
  name      | title         | worn
  plain     | "A Plain Hat" | tip plain
  "Sun Hat" | "A Wide One"  | tip A Plain Hat

rule tip(h: Hat) for t: Foot
  hat = h

state
  hat: Hat = plain
  sole: Sole = thin

check "three stones, and two hats": size(Stone) == 3 and size(Hat) == 2

after step as dressing
  sole = if sole is thin then thick else thin
  for e in hat.worn: do e for left
  if hat is plain: hat = "Sun Hat"

"""
OLD, NEW = "A Wide One", "A Wide New One"


def folders(tmp_path: Path, **texts: str) -> Path:
    """The toy with hats, and packs in a row, each of which extends the one before it."""
    base = write_toy(tmp_path / "toy", ("ending done", f"{MORE}ending done"))
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "a.rules").write_text(f"extends {base.name}\n{text}", "utf-8")
        base = tmp_path / name
    return base


def titles(game: Game, kind: str) -> list[str]:
    return [entry.title for entry in game.entries(kind)]


def test_a_replaced_entry_is_the_new_one_wherever_it_is_named(tmp_path: Path) -> None:
    game = load(folders(tmp_path, one='replaces hat plain "None": tip Sun Hat\n'))
    plain, sun_hat = game.entries("Hat")[::-1]
    assert (plain.key, plain.text, sun_hat.key) == ("plain", "None", "Sun Hat")
    assert sun_hat.worn[0].arguments == (plain,)
    assert game.start().state["hat"] == {"of": "Hat", "key": "plain"}


def test_the_old_title_still_names_an_entry(tmp_path: Path) -> None:
    again = f'replaces hat "Sun Hat" "{NEW}": tip {OLD}\n'
    twice = 'replaces hat "sun hat" "A Third One": tip A Wide New One, tip A Wide One\n'
    game = load(folders(tmp_path, one=again, two=twice))
    sun_hat = game.entries("Hat")[0]
    assert (sun_hat.key, sun_hat.label, sun_hat.text) == ("Sun Hat", "Sun Hat", "A Third One")
    assert [effect.arguments for effect in sun_hat.worn] == [(sun_hat,)] * 2


def test_an_old_title_is_free_for_another_entry(tmp_path: Path) -> None:
    text = f"""
replaces hat plain "Bare": tip {OLD}
replaces hat "Sun Hat" "{NEW}": tip A Plain Hat
hat cap "{OLD}": tip plain
"""
    folder = folders(tmp_path, one=text)
    assert [each[0] for each in found(folder)] == ["C505"]  # there are three hats now
    cap, plain = load(folder, unproved=True).entries("Hat")[1:]
    assert (plain.worn[0].arguments, cap.title) == ((cap,), OLD)


def test_the_last_of_a_chain_holds(tmp_path: Path) -> None:
    folder = folders(
        tmp_path,
        one='replaces stone 2 "Slate"\nreplaces stone 1 "Basalt"\n',
        two='replaces stones\n  number | title\n  2 | "Shale"\n  3 | "Opal"\n',
    )
    assert titles(load(folder), "Stone") == ["Basalt", "Shale", "Opal"]
    assert titles(load(tmp_path / "one"), "Stone") == ["Basalt", "Slate", "Flint"]
    assert titles(load(tmp_path / "toy"), "Stone") == ["Granite", "Chalk", "Flint"]


def test_the_order_of_files_means_nothing(tmp_path: Path) -> None:
    folder = folders(tmp_path, one='replaces stone 2 "Slate"\n', two='replaces stone 2 "Shale"\n')
    sources = read(folder)
    other = evolve(sources, rules=dict(reversed(sources.rules.items())))
    one, two = (analyse_sources(each) for each in (sources, other))
    assert one.diagnostics == two.diagnostics == ()
    assert one.program is not None
    assert two.program is not None
    assert one.program.meaning == two.program.meaning
    assert titles(Game(two.program, other.rules), "Stone") == ["Granite", "Shale", "Flint"]


def test_a_chain_says_which_pack_has_an_entry(tmp_path: Path) -> None:
    folder = folders(tmp_path, one='replaces stone 2 "Slate"\n', two='stone 2 "Shale"\n')
    (problem,) = check(folder)
    assert str(problem) == "a.rules:2:7: error[C502] pack `one` has stone 2 already"
    assert [(n.span.file, n.span.line, n.label) for n in problem.notes] == [
        ("one/a.rules", 2, "it stands here")
    ]
    assert problem.help == "To replace it, write `replaces stone 2 …`."


def test_a_clash_shows_the_place_in_the_game(tmp_path: Path) -> None:
    folder = folders(tmp_path, one='names Sole: high\nhat PLAIN "Another": tip plain\n')
    one, two = check(folder)
    assert str(one) == "a.rules:2:7: error[N202] the game has a type `Sole` already"
    assert [(n.span.file, n.span.line) for n in one.notes] == [("toy/game.rules", 30)]
    assert str(two) == "a.rules:3:5: error[C502] the game has hat PLAIN already"
    assert [(n.span.file, n.span.line) for n in two.notes] == [("toy/game.rules", 34)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('scenario "a stone"\n  when step\n', "the game has a scenario “a stone” already"),
        (
            "after step as dressing before other: walked = walked\nafter step as other: nothing",
            "the game has a hook of `step` called `dressing` already",
        ),
        ("rule play in solo: end done", "the game has a rule `play` already"),
    ],
)
def test_a_name_that_the_game_has(tmp_path: Path, text: str, message: str) -> None:
    assert [each[3] for each in found(folders(tmp_path, one=text))][:1] == [message]


def test_a_failing_check_says_what_a_pack_replaces(tmp_path: Path) -> None:
    claim = 'check "all stones are grey": every(s in Stone: s.title is not "Opal")\n'
    folder = folders(tmp_path, one=claim, two='stone 4 "Jet"\nreplaces stone 3 "Opal"\n')
    one, two = check(folder)
    assert [(d.code, d.span.file) for d in (one, two)] == [
        ("C505", "one/a.rules"),
        ("C505", "one/toy/game.rules"),
    ]
    for problem in (one, two):
        note = problem.notes[-1]
        assert (note.span.file, note.span.line, note.label) == (
            "a.rules",
            3,
            "a pack replaces stone 3",
        )


def test_a_game_replaces_nothing(tmp_path: Path) -> None:
    folder = write_toy(tmp_path / "toy", ("ending done", 'replaces stone 2 "Slate"\nending done'))
    assert found(folder) == [
        ("C510", "game.rules", 25, "a game does not replace entries of its own")
    ]


def test_numbers_of_packs_may_leave_gaps(tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", ("base 1 to 3", "base 1 or more"))
    one = pack(tmp_path / "one", "toy")
    (one / "b.rules").write_text('stone 9 "Opal"\nstone 0.5 "Sand"\n', "utf-8")
    assert found(one) == []
    assert titles(load(one), "Stone") == ["Sand", "Granite", "Chalk", "Flint", "Opal"]


def test_what_a_pack_no_longer_uses_is_no_fault_of_the_game(tmp_path: Path) -> None:
    again = f'replaces hat "Sun Hat" "{NEW}"\nreplaces hat plain "{OLD}"\n'
    problems = found(folders(tmp_path, one=again + "rule idle: nothing\n"))
    assert [each[:3] for each in problems if each[0] != "C507"] == [("N204", "a.rules", 4)]


# ---------------------------------------------------------------- clauses, layout, scenarios, saves

CLAUSES = """
[[clause]]
id = "{}"
section = "Stones"
kind = "rule"
text = "Stones are hard."
"""


def with_clauses(tmp_path: Path, cited: str, own: str) -> Path:
    title = 'game toy "A Walk"\n'
    toy = write_toy(tmp_path / "toy", (title, f'{title}  clauses "clauses.toml"\n'))
    (toy / "clauses.toml").write_text(CLAUSES.format("TOY-1"))
    one = pack(tmp_path / "one", "toy")
    (one / "b.rules").write_text(f'stone 4 "Opal"  cites {cited}\n', "utf-8")
    (one / "clauses.toml").write_text(CLAUSES.format(own), "utf-8")
    return one


def test_a_pack_may_have_more_clauses(tmp_path: Path) -> None:
    one = with_clauses(tmp_path, "TOY-1, ONE-1", "ONE-1")
    assert found(one) == []
    assert sorted(load(one).clauses) == ["ONE-1", "TOY-1"]


def test_a_clause_that_the_game_has(tmp_path: Path) -> None:
    one = with_clauses(tmp_path, "TOY-1", "TOY-1")
    assert found(one) == [("D602", "clauses.toml", 3, "clause TOY-1 stands twice")]


def test_the_formatter_keeps_what_is_replaced() -> None:
    text = 'replaces   stone 2   "Slate"\nreplaces stones\n  number|title\n  3|"Opal"\n'
    assert format_text(text) == (
        'replaces stone 2 "Slate"\nreplaces stones\n  number | title\n  3      | "Opal"\n'
    )


def test_a_pack_has_scenarios_of_its_own(tmp_path: Path) -> None:
    text = """
replaces hat plain "Bare": tip Sun Hat
scenario "a hat"
  given walked = 1
  when step
  answer "left"
  roll 2
  then hat is "Sun Hat" and walked == 2
"""
    results = run(load(folders(tmp_path, one=text)))
    assert [(each.name, each.file, each.ok) for each in results] == [
        ("a hat", "a.rules", True),
        ("the last step", "toy/game.rules", True),
        ("a stone", "toy/game.rules", True),
    ]


def test_a_save_is_of_the_game_with_its_packs(tmp_path: Path) -> None:
    two = folders(tmp_path, one='replaces stone 2 "Slate"\n', two="rule mark: sole = thick\n"
                  "instead of step when walked > 4: mark\n")  # fmt: skip
    plain, same, other = (load(tmp_path / name) for name in ("toy", "one", "two"))
    assert two.name == "two"
    assert plain.program.meaning == same.program.meaning != other.program.meaning
    session = plain.start(seed=3)
    saved = session.save()
    assert same.resume(saved).digest() == session.digest()  # a title changes nothing in play
    with pytest.raises(SaveError) as caught:
        other.resume(saved)
    said = "this is a save of 'toy' without packs, not with the packs 'one', 'two'"
    assert str(caught.value) == said
    with pytest.raises(SaveError, match=r"with the packs 'one', 'two', not without packs"):
        plain.resume(other.start(seed=3).save())
    assert other.resume(other.start(seed=3).save()).save() == other.start(seed=3).save()


# ---------------------------------------------------------------- boards

BOARD = """
kind Spot by name
  one of gate, arch
  width: 0 to 9 = 5

edge Path between gate and arch
  length: 1 to 9

gate north
arch south
path north - south
  length: 2

after step
  for e in Path where e.length > 1 and Spot[north] is gate and Spot[south] is arch
    walked = Spot[north].width
"""


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("replaces path South - North\n  length: 9", ""),
        ("replaces gate North\n  width: 9", ""),
        ("replaces gates\n  name | width\n  north | 9", ""),
        ("path south - north\n  length: 9", "the game has path north - south already"),
        ("gate north\n  width: 9", "the game has gate north already"),
        ("replaces gate norht", "what this pack extends has no gate norht"),
    ],
)
def test_places_and_edges_are_replaced_like_other_entries(
    tmp_path: Path, text: str, message: str
) -> None:
    toy = write_toy(tmp_path / "toy", ("ending done", f"{BOARD}ending done"))
    one = pack(tmp_path / "one", toy.name)
    (one / "b.rules").write_text(f"{text}\n", "utf-8")
    assert [each[3] for each in found(one)] == ([message] if message else [])
    if not message:
        game = load(one)
        assert 9 in [game.entries("Path")[0].length, game.entry("spot north").width]
