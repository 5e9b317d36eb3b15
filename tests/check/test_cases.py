"""The checker, a few lines at a time: what is found in them, where, and in which words.

Each file under ``cases`` holds cases divided by empty lines: lines that are added to a small game,
and behind `=>` every diagnostic that they give. Those in ``alone.cases`` stand alone, those in
``packs.cases`` are a pack of the game, and those about boards are added to games of their own.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.heads import BOARD, STRIPS, head_of
from tests.check.helper import HEAD, check, found

CASES = Path(__file__).parent / "cases"


def cases() -> list[object]:
    """Every case: its lines, what must be found, what they are added to, and whether as a pack."""
    made: list[object] = []
    for path in sorted(CASES.glob("*.cases")):
        line = 1
        for block in path.read_text(encoding="utf-8").split("\n\n"):
            lines = block.strip("\n").split("\n")
            text = [each for each in lines if not each.startswith("=> ")]
            expected = [each[3:] for each in lines if each.startswith("=> ")]
            assert text, f"{path.name}:{line} has no lines"
            assert expected, f"{path.name}:{line} expects nothing"
            head = head_of(path.stem)
            name = f"{path.stem}:{line}"
            made.append(
                pytest.param("\n".join(text) + "\n", expected, head, path.stem == "packs", id=name)
            )
            line += len(block.split("\n")) + 1
    return made


@pytest.mark.parametrize(("text", "expected", "head", "pack"), cases())
def test_what_is_found(text: str, expected: list[str], head: str, pack: bool) -> None:
    check(text, *(each for each in expected if each != "nothing"), head=head, pack=pack)


@pytest.mark.parametrize("head", [HEAD, BOARD, STRIPS])
def test_the_games_of_the_cases_have_nothing_wrong(head: str) -> None:
    assert found("", head=head) == []
