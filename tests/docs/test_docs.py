"""What the documentation says is so: its examples are checked, run and compared."""

from __future__ import annotations

import doctest
import io
import re
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from rulelang import cli
from rulelang.analysis import analyse_sources
from rulelang.checker.questions import BUILTINS, CLAIMS, EACH
from rulelang.cli.arguments import COMMANDS
from rulelang.diagnostic import Diagnostic
from rulelang.game import Game
from rulelang.loader import Sources, read
from rulelang.program import instructions, listing
from rulelang.program.program import Pack
from rulelang.report import render_full
from rulelang.scenarios import run
from rulelang.syntax.parser import grammar
from rulelang.syntax.vocabulary import OPENS_RULES_BOOK
from tests.docs.blocks import REPLAYED, ROOT, Block, all_blocks, blocks, pages

EXAMPLES = ROOT / "docs" / "examples"
NEW = "my_cards.rules"


@pytest.fixture(autouse=True)
def _in_the_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    monkeypatch.setenv("NO_COLOR", "1")


def named(found: list[Block]) -> list[object]:
    return [pytest.param(block, id=f"{block.page}:{block.line}") for block in found]


def on_all_pages(language: str) -> list[Block]:
    return [block for page in pages() if page != REPLAYED for block in blocks(page, language)]


def extended(text: str) -> Sources:
    """The game of an example, without scenarios, with the example as a pack of one file."""
    base = read("lost_expedition" if "card " in text.split('"')[0] else "ferry")
    rules = {name: file for name, file in base.rules.items() if not name.startswith("scenarios/")}
    packs = (Pack("my_cards", (NEW,)),)
    return Sources(base.root, {**rules, NEW: text}, base.catalogues, packs=packs)


def errors(found: tuple[Diagnostic, ...]) -> list[str]:
    return [str(each) for each in found if each.severity == "error"]


def slips(page: str) -> list[tuple[Block, Block]]:
    """Examples with the message that stands right behind them."""
    return [
        (one, two)
        for one, two in pairwise(all_blocks(page))
        if (one.language, two.language) == ("rules", "text") and two.line - one.end <= 3
    ]


def sound(page: str) -> list[Block]:
    """Examples without a mistake."""
    wrong = [one for one, _ in slips(page)]
    return [block for block in blocks(page, "rules") if block not in wrong]


# ---------------------------------------------------------------- examples in the notation


@pytest.mark.parametrize(
    "block", named([each for page in pages() if page != REPLAYED for each in sound(page)])
)
def test_an_example_is_part_of_a_game(block: Block) -> None:
    sources = extended(block.text)
    if any(block.text in text for name, text in sources.rules.items() if name != NEW):
        return  # it is quoted from the game
    analysis = analyse_sources(sources)
    assert errors(analysis.diagnostics) == []
    assert analysis.program is not None
    failed = [r.message for r in run(Game(analysis.program, {})) if r.file == NEW and not r.ok]
    assert failed == []


@pytest.mark.parametrize(
    "slip", [pytest.param(s, id=str(s[0].line)) for s in slips("docs/authoring.md")]
)
def test_a_slip_gives_the_message_behind_it(slip: tuple[Block, Block]) -> None:
    example, message = slip
    sources = extended(example.text)
    found = analyse_sources(sources).diagnostics
    assert render_full(found, sources.rules, False).strip() == message.text.strip()


@pytest.mark.parametrize("page", pages())
def test_a_file_that_is_shown_is_shown_as_it_is(page: str) -> None:
    for block in all_blocks(page):
        language, _, file = block.language.partition(" ")
        if language == "rules" and file:
            assert block.text == (ROOT / "docs" / file).read_text(encoding="utf-8"), file


# ---------------------------------------------------------------- examples in Python and the shell


@pytest.mark.parametrize("page", [page for page in pages() if blocks(page, "python")])
def test_python_examples_give_what_they_show(page: str) -> None:
    text = "\n".join(block.text for block in blocks(page, "python"))
    test = doctest.DocTestParser().get_doctest(text, {}, page, page, 0)
    assert test.examples
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    said: list[str] = []
    doctest.DocTestRunner(optionflags=flags).run(test, out=said.append)
    assert not said, "".join(said)


@pytest.mark.parametrize("block", named(on_all_pages("console")))
def test_a_transcript_is_what_the_commands_print(
    block: Block, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        command, _, expected = part.partition("\n")
        words = shlex.split(command)
        typed = re.findall(r"^> (.*\n)", expected, flags=re.MULTILINE)
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(typed)))
        if words[0] == "rulelang":
            cli.main(words[1:])
        else:
            assert words[:3] == ["python", "-m", "rulelang.program.listing"]
            listing.main(words[3:])
        printed = capsys.readouterr()
        assert matches(printed.out + printed.err, expected), printed.out + printed.err


def matches(printed: str, expected: str) -> bool:
    """Is this what was printed? Three dots are any number of lines; files are not counted."""
    printed, expected = (re.sub(r"[0-9]+ files", "files", text) for text in (printed, expected))
    lines = [
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + r"\n" for line in expected.split("\n")
    ]
    return re.fullmatch("".join(lines).removesuffix(r"\n"), printed) is not None


# ---------------------------------------------------------------- lists that must be complete


def language() -> str:
    return (ROOT / "docs" / "language.md").read_text(encoding="utf-8")


def test_the_reference_lists_the_reserved_words() -> None:
    listed = re.search(r"\*\*Reserved words.*?\n\n((?:> .*\n)+)", language())
    assert listed is not None
    assert listed[1].replace(">", " ").split() == sorted(grammar().vocabulary.reserved)


def test_the_reference_lists_what_opens_the_rules_book() -> None:
    listed = re.search(r"open the \*rules book\*:\s+`([^`]*)`", language())
    assert listed is not None
    assert set(listed[1].split()) == OPENS_RULES_BOOK


@pytest.mark.parametrize("name", [*BUILTINS, *EACH, *CLAIMS])
def test_the_reference_lists_every_built_in_question(name: str) -> None:
    assert f"`{name}(" in language()


def test_the_program_form_lists_every_instruction() -> None:
    text = (ROOT / "docs" / "program.md").read_text(encoding="utf-8")
    listed = re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)
    base = instructions.Instruction
    assert sorted(listed) == sorted(each.__name__ for each in base.__subclasses__())


def test_the_command_line_lists_every_command() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| `rulelang (\w+)", text, flags=re.MULTILINE) == list(COMMANDS)


def test_the_compiler_page_names_modules_that_are_there() -> None:
    text = (ROOT / "docs" / "compiler.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\w+\.py)`", text))
    there = {path.name for path in (ROOT / "rulelang" / "engine" / "compiler").glob("*.py")}
    assert named
    assert named <= there


def test_links_lead_to_pages() -> None:
    for page in pages():
        folder = (ROOT / page).parent
        for target in re.findall(r"\]\(([^)#:]+\.md)", (ROOT / page).read_text(encoding="utf-8")):
            assert (folder / target).is_file() or Path(target).parts[0] == "diagnostics", target
