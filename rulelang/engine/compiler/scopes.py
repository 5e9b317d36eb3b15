"""Scopes and rounds of a rule: what is open at each of its places."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulelang.program import instructions as i
from rulelang.program.rounds import Round, rounds


class Scopes:
    """What a rule has open where, and what leaving it takes."""

    def __init__(self, code: i.Code, waiting: Mapping[str, frozenset[str]]) -> None:
        self.code = code
        self.waiting = waiting
        """For each label the endings that complete such a scope first."""
        self.rounds = rounds(code)
        self.scopes = [
            (start, n.end, n.label)
            for start, n in enumerate(code.instructions)
            if isinstance(n, i.Enter)
        ]

    def around(self, place: int) -> list[tuple[int, int, str]]:
        """The scopes that are open at a place, the outer ones first: start, end, label."""
        return sorted(each for each in self.scopes if each[0] < place <= each[1])

    def ends_around(self, place: int, *, strictly: bool) -> tuple[int, ...]:
        """The ends of the scopes around a place, the inner ones first.

        ``strictly``: without one that ends right here.
        """
        found = [end for _, end, _ in self.around(place) if not strictly or end != place]
        return tuple(reversed(found))

    def leaves(self, source: int, target: int) -> bool:
        """Is a scope or a round left on the way, or an ending to be looked for?"""
        inside = {each[0] for each in self.around(target)}
        left = [each for each in self.around(source) if each[0] not in inside]
        return bool(left) or any(r.holds(source) and not r.holds(target) for r in self.rounds)

    def on_the_way(self, source: int, target: int | None) -> Iterator[str]:
        """What is done on the way out of scopes and rounds; without a target, out of all."""
        inside = set() if target is None else {each[0] for each in self.around(target)}
        left = [each for each in self.around(source) if each[0] not in inside]
        out = -1 if target is None else target
        yield from self.publish_within(source, out)
        yield from self._look_for_ending(source, target)
        if left:
            yield f"del m.scopes[-{len(left)}:]"

    def _look_for_ending(self, source: int, target: int | None) -> Iterator[str]:
        """An ending that waits for a scope comes when the scope is left."""
        names: set[str] = set()
        for start, end, label in self.scopes:
            if start < source < end and (target is None or not start < target <= end):
                names |= self.waiting.get(label, frozenset())
        if names:
            yield f"if any([n in {tuple(sorted(names))!r} for n, _ in s[1]]): raise Ended"

    def publish_within(self, source: int, target: int) -> Iterator[str]:
        """The writes that wait in the rounds which are left."""
        for each in self.rounds:
            if each.holds(source) and not each.holds(target):
                yield from self.publish(each)

    def publish(self, one: Round) -> Iterator[str]:
        """The writes that wait in one round are carried out, or handed to the round around it."""
        outer = self.outer(one)
        if outer >= 0:
            yield f"l{outer} = (*l{outer}, *l{one.slot})"
        else:
            write = "s[at] = v if index is None else replaced(s[at], index, v)"
            yield f"for at, index, v in l{one.slot}: {write}"
        yield f"l{one.slot} = ()"

    def outer(self, one: Round) -> int:
        """The slot of the round around a round; -1 if there is none."""
        around = (r.slot for r in self.rounds if r.start < one.start and r.holds(one.end))
        return next(around, -1)

    def holding(self, place: int) -> list[Round]:
        """The rounds around a place, the inner ones first."""
        return [each for each in self.rounds if each.holds(place)]
