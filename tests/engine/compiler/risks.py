"""Statements of small games written at random that now and then are a fault."""

from __future__ import annotations

from tests.properties.programs import Writer


class Risky(Writer):
    """Writes what at times cannot be worked out."""

    def odd_number(self, p: str) -> str:
        """A number that at times cannot be worked out."""
        return self.random.choice(
            (f"6 / {p}.coins", f"[0, 1, 9][{p}.coins]", f"size(take(4 - {p}.coins, [1, 2]))",
             f"next([0, 1, 2, 9], {p}.coins)", f"size(earlier({p}.coins, [0, 1, 2, 3]))",
             f"size(numbers(1, 9000 * {p}.coins))", "6 / size(lane)", f"6 / {p}.secret")
        )  # fmt: skip

    def risky(self, p: str, depth: int) -> list[str]:
        """What now and then is a fault: wherever it stands, and if nobody needs to know."""
        x, y, n = self.name(), self.odd_number(p), self.random.randint(0, 3)
        known = (
            [f"{p}.secret = {p}.secret + 40"], [f"noted = [{y}]"], [f"{p}.secret = {p}.coins - 2"],
            ["marks[high] += 3"], [f"if size(lane) > 1: move first(lane) from {p}.bag to pool"],
            [f"if size({p}.shown) > 2: move last({p}.shown) from pool to heap"],
            [f"noted = numbers({p}.coins, 3 - {p}.debt)"], [f"earn ({p}.coins + 1) for {p}"],
            [f"let {x} = {y}"], [f"let {x} = {y}", f"if lamp: noted = [{x}]"],
            [f"idle ({y}) for {p}"], [f"at_times ({y}) for {p}"],
            [f"let {x} = {p}.coins + {n}", f"at_times {x} for {p}"],
            [f"noted = [ignoring({y})]"], [f"noted = [perhaps({y})]"], [f"noted = [twice({y})]"],
            [f"if lamp and {y} > 1: {p}.debt += 1"], [f"if {y} > 1 or lamp: {p}.debt += 1"],
            [f"if {y} > 1: nothing"], [f"match {y}", f"  {n}: lamp = yes", "  else: nothing"],
            [f"roll {x} from [{y}, 2]", f"noted = [{x}]"], [f"marks[if {y} > 1 then high else low] = 1"],
            [f"for {x} in numbers(1, min(3, {y})): break"], [f"for {x} in lane where {y} > 1: nothing"],
            [f"repeat while {y} > 3", f"  if {p}.coins > 0: {p}.coins -= 1", "  else: break"],
            [f"scope camp(if {y} > 1 then yes else no): mark_out {n}"], [f"odd = 0 * min(1, max(0, {y}))"],
            [f"let {x} from pay (min(9, max(0, {y}))) for {p}", f"if lamp: noted = [{x}]"],
            [f'choose by {p} "Dare?"', f'  offer dare "Dare" when {y} > {n}: {p}.debt += 1',
             '  offer flee "Flee": nothing'],
            [f'may choose {x} from numbers(0, min(3, {y})) by {p} "How many?"', f"  {p}.debt = {x}"],
            [f"end fled for (if {y} > 1 and rounds > 3 then {p} else next(players, {p}))"] if n > 2 else
            [f"noted = [size(list(c in list(d in lane where {y} > 1) where c.worth > {n}))]"],
            *self.risky_lists(p, n),
        )  # fmt: skip
        return self.random.choice(known)

    def risky_lists(self, p: str, n: int) -> list[list[str]]:
        """Questions over many, of whose items one cannot be asked about."""
        worth = self.random.choice(("6 / luck[{}]", "6 / {}.uses", "[5, 2, 0][{}.worth + 1]"))
        inner, outer = worth.format("d"), worth.format("c")
        where = f"list(d in Card where {inner} > 1)"
        asked = self.random.choice(
            (f"some(c in {where}: c.worth > {n})", f"every(c in {where}: c.worth < {n + 4})",
             f"{where} is empty", f"size({where}) > {n}", f"first({where}) is first(Card)",
             f"count(c in {where} where c.worth == {n}) > 1", f"{where} has first(Card)",
             f"some(c in Card: c.worth > {n} and {outer} > 1)",
             f"some(c in Card where {outer} > 1: c.hue is red)",
             "some(h in Hue where 6 / h.share > 1: h is red)",
             "every(h in Hue where h.share > 3: 6 / h.share > 1)",
             f"size(best(c in {p}.shown by most {outer})) > {n}",
             f"sum(c in {p}.shown: {outer}) > {n}", f"take({n}, {where}) is empty",
             f"size(join(c in {where}: c.deeds)) > {n}", f"distinct({where}) is empty")
        )  # fmt: skip
        return [[f"if {asked}: {p}.debt += 1"]] * 6
