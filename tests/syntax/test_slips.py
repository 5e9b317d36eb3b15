"""The diagnostic of each kind of slip: its code, its place, and what it says."""

from __future__ import annotations

import pytest

from rulelang.syntax.parser import parse
from rulelang.syntax.vocabulary import MAX_FILE_SIZE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # S100: something else is wanted
        ("rule a b: c", "S107 @ 1:8"),
        ("define a = b = c", "S100 @ 1:14"),
        ("rule r\n  if a = b: nothing", "S100 @ 2:8"),
        ("define a = (b))", "S100 @ 1:15"),
        ("define a = [b)", "S100 @ 1:14"),
        ("define a = f (b)", "S100 @ 1:14"),
        ("rule r\n  go(1)", "S100 @ 2:5"),
        ("rule r  cites ab-1\n  nothing", "S100 @ 1:15"),
        ("state\n  while: flag", "S106 @ 2:3"),
        ('scenario "s"\n  nothing', "S100 @ 2:3"),
        ("rule r\n  else: nothing", "S100 @ 2:3"),
        ("rule r\n  while a: nothing", "S100 @ 2:3"),
        ("rule r\n  nothing\n    and nothing", "S100 @ 3:5"),
        # S101, S102, S103: signs and columns
        ("define a = b -> c", "S101 @ 1:14"),
        ('rule r\n  choose by p "Which?', "S102 @ 2:15"),
        ("rule r\n    a\n  b", "S103 @ 3:3"),
        # S104: a block that nothing opens
        ("rule r\n  a\n    b\n  c", "S104 @ 3:5"),
        ("  rule r: a\nrule s: a", "S104 @ 1:3"),
        ("define a = b\n  c", "S104 @ 2:3"),
        # S105: the line ends too early
        ("define a =", "S105 @ 1:10"),
        ("define a = b +\nrule r: a", "S105 @ 1:14"),
        ("define a = f(b\nrule r: a", "S105 @ 1:13"),
        ("define a = b is not\n    and c", "S105 @ 1:17"),
        ("rule r  cites AB-1,\n  nothing", "S105 @ 1:19"),
        ("rule r: let x", "S105 @ 1:13"),
        # S106: a reserved word
        ("rule end: nothing", "S106 @ 1:6"),
        ("define a = b.open", "S106 @ 1:14"),
        ("rule r\n  let roll = 1", "S106 @ 2:7"),
        # S107: a missing colon
        ("rule r\n  if a nothing", "S107 @ 2:8"),
        ("state\n  a flag", "S107 @ 2:5"),
        ('check "c" a', "S107 @ 1:11"),
        ("rule r\n  if a: b\n  else c", "S107 @ 3:8"),
        # S108: beyond all measure
        ("define a = " + "-" * 100 + "b", "S108 @ 1:92"),
        # S109: an empty block
        ("rule r\nrule s: a", "S109 @ 1:1"),
        ("rule r", "S109 @ 1:1"),
        ("rule r\n  if a\n  b", "S109 @ 2:3"),
        ("state per p: Player\n\n# nothing\n", "S109 @ 1:1"),
    ],
)
def test_a_slip_has_one_diagnostic_in_its_place(text: str, expected: str) -> None:
    found = [f"{d.code} @ {d.line}:{d.column}" for d in parse(text).diagnostics]
    assert found == [expected]


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("rule r\n  if a nothing", "a colon is missing after `a`", "behind `:`"),
        ("rule r\n  if a = b: nothing", "`=` cannot stand here", "write `==` or `is`"),
        ("rule r\n  elif a: nothing", "cannot stand here", "Write `else if`."),
        ("rule r\n  while a: nothing", "no line here begins with `while`", "repeat while"),
        ("define a = f(b\n  + c)", "`(` has no closing `)` on this line", "carried on after"),
        ("define a = f (b)", "`(` cannot stand here", "No blank stands before"),
        ("rule r\n  go(1)", "a question by itself does nothing", "called by words"),
        ("rule r  cites ab-1\n  nothing", "a clause such as", "in capitals"),
        ("rule end: nothing", "`end` is a reserved word", "`end_`"),
        ("rule r\n  x -> y", "`->` has no meaning here", "arrow"),
        ("rule r // note\n  nothing", "`//` has no meaning here", "begin with `#`"),
        ('scenario "s"\n  nothing', "no line here begins with `nothing`", "`answer`, `draw`"),
        ("rule r\nrule s: a", "nothing stands under this line", "Indent what belongs to it"),
        ("outcome\n  else: draw", "`draw` is no verdict", "or `tied`"),
        ("outcome\n  when a: nobody", "`nobody` is no verdict", "`won by …`"),
        ('rule r\n  choose "Go?"\n    offer a "A": b', "a text cannot stand", "`choose by p …`"),
        ('rule r\n  may choose x from y "Go?"', "a text cannot stand", "front of the text: `by p`"),
        ("outcome\n  else:", "the line ends too early", None),
        ("rule r\n  repeat 3 times\n    a", "`3` cannot stand here", "`for i in numbers(1, 3)`"),
        ("rule r\n  repeat until a\n    b", "`until` cannot stand here", "repeat while not"),
        ("rule r\n  draw 3 from deck to p.hand", "`3` cannot stand", "`for i in numbers(1, 3)`"),
        ("rule r\n  choose 2 cards from a by p", "`2` cannot stand", "`for i in numbers(1, 2)`"),
        ("rule r\n  for i in 1 to 3: a", "`to` cannot stand here", "`numbers(1, …)`"),
        ("rule r\n  let n = roll d6", "`roll` gives no value", "`roll n from d6`"),
        ("rule r\n  n = roll d6", "`roll` gives no value", "`roll n from d6`"),
        ("rule r\n  roll d6", "nothing stands under this line", "`roll n from d6`"),
        ("rule r\n  roll d6 as n", "`as` cannot stand here", "`roll n from d6`"),
        ("state per player\n  a: number", "the line ends too early", "`state per p: Player`"),
        ("state per player:\n  a: number", "the kind of those who", "`state per p: Player`"),
    ],
)
def test_messages_say_what_to_write(text: str, message: str, help: str | None) -> None:
    (diagnostic,) = parse(text).diagnostics
    assert message in diagnostic.message
    if help is None:
        assert diagnostic.help is None
    else:
        assert help in (diagnostic.help or "")


def test_a_first_word_that_fits_is_no_habit() -> None:
    (diagnostic,) = parse("outcome\n  else: tied by a\n").diagnostics
    assert diagnostic.message.startswith("`by` cannot stand here")
    assert diagnostic.help is None


def test_a_missing_colon_can_be_inserted() -> None:
    text = "rule r\n  if a nothing"
    (diagnostic,) = parse(text).diagnostics
    assert diagnostic.fix is not None
    (edit,) = diagnostic.fix.edits
    lines = text.split("\n")
    line = lines[edit.span.line - 1]
    lines[edit.span.line - 1] = (
        line[: edit.span.column - 1] + edit.text + line[edit.span.column - 1 :]
    )
    assert lines == ["rule r", "  if a: nothing"]
    assert not parse("\n".join(lines)).diagnostics


def test_a_file_beyond_all_measure_is_not_read() -> None:
    parsed = parse("a" * (MAX_FILE_SIZE + 1))
    assert [d.code for d in parsed.diagnostics] == ["S110"]
    assert parsed.file.declarations == ()


def test_deep_nesting_is_read_or_reported() -> None:
    depth = 15
    text = "rule r\n" + "".join("  " * (n + 1) + "if a\n" for n in range(depth))
    text += "  " * (depth + 1) + "x = " + "(" * depth + "a" + ")" * depth + ".b" * 60 + "\n"
    assert not parse(text).diagnostics
