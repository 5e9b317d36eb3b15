import re
from textwrap import dedent

from rulelang.diagnostic import Diagnostic, Edit, Fix, Note, Span, make
from rulelang.report import render_full

SOURCE = """\
resource gold 0 to 9

rule dig
  gain gld 1, gain gem

rule rest
  skip
  skip
"""


def at(line: int, column: int, end: int, file: str = "toy.rules") -> Span:
    return Span(file, line, column, line, end)


def full(*diagnostics: Diagnostic, source: str = SOURCE, **others: str) -> str:
    sources = {"toy.rules": source, **{f"{name}.rules": text for name, text in others.items()}}
    return render_full(diagnostics, sources)


def expect(actual: str, wanted: str) -> None:
    assert actual == dedent(wanted).strip("\n")


def marked(source: str, first: str, last: str | None = None) -> str:
    """What stands above the carets when the part of a one-line source is marked."""
    start = source.index(first)
    stop = source.index(last or first) + len(last or first)
    text = full(make("S101", "bad", at(1, start + 1, stop + 1)), source=source)
    row, carets = text.split("\n")[3:5]
    cells = "".join(each + "\0" * (each in "日本🎲") for each in row if each != "\u0301")
    where = re.search(r"\^+", carets)
    assert where
    return cells[where.start() : where.end()].replace("\0", "")


def test_one_place_with_label_and_help() -> None:
    found = make("N201", "there is no gld", at(4, 8, 11), help="did you mean gold?", label="here")
    expect(
        full(found),
        """
        error[N201]: there is no gld
         --> toy.rules:4:8
          |
        4 |   gain gld 1, gain gem
          |        ^^^ here
          |
          = help: did you mean gold?
        """,
    )


def test_notes_of_the_same_file_join_the_snippet_in_line_order() -> None:
    notes = [
        Note(at(7, 3, 7), "resting is here"),
        Note(at(1, 10, 14), "gold is declared here"),
        Note(at(6, 6, 10), "and the rule here"),
    ]
    expect(
        full(make("N201", "there is no gld", at(4, 8, 11), notes=notes)),
        """
        error[N201]: there is no gld
         --> toy.rules:4:8
          |
        1 | resource gold 0 to 9
          |          ---- gold is declared here
        ...
        4 |   gain gld 1, gain gem
          |        ^^^
        5 |
        6 | rule rest
          |      ---- and the rule here
        7 |   skip
          |   ---- resting is here
        """,
    )


def test_several_labels_on_a_line_hang_below_each_other() -> None:
    notes = [Note(at(4, 3, 7), "gained"), Note(at(4, 20, 23), "a gem")]
    expect(
        full(make("N201", "there is no gld", at(4, 8, 11), notes=notes, label="unknown")),
        """
        error[N201]: there is no gld
         --> toy.rules:4:8
          |
        4 |   gain gld 1, gain gem
          |   ---- ^^^         --- a gem
          |   |    |
          |   |    unknown
          |   gained
        """,
    )


def test_a_place_inside_another() -> None:
    notes = [Note(at(4, 3, 13), "in this gain")]
    expect(
        full(make("N201", "there is no gld", at(4, 8, 11), notes=notes, label="unknown")),
        """
        error[N201]: there is no gld
         --> toy.rules:4:8
          |
        4 |   gain gld 1, gain gem
          |   -----^^^--
          |   |    |
          |   |    unknown
          |   in this gain
        """,
    )


def test_a_note_in_another_file_has_its_own_snippet() -> None:
    notes = [Note(at(10, 7, 11, "more.rules"), "gold is declared there")]
    found = make("N201", "there is no gld", at(4, 8, 11), notes=notes, help="import it\nby name")
    expect(
        full(found, more="\n" * 9 + "token gold"),
        """
        error[N201]: there is no gld
          --> toy.rules:4:8
           |
         4 |   gain gld 1, gain gem
           |        ^^^
           |
          ::: more.rules:10:7
           |
        10 | token gold
           |       ---- gold is declared there
           |
           = help: import it
                   by name
        """,
    )


def test_a_span_of_several_lines_marks_the_first_to_its_end() -> None:
    expect(
        full(make("S101", "this cannot follow", Span("toy.rules", 6, 6, 8, 7))),
        """
        error[S101]: this cannot follow
         --> toy.rules:6:6
          |
        6 | rule rest
          |      ^^^^
        """,
    )


def test_the_end_of_the_file_can_be_marked() -> None:
    expect(
        full(make("S101", "the rule has no end", Span.point("toy.rules", 9, 1), label="here")),
        """
        error[S101]: the rule has no end
         --> toy.rules:9:1
          |
        9 |
          | ^ here
        """,
    )


def test_a_file_without_text_is_only_named() -> None:
    notes = [Note(at(3, 1, 2, "lost.rules"), "asked for here")]
    found = make("S105", "not text", at(1, 1, 1, "gone.rules"), notes=notes, help="save as UTF-8")
    expect(
        full(found),
        """
        error[S105]: not text
         --> gone.rules:1:1
          = note: asked for here (lost.rules:3:1)
          = help: save as UTF-8
        """,
    )


def test_a_fix_says_whether_it_is_safe() -> None:
    edits = (Edit(at(4, 8, 11), "gold"),)
    safe = full(make("N201", "no gld", at(4, 8, 11), fix=Fix("write gold", edits, safe=True)))
    unsafe = full(make("N201", "no gld", at(4, 8, 11), fix=Fix("write gold", edits, safe=False)))
    assert safe.endswith("  = fix: write gold (--fix does this)")
    assert unsafe.endswith("  = fix: write gold (for you to decide)")


def test_carets_line_up_below_tabs_wide_and_combining_characters() -> None:
    assert marked("\tgain\tgld", "gld") == "gld"
    assert marked("日本 gold", "gold") == "gold"
    assert marked("gain 日本", "日本") == "日本"
    assert marked("🎲 e\u0301tage gold", "gold") == "gold"


def test_a_zero_width_place_still_has_a_caret() -> None:
    text = full(make("S101", "bad", at(1, 2, 3)), source="e\u0301")
    assert text.endswith("  |  ^")


def test_long_lines_are_cut_around_the_place() -> None:
    source = "x" * 5_000 + " gld " + "y" * 5_000
    text = full(make("N201", "there is no gld", at(1, 5_002, 5_005)), source=source)
    row, carets = text.split("\n")[3:5]
    assert row.startswith("1 | ...xxx")
    assert row.endswith("yyy...")
    assert len(row) < 140
    assert row[carets.index("^") :].startswith("gld ")
    assert carets.count("^") == 3


def test_a_note_outside_the_cut_is_named() -> None:
    source = "gold" + "x" * 5_000 + " gld"
    notes = [Note(at(1, 1, 5), "declared here")]
    text = full(make("N201", "there is no gld", at(1, 5_006, 5_009), notes=notes), source=source)
    assert text.split("\n")[3].endswith(" gld")
    assert text.endswith("  = note: declared here (toy.rules:1:1)")


def test_nothing_reaches_the_terminal_that_could_steer_it() -> None:
    note = Note(at(1, 6, 7), "\x1b[2J")
    found = make(
        "N201", "\x1b]0;\x07", at(1, 1, 2), help="\x9b1m", notes=[note], label="\u202eback"
    )
    text = full(found, source="a\x1b[31m\u202e b\r\nc")
    assert {each for each in text if not each.isprintable()} == {"\n"}
    assert "1 | a\ufffd[31m\ufffd b\n" in text


def test_colour_only_paints() -> None:
    notes = [Note(at(1, 10, 14), "gold is declared here")]
    found = [make("N201", "there is no gld", at(4, 8, 11), notes=notes, help="write gold")]
    plain = render_full(found, {"toy.rules": SOURCE}, color=False)
    painted = render_full(found, {"toy.rules": SOURCE}, color=True)
    assert "\x1b[1;31merror[N201]\x1b[0m" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def test_diagnostics_come_in_order_with_an_empty_line_between() -> None:
    text = full(make("S101", "second", at(4, 1, 2)), make("S101", "first", at(1, 1, 2)))
    first, second = text.split("\n\n")
    assert first.startswith("error[S101]: first\n")
    assert second.startswith("error[S101]: second\n")


def test_no_diagnostics_no_text() -> None:
    assert full() == ""
