"""The commands in the hooks and in the examples for build servers are ones that there are."""

import re
import shlex
from pathlib import Path

import pytest

from rulelang.cli.arguments import parse
from tests.cli.conftest import ROOT

HOOKS = ROOT / ".pre-commit-hooks.yaml"
PAGE = ROOT / "docs" / "commands.md"
COMMAND = re.compile(r"(?:- |run: |entry: )(rulelang [^\n>]*)")


def commands(path: Path) -> list[str]:
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        text = "".join(re.findall(r"^```yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL))
    return COMMAND.findall(text)


@pytest.mark.parametrize("line", [*commands(HOOKS), *commands(PAGE)])
def test_a_command_is_understood(line: str) -> None:
    words = shlex.split(line)[1:]
    assert parse(words).command == words[0]


def test_the_hooks_are_named_after_their_commands() -> None:
    ids = re.findall(r"^- id: (.+)", HOOKS.read_text("utf-8"), re.MULTILINE)
    assert [each.replace("-", " ") for each in ids] == commands(HOOKS)


def test_the_page_lists_every_format() -> None:
    table = PAGE.read_text("utf-8").partition("| Format | What it is |")[2].partition("\n\n")[0]
    listed = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)
    for form in listed:
        assert parse(["check", "--format", form]).format == form
    assert len(listed) == 8
