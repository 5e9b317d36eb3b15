import copy
import pickle

import pytest

from rulelang.codes import AREAS, TABLE
from rulelang.diagnostic import (
    CODES,
    Edit,
    Fix,
    Note,
    Span,
    did_you_mean,
    lookup,
    make,
    sort_key,
    suggest,
)

WORD = Span("toy.rules", 2, 3, 2, 6)


def test_spans_join_to_the_smallest_that_covers_both() -> None:
    other = Span("toy.rules", 1, 9, 2, 4)
    assert WORD.to(other) == other.to(WORD) == Span("toy.rules", 1, 9, 2, 6)


def test_spans_of_two_files_do_not_join() -> None:
    with pytest.raises(ValueError, match=r"toy\.rules and other\.rules"):
        WORD.to(Span.point("other.rules", 1, 1))


def test_a_point_is_empty_and_sorts_before_what_begins_there() -> None:
    assert Span.point("toy.rules", 2, 3) < WORD < Span.point("toy.rules", 10, 1)


def test_a_code_or_its_name_makes_the_same_diagnostic() -> None:
    by_code = make("N201", "there is no token gem", WORD)
    assert by_code == make("unknown-name", "there is no token gem", WORD)
    assert (by_code.code, by_code.name, by_code.severity) == ("N201", "unknown-name", "error")


def test_an_unknown_code_is_a_mistake_in_the_caller() -> None:
    with pytest.raises(KeyError):
        make("N999", "no such code", WORD)


def test_lookup_takes_codes_and_names_in_any_case() -> None:
    assert lookup("n201") == lookup("Unknown-Name") == CODES["N201"]
    assert lookup("N999") is None


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_each_code_is_a_letter_of_an_area_and_a_number(row: tuple[str, str, str]) -> None:
    code, name, severity = row
    assert CODES[code].area == AREAS[code[0]]
    assert code[1:].isdigit()
    assert len(code) == 4
    assert name == name.lower()
    assert " " not in name
    assert severity in ("error", "warning", "info")


def test_json_has_the_public_fields() -> None:
    fix = Fix("write gold", (Edit(WORD, "gold"),), safe=True)
    note = Note(Span("b.rules", 1, 1, 1, 5), "gold is declared here")
    found = make("N201", "there is no gld", WORD, help="write gold", notes=[note], fix=fix)
    word = {"file": "toy.rules", "line": 2, "column": 3, "end_line": 2, "end_column": 6}
    assert found.as_json() == {
        "code": "N201",
        "name": "unknown-name",
        "severity": "error",
        "message": "there is no gld",
        **word,
        "help": "write gold",
        "notes": [
            {
                "label": "gold is declared here",
                "file": "b.rules",
                "line": 1,
                "column": 1,
                "end_line": 1,
                "end_column": 5,
            }
        ],
        "fix": {"message": "write gold", "safe": True, "edits": [{**word, "text": "gold"}]},
        "url": found.url,
    }
    assert found.url.endswith("/N201.html")


def test_diagnostics_sort_by_file_line_column_and_code() -> None:
    wanted = [
        make("S101", "", Span.point("a", 2, 9)),
        make("S101", "", Span.point("a", 10, 1)),
        make("N201", "", Span.point("a", 10, 2)),
        make("S101", "", Span.point("a", 10, 2)),
        make("S101", "", Span.point("b", 1, 1)),
    ]
    backwards = wanted[::-1]
    assert sorted(backwards, key=sort_key) == wanted


def test_a_diagnostic_survives_copying_and_pickling() -> None:
    found = make("N201", "there is no gld", WORD)
    assert pickle.loads(pickle.dumps(found)) == copy.deepcopy(found) == found


@pytest.mark.parametrize(
    ("word", "candidates", "wanted"),
    [
        ("lanterm", ["rope", "lantern"], ["lantern"]),
        ("GOLD_bar", ["gold bar", "gold-bars"], ["gold bar", "gold-bars"]),
        ("rpoe", ["rope"], ["rope"]),  # two letters swapped are one slip
        ("rope", ["ripe", "ropes", "robe", "role"], ["ripe", "ropes", "robe"]),
        ("coin", ["corn", "coins", "coil"], ["corn", "coins", "coil"]),
        ("lantern", ["rope", "lamp"], []),
        ("a", ["b", "c"], []),
        ("rope", ["rope"], []),
        ("", ["rope"], []),
        ("x" * 100_000, ["x" * 100_000 + "y"], []),
    ],
)
def test_suggestions(word: str, candidates: list[str], wanted: list[str]) -> None:
    assert suggest(word, candidates) == wanted


def test_suggestions_from_a_set_do_not_depend_on_its_order() -> None:
    assert suggest("rope", {"role", "robe", "ripe"}) == ["ripe", "robe", "role"]


@pytest.mark.parametrize(
    ("names", "wanted"),
    [
        ([], None),
        (["a"], "did you mean a?"),
        (["a", "b"], "did you mean a or b?"),
        (["a", "b", "c"], "did you mean a, b, or c?"),
    ],
)
def test_did_you_mean(names: list[str], wanted: str | None) -> None:
    assert did_you_mean(names) == wanted
