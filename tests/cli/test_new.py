"""`rulelang new`: what it makes is sound, and it touches nothing that is there."""

import os
import tempfile
from pathlib import Path

import pytest

from rulelang.analysis import analyse
from rulelang.game import load
from tests.cli.conftest import Run
from tests.cli.lamps import write_lamps
from tests.cli.toy import UNKNOWN_NAME, write_toy

GAME_FILES = ["README.md", "cards.rules", "game.rules", "tests.rules"]
FERRY = str(Path(__file__).parents[2] / "docs" / "examples" / "ferry")


def files(folder: Path) -> list[str]:
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in found)


def passes(run: Run, folder: str) -> None:
    tested = run("test", folder)
    assert tested.status == 0
    assert tested.out.endswith(" passed, 0 failed\n")


def is_sound(run: Run, folder: str) -> None:
    """It checks without a word, is laid out, and is played to its end."""
    assert analyse(folder).diagnostics == ()
    assert run("fmt", "--check", folder).status == 0
    played = run("simulate", folder, "--games", "20")
    assert played.status == 0
    assert "20 games, 20 finished" in played.out


# ---------------------------------------------------------------- games


@pytest.mark.parametrize(
    ("name", "folder", "title"),
    [
        ("lanterns", "lanterns", "lanterns"),
        ("The Long Walk!", "The_Long_Walk", "The Long Walk!"),
        ("Étoile-7", "Étoile-7", "Étoile-7"),
    ],
)
def test_a_game_is_sound(run: Run, name: str, folder: str, title: str) -> None:
    ran = run("new", "game", name)
    assert ran.status == 0
    assert ran.out.startswith(f"{folder}: ")
    assert files(Path(folder)) == GAME_FILES
    is_sound(run, folder)
    passes(run, folder)
    assert load(folder).title == title


def test_its_cards_can_be_tried(run: Run) -> None:
    run("new", "game", "walk")
    ran = run("try", "walk", "card 1", "--with", "2", "--seed", "1", stdin=b"1\n")
    assert ran.status == 0
    assert "Coins 3 → 4" in ran.out


def test_it_is_played_by_several(run: Run) -> None:
    run("new", "game", "walk")
    ran = run("simulate", "walk", "--mode", "together", "--players", "4", "--games", "20")
    assert "20 games, 20 finished" in ran.out


def test_its_readme_names_the_commands(run: Run) -> None:
    run("new", "game", "The Long Walk")
    text = Path("The_Long_Walk/README.md").read_text()
    assert text.startswith("# The Long Walk\n")
    assert "rulelang try The_Long_Walk card 4" in text
    assert "$" not in text


def test_a_workflow_only_if_it_is_asked_for(run: Run) -> None:
    ran = run("new", "game", "walk", "--ci")
    assert ran.status == 0
    assert files(Path("walk")) == [".github/workflows/check.yml", *GAME_FILES]
    text = Path("walk/.github/workflows/check.yml").read_text()
    for command in ("check", "fmt --check", "test"):
        assert f"rulelang {command}" in text


def test_an_empty_folder_is_taken(run: Run, tmp_path: Path) -> None:
    (tmp_path / "walk").mkdir()
    assert run("new", "game", "walk").status == 0
    assert files(tmp_path / "walk") == GAME_FILES


def test_it_is_made_where_it_should_be(run: Run, tmp_path: Path) -> None:
    (tmp_path / "games").mkdir()
    assert run("new", "game", "walk", "--output", "games").status == 0
    assert files(tmp_path / "games" / "walk") == GAME_FILES


def test_others_may_read_it(run: Run, tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        run("new", "game", "walk")
    finally:
        os.umask(before)
    assert (tmp_path / "walk").stat().st_mode & 0o777 == 0o755


# ---------------------------------------------------------------- what is refused


def untouched(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".git")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a/b", "without / and"),
        ("..\\b", "without / and"),
        ("a\nb", "one line"),
        ("a\u200bb", "one line"),
        ("", "needs a letter"),
        ("...", "needs a letter"),
        ('The "Walk"', "no quotes"),
        ("NUL", "no folder can be called"),
        ("venv", "no folder can be called"),
        ("x" * 200, "80 letters at most"),
        ("7 Bridges", "begins with a letter"),
        ("cites", "begins with a letter"),
        ("lost expedition", "there already"),
    ],
)
def test_a_name_that_is_none(run: Run, tmp_path: Path, name: str, said: str) -> None:
    ran = run("new", "game", name)
    assert ran.status == 2
    assert said in ran.err
    assert untouched(tmp_path) == []


def test_nothing_that_is_there_is_touched(run: Run, tmp_path: Path) -> None:
    (tmp_path / "walk").mkdir()
    (tmp_path / "walk" / "notes.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    (tmp_path / "link").symlink_to("nowhere")
    for name, said in (("walk", "not empty"), ("file", "is no folder"), ("link", "is no folder")):
        ran = run("new", "game", name)
        assert ran.status == 2
        assert said in ran.err
    assert untouched(tmp_path) == ["file", "link", "walk"]
    assert (tmp_path / "walk" / "notes.txt").read_text() == "mine"


def test_a_folder_that_is_not_there(run: Run, tmp_path: Path) -> None:
    ran = run("new", "game", "walk", "--output", "nowhere")
    assert ran.status == 2
    assert "there is no folder 'nowhere'" in ran.err
    assert untouched(tmp_path) == []


def test_a_folder_that_must_not_be_written(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(**_: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "mkdtemp", refuse)
    ran = run("new", "game", "walk")
    assert ran.status == 2
    assert "walk cannot be made: Permission denied" in ran.err
    assert untouched(tmp_path) == []


def test_nothing_is_left_of_what_fails(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Path.write_text

    def full(self: Path, text: str, **more: str) -> int:
        if self.name == "tests.rules":
            raise OSError(28, "No space left on device")
        return written(self, text, **more)

    monkeypatch.setattr(Path, "write_text", full)
    ran = run("new", "game", "walk")
    assert ran.status == 2
    assert "No space left on device" in ran.err
    assert untouched(tmp_path) == []


def test_a_game_extends_no_other(run: Run) -> None:
    ran = run("new", "game", "walk", "--game", "lost_expedition")
    assert ran.status == 2
    assert "leave --game out" in ran.err


@pytest.mark.parametrize("what", ["pack", "lamp"])
def test_an_entry_needs_its_game(run: Run, what: str) -> None:
    ran = run("new", what, "Dusk")
    assert ran.status == 2
    assert f"say with --game which game the new {what} is for" in ran.err


# ---------------------------------------------------------------- packs and entries


def test_a_pack_extends_a_game(run: Run, tmp_path: Path) -> None:
    write_lamps(tmp_path / "lamps")
    ran = run("new", "pack", "Dusk", "--game", "lamps")
    assert ran.status == 0
    assert ran.out == "Dusk: README.md, lamps.rules\n"
    text = (tmp_path / "Dusk" / "lamps.rules").read_text()
    assert text == (
        '# Dusk, for Lamps\n\nextends lamps\n\nlamp 5 "Dusk"\n  burns: glow 3, glow 2\n'
    )
    assert analyse("Dusk").diagnostics == ()
    assert run("fmt", "--check", "Dusk").status == 0
    assert run("try", "Dusk", "lamp 5").status == 0
    assert "rulelang try Dusk lamp 5" in (tmp_path / "Dusk" / "README.md").read_text()


def test_an_entry_of_any_kind(run: Run, tmp_path: Path) -> None:
    write_lamps(tmp_path / "lamps")
    for word in ("moth", "Moth", "MOTH"):
        assert run("new", word, f"Late {word}", "--game", "lamps").status == 0
    text = (tmp_path / "Late_moth" / "moths.rules").read_text()
    assert 'moth late_moth "Late moth"\n  glow 2\n' in text
    assert "rulelang try" not in (tmp_path / "Late_moth" / "README.md").read_text()


def test_a_kind_that_the_game_does_not_have(run: Run, tmp_path: Path) -> None:
    write_lamps(tmp_path / "lamps")
    ran = run("new", "chart", "Dusk", "--game", "lamps")
    assert ran.status == 2
    assert "no kind 'chart' with entries; there are lamp, moth" in ran.err
    near = run("new", "lmap", "Dusk", "--game", "lamps")
    assert "did you mean lamp?" in near.err
    assert untouched(tmp_path) == ["lamps"]


def test_a_card_of_the_shipped_game(run: Run, tmp_path: Path) -> None:
    ran = run("new", "card", "Rope Bridge II", "--game", "lost_expedition")
    assert ran.status == 0
    is_sound(run, "Rope_Bridge_II")
    text = (tmp_path / "Rope_Bridge_II" / "cards.rules").read_text()
    assert 'extends lost_expedition\n\ncard 57 "Rope Bridge II"\n' in text


def test_a_pack_of_the_shipped_game_takes_a_kind_that_may_grow(run: Run) -> None:
    assert run("new", "pack", "Night", "--game", "lost_expedition").status == 0
    assert files(Path("Night")) == ["README.md", "cards.rules"]
    assert analyse("Night").diagnostics == ()


def test_the_workflow_of_a_pack_does_not_count_the_game(run: Run, tmp_path: Path) -> None:
    write_lamps(tmp_path / "lamps")
    assert run("new", "lamp", "Dusk", "--game", "lamps", "--ci").status == 0
    text = Path("Dusk/.github/workflows/check.yml").read_text()
    assert "rulelang check" in text
    assert "rulelang test" not in text


def test_a_kind_that_may_not_grow(run: Run, tmp_path: Path) -> None:
    ran = run("new", "explorer", "Ada", "--game", "lost_expedition")
    assert ran.status == 2
    assert "no new explorer would be sound in lost_expedition" in ran.err
    assert untouched(tmp_path) == []


def test_a_pack_lies_beside_its_game(run: Run, tmp_path: Path) -> None:
    write_lamps(tmp_path / "games" / "lamps")
    ran = run("new", "pack", "Dusk", "--game", "games/lamps")
    assert ran.status == 0
    assert ran.out.startswith("games/Dusk: ")
    ran = run("new", "pack", "Dawn", "--game", "games/lamps", "--output", ".")
    assert ran.status == 2
    assert "a pack lies beside the game" in ran.err
    assert run("new", "pack", "Dawn", "--game", "games/lamps", "--output", "games").status == 0


def test_a_pack_extends_a_pack(run: Run, tmp_path: Path) -> None:
    write_lamps(tmp_path / "lamps")
    run("new", "lamp", "Dusk", "--game", "lamps")
    assert run("new", "lamp", "Dawn", "--game", "Dusk").status == 0
    assert 'extends Dusk\n\nlamp 6 "Dawn"' in (tmp_path / "Dawn" / "lamps.rules").read_text()
    assert analyse("Dawn").diagnostics == ()


def test_another_folder_of_the_games_name(run: Run, tmp_path: Path) -> None:
    write_lamps(tmp_path / "lost_expedition")
    shipped = str(Path(__file__).parents[2] / "games" / "lost_expedition")
    ran = run("new", "pack", "Dusk", "--game", shipped)
    assert ran.status == 2
    assert "lost_expedition would be extended instead" in ran.err


def test_a_game_with_errors(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy", UNKNOWN_NAME)
    ran = run("new", "stone", "Slate", "--game", "toy")
    assert ran.status == 1
    assert untouched(tmp_path) == ["toy"]


def test_an_entry_is_written_shortly(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path / "toy")
    assert run("new", "stone", "Slate", "--game", "toy").status == 0
    assert (tmp_path / "Slate" / "stones.rules").read_text().endswith('\nstone 4 "Slate"\n')


@pytest.mark.parametrize("kind", ["parcel", "isle", "sailor"])
def test_every_kind_of_the_ferry(run: Run, tmp_path: Path, kind: str) -> None:
    for path in Path(FERRY).iterdir():
        (tmp_path / "ferry").mkdir(exist_ok=True)
        (tmp_path / "ferry" / path.name).write_text(path.read_text("utf-8"), "utf-8")
    ran = run("new", kind, "Salt & Sand", "--game", "ferry")
    assert ran.status == 0
    is_sound(run, "Salt__Sand")
    passes(run, "Salt__Sand")


# ---------------------------------------------------------------- outlines of a game's own

OUTLINE = """\
moth $key_moth "A friend of $title": glow 1

lamp $key_lamp "$title"
  burns: glow 2  # $$
"""


def with_outline(folder: Path, text: str = OUTLINE) -> None:
    write_lamps(folder)
    (folder / "new").mkdir()
    (folder / "new" / "lamp.txt").write_text(text, "utf-8")


def test_a_game_says_how_an_entry_begins(run: Run, tmp_path: Path) -> None:
    with_outline(tmp_path / "lamps")
    ran = run("new", "lamp", "Dusk!", "--game", "lamps")
    assert (ran.status, ran.out) == (0, "Dusk: README.md, lamps.rules\n")
    assert "It is an outline" in ran.err
    text = (tmp_path / "Dusk" / "lamps.rules").read_text()
    assert text == (
        "# Dusk!, for Lamps\n\nextends lamps\n\n"
        'moth dusk "A friend of Dusk!": glow 1\n\nlamp 5 "Dusk!"\n  burns: glow 2  # $\n'
    )
    assert analyse("Dusk").diagnostics == ()
    assert "rulelang try Dusk lamp 5" in (tmp_path / "Dusk" / "README.md").read_text()


def test_a_pack_begins_with_what_the_game_has_an_outline_of(run: Run, tmp_path: Path) -> None:
    with_outline(tmp_path / "lamps")
    (tmp_path / "lamps" / "new" / "lamp.txt").rename(tmp_path / "lamps" / "new" / "moth.txt")
    assert run("new", "pack", "Dusk", "--game", "lamps").out == "Dusk: README.md, moths.rules\n"


def test_the_outline_of_the_game_counts_for_its_packs(run: Run, tmp_path: Path) -> None:
    with_outline(tmp_path / "lamps")
    assert run("new", "lamp", "Dusk", "--game", "lamps").status == 0
    assert run("new", "lamp", "Dawn", "--game", "Dusk").status == 0
    text = (tmp_path / "Dawn" / "lamps.rules").read_text()
    assert 'extends Dusk\n\nmoth dawn "A friend of Dawn": glow 1\n\nlamp 6 "Dawn"\n' in text
    assert analyse("Dawn").diagnostics == ()


def test_an_outline_that_is_not_sound_is_passed_over(run: Run, tmp_path: Path) -> None:
    with_outline(tmp_path / "lamps", "lamp $key_lamp\n  burns: glow 99\n")
    ran = run("new", "lamp", "Dusk", "--game", "lamps")
    assert "It says the same as lamp" in ran.err
    assert analyse("Dusk").diagnostics == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("lamp $number", "lamp.txt has $number, which stands for nothing"),
        ("lamp $ 5", "lamp.txt has a $ by itself; write $$"),
    ],
)
def test_an_outline_with_a_slip(run: Run, tmp_path: Path, text: str, said: str) -> None:
    with_outline(tmp_path / "lamps", text)
    ran = run("new", "lamp", "Dusk", "--game", "lamps")
    assert ran.status == 2
    assert said in ran.err
    assert untouched(tmp_path) == ["lamps"]


def test_the_outlines_of_shipped_games_are_sound_and_laid_out(run: Run, tmp_path: Path) -> None:
    games = Path(__file__).parents[2] / "games"
    found = sorted(games.glob("*/new/*.txt"))
    assert found
    for file in found:
        game, kind = file.parts[-3], file.stem
        ran = run("new", kind, f"Of {game} {kind}", "--game", game)
        assert "It is an outline" in ran.err
        folder = f"Of_{game}_{kind}"
        assert run("check", folder, "--fail-level", "info").status == 0
        assert run("fmt", "--check", folder).status == 0
