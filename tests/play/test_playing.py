"""Whole games, and what a player types at a prompt."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from rulelang.errors import UsageError

Player = Callable[..., tuple[int, str]]

WHOLE = ("1", "1", "1", "0", "1")
"""The answers that play the market alone to its end."""


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def after(text: str, mark: str) -> str:
    assert mark in text
    return text.split(mark, 1)[1]


# ---------------------------------------------------------------- whole games


def test_a_game_by_hand_ends_with_the_result(play: Player) -> None:
    status, text = play(*WHOLE)
    assert status == 0
    end = after(text, "The end")
    assert "You have lost. The market closes." in end
    assert "Score: 6" in end


def test_a_bot_plays_a_whole_solo_game(play: Player) -> None:
    status, text = play(game="lost_expedition", mode="solo", seed=5, bot=["0=random"])
    assert status == 0
    assert "Player 0 has" in after(text, "The end")
    assert "Score: " in text
    assert "> " not in text.replace(" › ", "")


def test_all_seats_may_be_bots(play: Player) -> None:
    status, text = play(
        game="lost_expedition", mode="coop", players=3, bot=["0=random", "1=first", "2=random"]
    )
    assert status == 0
    assert "All players have " in after(text, "The end")


def test_the_same_seed_is_the_same_game(play: Player) -> None:
    games = [
        play(game="lost_expedition", mode="solo", seed=seed, bot=["0=random"]) for seed in (5, 5, 6)
    ]
    assert games[0] == games[1]
    assert games[0] != games[2]


def test_a_drawn_seed_is_told(play: Player) -> None:
    _, text = play(seed=None)
    seed = after(text, "--seed ").split()[0]
    _, again = play(seed=int(seed))
    assert after(text, "Turn 1") == after(again, "Turn 1")


# ---------------------------------------------------------------- answers


@pytest.mark.parametrize("typed", ["2", "02", "crate 3", "red", "Red Crate (3)", "CRATE-3"])
def test_an_option_is_chosen_by_number_or_words(play: Player, typed: str) -> None:
    _, text = play(typed)
    assert "hand → quay: Red Crate (3)" in text


@pytest.mark.parametrize(
    ("typed", "answer"),
    [
        ("99", "There is no option 99. Type 1 or 2, or `help`."),
        ("-1", "There is no option -1. Type 1 or 2, or `help`."),
        ("9" * 6000, "There is no option 999999999999…. Type 1 or 2, or `help`."),
        ("", "Type 1 or 2, or `help`."),
        ("xyz", "“xyz” is no option and no command. Type 1 or 2, or `help`."),
        ("tabel", "(did you mean table?)"),
        ("crate", "That could be 1 Blue Crate (1), 2 Red Crate (3)."),
        ("\x1b[2Jx", "“�[2Jx” is no option"),
        ("look nothing here", "There is nothing called “nothing here”"),
    ],
)
def test_a_wrong_answer_says_what_is_legal_and_changes_nothing(
    play: Player, typed: str, answer: str
) -> None:
    _, text = play(typed)
    assert answer in " ".join(text.split())
    assert "→" not in text
    status, text = play(typed, *WHOLE)
    assert status == 0
    assert "Score: 6" in text


def test_numbers_to_choose_from_are_typed_as_they_are(play: Player) -> None:
    _, text = play("1", "2")
    assert "Now storm" in text
    _, text = play("1", "4")
    assert "There is no option 4. Type a number from 0 to 3, or `help`." in text


def test_a_single_option_is_taken_with_a_note(play: Player) -> None:
    _, text = play("1")
    assert "Open which lid? Only one choice: earn 1" in text


def test_a_rule_that_goes_wrong_takes_the_choice_back(play: Player) -> None:
    status, text = play("1", "3", "1", "1", "0", "1")
    assert "A rule of this game went wrong: market.rules:" in text
    assert "The choice is taken back. Choose again: type a number from 0 to 3." in text
    assert "Score: 6" in text
    assert status == 1


# ---------------------------------------------------------------- what is told


def test_what_changed_is_told_between_two_prompts(play: Player) -> None:
    _, text = play("1")
    news = after(text, "> 1\n").split("Pay how")[0]
    assert "  hand → quay: Blue Crate (1)\n" in news
    assert "  Market wool 0 → 1, coins 0 → 1\n" in news


def test_the_table_leaves_out_what_is_empty(play: Player) -> None:
    _, text = play()
    start = after(text, "Turn 1")
    assert "store 4 crates" in start
    assert "hand  Blue Crate (1), Red Crate (3)" in start
    assert "quay" not in start.split("Put which")[0]
    assert "storm" not in start


def test_no_line_is_wider_than_eighty_columns(play: Player) -> None:
    answers = ["look", "help", "table", "log", *["bot"] * 60]
    status, text = play(*answers, game="lost_expedition", mode="solo")
    assert status == 0
    assert max(map(len, text.split("\n"))) <= 80


# ---------------------------------------------------------------- commands


def test_help_explains_the_open_decision(play: Player) -> None:
    _, text = play("help")
    shown = after(text, "> help")
    assert "The rule “trade” asks this, by these clauses:" in shown
    assert "TM-1  Whoever trades first puts a crate on the quay" in shown
    for command in ("look", "table", "log", "undo", "bot", "save", "seed", "quit"):
        assert f"  {command:<7}" in shown


def test_look_shows_an_entry_in_full(play: Player) -> None:
    _, text = play("look 2")
    assert "Red Crate (3)  crate\n    ware  tin\n    lids  shut: earn 3\n" in text
    _, text = play("look")
    assert "lids  loose: earn 1" in text
    assert "lids  shut: earn 3" in text


def test_look_finds_other_entries_and_places(play: Player) -> None:
    _, text = play("look crate 2", "look green", "look store", "look quay")
    assert text.count("    lids  loose: earn 2\n          shut: earn 1, earn 1\n") == 2
    assert "store  4 crates" in text
    assert "quay  empty" in text


def test_look_says_what_is_printed_in_the_words_of_the_rules(play: Player) -> None:
    _, text = play("look lost", game="lost_expedition", mode="solo")
    assert "give up 1 navigation, give up 1 navigation, move one place on" in " ".join(text.split())
    ferry = str(Path(__file__).parents[2] / "docs" / "examples" / "ferry")
    _, text = play("look two reefs", game=ferry)
    lines = [line.strip() for line in text.splitlines()]
    place = lines.index("visit  With Old Ada at the helm: steer past the south reef.")
    assert lines[place + 1 : place + 3] == ["Clear: gain 2 coins.", "Scrape: nothing."]


def test_a_box_is_looked_at_with_what_it_is_printed_on(play: Player) -> None:
    answers = ["1"] * 5
    for _ in range(20):
        _, text = play(*answers, "look 1", game="lost_expedition", mode="solo")
        if ": Which choice (red box)?" in text.rsplit("> look 1", 1)[0].rsplit("\n\n", 1)[-1]:
            break
        answers.append("1")
    question = after(text, ": Which choice (red box)?")
    title = text.split(": Which choice (red box)?")[0].rsplit("\n", 1)[-1]
    assert f"  {title}  card\n    boxes  " in after(question, "> look 1")


def test_log_shows_what_the_seat_may_see(play: Player) -> None:
    _, text = play("", "1", "log", mode="pair")
    shown = after(text, "> log").split("Pay how")[0]
    assert "  deal (Player 0)\n    by chance: Red Crate (3)\n" in shown
    assert "  deal (Player 1)\n    by chance: something that you do not see (×2)\n" in shown
    assert "you chose: Blue Crate (1)" in shown
    assert "Green Crate" not in shown


def test_seed_and_table(play: Player) -> None:
    _, text = play("seed", "1", "table")
    assert "  Seed 7\n" in text
    assert "quay    Blue Crate (1)\n  market  wool 1\n  You  coins 1\n" in after(text, "> table")


def test_undo_goes_back_over_what_was_taken_without_asking(play: Player) -> None:
    _, text = play("1", "1", "1", "undo", "undo", "undo", "undo", "2")
    assert text.count("Taken back.") == 3
    back = text.rsplit("Taken back.", 1)[1]
    assert "Put which crate on the quay?" in back
    assert "There is nothing to take back yet." in back
    assert "hand → quay: Red Crate (3)" in back


def test_a_game_is_the_same_after_undo(play: Player) -> None:
    _, plain = play(*WHOLE)
    _, undone = play("2", "undo", "1", "2", "undo", *WHOLE[1:])
    assert after(plain, "The table at the end") == after(undone, "The table at the end")


def test_the_bot_makes_one_choice(play: Player) -> None:
    _, text = play("bot")
    assert "The bot chooses: " in text
    assert text.count("The bot chooses") == 1
    assert "Pay how many coins?" in text


# ---------------------------------------------------------------- stopping


def test_quit_asks_nothing(play: Player) -> None:
    status, text = play("quit", "1")
    assert status == 0
    assert text.endswith(
        "You have stopped. This game is not saved; --save FILE keeps the next one.\n"
    )


def test_the_end_of_the_input_is_said(play: Player) -> None:
    status, text = play("1")
    assert status == 0
    assert "The input has ended before the game." in text


def test_an_interrupt_ends_cleanly(play: Player) -> None:
    class Interrupted(io.StringIO):
        def readline(self, size: int = -1, /) -> str:  # type: ignore[override]
            raise KeyboardInterrupt

    status, text = play(stdin=Interrupted())
    assert status == 130
    assert "Interrupted. This game is not saved" in text


def test_a_reader_that_goes_away_is_no_fault(play: Player) -> None:
    class Closed(io.StringIO):
        def write(self, text: str, /) -> int:
            raise BrokenPipeError

    status, _ = play(*WHOLE, stdout=Closed())
    assert status == 0


# ---------------------------------------------------------------- seats


def test_the_keyboard_is_passed_on_where_there_are_secrets(play: Player) -> None:
    status, text = play("", "1", "1", "1", "", mode="pair")
    assert status == 0
    first, second = after(text, "Pass the keyboard to Player 0").split(
        "Pass the keyboard to Player 1", 1
    )
    assert "Player 1  hand 2 crates" in first
    assert "Player 0  hand 1 crate" in second
    assert "hand  Green Crate (2), Old Crate (5)" in second
    assert "Green Crate" not in first


def test_nobody_passes_the_keyboard_to_a_bot(play: Player) -> None:
    status, text = play(*["1"] * 10, mode="pair", bot=["1=random"])
    assert status == 0
    assert "Pass the keyboard" not in text
    assert "Player 1: " not in text.replace("  Player 1: ", "")
    assert "have lost" in text or "has lost" in text


def test_an_option_that_another_seat_took_without_being_asked_is_not_told(play: Player) -> None:
    _, text = play("", "1", "1", "1", "", "1", "1", "1", "1", "", mode="pair")
    last = text.rsplit("Pass the keyboard to Player 0", 1)[1]
    assert "Put which crate on the quay? Only one choice: Red Crate (3)" in last
    middle = text.rsplit("Pass the keyboard to Player 1", 1)[1].split("Pass the keyboard")[0]
    assert "Only one choice: Red Crate" not in middle


# ---------------------------------------------------------------- usage, and terminals


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        ({"bot": ["0"]}, "a bot is written SEAT=NAME"),
        ({"bot": ["1=random"]}, "there is no seat '1' for a bot; the only seat is 0"),
        ({"bot": ["²=random"]}, "there is no seat '²'"),
        ({"bot": ["0=clever"]}, "there is no policy 'clever'"),
        ({"set": ["length"]}, "--set is written NAME=VALUE"),
        ({"set": ["length=endless"]}, "setting 'length' cannot be 'endless'"),
        ({"ruling": ["x=y"]}, "there is no ruling 'x'"),
        ({"mode": "many"}, "there is no mode 'many'"),
        ({"players": 9}, "mode 'alone' is for 1 players"),
        ({"game": "no such game"}, "there is no folder and no shipped game"),
    ],
)
def test_wrong_usage_is_an_error_that_says_what_would_do(
    play: Player, flags: dict[str, object], message: str
) -> None:
    with pytest.raises(UsageError, match=r".") as caught:
        play(**flags)
    assert message in str(caught.value)


def test_settings_that_are_not_as_usual_are_told(play: Player) -> None:
    _, text = play(set=["length=long"])
    assert "Alone · 1 player · length long · seed 7" in text


def test_colours_are_for_terminals_that_want_them(
    play: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "\x1b" not in play("1")[1]
    assert "\x1b[1m" in play("1", stdout=Terminal())[1]
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in play("1", stdout=Terminal())[1]


def test_a_terminal_without_the_signs_gets_others(play: Player) -> None:
    raw = io.BytesIO()
    status, _ = play("1", stdout=_Ascii(raw))
    assert status == 0
    assert b"hand -> quay: Blue Crate (1)" in raw.getvalue()


class _Ascii(io.TextIOWrapper):
    def __init__(self, raw: io.BytesIO) -> None:
        super().__init__(raw, encoding="ascii")

    def getvalue(self) -> str:
        return ""
