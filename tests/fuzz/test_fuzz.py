"""Whatever is given to rulelang, nothing but `rulelang.Error` comes out, and soon.

`pytest -m fuzz -s` tries random cases for an hour, or for as many minutes as RULELANG_FUZZ_MINUTES
says, beginning with the number RULELANG_FUZZ_FIRST (default: the time). RULELANG_FUZZ_CASE, such as
"texts 123", tries one case alone. Findings are printed and written down in a temporary folder.
"""

from __future__ import annotations

import os
import tempfile
import time
from pathlib import Path
from random import Random

import pytest

from tests.fuzz.areas import AREAS
from tests.fuzz.running import run
from tests.fuzz.watch import Case, tried


def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="rulelang-fuzz-"))


@pytest.mark.fuzz
def test_nothing_unforeseen_comes_out() -> None:
    folder = _folder()
    one = os.environ.get("RULELANG_FUZZ_CASE")
    if one:
        name, number = one.split()
        finding = tried(name, AREAS[name], int(number), folder)
        assert finding is None, f"{finding.what}; see {finding.folder}"
        return
    minutes = float(os.environ.get("RULELANG_FUZZ_MINUTES", "60"))
    first = int(os.environ.get("RULELANG_FUZZ_FIRST", str(int(time.time()))))
    print(f"\nfindings go to {folder}; the first case is {first}", flush=True)
    findings = run(minutes * 60, first, folder)
    assert findings == [], "\n".join(f"{f.what}\n  {f.folder}" for f in findings)


@pytest.mark.parametrize("name", AREAS)
def test_each_area_has_cases(name: str, tmp_path: Path) -> None:
    for number in range(3):
        assert tried(name, AREAS[name], number, tmp_path) is None
    assert list(tmp_path.iterdir()) == []


def test_what_fails_is_written_down(tmp_path: Path) -> None:
    def area(random: Random) -> Case:
        return Case({"one/two.rules": f"{random.random()}"}, lambda: print(1 // 0))

    finding = tried("wrong", area, 7, tmp_path)
    assert finding is not None
    assert finding.what.startswith("ZeroDivisionError at ")
    assert (finding.folder / "one_two.rules").read_text() == f"{Random('wrong:7').random()}"
    assert "1 // 0" in (finding.folder / "traceback.txt").read_text()


def test_what_takes_too_long_is_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless() -> None:
        while True:
            pass

    monkeypatch.setattr("tests.fuzz.watch.SECONDS", 0.2)
    finding = tried("endless", lambda random: Case({}, endless), 0, tmp_path)
    assert finding is not None
    assert finding.what.startswith("TooLong")


def test_what_takes_too_much_memory_is_stopped(tmp_path: Path) -> None:
    finding = tried(
        "greedy", lambda random: Case({}, lambda: list(range(10**10)) and None), 0, tmp_path
    )
    assert finding is not None
    assert finding.what.startswith("MemoryError")
