"""The fenced blocks of the documentation's pages."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parents[2]


@frozen
class Block:
    """A fenced block: its page, its first line, its language, its text, and the block behind it."""

    page: str
    line: int
    language: str
    text: str

    @property
    def end(self) -> int:
        """The line of the closing fence."""
        return self.line + self.text.count("\n")


REPLAYED = "docs/adventure_chart.md"
"""A page whose examples belong together: it is followed from its first line to its last."""


def pages() -> list[str]:
    """The README and all pages but those of the diagnostics, which have tests of their own."""
    return ["README.md", *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md"))]


def all_blocks(page: str) -> list[Block]:
    """Every fenced block of a page, in order."""
    found: list[Block] = []
    language, first = None, 0
    gathered: list[str] = []
    for number, line in enumerate((ROOT / page).read_text(encoding="utf-8").split("\n"), 1):
        if not line.startswith("```"):
            gathered.append(line)
        elif language is None:
            language, first, gathered = line[3:].strip(), number + 1, []
        else:
            found.append(Block(page, first, language, "".join(f"{each}\n" for each in gathered)))
            language = None
    return found


def blocks(page: str, language: str) -> list[Block]:
    """The blocks of one language."""
    return [block for block in all_blocks(page) if block.language == language]
