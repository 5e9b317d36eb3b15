"""Small games written at random: zones of every sort, chance, choices, hooks, moments, scopes.

A *discreet* game reads of what not everybody sees no more than how many cards there are, but where
the one who sees them chooses among them. So two of its playthroughs that look alike to a player go
on alike for that player, whatever lies hidden. Other games read anything that the language allows.
Every game ends: it plays a number of rounds, and its rules call only those that are declared later.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from hypothesis import strategies as st

from rulelang.analysis import Analysis, analyse_sources
from rulelang.game import Game
from rulelang.loader import Sources

HEAD = """\
game toy "Toy"
  mode alone "Alone" players 1
  mode party "A party" players 2 to 4

setting pace "How quick is it?" = slow
  slow, quick
ruling tie "Who goes first?" = older
  older, younger

names Hue: red, green, blue
names Result: good, bad
die d6: 1 to 6
die shade: red, red, green, blue

ending done "Done"
ending rich_enough "Somebody has won" for p: Player
"""
KIND = """
kind Card by number, base 1 to {cards}, for p: Player
  title: text
  worth: 0 to 9
  hue: Hue
  deeds: list of effect
"""
BOARD = """
kind Spot by name
  one of buoy, quay
  depth: 0 to 9 = 3
edge Lane between Spot and Spot
edge Drift from Spot to Spot
state per p: Player
  berth: Spot or none = spot1
routes trips(p: Player, n: 0 to 9) through x: Spot
  from p.berth
  along Lane, Drift
  steps {steps}
{lines}
define near(p: Player) = if p.berth is none then [] else neighbours(p.berth)
define away(p: Player, q: Player) gives number
  when p.berth is none or q.berth is none: 0
  when distance(p.berth, q.berth, Lane) is none: 9
  else: distance(p.berth, q.berth, Lane)
"""
ROUTES = (
    "avoid where some(q in players where q.berth is x)",
    "halt where x is quay",
    "once",
    "through where x.depth > 2",
    "ends where x.depth < 8 or x is buoy",
    "halt where x.depth > 6 and rounds > 1",
)
STATE = """
state
  deck: pile of Card, hidden = Card
  heap: pile of Card{heap}
  lane: row of Card
  pool: set of Card
  tray: pile of Card, hidden
  rounds: 0 to 99
  tally: map of Hue to 0 to 99
state per p: Player
  hand: set of Card, seen by p
  shown: set of Card
  coins: 0 to 20, clamped
  secret: 0 to 99, seen by p
  late: set of Card
"""
REST = """
turn round{rounds}
rule earn(n: 1 to 4) for p: Player: p.coins += n
rule lose for p: Player: p.coins -= 1
rule peek for p: Player: {peek}
rule pull for p: Player
  draw from deck to p.hand else return
rule judge(n: 0 or more) for p: Player gives Result
  if p.coins > n: return good
  return bad
define rich for p: Player = p.coins > 4
moment market "Trade?" for p: Player
during market for q when q.coins > 1
  offer sale "Sell"
    q.coins -= 2
during market for q when q.hand is not empty and q.coins > 2
  offer lay "Lay down" for c in q.hand
    q.coins -= 3
    move c to q.shown
outcome
  when ended(rich_enough): won by list(p in players where p.coins > 3)
  else: won by best(p in players by most p.coins)
  scores for p: Player = p.coins + size(p.shown)
"""
DEEDS = ("earn 1", "earn 3", "lose", "pull", "peek")
HOOKS = (
    "before earn(n) for p when p.coins > 3: p.secret = {n}",
    "after pull for p: p.coins += 1",
    "instead of lose for p when p.coins == 0: nothing",
    "after judge(n) for p gives r when n > 2: r = bad",
    "instead of earn(n) for p when n > 2: proceed",
    "before round: tally[red] = {n}",
)
DEEPEST = 3
VERBS = 4


class Writer:
    """Writes one game; what it says is settled by the random generator alone."""

    def __init__(self, random: Random, *, discreet: bool) -> None:
        self.random = random
        self.discreet = discreet
        self.names = 0
        self.verb = 0
        self.face_down = random.random() < 0.5
        """Does the heap lie face down?"""
        self.reveals = random.random() < 0.7
        """Are cards shown to others?"""
        self.statements: tuple[Callable[[str, int], list[str]], ...] = (
            self.draw, self.draw, self.roll, self.cases, self.change, self.branch, self.each,
            self.take, self.take, self.offers, self.several, self.pile, self.show, self.scope,
            self.call, self.call, self.market, self.deeds, self.result, self.finish, self.walk,
            self.row, self.sail, self.sail,
        )  # fmt: skip

    def game(self) -> str:
        """The text of the game."""
        cards, rounds = self.random.randint(6, 16), self.random.randint(2, 5)
        heap = ", hidden" if self.face_down else ""
        parts = [HEAD, KIND.format(cards=cards), STATE.format(heap=heap), *self.board()]
        parts += ["\nrule play", *self.indented(self.setup()), f"  repeat while rounds < {rounds}"]
        parts += ["    round", "  end done"]
        each = self.random.choice(("verb0 for p, verb1 for p", "pull for p, verb0 for p"))
        peek = "reveal p.hand to next(players, p)" if self.reveals else "nothing"
        told = f"\n  rounds += 1\n  for p in players: {each}"
        parts.append(REST.format(rounds=told, peek=peek))
        for self.verb in range(VERBS):
            body = self.block("p", 0)
            parts += [f"rule verb{self.verb} for p: Player", *self.indented(body)]
        self.verb = VERBS
        for hook in self.random.sample(HOOKS, self.random.randint(0, 3)):
            parts.append(hook.format(n=self.random.randint(0, 9)))
        parts += ["", *(self.card(number) for number in range(1, cards + 1)), ""]
        return "\n".join(parts)

    def card(self, number: int) -> str:
        deeds = ", ".join(self.random.sample(DEEDS, self.random.randint(0, 3)))
        hue = self.random.choice(("red", "green", "blue"))
        head = f'card {number} "Card {number}" {hue}\n  worth: {self.random.randint(0, 9)}'
        return f"{head}\n  deeds: {deeds}" if deeds else head

    def board(self) -> list[str]:
        """Spots, edges between some of them, and ways over these."""
        steps = self.random.choice(("n", "1 to n", "2", "0 to 3"))
        lines = self.random.sample(ROUTES, self.random.randint(1, 4))
        names = [f"spot{number}" for number in range(1, self.random.randint(3, 7))]
        parts = [BOARD.format(steps=steps, lines="\n".join(f"  {line}" for line in lines))]
        for name in names:
            which = self.random.choice(("buoy", "buoy", "quay"))
            parts.append(f"{which} {name} depth {self.random.randint(0, 9)}")
        pairs = [(a, b) for a in names for b in names if a < b]
        lanes = self.random.sample(pairs, self.random.randint(1, len(pairs)))
        drifts = self.random.sample(pairs, self.random.randint(1, min(4, len(pairs))))
        parts.append(f"lanes: {', '.join(f'{a} - {b}' for a, b in lanes)}")
        parts.append(f"drifts: {', '.join(f'{b} > {a}' for a, b in drifts)}")
        return parts

    def setup(self) -> list[str]:
        lines = [f"for p in players: {', '.join(['pull for p'] * self.random.randint(2, 3))}"]
        if self.random.random() < 0.5:
            lines.append("draw from deck to right(lane) else return")
        if self.random.random() < 0.3:
            lines.append("draw from deck to tray else return")
        return lines

    # ------------------------------------------------------------ pieces

    def indented(self, lines: list[str]) -> list[str]:
        return [f"  {line}" for line in lines]

    def name(self) -> str:
        self.names += 1
        return f"x{self.names}"

    def block(self, p: str, depth: int) -> list[str]:
        lines = []
        for _ in range(self.random.randint(1 if depth else 3, 3 if depth else 6)):
            lines += self.random.choice(self.statements)(p, depth)
        return lines

    def below(self, p: str, depth: int) -> list[str]:
        """A block one level deeper, which is short at the deepest one."""
        return self.indented(self.block(p, depth + 1) if depth < DEEPEST else self.change(p, depth))

    def number(self, p: str, *, own: bool = False) -> str:
        """A number; ``own``: it may read what the player alone sees."""
        known = [
            str(self.random.randint(0, 5)), f"{p}.coins", f"size({p}.hand)", "size(deck)", "rounds",
            f"size(near({p}))", f"away({p}, next(players, {p}))",
            "size(pool)", f"sum(c in {p}.shown: c.worth)", "tally[red]", f"size({p}.late)",
        ]  # fmt: skip
        if own or not self.discreet:
            known += [f"{p}.secret", f"sum(c in {p}.hand: c.worth)"]
        return self.random.choice(known)

    def condition(self, p: str, *, own: bool = False) -> str:
        one, other = self.number(p, own=own), self.number(p, own=own)
        known = [
            f"{one} > {other}", f"{one} >= 2", "lane is not empty", f"rich({p})",
            f"{p}.hand is empty", "pace is quick", "tie is older", f"{one} > 1 and {other} < 4",
            "some(c in pool: c.hue is red)", "mode is alone", f"not {p}.shown is empty",
        ]  # fmt: skip
        return self.random.choice(known)

    def goal(self, p: str) -> str:
        """Where a card may be moved."""
        ends = ("left(lane)", "right(lane)", "top(heap)", "bottom(heap)", "heap", "deck", "tray")
        zones = (f"{p}.shown", "pool", f"{p}.late", f"{p}.hand", "top(deck)", "bottom(deck)")
        return self.random.choice(ends + zones)

    # ------------------------------------------------------------ statements

    def draw(self, p: str, depth: int) -> list[str]:
        goals = (f"{p}.hand", f"{p}.hand", f"{p}.shown", "pool", "right(lane)", "tray", "top(heap)")
        pile = self.random.choice(("deck", "deck", "deck", "heap", "tray"))
        goal = self.random.choice([goal for goal in goals if pile not in goal])
        otherwise = self.random.choice(("nothing", "nothing", "return"))
        return [f"draw from {pile} to {goal} else {otherwise}"]

    def roll(self, p: str, depth: int) -> list[str]:
        name = self.name()
        many = self.random.random() < 0.3
        use = f"sum(n in {name}: n)" if many else name
        times = f" times {self.random.randint(1, 3)}" if many else ""
        return [
            f"roll {name} from d6{times}",
            f"{p}.{self.random.choice(('coins', 'secret'))} = {use}",
        ]

    def cases(self, p: str, depth: int) -> list[str]:
        die, one, rest = self.random.choice((("d6", "1, 2", "3, 4, 5"), ("shade", "red", "blue")))
        lines = [f"roll {die}", f"  {one}", *self.indented(self.below(p, depth))]
        return [*lines, f"  {rest}: {self.change(p, depth)[0]}", "  else: nothing"]

    def change(self, p: str, depth: int) -> list[str]:
        known = [
            f"{p}.coins += {self.random.randint(1, 3)}", f"{p}.coins -= 1",
            f"{p}.secret = {self.number(p, own=True)}", f"{p}.coins = {self.number(p)}",
            f"tally[{self.random.choice(('red', 'green'))}] = {self.number(p)}",
        ]  # fmt: skip
        return [self.random.choice(known)]

    def branch(self, p: str, depth: int) -> list[str]:
        lines = [f"if {self.condition(p)}", *self.below(p, depth)]
        return [*lines, "else", *self.below(p, depth)] if self.random.random() < 0.5 else lines

    def each(self, p: str, depth: int) -> list[str]:
        q = self.name()
        seats = self.random.choice(("players", f"ring(players, {p})", "players where rich(q)"))
        once = self.random.choice(("", "", " at once"))
        head = f"for {q} in {seats.replace('rich(q)', f'rich({q})')}{once}"
        if once:
            return [head, *self.indented(self.sealed(q))]
        return [head, *self.below(q, depth + 1)]

    def sealed(self, q: str) -> list[str]:
        c = self.name()
        body = [f"{q}.secret = {c}.worth", f"{q}.late += [{c}]"]
        return [f'choose {c} from {q}.hand by {q} "Bid which?"', f"  {self.random.choice(body)}",
                "else: nothing"]  # fmt: skip

    def take(self, p: str, depth: int) -> list[str]:
        c = self.name()
        zones = (f"{p}.hand", f"{p}.hand", f"{p}.shown", "pool", "lane", "heap")
        source = self.random.choice(zones[:-1] if self.face_down else zones)
        open_zone = source not in (f"{p}.hand", "heap")
        where = self.random.choice(("", "", f" where {c}.worth > 2"))
        if self.discreet and not open_zone:
            where = ""
        may = self.random.choice(("", "may "))
        lines = [f'{may}choose {c} from {source}{where} by {p} "Which card?"']
        lines += [f"  move {c} to {self.goal(p)}"]
        if open_zone and self.random.random() < 0.5:
            lines.append(f"  {p}.coins += {c}.worth")
        if self.random.random() < 0.5:
            lines += self.below(p, depth)
        return [*lines, f"else: {self.change(p, depth)[0]}"]

    def offers(self, p: str, depth: int) -> list[str]:
        n = self.name()
        lines = [f'choose by {p} "What now?"', '  offer rest "Rest"',
                 *self.indented(self.below(p, depth))]  # fmt: skip
        lines += [f'  offer lend "Lend" for {n} in numbers(1, 3) where {p}.coins >= {n}',
                  f"    {p}.coins -= {n}"]  # fmt: skip
        if self.random.random() < 0.5:
            own = self.condition(p, own=True)
            lines.append(f'  offer hail "Hail" when {own}: {self.change(p, depth)[0]}')
        if self.random.random() < 0.5:
            c = self.name()
            lines += [f'  offer lay "Lay" for {c} in {p}.hand', f"    move {c} to {self.goal(p)}"]
        return lines

    def several(self, p: str, depth: int) -> list[str]:
        s = self.name()
        goal = self.random.choice((f"{p}.shown", "pool", "heap", "deck"))
        source = self.random.choice((f"{p}.hand", "pool"))
        return [f'choose {s} from subsets({source}, 0, 2) by {p} "Which ones?"',
                f"  move {s} to {goal}", "else: nothing"]  # fmt: skip

    def pile(self, p: str, depth: int) -> list[str]:
        known = (f"mix pool into {self.random.choice(('deck', 'heap'))}", "mix heap", "mix deck",
                 f"mix {p}.shown into deck", f"mix {p}.hand into deck")  # fmt: skip
        return [self.random.choice(known)]

    def show(self, p: str, depth: int) -> list[str]:
        seen = self.random.choice((f"{p}.hand", f"{p}.hand", f"{p}.late"))
        to = self.random.choice((f"next(players, {p})", "players", "first(players)"))
        if not self.reveals:
            return ["sort lane"]
        return [f"reveal {seen} to {to}"]

    def scope(self, p: str, depth: int) -> list[str]:
        lines = [f"scope trip({p})", *self.below(p, depth + 1), f"  if {self.condition(p)}"]
        return [*lines, f"    leave trip({p})", f"  {self.change(p, depth)[0]}"]

    def call(self, p: str, depth: int) -> list[str]:
        later = [f"verb{number} for {p}" for number in range(self.verb + 1, VERBS)]
        n = self.random.randint(1, 4)
        return [self.random.choice([*later, *later, f"earn {n} for {p}", f"lose for {p}",
                                    f"pull for {p}", f"peek for {p}"])]  # fmt: skip

    def market(self, p: str, depth: int) -> list[str]:
        return [f"open market for {p}"]

    def deeds(self, p: str, depth: int) -> list[str]:
        zone = self.random.choice((f"{p}.shown", "lane", "pool"))
        c, e = self.name(), self.name()
        return [f"for {c} in {zone}", f"  for {e} in {c}.deeds: do {e} for {p}"]

    def result(self, p: str, depth: int) -> list[str]:
        name = self.name()
        lines = [f"let {name} from judge {self.random.randint(0, 5)} for {p}", f"match {name}"]
        return [*lines, f"  good: {p}.coins += 1", "  bad", *self.indented(self.below(p, depth))]

    def finish(self, p: str, depth: int) -> list[str]:
        return [f"if {p}.coins > 17: end rich_enough for {p}"]

    def walk(self, p: str, depth: int) -> list[str]:
        zone = self.random.choice(("lane", "pool", f"{p}.shown"))
        goal = self.random.choice((f"{p}.hand", "heap", "deck", f"{p}.late"))
        first = "first" if zone == "lane" else self.random.choice(("first", "last"))
        return [f"repeat while {zone} is not empty", f"  move {first}({zone}) to {goal}"]

    def sail(self, p: str, depth: int) -> list[str]:
        x = self.name()
        n = self.random.choice((str(self.random.randint(0, 3)), f"min({self.number(p)}, 3)"))
        goals = self.random.choice(
            (f"ends_of(trips({p}, {n}))", f"ends_of(trips({p}, {n}))", f"near({p})", "Spot")
        )
        lines = [f'choose {x} from {goals} by {p} "Where to?" else return', f"{p}.berth = {x}"]
        if self.random.random() < 0.3:
            lines.append(f"if {x} is quay: {p}.berth = none")
        return lines

    def row(self, p: str, depth: int) -> list[str]:
        swap = ["if size(lane) >= 2", "  exchange first(lane) last(lane)"]
        return self.random.choice((["sort lane"], swap))


def written(seed: int, *, discreet: bool) -> str:
    """The text of the game of a seed."""
    return Writer(Random(seed), discreet=discreet).game()


def analysed(text: str) -> Analysis:
    """What the checker finds in a text."""
    return analyse_sources(Sources("toy", {"toy.rules": text}, {}))


def made(text: str) -> Game:
    """The game of a text, which must have no errors."""
    analysis = analysed(text)
    assert analysis.program is not None, "\n".join(map(str, analysis.errors)) + text
    return Game(analysis.program, analysis.sources.rules)


def programs(*, discreet: bool = False) -> st.SearchStrategy[Game]:
    """Games that are written at random."""
    return st.integers(0, 2**32).map(lambda seed: made(written(seed, discreet=discreet)))
