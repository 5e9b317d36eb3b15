"""Small games written at random that use nearly all that the language has.

They add to those of ``tests/properties/programs.py``: scopes left from rules below them, endings that
wait for a scope, nested loops and rounds with breaks, hooks of every sort, scripts and effects,
recursion, maps, texts and flags, moves from named places, and now and then a fault.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from rulelang.game import Game
from tests.engine.compiler.gatherers import Gatherer
from tests.engine.compiler.risks import Risky
from tests.properties.programs import made

MORE = """
names Road: high, low, ford
names Mood: glad, sad

ending dawn "The sun is up" completes night
ending fled "Somebody has fled" for p: Player completes trip
ending wrecked "Nobody has won"

state
  marks: map of Road to 0 to 9
  luck: map of Card to 0 to 3
  noted: list of number
  words: list of text
  odd: flag or 0 to 9 = yes
  clock: 0 to 6 = 2
  lamp: flag
  pick: Card or none = none
  rank: number or Hue = red
  road: Road = low
  who: Player
state per p: Player
  mood: Mood = sad
  deal: Card or none
  keen: flag
  word: text
  debt: -9 to 9, clamped
  score: map of Hue to 0 to 9
  bag: row of Card
  stash: pile of Card, hidden
  told: list of Card, seen by p
state per h: Hue
  share: 0 to 99
  owner: Player or none
state per c: Card
  uses: 0 to 9, clamped

kind Isle by number, for p: Player
  title: text
  visit: script
  missed: script

define with(h: Hue) for p: Player = p.coins > 2 or h is red
define keen for p: Player = p.keen
define heavy(c: Card) = c.worth >= 5
define value(c: Card) for p: Player gives 0 to 99
  when heavy(c) and p.keen: c.worth + 3
  when some(d in p.shown: d is c): 2 * c.worth
  else: size(c.deeds)
define richest = best(q in players by most q.coins, least size(q.hand))
define kindred(c: Card) = list(d in Card where d.hue is c.hue and d is not c)
define noisy(c: Card) = some(e in c.deeds: e is earn or e is lose)
define told_of(h: Hue) = count(c in lane where c.hue is h) + size(join(c in lane: c.deeds))
define chain(n: 0 to 99) = if n > 3 then size(pool) + n else n * 2
define links(c: Card) = sum(d in kindred(c) where heavy(d): d.worth) + chain(c.worth)

rule pay(n: 0 to 9) for p: Player gives 0 to 9
  let left = n
  repeat while left > 0
    if p.coins == 0: break
    p.coins -= 1
    left -= 1
    if left == 3 and p.keen: return left
  return left
rule steer(r: Road) for p: Player gives Result
  marks[r] = min(marks[r] + 1, 9)
  roll n from d6
  if n == 1: return bad
  if n < 4 and r is high
    draw from deck to p.hand else nothing
    return bad
  return good
rule hire(h: Hue) for p: Player
  if h.owner is none: h.owner = p
  else: h.owner = none
  h.share = min(h.share + size(p.hand) + told_of(h), 99)
rule bail for p: Player
  if p.coins > 3 and lamp: leave trip(p)
  p.coins += 1
rule bail_out for p: Player
  bail for p
  if p.keen: leave rest
rule look_over(q: Player) for p: Player
  if p.keen or lamp: reveal q.hand to p
  choose c from q.hand where c.worth > 3 by p "Take which?" else return
  move c to p.shown
rule fade for h: Hue
  h.share = max(0, h.share - 1)
  if h.owner is not none
    choose by h.owner "Keep it?"
      offer keep "Keep": nothing
      offer let_go "Let it go" when h.share < 5: h.owner = none
rule wear(n: 0 to 4) for c: Card gives flag
  c.uses += n
  if c.uses > 6: return no
  return c.uses > 2
rule idle(n: number) for p: Player: nothing
rule at_times(n: 0 to 3) for p: Player
  if lamp: return
  noted = [n]
define ignoring(n: number) = size(lane)
define perhaps(n: number) = if lamp then n else 0
define twice(n: number) = if lamp then n + n else 1
rule shelter for p: Player
  scope camp(odd): mark_out odd
  scope night
    scope rest
      scope trip(p): bail_out for p
      p.debt += 1
    hire green for p
rule mark(x: flag or 0 to 9) for p: Player
  if x is odd: p.debt += 1
  odd = x
rule mark_out(x: flag or 0 to 9)
  leave camp(x)
  odd = 3
rule swap(a: Card or none, b: flag) for p: Player
  if a is not none and b: p.deal = a
  else: p.deal = none
"""
ISLE = 'isle {number} "Isle {number}"'
BEGUN = """
rule begin
  for c in Card where c.number > 2: luck[c] = c.worth / 4
  who = last(players)
"""
SCORES = "  scores for p: Player = p.coins + size(p.shown)\n"
WORTH = "  evaluate for p: Player = 2 * p.coins + size(p.hand) - size(p.late) / 2\n"
MORE_HOOKS = (
    "before verb1 for p as zeal when p.coins > 2: p.keen = yes\n"
    "before verb1 for p as haste before zeal\n  p.keen = not p.keen\n  noted += [size(noted)]",
    "after pay(n) for p gives left when left > 2\n  left -= 1\n  p.debt += 1",
    "instead of pay(n) for p as thrift when p.keen\n  let x from proceed (min(n, 4))\n  return x\n"
    "instead of pay(n) for p as spree before thrift when lamp\n  if p.coins > 8: return 0\n"
    "  let y from proceed\n  return y",
    "instead of steer(r) for p when r is ford\n  choose by p \"Turn?\"\n    offer back \"Turn\"\n"
    "      let z from proceed high\n      return z\n    offer stay \"Stay\": return bad",
    "after steer(r) for p gives w when w is bad\n  may choose c from p.hand by p \"Throw?\"\n"
    "    move c to pool\n    w = good\n  else: p.debt -= 1",
    "before bail for p when p.mood is sad\n  may choose c from p.shown by p \"Give?\"\n"
    "    move c to pool\n    if heavy(c): leave trip(p)\n  else: p.mood = glad",
    "instead of bail_out for p when p.mood is glad and size(pool) > 2: nothing",
    "after round when rounds > 3: end dawn",
    "after hire(h) for p\n  if h is red: p.mood = sad",
)  # fmt: skip


class Wilder(Gatherer, Risky):
    """Writes one game with more of the language."""

    def __init__(self, random: Random) -> None:
        super().__init__(random, discreet=False)
        more = (
            self.loop, self.loop, self.inner_loop, self.tally_up, self.flags, self.texts, self.odd,
            self.pay, self.steer, self.visit, self.deep, self.night, self.camp, self.camp,
            self.sealed_round, self.sealed_round, self.moves, self.moves, self.matched,
            self.matched, self.effects, self.local, self.local, self.asked, self.asked,
            self.pick_one, self.hired, self.hired, self.dice, self.shares, self.leaving, self.over_board,
            self.stashed, self.queries, self.queries, self.risky, self.risky,
            self.gathered, self.gathered, self.of_few,
        )  # fmt: skip
        self.statements = (*self.statements, *more)
        self.inside: list[str] = []
        """What is around: loop, round."""

    def game(self) -> str:
        text = super().game()
        text = text.replace("rule play\n", "rule play\n  begin\n", 1)
        parts = [text.replace(SCORES, f"{SCORES}{WORTH}", 1), BEGUN, MORE]
        self.verb = 4
        for number in range(self.random.randint(2, 4)):
            parts += self.isle(number + 1)
        for hook in self.random.sample(MORE_HOOKS, self.random.randint(1, 5)):
            parts.append(hook)
        parts += [*self.digging(), *self.pacing()]
        return "\n".join([*parts, ""])

    # ------------------------------------------------------------ what is called

    def digging(self) -> list[str]:
        """A rule that calls itself, and one that it calls in turn."""
        body = self.block("p", 2)
        inner = self.random.choice(("dig (far - 1) for p", "delve (far - 1) for p"))
        twice = self.random.random() < 0.3
        return [
            "rule dig(far: 0 to 9) for p: Player",
            *self.indented(body),
            f"  if far > 0: {inner}",
            *(
                ["  if far > 1: dig (far - 2) for p", f"  {self.change('p', 0)[0]}"]
                if twice
                else []
            ),
            "rule delve(far: 0 to 9) for p: Player",
            "  if far == 0: return",
            "  dig (far - 1) for p",
            *self.indented(self.block("p", 2)),
        ]

    def pacing(self) -> list[str]:
        """A rule that gives a number from inside of loops, scopes and rounds."""
        lines = ["rule pace(k: Card) for p: Player gives 0 to 99", "  let n = 0"]
        lines += ["  scope trip(p)", "    for d in kindred(k)"]
        lines += ["      if d.worth == n: continue", "      n = min(n + d.worth, 90)"]
        lines += [f"      if n > {self.random.randint(5, 40)}: return n"]
        lines += ["      if p.keen and lamp: leave trip(p)"]
        lines += self.indented(self.indented(self.indented(self.change("p", 2))))
        if self.random.random() < 0.5:
            lines += ["  for q in players at once", "    q.debt += 1"]
            lines += [f"    if q.coins > {self.random.randint(0, 9)}: return n"]
            lines += ["    if q.debt > 3: break"]
        return [*lines, "  return n"]

    def isle(self, number: int) -> list[str]:
        lines = [ISLE.format(number=number), *self.indented(self.script(0))]
        if self.random.random() < 0.6:
            lines += ["  missed", *self.indented(self.indented(self.script(1)))]
        else:
            lines.append("  missed: nothing")
        return lines

    def script(self, depth: int) -> list[str]:
        """Lines of the authoring book."""
        lines = []
        for _ in range(self.random.randint(1, 2)):
            lines += self.random.choice(
                (self.plain_script, self.if_script, self.choose_script, self.roll_script,
                 self.with_script, self.steer_script) if depth < 3 else (self.plain_script,)
            )(depth)  # fmt: skip
        return lines

    def instruction(self) -> str:
        return self.random.choice(
            ("earn 1", "earn 3", "lose", "pull", "peek", "hire red", "hire blue", "bail", "lose, pull",
             "bail out", "swap none yes", "mark yes", "mark 1", "shelter", "swap card 1 yes", "swap card 2 no")
        )  # fmt: skip

    def plain_script(self, depth: int) -> list[str]:
        return [self.instruction()]

    def if_script(self, depth: int) -> list[str]:
        what = self.random.choice(("rich", "keen"))
        lines = [f"if {what}", *self.indented(self.script(depth + 1))]
        return [*lines, f"else: {self.instruction()}"] if self.random.random() < 0.7 else lines

    def with_script(self, depth: int) -> list[str]:
        hue = self.random.choice(("red", "blue", "green"))
        return [
            f"with {hue}: {self.instruction()}",
            "without",
            *self.indented(self.script(depth + 1)),
        ]

    def choose_script(self, depth: int) -> list[str]:
        return ["choose", '  "Go on"', *self.indented(self.indented(self.script(depth + 1))),
                f'  "Stay": {self.instruction()}']  # fmt: skip

    def roll_script(self, depth: int) -> list[str]:
        return ["roll d6", "  1 to 2", *self.indented(self.indented(self.script(depth + 1))),
                f"  3, 5: {self.instruction()}", "  else: nothing"]  # fmt: skip

    def steer_script(self, depth: int) -> list[str]:
        road = self.random.choice(("high", "low", "ford"))
        return [f"steer {road}", f"  good: {self.instruction()}", "  bad",
                *self.indented(self.indented(self.script(depth + 1)))]  # fmt: skip

    # ------------------------------------------------------------ loops

    def turns(self, p: str) -> tuple[str, str]:
        """The head of a loop, and the name that it binds, if it does."""
        x = self.name()
        return self.random.choice(
            (
                (f"for {x} in Card where {x}.worth > {self.random.randint(2, 7)}", x),
                (f"for {x} in {p}.hand", x),
                (f"for {x} in lane where heavy({x})", x),
                (f"for {x} in take({self.random.randint(0, 3)}, sorted(pool))", x),
                ("repeat", ""),
                ("repeat while clock > 0", ""),
            )
        )

    def loop(self, p: str, depth: int) -> list[str]:
        """A loop with breaks and continues inside of choices and branches."""
        head, x = self.turns(p)
        first = ["  clock = max(clock - 1, 0)", "  if clock == 0: break"] if not x else []
        exits = ("break", "continue", "return") if depth else ("break", "continue")
        way = self.random.choice(exits)
        inner = self.random.choice(
            (
                [f"  if {self.condition(p)}: {way}"],
                [f'  choose by {p} "Go on?"', '    offer on "On": nothing',
                 f'    offer off "Off" when {self.condition(p, own=True)}: {way}'],
                [f'  may choose {self.name()} from {p}.shown by {p} "Which?"', f"    {way}",
                 f"  else: {self.change(p, depth)[0]}"],
                ["  roll d6", f"    1, 2: {way}", "    else: nothing"],
            )
        )  # fmt: skip
        again = ["clock = min(clock + 2, 6)"] if not x else []
        more = [f"  marks[road] = min({x}.worth, marks[road] + 1)"] if x else []
        body = self.below(p, depth + 1) if depth < 2 else []
        return [*again, head, *first, *inner, *more, *body]

    def inner_loop(self, p: str, depth: int) -> list[str]:
        x, y = self.name(), self.name()
        end = self.random.choice(("break", "continue"))
        return [
            f"for {x} in numbers(1, {self.random.randint(1, 3)})",
            f"  for {y} in {self.random.choice((f'{p}.hand', 'pool', 'lane'))}",
            f"    if {y}.worth == {x}: {end}",
            f"    noted += [{x} + {y}.worth]",
            f"    if size(noted) > {self.random.randint(3, 20)}",
            f"      noted = {self.random.choice(('[]', 'drop(2, noted)', 'reversed(noted)'))}",
            "      break",
            *self.indented(self.below(p, depth + 2) if depth < 1 else self.change(p, depth)),
        ]

    # ------------------------------------------------------------ scopes and endings

    def camp(self, p: str, depth: int) -> list[str]:
        """Scopes inside each other, left from here and from rules that are called."""
        leave = self.random.choice((f"leave trip({p})", "leave rest", "leave trip", f"bail for {p}",
                                    f"bail_out for {p}", f"end fled for {p}"))  # fmt: skip
        inner = ["  scope rest", *self.indented(self.below(p, depth + 1))]
        inner += [f"    if {self.condition(p)}: {leave}", *self.indented(self.below(p, depth + 2))]
        lines = [f"scope trip({p})", *inner, f"  {self.change(p, depth)[0]}"]
        if self.random.random() < 0.4:
            x = self.name()
            loop = [f"for {x} in {p}.shown", f"  if {x}.worth > 4: continue"]
            return [*loop, *self.indented(lines)]
        return lines

    def night(self, p: str, depth: int) -> list[str]:
        """A scope that an ending waits for."""
        if "night" in self.inside:
            return [f"if {self.condition(p)} and rounds > 1: end dawn"]
        self.inside.append("night")
        lines = ["scope night", *self.below(p, depth + 1)]
        lines += [f"  if {p}.coins > {self.random.randint(3, 12)} and rounds > 1: end dawn"]
        out = self.random.choice(("leave night", "nothing", f"bail for {p}"))
        lines += [f"  if {self.condition(p)}: {out}", *self.below(p, depth + 2)]
        self.inside.pop()
        return lines

    def leaving(self, p: str, depth: int) -> list[str]:
        return [
            f"if {self.condition(p)}: {self.random.choice((f'leave trip({p})', 'leave night'))}"
        ]

    # ------------------------------------------------------------ rounds

    def sealed_round(self, p: str, depth: int) -> list[str]:
        """What is written waits until all have answered, or the round is left."""
        q, c = self.name(), self.name()
        head = f"for {q} in {self.random.choice(('players', f'ring(players, {p})'))} at once"
        write = (f"{q}.told += [{c}]", f"{q}.deal = {c}", f"marks[road] = {c}.worth",
                 f"{q}.score[{c}.hue] = min({c}.worth, 9)", f"tally[{c}.hue] += 1", f"who = {q}",
                 f"{q}.debt -= {c}.worth", f"luck[{c}] = min(3, {c}.worth)", "noted += [clock]",
                 f"{c}.uses += 1")  # fmt: skip
        lines = [head, f'  choose {c} from {q}.hand by {q} "Bid?"',
                 *(f"    {self.random.choice(write)}" for _ in range(self.random.randint(1, 3)))]  # fmt: skip
        lines.append(f"  else: {q}.keen = yes")
        lines.append(f"  {q}.secret = min({q}.coins, 9)")
        if self.random.random() < 0.5:
            ways = ("break", "continue", f"leave trip({p})", f"bail for {q}", "end dawn")
            way = self.random.choice(ways)
            lines.append(f"  if {q}.coins > {self.random.randint(1, 12)}: {way}")
        if self.random.random() < 0.3:
            r = self.name()
            lines += [f"  for {r} in players at once", f"    {r}.debt += 1"]
            lines += [f"    if {r}.debt > {self.random.randint(0, 4)}: break"]
        return lines

    # ------------------------------------------------------------ cards

    def moves(self, p: str, depth: int) -> list[str]:
        """Cards that are moved from where they lie or are said to lie, alone and several."""
        n = self.random.randint(1, 3)
        x = self.name()
        hue = self.random.choice(("red", "green", "blue"))
        known = (
            [
                f"move take({n}, lane) to {self.random.choice(('left(lane)', 'right(lane)', 'pool'))}"
            ],
            [
                f"move take({n}, lane) to {self.random.choice(('top(deck)', 'bottom(heap)', 'heap'))}"
            ],
            [f"move sorted({p}.hand) to right({p}.bag)", f"sort {p}.bag"],
            [f"move {p}.bag to {self.random.choice((f'{p}.hand', 'top(tray)', 'deck'))}"],
            [f"for {x} in Card where {x}.worth == {n} and {x}.hue is {hue}: move {x} to {p}.shown"],
            [f"for {x} in {p}.shown where heavy({x}): move {x} from {p}.shown to pool"],
            [f"if pool is not empty: move last(pool) to left({p}.bag)"],
            [f"if size({p}.bag) > 1: exchange first({p}.bag) {p}.bag[2]"],
            [f"if lane is not empty: move first(lane) to {self.goal(p)}"],
            [f"mix {p}.bag into {self.random.choice(('deck', f'{p}.stash'))}"],
            [
                f"move list({x} in {p}.hand where {x}.worth > {n}) to {self.random.choice(('pool', 'heap'))}"
            ],
            [f"if {p}.shown is not empty", f"  move first({p}.shown) to {p}.stash"],
        )
        return self.random.choice(known)

    def stashed(self, p: str, depth: int) -> list[str]:
        goal = self.random.choice(
            (f"{p}.hand", f"right({p}.bag)", "pool", "lane".join(("left(", ")")))
        )
        c = self.name()
        lines = [
            f"draw {c} from {p}.stash to {goal} else {self.random.choice(('nothing', 'return'))}"
        ]
        if lines[0].endswith("nothing"):
            return [f"draw from {p}.stash to {goal} else nothing"]
        return [*lines, f"{p}.coins += {c}.worth", f"luck[{c}] = 1"]

    def pick_one(self, p: str, depth: int) -> list[str]:
        """A choice without a block, or of values that are no cards."""
        x = self.name()
        known = (
            [f'choose {x} from {p}.shown by {p} "Keep?" else return', f"pick = {x}",
             f"{p}.deal = {x}"],
            [f'choose {x} from Road by {p} "Which road?"', f"  road = {x}",
             f"  marks[{x}] = min(9, marks[{x}] + 1)"],
            [f'may choose {x} from players where {x} is not {p} by {p} "Whom?"',
             f"  {x}.coins += 1", f"  who = {x}", f"else: who = {p}"],
            [f'choose {x} from numbers(0, size({p}.shown)) by {p} "How many?"', f"  {p}.debt = {x}"],
            [f'choose {x} from [yes, no] by {p} "Keen?"', f"  {p}.keen = {x}", f"  odd = {x}"],
            [f'choose {x} from Hue where {x}.owner is none or {x}.share > 3 by {p} "Hue?"',
             f"  hire {x} for {p}", "else: nothing"],
            [f'choose {x} from list(c in lane where heavy(c): c.hue) by {p} "Hue?"',
             f"  rank = {x}", f"else: rank = size({p}.shown)"],
        )  # fmt: skip
        return self.random.choice(known)

    # ------------------------------------------------------------ values

    def tally_up(self, p: str, depth: int) -> list[str]:
        c = self.name()
        known = (
            [f"for {c} in {p}.shown: tally[{c}.hue] += 1"],
            [f"for {c} in {p}.shown: {p}.score[{c}.hue] = min({p}.score[{c}.hue] + 1, 9)"],
            [f"marks[road] = {self.random.randint(0, 9)}", f"{p}.score[red] = marks[high]"],
            [f"if pick is not none: luck[pick] = {self.random.randint(0, 3)}"],
            [f"for {c} in lane where luck[{c}] > 0: luck[{c}] -= 1"],
        )
        return self.random.choice(known)

    def flags(self, p: str, depth: int) -> list[str]:
        return [self.random.choice((f"{p}.keen = {self.condition(p)}", f"lamp = not {p}.keen",
                                    f"{p}.mood = if lamp then glad else sad", "lamp = yes",
                                    f"{p}.debt -= {self.random.randint(1, 5)}",
                                    f"{p}.mood = sad"))]  # fmt: skip

    def texts(self, p: str, depth: int) -> list[str]:
        known = (f'{p}.word = "red"', f"words += [{p}.word]", 'words -= [""]', 'words -= ["red"]',
                 f'if contains({p}.word, "e"): {p}.coins += 1', "words = distinct(words)",
                 f'if {p}.word == "red": words = []')  # fmt: skip
        return [self.random.choice(known)]

    def odd(self, p: str, depth: int) -> list[str]:
        """Flags and numbers in one list, which Python takes for equal."""
        many = self.random.choice(("[yes, 1, 0, no]", "[no, 1, 1]", f"[{p}.keen, size(lane)]"))
        x = self.name()
        known = (
            [f"roll {x} from {many}", f"odd = {x}"],
            [f'choose {x} from {many} + [odd] by {p} "Which?"', f"  odd = {x}"],
            [f"if {many} has odd: {p}.coins += 1"],
            [f"noted = [size(distinct({many} + [odd]))]"],
            [f"if sorted({many}) == [0, no, 1, yes]: {p}.keen = not {p}.keen"],
            [f"noted = [size({many} - [odd])]"],
            [f"mark {self.random.choice(('yes', '1', 'odd'))} for {p}"],
            [f"for {x} in {many} where {x} is odd: mark {x} for {p}"],
            ["match odd", "  1: lamp = yes", "  yes: lamp = no", "  else: nothing"],
            [f"scope camp(odd): mark_out {self.random.choice(('1', 'yes'))}", "odd = no"],
        )
        return self.random.choice(known)

    def local(self, p: str, depth: int) -> list[str]:
        """Names for values that change."""
        x, y = self.name(), self.name()
        known = (
            [f"let {x} = {self.number(p)}", f"if {self.condition(p)}: {x} += 2", f"{x} -= 1",
             *self.change(p, depth), f"{p}.coins = max(0, {x})"],
            [f"let {x} = {p}.shown", *self.below_flat(p, depth), f"{p}.coins += size({x})"],
            [f"let {x} = pick", f"if {p}.shown is not empty: {x} = first({p}.shown)",
             *self.below_flat(p, depth), f"if {x} is not none: {p}.coins += {x}.worth"],
            [f"let {x} = {p}", f"if {self.condition(p)}: {x} = next(players, {p})",
             *self.below_flat(p, depth), f"{x}.coins += 1"],
            [f"let {x} = 0", f"for {y} in {p}.hand", f"  {x} += {y}.worth",
             f"  if {x} > {self.random.randint(3, 20)}: break", f"{p}.secret = min({x}, 99)"],
            [f"let {x} = lane", "mix lane into deck", f"noted = [size({x})]"],
        )  # fmt: skip
        lines = self.random.choice(known)
        return [f"let {x} = first(lane)" if False else line for line in lines]

    def below_flat(self, p: str, depth: int) -> list[str]:
        return self.block(p, depth + 2) if depth < 2 else self.change(p, depth)

    def asked(self, p: str, depth: int) -> list[str]:
        """Questions of the game."""
        c = self.name()
        known = (
            [f"for {c} in {p}.shown: {p}.coins += value({c}, {p}) / 3"],
            ["if size(richest) == 1: who = first(richest)"],
            [f"for {c} in take(2, list(x in Card where noisy(x))): noted += [links({c})]"],
            [f"{p}.secret = min(99, chain(size(lane)) + chain({p}.coins))"],
            [f"if some(q in richest: q is {p}): {p}.coins -= 1"],
            [f"if rank is Hue: {p}.coins += 1", "else: rank = blue"],
            [f"if every(c in {p}.shown where c.worth > 1: noisy(c)): {p}.keen = not {p}.keen"],
            [f"if ended(dawn) or ended(fled): {p}.coins += 2"],
            [f"if forward({p}, 1, ring(players, first(players))) is none: lamp = not lamp"],
            ["if pick is not none and kindred(pick) has first(Card): pick = none"],
        )
        return self.random.choice(known)

    def queries(self, p: str, depth: int) -> list[str]:
        """Built-in questions."""
        x = self.name()
        number = self.random.choice(
            (
                "size(join(c in lane: kindred(c)))", "count(c in Card where luck[c] > 1)",
                f"sum(q in players where q is not {p}: q.coins)", "size(distinct(noted))",
                f"size(earlier({p}, players))", "size(subsets(take(4, sorted(pool)), 1, 2))",
                f"size(list(q in ring(players, {p}) where rich(q)))", "max(0, 3 - size(lane))",
                f"size({p}.shown + lane)", f"size({p}.shown - lane)", f"size(reversed({p}.bag))",
                f"sum(h in Hue: h.share) - {p}.debt + 9", "size(lane) * 3 / 2", "size(best(c in pool by most c.worth, least c.number))",
                "size(best(h in Hue where h.owner is not none by most h.share))",
                f"if forward({p}, 1, players) is none then 3 else 1",
                f"if every(c in {p}.shown: heavy(c)) then 2 else size(kindred(first(Card)))",
                "sum(n in numbers(1, 4) where n is not 2: n * n)",
                "if ended(dawn) then 5 else 2", f"-(0 - size({p}.hand))",
                "size(list(c in Card where in_base(c) and heavy(c)))",
                "size(effects(Isle[1].visit))", "size(list(c in Card where mentions(Isle[1].visit, c)))",
            )
        )  # fmt: skip
        return [f"let {x} = {number}", f"{p}.secret = max(0, min({x}, 99))"]

    def over_board(self, p: str, depth: int) -> list[str]:
        known = (
            f"if {p}.berth is not none: noted = [size(reach({p}.berth, 2))]",
            f"{p}.berth = if size(Spot) > 2 then spot2 else none",
            f"{p}.secret = size(ends_of(trips({p}, 2)))",
            f"if size(trips({p}, 3)) > 2: {p}.keen = yes",
        )
        return [self.random.choice(known)]

    # ------------------------------------------------------------ branches and calls

    def matched(self, p: str, depth: int) -> list[str]:
        below = self.indented(self.below(p, depth))
        change = self.change(p, depth)[0]
        known = (
            ["match road", "  high, low", *below, f"  ford: {change}"],
            [f"match {p}.coins", "  0: nothing", "  1, 2, 3", *below, f"  else: {change}"],
            [f"match {p}.mood", "  glad", *below, "  else: nothing"],
            ["match pick", "  none", *below, f"  else: {change}"],
            ["match lamp", "  yes", *below, f"  no: {change}"],
            ["match rank", "  red", *below, "  blue: nothing", f"  else: {change}"],
        )
        return self.random.choice(known)

    def effects(self, p: str, depth: int) -> list[str]:
        c, e = self.name(), self.name()
        zone = self.random.choice((f"{p}.shown", "lane", "pool"))
        test = self.random.choice((f"{e} is earn(3)", f"{e} is earn", f"{e} is lose",
                                   f"{e} is not earn(1)", f"{e} is earn(any)"))  # fmt: skip
        other = self.random.choice(("nothing", "break", "continue", f"{p}.debt += 1"))
        return [f"for {c} in {zone}", f"  for {e} in {c}.deeds", f"    if {test}: do {e} for {p}",
                f"    else: {other}"]  # fmt: skip

    def visit(self, p: str, depth: int) -> list[str]:
        i = self.name()
        field = self.random.choice(("visit", "visit", "missed"))
        known = (
            [
                f"for {i} in Isle where {i}.number <= {self.random.randint(1, 3)}: do {i}.{field} for {p}"
            ],
            [f"do Isle[{self.random.randint(1, 2)}].{field} for {p}"],
            [f'choose {i} from Isle by {p} "Which isle?"', f"  do {i}.{field} for {p}"],
        )
        return self.random.choice(known)

    def pay(self, p: str, depth: int) -> list[str]:
        x = self.name()
        return [f"let {x} from pay {self.random.randint(0, 9)} for {p}", f"{p}.debt -= {x}",
                f"if {x} > 2: {self.change(p, depth)[0]}"]  # fmt: skip

    def steer(self, p: str, depth: int) -> list[str]:
        x = self.name()
        road = self.random.choice(("high", "low", "ford", "road"))
        lines = [f"let {x} from steer {road} for {p}"]
        return [*lines, f"match {x}", f"  good: {self.change(p, depth)[0]}", "  bad",
                *self.indented(self.below(p, depth))]  # fmt: skip

    def deep(self, p: str, depth: int) -> list[str]:
        if self.verb >= 4:
            return [f"hire {self.random.choice(('red', 'green'))} for {p}"]
        c = self.name()
        known = (
            [f"dig {self.random.randint(0, 3)} for {p}"],
            [f"delve {self.random.randint(0, 3)} for {p}"],
            [f"for {c} in take(2, {p}.bag)", f"  let n{c} from pace {c} for {p}",
             f"  {p}.secret = min(99, n{c} + {p}.secret)"],
        )  # fmt: skip
        return self.random.choice(known)

    def hired(self, p: str, depth: int) -> list[str]:
        c = self.name()
        hue = self.random.choice(("red", "blue"))
        known = (
            [f"hire {hue} for {p}"],
            [f"for {c} in {p}.shown: hire {c}.hue for {p}"],
            [f"swap pick {p}.keen for {p}"],
            [f"bail_out for {p}", f"swap none yes for {p}"],
            [f"look_over next(players, {p}) for {p}"],
            [f"for {c} in Hue where {c}.owner is {p}: fade for {c}"],
            [f"fade for {hue}"],
            [f"for {c} in {p}.shown", f"  let is{c} from wear 2 for {c}", f"  if is{c}: break"],
        )
        return self.random.choice(known)

    def dice(self, p: str, depth: int) -> list[str]:
        x, y = self.name(), self.name()
        known = (
            [f"roll {x} from d6, {y} from shade", f"tally[{y}] = {x}"],
            ["roll clock from d6", f"{p}.coins += clock"],
            [f"roll {x} from shade times 2", f"if {x} has red: {p}.keen = yes"],
            ["roll who from players", "who.coins += 1"],
            [f"roll {x} from lane + [first(Card)]", f"pick = {x}"],
            [f"roll {x} from [1, 2, 2, 5]", f"noted = [{x}]"],
        )
        return self.random.choice(known)

    def shares(self, p: str, depth: int) -> list[str]:
        h = self.name()
        known = (
            [f"for {h} in Hue where {h}.owner is {p}: {p}.coins += {h}.share / 4"],
            [f"for {h} in Hue: {h}.share = size(list(c in lane where c.hue is {h}))"],
            [f"for {h} in {p}.shown where {h}.uses > 0: {h}.uses -= 1"],
        )
        return self.random.choice(known)


def wild(seed: int) -> str:
    """The text of the game of a seed."""
    return Wilder(Random(seed)).game()


def wild_programs() -> st.SearchStrategy[Game]:
    """Games that are written at random."""
    return st.integers(0, 2**32).map(lambda seed: made(wild(seed)))
