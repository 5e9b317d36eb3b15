"""The house: the library knows no game, files are short, and arrows go one way."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LIBRARY = ROOT / "rulelang"
SOURCES = sorted(p for p in LIBRARY.rglob("*") if p.suffix in (".py", ".lark", ".rules"))
MODULES = [p for p in SOURCES if p.suffix == ".py"]
GAME_WORDS = re.compile(
    r"(?i)\b(expeditions?|explorers?|ammo|ammunition|caption|dinosaurs?|raptors?|jurassic|t-?rex|plateau|landmarks?"
    r"|poker|kuhn|leduc|goofspiel|backgammon|snakes?|ladders?|chutes?|tic_tac_toe|pig)\b"
)
LONGEST = 500
LAYERS = ("display", "codes", "diagnostic", "syntax", "program", "checker", "engine")
"""Layers that may not import what comes later in this list, and none of the faces."""
FACES = ("cli", "play", "testing", "content", "game", "session")


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_the_library_names_no_game(path: Path) -> None:
    assert GAME_WORDS.findall(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_a_file_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def imported(path: Path) -> set[str]:
    """The parts of the library that a module imports when it runs, type checking apart."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("rulelang."):
            found.add(str(node.module).split(".")[1])
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_arrows_go_one_way(layer: str) -> None:
    above = {*LAYERS[LAYERS.index(layer) + 1 :], *FACES}
    if layer == "engine":
        above |= {"syntax"}
    files = [LIBRARY / f"{layer}.py"] if (LIBRARY / f"{layer}.py").exists() else MODULES
    for path in files:
        if path.parent.name == layer or path.stem == layer:
            assert imported(path) & above == set(), path
