"""Statements of small games written at random that gather items into lists, and ask for a few."""

from __future__ import annotations

from tests.properties.programs import Writer


class Gatherer(Writer):
    """Writes loops that add to a list, and choices among those few of whom something holds."""

    def gathered(self, p: str, depth: int) -> list[str]:
        """A loop that nothing but adds to a list, or nearly so: in no other loop, whose turns would
        then be taken for so heavy that many without a decision are in doubt."""
        if depth:
            return self.of_few(p, depth)
        xs, x, n = f"all{self.name()}", self.name(), self.random.randint(0, 4)
        begun = self.random.choice(("[0]", f"[{n}]", f"[{p}.coins]", "[clock, 1]", "noted"))
        source = self.random.choice(
            ("Card", "Card", f"take({n}, Card)", "reversed(Card)", f"{p}.shown", "lane", "sorted(pool)",
             f"list(c in Card where c.worth > {n})", "list(c in Card where heavy(c))")
        )  # fmt: skip
        test = self.random.choice(
            (f"{x}.worth > {p}.coins", f"size({xs}) < {n}", f"{x}.uses < {n}", f"luck[{x}] > 0",
             f"sum(m in {xs}: m) < {p}.debt + {n}", f"{x}.hue is rank", f"{p}.shown has {x}",
             f"sum(m in numbers(1, 90): m) > {x}.worth and lamp", f"6 / {x}.worth > {n}",
             f"links({x}) > {n} or {p}.keen", f"{xs} has {x}.worth", f"pick is {x}")
        )  # fmt: skip
        more = self.random.choice(
            ([f"    else: {xs} += [{n}]"], [], [], [f"  if size({xs}) > {n + 2}: break"],
             [f"  if {p}.keen: {xs} += [{x}.uses]"], [f"  {p}.debt += 1"])
        )  # fmt: skip
        use = self.random.choice(
            (f"noted = take(5, {xs})", f"{p}.debt = size({xs})", f"noted = [sum(m in {xs}: m)]")
        )
        added = [f"    if {test}: {xs} += [{x}.worth]", *more]
        added = [line.replace("    ", "  ", 1) for line in added]
        return [f"let {xs} = {begun}", f"for {x} in {source}", *added, use]

    def of_few(self, p: str, depth: int) -> list[str]:
        """A decision among entries of which there are few, by what their own fields hold."""
        x, n = self.name(), self.random.randint(0, 4)
        few = self.random.choice(
            (f"list({x} in Hue where {x}.share > {n})", f"list({x} in Hue where {x}.owner is {p})",
             f"list({x} in Hue where {x}.share > {p}.coins and {x}.owner is none)",
             f"list({x} in Hue where {x} is not red and {x}.share < 9)",
             f"list({x} in Hue where {x} is red and {x}.share > {n})")
        )  # fmt: skip
        return [f'may choose {x} from {few} by {p} "Which of few?"', f"  {x}.share = {n}",
                f"else: {p}.debt -= 1"]  # fmt: skip
