"""The public face of the package."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rulelang


@pytest.mark.parametrize("name", rulelang.__all__)
def test_what_is_public_is_there(name: str) -> None:
    assert getattr(rulelang, name) is not None


@pytest.mark.parametrize(
    "first", ["import rulelang", "import rulelang.checker", "rulelang.load('lost_expedition')"]
)
def test_check_is_the_function_whatever_was_imported_before(first: str) -> None:
    code = f"import rulelang\n{first}\nprint(rulelang.check('lost_expedition') is not None)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_names_that_are_not_public_are_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chess'"):
        _ = rulelang.chess
