"""`rulelang try`: one entry on its table, again and again, while its file changes."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.errors import ChoiceError, GameFault, SaveError, UsageError
from rulelang.game import Game, load
from rulelang.play.trying import Request
from rulelang.play.trying import run as run_trial
from rulelang.trials import NoTrial
from tests.cli.conftest import Run
from tests.cli.lamps import TRIALS, write_lamps

TWO = b"brightly\ndimly\n"


@pytest.fixture
def lamps(tmp_path: Path) -> Path:
    return write_lamps(tmp_path / "lamps")


@pytest.fixture
def game(lamps: Path) -> Game:
    return load(lamps)


# ---------------------------------------------------------------- the library


def test_a_trial_is_a_session_that_begins_with_one_entry(game: Game) -> None:
    session = game.trial("lamp 1")
    assert session.mode == "alone"
    assert session.state["Player.light"] == {"0": 2}
    assert session.legal == ("brightly", "dimly")
    session.choose("brightly")
    session.choose("dimly")
    assert session.over
    assert session.state["Player.light"] == {"0": 6}
    assert session.ledger == ("brightly", "dimly")


def test_it_is_undone_and_copied(game: Game) -> None:
    session = game.trial("lamp 1")
    start = session.digest()
    session.choose(0)
    copy = session.clone()
    session.undo()
    assert session.digest() == start
    assert copy.ledger == ("brightly",)
    copy.choose(0)
    assert copy.over
    with pytest.raises(ChoiceError):
        session.undo()


def test_entries_are_found_by_title_too(game: Game) -> None:
    entry = game.entry("lamp 2")
    assert game.trial(entry).state == game.trial("Candle").state
    with pytest.raises(UsageError, match="names 4 entries"):
        game.trial("lamp")
    with pytest.raises(UsageError, match="there is no entry"):
        game.trial("lamp 9")


def test_what_is_given_more_is_done_for_each(game: Game) -> None:
    session = game.trial("lamp 1", ["whale", "Hawk", "fish"])
    assert [o["key"] for o in session.state["Player.oil"]["0"]] == ["fish", "whale"]
    assert [m["key"] for m in session.state["Player.moths"]["0"]] == ["hawk"]


@pytest.mark.parametrize(
    ("items", "said"),
    [
        (["wale"], "there is no Oil or Moth 'wale'; did you mean whale?"),
        (["soup"], "there is no Oil or Moth 'soup'; there are fish, whale, hawk"),
        ("fish", "a list of names"),
    ],
)
def test_an_item_that_is_none(game: Game, items: list[str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        game.trial("lamp 1", items)
    assert said in str(caught.value)


def test_a_name_of_two_things_says_which(lamps: Path) -> None:
    with (lamps / "game.rules").open("a") as file:
        file.write('moth fish "Fish"\n  glow 1\n')
    game = load(lamps)
    with pytest.raises(UsageError, match="write `oil fish` or `moth fish`"):
        game.trial("lamp 1", ["fish"])
    session = game.trial("lamp 1", ["moth fish"])
    assert [m["key"] for m in session.state["Player.moths"]["0"]] == ["fish"]


def test_chance_is_drawn_by_the_seed(game: Game) -> None:
    ledgers = {game.trial("lamp 2", seed=seed).ledger for seed in range(40)}
    assert {label for (label, *_) in ledgers} == {"1", "2", "3", "4", "5", "6"}
    assert game.trial("lamp 2", seed=3).ledger == game.trial("lamp 2", seed=3).ledger
    assert len(game.trial("lamp 2", chance="explicit").legal) == 6


def test_only_an_ending_gives_an_outcome(game: Game) -> None:
    found = {game.trial("lamp 2", seed=seed).ledger: seed for seed in range(40)}
    lost, calm = game.trial("lamp 2", seed=found["6",]), game.trial("lamp 2", seed=found["1",])
    assert lost.over
    assert lost.outcome is not None
    assert lost.outcome.reason == "dark"
    assert calm.over
    assert calm.outcome is None


def test_a_trial_is_not_saved(game: Game) -> None:
    with pytest.raises(SaveError, match="a trial of one entry is not saved"):
        game.trial("lamp 1").save()


def test_a_rule_that_goes_wrong_leaves_the_session_where_it_was(game: Game) -> None:
    session = game.trial("lamp 3")
    with pytest.raises(GameFault, match="light would become 11"):
        session.choose("brightly")
    assert session.legal == ("brightly", "dimly")


def test_modes_players_and_options(lamps: Path) -> None:
    (lamps / "trials.rules").write_text(
        "trial l: Lamp in alone\n  given draught = nobody\n  when light_up l for Player[0]\n"
        "trial l: Lamp in pair\n  given fog = thick\n  when light_up l for Player[1]\n"
    )
    game = load(lamps)
    assert game.trial("lamp 2").ledger == ()
    assert game.trial("lamp 2", rulings={"draught": "all"}).ledger != ()
    pair = game.trial("lamp 1", mode="pair")
    assert pair.players == 2
    assert pair.state["Player.light"] == {"0": 0, "1": 1}
    assert game.trial("lamp 1", players=2).mode == "pair"
    clear = game.trial("lamp 1", mode="pair", settings={"fog": "thin"})
    assert clear.state["Player.light"] == {"0": 0, "1": 0}
    with pytest.raises(UsageError, match="there is no mode 'pear'"):
        game.trial("lamp 1", mode="pear")


def test_a_trial_leaves_the_game_as_it_was(lamps: Path, game: Game) -> None:
    whole = game.start(mode="alone", seed=1)
    (lamps / "trials.rules").write_text("# none\n")
    plain = load(lamps)
    assert plain.program.meaning == game.program.meaning
    assert plain.start(mode="alone", seed=1).digest() == whole.digest()


def test_a_kind_without_a_trial_shows_how_one_is_written(game: Game) -> None:
    with pytest.raises(NoTrial) as caught:
        game.trial("moth hawk")
    assert str(caught.value) == "there is no `trial` of Moth"
    assert caught.value.example == "trial e: Moth\n  when catch e for Player[0]\n"


# ---------------------------------------------------------------- the command


def test_it_begins_with_the_entry_and_ends_with_what_has_changed(run: Run, lamps: Path) -> None:
    ran = run("try", "lamps", "lamp 1", "--seed", "7", "--with", "whale,Hawk", stdin=TWO)
    assert ran.status == 0
    lines = ran.out.splitlines()
    assert lines[0] == "  Storm Lamp (1)  lamp"
    assert "glow 3, glow 2" in lines[1]
    assert "Alone · 1 player · with whale and Hawk · seed 7" in ran.out
    begun, _, done = ran.out.partition("─ Done ─")
    assert "light 2" in begun
    assert "Light 2 → 5" in begun
    assert "From first to last:" in done
    assert "Light 2 → 6" in done
    assert "new in oil: fish" in done
    assert "`r` tries it again" in done


def test_the_words_of_an_entry_need_no_quotes(run: Run, lamps: Path) -> None:
    ran = run("try", "lamps", "storm", "lamp", "--seed", "7")
    assert ran.status == 0
    assert ran.out.startswith("  Storm Lamp (1)")


def test_restart_and_one_step_back(run: Run, lamps: Path) -> None:
    typed = b"brightly\nb\ndimly\ndimly\nr\nbrightly\nr 8\nseed\nr x\nquit\n"
    ran = run("try", "lamps", "lamp", "1", "--seed", "7", stdin=typed)
    assert ran.status == 0
    assert "Taken back." in ran.out
    parts = ran.out.split("From the beginning, with seed ")
    assert [part[:2] for part in parts[1:]] == ["7.", "8."]
    assert "Light 3 → 4" in parts[0]
    assert "Light 2 → 4" in parts[0]
    assert "Light 2 → 5" in parts[1]
    assert "Seed 8" in parts[2]
    assert "a seed, which is a whole number" in parts[2]


@pytest.mark.parametrize("word", ["b", "undo", "back"])
def test_back_from_the_end(run: Run, lamps: Path, word: str) -> None:
    typed = TWO + f"{word}\nbrightly\nquit\n".encode()
    ran = run("try", "lamps", "lamp 1", "--seed", "7", stdin=typed)
    assert ran.out.count("─ Done ─") == 2
    assert "Light 5 → 6" in ran.out
    assert "Light 5 → 7" in ran.out


def test_the_other_words_work_before_and_after_the_end(run: Run, lamps: Path) -> None:
    words = b"help\ntable\nlog\nlook beacon\nseed\n"
    ran = run("try", "lamps", "lamp 1", "--seed", "7", stdin=words + TWO + words + b"save\nbot\n")
    assert ran.status == 0
    for said in ("restart", "Beacon (3)", "Seed 7", "you chose: dimly"):
        assert said in ran.out
    assert ran.out.count("Beacon (3)") >= 2
    assert ran.out.count("Nobody is asked now.") == 2


def test_an_entry_of_which_nothing_is_asked(run: Run, lamps: Path) -> None:
    ran = run("try", "lamps", "lamp 4", "--seed", "1", stdin=b"b\n")
    assert ran.status == 0
    assert "new in oil: fish" in ran.out
    assert "There is nothing to take back yet." in ran.out


def test_an_ending_is_told(run: Run, lamps: Path) -> None:
    found = [run("try", "lamps", "lamp 2", "--seed", str(seed)).out for seed in range(8)]
    assert any("You have lost. All is dark." in out for out in found)
    assert any("The end" not in out for out in found)


def test_bots_play(run: Run, lamps: Path) -> None:
    ran = run("try", "lamps", "lamp 1", "--seed", "7", "--bot", "0=first")
    assert ran.status == 0
    assert "Light 2 → 7" in ran.out
    assert run("try", "lamps", "lamp 1", "--bot", "3=first").status == 2


def test_a_drawn_seed_is_told(run: Run, lamps: Path) -> None:
    first = run("try", "lamps", "lamp 2").out
    seed = first.split("--seed ")[1].split()[0]
    again = run("try", "lamps", "lamp 2", "--seed", seed).out
    assert again.split("─ Done")[1] == first.split("─ Done")[1]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["lamp 1", "--with", "wale"], "did you mean whale?"),
        (["lamp 1", "--mode", "pear"], "there is no mode 'pear'"),
        (["lamp 1", "--set", "fog=thik"], "or thick?"),
        (["lamp 1", "--ruling", "fog=thick"], "'fog' is a setting"),
        (["lmap 1"], "there is no entry 'lmap 1'"),
        (["lamp"], "'lamp' names 4 entries"),
    ],
)
def test_wrong_usage(run: Run, lamps: Path, words: list[str], said: str) -> None:
    ran = run("try", "lamps", *words)
    assert ran.status == 2
    assert said in ran.err
    assert ran.out == ""


def test_no_trial_of_a_kind(run: Run, lamps: Path) -> None:
    ran = run("try", "lamps", "moth hawk")
    assert ran.status == 2
    assert ran.err.splitlines() == [
        "rulelang: there is no `trial` of Moth; write one like this:",
        "  trial e: Moth",
        "    when catch e for Player[0]",
    ]


def test_no_trial_in_a_mode(run: Run, lamps: Path) -> None:
    write_lamps(lamps, "trial l: Lamp in alone\n  when light_up l for Player[0]\n")
    ran = run("try", "lamps", "lamp 1", "--mode", "pair")
    assert ran.status == 2
    assert "no `trial` of Lamp in mode pair" in ran.err
    assert "trial e: Lamp in pair" in ran.err


def test_a_game_with_errors_is_not_tried(run: Run, lamps: Path) -> None:
    write_lamps(lamps, TRIALS.replace("light_up", "ligt_up"))
    ran = run("try", "lamps", "lamp 1")
    assert ran.status == 1
    assert "there is no rule `ligt_up`" in ran.err


def test_a_fault_is_told_and_the_choice_taken_back(run: Run, lamps: Path) -> None:
    ran = run("try", "lamps", "lamp 3", "--seed", "1", stdin=b"brightly\ndimly\ndimly\n")
    assert ran.status == 1
    assert "light would become 11" in ran.out
    assert "The choice is taken back." in ran.out
    assert "─ Done ─" in ran.out


# ---------------------------------------------------------------- files that are saved anew

Tried = Callable[..., str]


class Desk(io.StringIO):
    """Typed lines, before some of which a file of the game is saved."""

    def __init__(self, folder: Path, *lines: str | tuple[str, str, str]) -> None:
        super().__init__()
        self.folder = folder
        self.left = list(lines)

    def readline(self, size: int | None = -1, /) -> str:
        while self.left and not isinstance(self.left[0], str):
            name, old, new = self.left.pop(0)
            path = self.folder / name
            text = path.read_text()
            assert old in text
            path.write_text(text.replace(old, new))
        return f"{self.left.pop(0)}\n" if self.left else ""


@pytest.fixture
def tried(lamps: Path) -> Tried:
    """Try lamp 1 with lines that are typed and files that are saved; all that was written."""

    def tried(*lines: str | tuple[str, str, str], entry: str = "lamp 1") -> str:
        written = io.StringIO()
        run_trial(Request(entry), load(lamps), 7, stdin=Desk(lamps, *lines), stdout=written)
        return written.getvalue()

    return tried


def test_a_saved_file_is_loaded_at_the_next_prompt(tried: Tried) -> None:
    text = tried("brightly", ("lamps.rules", "glow 3, glow 2", "glow 3, glow 5"), "", "brightly")
    assert "lamps.rules has changed; the game is loaded anew." in text
    assert "Your choices so far stand." in text
    after = text.split("loaded anew.")[1]
    assert "glow 3, glow 5" in after
    assert "Light 2 → 9" in after or "would become 10" in after


def test_a_choice_that_was_typed_meanwhile_is_asked_again(tried: Tried) -> None:
    text = tried(("lamps.rules", "glow 3", "glow 4"), "brightly")
    before, after = text.split("loaded anew.")
    assert "Light 2" not in before
    assert after.count("How?") == 1
    assert "─ Done ─" not in text


def test_answers_stand_as_far_as_they_are_legal(tried: Tried) -> None:
    change = ("game.rules", 'offer dimly "Dimly"', 'offer softly "Softly"')
    text = tried("brightly", "dimly", change, "", "brightly")
    assert "Of your choices so far 1 of 2 stand; then “dimly” cannot be chosen any more." in text
    after = text.split("any more.")[1]
    assert "Softly" in after
    assert "Light 2 → 7" in after


def test_an_entry_that_asks_less_is_done_sooner(tried: Tried) -> None:
    text = tried("brightly", "dimly", ("lamps.rules", "glow 3, glow 2", "glow 3"), "")
    assert "1 of 2 stand; then it is done." in text
    assert text.count("─ Done ─") == 2


def test_a_change_that_does_not_check_is_shown_and_the_game_goes_on(tried: Tried) -> None:
    text = tried(("lamps.rules", "glow 3", "glw 3"), "brightly", "dimly")
    assert "lamps.rules has changed, and cannot be played like this:" in text
    assert "error[N208]: there is no instruction `glw`" in text
    assert "lamps.rules:1:" in text
    assert "The game goes on as it was." in text
    assert text.count("cannot be played") == 1
    assert "Light 2 → 6" in text


def test_a_change_that_is_mended_is_loaded(tried: Tried) -> None:
    text = tried(("lamps.rules", "glow 3", "glw 3"), "help", ("lamps.rules", "glw 3", "glow 4"), "")
    assert text.index("cannot be played") < text.index("loaded anew")


def test_the_entry_may_be_gone(tried: Tried) -> None:
    text = tried(("lamps.rules", "lamp 1", "lamp 5"), ("trials.rules", "", ""), "brightly", "dimly")
    assert "cannot be tried any more" in text or "cannot be played" in text
    assert "─ Done ─" in text


def test_restart_and_quit_count_although_the_game_was_loaded_anew(tried: Tried) -> None:
    text = tried("brightly", ("lamps.rules", "glow 3", "glow 4"), "r", "brightly")
    assert "loaded anew" in text
    assert "From the beginning, with seed 7." in text
    assert "Light 2 → 6" in text.split("From the beginning")[1]
    text = tried(("lamps.rules", "glow 4", "glow 5"), "quit")
    assert text.rstrip().endswith("quit") or text.count("How?") == 1


def test_a_change_at_the_end_tries_again(tried: Tried) -> None:
    text = tried("brightly", "dimly", ("lamps.rules", "glow 3", "glow 4"), "")
    assert "Your choices so far stand." in text
    assert "Light 2 → 7" in text.split("loaded anew")[1]


def test_files_that_cannot_be_read_are_told_once(lamps: Path, tried: Tried) -> None:
    class Gone(Desk):
        def readline(self, size: int | None = -1, /) -> str:
            for path in lamps.glob("*.rules"):
                path.unlink()
            return super().readline()

    written, game = io.StringIO(), load(lamps)
    stdin = Gone(lamps, "help", "brightly", "dimly")
    run_trial(Request("lamp 1"), game, 7, stdin=stdin, stdout=written)
    text = written.getvalue()
    assert text.count("cannot be read") == 1
    assert "Light 2 → 6" in text


def test_own_checks_that_fail_do_not_stop_it(tried: Tried) -> None:
    with_check = ("trials.rules", "trial l", 'check "three": size(Lamp) == 3\n\ntrial l')
    text = tried(with_check, "", "brightly", "dimly")
    assert "1 of its own checks fails" in text
    assert "─ Done ─" in text
