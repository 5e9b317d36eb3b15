"""Cases that are made up are the same ones at every run, unless new ones are asked for."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
MADE_UP = """\
from hypothesis import given, settings, strategies as st

@settings(max_examples=20)
@given(st.lists(st.integers()), st.text())
def test_it(numbers, text):
    print("\\n", "case", numbers, ascii(text))

def test_profile():
    print("\\n", "profile", settings.get_current_profile_name())
"""


def cases(folder: Path, *words: str, **environment: str) -> list[str]:
    """What a test is tried with in a run of its own, and then the profile."""
    path = folder / "test_made_up.py"
    path.write_text(MADE_UP, encoding="utf-8")
    known = {name: value for name, value in os.environ.items() if name != "HYPOTHESIS_PROFILE"}
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-s", "-p", "tests.conftest", *words, str(path)],
        cwd=ROOT,
        env={**known, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return [line for line in ran.stdout.split("\n") if line.startswith((" case ", " profile "))]


def test_every_run_has_the_same_cases(tmp_path: Path) -> None:
    one, other = (cases(tmp_path, PYTHONHASHSEED=seed) for seed in "12")
    assert one == other
    assert len(one) == 21
    assert one[-1] == " profile default"


def test_a_search_has_new_cases(tmp_path: Path) -> None:
    one = cases(tmp_path, "--hypothesis-profile=search")
    other = cases(tmp_path, HYPOTHESIS_PROFILE="search")
    assert one[-1] == other[-1] == " profile search"
    assert one != other
