import pytest

from rulelang.display import printable, show, width


@pytest.mark.parametrize(
    ("character", "cells"),
    [("a", 1), ("é", 1), ("\t", 4), ("日", 2), ("🎲", 2), ("\u0301", 0), ("\u200d", 0)],
)
def test_width_in_terminal_cells(character: str, cells: int) -> None:
    assert width(character) == cells


@pytest.mark.parametrize(
    "character", ["\x1b", "\x00", "\x9b", "\u202e", "\u200b", "\u2028", "\ud800"]
)
def test_what_could_harm_or_hide_is_replaced(character: str) -> None:
    assert show(character) == "\ufffd"
    assert width(character) == 1


def test_printable_text_is_one_line() -> None:
    assert printable("two\r\nlines,\ta tab \x1b[31m") == "two lines, a tab \ufffd[31m"
