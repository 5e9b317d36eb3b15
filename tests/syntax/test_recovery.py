"""One slip gives about one diagnostic, in its place; many slips are all found in one run."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from attrs import frozen

from rulelang.syntax.parser import parse
from tests.syntax.edits import FILES, MODES, edits, label, places

EDITS = max(25, min(150, 1000 // len(FILES)))
"""How many a file and mode: 150, and fewer where there are many files."""


@frozen
class Failure:
    """What an edit that breaks the syntax led to."""

    text: str
    diagnostics: int
    in_place: bool


def failures(path: Path, mode: str) -> list[Failure]:
    text = path.read_text(encoding="utf-8")
    found: list[Failure] = []
    for edited in edits(text, mode, EDITS, seed=len(text)):
        errors = [d for d in parse(edited.text).diagnostics if d.severity == "error"]
        if errors:
            found.append(Failure(edited.text, len(errors), errors[0].line in edited.lines))
    return found


@pytest.fixture(scope="module")
def all_failures() -> list[Failure]:
    return [each for path in FILES for mode in MODES for each in failures(path, mode)]


def test_enough_edits_break_the_syntax(all_failures: list[Failure]) -> None:
    assert len(all_failures) > 1000


def test_one_slip_gives_about_one_diagnostic(all_failures: list[Failure]) -> None:
    counts = sorted(failure.diagnostics for failure in all_failures)
    assert sum(counts) / len(counts) <= 1.1
    assert counts[int(len(counts) * 0.95)] <= 2
    worst = max(all_failures, key=lambda failure: failure.diagnostics)
    assert worst.diagnostics <= 6, worst.text


def test_the_first_diagnostic_is_on_the_line_of_the_slip(all_failures: list[Failure]) -> None:
    in_place = sum(failure.in_place for failure in all_failures)
    assert in_place / len(all_failures) >= 0.95


SLIPS = (
    "rule r{n}\n  if a{n} nothing\n",
    "rule r{n}\n  gain )\n  gain 2\n",
    "define f{n} = a +\n",
    "define f{n} = (a\n",
    "rule r{n}\n  let x = 2 3\n  nothing\n",
    "state\n  a{n} flag\n  b{n}: flag\n",
    "rule r{n}\n  match a\n    b nothing\n    c: nothing\n",
    "rule r{n}\n  choose x from y by\n    nothing\n  else: nothing\n",
    "check 'c{n}': a\n",
    "rule end: nothing\n",
)
GOOD = (
    "rule good{n}\n  if a: nothing\n  else\n    nothing\n",
    "card {n}: +a\n  b: c\n",
    "state\n  s{n}: flag\n",
    "define g{n} = a and b\n",
)


@pytest.mark.parametrize("seed", range(5))
def test_twenty_slips_have_twenty_diagnostics(seed: int) -> None:
    generator = random.Random(seed)
    pieces: list[str] = []
    lines: list[range] = []
    for number in range(20):
        pieces.append(generator.choice(GOOD).replace("{n}", str(number)))
        first = "".join(pieces).count("\n") + 1
        slip = generator.choice(SLIPS).replace("{n}", str(number))
        pieces.append(slip)
        lines.append(range(first, first + slip.count("\n")))
    parsed = parse("".join(pieces))
    found = [diagnostic.line for diagnostic in parsed.diagnostics]
    assert len(found) == 20, list(map(str, parsed.diagnostics))
    assert all(line in slip for line, slip in zip(found, lines, strict=True))


def test_slips_in_one_block_are_all_found() -> None:
    lines = ["rule r"]
    for number in range(20):
        lines += [f"  let a{number} = ) {number}", f"  gain {number}"]
    assert [d.line for d in parse("\n".join(lines)).diagnostics] == list(range(2, 42, 2))


def test_what_is_whole_is_read_all_the_same() -> None:
    text = (
        "rule a\n  b\n  if c )\n    d\n  else: e\n  f\nrule g(: h\ndefine k = l\n"
        "rule m\n  )\nrule n: o\n"
    )
    parsed = parse(text)
    assert [d.line for d in parsed.diagnostics] == [3, 7, 10]
    declared = [d.name.text for d in parsed.file.declarations]
    assert declared == ["a", "k", "n"]


@pytest.mark.parametrize(
    "text",
    [
        "rule a\n      b\n  c\n  d\nrule e\n  f\n    \nrule g\n  h\n",
        "rule a\n  if b\n      c\n    d\n  if e\n    f\nrule g\n    h\n",
        "rule a\n  if b\n       c\n    d\n  if e\n    f\nrule g\n    h\n",
    ],
)
def test_an_uneven_line_disturbs_no_other(text: str) -> None:
    parsed = parse(text)
    assert [d.code for d in parsed.diagnostics] == ["S103"]
    assert len(parsed.file.declarations) == text.count("rule")


@pytest.mark.parametrize("path", FILES, ids=label)
def test_files_are_read_without_errors(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    errors = [str(d) for d in parse(text).diagnostics if d.severity == "error"]
    assert errors == []
    assert places(text)
