"""The guide to a chart of one's own is followed to the letter, in an empty folder.

A block of rules is what the reader writes into the file: a numbered entry takes the place of the
one of its number or is added behind the one before it, the head of the chart that of the chart;
anything else goes to the end. A transcript is compared with what the commands print. One that is
not finished goes on in the transcripts behind it, with what was written in between.
"""

from __future__ import annotations

import io
import re
import shlex
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

import rulelang
from rulelang import cli
from rulelang.checker.context import plain
from rulelang.program.scripts import effects
from rulelang.syntax.parser import parse
from tests.docs.blocks import REPLAYED, ROOT, Block, all_blocks, blocks
from tests.docs.test_docs import matches

PACK = "The_Singing_Stones"
FINISHED = ROOT / "docs" / "examples" / PACK
FRAME = re.compile(r"^  frame (\d+)\b", re.MULTILINE)


def parts(text: str) -> list[str]:
    """The head of a chart, and its frames."""
    starts = [0, *(match.start() for match in FRAME.finditer(text)), len(text)]
    return [text[a:b] for a, b in pairwise(starts) if a < b]


def number(part: str) -> int:
    """The number of a frame; 0 for the head of the chart."""
    found = FRAME.match(part)
    return int(found[1]) if found else 0


def written(file: str, block: str) -> str:
    """A file after the reader has written a block into it."""
    before, chart, inside = file.partition("chart P ")
    inside, mark, behind = inside.partition("\n\n")
    if not block.startswith(("  frame ", "chart P ")):
        return f"{file.rstrip()}\n\n{block}"
    known = {number(part): part for part in parts(chart + inside + "\n")}
    known |= {number(part): part for part in parts(block)}
    return before + "".join(known[n] for n in sorted(known)).rstrip("\n") + (mark and "\n\n") + (
        behind if mark else "\n"
    )  # fmt: skip


class Typing(io.TextIOBase):
    """What is typed, line by line; what stands between the lines is done when it is reached."""

    def __init__(self, steps: list[str | Callable[[], None]]) -> None:
        self.steps = steps

    def readline(self, _: int = -1) -> str:  # type: ignore[override]
        while self.steps:
            step = self.steps.pop(0)
            if isinstance(step, str):
                return step
            step()
        return ""


class Reader:
    """Somebody who does what the page says, from its first block to its last."""

    def __init__(self, capsys: pytest.CaptureFixture[str], patch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.patch = patch
        self.file = Path(PACK, "charts.rules")

    def write(self, block: Block) -> None:
        text = self.file.read_text("utf-8")
        self.file.write_text(written(text, block.text), "utf-8", newline="\n")

    def follow(self, blocks: list[Block]) -> None:
        for place, block in enumerate(blocks):
            if block.language == "rules":
                self.write(block)
            if block.language == "console" and block.text.startswith("$"):
                self.run(block, self.rest(blocks[place:]))

    def rest(self, blocks: list[Block]) -> list[Block]:
        """The blocks that belong to the last command of a transcript."""
        behind = next(
            (n for n, b in enumerate(blocks) if n and b.language == "console" and b.text[0] == "$"),
            len(blocks),
        )
        ends = [n for n in range(behind) if blocks[n].text.startswith(">")]
        return blocks[1 : ends[-1] + 1] if ends else []

    def run(self, block: Block, behind: list[Block]) -> None:
        commands = re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]
        for command in commands:
            line, _, expected = command.partition("\n")
            steps: list[str | Callable[[], None]] = list(typed(expected))
            for more in behind if command is commands[-1] else []:
                if more.language == "rules":
                    steps.append(lambda more=more: self.write(more))  # type: ignore[misc]
                else:
                    steps += typed(more.text)
                    expected += more.text
            self.patch.setattr("sys.stdin", Typing(steps))
            words = shlex.split(line)
            assert words[0] == "rulelang", line
            cli.main(words[1:])
            printed = self.capsys.readouterr()
            text = re.sub(r" +$", "", printed.out + printed.err, flags=re.MULTILINE)
            assert matches(text, expected), text


def typed(transcript: str) -> list[str]:
    """The lines that a transcript shows as typed."""
    lines = transcript.split("\n")
    return [f"{line[2:]}\n" for line in lines if line == ">" or line.startswith("> ")]


@pytest.fixture
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr("rulelang.analysis.parse", cache(parse))  # the game's files stay


@pytest.mark.usefixtures("_in_an_empty_folder")
def test_the_guide_leads_to_the_finished_chart(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(capsys, monkeypatch)
    reader.follow(all_blocks(REPLAYED))
    assert reader.file.read_text("utf-8") == (FINISHED / "charts.rules").read_text("utf-8")
    picture = (ROOT / "docs" / "pictures" / "singing_stones.svg").read_text("utf-8")
    assert Path("singing_stones.svg").read_text("utf-8") == picture
    workflow = Path(PACK, ".github/workflows/check.yml").read_text("utf-8")
    assert [block.text for block in blocks(REPLAYED, "yaml")] == [workflow]
    monkeypatch.chdir(PACK)
    steps = re.findall(r"- run: rulelang (.*)", workflow)
    assert [cli.main(shlex.split(step)) for step in steps] == [0, 0]


def test_the_guide_lists_every_instruction_that_a_chart_uses() -> None:
    page = (ROOT / REPLAYED).read_text("utf-8")
    table = page.partition("| You write |")[2].partition("\n\n")[0]
    listed = {plain(words) for words in re.findall(r"`([^`]+)`", table)}
    frames = rulelang.load("dinosaurs").entries("Frame")
    used = {
        effect.rule for frame in frames for effect in effects(frame.fields_by_name["body"].steps)
    }
    missing = {rule for rule in used if not any(words.startswith(rule) for words in listed)}
    assert missing == set()
    assert len(used) > 10
