import json

from rulelang.diagnostic import Diagnostic, Span, make
from rulelang.report import render_concise, render_json, summary

FIRST = make("S101", "this cannot follow", Span.point("a.rules", 2, 5))
SECOND = make("N201", "there is no gld", Span("b.rules", 1, 1, 1, 4))


def of(severity, file: str) -> Diagnostic:
    return Diagnostic("R000", "toy", severity, "toy", Span.point(file, 1, 1))


def test_concise_is_a_line_each_in_order() -> None:
    assert render_concise([SECOND, FIRST]) == (
        "a.rules:2:5: error[S101] this cannot follow\nb.rules:1:1: error[N201] there is no gld"
    )


def test_concise_of_nothing_is_empty() -> None:
    assert render_concise([]) == ""


def test_json_is_an_object_in_order_and_in_ascii() -> None:
    odd = make("S105", "not text: \ud800 é", Span.point("c.rules", 1, 1))
    text = render_json([odd, SECOND, FIRST], files=3, entries=7)
    assert text.isascii()
    assert json.loads(text) == {
        "diagnostics": [FIRST.as_json(), SECOND.as_json(), odd.as_json()],
        "files": 3,
        "entries": 7,
    }


def test_summary_counts_severities_and_files() -> None:
    several = [of("error", "a"), of("warning", "b"), of("error", "c"), of("error", "a")]
    assert summary(several) == "3 errors, 1 warning, in 3 files"
    assert summary([of("info", "a"), of("info", "a")]) == "2 infos, in 1 file"
    assert summary([]) == "no problems"
