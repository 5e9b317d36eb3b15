"""Places for what says nothing of its place: a layout by springs, the same on every machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, pi, sin, sqrt

Point = tuple[float, float]
ROUNDS = 250
SPACING = 90.0
"""The distance that joined places are drawn at."""
_FAR = 3 * SPACING
"""Places of large boards do not push each other from farther away."""
_MANY = 80
"""So many are a large board."""
_WORK = 24_000
"""About how many moves of a place are made in all."""
_DIGITS = 6
"""Sines differ between machines behind these; everything else is exact on all of them."""


def spread(count: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    """Places of so many nodes, of which edges join some: joined ones near, others apart.

    What hangs together is laid out by itself, and stands beside the rest.
    """
    at = [(0.0, 0.0)] * count
    left, top, bottom = 0.0, 0.0, 0.0
    groups = _groups(count, edges)
    room = SPACING * 1.4 * sqrt(count) + SPACING
    for group in groups:
        place = {node: n for n, node in enumerate(group)}
        inside = [(place[a], place[b]) for a, b in edges if a in place]
        corner, points = _cornered(_sprung(len(group), inside))
        if left and left + corner[0] > room:
            left, top = 0.0, bottom + SPACING
        for node, (x, y) in zip(group, points, strict=True):
            at[node] = (left + x, top + y)
        left += corner[0] + SPACING
        bottom = max(bottom, top + corner[1])
    return at


def _groups(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The nodes that hang together, the largest groups first."""
    beside = _beside(count, edges)
    groups: list[list[int]] = []
    seen: set[int] = set()
    for start in range(count):
        if start not in seen:
            groups.append(list(_steps(beside, start)))
            seen.update(groups[-1])
    return sorted(groups, key=len, reverse=True)


def _cornered(points: Sequence[Point]) -> tuple[Point, list[Point]]:
    """The points moved so that they begin in the upper left corner, and how far they reach."""
    left, top = min(x for x, _ in points), min(y for _, y in points)
    moved = [(x - left, y - top) for x, y in points]
    if max(x for x, _ in moved) < max(y for _, y in moved):  # pictures are rather wide than high
        moved = [(y, x) for x, y in moved]
    return (max(x for x, _ in moved), max(y for _, y in moved)), moved


def _sprung(count: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    """One group, by springs."""
    at = _begun(count, edges)
    step = SPACING
    rounds = min(ROUNDS, max(20, _WORK // count))
    for _ in range(rounds):
        moves = _moves(at, edges)
        at = [_moved(place, move, step) for place, move in zip(at, moves, strict=True)]
        step *= 1 - 5 / rounds
    return at


def _begun(count: int, edges: Sequence[tuple[int, int]]) -> list[Point]:
    """By how far they are from four nodes at the ends of the group, which unfolds it."""
    beside = _beside(count, edges)
    one = _far_from([_steps(beside, 0)])
    other = _far_from([_steps(beside, one)])
    across = [_steps(beside, one), _steps(beside, other)]
    third = _far_from(across)
    fourth = _far_from([_steps(beside, third)])
    down = [_steps(beside, third), _steps(beside, fourth)]
    found = []
    for n in range(count):
        turn = n * pi * (3 - sqrt(5))  # a little aside, each in a direction of its own
        x, y = across[0][n] - across[1][n], down[0][n] - down[1][n]
        aside = round(cos(turn), _DIGITS), round(sin(turn), _DIGITS)
        found.append((SPACING * (x + aside[0]) / 2, SPACING * (y + aside[1]) / 2))
    return found


def _beside(count: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    beside: list[list[int]] = [[] for _ in range(count)]
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    return beside


def _steps(beside: Sequence[Sequence[int]], start: int) -> dict[int, int]:
    """How many edges lead from a node to each that can be reached, in the order of reaching it."""
    found = {start: 0}
    waiting = [start]
    for node in waiting:
        new = [other for other in dict.fromkeys(beside[node]) if other not in found]
        found |= dict.fromkeys(new, found[node] + 1)
        waiting += new
    return found


def _far_from(steps: Sequence[dict[int, int]]) -> int:
    """The node that is farthest from the nearer of some, and then from all of them."""
    return max(steps[0], key=lambda n: (min(s[n] for s in steps), sum(s[n] for s in steps), -n))


def _moves(at: Sequence[Point], edges: Sequence[tuple[int, int]]) -> list[list[float]]:
    """Where each node is pushed and pulled to."""
    moves = [[0.0, 0.0] for _ in at]
    for n, m in _pairs(at):
        right, down = at[n][0] - at[m][0], at[n][1] - at[m][1]
        push = SPACING * SPACING / max(right * right + down * down, 1.0)
        _add(moves, n, m, right * push, down * push)
    for n, m in edges:
        right, down = at[n][0] - at[m][0], at[n][1] - at[m][1]
        pull = -sqrt(right * right + down * down) / SPACING
        _add(moves, n, m, right * pull, down * pull)
    return moves


def _pairs(at: Sequence[Point]) -> Iterator[tuple[int, int]]:
    """The nodes that push each other: all of them, or on large boards those that are near."""
    if len(at) < _MANY:
        yield from ((n, m) for n in range(len(at)) for m in range(n))
        return
    cells: dict[tuple[int, int], list[int]] = {}
    for n, (x, y) in enumerate(at):
        column, row = int(x // _FAR), int(y // _FAR)
        around = ((column + a, row + b) for a in (-1, 0, 1) for b in (-1, 0, 1))
        yield from ((n, m) for cell in around for m in cells.get(cell, ()))
        cells.setdefault((column, row), []).append(n)


def _add(moves: list[list[float]], n: int, m: int, right: float, down: float) -> None:
    moves[n][0] += right
    moves[n][1] += down
    moves[m][0] -= right
    moves[m][1] -= down


def _moved(at: Point, move: Sequence[float], step: float) -> Point:
    far = max(sqrt(move[0] * move[0] + move[1] * move[1]), 0.01)
    share = min(far, step) / far
    return at[0] + move[0] * share, at[1] + move[1] * share
