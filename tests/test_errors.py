import pickle

import pytest

from rulelang.diagnostic import Span, make
from rulelang.errors import ChoiceError, Error, GameFault, RuleError, SaveError, UsageError

FOUND = [make("N201", f"there is no gld{n}", Span.point("toy.rules", n, 1)) for n in range(1, 8)]

ALL = [
    UsageError("unknown mode sol", ["solo"]),
    RuleError(FOUND),
    ChoiceError("jump is not legal", ["stay", "go"]),
    SaveError("at decisions[3]: not a label"),
    GameFault("division by zero", "share", "toy.rules", 12, "1a2b3c"),
]


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_every_error_is_an_error_of_rulelang_and_pickles(error: Error) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert isinstance(again, Error)
    assert type(again) is type(error)
    assert str(again) == str(error)
    assert vars(again) == vars(error)


def test_a_rule_error_says_how_many_and_shows_the_first() -> None:
    lines = str(RuleError(FOUND)).split("\n")
    assert lines[0] == "7 errors, in 1 file"
    assert lines[1] == "  toy.rules:1:1: error[N201] there is no gld1"
    assert lines[-1] == "  and 2 more"
    assert len(lines) == 7


def test_a_rule_error_keeps_all_in_the_order_of_reports() -> None:
    assert RuleError(reversed(FOUND)).diagnostics == tuple(FOUND)


@pytest.mark.parametrize(
    ("legal", "wanted"),
    [
        (["stay", "go"], "jump is not legal; legal: stay, go"),
        ([], "jump is not legal; nothing is legal now"),
    ],
)
def test_a_choice_error_names_the_legal_labels(legal: list[str], wanted: str) -> None:
    error = ChoiceError("jump is not legal", legal)
    assert str(error) == wanted
    assert error.legal == tuple(legal)


def test_a_choice_error_does_not_flood_the_screen() -> None:
    assert str(ChoiceError("no", [str(n) for n in range(500)])).endswith(", 11, and 488 more")


def test_a_usage_error_asks_for_what_may_have_been_meant() -> None:
    assert str(UsageError("unknown mode sol", ["solo"])) == "unknown mode sol; did you mean solo?"


def test_a_fault_points_at_the_line_of_the_rule() -> None:
    fault = GameFault("division by zero", "share", "toy.rules", 12, "1a2b3c")
    assert str(fault) == "toy.rules:12: division by zero (in rule share, state 1a2b3c)"
