"""The formatter: what it makes of a text, and that it changes nothing but the layout."""

from __future__ import annotations

import re
from itertools import count, pairwise
from pathlib import Path

import pytest

from rulelang.errors import Error, RuleError
from rulelang.syntax import formatter
from rulelang.syntax.format_words import WIDTH
from rulelang.syntax.formatter import FormattingError, format_text
from rulelang.syntax.parser import parse
from tests.syntax.edits import FILES, label


@pytest.mark.parametrize("path", FILES, ids=label)
def test_files_keep_their_meaning_and_their_comments(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    formatted = format_text(text, path.name)
    before, after = parse(text).file, parse(formatted).file
    assert after.declarations == before.declarations
    assert [c.text.strip() for c in after.comments] == [c.text.strip() for c in before.comments]
    assert format_text(formatted, path.name) == formatted


@pytest.mark.parametrize("path", FILES, ids=label)
def test_files_are_laid_out_as_settled(path: Path) -> None:
    lines = format_text(path.read_text(encoding="utf-8"), path.name).split("\n")
    assert lines.pop() == ""
    assert not any(line != line.rstrip() or "\t" in line for line in lines)
    assert not any(above == below == "" for above, below in pairwise(lines))
    assert not any(len(line) > WIDTH for line in lines if "#" not in line and "|" not in line)


PAIRS = {
    "nothing": ("", ""),
    "only blank lines": ("\n \n\t\n", ""),
    "only a comment": ("\n\n   #a note  \n", "# a note\n"),
    "indentation": (
        "rule a\n      b\n      if c\n       d\nrule e\n\tf\n",
        "rule a\n  b\n  if c\n    d\nrule e\n  f\n",
    ),
    "blanks between words": (
        "define  f( x :Box,y:flag )for p : Player=g( x )[ 1 ] . h+-2  *( 3 )  cites AB-1 ,AB-2",
        "define f(x: Box, y: flag) for p: Player = g(x)[1].h + -2 * (3)  cites AB-1, AB-2\n",
    ),
    "a list behind words": (
        "rule a : gain [ b,c ]d( e ) [ ]\n",
        "rule a: gain [b, c] d(e) []\n",
    ),
    "signs": (
        "define a = b==- c and not- d or e-f\n",
        "define a = b == -c and not -d or e - f\n",
    ),
    "content": (
        "card 1:+a -b,c  d : e\n  a-b - c\n",
        "card 1: +a -b, c d : e\n  a-b - c\n",
    ),
    "word processor": (
        "tool\u00a0saw “The saw” – 2\n  title: “a b”\n",
        'tool saw "The saw" - 2\n  title: "a b"\n',
    ),
    "words of a rule": (
        "rule a( n:1 to 3 )“gain {n|coin|coins}”for p : Player: b\n"
        'define c"with {{" = d\nturn e "f": g\n',
        'rule a(n: 1 to 3) "gain {n|coin|coins}" for p: Player: b\n'
        'define c "with {{" = d\nturn e "f": g\n',
    ),
    "a quoted quote": ('tool “the "big" saw”\n', 'tool “the "big" saw”\n'),
    "line ends of another system": ("rule a\r\n  b\r\n", "rule a\n  b\n"),
    "signs without a width": ("\ufeffrule a:\u200b b\n\u200b\n", "rule a: b\n"),
    "blank lines": (
        "\n\nrule a\n\n\n  b\n\n\n\n  c\n\n\n\nrule d: e\nrule f: g\n\n",
        "rule a\n  b\n\n  c\n\nrule d: e\nrule f: g\n",
    ),
    "comments": (
        "#one\n\n#  two\nrule a   #three\n     # four\n\n     b# five\n     # six\n   # seven\n"
        "# eight\nrule c: d",
        "# one\n\n#  two\nrule a  # three\n  # four\n\n  b  # five\n  # six\n# seven\n"
        "# eight\nrule c: d\n",
    ),
    "comments behind the last block": (
        "rule a\n  if b\n    c\n    # in the if\n  # in the rule\n# outside\n",
        "rule a\n  if b\n    c\n    # in the if\n  # in the rule\n# outside\n",
    ),
    "ruled lines": (
        "# ------- one\n#------- two\n#!three\n",
        "# ------- one\n#------- two\n#!three\n",
    ),
    "comments within a line": (
        "names Box: red, # warm\n  # cold:\n\n    blue,\n  green # both\n",
        "names Box: red,  # warm\n    # cold:\n    blue, green  # both\n",
    ),
    "lines that need not be broken": (
        "names Box: red,\n   blue\ndefine a =\n  b\n  and c\n  cites AB-1,\n   AB-2\n",
        "names Box: red, blue\ndefine a = b and c  cites AB-1, AB-2\n",
    ),
    "tables": (
        "s of Quay\n  number|order | \n  1 | sell, 2|x  cites AB-1\n  # corner\n\n  12| a:b |\n",
        "s of Quay\n  number | order   |\n  1      | sell, 2 | x  cites AB-1\n  # corner\n\n"
        "  12     | a: b    |\n",
    ),
    "tables with outer bars": (
        "t\n  | a|bb |\n  |ccc | d|\n",
        "t\n  | a   | bb |\n  | ccc | d  |\n",
    ),
    "a drawing": (
        "map a\n    rows #north\n\n          *  .\n        # |\n\n\n         --\n    key: b\n",
        "map a\n  rows  # north\n      *  .\n    # |\n\n     --\n  key: b\n",
    ),
    "comments beside a drawing": (
        "map a\n   rows\n   # one\n\n      x\n # two\n       y\n   # three\n# four\nmap b\n",
        "map a\n  rows\n  # one\n    x\n  # two\n     y\n  # three\n# four\nmap b\n",
    ),
    "a story": (
        "card a\n  story :  Once “upon”\n\n     a  time # no note\n  end\n",
        "card a\n  story: Once “upon” a  time # no note\n  end\n",
    ),
    "an empty story": ("card a\n  story:\n  end\n", "card a\n  story:\n  end\n"),
    "scenario labels": (
        'scenario "s"\n  offers  box 2 ,"The  Heron" by p\n  given\n    a\n',
        'scenario "s"\n  offers box 2, "The  Heron" by p\n  given\n    a\n',
    ),
}


@pytest.mark.parametrize(("text", "expected"), PAIRS.values(), ids=PAIRS)
def test_layout(text: str, expected: str) -> None:
    assert format_text(text) == expected
    assert format_text(expected) == expected


BROKEN = {
    "before cites": (
        "rule announce(c: Crate) for p: Player gives list of Lid in many, alone, some, or_all",
        "    cites HB-1.1, HB-1.2, HB-3, HB-4",
        "  nothing",
    ),
    "after the equals sign": (
        "define stock_before(c: Crate, cs: list of Crate, p: Player) =",
        "    p.coins + sum(a in earlier(c, cs): price(a) * 2)",
    ),
    "the outermost place first": (
        "define wide_or_shut =",
        "    list(c in crates where c.wide and c.long) has last_one or some(c in lids where c.up)",
    ),
    "before where, then by": (
        "rule r",
        "  choose c from crates_of_the_keeper(p)",
        "      where c.colour is not the_one_that_was_here_before_it and not (c.lids is empty)",
        '      by keeper "Whose crate of the quay is it?" else return',
    ),
    "before where": (
        "define total = sum(c in crates_of_the_keeper_of_the_harbour(first(players))",
        "    where c.what is tin and c.lids is empty: price(c))",
    ),
    "in a list": (
        f"names Box: {', '.join(['colour'] * 11)},",
        f"    {', '.join(['colour'] * 9)}",
    ),
    "a table row": (
        "boxes",
        f"  a | {'b' * 85}",
        "      cites HB-1, HB-2",
    ),
    "a story": (
        "card a",
        "  story: " + "word " * 17 + "word",
        "      " + "word " * 11 + "word",
    ),
}


@pytest.mark.parametrize("lines", BROKEN.values(), ids=BROKEN)
def test_long_lines_are_broken_where_the_language_lets_them(lines: tuple[str, ...]) -> None:
    expected = "\n".join(lines) + "\n"
    assert format_text(expected) == expected
    joined = re.sub(r"\n {4,}", " ", expected)
    assert joined != expected
    assert format_text(joined) == expected


def test_what_cannot_be_broken_is_left_long() -> None:
    text = 'rule r: gain "' + "long " * 30 + '"\n'
    assert format_text(text) == text


def test_a_drawing_is_not_announced_by_breaking_a_line() -> None:
    text = f"card a\n  rows  cites {', '.join(['ABCDE-123'] * 12)}\n"
    assert parse(format_text(text)).file.declarations == parse(text).file.declarations


def test_syntax_errors_are_raised_with_all_diagnostics() -> None:
    with pytest.raises(RuleError) as caught:
        format_text("rule r\n\tif a b\nrule s: )\n", "toy.rules")
    assert [d.code for d in caught.value.diagnostics] == ["F701", "S107", "S100"]
    assert {d.file for d in caught.value.diagnostics} == {"toy.rules"}


NUMBERS = count()


@pytest.mark.parametrize(
    ("spoilt", "message"),
    [
        (lambda text: text.replace("b", "c"), "does not say the same"),
        (lambda text: text.replace("# n", "# m"), "a comment would be lost"),
        (lambda text: text.replace("  # n", "\n# n"), "a comment would be lost"),
        (lambda text: text + "\n" * next(NUMBERS), "a second run would change"),
        (lambda text: text.replace("b", ")"), "cannot be read"),
    ],
)
def test_it_refuses_to_change_what_is_said(
    monkeypatch: pytest.MonkeyPatch, spoilt: object, message: str
) -> None:
    layout = formatter._layout
    assert callable(spoilt)
    monkeypatch.setattr(formatter, "_layout", lambda text, name: spoilt(layout(text, name)))
    with pytest.raises(FormattingError, match=message) as caught:
        format_text("rule a: b  # n\n", "toy.rules")
    assert isinstance(caught.value, Error)
    assert str(caught.value).startswith("toy.rules: ")
