"""`rulelang compile`: rules as Python, each line with its place."""

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulelang import __version__, load
from rulelang.engine.compiler.listing import listing
from tests.cli.conftest import ROOT, Run
from tests.cli.toy import FAILING_CHECK, UNKNOWN_NAME, write_toy

EXAMPLES = ROOT / "docs" / "examples"
GAMES = sorted(path.name for path in (ROOT / "games").iterdir() if path.is_dir())
FOLDERS = [str(EXAMPLES / name) for name in ("ferry", "lagoon", "winter", "high_card")]
MODES = [(game, mode) for game in [*GAMES, *FOLDERS] for mode in load(game).modes]
HOOKED = "\nturn step\n", "\nbefore step as glance: walked += 0\n\nturn step\n"
SHARED = re.compile(r"[hmM][0-9]+|q_\w+|go[0-9]+\w*|remove[0-9]+")
PLACE = re.compile(r"  # (\S.*):([0-9]+)$")


@pytest.mark.parametrize("steps", [[], ["--steps"]], ids=["whole games", "steps"])
@pytest.mark.parametrize(("game", "mode"), MODES)
def test_it_is_python_with_the_place_of_each_line(
    run: Run, game: str, mode: str, steps: list[str]
) -> None:
    ran = run("compile", game, "--mode", mode, *steps)
    assert (ran.status, ran.err) == (0, "")
    tree = ast.parse(ran.out)
    lines = ran.out.split("\n")
    files = {name: text.count("\n") + 1 for name, text in load(game).sources.items()}
    for function in tree.body:
        if isinstance(function, ast.FunctionDef) and function.name.startswith("r_"):
            for line in lines[function.lineno - 1 : function.end_lineno]:
                place = PLACE.search(line)
                assert place is not None, line
                assert int(place[2]) <= files[place[1]]


def undefined(text: str) -> set[str]:
    """The shared functions and memories that are used and not there."""
    tree = ast.parse(text)
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    made = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    made |= {ast.unparse(n.targets[0]) for n in tree.body if isinstance(n, ast.Assign)}
    bound = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    return {name for name in used - made - bound if SHARED.fullmatch(name)}


@pytest.mark.parametrize("name", ["lost_expedition", "jurassic", "backgammon"])
def test_what_rules_share_is_there(name: str) -> None:
    game = load(name)
    linked = game.configure(None, None, None, None)
    for rules in (list(linked.codes), *([rule] for rule in list(linked.codes)[:4])):
        module = game.prepared(linked).module(stepping=False)
        assert undefined("\n".join(listing(module, rules))) == set()


def test_all_rules_are_there(run: Run) -> None:
    text = run("compile", "lost_expedition").out
    titles = {line[2:].split(",")[0] for line in text.split("\n") if re.match(r"# \w", line)}
    assert titles >= set(load("lost_expedition").configure(None, None, None, None).codes)


@pytest.mark.parametrize("game", ["lost_expedition", "backgammon"])
def test_it_is_the_same_every_time(game: str) -> None:
    def printed(seed: str) -> bytes:
        return subprocess.run(
            [sys.executable, "-m", "rulelang", "compile", game, "--steps"],
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout

    assert printed("1") == printed("2")


def test_what_its_names_stand_for(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path)
    text = run("compile", ".", "step", "--set", "length=long", "--steps").out
    head = text.split("def ")[0].split("\n")
    assert head[:3] == [
        "# toy, mode solo, for 1 player",
        "# length=long, limp=yes_it_does",
        f"# Python that is played step by step; rulelang {__version__}",
    ]
    assert "# step" in head
    assert re.search(r"^#   s\[[0-9]+\]: walked$", text, flags=re.MULTILINE)
    assert re.search(r"^#   K[0-9]+: \[left, right\]$", text, flags=re.MULTILINE)
    assert re.search(
        r"^#   frame [0-9]+: goes on in r_step_[0-9]+answer$", text, flags=re.MULTILINE
    )


@pytest.mark.parametrize(
    "words", [["step"], ["Step"], ["--mode", "solo", "step", "--players", "1"]]
)
def test_a_rule_that_is_named(run: Run, tmp_path: Path, words: list[str]) -> None:
    write_toy(tmp_path)
    ran = run("compile", ".", *words)
    assert (ran.status, ran.err) == (0, "")
    names = [node.name for node in ast.parse(ran.out).body if isinstance(node, ast.FunctionDef)]
    assert [name for name in names if name.startswith("r_")] == ["r_step"]


def test_a_rule_with_hooks_and_a_hook(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, HOOKED)
    whole = run("compile", ".", "step").out
    for title in ("# step\n", "# step:body\n", "# before step glance\n"):
        assert title in whole
    for words in ("glance", "before step glance"):
        assert "# step\n" not in run("compile", ".", words).out
        assert "# before step glance\n" in run("compile", ".", words).out


def test_the_script_of_an_entry(run: Run) -> None:
    ran = run("compile", str(EXAMPLES / "ferry"), "isle 2")
    assert "\n# script of isle 2\n" in ran.out
    assert ran.out == run("compile", str(EXAMPLES / "ferry"), "script of isle 2").out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["stpe"], "there is no rule 'stpe'; did you mean step?"),
        (["step", "nothing"], "there is no rule 'nothing'"),
        (["step", "--mode", "sool"], "there is no mode 'sool'; did you mean solo?"),
        (["--players", "9"], "no mode is for 9 players"),
        (["--set", "lenght=long"], "there is no setting 'lenght'; did you mean length?"),
        (["--stepps"], "did you mean --steps?"),
        (["late"], "rule 'late' is not for mode 'solo'"),
    ],
)
def test_wrong_usage(run: Run, tmp_path: Path, words: list[str], message: str) -> None:
    pair = (
        '  mode solo "Alone" players 1\n',
        '  mode solo "Alone" players 1\n  mode duo players 2\n',
    )
    late = "\nturn step\n", "\nrule late in duo\n  walked += 1\n\nturn step\n"
    write_toy(tmp_path, pair, late)
    ran = run("compile", ".", *words)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_game_with_errors_is_not_compiled(run: Run, tmp_path: Path) -> None:
    write_toy(tmp_path, UNKNOWN_NAME)
    ran = run("compile", ".")
    assert (ran.status, ran.out) == (1, "")
    assert "N201" in ran.err
    write_toy(tmp_path, FAILING_CHECK)
    ran = run("compile", ".", "step")
    assert ran.status == 0
    assert "the game's own checks" in ran.err
