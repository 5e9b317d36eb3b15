"""Questions about boards, each against a plain search over the same graph."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from attrs import frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from rulelang.analysis import analyse_sources
from rulelang.errors import GameFault
from rulelang.game import Game
from rulelang.loader import Sources
from rulelang.session import Session

HEAD = """
game toy "Toy"
  mode alone "Alone" players 1
ending done "Done"
outcome
  else: won by players
kind Spot by number
  one of buoy, quay
  deep: flag
kind Islet by name
  title: text = ""
edge Lane between Spot and Spot
edge Drift from Spot to Spot
edge Push from Spot to Spot
  way: 0 to 9
edge Ford between Spot or Islet and Islet
state
  found: list of number
  berth: Spot or none
"""


def game(text: str) -> Game:
    analysis = analyse_sources(Sources("toy", {"toy.rules": HEAD + text}, {}))
    assert analysis.program is not None, "\n".join(map(str, analysis.diagnostics))
    return Game(analysis.program, analysis.sources.rules)


@frozen
class Board:
    """A graph of spots 1 to ``size``: pairs that are joined both ways, and one way."""

    size: int
    lanes: tuple[tuple[int, int], ...]
    drifts: tuple[tuple[int, int], ...]
    deep: frozenset[int]
    quays: frozenset[int]

    def text(self) -> str:
        spots = [
            f"{'quay' if n in self.quays else 'buoy'} {n}{' deep' if n in self.deep else ''}"
            for n in range(1, self.size + 1)
        ]
        lanes = [f"lanes: {a} - {b}" for a, b in self.lanes]
        drifts = [f"drifts: {a} > {b}" for a, b in self.drifts]
        return "\n".join([*spots, *lanes, *drifts, ""])

    def next(self, node: int, kinds: str = "both") -> list[int]:
        found: set[int] = set()
        if kinds in ("both", "Lane"):
            found |= {b for a, b in self.lanes if a == node}
            found |= {a for a, b in self.lanes if b == node}
        if kinds in ("both", "Drift"):
            found |= {b for a, b in self.drifts if a == node}
        return sorted(found)

    def distances(self, start: int, kinds: str = "both") -> dict[int, int]:
        """The fewest steps to each node, ring by ring."""
        known, ring, steps = {start: 0}, [start], 0
        while ring:
            steps += 1
            ring = sorted({o for n in ring for o in self.next(n, kinds)} - set(known))
            known |= dict.fromkeys(ring, steps)
        return known


@st.composite
def boards(draw: st.DrawFn) -> Board:
    size = draw(st.integers(2, 7))
    spots = st.integers(1, size)
    pairs = st.tuples(spots, spots).filter(lambda pair: pair[0] != pair[1])
    lanes = draw(st.lists(pairs, max_size=9, unique_by=lambda pair: tuple(sorted(pair))))
    drifts = draw(st.lists(pairs, max_size=7, unique=True))
    some = st.frozensets(spots)
    return Board(size, tuple(lanes), tuple(drifts), draw(some), draw(some))


QUICK = settings(max_examples=25, deadline=None)
KINDS = {"both": "Lane, Drift", "Lane": "Lane", "Drift": "Drift"}


def noted(session: Session) -> list[Any]:
    value: list[Any] = session.state["found"]
    return value


# ---------------------------------------------------------------- neighbours, distance, reach, step


@QUICK
@given(boards(), st.sampled_from(sorted(KINDS)), st.integers(0, 4))
def test_what_lies_near_and_how_far_it_is(board: Board, kinds: str, steps: int) -> None:
    along = KINDS[kinds]
    rules = f"""
rule play
  for x in Spot
    found += list(y in neighbours(x, {along}): number_of(y)) + [-1]
    found += list(y in reach(x, {steps}, {along}): number_of(y)) + [-2]
    for y in Spot
      if distance(x, y, {along}) is none: found += [-3]
      else: found += [0 + far(x, y)]
  end done
define number_of(y: Spot) gives number = y.number
define far(x: Spot, y: Spot) gives number
  when distance(x, y, {along}) is none: -3
  else: distance(x, y, {along})
"""
    expected: list[int] = []
    for node in range(1, board.size + 1):
        known = board.distances(node, kinds)
        expected += [*board.next(node, kinds), -1]
        expected += [*sorted(n for n, d in known.items() if 1 <= d <= steps), -2]
        expected += [known.get(other, -3) for other in range(1, board.size + 1)]
    assert noted(game(board.text() + rules).start(seed=1)) == expected


def test_without_kinds_of_edges_all_of_them_count() -> None:
    rules = """
buoy 1
buoy 2
quay 3
islet holm
lanes: 1 - 2
drifts: 3 > 1
fords: 2 - holm
rule play
  found += [size(neighbours(Spot[1])), size(neighbours(Spot[2])), size(neighbours(Spot[3]))]
  found += [size(neighbours(Islet[holm])), size(reach(Spot[3], 3)), size(reach(Spot[3], 1))]
  if some(x in neighbours(Spot[2]) where x is holm): found += [7]
  if distance(Spot[3], holm) is 3 and distance(holm, Spot[3]) is none: found += [8]
  if distance(holm, holm) is 0: found += [9]
  end done
"""
    assert noted(game(rules).start(seed=1)) == [1, 2, 1, 1, 3, 1, 7, 8, 9]


def test_a_step_goes_in_a_direction_or_nowhere() -> None:
    rules = """
buoy 1
buoy 2
quay 3
pushes
  joins | way
  1 > 2 | 3
  1 > 3 | 5
  2 > 1 | 3
rule play
  for x in Spot
    for d in [3, 5, 7]: found += [number_of(step(x, d, Push))]
  end done
define number_of(x: Spot or none) = if x is none then 0 else x.number
"""
    assert noted(game(rules).start(seed=1)) == [2, 3, 0, 1, 0, 0, 0, 0, 0]


def test_hexes_that_are_drawn_touch_their_six_neighbours() -> None:
    rules = """
kind Hex by number
  x: number = 0
  y: number = 0
  wooded: flag
edge Step from Hex to Hex
  way: 1 to 6
hexes along Step
  sign *: wooded
  sign .
  rows
      .   .   .
    .   *   .   .
      .   .   *
rule play
  found += list(h in neighbours(Hex[5], Step): number_of(h)) + [0]
  for d in numbers(1, 6): found += [key(step(Hex[5], d, Step))]
  for d in numbers(1, 6): found += [key(step(Hex[1], d, Step))]
  found += [0] + list(h in Hex where h.wooded: number_of(h))
  found += [Hex[1].x, Hex[1].y, Hex[4].x, Hex[4].y, Hex[5].x]
  found += [size(reach(Hex[4], 2, Step))]
  end done
define number_of(h: Hex) gives number = h.number
define key(h: Hex or none) = if h is none then 0 else h.number
buoy 1
quay 2
lanes: 1 - 2
"""
    assert noted(game(rules).start(seed=1)) == [
        *(1, 2, 4, 6, 8, 9, 0),
        *(2, 6, 9, 8, 4, 1),
        *(0, 2, 5, 4, 0, 0),
        *(0, 5, 10),
        *(0, 0, -30, 52, 30),
        6,
    ]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("forward(Spot[1], 1, Spot)", 2),
        ("forward(Spot[2], 1, Spot)", 3),
        ("forward(Spot[2], 0, Spot)", 2),
        ("forward(Spot[2], 2, Spot)", 0),
        ("forward(Spot[3], 1, [Spot[3], Spot[1]])", 1),
    ],
)
def test_forward(expression: str, expected: int) -> None:
    rules = f"""
buoy 1
buoy 2
quay 3
lanes: 1 - 2 - 3
rule play
  found += [key({expression})]
  end done
define key(x: Spot or none) = if x is none then 0 else x.number
"""
    assert noted(game(rules).start(seed=1)) == [expected]


@pytest.mark.parametrize(
    "expression", ["forward(Spot[2], 1, [Spot[1]])", "forward(Spot[1], size(found) - 1, Spot)"]
)
def test_forward_from_what_is_not_there_and_backwards_are_faults(expression: str) -> None:
    rules = f"""
buoy 1
quay 2
lanes: 1 - 2
rule play
  if {expression} is none: end done
"""
    with pytest.raises(GameFault, match=r"not among them|is no number"):
        game(rules).start(seed=1)


# ---------------------------------------------------------------- ways


@frozen
class Query:
    """A `routes` declaration; conditions as sets of spots, static or read from the state."""

    start: int
    low: int
    high: int
    once: bool
    kinds: str
    avoid: frozenset[int] | None
    halt: frozenset[int] | None
    through: frozenset[int] | None
    ends: frozenset[int] | None
    dynamic: bool

    def text(self) -> str:
        lines = [
            "routes trips(n: 0 to 9) through x: Spot",
            f"  from Spot[{self.start}]",
            f"  along {KINDS[self.kinds]}",
            f"  steps {self.low} to n" if self.low != self.high else "  steps n",
            *(["  once"] if self.once else []),
        ]
        for word in ("avoid", "halt", "through", "ends"):
            spots = getattr(self, word)
            if spots is not None:
                lines.append(f"  {word} where {self._condition(spots)}")
        return "\n".join(lines)

    def _condition(self, spots: frozenset[int]) -> str:
        listed = ", ".join(f"Spot[{n}]" for n in sorted(spots))
        # What reads the state is worked out on the way, anything else beforehand.
        state = "found is empty and " if self.dynamic else ""
        return f"{state}some(y in [{listed}] where y is x)" if spots else "x.number > 99"

    def ways(self, board: Board) -> Iterator[list[int]]:
        """All ways, by a search in depth that follows the words of the reference."""
        yield from self._onward(board, [self.start])

    def _onward(self, board: Board, way: list[int]) -> Iterator[list[int]]:
        steps = len(way) - 1
        for node in board.next(way[-1], self.kinds):
            if (self.once and node in way) or node in (self.avoid or ()):
                continue
            stopped = node in (self.halt or ())
            long_enough = stopped or steps + 1 >= self.low
            if long_enough and (self.ends is None or node in self.ends):
                yield [*way[1:], node]
            passes = self.through is None or node in self.through
            if not stopped and passes and steps + 1 < self.high:
                yield from self._onward(board, [*way, node])


@st.composite
def queries(draw: st.DrawFn, board: Board) -> Query:
    low = draw(st.integers(0, 3))
    spots = st.none() | st.frozensets(st.integers(1, board.size), max_size=3)
    most = st.none() | st.frozensets(st.integers(1, board.size), min_size=board.size // 2)
    return Query(
        draw(st.integers(1, board.size)),
        low,
        draw(st.integers(max(low, 1), 4)),
        draw(st.booleans()),
        draw(st.sampled_from(sorted(KINDS))),
        *(draw(each) for each in (spots, spots, most, most)),
        draw(st.booleans()),
    )


@settings(max_examples=120, deadline=None)
@given(st.data(), boards())
def test_ways_are_those_of_a_plain_search_in_its_order(data: st.DataObject, board: Board) -> None:
    query = data.draw(queries(board))
    rules = f"""
{query.text()}
rule play
  let all = trips({query.high})
  let goals = list(x in ends_of(all): x.number + 0)
  for way in all: found += list(x in way: x.number + 0) + [0]
  found += goals
  end done
"""
    ways = list(query.ways(board))
    expected = [number for way in ways for number in [*way, 0]]
    expected += list(dict.fromkeys(way[-1] for way in ways))
    assert noted(game(board.text() + rules).start(seed=1)) == expected


def routes(lines: str, use: str = "size(trips)") -> Game:
    return game(f"""
buoy 1
buoy 2 deep
quay 3
quay 4
lanes: 1 - 2 - 3 - 4 - 1
routes trips through x: Spot
{lines}
rule play
  found += [{use}]
  end done
""")


def test_where_ways_begin_at_none_there_are_none() -> None:
    made = routes("  from berth\n  along Lane\n  steps 1 to 3")
    assert noted(made.start(seed=1)) == [0]


def test_several_conditions_of_one_sort() -> None:
    lines = "  from Spot[1]\n  along Lane\n  steps 1 to 4\n  once\n"
    assert noted(routes(lines).start(seed=1)) == [6]
    avoids = lines + "  avoid where x.deep\n  avoid where x is Spot[3]\n"
    assert noted(routes(avoids).start(seed=1)) == [1]  # any of them
    ends = lines + "  ends where x is quay\n  ends where x is not Spot[4]\n"
    assert noted(routes(ends).start(seed=1)) == [2]  # all of them
    halts = lines + "  halt where x.deep\n  halt where x is Spot[4]\n"
    assert noted(routes(halts).start(seed=1)) == [2]
    through = lines + "  through where x.deep\n  through where x is not quay\n"
    assert noted(routes(through).start(seed=1)) == [3]


def test_a_way_has_at_most_200_steps() -> None:
    lines = "  from Spot[1]\n  along Lane\n  steps 150 to 150 + size(found)\n  ends where x.deep\n"
    with pytest.raises(GameFault, match=r"more than 65,536 ways|go through more than"):
        routes(lines).start(seed=1)
    straight = "\n".join(f"buoy {n}" for n in range(5, 208))
    chain = "drifts: 1 > " + " > ".join(map(str, range(5, 105)))
    more = "drifts: " + " > ".join(map(str, range(104, 208)))
    long = f"""
buoy 1
{straight}
{chain}
{more}
routes trips(n: 0 or more) through x: Spot
  from Spot[1]
  along Drift
  steps n
rule play
  found += [size(trips(200))]
  found += [size(trips(201))]
"""
    with pytest.raises(GameFault, match="a way of 201 steps is longer than 200"):
        game(long).start(seed=1)


def test_on_a_dense_board_a_search_is_given_up() -> None:
    spots = "\n".join(f"buoy {n}" for n in range(1, 41))
    lanes = "lanes\n" + "\n".join(
        "  " + ", ".join(f"{a} - {b}" for b in range(a + 1, 41)) for a in range(1, 40)
    )
    for lines, message in (
        ("  steps 12\n  once\n  ends where x.deep", "go through more than 4,000,000 items"),
        ("  steps 12\n  once", "there are more than 65,536 ways"),
        ("  steps 1 to 12\n  avoid where found is not empty", "more than 65,536 ways"),
    ):
        rules = f"routes trips through x: Spot\n  from Spot[1]\n  along Lane\n{lines}\n"
        play = "rule play\n  if trips is empty: end done\n  end done\n"
        with pytest.raises(GameFault, match=message):
            game(f"{spots}\n{lanes}\n{rules}{play}").start(seed=1)


def test_asking_for_distances_is_charged_for() -> None:
    spots = "\n".join(f"buoy {n}" for n in range(1, 201))
    chains = [f"lanes: {a} - {a + 1}" for a in range(1, 200)]
    rules = """
rule play
  if ask(size(Spot)) > 0: end done
define ask(n: number) = sum(x in Spot: sum(y in Spot: sum(z in Spot: far(x, y))))
define far(x: Spot, y: Spot) = if distance(x, y, Lane) is none then 1 else 0
"""
    with pytest.raises(GameFault, match="go through more than 4,000,000 items"):
        game("\n".join([spots, *chains, rules])).start(seed=1)


def test_a_condition_that_fails_for_a_place_never_met_does_no_harm() -> None:
    rules = """
buoy 1
buoy 2
quay 9
lanes: 1 - 2
drifts: 9 > 1
routes trips through x: Spot
  from Spot[1]
  along Lane, Drift
  steps 1 to 3
  once
  avoid where 10 / (9 - x.number) > 5
rule play
  found += [size(trips)]
  end done
"""
    assert noted(game(rules).start(seed=1)) == [1]


# ---------------------------------------------------------------- what entries do


SCRIPTS = """
buoy 1
quay 2
lanes: 1 - 2
kind Deed by name, for p: Player
  done: script
  missed: script
  extra: list of effect
  only: effect
kind Tool by name
  title: text = ""
tool saw
tool axe
tool rope
names Res: good, bad
die d6: 1 to 6
rule earn(n: 1 to 5) for p: Player: nothing
rule take(t: Tool) for p: Player: nothing
rule judge(t: Tool) for p: Player gives Res
  if found is empty: return good
  return bad
define with(t: Tool) for p: Player = found is empty
deed one
  earn 1
  with saw: take axe
  without: earn 2, earn 3
  roll d6
    1, 2: earn 4
    else: nothing
  missed
    choose
      "This": take rope
      "That": judge saw
        good: earn 5
        bad: nothing
  extra: earn 1, take axe
  only: take rope
"""


def scripts(claims: str) -> Session:
    return game(SCRIPTS + f"rule play\n  for d in Deed\n{claims}  end done\n").start(seed=1)


def test_effects_are_all_the_instructions_whatever_they_depend_on() -> None:
    claims = """
    found += [size(effects(d.done)), count(e in effects(d.done) where e is earn)]
    found += [count(e in effects(d.done) where e is take(axe)), size(effects(d.missed))]
    found += [count(e in effects(d.missed) where e is judge), size(effects(d.extra))]
    found += [size(effects(d.only)), count(e in effects(d.only) where e is take(rope))]
"""
    assert noted(scripts(claims)) == [5, 4, 1, 3, 1, 2, 1, 1]


@pytest.mark.parametrize(
    ("body", "tools"),
    [
        ("d.done", ["saw", "axe"]),
        ("d.missed", ["saw", "rope"]),
        ("d.extra", ["axe"]),
        ("d.only", ["rope"]),
    ],
)
def test_what_a_script_mentions(body: str, tools: list[str]) -> None:
    claims = "".join(
        f"    if mentions({body}, {tool}): found += [{place}]\n"
        for place, tool in enumerate(("saw", "axe", "rope"))
    )
    places: Callable[[str], int] = ("saw", "axe", "rope").index
    assert noted(scripts(claims)) == sorted(map(places, tools))
