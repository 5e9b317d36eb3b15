"""The checker, a few lines at a time: what is found in them, where, and in which words.

Each file under ``cases`` holds cases divided by empty lines: lines that are added to a small game
(those in ``alone.cases`` stand alone), and behind `=>` every diagnostic that they give.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.helper import HEAD, check, found

CASES = Path(__file__).parent / "cases"


def cases() -> list[object]:
    """Every case: its lines, what must be found, and whether the lines stand alone."""
    made: list[object] = []
    for path in sorted(CASES.glob("*.cases")):
        line = 1
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            lines = block.strip("\n").split("\n")
            text = [each for each in lines if not each.startswith("=> ")]
            expected = [each[3:] for each in lines if each.startswith("=> ")]
            assert text, f"{path.name}:{line} has no lines"
            assert expected, f"{path.name}:{line} expects nothing"
            head = "" if path.stem == "alone" else HEAD
            name = f"{path.stem}:{line}"
            made.append(pytest.param("\n".join(text) + "\n", expected, head, id=name))
            line += len(block.split("\n")) + 1
    return made


@pytest.mark.parametrize(("text", "expected", "head"), cases())
def test_what_is_found(text: str, expected: list[str], head: str) -> None:
    check(text, *(each for each in expected if each != "nothing"), head=head)


def test_the_game_of_the_cases_has_nothing_wrong() -> None:
    assert found("") == []
